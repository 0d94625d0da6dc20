"""Tokens of C# source, without comments and directives.

All branches of ``#if`` are included, so that a declaration in any of them is found. If brackets are not balanced in a
branch, the source is unclear, although a compiler that takes one of the branches may read it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from operator import itemgetter

from assetdb.unity.scripts.faults import LARGEST, UTF_16, Fault, Token, bracket_fault
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final, TypeAlias

_PLAIN: Final = re.compile(
    r"""
    [^\S\n]*+ (?:
      (?P<line>    \n )
    | (?P<comment> //[^\n]* | /\*(?s:.*?)(?:\*/|\Z) )
    | (?P<raw>     (?<!\$)\$*"{3,} )
    | (?P<inner>   (?:\$@|@\$|\$)" )
    | (?P<text>    @"(?:[^"]++|"")*+(?:"|\Z) | "(?:[^"\\\n]++|\\.)*+"? )
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
_SHORTEST_COMMENT: Final = len("/**/")
_OPEN_TEXT: Final = "a text in quotes is not closed"


Condition: TypeAlias = "tuple[str, Condition] | None"
"""The condition of the innermost branch around a place, and those around that branch. As lists, of a thousand nested
branches that hold thousands each, they would take memory by the square."""


class Tokens(NamedTuple):
    """The tokens of a source.

    Attributes:
        all: in order.
        conditional: whether some are in branches of ``#if``.
        fault: why the tokens may be wrong, None if they are right.
        regions: first lines of parts between directives, each with its condition.
    """

    all: tuple[Token, ...]
    conditional: bool
    fault: Fault | None
    regions: tuple[tuple[int, Condition], ...] = ()

    @property
    def unclear(self) -> bool:
        """Whether the tokens may be wrong."""
        return self.fault is not None

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


def is_of_editor(conditions: Iterable[str]) -> bool:
    """Whether only the editor compiles a place with some conditions."""
    return any(all(_needs_editor(part) for part in condition.split("||")) for condition in conditions)


def _needs_editor(condition: str) -> bool:
    return "(" not in condition and any(_EDITOR.fullmatch(term.strip()) for term in condition.split("&&"))


def tokens_of(data: bytes) -> Tokens:
    """Return the tokens of any C# file, in linear time."""
    if len(data) > LARGEST:
        return _nothing(f"the file has {len(data):,} bytes, and at most {LARGEST:,} are read")
    if data.startswith(UTF_16):
        return _nothing("the text is encoded as UTF-16")
    if _END_OF_MERGE in data and _MERGE in data:  # both sides are there: events of DUEL's ButtonHandler had no method
        return _nothing("an unresolved merge")
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return _Lexer(text).tokens()


def _nothing(why: str) -> Tokens:
    """Return no tokens for a file as a whole."""
    return Tokens((), conditional=False, fault=Fault(0, why))


class _Lexer:
    """One pass over a source, with a stack instead of recursion."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1
        self._found: list[Token] = []
        self._depth = 0
        # Of each open #if: its line, the depth there, and the number of tokens in front of its latest branch.
        self._branches: list[tuple[int, int, int]] = []
        self._condition: Condition = None
        self._regions: list[tuple[int, Condition]] = []
        self._is_conditional = False
        self._fault: Fault | None = None
        self._is_line_start = True
        # Of each open interpolated string: whether it is verbatim, the depth at its open hole, and the hole's line.
        self._holes: list[tuple[bool, int, int]] = []

    def tokens(self) -> Tokens:
        text, size = self._text, len(self._text)
        while self._at < size:
            match = _PLAIN.match(text, self._at)
            if match is None or self._fault is not None:
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
                self._comment(found)
            elif kind == "number":
                self._add(found)
            elif kind == "char":
                self._add("0")
        fault = self._fault or self._fault_at_end()
        return Tokens(tuple(self._found), self._is_conditional, fault, tuple(self._regions))

    def _fault_at_end(self) -> Fault | None:
        """Return a bracket, text or branch that is open at the end."""
        if self._holes:
            return Fault(self._holes[-1][2], "{ in a text is not closed")
        if self._branches:
            return Fault(self._branches[-1][0], "#if has no #endif")
        if self._depth == 0:
            return None
        return bracket_fault(self._found, self._text) or Fault(0, "brackets are not balanced")

    def _stop(self, why: str, line: int = 0) -> None:
        """Note the first thing that is wrong, by default in this line."""
        self._fault = self._fault or Fault(line or self._line, why)

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

    def _comment(self, found: str) -> None:
        if found.startswith("/*") and (len(found) < _SHORTEST_COMMENT or not found.endswith("*/")):
            self._stop("/* is not closed")
        self._line += found.count("\n")

    def _string(self, found: str) -> None:
        if len(found) < 2 or not found.endswith('"'):
            self._stop(_OPEN_TEXT)
        line = self._line
        self._line += found.count("\n")
        self._is_line_start = False
        if not self._holes:
            self._found.append(Token(found.removeprefix("@").removesuffix('"') or '"', line))

    def _in_text(self, *, is_verbatim: bool) -> None:
        """Read an interpolated string to its end or next hole."""
        text, start = self._text, self._line
        while True:
            match = _IN_TEXT.match(text, self._at)
            if match is None:
                self._stop(_OPEN_TEXT, start)
                return
            part = match[0]
            if part[0] == "\\" and is_verbatim:
                part = "\\"
            elif part == '""' and not is_verbatim:
                part = '"'
            self._at += len(part)
            if "\n" in part and not is_verbatim:
                self._stop(_OPEN_TEXT)
            self._line += part.count("\n")
            if part == '"':
                self._add('"')
                return
            if part == "{":
                self._holes.append((is_verbatim, self._depth, self._line))
                return

    def _raw(self, quotes: int) -> None:
        """Read a raw string, which ends with as many quotes."""
        for match in _QUOTES.finditer(self._text, self._at):
            if len(match[0]) >= quotes:
                self._line += self._text.count("\n", self._at, match.end())
                self._at = match.end()
                self._add('"')
                return
        self._stop(_OPEN_TEXT)

    def _directive(self) -> None:
        match = _DIRECTIVE.match(self._text, self._at)
        if match is None:
            self._stop("an unknown directive")
            return
        self._at = match.end()
        word = match[1]
        said = match[0][match.end(1) - match.start() :].partition("//")[0].strip()
        if word == "if":
            self._is_conditional = True
            self._branches.append((self._line, self._depth, len(self._found)))
            self._enter(said, self._condition)
        elif word in ("elif", "else", "endif"):
            self._end_branch(word)
            before, around = self._condition or (_UNKNOWN, None)
            if word == "endif":
                self._enter("", around)
            else:
                self._enter(said if word == "elif" else _opposite(before), around)
            if word == "endif" and self._branches:
                self._branches.pop()

    def _end_branch(self, word: str) -> None:
        """End a branch, in which all brackets must be closed."""
        if not self._branches:
            self._stop(f"#{word} has no #if")
            return
        line, depth, start = self._branches[-1]
        if self._depth != depth:
            found = bracket_fault(self._found[start:], self._text)
            at, said = found or Fault(line, "brackets are not balanced")
            self._stop(f"{said} in its branch of #if (line {line})", at)
        self._branches[-1] = line, depth, len(self._found)

    def _enter(self, condition: str, around: Condition) -> None:
        """Begin a part of the source, without a condition after a branch."""
        self._condition = (condition, around) if condition else around
        self._regions.append((self._line + 1, self._condition))


def _opposite(condition: str) -> str:
    """Return the condition of ``#else`` behind another branch."""
    if not _SYMBOL.fullmatch(condition):
        return _UNKNOWN
    return condition[1:] if condition.startswith("!") else f"!{condition}"
