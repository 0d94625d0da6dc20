"""`assetdb unreal usages`: who needs a package, through redirectors too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.cli.terminal import not_found
from assetdb.cli.unreal.deps import add_query_arguments, find_asked, print_found
from assetdb.cli.unreal.opening import (
    containers,
    default_folder,
    is_container,
    kind_bits,
    refuse_options,
)

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `usages`."""
    add_query_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print who needs a package; 1 if nobody does or there is no such package."""
    folder = arguments.folder or default_folder(arguments.package)
    if is_container(folder):
        refuse_options(arguments, ("kind", "cache", "assume_version"))
        code: int = containers().list_usages(folder, arguments.package, key=arguments.key, as_json=arguments.json)
        return code
    asked = find_asked(arguments, folder)
    if asked.number < 0:
        return asked.code
    database, number = asked.database, asked.number
    found = database.referencers(number, kind_bits(arguments))
    print_found(database, number, "usages", found, as_json=arguments.json)
    if found or asked.code:
        return asked.code
    kinds = f" by {' or '.join(arguments.kind)}" if arguments.kind else ""
    return not_found(f"no package here needs {database.columns.names[number]}{kinds}")
