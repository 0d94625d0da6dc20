"""`assetdb unreal unused`: packages that nothing uses, and what the project's configuration keeps alive."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Final

from assetdb.cli.terminal import print_json, printable, table
from assetdb.cli.unreal.opening import (
    add_database_arguments,
    find_package,
    no_packages,
    open_database,
    refuse_container,
)
from formats.files import read_file

if TYPE_CHECKING:
    import argparse

_PATH: Final = re.compile(r"/[A-Za-z0-9_]+(?:/[\w.-]+)+")
_LARGEST_INI: Final = 16 << 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `unused`."""
    parser.add_argument("path", metavar="FOLDER", nargs="?", default=".", help="a project or a Content folder (.)")
    parser.add_argument(
        "--reachable",
        action="store_true",
        help="also packages that only unused ones use: all that cannot be reached from maps and kept packages",
    )
    parser.add_argument("--keep", metavar="PACKAGE", action="append", default=[], help="a package that is used")
    parser.add_argument("--no-config", action="store_true", help="do not keep what Config/*.ini names")
    add_database_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print unused packages; 1 if there are any."""
    refuse_container(arguments.path)
    database, unreadable = open_database(arguments.path, arguments)
    if not len(database):
        return max(2 * unreadable, no_packages(arguments))
    roots = []
    for name in arguments.keep:
        try:
            roots.append(find_package(database, name, arguments.path))
        except LookupError as error:
            print(f"assetdb: error: --keep: {printable(str(error.args[0]))}", file=sys.stderr)
            return 2
    if not arguments.no_config:
        roots += [number for number in map(database.number, configured_packages(arguments.path)) if number >= 0]
    unused = database.unused(roots, reachable=arguments.reachable)
    columns = database.columns
    if arguments.json:
        document = [
            {"package": columns.names[number], "class": columns.classes[number], "size": columns.sizes[number]}
            for number in unused
        ]
        print_json(document)
    elif unused:
        rows = [(columns.names[number], columns.classes[number], f"{columns.sizes[number]:,}") for number in unused]
        print(table(rows, right=frozenset({2})))
    if unreadable:  # what was not read may use what is listed
        return 2
    return 1 if unused else 0


def configured_packages(folder: str) -> list[str]:
    """Return the packages that the project's Config/*.ini name: default maps, game modes, asset manager roots."""
    found: set[str] = set()
    for base in (folder, os.path.join(folder, os.pardir)):
        config = os.path.join(base, "Config")
        if not os.path.isdir(config):
            continue
        for place, _, names in os.walk(config):
            for name in names:
                if name.lower().endswith(".ini"):
                    text = read_file(os.path.join(place, name), largest=_LARGEST_INI)
                    encoding = "utf-16" if text[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8"
                    found.update(path.partition(".")[0] for path in _PATH.findall(text.decode(encoding, "replace")))
    return sorted(found)
