"""The typer application, made from the registry and the commands' functions.

Nothing runs here: reading a command line gives a :class:`~assetdb.cli.plain.Line`, the same that the reader of plain
words gives, or the exit code where all was said (help, the version, a mistake). Modules of commands are imported only
when they are asked for; a list of commands needs the registry alone.
"""

from __future__ import annotations

import inspect
import os
import re
import shutil
import sys
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption
from typer.main import get_command

from assetdb.cli import arguments
from assetdb.cli import options as shared
from assetdb.cli.commands import COMMANDS, find_command
from assetdb.cli.misuse import explain, not_a_choice, not_a_number, read_number, unknown_command
from assetdb.cli.plain import Line, is_argument
from assetdb.cli.terminal import fail

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Final

    from typer._click import Command as AnyCommand
    from typer._click import Context, Parameter
    from typer._click.shell_completion import CompletionItem

    from assetdb.cli.commands import Command

_PROGRAM: Final = "assetdb"
_WIDEST: Final = 100
"""Columns of a help text: longer lines are hard to read."""
_SUMMARY: Final = (
    "Says what every GUID and fileID of a Unity project is, without the Unity editor, and reads what was built from it"
    " and what lies beside it."
)
_EPILOG: Final = "assetdb help COMMAND says more. The options above may stand before the command or behind it."
_ARGUMENT: Final = "\0"
"""Stands before an argument that begins like an option while click looks for those; no word of a system has it."""
_HELP_NAMES: Final = ["--help", "-h"]
_COMPLETIONS: Final = ("--install-completion", "--show-completion")
_COMPLETE: Final = f"_{_PROGRAM.upper()}_COMPLETE"
"""The variable by which a shell asks for completions."""
_UNSAFE: Final = re.compile(r"[^\w@%+=:,./~-]")


def read(words: Sequence[str]) -> Line | int:
    """Return a command line, or the exit code of a complete one.

    Help, the version and mistakes are complete.
    """
    words = list(words)
    if words[:1] == ["help"] and not any(word.startswith("-") for word in words):
        words = ["help", "--help"] if words == ["help", "help"] else [*words[1:], "--help"]
    if len(words) > 1 and words[0] in _COMPLETIONS:
        return _complete_in(words[0], words[1:])
    try:
        found = application().main(words, prog_name=_PROGRAM, standalone_mode=False)
    except typer.TyperException as error:
        return fail(explain(error))
    return found if isinstance(found, Line) else int(found)


def _complete_in(option: str, words: Sequence[str]) -> int:
    """Install or show the completion of the shell that is named.

    Typer's own options take the current one alone.
    """
    from typer import _completion_shared as completion  # noqa: PLC0415 - only where completion is asked for

    shells = [shell.value for shell in completion.Shells]
    if words[0] not in shells:
        return fail(not_a_choice(option, words[0], shells))
    if len(words) > 1:
        return fail(f"{option}: unexpected argument {words[1]!r}")
    if option == "--show-completion":
        print(completion.get_completion_script(prog_name=_PROGRAM, complete_var=_COMPLETE, shell=words[0]))
        return 0
    shell, path = completion.install(words[0], _PROGRAM)
    print(f"{shell} completion installed in {path}")
    print("Completion will take effect once you restart the terminal")
    return 0


def application() -> TyperGroup:
    """Return the whole application, of which nothing is imported yet."""
    app = typer.Typer(
        cls=_Group, help=_SUMMARY, epilog=_EPILOG, context_settings=_settings(), rich_markup_mode=_markup()
    )
    app.callback()(_declaration(_before, ()).function)
    return _group(app, (), COMMANDS)


def _family(row: Command, path: tuple[str, ...]) -> TyperGroup:
    rows = row.rows()
    app = typer.Typer(
        cls=_Group, help=row.summary, add_completion=False, context_settings=_settings(), rich_markup_mode=_markup()
    )
    app.callback()(_declaration(_before, ()).function)
    group = _group(app, path, rows)
    for param in group.params:  # each command has them, and says so
        if isinstance(param, TyperOption):
            param.hidden = True
    return group


def _group(app: typer.Typer, path: tuple[str, ...], rows: tuple[Command, ...]) -> TyperGroup:
    group = get_command(app)
    assert isinstance(group, _Group)  # noqa: S101 - what cls= says
    group.path, group.rows = path, {row.name: row for row in rows}
    _escape_markup(group)
    return group


def declared_command(path: tuple[str, ...]) -> AnyCommand:
    """Return one command with its options and arguments.

    As its function declares them.
    """
    return _leaf(find_command(path), path)


def _leaf(row: Command, path: tuple[str, ...]) -> AnyCommand:
    declared = _declaration(row.load(), path)
    app = typer.Typer(add_completion=False, context_settings=_settings(), rich_markup_mode=_markup())
    app.command(row.name, cls=_Leaf, help=row.summary)(declared.function)
    command = get_command(app)
    for param in command.params:
        param.nargs = declared.sizes.get(param.name, param.nargs)
    _escape_markup(command)
    return command


