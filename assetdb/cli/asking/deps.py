"""``assetdb deps``."""

from __future__ import annotations

from assetdb.cli.asking.target import ABSENT, answer_queries
from assetdb.cli.terminal import ASSET_STYLES, print_json, say, table
from assetdb.errors import UsageError
from assetdb.query.graph.relations import (
    dependencies_of,
    dependency_fields,
    describe_subject,
    is_known,
    unread_among,
    unread_text,
    why_unread,
)

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb.cli.arguments import QueryOptions
    from assetdb.cli.asking.target import Notes
    from assetdb.query.graph.references import AssetGraph
    from assetdb.query.selecting.selector import Subject
    from assetdb.query.snapshots.snapshot import Snapshot


def deps(
    options: QueryOptions, queries: list[str], *, deep: bool = False, to: str | None = None, every: bool = False
) -> int:
    """Print the dependencies of assets; 1 if one has none."""
    if to is not None:
        from assetdb.cli.asking.ways import answer_ways_to  # noqa: PLC0415 - few ask for chains

        return answer_ways_to(queries, to, options, every=every)
    if every:
        raise UsageError("--all needs --to: give the asset that the chains lead to")

    def answer(query: str, subject: Subject, project: Snapshot, graph: AssetGraph, as_json: bool, notes: Notes) -> bool:  # noqa: FBT001
        found = dependencies_of(subject, project, graph, deep=deep)
        why = ""
        if as_json:
            print_json(dependency_fields(query, subject, project, found, deep=deep))
        elif found:
            print(table(sorted(item.row for item in found), styles=ASSET_STYLES))
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
