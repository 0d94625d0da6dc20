"""`assetdb unreal diff`: what is different between two packages, two folders or two containers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from assetdb.cli.terminal import print_json, printable
from assetdb.cli.unreal import packed
from assetdb.cli.unreal.facts import as_json
from assetdb.cli.unreal.options import (
    add_json_argument,
    add_key_argument,
    add_scan_arguments,
    assumed_version,
    refuse_options,
)
from assetdb.cli.unreal.reporting import open_folder
from assetdb.errors import UsageError
from formats.binary import FormatError
from formats.unreal.comparison import compare_databases, compare_tables, package_tables
from formats.unreal.locations import is_container
from formats.unreal.opening import open_package

if TYPE_CHECKING:
    import argparse

    from formats.unreal.comparison import Changes, Tables


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `diff`."""
    parser.add_argument("old", metavar="OLD", help="a package, a folder or a container")
    parser.add_argument("new", metavar="NEW", help="the same kind of thing")
    add_scan_arguments(parser)
    add_key_argument(parser)
    add_json_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print differences; 1 if there are any."""
    old, new = arguments.old, arguments.new
    if is_container(old) != is_container(new) or os.path.isdir(old) != os.path.isdir(new):
        raise UsageError(f"{old} and {new} are not the same kind of thing")
    if is_container(old):
        refuse_options(arguments, ("cache", "assume_version"))
        if not os.path.isdir(old) and old.lower().endswith(".pak") != new.lower().endswith(".pak"):
            raise UsageError(f"{old} and {new} name what is in them in different ways, and cannot be compared")
        return packed.difference(old, new, arguments)
    unreadable = False
    if os.path.isdir(old):
        folders = [open_folder(arguments, path) for path in (old, new)]  # one cache cannot be that of two
        unreadable = any(missing for _, missing in folders)
        found = compare_databases(folders[0][0].database, folders[1][0].database)
    else:
        found = compare_tables(_tables(old, arguments), _tables(new, arguments))
    _print(found, arguments)
    if unreadable:
        return 2
    return 1 if found else 0


def _tables(path: str, arguments: argparse.Namespace) -> Tables:
    """Return what is compared of a package; what is damaged is said with its file."""
    try:
        return package_tables(open_package(path, assumed_version(arguments)).package)
    except FormatError as error:
        raise (error if error.path else error.at(path)) from None


def _print(found: dict[str, Changes], arguments: argparse.Namespace) -> None:
    if arguments.json:
        print_json(as_json(found))
        return
    for name, changes in found.items():
        print(name)
        for sign, texts in (("-", changes.removed), ("+", changes.added), ("~", changes.changed)):
            for text in texts:
                print(f"  {sign} {printable(text)}")
