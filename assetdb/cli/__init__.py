"""The command line: parse arguments, call, render. Nothing here decides anything about assets.

Every command is a module of this folder with two functions, and a third where argparse takes too long::

    def add_arguments(parser: argparse.ArgumentParser) -> None
    def run(arguments: argparse.Namespace) -> int        # the exit code
    def plain_arguments(words: list[str]) -> object | None  # the arguments, or None where argparse should read them

It is imported only when it is the command that was asked for, so that one command never pays for another.
Exit codes: 0 found / clean, 1 not found / findings, 2 usage or broken input.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # typing takes 9 ms to import

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from typing import Final

_ASKED: Final = ("name", "guid", "path", "find", "deps", "usages", "annotate", "coverage", "unused")
"""Commands that a daemon runs or helps, as ``assetdb.daemon.client`` has them."""
_BROKEN: Final = 2
_WITH_VALUE: Final = ("--project", "--out-dir")
_WITHOUT_VALUE: Final = ("-q", "--quiet", "-v", "--verbose", "--json")


def main(argv: list[str] | None = None) -> int:
    """Run one command line and return its exit code."""
    words = sys.argv[1:] if argv is None else argv
    if words and (words[0] == "help" or words[0].startswith("-")):
        words = _arranged(words)
    prepare_streams()
    try:
        code = _asked(words)
        if code is not None and argv is None:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)  # nothing is left to do, and taking an interpreter apart takes 1.5 ms, as long as the answer
        if code is None:
            code = _on_files(words)
        sys.stdout.flush()
    except BrokenPipeError:  # `assetdb dump | head`: the reader has had enough
        _write_nowhere()
        return 0
    except OSError as error:  # what is left could not be written: the disk is full
        _write_nowhere()
        return failure(error) or _BROKEN
    except KeyboardInterrupt:
        return 130
    return code


def _arranged(words: list[str]) -> list[str]:
    """Return a command line with the options before the command behind it, and ``help CMD`` as ``CMD --help``."""
    if words[0] == "help":
        return [*words[1:], "--help"]
    options: list[str] = []
    rest = list(words)
    while rest and rest[0].startswith("-"):
        if rest[0] in ("-V", "--version"):
            return ["--version"]
        if rest[0] in _WITH_VALUE and len(rest) > 1:
            options.append(rest.pop(0))
        elif rest[0] not in _WITHOUT_VALUE and not rest[0].startswith(tuple(f"{name}=" for name in _WITH_VALUE)):
            return words
        options.append(rest.pop(0))
    return [rest[0], *options, *rest[1:]] if rest else words


def prepare_streams() -> None:
    """Let every text be written: what stdout's encoding lacks as an escape, and nowhere where a stream is closed."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # `assetdb find X >&-`; in this order, so that each gets its own descriptor
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - for the rest of the process
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None and sys.stdout.errors in ("strict", "surrogateescape"):
        reconfigure(errors="backslashreplace")


def _write_nowhere() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _asked(words: list[str]) -> int | None:
    """Have the project's daemon run a command; None where there is none, or it is not for the daemon."""
    if not words or words[0] not in _ASKED:
        return None
    from assetdb.daemon.client import ask  # noqa: PLC0415 - the other commands have nothing to ask a daemon

    return ask(words, _on_files, lambda words: _on_files(words, synced=True))


def _on_files(words: list[str], *, synced: bool = False) -> int:
    """Run a command in this process; ``synced`` says that a daemon has just brought the files up to date."""
    if words and words[0] in ("name", "usages", "deps"):
        from assetdb.cli.quick import answer  # noqa: PLC0415 - the others go through the parser

        code = answer(words[0], words[1:])
        if code is not None:
            return code
    from importlib import import_module  # noqa: PLC0415 - the daemon's client answers without it

    from assetdb.cli.commands import COMMANDS  # noqa: PLC0415 - the same
    from assetdb.cli.terminal import fail  # noqa: PLC0415 - the same

    chosen = next((word for word in words if not word.startswith("-")), "")
    if chosen in COMMANDS and words[0] == chosen:  # the common case makes one parser, not one for each command
        module_name, summary = COMMANDS[chosen]
        module = import_module(module_name)
        run = module.run
        arguments = module.plain_arguments(words[1:]) if hasattr(module, "plain_arguments") else None
        if arguments is None:
            from assetdb.cli.parsing import Parser  # noqa: PLC0415 - 8 ms with argparse

            parser = Parser(prog=f"assetdb {chosen}", description=summary, allow_abbrev=False)
            module.add_arguments(parser)
            arguments = parser.parse_args(words[1:])
    elif chosen and chosen not in COMMANDS and words[0] == chosen:
        from difflib import get_close_matches  # noqa: PLC0415 - only on this error

        close = get_close_matches(chosen, COMMANDS, n=1)
        return fail(f"there is no command {chosen!r}" + (f"; did you mean {close[0]!r}?" if close else ""))
    else:
        _overview(COMMANDS).parse_args(words)  # prints help or the version, or says what is missing
        return 2
    if synced:
        arguments.synced = True
    try:
        return int(run(arguments))
    except Exception as error:
        code = failure(error)
        if code is None:
            raise
        return code


def failure(error: Exception) -> int | None:
    """Say what an error means and return the exit code, or None for one that is not for the user."""
    from assetdb.cli.terminal import fail  # noqa: PLC0415 - only when something is wrong
    from assetdb.errors import AssetdbError  # noqa: PLC0415 - the same
    from formats.binary import FormatError  # noqa: PLC0415 - the same

    if isinstance(error, (AssetdbError, FormatError)):
        return fail(str(error))
    if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
        return fail(f"{error.filename or 'input/output'}: {error.strerror or error}")
    return None


def _overview(commands: dict[str, tuple[str, str]]) -> ArgumentParser:
    from assetdb.cli.parsing import Parser  # noqa: PLC0415 - most commands know their words without it

    parser: ArgumentParser = Parser(
        prog="assetdb",
        description="Says what every GUID and fileID of a Unity project is, without the Unity editor, and reads what"
        " was built from it and what lies beside it.",
        epilog="assetdb help COMMAND says more; --project DIR, --out-dir DIR, -q and -v may stand before the command.",
        allow_abbrev=False,
    )
    parser.add_argument("-V", "--version", action="version", version=_version())
    parser.add_argument(
        "--project", metavar="DIR", help="the Unity project (default: here, or the nearest folder above)"
    )
    parser.add_argument("--out-dir", metavar="DIR", help="where its database is (default: Library/assetdb)")
    parser.add_argument("-q", "--quiet", action="store_true", help="print answers and errors only")
    parser.add_argument("-v", "--verbose", action="store_true", help="print all that is otherwise shown three times")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, (_, summary) in commands.items():
        subparsers.add_parser(name, help=summary, add_help=False)
    return parser


def _version() -> str:
    from assetdb.version import VERSION  # noqa: PLC0415 - only for --version

    return f"assetdb {VERSION}"
