"""What the commands of the graph share: what each query means, and one answer for each."""

from __future__ import annotations

import sys

from assetdb.cli.lookup import STDIN, opened, queries_of, why_unmatched
from assetdb.cli.terminal import print_json, printable
from assetdb.graph import AssetGraph
from assetdb.query import Unmatched, find_subject

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from assetdb.cli.quick import Words
    from assetdb.opening import Opened
    from assetdb.query import Subject


def answer_queries(
    arguments: argparse.Namespace | Words, answer: Callable[[str, Subject, Opened, AssetGraph, bool], bool]
) -> int:
    """Let ``answer`` print what it finds for each query; 1 if there was one for which it found nothing.

    Its last argument is whether to print one line of JSON.

    Raises:
        DatabaseError: the database has no references.
    """
    project = opened(arguments)
    as_lines = STDIN in arguments.queries
    found = True
    for query in queries_of(arguments.queries):
        project.expire()
        graph = AssetGraph(project)
        subject = find_subject(query, project, arguments.cwd)
        if not isinstance(subject, Unmatched):
            found = answer(query, subject, project, graph, as_lines) and found
            continue
        found = False
        if arguments.json or as_lines:
            print_json({"query": query, **subject.fields()}, one_line=True)
        else:
            print(f"assetdb: {printable(why_unmatched(query, subject))}", file=sys.stderr)
    return 0 if found else 1
