"""`assetdb unreal deps` and `usages`: what a package needs and who needs it, by kind, redirectors followed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assetdb.cli.terminal import not_found, print_json, table
from assetdb.cli.unreal import packed
from assetdb.cli.unreal.options import (
    add_in_argument,
    add_json_argument,
    add_key_argument,
    add_kind_argument,
    add_scan_arguments,
    are_containers,
    default_folder,
    kind_bits,
    refuse_options,
)
from assetdb.cli.unreal.reporting import open_folder
from formats.unreal.errors import PackageNotFoundError
from formats.unreal.package_folder import all_dependencies, find_package

if TYPE_CHECKING:
    import argparse

    from formats.unreal.database import AssetDatabase, Dependency


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command that ``parser`` is for: deps or usages."""
    command = parser.prog.rsplit(" ", 1)[-1]
    parser.add_argument("package", metavar="PACKAGE", help="a package's name (/Game/A/B), the end of it, or its file")
    add_in_argument(parser, "folder to scan, or a container (the file's content folder, or .); may be repeated")
    if command == "deps":
        parser.add_argument("--deep", action="store_true", help="also what these need, and so on")
        parser.add_argument("--native", action="store_true", help="also modules of the engine (/Script/...)")
    add_kind_argument(parser)
    add_scan_arguments(parser)
    add_key_argument(parser)
    add_json_argument(parser)
    parser.set_defaults(dependency_command=command)


def run(arguments: argparse.Namespace) -> int:
    """Print what a package needs, or who needs it; 1 if there is no such package, or nobody needs it."""
    name: str = arguments.package
    paths: list[str] = arguments.where or [default_folder(name)]
    usages = arguments.dependency_command == "usages"
    if are_containers(paths):
        refuse_options(arguments, ("kind", "native", "cache", "assume_version"))
        return (packed.list_usages if usages else packed.list_dependencies)(paths, name, arguments)
    folder, unreadable = open_folder(arguments, *paths, cache=arguments.cache)
    try:
        number = find_package(folder, name)
    except PackageNotFoundError as error:
        code = not_found(error.what)
    else:
        code = (_usages if usages else _dependencies)(folder.database, number, arguments)
    return 2 if unreadable else code  # the answer may lack what could not be read


def _dependencies(database: AssetDatabase, number: int, arguments: argparse.Namespace) -> int:
    kinds = kind_bits(arguments)
    if arguments.deep:
        found = all_dependencies(database, number, kinds, native=arguments.native)
    else:
        found = database.dependencies(number, kinds, native=arguments.native)
    _print(database.columns.names[number], "dependencies", found, arguments)
    return 0


def _usages(database: AssetDatabase, number: int, arguments: argparse.Namespace) -> int:
    found = database.referencers(number, kind_bits(arguments))
    _print(database.columns.names[number], "usages", found, arguments)
    if found:
        return 0
    kinds = f" by {' or '.join(arguments.kind)}" if arguments.kind else ""
    return not_found(f"no package here needs {database.columns.names[number]}{kinds}")


def _print(package: str, label: str, found: list[Dependency], arguments: argparse.Namespace) -> None:
    if arguments.json:
        print_json({"package": package, label: [_dependency_json(each) for each in found]})
    elif found:
        print(table([(each.name, ", ".join(each.words), _remark(each)) for each in found]))


def _remark(dependency: Dependency) -> str:
    via = [f"via {dependency.via}"] if dependency.via else []
    return ", ".join(via + ["not here"] * (not dependency.present))


def _dependency_json(dependency: Dependency) -> dict[str, Any]:
    return {
        "package": dependency.name,
        "kinds": dependency.words,
        "present": dependency.present,
        **({"via": dependency.via} if dependency.via else {}),
    }
