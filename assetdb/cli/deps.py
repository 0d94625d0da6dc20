"""``assetdb deps``."""

from __future__ import annotations

import sys

from assetdb.cli.lookup import add_query_arguments
from assetdb.cli.target import answer_queries
from assetdb.cli.terminal import print_json, printable, table
from assetdb.relations import dependencies_of, describe

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse

    from assetdb.cli.quick import Words
    from assetdb.graph import AssetGraph
    from assetdb.opening import Opened
    from assetdb.query import Subject


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``assetdb deps``."""
    add_query_arguments(parser)
    parser.add_argument("--deep", action="store_true", help="also what those refer to, and so on")


def run(arguments: argparse.Namespace | Words) -> int:
    """Print what assets refer to; 1 if one is not found or refers to nothing."""

    def answer(query: str, subject: Subject, project: Opened, graph: AssetGraph, as_lines: bool) -> bool:  # noqa: FBT001
        found = dependencies_of(subject, project, graph, deep=arguments.deep)
        if arguments.json or as_lines:
            fields = {"query": query, **describe(subject.guid, project)._asdict(), "deep": arguments.deep}
            print_json({**fields, "dependencies": [item._asdict() for item in found]})
        elif found:
            print(table(sorted(item.row for item in found)))
        else:
            itself = describe(subject.guid, project)
            known = itself.type or graph.knows(subject.guid)
            what = f"{itself.path or subject.guid} {'refers to nothing' if known else 'is no asset of the project'}"
            print(f"assetdb: {printable(what)}", file=sys.stderr)
        return bool(found)

    return answer_queries(arguments, answer)
