"""The typer application, made from registry and words of commands.

Nothing runs here: reading a command line gives a :class:`~assetdb.cli.plain.Line`, as the reader of plain words does,
or the exit code if there is nothing to run (help, the version, a mistake). Modules of commands are imported only when
they are needed; a list of commands needs the registry alone.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
from typing import TYPE_CHECKING, Any

import typer
from typer import completion
from typer.core import TyperCommand, TyperGroup

from assetdb.cli.commands import COMMANDS, find_command
from assetdb.cli.plain import BEFORE, VERSION, Line, Option, is_argument
from assetdb.cli.reading import powershell
from assetdb.cli.reading.declaration import words_of
from assetdb.cli.reading.misuse import explain, not_a_choice, unknown_command
from assetdb.cli.reading.parameters import ARGUMENT, COMPLETE, PROGRAM, OptionParameter, parameter_of
from assetdb.cli.terminal import fail
from assetdb.version import described_version

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from assetdb.cli.commands import Command

_WIDEST: Final = 100
"""Columns of a help text: longer lines are hard to read."""
_SUMMARY: Final = (
    "Tells you what every GUID and fileID of a Unity project is, without the Unity editor. Also reads builds, bundles,"
    " Addressables catalogs and Unreal packages."
)
_EPILOG: Final = "Run assetdb help COMMAND for details. The options above may come before or after the command."
_SHELLS: Final = ("bash", "zsh", "fish", "powershell", "pwsh")
_HELP: Final = Option("--help", "-h", help="Show this message and exit.")
_INSTALL: Final = Option("--install-completion", help="Install completion for the current shell, or the one named.")
_SHOW: Final = Option(
    "--show-completion",
    help="Show completion for the current shell, or the one named, to copy it or customize the installation.",
)


def read(words: Sequence[str]) -> Line | int:
    """Return a command line, or the exit code of help and mistakes."""
    words = list(words)
    if words[:1] == ["help"] and not any(word.startswith("-") for word in words):
        words = ["help", "--help"] if words == ["help", "help"] else [*words[1:], "--help"]
    if len(words) > 1 and words[0] in (*_INSTALL.words, *_SHOW.words):
        return _complete_in(words[0], words[1:])
    try:
        found = application().main(words, prog_name=PROGRAM, standalone_mode=False)
    except typer.TyperException as error:
        return fail(explain(error))
    return found if isinstance(found, Line) else int(found)


def _complete_in(option: str, words: Sequence[str]) -> int:
    """Install or show the completion of the shell that is named."""
    if words[0] not in _SHELLS:
        return fail(not_a_choice(option, words[0], _SHELLS))
    if len(words) > 1:
        return fail(f"{option}: unexpected argument {words[1]!r}")
    callback = completion.show_callback if option in _SHOW.words else completion.install_callback
    try:
        with typer.Context(application(), info_name=PROGRAM) as context:
            callback(context, OptionParameter(_INSTALL), words[0])
    except SystemExit as done:  # both callbacks end so
        return int(done.code or 0)
    return 0


def application() -> TyperGroup:
    """Return the whole application; its commands are not imported yet."""
    if COMPLETE in os.environ:
        completion.get_completion_inspect_parameters()  # registers the shells that typer can complete in
        if os.environ[COMPLETE] in powershell.SHELLS:
            powershell.prepare(os.environ)
            if type(sys.stdout) is io.TextIOWrapper:
                sys.stdout.reconfigure(encoding=powershell.encoding())
    group = _Group((), COMMANDS, _SUMMARY, epilog=_EPILOG)
    group.params[-1:-1] = [
        OptionParameter(_INSTALL, callback=completion.install_callback),
        OptionParameter(_SHOW, callback=completion.show_callback),
    ]
    return group


def declared_command(path: tuple[str, ...]) -> TyperCommand:
    """Return one command with its options and arguments."""
    return _Leaf(find_command(path), path)


def _settings() -> dict[str, Any]:
    """Return a command's settings: columns, and panels or plain text."""
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    settings: dict[str, Any] = {"context_settings": {"terminal_width": max(width, 20)}, "add_help_option": False}
    if not sys.stdout.isatty() or "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb":
        return {**settings, "rich_markup_mode": None}
    from typer import rich_utils  # noqa: PLC0415 - 60 ms, where panels are drawn

    rich_utils.MAX_WIDTH = width
    return {**settings, "rich_markup_mode": "rich"}


