"""Chains and trees of references: ``--to``, ``--why`` and ``--tree``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.cli.asking.target import ABSENT, answer_queries, place_cells
from assetdb.cli.terminal import ASSET_STYLES, print_cells, print_json, print_json_lines, print_tree, printable, say
from assetdb.errors import UsageError
from assetdb.query.completeness import of_whole, unread_fields
from assetdb.query.graph.relations import describe_subject
from assetdb.query.graph.tree import dependency_tree, tree_fields, usage_tree
from assetdb.query.graph.ways import MOST_WAYS, find_ways_between, find_ways_from_roots, one_asset, way_fields

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.cli.arguments import QueryOptions
    from assetdb.cli.asking.target import Notes
    from assetdb.query.graph.references import AssetGraph
    from assetdb.query.graph.ways import Ways
    from assetdb.query.selecting.selector import Subject
    from assetdb.query.snapshots.snapshot import Snapshot


def answer_ways_to(queries: Sequence[str], to: str, options: QueryOptions, *, every: bool) -> int:
    """Print how assets lead to another; 1 if one does not."""

    def answer(query: str, subject: Subject, project: Snapshot, graph: AssetGraph, as_json: bool, notes: Notes) -> bool:  # noqa: FBT001
        most = MOST_WAYS if every else 1
        found, target = find_ways_between(query, subject, to, project, graph, options.cwd, most=most)
        notes.unread.update(of_whole(project))
        if _print(found, {"query": query, "to": target.guid}, project, as_json=as_json):
            return True
        names = [describe_subject(each, project).path or each.guid for each in (subject, target)]
        say(f"{names[0]} does not lead to {names[1]}")
        return False

    return answer_queries(list(queries), options, answer)


def answer_why(queries: Sequence[str], options: QueryOptions, *, every: bool) -> int:
    """Print why a build has assets; 1 if nothing leads there."""

    def answer(query: str, subject: Subject, project: Snapshot, graph: AssetGraph, as_json: bool, notes: Notes) -> bool:  # noqa: FBT001
        target = one_asset(query, subject, project)
        found = find_ways_from_roots(target.guid, project, graph, most=MOST_WAYS if every else 1)
        notes.unread.update(of_whole(project))
        if _print(found, {"query": query, "guid": target.guid}, project, as_json=as_json):
            return True
        path = describe_subject(subject, project).path or subject.guid
        say(
            f"no scene of the build settings, Resources or other root leads to {path}:"
            " `assetdb unused` lists all such assets"
        )
        return False

    return answer_queries(list(queries), options, answer)


def answer_tree(queries: Sequence[str], options: QueryOptions, *, users: bool, depth: int | None) -> int:
    """Print users or needs as trees; 1 if an asset has none."""

    def answer(query: str, subject: Subject, project: Snapshot, graph: AssetGraph, as_json: bool, notes: Notes) -> bool:  # noqa: FBT001
        if subject.file_id is not None:
            raise UsageError(f"{query}: --tree is of assets, not of an object")
        found = (usage_tree if users else dependency_tree)(subject, project, graph, depth=depth)
        unread = of_whole(project)
        notes.unread.update(unread)
        itself = describe_subject(subject, project)
        notes.absent = notes.absent or itself.type == ABSENT or any(row.asset.type == ABSENT for row in found.rows)
        if as_json:
            fields = {"query": query, "guid": subject.guid, "path": itself.path, "truncated": found.truncated}
            rows = [tree_fields(row) for row in found.rows]
            print_json({**fields, "rows": rows, **unread_fields(unread)})
            return bool(found.rows)
        name = itself.path or subject.guid
        if not found.rows:
            say(f"nothing refers to {name}" if users else f"{name} refers to nothing")
            return False
        lines = [(row.depth + 1, (*row.asset.row[:2], "(see above)" if row.repeated else "")) for row in found.rows]
        print_tree([(0, itself.row[:2]), *lines], styles=ASSET_STYLES)
        if found.truncated:
            say(f"only the first {len(found.rows):,} rows are listed: --depth limits the levels")
        return True

    return answer_queries(list(queries), options, answer)


def _print(found: Ways, fields: dict[str, object], project: Snapshot, *, as_json: bool) -> bool:
    """Print chains; False if there are none."""
    if as_json:
        rows = ({**fields, **way_fields(way, project), "truncated": found.truncated} for way in found.ways)
        print_json_lines({**row, **unread_fields(of_whole(project))} for row in rows)
        return bool(found.ways)
    for number, way in enumerate(found.ways):
        if number:
            print()
        if way.reason:
            print(printable(f"{way.reason}:"))
        for step in way.steps:
            cells = place_cells(step.place, project) if step.place is not None else [step.asset.path]
            more = [f"and {step.places - 1:,} more"] if step.places > 1 else []
            print_cells((*cells, *more))
    if found.truncated:
        say(f"only the {len(found.ways):,} shortest chains are listed")
    return bool(found.ways)
