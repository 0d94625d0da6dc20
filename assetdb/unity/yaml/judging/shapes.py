"""Shapes of objects that Unity certainly reads.

The shape of a text is what remains without its letters and digits: indentation, dashes, colons, braces. Objects of one
class have few shapes (8,247 in the 79,470 of unitystation), and their lines have even fewer. So an automaton
that is built while it runs (a state is a dictionary from the shape of a line to the next state) accepts an object in a
tenth of the time that reading it takes.

It leaves everything rare in doubt: most wrapped and all quoted texts, quotes and brackets in braces. Two faults it
cannot see, because letters alone tell them: ``key:value`` without a space, and a line whose key has as many spaces as
its indentation lacks (``near clip plane: 1``, whose line seems to be deeper). Callers look for those in the bytes.
"""

from __future__ import annotations

import re
from functools import reduce
from operator import getitem

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

_LETTERS: Final = bytes(range(0x30, 0x3A)) + bytes(range(0x41, 0x5B)) + bytes(range(0x61, 0x7B)) + b"_."
_NEGATIVE: Final = b": -"
_POSITIVE: Final = b": "
_ATOM: Final = rb"[^\x00-\x1f{}\[\],'\":\\]*+"
_PAIRS: Final = rb"%b: %b(?>(?:, %b: %b){0,999})" % (_ATOM, _ATOM, _ATOM, _ATOM)
_KEY: Final = rb"(:|[^-\x00-\x1f:'\"{\[#][^\x00-\x1f:'\"]*+:)(?: (.*+))?\Z"
_LINE: Final = re.compile(rb"( *+)((?:- )*+)(?:%b)?(.*+)\Z" % _KEY, re.DOTALL)
_FLOW: Final = re.compile(rb"\{(?:%b)?\}" % _PAIRS)
_OPEN_FLOW: Final = re.compile(rb"\{%b," % _PAIRS)
_MORE_FLOW: Final = re.compile(rb" *+%b(?:(,)|\})" % _PAIRS)
_EMPTY: Final = re.compile(rb"(?:\[\])++")  # the indices of a property path, too
_PLAIN: Final = re.compile(rb"(?! *[{\['\"])[^\x00-\x1f]*+")  # a value may be behind several spaces
_COLON: Final = re.compile(rb":(?: |\Z)")
# A plain text that may go on, and a line that it may go on with, which is no key, item or text with a quote
# (``m_SerializableType: System.Single, mscorlib,`` and below it ``PublicKeyToken=b77a5c561934e089``).
_WRAPPED: Final = re.compile(rb"[^ '\"{\[|>:#\x00-\x1f][^:#\x00-\x1f]*+|")
_CONTINUATION: Final = re.compile(rb"( *+)[=,;/+()<>][^:'\"#{}\[\]\\\x00-\x1f]*+")
_RESERVED: Final = re.compile(rb"[@%`]")  # libyaml reads none at the beginning of a plain text
_DEEPEST: Final = 64
_BLANK_LINE: Final = b"\n\n"
_MOST_STATES: Final = 4096
_LONGEST_LINE: Final = 200
_MOST_LINES: Final = 50_000  # that all states remember: 2,000 for unitystation
_LARGEST_OBJECT: Final = 4096
_MOST_BYTES: Final = 16 << 20  # of objects that are remembered
_MAPPING: Final = False
_LIST: Final = True
_ROOT: Final = ((0, _MAPPING),)
_NONE: Final = -1

_Open = tuple[tuple[int, bool], ...]
_Key = tuple[_Open, int, bool, int]


def shape_of(text: bytes) -> bytes:
    """Return the shape of a text."""
    return text.translate(None, _LETTERS).replace(_NEGATIVE, _POSITIVE)


