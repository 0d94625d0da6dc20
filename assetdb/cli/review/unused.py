"""``assetdb unused``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.checks.counting import counted
from assetdb.cli.asking import opened, spare_guid
from assetdb.cli.asking.sizes import size_cells
from assetdb.cli.asking.target import say_unread
from assetdb.cli.terminal import ASSET_STYLES, fail, print_first, print_folded, print_json, printable, say, table
from assetdb.diagnostics.codes import CODES
from assetdb.query.graph.relations import type_text
from assetdb.query.graph.unused import find_unused, has_build_scenes, lacking, unmatched_roots
from assetdb.query.graph.unused_rows import kept_alone, unused_fields
from assetdb.query.sizes import sizes_of
from assetdb.settings.project import is_part

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assetdb.cli.arguments import QueryOptions
    from assetdb.query.graph.unused import UsageReport
    from assetdb.store.indexes.supplement import Unread

_SHOWN_ROOTS: Final = 20


def unused(
    options: QueryOptions,
    roots: list[str] | None = None,
    *,
    incomplete: bool = False,
    why: bool = False,
    size: bool = False,
) -> int:
    """Print unused assets; 1 if there are any, 2 if unknown."""
    project = opened(options)
    missing = lacking(project.root, project.database)
    if missing and not incomplete:
        return _refuse(missing, as_json=options.json, every=options.verbose)
    if not options.quiet:
        say_unread(missing, every=options.verbose)
    if not options.quiet and not is_part(project.root) and not has_build_scenes(project.root):
        say(
            "no scene is enabled in the build settings, so everything that scenes use counts as unused"
            " (add roots with --roots)"
        )
    kept_too = roots or []
    report = find_unused(project, kept_too, alone=size)
    sizes = sizes_of(project, [*report.unused, *report.kept]) if size else {}
    for pattern in unmatched_roots(report, kept_too):
        say(f"no asset matches --roots {printable(pattern)!r}")
    if options.json:
        print_json(
            {
                "unused": unused_fields(report.unused, sizes),
                "kept": unused_fields(report.kept, sizes),
                "roots": report.roots,
                "unread_files": len(missing),
                **({"alone": [row._asdict() for row in kept_alone(report, sizes)]} if size else {}),
            }
        )
    elif why:
        if report.kept:
            kept = (
                (row.path, *size_cells(sizes, row.path, wanted=size), row.reason or f"used by {row.used_by}")
                for row in report.kept
            )
            print(table(kept, right=frozenset((1,) if size else ()), styles=("path",)))
    else:
        if report.unused:
            packed = ((row, f"packed by {row.packed_by}" if row.packed_by else "") for row in report.unused)
            cells = (
                (row.path, type_text(row.type), *size_cells(sizes, row.path, wanted=size), row.guid, by)
                for row, by in packed
            )
            right = frozenset((2,) if size else ())
            print(table(cells, right=right, styles=ASSET_STYLES, spare=spare_guid(2 + size, options)))
        counts = ", ".join(f"{count:,} {reason}" for reason, count in report.roots.items()) or "none"
        total = len(report.unused) + len(report.kept)
        print_folded(f"{len(report.unused):,} of {total:,} assets are unused; roots: {counts}")
    if size and not options.json:
        _print_sizes(report, sizes, every=options.verbose)
    return 1 if report.unused else 0


def _print_sizes(report: UsageReport, sizes: Mapping[str, int], *, every: bool) -> None:
    """Print sums of bytes, and how much roots keep alone."""
    bytes_of = [sum(sizes.get(path, 0) for path in {row.path for row in rows}) for rows in (report.unused, report.kept)]
    print_folded(f"unused: {counted(bytes_of[0], 'byte')}; used: {counted(bytes_of[1], 'byte')}")
    rows = [row for row in kept_alone(report, sizes) if row.assets > 1]
    if rows:
        shown = rows if every else rows[:_SHOWN_ROOTS]
        more = f", the first {len(shown)} of {len(rows):,} (-v lists all)" if len(shown) < len(rows) else ""
        print_folded(f"kept by one root alone, itself included{more}:")
        cells = ((row.root, row.reason, counted(row.assets, "asset"), counted(row.bytes, "byte")) for row in shown)
        print(table(cells, right=frozenset((2, 3)), styles=("path",)))


def _refuse(missing: list[Unread], *, as_json: bool, every: bool) -> int:
    """List missing inputs, and print the remedy."""
    if as_json:
        print_json({"error": "files could not be read", "unread": [item._asdict() for item in missing]})
    print_first([f"{item.path}  {item.code}" for item in missing], every=every)
    advice = ", ".join(dict.fromkeys(CODES[item.code].advice for item in missing))
    count = f"{counted(len(missing), 'file')} could not be read"
    return fail(f"{count}, so the list would be unreliable ({advice}); --incomplete prints it anyway")
