"""Tokens of C# source, without comments and directives.

All branches of ``#if`` are included, so that a declaration in any of them is found. If braces are not balanced in a
branch, the source is unclear.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

_LARGEST: Final = 1 << 22
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_PLAIN: Final = re.compile(
    r"""
    [^\S\n]*+ (?:
      (?P<line>    \n )
    | (?P<comment> //[^\n]* | /\*(?s:.*?)(?:\*/|\Z) )
    | (?P<raw>     \$*"{3,} )
    | (?P<inner>   (?:\$@|@\$|\$)" )
    | (?P<text>    @"(?:[^"]|"")*(?:"|\Z) | "(?:[^"\\\n]|\\.)*"? )
    | (?P<char>    '(?:\\[^\n]|[^'\\\n])[^'\n]{0,9}' )
    | (?P<name>    @?[^\W\d]\w* )
    | (?P<number>  \d[\w.]* )
    | (?P<sign>    => | :: | (?s:.) )
    )
    """,
    re.VERBOSE,
)
_IN_TEXT: Final = re.compile(r'[^"{}\\]+|\\.|""|\{\{|\}\}|["{}\\]', re.DOTALL)
_DIRECTIVE: Final = re.compile(r"#[^\S\n]*(\w*)[^\n]*")
_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")
_MOST_CONDITIONS: Final = 16
_UNKNOWN: Final = "?"
_SYMBOL: Final = re.compile(r"!?\w+")
_EDITOR: Final = re.compile(r"UNITY_EDITOR(?:_WIN|_OSX|_LINUX|_64)?")
_QUOTES: Final = re.compile(r'"+')


class Token(NamedTuple):
    """A token and its 1-based line; string literals keep one quote."""

    text: str
    line: int


Condition: TypeAlias = "tuple[str, Condition] | None"
"""The condition of the innermost branch around a place, and those around that branch. As lists, of a thousand nested
branches that hold thousands each, they would take memory by the square."""


class Tokens(NamedTuple):
    """The tokens of a source.

    Attributes:
        all: in order.
        conditional: whether some are in branches of ``#if``.
        unclear: whether the tokens may be wrong.
        regions: first lines of parts between directives, each with its condition.
    """

    all: tuple[Token, ...]
    conditional: bool
    unclear: bool
    regions: tuple[tuple[int, Condition], ...] = ()

    def conditions(self, line: int) -> tuple[str, ...]:
        """Return the conditions around a line, the innermost first.

        An unknown one is ``?``.
        """
        at = bisect_right(self.regions, line, key=itemgetter(0)) - 1
        found: list[str] = []
        around = self.regions[at][1] if at >= 0 else None
        while around is not None and len(found) < _MOST_CONDITIONS:
            found.append(around[0])
            around = around[1]
        return tuple(found)


_MERGE: Final = b"<<<<<<< "
_END_OF_MERGE: Final = b"\n>>>>>>> "
UNCLEAR: Final = Tokens((), conditional=False, unclear=True)


def is_of_editor(conditions: Iterable[str]) -> bool:
    """Whether only the editor compiles a place with some conditions."""
    return any(all(_needs_editor(part) for part in condition.split("||")) for condition in conditions)


def _needs_editor(condition: str) -> bool:
    return "(" not in condition and any(_EDITOR.fullmatch(term.strip()) for term in condition.split("&&"))


def tokens_of(data: bytes) -> Tokens:
    """Return the tokens of any C# file, in linear time."""
    if len(data) > _LARGEST or data.startswith(_UTF_16):
        return UNCLEAR
    if _END_OF_MERGE in data and _MERGE in data:  # both sides are there: events of DUEL's ButtonHandler had no method
        return UNCLEAR
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return _Lexer(text).tokens()


class _Lexer:
    """One pass over a source, with a stack instead of recursion."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1
        self._found: list[Token] = []
        self._depth = 0
        self._branches: list[int] = []  # depth at each open #if
        self._condition: Condition = None
        self._regions: list[tuple[int, Condition]] = []
        self._is_conditional = False
        self._is_unclear = False
        self._is_line_start = True
        # Of each open interpolated string: whether it is verbatim, and the depth at its open hole.
        self._holes: list[tuple[bool, int]] = []

    def tokens(self) -> Tokens:
        text, size = self._text, len(self._text)
        while self._at < size:
            match = _PLAIN.match(text, self._at)
            if match is None or self._is_unclear:
                break
            kind = match.lastgroup or ""
            found = match[kind]
            if kind == "sign" and found == "#" and self._is_line_start:
                self._at = match.start(kind)
                self._directive()
                continue
            self._at = match.end()
            if kind == "name":
                self._add(found.removeprefix("@"))
            elif kind == "sign":
                self._sign(found)
            elif kind == "line":
                self._line += 1
                self._is_line_start = True
            elif kind == "inner":
                self._is_line_start = False
                self._in_text(is_verbatim="@" in found)
            elif kind == "raw":
                self._raw(found.count('"'))
            elif kind == "text":
                self._string(found)
            elif kind == "comment":
                self._line += found.count("\n")
            elif kind in ("number", "char"):
                self._add("0")
        is_open = bool(self._holes or self._branches)
        is_unclear = self._is_unclear or is_open or self._depth != 0
        return Tokens(tuple(self._found), self._is_conditional, is_unclear, tuple(self._regions))

    def _add(self, text: str) -> None:
        self._is_line_start = False
        if not self._holes:
            self._found.append(Token(text, self._line))

    def _sign(self, sign: str) -> None:
        if sign in _OPENING:
            self._depth += 1
        elif sign in _CLOSING:
            if self._holes and sign == "}" and self._depth == self._holes[-1][1]:
                self._in_text(is_verbatim=self._holes.pop()[0])
                return
            self._depth -= 1
        self._add(sign)

    def _string(self, found: str) -> None:
        self._is_unclear |= len(found) < 2 or not found.endswith('"')
        line = self._line
        self._line += found.count("\n")
        self._is_line_start = False
        if not self._holes:
            self._found.append(Token('"' + found.removeprefix("@").strip('"'), line))

    def _in_text(self, *, is_verbatim: bool) -> None:
        """Read an interpolated string to its end or next hole."""
        text = self._text
        while True:
            match = _IN_TEXT.match(text, self._at)
            if match is None:
                self._is_unclear = True
                return
            part = match[0]
            if part[0] == "\\" and is_verbatim:
                part = "\\"
            elif part == '""' and not is_verbatim:
                part = '"'
            self._at += len(part)
            self._line += part.count("\n")
            self._is_unclear |= "\n" in part and not is_verbatim
            if part == '"':
                self._add('"')
                return
            if part == "{":
                self._holes.append((is_verbatim, self._depth))
                return

    def _raw(self, quotes: int) -> None:
        """Read a raw string, which ends with as many quotes."""
        for match in _QUOTES.finditer(self._text, self._at):
            if len(match[0]) >= quotes:
                self._line += self._text.count("\n", self._at, match.end())
                self._at = match.end()
                self._add('"')
                return
        self._is_unclear = True

    def _directive(self) -> None:
        match = _DIRECTIVE.match(self._text, self._at)
        if match is None:
            self._is_unclear = True
            return
        self._at = match.end()
        word = match[1]
        said = match[0].partition(word)[2].partition("//")[0].strip()
        if word == "if":
            self._is_conditional = True
            self._branches.append(self._depth)
            self._enter(said, self._condition)
        elif word in ("elif", "else", "endif"):
            self._is_unclear |= not self._branches or self._depth != self._branches[-1]
            before, around = self._condition or (_UNKNOWN, None)
            if word == "endif":
                self._enter("", around)
            else:
                self._enter(said if word == "elif" else _opposite(before), around)
            if word == "endif" and self._branches:
                self._branches.pop()

    def _enter(self, condition: str, around: Condition) -> None:
        """Begin a part of the source, without a condition after a branch."""
        self._condition = (condition, around) if condition else around
        self._regions.append((self._line + 1, self._condition))


def _opposite(condition: str) -> str:
    """Return the condition of ``#else`` behind another branch."""
    if not _SYMBOL.fullmatch(condition):
        return _UNKNOWN
    return condition[1:] if condition.startswith("!") else f"!{condition}"