def _escape_markup(command: AnyCommand) -> None:
    """Escape brackets in help texts for rich."""
    if getattr(command, "rich_markup_mode", None) != "rich":
        return
    from rich.markup import escape  # noqa: PLC0415 - only where rich writes

    for param in command.params:
        if isinstance(param, (TyperOption, TyperArgument)) and param.help:
            param.help = escape(param.help)


def _settings() -> dict[str, Any]:
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    return {"help_option_names": _HELP_NAMES, "terminal_width": max(width, 20)}


def _markup() -> Any:  # noqa: ANN401 - the type is typer's own
    """Return the style of help: panels, or plain text.

    Panels are for a terminal that can show them.
    """
    if not sys.stdout.isatty() or "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb":
        return None
    from typer import rich_utils  # noqa: PLC0415 - 60 ms, where panels are drawn

    rich_utils.MAX_WIDTH = min(shutil.get_terminal_size().columns, _WIDEST)
    return "rich"


class _Leaf(TyperCommand):
    """One command."""

    def get_params(self, ctx: Context) -> list[Parameter]:
        """Return its options and arguments."""
        return _ours(super().get_params(ctx))

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Read its words, some of which only look like options."""
        words = [_ARGUMENT + word if word[:1] == "-" and is_argument(word) else word for word in args]
        try:
            return super().parse_args(ctx, words)
        except typer.TyperException as error:
            if getattr(error, "ctx", ctx) is None:  # of an option without its value
                error.ctx = ctx  # type: ignore[attr-defined]  # as of all other mistakes
            raise


class _Group(TyperGroup):
    """Commands listed by their rows alone.

    Each is imported when it is asked for.
    """

    path: tuple[str, ...] = ()
    rows: Mapping[str, Command] = {}

    def get_params(self, ctx: Context) -> list[Parameter]:
        """Return its options."""
        return _ours(super().get_params(ctx))

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Read the words before the command.

        Without any, help is shown.
        """
        if not args and not ctx.resilient_parsing:
            print(ctx.get_help())
            ctx.exit(2)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: Context) -> list[str]:  # noqa: ARG002 - click's own signature
        """Return the names of the commands."""
        return [row.name for row in self.rows.values() if not row.hidden]

    def get_command(self, ctx: Context, cmd_name: str) -> AnyCommand | None:  # noqa: ARG002 - the same
        """Return the row of a command, for a list."""
        row = self.rows.get(cmd_name)
        if row is None:
            return None
        return TyperCommand(row.name, help=row.summary, short_help=row.summary, rich_help_panel=row.group or None)

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, AnyCommand | None, list[str]]:
        """Return the command that is asked for.

        With its words and those that were given before it.
        """
        name = args[0]
        row = self.rows.get(name)
        if row is None:
            if not ctx.resilient_parsing:
                ctx.fail(unknown_command(name, self.path, list(self.rows)))
            return None, None, args[1:]
        path = (*self.path, name)
        return name, _family(row, path) if row.family else _leaf(row, path), [*self._given(ctx), *args[1:]]

    def _given(self, ctx: Context) -> list[str]:
        """Return the options before the command.

        They mean the same as behind it.
        """
        words = []
        for param in self.params:
            if _was_given(ctx, param.name):
                value = ctx.params.get(param.name)
                words += [param.opts[0]] if value is True else [param.opts[0], str(value)]
        return words

    def format_commands(self, ctx: Context, formatter: Any) -> None:  # noqa: ANN401 - click's own signature
        """List the commands under headings.

        These are the titles of the panels on a terminal.
        """
        groups: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            row = self.rows[name]
            groups.setdefault(row.group or "Commands", []).append((name, row.summary))
        for title, rows in groups.items():
            with formatter.section(title):
                formatter.write_dl(rows)


def _was_given(ctx: Context, name: str) -> bool:
    source = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


class _Declared:
    """A command's function as typer takes it."""

    def __init__(self, function: Callable[..., Line], sizes: Mapping[str, int]) -> None:
        self.function = function
        self.sizes = sizes
        """How many words a value has, of the options where they are several (``--rename OLD NEW``)."""


def _declaration(function: Callable[..., object], path: tuple[str, ...]) -> _Declared:
    """Return the function that typer calls for a command.

    It has all its options one by one, and returns their values.
    """
    names = {**vars(arguments), **vars(shared), **function.__globals__}
    hints = get_type_hints(function, names, include_extras=True)
    sizes: dict[str, int] = {}
    declared = [inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)]
    common: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if name != "options":
            declared.append(_one(name, hints[name], parameter.default, sizes))
            continue
        group = hints[name]
        of_group = get_type_hints(group, localns=vars(shared), include_extras=True)
        for base in group.__mro__[:-1]:
            common += [_one(own, of_group[own], getattr(group, own), sizes) for own in base.__annotations__]

    declared += common

    def read_values(ctx: Context, **values: object) -> Line:
        return Line(path, {name: value for name, value in values.items() if _was_given(ctx, name)})

    read_values.__signature__ = inspect.Signature(declared)  # type: ignore[attr-defined]  # as inspect documents it
    read_values.__annotations__ = {parameter.name: parameter.annotation for parameter in declared}
    return _Declared(read_values, sizes)


