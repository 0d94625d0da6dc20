"""`assetdb unreal deps`: what a package needs, by kind, redirectors followed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from assetdb.cli.terminal import not_found, print_json, printable, table
from assetdb.cli.unreal.opening import (
    add_database_arguments,
    add_key_argument,
    add_kind_argument,
    containers,
    default_folder,
    dependency_json,
    dependency_rows,
    find_package,
    is_container,
    kind_bits,
    open_database,
    refuse_options,
)

if TYPE_CHECKING:
    import argparse

    from formats.unreal.database import AssetDatabase, Dependency


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `deps`."""
    add_query_arguments(parser)
    parser.add_argument("--deep", action="store_true", help="also what these need, and so on")
    parser.add_argument("--native", action="store_true", help="also modules of the engine (/Script/...)")


def add_query_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `deps` and `usages` share."""
    parser.add_argument("package", metavar="PACKAGE", help="a package's name (/Game/A/B), the end of it, or its file")
    parser.add_argument(
        "--in",
        dest="folder",
        metavar="PATH",
        help="folder to scan, or a container (the file's content folder, or .)",
    )
    add_kind_argument(parser)
    add_database_arguments(parser)
    add_key_argument(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print what a package needs; 1 if there is no such package."""
    folder = arguments.folder or default_folder(arguments.package)
    if is_container(folder):
        refuse_options(arguments, ("kind", "native", "cache", "assume_version"))
        code: int = containers().list_dependencies(
            folder, arguments.package, key=arguments.key, as_json=arguments.json, deep=arguments.deep
        )
        return code
    asked = find_asked(arguments, folder)
    if asked is None:
        return 1
    database, number = asked
    kinds = kind_bits(arguments)
    found = database.dependencies(number, kinds, native=arguments.native)
    if arguments.deep:
        found = _deep(database, number, found, kinds, native=arguments.native)
    print_found(database, number, "dependencies", found, as_json=arguments.json)
    return 0


def find_asked(arguments: argparse.Namespace, folder: str) -> tuple[AssetDatabase, int] | None:
    """Return the database of a folder and the number of the package asked for in it; None, and why is said."""
    database, problems = open_database(folder, arguments)
    for problem in problems:  # the answer may lack what could not be taken in
        print(f"assetdb: {printable(problem)}", file=sys.stderr)
    try:
        return database, find_package(database, arguments.package, folder)
    except LookupError as error:
        not_found(str(error.args[0]))
        return None


def _deep(
    database: AssetDatabase, number: int, found: list[Dependency], kinds: int, *, native: bool
) -> list[Dependency]:
    """Return all that a package needs at any distance; each with the kinds it was first found by."""
    own = database.columns.names[number]
    reached = {dependency.name: dependency for dependency in found}
    waiting = list(found)
    while waiting:
        for dependency in database.dependencies(database.number(waiting.pop().name), kinds, native=native):
            if dependency.name not in reached and dependency.name != own:
                reached[dependency.name] = dependency
                waiting.append(dependency)
    return sorted(reached.values())


def print_found(database: AssetDatabase, number: int, label: str, found: list[Dependency], *, as_json: bool) -> None:
    """Print one package's dependencies or usages."""
    if as_json:
        document = {"package": database.columns.names[number], label: dependency_json(found)}
        print_json(document)
    elif found:
        print(table(dependency_rows(found)))
