"""``assetdb unused``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.counting import counted
from assetdb.cli.asking import opened, spare_guid
from assetdb.cli.asking.target import say_unread
from assetdb.cli.terminal import ASSET_STYLES, fail, print_first, print_json, printable, say, table
from assetdb.diagnostics.codes import CODES
from assetdb.query.graph.relations import type_text
from assetdb.query.graph.unused import find_unused, has_build_scenes, lacking, root_matcher

if TYPE_CHECKING:
    from assetdb.cli.arguments import QueryOptions
    from assetdb.store.indexes.supplement import Unread


def unused(
    options: QueryOptions, roots: list[str] | None = None, *, incomplete: bool = False, why: bool = False
) -> int:
    """Print unused assets; 1 if there are any, 2 if unknown."""
    project = opened(options)
    missing = lacking(project.root, project.database)
    if missing and not incomplete:
        return _refuse(missing, as_json=options.json, every=options.verbose)
    if not options.quiet:
        say_unread(missing, every=options.verbose)
    if not options.quiet and not has_build_scenes(project.root):
        say(
            "no scene is enabled in the build settings, so everything that scenes use counts as unused"
            " (add roots with --roots)"
        )
    kept_too = roots or []
    report = find_unused(project, kept_too)
    paths = [*(row.path for row in report.unused), *(row.path for row in report.kept)]
    for pattern in kept_too:
        if not any(map(root_matcher(pattern), paths)):
            say(f"no asset matches --roots {printable(pattern)!r}")
    if options.json:
        print_json(
            {
                "unused": [{**row._asdict(), "type": type_text(row.type)} for row in report.unused],
                "kept": [{**row._asdict(), "type": type_text(row.type)} for row in report.kept],
                "roots": report.roots,
                "unread_files": len(missing),
            }
        )
    elif why:
        if report.kept:
            print(table(((row.path, row.reason or f"used by {row.used_by}") for row in report.kept), styles=("path",)))
    else:
        if report.unused:
            packed = ((row, f"packed by {row.packed_by}" if row.packed_by else "") for row in report.unused)
            cells = ((row.path, type_text(row.type), row.guid, by) for row, by in packed)
            print(table(cells, styles=ASSET_STYLES, spare=spare_guid(2, options)))
        counts = ", ".join(f"{count:,} {reason}" for reason, count in report.roots.items()) or "none"
        print(f"{len(report.unused):,} of {len(report.unused) + len(report.kept):,} assets are unused; roots: {counts}")
    return 1 if report.unused else 0


def _refuse(missing: list[Unread], *, as_json: bool, every: bool) -> int:
    """List missing inputs, and print the remedy."""
    if as_json:
        print_json({"error": "files could not be read", "unread": [item._asdict() for item in missing]})
    print_first([f"{item.path}  {item.code}" for item in missing], every=every)
    advice = ", ".join(dict.fromkeys(CODES[item.code].advice for item in missing))
    count = f"{counted(len(missing), 'file')} could not be read"
    return fail(f"{count}, so the list would be unreliable ({advice}); --incomplete prints it anyway")