def _one(name: str, annotation: Any, default: object, sizes: dict[str, int]) -> inspect.Parameter:  # noqa: ANN401
    """Return one parameter.

    Typer has no list of pairs, so that is a list here and its size noted.
    """
    base, *rest = get_args(annotation)
    for part in (base, *get_args(base)):
        item = get_args(part)[0] if _is(part, list) else None
        if _is(item, tuple):
            sizes[name] = len(get_args(item))
            annotation = Annotated[list[str], *rest]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _before(  # what may stand before the command, too
    *,
    project: shared.Project = None,
    out_dir: shared.OutDir = None,
    json: shared.Json = False,
    quiet: shared.Quiet = False,
    verbose: shared.Verbose = False,
    color: shared.Color = "auto",
    version: shared.Version = False,
) -> None:
    """Declare the options before the command."""


def _ours(params: list[Parameter]) -> list[Parameter]:
    """Read the values of a command here.

    Also those of the options that typer adds.
    """
    for param in params:
        if type(param) is TyperOption:
            param.__class__ = _Option
            if param.opts[0] in _COMPLETIONS and param.help:
                param.help = param.help.replace("the current shell", "the current shell, or the one named")
        elif type(param) is TyperArgument:
            param.__class__ = _Argument
    return params


def _is(annotation: Any, kind: type) -> bool:  # noqa: ANN401 - types are of any type
    return bool(get_origin(annotation) == kind)


def _offered(items: list[CompletionItem]) -> list[CompletionItem]:
    """Quote completions for bash.

    It takes each word as it is; other shells do so themselves.
    """
    if os.environ.get(_COMPLETE) == "complete_bash":
        for item in items:
            item.value = _UNSAFE.sub(r"\\\g<0>", item.value)
    return items


class _Option(TyperOption):
    """An option that is read without pydantic.

    Pydantic takes typer 150 ms to import.
    """

    def process_value(self, ctx: Context, value: Any) -> Any:  # noqa: ANN401 - click's own signature
        """Return the value of the words.

        Raises:
            typer.BadParameter: there is none, and there has to be.
        """
        if self.required and value is None:
            metavar = f" {self.metavar}" if self.metavar else ""
            ctx.fail(f"missing {self.opts[0]}{metavar}")
        found = _value(self, ctx, value)
        return found if self.callback is None else self.callback(ctx, self, found)

    def shell_complete(self, ctx: Context, incomplete: str) -> list[CompletionItem]:
        """Return the completions of its value."""
        return _offered(super().shell_complete(ctx, incomplete))

    def display_type(self, ctx: Context) -> str:
        """Return its kind of value; nothing for a flag."""
        return "" if self.is_flag else super().display_type(ctx)


class _Argument(TyperArgument):
    """An argument, the same."""

    def process_value(self, ctx: Context, value: Any) -> Any:  # noqa: ANN401 - click's own signature
        """Return the value of the words.

        Raises:
            typer.BadParameter: there is none, and there has to be.
        """
        if self.required and (value is None or value == ()):
            ctx.fail(f"missing {self.display_name_raw}")
        return _value(self, ctx, value)

    def shell_complete(self, ctx: Context, incomplete: str) -> list[CompletionItem]:
        """Return the completions of its value."""
        return _offered(super().shell_complete(ctx, incomplete))

    def display_type(self, ctx: Context) -> str:  # noqa: ARG002 - click's own signature
        """Return nothing: the help describes an argument."""
        return ""


def _value(param: TyperOption | TyperArgument, ctx: Context, value: Any) -> Any:  # noqa: ANN401
    if param.multiple or param.nargs == -1:
        return [_read_value(param, ctx, word) for word in value] if value else value
    return value if value is None else _read_value(param, ctx, value)


def _read_value(param: TyperOption | TyperArgument, ctx: Context, word: Any) -> Any:  # noqa: ANN401
    if isinstance(word, tuple):
        return tuple(_read_value(param, ctx, part) for part in word)
    if isinstance(word, str):
        word = word.removeprefix(_ARGUMENT)
    descriptor = param.type_descriptor
    kind = get_args(descriptor.annotation)[0] if _is(descriptor.annotation, list) else descriptor.annotation
    name = param.opts[0] if isinstance(param, TyperOption) else param.display_name_raw
    if descriptor.choices is not None and word not in descriptor.choices:
        ctx.fail(not_a_choice(name, word, descriptor.choices))
    if kind in (int, float) and isinstance(word, str):
        number = read_number(word, kind)
        if number is None or (param.min is not None and number < param.min):
            ctx.fail(not_a_number(name, word, kind, param.min))
        return number
    return word
