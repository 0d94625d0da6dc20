"""Command lines of clients, run in the daemon: the same code as in a process of its own, on the project it has open."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from assetdb.cli.commands import COMMANDS
from assetdb.cli.parsing import Parser
from assetdb.cli.quick import COMMANDS as QUICK
from assetdb.cli.quick import read_words
from assetdb.daemon.client import SERVED
from assetdb.errors import AssetdbError
from formats.binary import FormatError

if TYPE_CHECKING:
    import argparse

    from assetdb.cli.quick import Words
    from assetdb.query.snapshot import Opened

_BROKEN = 2  # the exit code for usage and broken input
_parsers: dict[str, Parser] = {}


def run(words: list[str], cwd: str, project: Opened) -> int | None:
    """Run a command line and return its exit code, or None where the files' own command has to say what is wrong."""
    command = words[0] if words else ""
    if command not in SERVED:
        return None
    module = import_module(COMMANDS[command][0])
    arguments: argparse.Namespace | Words | None = read_words(words[1:], command) if command in QUICK else None
    if arguments is None:
        arguments = _parsed(command, words[1:])
    if arguments is None:
        return None
    arguments.opened, arguments.cwd = project, cwd
    try:
        code = int(module.run(arguments))
    except (AssetdbError, FormatError, OSError):
        return None
    return code if code < _BROKEN else None


def _parsed(command: str, words: list[str]) -> argparse.Namespace | None:
    parser = _parsers.get(command)
    if parser is None:
        parser = _parsers[command] = Parser(prog=f"assetdb {command}", allow_abbrev=False)
        import_module(COMMANDS[command][0]).add_arguments(parser)
    try:
        return parser.parse_args(words)
    except SystemExit:
        return None
