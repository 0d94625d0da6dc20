"""``assetdb deps`` and ``usages``."""

from __future__ import annotations

from assetdb.cli.asking import spare_guid
from assetdb.cli.asking.target import ABSENT, answer_queries, place_cells
from assetdb.cli.terminal import ASSET_STYLES, print_cells, print_json, say, table
from assetdb.errors import UsageError
from assetdb.query.completeness import of_whole, unread_text, why_unread
from assetdb.query.graph.relations import (
    dependencies_of,
    dependency_fields,
    describe_subject,
    is_known,
    unread_among,
    usage_fields,
    usages_of,
)

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.cli.arguments import QueryOptions
    from assetdb.cli.asking.target import Notes
    from assetdb.query.graph.references import AssetGraph
    from assetdb.query.graph.relations import AssetInfo
    from assetdb.query.selecting.selector import Subject
    from assetdb.query.snapshots.snapshot import Snapshot


def deps(
    options: QueryOptions,
    queries: list[str],
    *,
    deep: bool = False,
    to: str | None = None,
    every: bool = False,
    size: bool = False,
    tree: bool = False,
    depth: int | None = None,
) -> int:
    """Print the dependencies of assets; 1 if one has none."""
    if tree or depth is not None:
        if not tree:
            raise UsageError("--depth needs --tree")
        if deep or to is not None or every or size:
            raise UsageError("--tree shows indirect references: leave out --deep, --to, --all and --size")
        from assetdb.cli.asking.ways import answer_tree  # noqa: PLC0415 - few ask for a tree

        return answer_tree(queries, options, users=False, depth=depth)
    if size and to is not None:
        raise UsageError("--to lists chains: leave out --size")
    if to is not None:
        from assetdb.cli.asking.ways import answer_ways_to  # noqa: PLC0415 - few ask for chains

        return answer_ways_to(queries, to, options, every=every)
    if every:
        raise UsageError("--all needs --to: give the asset that the chains lead to")

    def answer(query: str, subject: Subject, project: Snapshot, graph: AssetGraph, as_json: bool, notes: Notes) -> bool:  # noqa: FBT001
        found = dependencies_of(subject, project, graph, deep=deep)
        why = ""
        if as_json:
            print_json(dependency_fields(query, subject, project, found, deep=deep, sized=size))
        elif found:
            _print_assets(found, project, options, sized=size)
        else:
            itself = describe_subject(subject, project)
            known = is_known(itself, graph)
            notes.absent = notes.absent or itself.type == ABSENT
            why = why_unread(itself.path, project) if itself.path else ""
            message = unread_text(why) if why else "refers to nothing" if known else "is not an asset of the project"
            say(f"{itself.path or subject.guid} {message}")
        notes.absent = notes.absent or any(item.type == ABSENT for item in found)
        if not why:
            notes.unread.update(unread_among(subject, found if deep else (), project))
        return bool(found)

    return answer_queries(queries, options, answer)


def usages(
    options: QueryOptions,
    queries: list[str],
    *,
    deep: bool = False,
    objects: bool = False,
    why: bool = False,
    every: bool = False,
    field: str | None = None,
    method: str | None = None,
    event: bool = False,
    size: bool = False,
    tree: bool = False,
    depth: int | None = None,
) -> int:
    """Print the users of assets; 1 if one has none."""
    if tree or depth is not None:
        if not tree:
            raise UsageError("--depth needs --tree")
        if deep or objects or why or every or field is not None or method is not None or event or size:
            raise UsageError("--tree shows indirect users: leave out the other options but --depth")
        from assetdb.cli.asking.ways import answer_tree  # noqa: PLC0415 - few ask for a tree

        return answer_tree(queries, options, users=True, depth=depth)
    if size and (objects or why or field is not None or method is not None or event):
        raise UsageError("--size lists files: leave out --objects, --why, --field, --method and --event")
    if method is not None or event:
        from assetdb.cli.asking.fields import answer_method  # noqa: PLC0415 - few ask for events

        if deep or objects or why or every or field is not None:
            raise UsageError("--method and --event list events: leave out the other options")
        return answer_method(queries, method or "", options)
    if field is not None:
        from assetdb.cli.asking.fields import answer_field  # noqa: PLC0415 - few ask for fields

        if deep or objects or why or every:
            raise UsageError("--field lists values: leave out --deep, --objects, --why and --all")
        return answer_field(queries, field, options)
    if why:
        from assetdb.cli.asking.ways import answer_why  # noqa: PLC0415 - few ask for chains

        return answer_why(queries, options, every=every)
    if every:
        raise UsageError("--all needs --why")

    def answer(query: str, subject: Subject, project: Snapshot, graph: AssetGraph, as_json: bool, notes: Notes) -> bool:  # noqa: FBT001
        files, places = usages_of(subject, project, graph, deep=deep, objects=objects)
        itself = describe_subject(subject, project) if not files else None
        notes.absent = notes.absent or (itself is not None and itself.type == ABSENT)
        if as_json:
            shown = places if objects else None
            print_json(usage_fields(query, subject, project, files, shown, deep=deep, sized=size))
        elif itself is not None:
            known = is_known(itself, graph)
            which = itself.path or subject.guid if subject.file_id is None else f"{subject.guid}:{subject.file_id}"
            say(f"{'nothing refers to' if known else 'the project has no asset'} {which}")
        elif objects:
            for place in places:
                print_cells(place_cells(place, project))
            placed = {place.path.removesuffix(".meta") for place in places}
            for file in files:
                if file.path not in placed:  # binary, changed since the bake, or further away
                    print_cells((file.path, file.type))
        else:
            _print_assets(files, project, options, sized=size)
        notes.unread.update(of_whole(project))
        return bool(files)

    return answer_queries(queries, options, answer)


def _print_assets(found: Sequence[AssetInfo], project: Snapshot, options: QueryOptions, *, sized: bool) -> None:
    """Print assets by path, with their bytes and the sum if wanted."""
    if not sized:
        print(table(sorted(item.row for item in found), styles=ASSET_STYLES, spare=spare_guid(2, options)))
        return
    from assetdb.cli.asking.sizes import print_total, size_cells  # noqa: PLC0415 - few ask for sizes
    from assetdb.query.sizes import sizes_of  # noqa: PLC0415 - the same

    sizes = sizes_of(project, found)
    cells = sorted((*item.row[:2], *size_cells(sizes, item.path), item.row[2]) for item in found)
    print(table(cells, right=frozenset((2,)), styles=ASSET_STYLES, spare=spare_guid(3, options)))
    print_total(sizes)
