"""The text of an open document: immutable, in chunks.

A scene of 30 MB has some 480 chunks. All but the last end with a line feed, so each line of YAML lies in one; what was
found in a chunk (line starts, documents) is kept while others are edited. Bytes are UTF-8; positions are as in the
protocol, whose columns count code units of UTF-8, UTF-16 or UTF-32.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from assetdb.lsp.protocol.capabilities import UTF_8, UTF_32
from assetdb.unity.yaml.documents import NEXT_DOCUMENT, cut

if TYPE_CHECKING:
    from collections.abc import Sequence

_CHUNK: Final = 1 << 16  # bytes; an edit copies one
_SMALL: Final = 1 << 12  # smaller chunks are joined with the next one, or edits would leave thousands
_LONG: Final = (
    1 << 12
)  # bytes of a line from which positions are counted on from the one before: links ask for thousands
_BREAK: Final = re.compile(rb"\r\n?|\n")
_HEAD: Final = NEXT_DOCUMENT[1:]


class Chunk:
    """A part of a text with its documents."""

    __slots__ = ("_anchors", "_documents", "_starts", "breaks", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.breaks = data.count(b"\n")
        """How many line breaks it has: LF, CR LF, or CR alone."""
        if b"\r" in data:
            self.breaks += data.count(b"\r") - data.count(b"\r\n")
        self._starts: list[int] | None = None
        self._documents: list[tuple[int, int, bool, int, int]] | None = None
        self._anchors: dict[int, int] | None = None

    @property
    def starts(self) -> list[int]:
        """Where its lines begin, that behind its last line break too."""
        if self._starts is None:
            self._starts = [0, *(found.end() for found in _BREAK.finditer(self.data))]
        return self._starts

    @property
    def documents(self) -> list[tuple[int, int, bool, int, int]]:
        """The YAML documents that begin in it, as ``assetdb.unity.yaml.documents.cut`` has them."""
        if self._documents is None:
            self._documents = list(cut(self.data))
        return self._documents

    @property
    def anchors(self) -> dict[int, int]:
        """The number of the first document of each fileID."""
        if self._anchors is None:
            rows = self.documents
            self._anchors = {rows[number][1]: number for number in range(len(rows) - 1, -1, -1)}
        return self._anchors

    @property
    def boundary(self) -> int:
        """Where the first document begins, -1 where none does."""
        return 0 if self.data.startswith(_HEAD) else self.data.find(NEXT_DOCUMENT) + 1 or -1


class Text:
    """An immutable text in chunks.

    ``offsets`` and ``lines`` tell where each chunk begins, in bytes and by its first line, and where the last one ends.
    """

    __slots__ = ("_counted", "chunks", "lines", "offsets")

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.chunks = chunks or [Chunk(b"")]
        self.offsets = [0, *accumulate(len(chunk.data) for chunk in self.chunks)]
        self.lines = [0, *accumulate(chunk.breaks for chunk in self.chunks)]
        self._counted = -1, "", 0, 0
        """The last position far behind in a line: line, encoding, byte, units."""

    @classmethod
    def of(cls, data: bytes, *, chunk: int = _CHUNK) -> Text:
        """Return the text of UTF-8 in chunks of about a size."""
        return cls(_chunks(data, chunk))

    @property
    def size(self) -> int:
        """Its length in bytes."""
        return self.offsets[-1]

    @property
    def line_count(self) -> int:
        """How many lines it has; an empty text has one."""
        return self.lines[-1] + 1

    @property
    def data(self) -> bytes:
        """All of it."""
        return b"".join(chunk.data for chunk in self.chunks)

    def slice(self, start: int, end: int) -> bytes:
        """Return the bytes from ``start`` to ``end``."""
        if start >= end:
            return b""
        number = self.chunk_at(start)
        offset = self.offsets[number]
        if end <= self.offsets[number + 1]:
            return self.chunks[number].data[start - offset : end - offset]
        parts = [self.chunks[number].data[start - offset :]]
        number += 1
        while number < len(self.chunks) and self.offsets[number] < end:
            parts.append(self.chunks[number].data[: end - self.offsets[number]])
            number += 1
        return b"".join(parts)

    def chunk_at(self, offset: int) -> int:
        """Return the number of the chunk around a byte, or the last."""
        return min(bisect_right(self.offsets, offset) - 1, len(self.chunks) - 1)

    # --- lines

    def line_start(self, line: int) -> int:
        """Return the start of a line, or the end of the text."""
        if line >= self.line_count:
            return self.size
        number = min(bisect_right(self.lines, line) - 1, len(self.chunks) - 1)
        return self.offsets[number] + self.chunks[number].starts[line - self.lines[number]]

    def line_at(self, offset: int) -> int:
        """Return the number of the line that has a byte."""
        number = self.chunk_at(offset)
        return self.lines[number] + bisect_right(self.chunks[number].starts, offset - self.offsets[number]) - 1

    def line(self, line: int) -> bytes:
        """Return a line without its line break."""
        data = self.slice(self.line_start(line), self.line_start(line + 1))
        if data.endswith(b"\n"):
            return data[:-2] if data.endswith(b"\r\n") else data[:-1]
        return data.removesuffix(b"\r")

    # --- positions

    def offset_at(self, line: int, character: int, encoding: str) -> int:
        """Return the byte at a position, at most the line's end."""
        if line < 0:
            return 0
        if line >= self.line_count:
            return self.size
        return self.line_start(line) + _bytes_of(self.line(line), max(0, character), encoding)

    def position_at(self, offset: int, encoding: str) -> tuple[int, int]:
        """Return line and character of a byte."""
        offset = max(0, min(offset, self.size))
        line = self.line_at(offset)
        start = first = self.line_start(line)
        units = 0
        known = self._counted  # read once: several threads ask
        if known[:2] == (line, encoding) and first < known[2] <= offset:
            start, units = known[2:]
        units += _units_of(self.slice(start, offset), encoding)
        if offset - first > _LONG and self.slice(offset, offset + 1) < b"\x80":
            self._counted = line, encoding, offset, units
        return line, units

    # --- edits

    def edited(self, start: int, end: int, new: bytes, *, chunk: int = _CHUNK) -> Text:
        """Return the text with a range replaced."""
        end = max(start, end)
        first = self.chunk_at(start)
        last = max(first, self.chunk_at(end))
        merged = self.chunks[first].data[: start - self.offsets[first]] + new
        merged += self.chunks[last].data[end - self.offsets[last] :]
        small = min(_SMALL, chunk)
        while last + 1 < len(self.chunks) and (len(merged) < small or not merged.endswith(b"\n")):
            last += 1
            merged += self.chunks[last].data
        return Text([*self.chunks[:first], *_chunks(merged, chunk), *self.chunks[last + 1 :]])


def _chunks(data: bytes, size: int) -> list[Chunk]:
    """Cut bytes behind line feeds."""
    chunks = []
    start = 0
    while start < len(data):
        end = data.find(b"\n", start + size) + 1 if start + size < len(data) else 0
        chunks.append(Chunk(data[start : end or len(data)]))
        start = end or len(data)
    return chunks


def _bytes_of(line: bytes, units: int, encoding: str) -> int:
    """Return the bytes of a line's first code units, whole characters only."""
    if line.isascii():
        return min(units, len(line))
    if encoding == UTF_8:
        units = min(units, len(line))
        while 0 < units < len(line) and line[units] & 0xC0 == 0x80:
            units -= 1
        return units
    text = line.decode("utf-8", "replace")
    if encoding == UTF_32:
        return len(text[:units].encode())
    return len(text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore").encode())


def _units_of(data: bytes, encoding: str) -> int:
    """Return how many code units bytes have."""
    if encoding == UTF_8 or data.isascii():
        return len(data)
    text = data.decode("utf-8", "replace")
    return len(text) if encoding == UTF_32 else len(text.encode("utf-16-le")) // 2
