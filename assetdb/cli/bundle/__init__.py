"""``assetdb bundle``: look into bundle files. What kind a file is, its first bytes say; each kind has a module here.

A kind's module has one function for each command, ``info(paths, arguments) -> exit code`` and so on; ``paths`` are the
files of that kind in the order they were given.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Final

from assetdb.cli.bundle.several import os_error
from assetdb.cli.parsing import add_manners
from assetdb.cli.terminal import fail, printable
from formats.casset.identity import SUFFIX
from formats.casset.read import is_casset
from formats.files import open_file
from formats.unityfs.archive import is_archive
from formats.unityfs.serialized import is_serialized_file

if TYPE_CHECKING:
    import argparse

_START: Final = 48  # bytes, enough to tell the kinds apart

_RETARGET: Final = """\
let references lead elsewhere: an object of this bundle, FILE, FILE#OBJECT or UUID@BUNDLE-UUID; TO may be none"""

_COMMANDS: Final = {
    "info": "Say what a bundle is: format, name, what it holds.",
    "ls": "List the objects of a bundle.",
    "deps": "List what a bundle refers to, and what of it is missing.",
    "usages": "List what refers to a bundle.",
    "get": "Print the values of one object.",
    "verify": "Check that a bundle is whole, and with --project its references.",
    "diff": "Compare two bundles, object by object and value by value. Exit code 1: they differ.",
    "extract": "Write the objects of a bundle to files.",
    "edit": "Change a .casset bundle: names, references, values. All other bytes stay.",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the commands of this command."""
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True, dest="bundle_command")
    for name, summary in _COMMANDS.items():
        command = subparsers.add_parser(name, help=summary, description=summary, allow_abbrev=False)
        match name:
            case "diff":
                command.add_argument("paths", nargs=2, metavar="FILE", help="the two bundles")
            case "get":
                command.add_argument("path", metavar="FILE", help="the bundle")
                command.add_argument("object", metavar="OBJECT", help="its path, name or id, as ls shows them")
            case "extract":
                command.add_argument("path", metavar="FILE", help="the bundle")
                command.add_argument("objects", nargs="*", metavar="OBJECT", help="path, name or id (default: all)")
                command.add_argument("--to", required=True, metavar="DIR", help="the folder to write to")
            case "edit":
                _add_edits(command)
            case "usages" | "verify":
                command.add_argument("paths", nargs="*", metavar="FILE", help="the bundles")
            case _:
                command.add_argument("paths", nargs="+", metavar="FILE", help="the bundles")
        if name in ("deps", "usages", "verify"):
            command.add_argument("--project", metavar="DIR", help="the project (default: the one around the file)")
            command.add_argument("--engine", default="", metavar="DIR", help="the engine's folder, with its own assets")
        if name in ("deps", "usages"):
            command.add_argument("--object", metavar="OBJECT", help="of one object alone (Unity's bundles)")
        if name == "usages":
            command.add_argument("--unused", action="store_true", help="list the bundles that no other refers to")
        command.add_argument("--json", action="store_true", help="print JSON, one line for each file")
        add_manners(command)


def _add_edits(command: argparse.ArgumentParser) -> None:
    command.add_argument("path", metavar="FILE", help="the bundle")
    for option, names, help_text in (
        ("--rename", ("OBJECT", "NAME"), "give an object another name; paths of what is in it follow"),
        ("--retarget", ("FROM", "TO"), _RETARGET),
        ("--set", ("OBJECT", "FIELD", "VALUE"), "change a value (JSON; @FILE for a blob) at a path such as tint[1]"),
    ):  # fmt: skip
        command.add_argument(option, nargs=len(names), metavar=names, action="append", default=[], help=help_text)
    command.add_argument("-o", "--output", metavar="FILE", help="the file to write")
    command.add_argument("--in-place", action="store_true", help="replace the file itself")


def run(arguments: argparse.Namespace) -> int:
    """Run one of the commands on files of any kinds; the exit code is the worst of theirs."""
    command: str = arguments.bundle_command
    paths: list[str] = arguments.paths if "paths" in arguments else [arguments.path]
    project: str | None = getattr(arguments, "project", None)
    if project and not os.path.isdir(project):
        return fail(f"{printable(project)}: there is no such folder")
    if not paths:
        if not project:
            return fail(f"bundle {command}: name files, or a project with --project DIR")
        return _of_project(command, project, arguments)
    code = 0
    kinds: dict[str, list[str]] = {}
    for path in paths:
        try:
            kind = kind_of(path)
        except OSError as error:
            code = fail(printable(os_error(path, error)))
            continue
        if kind is None:
            code = fail(f"{printable(path)}: neither a .casset bundle nor one of Unity's")
        else:
            kinds.setdefault(kind, []).append(path)
    if command == "diff" and (code or len(kinds) > 1):
        return code or fail(printable(f"{paths[0]} and {paths[1]} are bundles of different kinds"))
    if "casset" in kinds and getattr(arguments, "object", None) and command in ("deps", "usages"):
        first = printable(kinds["casset"][0])
        return fail(f"{first}: --object is for Unity's bundles; a .casset bundle is asked as a whole")
    for kind, files in kinds.items():
        code = max(code, _call(kind, command, files, arguments))
    return code


def _of_project(command: str, project: str, arguments: argparse.Namespace) -> int:
    """Ask all bundles of a folder, of each kind that it has; a folder with none is no clean project."""
    if command == "usages" and not arguments.unused:
        return fail("bundle usages: name files, or --unused for all that nothing refers to")
    has_casset = False
    unread = 0
    unitys: list[str] = []
    for parent, _, names in os.walk(project):
        for name in names:
            path = os.path.join(parent, name)
            if name.endswith(SUFFIX):
                has_casset = True
            elif os.path.isfile(path):
                try:
                    if _is_archive_file(path):
                        unitys.append(path)
                except OSError as error:  # not ours to read: what is in it is not known
                    unread = fail(printable(os_error(path, error)))
    if not has_casset and not unitys:
        return unread or fail(f"{printable(project)}: holds no bundle")
    code = max(unread, _call("casset", command, [], arguments) if has_casset else 0)
    return max(code, _call("unityfs", command, sorted(unitys), arguments)) if unitys else code


def _is_archive_file(path: str) -> bool:
    with open_file(path) as file:
        return is_archive(file.read(_START))


def kind_of(path: str) -> str | None:
    """Return the name of the module for the bundle in a file, or None if it is none."""
    with open_file(path) as file:
        start = file.read(_START)
    if is_casset(start):
        return "casset"
    return "unityfs" if is_archive(start) or is_serialized_file(start, os.path.getsize(path)) else None


def _call(kind: str, command: str, paths: list[str], arguments: argparse.Namespace) -> int:
    code: int = getattr(import_module(f"assetdb.cli.bundle.{kind}"), command)(paths, arguments)
    return code