class Shapes:
    """The shapes that were accepted so far, for one of Unity's readers."""

    def __init__(self, *, libyaml: bool, of_metas: bool = False) -> None:
        """Know none.

        Args:
            libyaml: whether Unity up to 2019.2 reads the texts.
            of_metas: whether they are metas, which have no class in their first line.
        """
        self.libyaml = libyaml
        self.states: dict[_Key, _State] = {}
        self.doubt = _Doubt(self, ((), _NONE, False, _NONE))
        self._start = (
            _State(self, (_ROOT, _NONE, False, _NONE)) if of_metas else _Start(self, ((), _NONE, False, _NONE))
        )
        self._objects: set[bytes] = set()
        self._bytes = 0
        self.lines = 0

    @property
    def is_full(self) -> bool:
        """Whether no more is remembered, and most shapes would be in doubt."""
        return len(self.states) >= _MOST_STATES or self.lines >= _MOST_LINES or self._bytes >= _MOST_BYTES

    def knows(self, shape: bytes) -> bool:
        """Whether the shape of an object was remembered."""
        return shape in self._objects

    def remember(self, shape: bytes) -> None:
        """Know a shape from now on, if it is small."""
        if len(shape) <= _LARGEST_OBJECT and self._bytes < _MOST_BYTES:
            self._objects.add(shape)
            self._bytes += len(shape)

    def accepts(self, shape: bytes) -> bool:
        """Whether Unity certainly reads an object of a shape.

        Args:
            shape: of the rest of its header and of all its lines, without the last line end.
        """
        if b"\r" in shape:
            shape = shape.replace(b"\r\n", b"\n").removesuffix(b"\r")
        shape = shape.rstrip(b"\n")
        if _BLANK_LINE in shape:
            return False  # as each of its lines would say, of which a file may have 50 million
        lines = shape.split(b"\n")
        del lines[0]
        last = reduce(getitem, lines, self._start)
        return last is not self.doubt and not last.is_flow

    def state(self, key: _Key) -> _State:
        """Return the one state of a key."""
        found = self.states.get(key)
        if found is None:
            if len(self.states) >= _MOST_STATES or len(key[0]) > _DEEPEST:
                return self.doubt
            found = self.states[key] = _State(self, key)
        return found


class _State(dict[bytes, "_State"]):
    """Open mappings and lists behind a line, with the next states."""

    def __init__(self, shapes: Shapes, key: _Key) -> None:
        super().__init__()
        self._shapes = shapes
        self._open, self._waiting, self.is_flow, self._text = key

    def __missing__(self, line: bytes) -> _State:
        found = self._after(line)
        if len(line) <= _LONGEST_LINE and self._shapes.lines < _MOST_LINES:
            self._shapes.lines += 1
            self[line] = found
        return found

    def _after(self, line: bytes) -> _State:
        if self._shapes.libyaml and _RESERVED.search(line):
            return self._shapes.doubt
        if self.is_flow:
            more = _MORE_FLOW.fullmatch(line)
            return (
                self._shapes.doubt
                if more is None
                else self._shapes.state((self._open, _NONE, more[1] is not None, _NONE))
            )
        if self._text != _NONE:
            wrapped = _CONTINUATION.fullmatch(line)
            if wrapped is not None and len(wrapped[1]) > self._text:
                return self
        match = _LINE.match(line)
        if match is None:
            return self._shapes.doubt
        column, dashes, key = len(match[1]), len(match[2]) // 2, match[3]
        if dashes > _DEEPEST:
            return self._shapes.doubt
        value = (match[4] if key else match[5]) or b""
        is_open = bool(key) and match[4] is None
        opened = self._opened(column, is_item=bool(dashes))
        is_flow = value.startswith(b"{") and _OPEN_FLOW.fullmatch(value) is not None
        if opened is None or not (is_open or is_flow or self._is_sound(value)) or not (key or dashes):
            return self._shapes.doubt
        levels, is_value = opened
        for _ in range(dashes):
            if is_value:
                levels.append((column, _LIST))
            is_value, column = True, column + 2
        if key and is_value:
            levels.append((column, _MAPPING))
        text = column if key and not is_open and _WRAPPED.fullmatch(value) is not None else _NONE
        return self._shapes.state((tuple(levels), column if is_open else _NONE, is_flow, text))

    def _opened(self, column: int, *, is_item: bool) -> tuple[list[tuple[int, bool]], bool] | None:
        """Return the open levels before a line, None if in doubt.

        The second value is whether the line begins the value of a key.
        """
        levels = list(self._open)
        if self._waiting != _NONE and (column > self._waiting or (is_item and column == self._waiting)):
            return (levels, True) if column in (self._waiting, self._waiting + 2) else None
        while levels and levels[-1][0] > column:
            levels.pop()
        if levels and levels[-1] == (column, _LIST) and not is_item:
            levels.pop()
        return (levels, False) if levels and levels[-1] == (column, is_item) else None

    def _is_sound(self, value: bytes) -> bool:
        """Whether a value on one line is certainly read."""
        if value.startswith(b"{"):
            return _FLOW.fullmatch(value) is not None
        if value.startswith(b"["):
            return _EMPTY.fullmatch(value) is not None
        if self._shapes.libyaml and _COLON.search(value) is not None:
            return False
        return _PLAIN.fullmatch(value) is not None


class _Start(_State):
    """Before the first line, which is the class."""

    def _after(self, line: bytes) -> _State:
        return self._shapes.state((_ROOT, 0, False, _NONE)) if line == b":" else self._shapes.doubt


class _Doubt(_State):
    """Behind a line that is to be read."""

    def __missing__(self, _: bytes) -> _State:
        return self
