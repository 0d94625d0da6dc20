"""``assetdb build size``: bytes on disk and decoded, duplicates, downloads."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from assetdb.builds.build import Build
from assetdb.builds.engines.rows import inventory_tree
from assetdb.builds.query.catalogs import read_catalogs
from assetdb.builds.query.duplicates import CONTENT, ObjectDuplicate, find_duplicates
from assetdb.builds.query.layouts import assets_of, of_same_bundles, totals
from assetdb.builds.query.sizes import measure
from assetdb.builds.query.tables import ASSEMBLY, CLASS, GROUP, LABEL, SizeRow, TreeRow, size_rows, size_tree
from assetdb.builds.reports.tying import reports_of
from assetdb.builds.trace.sizes import asset_sizes, content_sizes
from assetdb.builds.trace.tracer import Tracer
from assetdb.cli.build.inventory import Copies, print_copies, print_duplicates, say_unread, sizes_of
from assetdb.cli.build.opened import opening, say_problems
from assetdb.cli.build.options import AnyEngineOptions, Builds  # noqa: TC001 - read at run time
from assetdb.cli.build.report import say_unused
from assetdb.cli.terminal import Progress, fail, plain, print_json_lines, print_tree, say, table
from assetdb.errors import UsageError
from assetdb.query.snapshots.snapshot import open_project
from assetdb.settings.project import project_above

if TYPE_CHECKING:
    from assetdb.builds.query.catalogs import Catalogs
    from assetdb.cli.options import Annotated, Literal, Option

_SHOWN: int = 30  # rows of objects and assets without --all
_ASSET = "asset"
_SAME_CONTENT = "same content"
_SAME_ASSET = {
    True: "same asset",
    False: "same asset, not the same content",
    None: "same asset, not all of its content could be read",
}
_RIGHT = frozenset((1, 2, 3, 4))
_HEAD = ("objects", "in files", "streamed", "on disk")


def size(
    options: AnyEngineOptions,
    builds: Builds,
    by: Annotated[
        Literal["class", "file", "bundle", "object", "group", "label", "script", "assembly", "asset"] | None,
        Option(
            "--by",
            metavar="WHAT",
            help="class (default), file, bundle, object, group, label, script, assembly or asset.",
        ),
    ] = None,
    tree: Annotated[bool, Option("--tree", help="Parts, the files in them, and the classes in these.")] = False,
    duplicates: Annotated[bool, Option("--duplicates", help="List duplicates and the bytes that they cost.")] = False,
    everything: Annotated[bool, Option("--all", help="All rows, not only the largest 30.")] = False,
) -> int:
    """Show the bytes of each part of a build."""
    if sum((tree, duplicates, by is not None)) > 1:
        raise UsageError("--by, --tree and --duplicates cannot be combined")
    with opening(builds, options) as build:
        if isinstance(build, Build):
            if duplicates:
                return max(say_problems(build), _print_duplicates(build, options, everything=everything))
            return _sizes(build, options, by or CLASS, tree=tree, everything=everything)
        code = say_unread(build, options)
        if duplicates:
            return max(code, print_duplicates(build, options, everything=everything))
        if tree:
            _print_tree(inventory_tree(build), options)
        else:
            _print_rows(sizes_of(build, by or CLASS), by or CLASS, options, everything=everything)
        return code


def _sizes(build: Build, options: AnyEngineOptions, key: str, *, tree: bool, everything: bool) -> int:
    code = say_problems(build)
    if key == _ASSET:
        return max(code, _assets(build, options, everything=everything))
    sizes = measure(build)
    if tree:
        _print_tree(size_tree(build, sizes), options)
        return code
    catalogs = read_catalogs(build) if key in (GROUP, LABEL) else None
    for problem in catalogs.problems if catalogs is not None else ():
        code = fail(problem)
    rows = size_rows(build, sizes, key, catalogs)
    _print_rows(rows, key, options, everything=everything)
    if options.json:
        return code
    if sizes.shared:
        print(f"\n{sizes.shared:,} streamed bytes are shared: each counts once, for the first object that has it")
    if key in (GROUP, LABEL) and catalogs is not None:
        if key == GROUP and not (catalogs.bundles and all(bundle.is_group_known for bundle in catalogs.bundles)):
            print("\ngroups are taken from the bundles' names: there is no build layout")
        if key == LABEL:
            print("\na bundle counts under each label of the assets in it")
    return code


def _assets(build: Build, options: AnyEngineOptions, *, everything: bool) -> int:
    """Print the bytes of assets, by layouts or a trace."""
    catalogs = read_catalogs(build)
    code = 0
    for problem in catalogs.problems:
        code = fail(problem)
    if catalogs.layouts:
        return max(code, _print_assets(catalogs, options, everything=everything))
    if code:
        return code
    project = next(
        filter(None, (project_above(place) for place in (os.path.join(os.getcwd(), "x"), *build.paths))), None
    )
    if project is None and build.content_names.has_sources:
        _print_rows(content_sizes(build), _ASSET, options, everything=everything)
        return code
    if project is None:
        raise UsageError(
            "bytes are attributed to assets by a build layout (buildlayout.json, ContentLayout.json) or by the project:"
            " there is no layout beside the build, and neither this folder nor the build lies in a project"
        )
    snapshot = open_project(project)
    snapshot.refresh()
    reports = reports_of(build, build.paths, project)
    tracer = Tracer(build, snapshot, catalogs, reports)
    code = say_unused(reports, is_given=False, quiet=options.quiet)
    _print_rows(asset_sizes(tracer), _ASSET, options, everything=everything)
    if not options.quiet:
        said = [f"{tracer.untied:,} of {len(build):,} objects have no certain source"] if tracer.untied else []
        if tracer.is_of_project is False:
            said.append("the build is not of this project (the product GUIDs differ)")
        if said:
            say("; ".join(said))
    return code


def _print_assets(catalogs: Catalogs, options: AnyEngineOptions, *, everything: bool) -> int:
    if of_same_bundles(catalogs.layouts) and not options.quiet:
        # Pinpoint's BuildReports has twenty layouts: an asset in "1 bundle" had the bytes of twenty.
        count = f"{len(catalogs.layouts):,} build layouts"
        say(f"{count} of the same bundles are added up: name only one of the files")
    rows = totals(assets_of(catalogs.layouts))
    if options.json:
        print_json_lines({"by": _ASSET, **row._asdict()} for row in rows)
        return 0
    shown = rows if everything else rows[:_SHOWN]
    lines: list[tuple[object, ...]] = [("asset", "bytes", "bundles", "")]
    lines += [
        (row.path, f"{row.size:,}", f"{len(row.bundles):,}", "pulled in" if row.pulled_in else "") for row in shown
    ]
    if len(shown) < len(rows):
        rest = sum(row.size for row in rows[len(shown) :])
        lines.append((f"({len(rows) - len(shown):,} more; --all shows them)", f"{rest:,}", "", ""))
    lines.append(("all", f"{sum(row.size for row in rows):,}", "", ""))
    print(table(lines, right=frozenset((1, 2))))
    return 0


def _print_rows(rows: list[SizeRow], key: str, options: AnyEngineOptions, *, everything: bool) -> None:
    if options.json:
        print_json_lines({"by": key, **_facts(row)} for row in rows)
        return
    shown = rows if everything or key in (CLASS, GROUP, LABEL, ASSEMBLY) else rows[:_SHOWN]
    lines: list[tuple[object, ...]] = [(key, *_HEAD), *map(_cells, shown)]
    if len(shown) < len(rows):
        lines.append(_cells(_sum(f"({len(rows) - len(shown):,} more; --all shows them)", rows[len(shown) :])))
    if key != LABEL:
        lines.append(_cells(_sum("all", rows)))
    print(table(lines, right=_RIGHT))


def _print_tree(rows: list[TreeRow], options: AnyEngineOptions) -> None:
    if options.json:
        print_json_lines({"depth": depth, **_facts(row)} for depth, row in rows)
        return
    whole = sum(row.disk for depth, row in rows if not depth)
    print_tree(
        [(depth, _cells(row)) for depth, row in rows],
        head=("part / file / class", *_HEAD),
        right=_RIGHT,
        shares=[row.disk / whole if whole else 0.0 for _, row in rows],
    )


def _print_duplicates(build: Build, options: AnyEngineOptions, *, everything: bool) -> int:
    with Progress("objects") as progress:
        rows = find_duplicates(build, progress=progress)
    return print_copies(rows, partial(_copies, build), "object", as_json=options.json, everything=everything)


def _copies(build: Build, row: ObjectDuplicate) -> Copies:
    first = row.objects[0]
    why = _SAME_CONTENT if row.by == CONTENT else _SAME_ASSET[row.equal]
    places = [build.parts[build.part_of(number)].name for number in row.objects]
    class_name = build.class_name(build.class_ids[first])
    objects = [{"file": plain(build.file_label(one)), "path_id": build.path_ids[one]} for one in row.objects]
    return Copies(class_name, build.title(first), row.equal, objects, class_name, why, places)


def _cells(row: SizeRow) -> tuple[str, ...]:
    return (row.name, *(f"{number:,}" for number in row[1:]))


def _sum(name: str, rows: list[SizeRow]) -> SizeRow:
    return SizeRow(name, *(sum(row[place] for row in rows) for place in range(1, 5)))  # type: ignore[misc]


def _facts(row: SizeRow) -> dict[str, object]:
    return {**row._asdict(), "name": plain(row.name)}
