"""Typer's options and arguments, made from the words of a command.

Values are read here: typer would do so with pydantic, which takes 150 ms to import.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from typer.core import TyperArgument, TyperOption

from assetdb.cli.plain import CHOICE, DECIMAL, FLAG, LIST, NUMBER, Argument
from assetdb.cli.reading import powershell
from assetdb.cli.reading.completion import COMPLETIONS
from assetdb.cli.reading.misuse import not_a_choice, not_a_number, read_number

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from assetdb.cli.plain import Option

PROGRAM: Final = "assetdb"
COMPLETE: Final = f"_{PROGRAM.upper()}_COMPLETE"
"""The variable by which a shell asks for completions."""
ARGUMENT: Final = "\0"
"""Marks an argument that begins like an option while typer looks for those; no word of a command line can have it."""
_UNSAFE: Final = re.compile(r"[^\w@%+=:,./~-]")


def parameter_of(word: Option, *, markup: bool) -> OptionParameter | ArgumentParameter:
    """Return a word as typer's parameter, escaped for rich ``markup``."""
    text = word.help
    if markup:
        from rich.markup import escape  # noqa: PLC0415 - only where rich writes

        text = escape(text)
    return ArgumentParameter(word, text) if isinstance(word, Argument) else OptionParameter(word, text)


class OptionParameter(TyperOption):
    """An option."""

    def __init__(
        self, word: Option, text: str = "", *, callback: Callable[..., Any] | None = None, hidden: bool = False
    ) -> None:
        """Declare an option; one with a ``callback`` is read first."""
        super().__init__(
            param_decls=[word.name, *word.words],
            type_descriptor=word,  # type: ignore[arg-type]  # only the methods below use it
            required=word.required,
            default=False if word.kind == FLAG else word.default,
            callback=callback,
            nargs=word.size,
            metavar=word.metavar or None,
            expose_value=callback is None,
            is_eager=callback is not None,
            autocompletion=_completion(word),
            show_default=True,
            is_flag=word.kind == FLAG,
            multiple=word.kind == LIST,
            help=text or word.help,
            hidden=hidden,
            min=word.min,
        )
        self.word = word

    def process_value(self, ctx: Any, value: Any) -> Any:  # noqa: ANN401 - typer's own signature
        """Return the value of the words, or say that it is missing."""
        if self.required and value is None:
            ctx.fail(f"missing {' '.join(filter(None, (self.opts[0], self.word.metavar)))}")
        found = _value(self.word, self.opts[0], ctx, value)
        return found if self.callback is None else self.callback(ctx, self, found)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:  # noqa: ANN401 - typer's own signature
        """Return the completions of its value."""
        return _quoted(super().shell_complete(ctx, incomplete)) if _completion(self.word) else []

    def display_type(self, ctx: Any) -> str:  # noqa: ANN401, ARG002 - typer's own signature
        """Return its choices."""
        return f"<{'|'.join(self.word.choices)}>" if self.word.choices else ""


class ArgumentParameter(TyperArgument):
    """An argument."""

    def __init__(self, word: Option, text: str) -> None:
        """Declare an argument."""
        super().__init__(
            param_decls=[word.name],
            type_descriptor=word,  # type: ignore[arg-type]  # as above
            required=word.required,
            default=word.default,
            nargs=-1 if word.kind == LIST else None,
            metavar=word.metavar or None,
            autocompletion=_completion(word),
            help=text,
        )
        self.word = word

    def process_value(self, ctx: Any, value: Any) -> Any:  # noqa: ANN401 - typer's own signature
        """Return the value of the words, or say that it is missing."""
        if self.required and (value is None or value == ()):
            ctx.fail(f"missing {self.word.metavar}")
        return _value(self.word, self.word.metavar, ctx, value)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:  # noqa: ANN401 - typer's own signature
        """Return the completions of its value."""
        return _quoted(super().shell_complete(ctx, incomplete)) if _completion(self.word) else []

    def display_type(self, ctx: Any) -> str:  # noqa: ANN401, ARG002 - typer's own signature
        """Return nothing: the help describes an argument."""
        return ""


def _completion(word: Option) -> Callable[[Any, list[str], str], list[str]] | None:
    if word.choices:
        return lambda _ctx, _words, begun: [choice for choice in word.choices if choice.startswith(begun)]
    if word.complete:
        complete = COMPLETIONS[word.complete]
        return lambda ctx, _words, begun: complete(ctx.params, begun)
    return None


def _quoted(items: list[Any]) -> list[Any]:
    """Quote completions for bash and PowerShell; other shells do so themselves."""
    shell = os.environ.get(COMPLETE)
    for item in items:
        if shell == "complete_bash":
            item.value = _UNSAFE.sub(r"\\\g<0>", item.value)
        elif shell in powershell.SHELLS:
            item.value = powershell.quoted(item.value)
    return items


def _value(word: Option, name: str, ctx: Any, value: Any) -> Any:  # noqa: ANN401 - values are of any type
    """Return the value of an option or argument, read from its words."""
    if isinstance(value, (list, tuple)):
        items = [_value(word, name, ctx, item) for item in value]
        return tuple(items) if isinstance(value, tuple) and word.size > 1 else items
    if not isinstance(value, str):
        return value
    value = value.removeprefix(ARGUMENT)
    if word.kind == CHOICE and value not in word.choices:
        ctx.fail(not_a_choice(name, value, word.choices))
    if word.kind in (NUMBER, DECIMAL):
        kind = int if word.kind == NUMBER else float
        number = read_number(value, kind)
        if number is None or (word.min is not None and number < word.min):
            ctx.fail(not_a_number(name, value, kind, word.min))
        return number
    return value
