"""`assetdb unreal ls` and `find`: the packages of a folder or container, by name, class or problem."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assetdb.cli.terminal import not_found, print_json, printable, table
from assetdb.cli.unreal import packed
from assetdb.cli.unreal.options import (
    add_in_argument,
    add_json_argument,
    add_key_argument,
    add_scan_arguments,
    are_containers,
    assumed_version,
    refuse_options,
)
from assetdb.cli.unreal.reporting import no_packages, open_folder, progress_of
from formats.globs import name_matcher
from formats.unreal.locations import is_container
from formats.unreal.package_folder import damage, entries, mentioning, of_class

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from formats.unreal.database import AssetDatabase
    from formats.unreal.package_folder import PackageEntry, PackageFolder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command that ``parser`` is for: ls or find."""
    command = parser.prog.rsplit(" ", 1)[-1]
    if command == "find":
        parser.add_argument("pattern", metavar="PATTERN", help="text in a name, in any case; or with * ? [abc]")
        add_in_argument(parser, "a folder (.), a .utoc or a .pak; may be repeated")
    else:
        parser.add_argument("path", metavar="PATH", nargs="?", default=".", help="a folder (.), a .utoc or a .pak")
    parser.add_argument("--class", dest="class_name", metavar="CLASS", help="only this class, such as Texture2D")
    if command == "ls":
        parser.add_argument(
            "--classes", action="store_true", help="in containers, the class of each package too, which reads them all"
        )
        choice = parser.add_mutually_exclusive_group()
        choice.add_argument(
            "--damaged", action="store_true", help="packages that could not be read whole, with the reason"
        )
        choice.add_argument("--missing", action="store_true", help="packages that others need and that are not there")
        choice.add_argument("--cycles", action="store_true", help="groups of packages that need each other")
        choice.add_argument("--searchable", metavar="NAME", help="packages that mention a name, such as a gameplay tag")
    add_scan_arguments(parser)
    add_key_argument(parser)
    add_json_argument(parser)
    parser.set_defaults(list_command=command)


def run(arguments: argparse.Namespace) -> int:
    """List packages; 1 if there is none. A list of what is wrong is one of findings: 1 if there are any."""
    return _find(arguments) if arguments.list_command == "find" else _ls(arguments)


def _find(arguments: argparse.Namespace) -> int:
    paths: list[str] = arguments.where or ["."]
    matches = package_matcher(arguments.pattern)
    if are_containers(paths):
        refuse_options(arguments, ("cache", "assume_version"))
        return packed.list_packages(paths, arguments, matches=matches, pattern=arguments.pattern)
    folder, unreadable = open_folder(arguments, *paths, cache=arguments.cache)
    code = _found(folder.database, matches, arguments) if len(folder.database) else no_packages(", ".join(paths))
    return 2 if unreadable else code


def package_matcher(pattern: str) -> Callable[[str], bool]:
    """Return what says whether a name has a text in it, or is as a pattern with ``*``, ``?`` or ``[`` says."""
    wanted = pattern.lower()
    if not set("*?[") & set(wanted):
        return lambda name: wanted in name.lower()
    forms = [name_matcher(wanted), name_matcher(f"*/{wanted}")]
    return lambda name: any(matches(name.lower()) for matches in forms)


def _found(database: AssetDatabase, matches: Callable[[str], bool], arguments: argparse.Namespace) -> int:
    chosen = _of_class(database, arguments)
    found = [each for each in entries(database, chosen) if matches(each.name)]
    _print_entries(found, arguments)
    if found:
        return 0
    if arguments.class_name and not chosen:
        return _no_class(database, arguments.class_name)
    what = f" of class {arguments.class_name}" if arguments.class_name else ""
    leaves = {database.columns.names[number].rpartition("/")[2] for number in chosen}
    pattern: str = arguments.pattern
    return not_found(f"no package{what} is named like {pattern!r}", pattern.rpartition("/")[2], leaves)


def _ls(arguments: argparse.Namespace) -> int:
    path: str = arguments.path
    if is_container(path):
        refuse_options(arguments, ("damaged", "cycles", "searchable", "cache", "assume_version"))
        if arguments.missing:
            refuse_options(arguments, ("class_name", "classes"), "--missing in containers")
            return packed.list_missing([path], arguments)
        return packed.list_packages([path], arguments, classes=arguments.classes)
    folder, unreadable = open_folder(arguments, path, cache=arguments.cache)
    code = _list(folder, arguments) if len(folder.database) else no_packages(path)
    return 2 if unreadable else code


def _list(folder: PackageFolder, arguments: argparse.Namespace) -> int:
    database = folder.database
    if arguments.missing:
        return _missing(database, arguments)
    if arguments.cycles:
        groups = database.cycles()
        if arguments.json:
            print_json([{"cycle": group} for group in groups])
        else:
            for group in groups:
                print(" <-> ".join(map(printable, group)))
        return 1 if groups else 0
    return _packages(folder, arguments)


def _packages(folder: PackageFolder, arguments: argparse.Namespace) -> int:
    database = folder.database
    chosen = _of_class(database, arguments)
    if arguments.searchable:
        wanted = set(mentioning(database, arguments.searchable))
        chosen = [number for number in chosen if number in wanted]
    found = entries(database, chosen)
    if arguments.damaged:
        with progress_of("packages") as progress:
            wrong = damage(folder, chosen, assume=assumed_version(arguments), progress=progress)
        found = [
            each._replace(error=wrong[number]) for number, each in zip(chosen, found, strict=True) if number in wrong
        ]
    _print_entries(found, arguments, errors=arguments.damaged)
    if found:
        return 1 if arguments.damaged else 0
    if arguments.class_name and not _of_class(database, arguments):
        return _no_class(database, arguments.class_name)
    if arguments.damaged:
        return 0
    names = {name for mentioned in database.columns.searchable.values() for _, name in mentioned}
    what = f" of class {arguments.class_name}" if arguments.class_name else ""
    return not_found(f"no package{what} mentions {arguments.searchable}", arguments.searchable, names)


def _of_class(database: AssetDatabase, arguments: argparse.Namespace) -> list[int]:
    return of_class(database, arguments.class_name) if arguments.class_name else list(range(len(database)))


def _no_class(database: AssetDatabase, class_name: str) -> int:
    classes = set(filter(None, database.columns.classes))
    return not_found(f"there is no package of class {class_name}", class_name, classes)


def _print_entries(found: list[PackageEntry], arguments: argparse.Namespace, *, errors: bool = False) -> None:
    if arguments.json:
        print_json([_entry_json(each) for each in found])
    elif found:
        rows = [
            (each.name, each.class_name, f"{each.size:,}", each.error if errors else " ".join(each.kinds))
            for each in found
        ]
        print(table(rows, right=frozenset({2})))


def _entry_json(entry: PackageEntry) -> dict[str, Any]:
    return {
        "package": entry.name,
        "file": entry.file,
        "class": entry.class_name,
        "size": entry.size,
        "kinds": list(entry.kinds),
        **({"error": entry.error} if entry.error else {}),
    }


def _missing(database: AssetDatabase, arguments: argparse.Namespace) -> int:
    missing = database.missing()
    if arguments.json:
        print_json([{"package": name, "needed_by": who} for name, who in missing])
    else:
        for name, who in missing:
            print(printable(name))
            for package in who:
                print(f"  needed by {printable(package)}")
    return 1 if missing else 0
