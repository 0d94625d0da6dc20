"""Words of a PowerShell line that is completed.

Typer reads the line as a POSIX shell does, where a backslash quotes the next letter, and offers values without quotes:
PowerShell inserts what it gets, so a path with a space would become two words.
"""

from __future__ import annotations

import codecs
import os
import re
import sys

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from typing import Final

SHELLS: Final = ("complete_powershell", "complete_pwsh")
"""What the variable of completions says where a PowerShell asks, Windows' own or a later one."""
_LINE: Final = "_TYPER_COMPLETE_ARGS"
_WORD: Final = "_TYPER_COMPLETE_WORD_TO_COMPLETE"
_QUOTES: Final = "'\"\u2018\u2019\u201a\u201b\u201c\u201d\u201e"
"""Also typographic ones, which PowerShell takes as plain ones."""
_UNSAFE: Final = re.compile(r"[^\w%+=:./~\\-]")
"""A ``,`` makes an array, ``@`` one of a variable's values."""


def prepare(environment: MutableMapping[str, str], *, is_windows: bool = os.name == "nt") -> None:
    """Put the line into the form that typer reads."""
    for name in (_LINE, _WORD):
        text = environment.get(name, "")
        if is_windows:
            text = text.replace("\\", "/")
        environment[name] = text
    word = environment[_WORD]
    if word[:1] and word[0] in _QUOTES:  # the word is given with the quote that opens it
        environment[_WORD] = word.strip(word[0]).replace(word[0] * 2, word[0])


def quoted(value: str) -> str:
    """Return a value as one word of PowerShell."""
    if not _UNSAFE.search(value):
        return value
    return "'" + re.sub("(['\u2018\u2019\u201a\u201b])", r"\1\1", value) + "'"


def encoding() -> str:
    """Return the encoding in which PowerShell reads a program's output."""
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - only where a word is completed

        page = ctypes.WinDLL("kernel32").GetConsoleOutputCP()
        try:
            return codecs.lookup(f"cp{page}").name
        except LookupError:  # cp708 is Arabic, and none of Python's
            return "utf-8"
    else:
        return "utf-8"
