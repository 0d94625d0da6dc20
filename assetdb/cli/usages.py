"""``assetdb usages``."""

from __future__ import annotations

import sys

from assetdb.cli.target import ABSENT, answer_queries, place_cells
from assetdb.cli.terminal import ASSET_STYLES, print_json, printable, table
from assetdb.errors import UsageError
from assetdb.query.graph.relations import describe_subject, is_known, usage_fields, usages_of

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Annotated

    from typer import Option

    from assetdb.cli.arguments import Asking
    from assetdb.cli.options import Queries
    from assetdb.cli.target import Met
    from assetdb.query.graph.references import AssetGraph, Site
    from assetdb.query.selecting.selector import Subject
    from assetdb.query.snapshots.snapshot import Snapshot


def usages(
    options: Asking,
    queries: Queries,
    deep: Annotated[bool, Option("--deep", help="Also who refers to those, and so on.")] = False,
    objects: Annotated[bool, Option("--objects", help="Which object and property refers, with the line.")] = False,
    why: Annotated[
        bool, Option("--why", help="Why a build has it: the shortest chain from a scene, Resources or other root.")
    ] = False,
    every: Annotated[bool, Option("--all", help="With --why, the chains from all roots, shortest first.")] = False,
) -> int:
    """Print the users of assets; 1 if one has none."""
    if why:
        from assetdb.cli.ways import answer_why  # noqa: PLC0415 - few ask for chains

        return answer_why(queries, options, every=every)
    if every:
        raise UsageError("--all needs --why")

    def answer(query: str, subject: Subject, project: Snapshot, graph: AssetGraph, as_json: bool, met: Met) -> bool:  # noqa: FBT001
        files, places = usages_of(subject, project, graph, deep=deep, objects=objects)
        itself = describe_subject(subject, project) if not files else None
        met.absent = met.absent or (itself is not None and itself.type == ABSENT)
        if as_json:
            shown = places if objects else None
            print_json(usage_fields(query, subject, project, files, shown, deep=deep))
        elif itself is not None:
            known = is_known(itself, graph)
            which = itself.path or subject.guid if subject.file_id is None else f"{subject.guid}:{subject.file_id}"
            what = f"{'nothing refers to' if known else 'the project has no asset'} {which}"
            print(f"assetdb: {printable(what)}", file=sys.stderr)
        elif objects:
            _print_places(places, project)
            placed = {place.path.removesuffix(".meta") for place in places}
            for file in files:
                if file.path not in placed:  # binary, changed since the bake, or further away
                    print(printable(f"{file.path}  {file.type}"))
        else:
            print(table(sorted(file.row for file in files), styles=ASSET_STYLES))
        met.unread.update(project.unread)
        return bool(files)

    return answer_queries(queries, options, answer)


def _print_places(places: Iterable[Site], project: Snapshot) -> None:
    for place in places:
        print(printable("  ".join(place_cells(place, project))))
