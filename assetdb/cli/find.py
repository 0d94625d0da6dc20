"""``assetdb find``."""

from __future__ import annotations

import sys

from assetdb.cli.lookup import add_project_arguments, opened
from assetdb.cli.terminal import print_json_lines, printable, table_lines
from assetdb.query.selector import find, find_sorted, suggestions
from assetdb.system.pausing import drained

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from assetdb.cli.quick import Words
    from assetdb.store.database import Database


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``assetdb find``."""
    parser.add_argument("pattern", metavar="PATTERN", help="text in a name or path, in any case; or with * ? [abc]")
    parser.add_argument("--type", action="append", default=[], metavar="TYPE", help="only this class or script")
    add_project_arguments(parser)


def plain_arguments(words: list[str]) -> Words | None:
    """Return what the words say, or None where argparse should read them."""
    from assetdb.cli.quick import read_words  # noqa: PLC0415 - a daemon has read them

    found = read_words(words, "find")
    if found is None or len(found.queries) != 1:
        return None
    found.pattern = found.queries[0]
    return found


def run(arguments: argparse.Namespace | Words) -> int:
    """List assets and sub-assets by name."""
    project = opened(arguments)
    found = find_sorted(arguments.pattern, project, arguments.type)
    if found:
        if arguments.json:
            print_json_lines(item._asdict() for item in drained(found))
            return 0
        lines = table_lines(
            (item.guid if item.file_id is None else f"{item.guid}:{item.file_id}", item.type, item.name, item.path)
            for item in drained(found)
        )
        for line in lines:
            print(line)
        return 0
    print(f"assetdb: {printable(_why(arguments.pattern, arguments.type, project.database))}", file=sys.stderr)
    return 1


def _why(pattern: str, types: Sequence[str], database: Database) -> str:
    """Return why nothing was found, and what may have been meant."""
    if types:
        from difflib import get_close_matches  # noqa: PLC0415 - only on a miss

        known = {item.type.casefold(): item.type for item in find("", database)}
        absent = [kind for kind in types if kind.casefold() not in known]
        if absent:
            close = [known[key] for key in get_close_matches(absent[0].casefold(), known, n=2)]
            return f"nothing has the type {absent[0]!r}{_hint(close)}"
    close = list(suggestions(pattern, database))
    kind = f" of type {' or '.join(types)}" if types else ""
    return f"nothing{kind} is called {pattern!r}{_hint(close)}"


def _hint(close: list[str]) -> str:
    return f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
