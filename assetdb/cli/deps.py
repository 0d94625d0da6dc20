"""``assetdb deps``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from assetdb.cli.target import Miss, add_project_arguments, describe, find_target, opened, queries, shown_miss
from assetdb.cli.terminal import print_json, table
from assetdb.graph import AssetGraph

if TYPE_CHECKING:
    import argparse

    from assetdb.database import Database


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``assetdb deps``."""
    parser.add_argument("asset", metavar="X", help="a GUID, GUID:fileID, pasted reference, path or name; - for stdin")
    parser.add_argument("--deep", action="store_true", help="also what those refer to, and so on")
    add_project_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print what assets refer to; 1 if a query finds nothing."""
    root, database = opened(arguments)
    code = 0
    with database:
        graph = AssetGraph(database)
        for query in queries(arguments.asset):
            code = max(code, _answer(query, root, database, graph, arguments))
    return code


def _answer(query: str, root: str, database: Database, graph: AssetGraph, arguments: argparse.Namespace) -> int:
    target = find_target(query, root, database)
    one_line = arguments.asset == "-"
    if isinstance(target, Miss):
        if arguments.json or one_line:
            print_json({"query": query, "guid": None, "reason": target.reason, "close": target.close}, one_line)
        else:
            print(shown_miss(query, target), file=sys.stderr)
        return 1
    found = [describe(guid, database) for guid in graph.dependencies(target.guid, deep=arguments.deep)]
    if arguments.json or one_line:
        answer = {"query": query, **describe(target.guid, database)._asdict(), "deep": arguments.deep}
        print_json({**answer, "dependencies": [item._asdict() for item in found]}, one_line)
    elif found:
        rows = sorted((item.path or f"({item.name or item.type})", item.type, item.guid) for item in found)
        print(table(rows))
    elif not graph.knows(target.guid):
        print(shown_miss(query, Miss("the project has no asset with this GUID", ())), file=sys.stderr)
    return 0 if found else 1
