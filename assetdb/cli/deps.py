"""``assetdb deps``."""

from __future__ import annotations

import sys

from assetdb.cli.lookup import STDIN
from assetdb.cli.target import answer_queries, say_unread
from assetdb.cli.terminal import print_json, printable, table
from assetdb.query.relations import (
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
    from typing import Annotated

    from typer import Option

    from assetdb.cli.options import Asking, Queries
    from assetdb.query.references import AssetGraph
    from assetdb.query.relations import AssetInfo
    from assetdb.query.selector import Subject
    from assetdb.query.snapshot import Snapshot
    from assetdb.store.supplement import Unread


def deps(  # typer's way of declaring
    options: Asking,
    queries: Queries,
    deep: Annotated[bool, Option("--deep", help="Also what those refer to, and so on.")] = False,
) -> int:
    """Print what assets refer to; 1 if one is not found or refers to nothing."""

    def answer(query: str, subject: Subject, project: Snapshot, graph: AssetGraph, as_lines: bool) -> bool:  # noqa: FBT001
        found = dependencies_of(subject, project, graph, deep=deep)
        why = ""
        if options.json or as_lines:
            print_json(dependency_fields(query, subject, project, found, deep=deep))
        elif found:
            print(table(sorted(item.row for item in found)))
        else:
            itself = describe_subject(subject, project)
            known = is_known(itself, graph)
            absent.extend([itself] if itself.type == "package-not-present" else [])
            why = why_unread(itself.path, project) if itself.path else ""
            said = unread_text(why) if why else "refers to nothing" if known else "is no asset of the project"
            print(f"assetdb: {printable(f'{itself.path or subject.guid} {said}')}", file=sys.stderr)
        absent.extend(item for item in found if item.type == "package-not-present")
        if not why:
            unread.update(unread_among(subject, found if deep else (), project))
        return bool(found)

    unread: set[Unread] = set()
    absent: list[AssetInfo] = []
    code = answer_queries(queries, options, answer, lambda: bool(absent))
    if not (options.quiet or STDIN in queries):  # there each line says it
        say_unread(unread, every=options.verbose)
    return code
