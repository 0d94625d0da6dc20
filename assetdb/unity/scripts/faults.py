"""Why C# cannot be followed: size, encoding, or unbalanced brackets.

Indentation tells which one was forgotten: a brace that is not closed is closed by the next one, which is indented less.
"""

from __future__ import annotations

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

LARGEST: Final = 1 << 22
"""Bytes of a source that is read."""
UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
"""Beginnings of a text that is not read."""
_PAIRS: Final = {")": "(", "]": "[", "}": "{"}
_OPENING: Final = frozenset(_PAIRS.values())
_TAB: Final = 4


class Token(NamedTuple):
    """A token and its 1-based line; string literals keep one quote."""

    text: str
    line: int


class Fault(NamedTuple):
    """Why a source cannot be followed, and its line (0: the file)."""

    line: int
    text: str


def bracket_fault(tokens: Sequence[Token], text: str) -> Fault | None:
    """Return the unbalanced bracket, None if all are balanced."""
    lines = text.split("\n")
    opened: list[Token] = []
    heads: dict[int, int] = {}  # line where the parameters in front of a brace begin, by the brackets around it
    unclosed: Token | None = None
    needless: Token | None = None
    partner: Token | None = None
    sign = ""
    for token in tokens:
        before, sign = sign, token.text
        if sign in _OPENING:
            if partner is not None and before == ")":
                heads[len(opened)] = partner.line
            opened.append(token)
        elif sign in _PAIRS:
            if not opened:
                return _doubted(needless) or Fault(token.line, f"{sign} closes nothing")
            partner = opened.pop()
            if partner.text != _PAIRS[sign]:
                said = f"{partner.text} is not closed in front of the {sign} of line {token.line}"
                return _doubted(unclosed) or Fault(partner.line, said)
            start = heads.pop(len(opened), partner.line)
            difference = _difference(lines, start, token) if start != token.line else 0
            if difference < 0:
                unclosed = unclosed or partner
            elif difference > 0:
                needless = needless or token
    if not opened:
        return None
    return _doubted(unclosed) or Fault(opened[-1].line, f"{opened[-1].text} is not closed")


def _doubted(token: Token | None) -> Fault | None:
    """Return a fault for a brace that only its indentation speaks against."""
    if token is None:
        return None
    return Fault(token.line, f"{token.text} seems {'not to be closed' if token.text == '{' else 'to close nothing'}")


def _difference(lines: Sequence[str], start: int, closing: Token) -> int:
    """Return how much further a line of a brace is indented."""
    if closing.text != "}":
        return 0
    indented, rest = _indentation(lines[closing.line - 1])
    return indented - _indentation(lines[start - 1])[0] if rest == "}" else 0


def _indentation(line: str) -> tuple[int, str]:
    """Return a line's indentation, in columns, and its first character."""
    columns = 0
    for character in line:  # to its text alone: a line may have all braces of a file
        if not character.isspace():
            return columns, character
        columns += _TAB - columns % _TAB if character == "\t" else 1
    return columns, ""
