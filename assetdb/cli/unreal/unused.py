"""``assetdb unreal unused``: packages without a user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.cli.terminal import fail, print_json, table
from assetdb.cli.unreal.options import Scanning, refuse_container
from assetdb.cli.unreal.reporting import no_packages, open_folder, unpacking
from assetdb_formats.unreal.errors import PackageNotFoundError
from assetdb_formats.unreal.files.configuration import configured_packages
from assetdb_formats.unreal.scanning.package_folder import entries, find_package

if TYPE_CHECKING:
    from assetdb.cli.options import Annotated, Argument, Option


class Keeping(Scanning):
    """The options of `unused`."""

    reachable: Annotated[
        bool,
        Option(
            "--reachable",
            help="Also packages that only unused ones use: everything unreachable from maps and kept packages.",
        ),
    ] = False
    keep: Annotated[
        list[str] | None,
        Option("--keep", metavar="PACKAGE", help="A package that is used; may be given several times."),
    ] = None
    no_config: Annotated[bool, Option("--no-config", help="Do not keep what Config/*.ini names.")] = False


@unpacking("path")
def unused(
    options: Keeping,
    path: Annotated[str, Argument(metavar="FOLDER", help="A project or a Content folder (.).")] = ".",
) -> int:
    """Print unused packages; 1 if there are any."""
    refuse_container(path)
    folder, unreadable = open_folder(options, path, cache=options.cache)
    database = folder.database
    if not len(database):
        return max(2 * unreadable, no_packages(path))
    roots = []
    for name in options.keep or ():
        try:
            roots.append(find_package(folder, name))
        except PackageNotFoundError as error:
            return fail(f"--keep: {error.what}")
    if not options.no_config:
        roots += [number for number in map(database.number, configured_packages(path)) if number >= 0]
    found = entries(database, database.unused(roots, reachable=options.reachable))
    if options.json:
        print_json([{"package": each.name, "class": each.class_name, "size": each.size} for each in found])
    elif found:
        print(table([(each.name, each.class_name, f"{each.size:,}") for each in found], right=frozenset({2})))
    if unreadable:  # unread files may use listed ones
        return 2
    return 1 if found else 0
