"""`assetdb unreal`: one module a command, imported only when it is asked for."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import argparse

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "chunks": ("assetdb.cli.unreal.containers", "List the chunks of a .utoc or the files of a .pak."),
    "extract": ("assetdb.cli.unreal.containers", "Extract chunks or files into a folder."),
    "verify": ("assetdb.cli.unreal.containers", "Check hashes, lookups and tables of containers."),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the sub-commands; only the one that is asked for imports its module."""
    from importlib import import_module  # noqa: PLC0415 - one command never pays for another

    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    chosen = words[1] if len(words) > 1 else ""
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, (module_name, summary) in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=summary, description=summary, allow_abbrev=False)
        if name == chosen:
            module = import_module(module_name)
            module.add_arguments(subparser)
            subparser.set_defaults(run_unreal=module.run)


def run(arguments: argparse.Namespace) -> int:
    """Run the chosen sub-command."""
    code: int = arguments.run_unreal(arguments)
    return code
