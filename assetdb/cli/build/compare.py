"""``assetdb build diff`` and ``verify``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.builds.build import Build
from assetdb.builds.engines.verification import verify_inventory
from assetdb.builds.query.catalogs import read_catalogs
from assetdb.builds.query.comparison import (
    ADDED,
    SAME,
    ObjectChange,
    PartChange,
    compare,
    object_fields,
    part_fields,
)
from assetdb.builds.query.layouts import AssetChange, asset_changes, assets_of
from assetdb.builds.query.reasons import why
from assetdb.builds.query.summary import different_platforms
from assetdb.builds.query.verification import verify as verify_build
from assetdb.cli.build.opened import opened, opening, refuse_other_engines, say_problems, secret_of
from assetdb.cli.build.options import AnyEngineOptions, BuildOptions, Builds  # noqa: TC001 - read at run time
from assetdb.cli.bundle.each import grouped, grouped_by_reason
from assetdb.cli.terminal import Progress, plain, print_json, print_json_lines, printable

if TYPE_CHECKING:
    from assetdb.builds.query.verification import Verification
    from assetdb.cli.options import Annotated, Argument

_OBJECTS: int = 10  # of a part, without -v
_SIGNS: dict[str, str] = {"added": "+", "removed": "-", "changed": "~", "renamed": ">", "moved": ">", "same": "="}


def diff(
    options: BuildOptions,
    before: Annotated[str, Argument(metavar="BEFORE", help="The older build.")],
    after: Annotated[str, Argument(metavar="AFTER", help="The newer build.")],
) -> int:
    """Show the download from one build to another, with reasons."""
    refuse_other_engines([before], "diff")
    refuse_other_engines([after], "diff")
    first, second = opened([before], options), opened([after], options)
    code = max(say_problems(first), say_problems(second))
    with Progress("files") as progress:
        rows = compare(first, second, progress=progress)
    different = [row for row in rows if row.verdict != SAME]
    layouts = [read_catalogs(build).layouts for build in (first, second)]
    laid_out = asset_changes(*map(assets_of, layouts)) if all(layouts) else []
    platforms = different_platforms(first, second)
    if options.json:
        if platforms is not None:
            print_json_lines([{"platforms": platforms._asdict()}])
        print_json_lines(_part_facts(first, second, row) for row in different)
        print_json_lines(
            {"asset": {name: item and item._asdict() for name, item in row._asdict().items()}} for row in laid_out
        )
        return max(code, int(bool(different)))
    for row in different:
        _print_part(first, second, row, everything=options.verbose)
    _print_assets(laid_out, everything=options.verbose)
    download = sum(row.download for row in rows)
    grown = sum(row.size_after - row.size_before for row in rows)
    if different:
        print()
    if platforms is not None:
        old, new = map(", ".join, platforms)
        print(f"the builds are of different platforms: {old} before, {new} after")
    print(
        f"{len(different):,} of {len(rows):,} parts differ; {download:,} bytes to download,"
        f" the build has {abs(grown):,} bytes {'more' if grown >= 0 else 'less'} than before"
    )
    return max(code, int(bool(different)))


def _print_assets(rows: list[AssetChange], *, everything: bool) -> None:
    if rows:
        print("\nassets, as the build layouts have them:")
    shown = rows if everything else rows[:_OBJECTS]
    for old, new in shown:
        sign = _SIGNS["changed"] if old is not None and new is not None else _SIGNS["removed" if new is None else ADDED]
        sizes = " -> ".join(f"{item.size:,}" for item in (old, new) if item is not None)
        for item in filter(None, (new or old,)):
            by = f", pulled in by {', '.join(item.used_by)}" if item.used_by else ""
            print(printable(f"    {sign} {item.path}  {sizes} bytes  in {item.bundle}{by}"))
    if len(shown) < len(rows):
        print(f"    and {len(rows) - len(shown):,} more assets (-v lists them)")


def _print_part(first: Build, second: Build, row: PartChange, *, everything: bool) -> None:
    sizes = f"{row.size_before:,} -> {row.size_after:,}" if row.before is not None and row.after is not None else ""
    sizes = sizes or f"{row.size_after if row.verdict == ADDED else row.size_before:,}"
    print(f"{_SIGNS[row.verdict]} {printable(row.name)}  {sizes} bytes ({row.verdict})")
    shown = row.objects if everything else row.objects[:_OBJECTS]
    for item in shown:
        print(f"    {_SIGNS[item.verdict]} {printable(_object_line(first, second, item))}")
    if len(shown) < len(row.objects):
        print(f"    and {len(row.objects) - len(shown):,} more objects (-v lists them)")
    if not row.is_read:
        print("    not all of it was read, so other objects may have come, gone or changed")
    elif row.streamed:
        print(f"    the data of changed objects ({row.streamed:,}), which are listed with their own files")
    elif row.verdict == "changed" and not row.objects and row.after is not None and second.facts[row.after].files:
        print("    no object differs: only the packing or the tables around the objects do")


def _object_line(first: Build, second: Build, item: ObjectChange) -> str:
    build, number = (second, item.after) if item.after is not None else (first, item.before or 0)
    sizes = f"{item.size_before:,} -> {item.size_after:,}" if item.verdict == "changed" else ""
    sizes = sizes or f"{max(item.size_before, item.size_after):,}"
    title = build.title(number)
    named = f"{build.class_name(build.class_ids[number])}{f' {title}' if title else ''}"
    before = first.title(item.before) if item.before is not None and item.after is not None else title
    renamed = f", {before} before" if before != title else ""
    reason = why(build, number)
    moved = f"  moved from {first.parts[first.part_of(item.before or 0)].name}" if item.verdict == "moved" else ""
    root = f"  of {reason.root}" if reason.root and reason.kind not in ("player settings", "list") else ""
    return f"{named}{renamed}  {sizes} bytes{root}{moved}"


def _part_facts(first: Build, second: Build, row: PartChange) -> dict[str, object]:
    objects = [_plain(object_fields(first, second, item)) for item in row.objects]
    return {**_plain(part_fields(first, row)), "objects": objects}


def _plain(facts: dict[str, object]) -> dict[str, object]:
    return {name: plain(value) if isinstance(value, str) else value for name, value in facts.items()}


def verify(options: AnyEngineOptions, builds: Builds) -> int:
    """Check that a build is whole; 1 if something is wrong."""
    with opening(builds, options) as build, Progress("files") as progress:
        if isinstance(build, Build):
            found = verify_build(build, progress=progress)
            parts, objects = len(build.parts), len(build)
        else:
            from assetdb.cli.unreal.archives import displayed  # noqa: PLC0415 - other engines' builds are rare

            found = verify_inventory(build, key=secret_of(options.key), progress=progress)
            found = found._replace(
                findings=tuple(map(displayed, found.findings)), unread=tuple(map(displayed, found.unread))
            )
            parts, objects = len(build.files), len(build.items)
    return _print_verification(found, options, parts, objects)


def _print_verification(found: Verification, options: AnyEngineOptions, parts: int, objects: int) -> int:
    if options.json:
        print_json_lines({"finding": plain(text)} for text in found.findings)
        print_json_lines({"unread": plain(text)} for text in found.unread)
        print_json({"findings": len(found.findings), "unread": len(found.unread), "objects": objects})
        return int(bool(found.findings))
    for text in found.findings if options.verbose else grouped(grouped_by_reason(found.findings)):
        print(printable(text))
    for text in found.unread:
        print(f"not read: {printable(text)}")
    count = f"{parts:,} parts, {objects:,} objects"
    if found.findings:
        print(f"{count}: {len(found.findings):,} finding{'s' if len(found.findings) > 1 else ''}")
    else:
        print(f"{count}: {'no problems in what was read' if found.unread else 'clean'}")
    return int(bool(found.findings))
