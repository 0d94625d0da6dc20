"""`assetdb unreal`: one module a command, imported only when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.parsing import Parser, add_manners

if TYPE_CHECKING:
    import argparse

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "info": ("assetdb.cli.unreal.info", "Show what a package or container is and what is in it."),
    "ls": ("assetdb.cli.unreal.ls", "List the packages of a folder or container."),
    "find": ("assetdb.cli.unreal.ls", "Find packages by name and class."),
    "deps": ("assetdb.cli.unreal.deps", "List what a package needs."),
    "usages": ("assetdb.cli.unreal.deps", "List the packages that need a package."),
    "unused": ("assetdb.cli.unreal.unused", "List packages that nothing uses."),
    "tags": ("assetdb.cli.unreal.tags", "Print or search the asset registry tags of packages."),
    "parts": ("assetdb.cli.unreal.parts", "List what lies behind a package's exports and beside it, or write it."),
    "thumbs": ("assetdb.cli.unreal.thumbs", "List the thumbnails of packages, or write them into a folder."),
    "diff": ("assetdb.cli.unreal.diff", "Compare two packages, folders or containers."),
    "chunks": ("assetdb.cli.unreal.containers", "List the chunks of a .utoc or the files of a .pak."),
    "extract": ("assetdb.cli.unreal.containers", "Extract chunks or files into a folder."),
    "verify": ("assetdb.cli.unreal.containers", "Check hashes, lookups and tables of containers."),
}


class _LazyParser(Parser):
    """A sub-command's parser that imports its module when it is the one that is asked for."""

    module_name = ""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # noqa: ANN401 - argparse's own signature
        """Add the arguments of the module, then parse."""
        module = import_module(self.module_name)
        module.add_arguments(self)
        add_manners(self)
        self.set_defaults(run_unreal=module.run)
        return super().parse_known_args(args, namespace)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the sub-commands."""
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_LazyParser)
    for name, (module_name, summary) in COMMANDS.items():
        subparsers.add_parser(name, help=summary, description=summary, allow_abbrev=False).module_name = module_name


def run(arguments: argparse.Namespace) -> int:
    """Run the chosen sub-command."""
    code: int = arguments.run_unreal(arguments)
    return code