def _show_help(ctx: Any, _: OptionParameter, wanted: bool) -> None:  # noqa: ANN401, FBT001 - typer's own signature
    if wanted and not ctx.resilient_parsing:
        print(ctx.get_help())
        ctx.exit()


def _show_version(ctx: Any, _: OptionParameter, wanted: bool) -> None:  # noqa: ANN401, FBT001 - typer's own signature
    if wanted and not ctx.resilient_parsing:
        print(described_version())
        ctx.exit()


def _parameters(words: Sequence[Option], *, markup: bool, hidden: bool = False) -> list[Any]:
    """Return options as typer's parameters, and the option for help."""
    found: list[Any] = []
    for word in words:
        if word.words == VERSION.words:
            found.append(OptionParameter(VERSION, callback=_show_version, hidden=hidden))
        elif hidden:
            found.append(OptionParameter(word, hidden=True))
        else:
            found.append(parameter_of(word, markup=markup))
    return [*found, OptionParameter(_HELP, callback=_show_help)]


class _Leaf(TyperCommand):
    """One command."""

    def __init__(self, row: Command, path: tuple[str, ...]) -> None:
        settings = _settings()
        markup = settings["rich_markup_mode"] == "rich"
        super().__init__(row.name, help=row.summary, params=_parameters(words_of(row, path), markup=markup), **settings)
        self._path = path

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - typer's own signature
        """Read the command's words; some arguments look like options."""
        words = [ARGUMENT + word if word[:1] == "-" and is_argument(word) else word for word in args]
        try:
            return super().parse_args(ctx, words)
        except typer.TyperException as error:
            if getattr(error, "ctx", ctx) is None:  # an option without its value
                error.ctx = ctx  # type: ignore[attr-defined]  # all other mistakes have it
            raise

    def invoke(self, ctx: Any) -> Line:  # noqa: ANN401 - typer's own signature
        """Return the command line, with the values that were given."""
        return Line(self._path, {name: value for name, value in ctx.params.items() if _was_given(ctx, name)})


class _Group(TyperGroup):
    """Commands listed by their rows, imported when needed."""

    def __init__(
        self, path: tuple[str, ...], rows: tuple[Command, ...], summary: str, epilog: str | None = None
    ) -> None:
        settings = _settings()
        # A family of commands takes the global options, too, but only its commands list them.
        params = _parameters(BEFORE, markup=settings["rich_markup_mode"] == "rich", hidden=bool(path))
        super().__init__(name=(path or ("",))[-1], help=summary, epilog=epilog, params=params, **settings)
        self._path = path
        self._rows = {row.name: row for row in rows}

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - typer's own signature
        """Read the words before the command; without any, show help."""
        if not args and not ctx.resilient_parsing:
            print(ctx.get_help())
            ctx.exit(2)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002 - typer's own signature
        """Return the names of the commands."""
        return [row.name for row in self._rows.values() if not row.hidden]

    def get_command(self, ctx: Any, cmd_name: str) -> TyperCommand | None:  # noqa: ANN401, ARG002 - typer's own signature
        """Return the row of a command, for a list."""
        row = self._rows.get(cmd_name)
        if row is None:
            return None
        return TyperCommand(row.name, help=row.summary, short_help=row.summary, rich_help_panel=row.group or None)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:  # noqa: ANN401 - typer's
        """Return the named command, and the words behind its name."""
        name = args[0]
        row = self._rows.get(name)
        if row is None:
            if not ctx.resilient_parsing:
                ctx.fail(unknown_command(name, self._path, list(self._rows)))
            return None, None, args[1:]
        path = (*self._path, name)
        command = _Group(path, row.rows(), row.summary) if row.family else _Leaf(row, path)
        return name, command, [*self._given(ctx), *args[1:]]

    def _given(self, ctx: Any) -> list[str]:  # noqa: ANN401 - typer's own signature
        """Return the options before the command, to be read behind it."""
        given = [(param.opts[0], ctx.params[param.name]) for param in self.params if _was_given(ctx, param.name)]
        return [word for option, value in given for word in ([option] if value is True else [option, str(value)])]

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - typer's own signature
        """List the commands under the headings of their groups."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            row = self._rows[name]
            groups.setdefault(row.group or "Commands", []).append((name, row.summary))
        for title, rows in groups.items():
            with formatter.section(title):
                formatter.write_dl(rows)


def _was_given(ctx: Any, name: str) -> bool:  # noqa: ANN401 - typer's own class
    source = ctx.get_parameter_source(name)
    return name in ctx.params and source is not None and source.name == "COMMANDLINE"
