"""`assetdb unreal unused`: packages that nothing uses, and what the project's configuration keeps alive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.cli.terminal import fail, print_json, table
from assetdb.cli.unreal.options import add_json_argument, add_scan_arguments, refuse_container
from assetdb.cli.unreal.reporting import no_packages, open_folder
from formats.unreal.configuration import configured_packages
from formats.unreal.errors import PackageNotFoundError
from formats.unreal.package_folder import entries, find_package

if TYPE_CHECKING:
    import argparse


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
    add_scan_arguments(parser)
    add_json_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print unused packages; 1 if there are any."""
    path: str = arguments.path
    refuse_container(path)
    folder, unreadable = open_folder(arguments, path, cache=arguments.cache)
    database = folder.database
    if not len(database):
        return max(2 * unreadable, no_packages(path))
    roots = []
    for name in arguments.keep:
        try:
            roots.append(find_package(folder, name))
        except PackageNotFoundError as error:
            return fail(f"--keep: {error.what}")
    if not arguments.no_config:
        roots += [number for number in map(database.number, configured_packages(path)) if number >= 0]
    unused = entries(database, database.unused(roots, reachable=arguments.reachable))
    if arguments.json:
        print_json([{"package": each.name, "class": each.class_name, "size": each.size} for each in unused])
    elif unused:
        print(table([(each.name, each.class_name, f"{each.size:,}") for each in unused], right=frozenset({2})))
    if unreadable:  # what was not read may use what is listed
        return 2
    return 1 if unused else 0
