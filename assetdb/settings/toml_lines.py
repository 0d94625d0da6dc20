"""The line of ``assetdb.toml`` that a message is about.

:mod:`tomllib` does not tell the lines of values, so keys and headers are searched for in the form that people write.
"""

from __future__ import annotations

import re
from typing import Final

_HEADER: Final = re.compile(r"[ \t]*\[\[?[ \t]*([\w.-]+)[ \t]*\]\]?[ \t]*(?:#.*)?")
_KEY: Final = re.compile(r"""[ \t]*(?:([\w-]+)|"([^"\\]*)"|'([^']*)')[ \t]*=""")
_NUMBERED: Final = re.compile(r"(\w+) (\d+): ")
_TABLE: Final = re.compile(r"(\w+)[.:\[]")
_WORD: Final = re.compile(r"[\w-]+")
_LINE_END: Final = re.compile(r"\r?\n")  # TOML has no others: a comment may have U+2028
_ALLOWED: Final = " (keys are "
_LONGEST_SAID: Final = 1 << 10  # characters of a message, which may quote a value of 1 MB; its key is in front
_MULTILINE: Final = ('"""', "'''")


def line_of(text: str, message: str) -> int:
    r"""Return the line of a key or table, 0 if not found.

    >>> line_of("out-dir = 'a'\n[[rule]]\nname = 1\n[[rule]]\nnmae = 'T_*'\n", "rule 2: there is no key 'nmae'")
    5

    Args:
        text: of the file.
        message: begins with a table, ``rule 2: `` or ``check.ignore``, or is about a key in front of all tables.
    """
    if any(marks in text for marks in _MULTILINE):  # a line of such a text may look like a header
        return 0
    said = message.partition(_ALLOWED)[0]
    numbered, table = _NUMBERED.match(said), _TABLE.match(said)
    sections = list(_sections(_LINE_END.split(text)))
    if numbered:
        wanted = [section for section in sections if section[0] == numbered[1]][int(numbered[2]) - 1 :][:1]
    else:
        inner = [
            section for section in sections if section[0] and said.startswith((f"{section[0]}.", f"{section[0]}:"))
        ]
        longest = max((len(section[0]) for section in inner), default=0)
        wanted = [section for section in inner if len(section[0]) == longest]
        wanted = wanted or [section for section in sections if table and section[0].split(".")[0] == table[1]]
        wanted = wanted or sections[:1]
    keys: dict[str, int] = {}
    for _name, start, lines in wanted:
        for number, line in enumerate(lines, start):
            key = _KEY.match(line)
            if key is not None:
                keys.setdefault(key[1] or key[2] or key[3] or "", number)
    # A message names its key first: a value, or what may have been meant, may be called as another one.
    said = said[:_LONGEST_SAID]
    words: dict[str, int] = {}
    for word in _WORD.finditer(said):
        words.setdefault(word[0], word.start())
    places = {words[key] if key in words else said.find(repr(key)): line for key, line in keys.items()}
    first = min((place for place in places if place >= 0), default=-1)
    return places[first] if first >= 0 else wanted[0][1] - 1 if wanted else 0


def _sections(lines: list[str]) -> list[tuple[str, int, list[str]]]:
    """Return the name of each table, its first line and its lines."""
    found: list[tuple[str, int, list[str]]] = [("", 1, [])]
    for number, line in enumerate(lines, 1):
        header = _HEADER.fullmatch(line)
        if header is not None:
            found.append((header[1], number + 1, []))
        else:
            found[-1][2].append(line)
    return found
