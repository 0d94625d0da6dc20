"""`assetdb unreal ls`: the packages of a folder, by name, class or problem."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from assetdb.cli.terminal import Progress, not_found, print_json, printable, table
from assetdb.cli.unreal.opening import (
    add_database_arguments,
    add_key_argument,
    assumed_version,
    containers,
    is_container,
    no_packages,
    open_database,
    refuse_options,
)
from formats.unreal.records import COOKED, DAMAGED, EXTERNAL_ACTOR, MAP, REDIRECTOR, UNREADABLE

if TYPE_CHECKING:
    import argparse

    from formats.unreal.database import AssetDatabase

_WORDS = {
    MAP: "map",
    REDIRECTOR: "redirector",
    EXTERNAL_ACTOR: "external",
    COOKED: "cooked",
    DAMAGED: "damaged",
    UNREADABLE: "unreadable",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `ls`."""
    parser.add_argument("path", metavar="PATH", nargs="?", default=".", help="a folder (.), a .utoc or a .pak")
    parser.add_argument("--class", dest="class_name", metavar="CLASS", help="only this class, such as Texture2D")
    parser.add_argument(
        "--classes", action="store_true", help="in containers, the class of each package too, which reads them all"
    )
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--damaged", action="store_true", help="packages that could not be read whole, with the reason")
    choice.add_argument("--missing", action="store_true", help="packages that others need and that are not there")
    choice.add_argument("--cycles", action="store_true", help="groups of packages that need each other")
    choice.add_argument("--searchable", metavar="NAME", help="packages that mention a name, such as a gameplay tag")
    add_database_arguments(parser)
    add_key_argument(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """List packages; 1 if there is none. A list of what is wrong is one of findings: 1 if there are any."""
    if is_container(arguments.path):
        refuse_options(arguments, ("damaged", "cycles", "searchable", "cache", "assume_version"))
        code: int
        if arguments.missing:
            refuse_options(arguments, ("class_name", "classes"), "--missing in containers")
            code = containers().list_missing(arguments.path, key=arguments.key, as_json=arguments.json)
        else:
            code = containers().list_packages(
                arguments.path,
                key=arguments.key,
                as_json=arguments.json,
                class_name=arguments.class_name,
                classes=arguments.classes,
            )
        return code
    database, unreadable = open_database(arguments.path, arguments)
    code = _list(database, arguments) if len(database) else no_packages(arguments)
    return 2 if unreadable else code


def _list(database: AssetDatabase, arguments: argparse.Namespace) -> int:
    if arguments.missing:
        return _missing(database, as_json=arguments.json)
    if arguments.cycles:
        groups = database.cycles()
        if arguments.json:
            print_json([{"cycle": group} for group in groups])
        else:
            for group in groups:
                print(" <-> ".join(map(printable, group)))
        return 1 if groups else 0
    return _packages(database, arguments)


def _packages(database: AssetDatabase, arguments: argparse.Namespace) -> int:
    columns = database.columns
    chosen = list(range(len(database)))
    if arguments.class_name:
        wanted = arguments.class_name.lower()
        chosen = [number for number in chosen if columns.classes[number].lower() == wanted]
    errors = columns.errors
    if arguments.damaged:
        errors = _judge(database, chosen, arguments)
        chosen = [number for number in chosen if number in errors]
    if arguments.searchable:
        wanted = arguments.searchable.lower()
        chosen = [
            number for number in chosen if any(name.lower() == wanted for _, name in columns.searchable.get(number, ()))
        ]
    if arguments.json:
        document: list[dict[str, Any]] = [
            {
                "package": columns.names[number],
                "file": columns.files[number],
                "class": columns.classes[number],
                "size": columns.sizes[number],
                "kinds": _words(columns.flags[number]),
                **({"error": errors[number]} if number in errors else {}),
            }
            for number in chosen
        ]
        print_json(document)
    elif chosen:
        rows = [
            (
                columns.names[number],
                columns.classes[number],
                f"{columns.sizes[number]:,}",
                errors.get(number, "") if arguments.damaged else " ".join(_words(columns.flags[number])),
            )
            for number in chosen
        ]
        print(table(rows, right=frozenset({2})))
    if chosen:
        return 1 if arguments.damaged else 0
    return _none(database, arguments)


def _judge(database: AssetDatabase, chosen: list[int], arguments: argparse.Namespace) -> dict[int, str]:
    """Return what is wrong with packages, by their numbers: every table of each is read, as `info` does.

    A scan reads only what its database is made of, and would call a package sound whose thumbnails are not.
    """
    from formats.unreal.scan import judge_file  # noqa: PLC0415 - only where it is asked for

    columns = database.columns
    assume = assumed_version(arguments)
    progress = Progress("packages")
    found = {}
    for done, number in enumerate(chosen):
        progress(done, len(chosen))
        if columns.flags[number] & UNREADABLE:
            continue  # which was said
        error = judge_file(os.path.join(arguments.path, columns.files[number]), assume)
        if error:
            found[number] = error
    progress.close()
    return found


def _none(database: AssetDatabase, arguments: argparse.Namespace) -> int:
    """Say what there is none of."""
    columns = database.columns
    classes = set(filter(None, columns.classes))
    if arguments.class_name and arguments.class_name.lower() not in {name.lower() for name in classes}:
        return not_found(f"there is no package of class {arguments.class_name}", arguments.class_name, classes)
    if arguments.damaged:
        return 0
    names = {name for found in columns.searchable.values() for _, name in found}
    what = f" of class {arguments.class_name}" if arguments.class_name else ""
    return not_found(f"no package{what} mentions {arguments.searchable}", arguments.searchable, names)


def _words(flags: int) -> list[str]:
    return [word for bit, word in _WORDS.items() if flags & bit]


def _missing(database: AssetDatabase, *, as_json: bool) -> int:
    missing = database.missing()
    if as_json:
        print_json([{"package": name, "needed_by": who} for name, who in missing])
    else:
        for name, who in missing:
            print(printable(name))
            for package in who:
                print(f"  needed by {printable(package)}")
    return 1 if missing else 0
