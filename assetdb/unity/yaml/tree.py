"""Trees of Unity's text: mappings, lists and scalars with their bytes.

It is built of nodes of :mod:`assetdb.unity.yaml.nodes`. An entry (a key with its value, or a row of a list) spans whole
lines: from its key or dash to the beginning of the line after its last one. So the texts of the entries, each behind
the indentation of their column, are the text of the mapping or list, and an entry can be taken from another file
without writing anything anew.

Of a long block only the entries are found, by the column of their lines, and each is read when its value is asked for:
a scene's largest objects have a megabyte, of which a merge looks at a few values.
"""

from __future__ import annotations

import re
from itertools import pairwise

from assetdb.unity.yaml.nodes import DEEPEST, END, KEY, LIST, MAPPING, NO_BLOCK, SCALAR, UnreadableError, read_nodes
from assetdb.unity.yaml.scalars import key_span, scalar_text

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

__all__ = ["DEEPEST", "LIST", "MAPPING", "SCALAR", "Tree", "TreeEntry", "UnreadableError", "read_tree"]

_SPACE: Final = b" \t\r\n"
_BLANK: Final = b" \t\r"
_LONG: Final = 2048
"""Bytes of a block that is read by entries; shorter ones are read whole."""
_FIRST: Final = re.compile(rb"[ \t\r\n]*?\n( *+)(?=[^ \t\r\n])")


class Tree:
    """A mapping, a list or a scalar.

    Attributes:
        data: the text that it is in.
        kind: one of the three.
        start: its first byte; of a block mapping or list its first key or dash.
        end: behind its last byte; of a block mapping or list the beginning of the next line.
        text: of a scalar.
        flow: whether it is a mapping or list in braces or brackets.
        entries: of a mapping or list.
    """

    __slots__ = ("data", "end", "entries", "flow", "kind", "start", "text")

    def __init__(self, data: bytes, kind: int, start: int, end: int, text: str = "", *, flow: bool = False) -> None:
        """Describe a node without its entries."""
        self.data = data
        self.kind = kind
        self.start = start
        self.end = end
        self.text = text
        self.flow = flow
        self.entries: list[TreeEntry] = []

    @property
    def raw(self) -> bytes:
        """Its bytes."""
        return self.data[self.start : self.end]

    @property
    def column(self) -> int:
        """The column of its first byte."""
        return _column(self.data, self.start)

    def get(self, key: str) -> Tree | None:
        """Return the value of a key, the first if it is repeated."""
        for entry in self.entries:
            if entry.key == key:
                return entry.value
        return None


class TreeEntry:
    """A key with its value, or a row of a list.

    Attributes:
        data: the text that it is in.
        key: the key's text, or ``""`` of a row.
        start: of the key or the dash.
        end: the beginning of the next line; in braces the end of the value.
    """

    __slots__ = ("_raw", "_value", "data", "end", "key", "start")

    def __init__(self, data: bytes, key: str, start: int, end: int, value: Tree | None) -> None:
        """Describe an entry, without a value if it is not read yet."""
        self.data = data
        self.key = key
        self.start = start
        self.end = end
        self._value = value
        self._raw: bytes | None = None

    @property
    def raw(self) -> bytes:
        """Its lines, without the indentation of the first."""
        if self._raw is None:
            self._raw = self.data[self.start : self.end]
        return self._raw

    @property
    def value(self) -> Tree:
        """The mapping, list or scalar behind the key or dash.

        Raises:
            UnreadableError: as of :func:`read_tree`.
        """
        if self._value is None:
            self._value = _read_value(self.data, self.start, self.end)
        return self._value


def read_tree(data: bytes) -> Tree:
    """Return the tree of one document or of a meta.

    Args:
        data: the lines after the document's header, from the end of its line on.

    Raises:
        UnreadableError: Unity does not read it, or it is deeper than :data:`DEEPEST`. Of a long text, that may also be
            raised where a value is asked for.
    """
    first = _FIRST.match(data)
    if len(data) > _LONG and first is not None and not first[1]:
        tree = _by_entries(data, first.end(), len(data), 0)
        if tree is not None:
            return tree
    return _built(data, data, 0)


def scalars(tree: Tree) -> Iterator[Tree]:
    """Yield scalars and empty containers below a node, in order."""
    waiting = [tree]
    while waiting:
        found = waiting.pop()
        if found.entries:
            waiting += [entry.value for entry in reversed(found.entries)]
        else:
            yield found


