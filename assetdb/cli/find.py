"""``assetdb find``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from assetdb.cli.lookup import add_project_arguments, opened
from assetdb.cli.terminal import printable, table
from assetdb.query import find, suggestions

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``assetdb find``."""
    parser.add_argument("pattern", metavar="PATTERN", help="text in a name or path, in any case; or with * ? [abc]")
    parser.add_argument("--type", action="append", default=[], metavar="TYPE", help="only this class or script")
    add_project_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """List assets and sub-assets by name."""
    project = opened(arguments)
    found = sorted(
        find(arguments.pattern, project.database, arguments.type),
        key=lambda item: (item.path, item.file_id is not None, item.name, item.file_id or 0),
    )
    if arguments.json:
        from json import dumps  # noqa: PLC0415 - the plain form does without

        for item in found:
            print(dumps(item._asdict(), ensure_ascii=False))
    elif found:
        rows = [
            (item.guid if item.file_id is None else f"{item.guid}:{item.file_id}", item.type, item.name, item.path)
            for item in found
        ]
        print(table(rows))
    if found:
        return 0
    close = suggestions(arguments.pattern, project.database)
    hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
    print(f"assetdb: nothing is called {printable(arguments.pattern)!r}{printable(hint)}", file=sys.stderr)
    return 1
