"""Questions about open values in a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from assetdb.cli.terminal import printable
from assetdb.history.merges.open_file import both, typed

if TYPE_CHECKING:
    from assetdb.history.merges.open_file import OpenFile
    from assetdb.unity.merging.pieces import Conflict

_MOST_LINES: Final = 8
_MOST_USERS: Final = 3
_PROMPT: Final = "> "


class QuitError(Exception):
    """The user ends the questions."""


def ask_all(file: OpenFile, answers: list[bytes | None]) -> None:
    """Ask for each open value of a file that has no answer.

    Raises:
        QuitError: the user quits, or the input ends.
    """
    conflicts = file.conflicts
    number = _next_open(answers, 0)
    while number < len(conflicts):
        conflict = conflicts[number]
        print(f"\n{printable(file.path)} ({number + 1} of {len(conflicts)})")
        print(printable(file.names.of_place(conflict)))
        for label, text in (("base", conflict.base), ("ours", conflict.ours), ("theirs", conflict.theirs)):
            print(f"  {label.ljust(8)}{printable(file.names.of_value(text))}")
        for side, users in file.guid_users(conflict).items():
            shown = ", ".join(users[:_MOST_USERS]) + (
                f" and {len(users) - _MOST_USERS:,} more" if users[_MOST_USERS:] else ""
            )
            print(f"  {side}: {printable(shown) or 'no file'} refers to this GUID")
        answer = _ask(conflict, is_first=number == 0)
        if answer == "previous":
            number -= 1
            continue
        if isinstance(answer, bytes):
            answers[number] = answer
        number = _next_open(answers, number + 1)


def _next_open(answers: list[bytes | None], start: int) -> int:
    """Return the place of the next value without answer, or the end."""
    return next((place for place in range(start, len(answers)) if answers[place] is None), len(answers))


def _ask(conflict: Conflict, *, is_first: bool) -> bytes | str:
    """Return an answer, or ``previous`` or ``skip``."""
    choices: dict[str, bytes] = {"o": conflict.ours, "t": conflict.theirs, "a": conflict.base}
    rows = both(conflict)
    words = ["o ours", "t theirs", "a base"]
    if rows is not None:
        choices["b"] = rows
        words.append("b both")
    has_value = typed(conflict, "0") is not None
    words += ["v type a value"] if has_value else []
    words += [] if is_first else ["p previous"]
    words += ["l lines", "s skip", "q quit"]
    while True:
        print(", ".join(words))
        word = _read(_PROMPT)
        if word in choices:
            return choices[word]
        if word == "v" and has_value:
            made = typed(conflict, _read("value: "))
            if made is not None:
                return made
            print("that is no value as Unity writes it")
        elif word == "p" and not is_first:
            return "previous"
        elif word == "s":
            return "skip"
        elif word == "q":
            raise QuitError
        elif word == "l":
            _print_lines(conflict)
        else:
            print(f"{printable(word)!r} is no choice here")


def _print_lines(conflict: Conflict) -> None:
    for label, text in (("base", conflict.base), ("ours", conflict.ours), ("theirs", conflict.theirs)):
        lines = text.decode("utf-8", "replace").splitlines()
        print(f"{label}:")
        for line in lines[:_MOST_LINES]:
            print(f"    {printable(line)}")
        if len(lines) > _MOST_LINES:
            print(f"    and {len(lines) - _MOST_LINES:,} lines more")


def _read(prompt: str) -> str:
    """Return a line of the user.

    Raises:
        QuitError: the input ends.
    """
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line:
        raise QuitError
    return line.strip()