def _built(data: bytes, part: bytes, shift: int) -> Tree:
    """Return the tree of a part of a text, read whole.

    Args:
        data: the whole text.
        part: the part that is read, with its columns.
        shift: by how much its places are smaller than places in the text.
    """
    root: Tree | None = None
    above: list[Tree] = []
    keys: list[tuple[str, int]] = []
    for node in read_nodes(part):
        kind, start, end = node.kind, node.start + shift, node.end + shift
        if kind == KEY:
            keys[-1] = node.text, start
            continue
        if kind == END:
            closed = above.pop()
            keys.pop()
            closed.end = start
            if not closed.flow:
                _close(data, closed)
            elif above:
                above[-1].entries[-1].end = start
            continue
        tree = Tree(data, kind, start, end, node.text, flow=node.flow)
        if above:
            parent = above[-1]
            key, begin = keys[-1] if parent.kind == MAPPING else ("", -1)
            if begin < 0:
                begin = start if parent.flow else _dash(data, start)
            parent.entries.append(TreeEntry(data, key, begin, end, tree))
        elif root is None:
            root = tree
        if kind != SCALAR:
            above.append(tree)
            keys.append(("", -1))
    return root if root is not None else Tree(data, SCALAR, len(data), len(data))


def _read_value(data: bytes, start: int, end: int) -> Tree:
    """Return the value of an entry that was found by its column."""
    column = _column(data, start)
    if end - start > _LONG:
        tree = _long_value(data, start, end, column)
        if tree is not None:
            return tree
    part = b"\n" + b" " * column + data[start:end]
    entries = _built(data, part, start - column - 1).entries
    if len(entries) != 1:
        raise UnreadableError.of(NO_BLOCK, data, start)
    return entries[0].value


def _long_value(data: bytes, start: int, end: int, column: int) -> Tree | None:
    """Return a long block behind a key or dash, or None."""
    line_end = data.find(b"\n", start, end)
    if data[start : start + 1] == b"-" and data[start + 1 : start + 2] == b" ":
        place = start + 1
        while data[place : place + 1] == b" ":
            place += 1
        is_block = place < line_end and key_span(data, place, line_end)[0] >= 0 and data[place] not in b"{[-"
        return _by_entries(data, place, end, column + place - start) if is_block else None
    behind = key_span(data, start, line_end)[1]
    first = _FIRST.match(data, line_end, end)
    if behind < 0 or data[behind:line_end].strip(_BLANK) or first is None:
        return None
    return _by_entries(data, first.end(), end, len(first[1]))


def _by_entries(data: bytes, start: int, end: int, column: int) -> Tree | None:
    """Return a block with unread entries, or None.

    A line at the block's column begins an entry, but for one inside of a quoted text: so entries with quotes are read.
    """
    if column > DEEPEST:
        return None
    dash = data[start : start + 1] == b"-" and data[start + 1 : start + 2] in (b" ", b"\n", b"\r")
    tree = Tree(data, LIST if dash else MAPPING, start, end)
    starts = [*_starts(data, start, end, column, dash=dash), end + column]
    has_quotes = data.find(b"'", start, end) >= 0 or data.find(b'"', start, end) >= 0
    for place, following in pairwise(starts):
        key = ""
        if not dash:
            line_end = data.find(b"\n", place, end)
            key_end, _, quote = key_span(data, place, line_end if line_end >= 0 else end)
            if key_end < 0:
                return None
            key = scalar_text(data[place:key_end], quote)
        entry = TreeEntry(data, key, place, following - column, None)
        tree.entries.append(entry)
        if has_quotes and (data.find(b"'", place, entry.end) >= 0 or data.find(b'"', place, entry.end) >= 0):
            try:
                entry._value = _read_value(data, place, entry.end)  # noqa: SLF001 - its own
            except UnreadableError:
                return None
    return tree


def _starts(data: bytes, start: int, end: int, column: int, *, dash: bool) -> list[int]:
    """Return the places of a block's keys or dashes."""
    begins = rb"-(?=[ \t\r\n])" if dash else rb"(?!-[ \t\r\n])[^ \t\r\n]"
    lines = re.compile(rb"\n%b(?=%b)" % (b" " * column, begins))  # a literal beginning is searched for faster
    return [start, *[found.end() for found in lines.finditer(data, start, end)]]


def _column(data: bytes, place: int) -> int:
    return place - data.rfind(b"\n", 0, place) - 1


def _close(data: bytes, tree: Tree) -> None:
    """Let each entry of a block end before the next line."""
    end = tree.end
    for entry in reversed(tree.entries):
        entry.end = end
        end = data.rfind(b"\n", 0, entry.start) + 1


def _dash(data: bytes, start: int) -> int:
    """Return the place of the dash before a row's value."""
    place = start - 1
    while place >= 0 and data[place] in _SPACE:
        place -= 1
    return place
