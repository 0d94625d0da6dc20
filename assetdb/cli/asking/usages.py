"""``assetdb usages``."""

from __future__ import annotations

from assetdb.cli.asking.target import ABSENT, answer_queries, place_cells
from assetdb.cli.terminal import ASSET_STYLES, print_json, printable, say, table
from assetdb.errors import UsageError
from assetdb.query.graph.relations import describe_subject, is_known, usage_fields, usages_of

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb.cli.arguments import QueryOptions
    from assetdb.cli.asking.target import Notes
    from assetdb.query.graph.references import AssetGraph
    from assetdb.query.selecting.selector import Subject
    from assetdb.query.snapshots.snapshot import Snapshot


def usages(
    options: QueryOptions,
    queries: list[str],
    *,
    deep: bool = False,
    objects: bool = False,
    why: bool = False,
    every: bool = False,
) -> int:
    """Print the users of assets; 1 if one has none."""
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
            print_json(usage_fields(query, subject, project, files, shown, deep=deep))
        elif itself is not None:
            known = is_known(itself, graph)
            which = itself.path or subject.guid if subject.file_id is None else f"{subject.guid}:{subject.file_id}"
            say(f"{'nothing refers to' if known else 'the project has no asset'} {which}")
        elif objects:
            for place in places:
                print(printable("  ".join(place_cells(place, project))))
            placed = {place.path.removesuffix(".meta") for place in places}
            for file in files:
                if file.path not in placed:  # binary, changed since the bake, or further away
                    print(printable(f"{file.path}  {file.type}"))
        else:
            print(table(sorted(file.row for file in files), styles=ASSET_STYLES))
        notes.unread.update(project.unread)
        return bool(files)

    return answer_queries(queries, options, answer)
