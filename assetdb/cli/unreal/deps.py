"""`assetdb unreal deps`: what a package needs, by kind, redirectors followed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from assetdb.cli.terminal import not_found, print_json, table
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
    if asked.number < 0:
        return asked.code
    database, number = asked.database, asked.number
    kinds = kind_bits(arguments)
    found = database.dependencies(number, kinds, native=arguments.native)
    if arguments.deep:
        found = _deep(database, number, found, kinds, native=arguments.native)
    print_found(database, number, "dependencies", found, as_json=arguments.json)
    return asked.code


class Asked(NamedTuple):
    """The package that was asked for; ``number`` is -1 where there is none, ``code`` what the command ends with."""

    database: AssetDatabase
    number: int
    code: int


def find_asked(arguments: argparse.Namespace, folder: str) -> Asked:
    """Scan a folder and find the package asked for in it; where there is none, why is said."""
    database, unreadable = open_database(folder, arguments)
    code = 2 if unreadable else 0  # the answer may lack what could not be read
    try:
        return Asked(database, find_package(database, arguments.package, folder), code)
    except LookupError as error:
        return Asked(database, -1, max(code, not_found(str(error.args[0]))))


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
