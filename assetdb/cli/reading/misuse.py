"""Messages for misuse of the command line, with a suggestion."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assetdb.cli.commands import find_command
from assetdb.cli.terminal import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import typer

_EXTRA: Final = re.compile(r"Got unexpected extra argument\(s\) \((?P<words>.*)\)$", re.DOTALL)
_WITHOUT: Final = re.compile(r"Option '(?P<option>[^']+)' (?:requires (?P<count>.+)\.|does not take a value\.)$")


def explain(error: typer.TyperException) -> str:
    """Return an error message for a command line, with advice."""
    context = getattr(error, "ctx", None)
    words = context.command_path.split()[1:] if context is not None else []
    row = find_command(tuple(words)) if words else None
    old_words = row.old_words if row is not None else {}
    message = error.message
    option = getattr(error, "option_name", "")
    if found := _EXTRA.match(message):
        message = f"unexpected argument {found['words']!r}" + (f"; write {old_words['']}" if "" in old_words else "")
    elif found := _WITHOUT.match(message):
        count = found["count"]
        values = (
            "no value" if not count else "a value" if count == "an argument" else count.replace("argument", "value")
        )
        message = f"{found['option']} takes {values}"
    elif option:
        message = f"no such option: {option}"
        advice = old_words.get(option)
        known = (
            [] if context is None else [name for param in context.command.get_params(context) for name in param.opts]
        )
        message += f"; write {advice}" if advice else nearest(option, known, _without_dashes)
        if "; " not in message and hasattr(getattr(context, "command", None), "list_commands"):
            message += f"; options of a command follow it: {' '.join(['assetdb', *words])} COMMAND {option}"
    else:
        message = message[:1].lower() + message[1:].rstrip(".")
    for old, advice in old_words.items():
        if " " in old and message.startswith(f"{old.partition(' ')[0]}: {old.partition(' ')[2]!r} "):
            message = f"{old} was removed; use {advice}"
    more = "" if "; " in message else f" (see: {' '.join(['assetdb', *words, '--help'])})"
    return f"{' '.join(words)}: {message}{more}" if words else f"{message}{more}"


def unknown_command(name: str, path: Sequence[str], known: Iterable[str]) -> str:
    """Return that there is no such command."""
    return f"no such command: {' '.join(['assetdb', *path, name])}{nearest(name, known)}"


def not_a_choice(name: str, word: object, choices: Sequence[object]) -> str:
    """Return an error message for a word that is no choice."""
    listed = ", ".join(map(str, choices))
    return f"{name}: {str(word)!r} is not one of {listed}{nearest(str(word), map(str, choices))}"


def not_a_number(name: str, word: str, kind: type, low: float | None) -> str:
    """Return that a word is not a number, or too low."""
    what = "a whole number" if kind is int else "a number"
    return f"{name}: {word!r} is not {what}" + (f" from {low} on" if low is not None else "")


def read_number(word: str, kind: type) -> float | None:
    """Return the number that a word is, or None."""
    if kind is int:
        return int(word) if word.removeprefix("-").isdecimal() and len(word) < 20 else None
    try:
        number = float(word)
    except ValueError:
        return None
    return number if abs(number) < float("inf") else None


def _without_dashes(word: str) -> str:
    return word.lstrip("-")
