"""Lookups in ``asset-db.index`` by bisection of mapped columns.

``assetdb.store.indexes.writer`` writes and documents it. Imports nothing that would delay a one-shot command.
"""

from __future__ import annotations

import sys
from bisect import bisect_left

from assetdb.errors import DatabaseError

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

MAGIC: Final = b"UADINDEX"
VERSION: Final = 5
TAIL: Final = 8  # bytes of the supplement's size, at the end of the file
# Magic, version and byte order (uint32), digest (16 bytes); six uint64: database, assets, folders, and of the graph.
HEADER_SIZE: Final = 80
_NUMBERS: Final = 32  # where the six start
_ORDER: Final = 0 if sys.byteorder == "little" else 1
NODE_SIZE: Final = 4
"""Bytes of a node's number, and of a start, in a graph."""
_LOW_HALF: Final = (1 << 64) - 1


class Index:
    """A mapped index: columns are views, the graph is made on demand."""

    def __init__(self, data: memoryview) -> None:
        """Take the bytes of an index.

        Raises:
            DatabaseError: they are not an index of this version and this machine's byte order.
        """
        head = bytes(data[:HEADER_SIZE])
        if len(head) < HEADER_SIZE:
            raise DatabaseError("the index is cut short")
        if head[:16] != preamble():
            raise DatabaseError("the index is of another version")
        self.digest = head[16:_NUMBERS]
        numbers = memoryview(head)[_NUMBERS:].cast("Q")
        self.database_size, self.count, self.folder_count, has_graph, externals, edges = numbers
        count, folder_count = self.count, self.folder_count
        ends = HEADER_SIZE + 24 * count + 16 * folder_count
        paths = ends + 8 * folder_count + 8
        if paths > len(data):
            raise DatabaseError("the index is cut short")
        column = HEADER_SIZE + 8 * count
        self._high = data[HEADER_SIZE:column].cast("Q")
        self._low = data[column : column + 8 * count].cast("Q")
        column += 8 * count
        self.offsets = data[column : column + 8 * count].cast("Q")
        column += 8 * count
        self._folder_high = data[column : column + 8 * folder_count].cast("Q")
        self._folder_low = data[column + 8 * folder_count : ends].cast("Q")
        self._folder_ends = data[ends:paths].cast("Q")
        paths_end = paths + (self._folder_ends[-1] if folder_count else 0)
        end = paths_end + (graph_size(count, externals, edges) if has_graph else 0)
        supplement_end = end + int.from_bytes(data[-TAIL:], sys.byteorder)
        if supplement_end + TAIL != len(data):
            raise DatabaseError("the index is cut short")
        self._paths = data[paths:paths_end]
        self._graph_sizes = (externals, edges) if has_graph else None
        self._graph_bytes = data[paths_end:end]
        self._supplement_bytes = data[end:supplement_end]

    def release(self) -> None:
        """Release the mapped file; later lookups fail."""
        for part in (self._high, self._low, self.offsets, self._folder_high, self._folder_low, self._folder_ends):
            part.release()
        for part in (self._paths, self._graph_bytes, self._supplement_bytes):
            part.release()

    @property
    def graph_parts(self) -> tuple[memoryview, memoryview, memoryview, int, int] | None:
        """Arguments of ``assetdb.store.indexes.graph.Graph``; None if made from a database alone."""
        return (self._graph_bytes, self._high, self._low, *self._graph_sizes) if self._graph_sizes else None

    @property
    def supplement_bytes(self) -> bytes:
        """The bytes of an ``assetdb.store.indexes.supplement.Supplement``."""
        return bytes(self._supplement_bytes)

    def row(self, high: int, low: int) -> int:
        """Return the row of an asset by its GUID's halves, or -1."""
        column = self._high
        row = bisect_left(column, high)
        if row == self.count or column[row] != high:
            return -1
        if self._low[row] == low:
            return row
        found = find_row(column, self._low, high << 64 | low)  # another with the same first half, or none
        return -1 if found is None else found

    def folder_row(self, guid: int) -> int:
        """Return the row of a folder's GUID, or -1."""
        found = find_row(self._folder_high, self._folder_low, guid)
        return -1 if found is None else found

    def span(self, row: int) -> tuple[int, int]:
        """Return start and end of a row's entry in the database."""
        offsets = self.offsets
        return offsets[row], offsets[row + 1] if row + 1 < self.count else self.database_size

    def guid(self, row: int) -> bytes:
        """Return the GUID of a row, 16 bytes."""
        return self._high[row].to_bytes(8, "big") + self._low[row].to_bytes(8, "big")

    @property
    def halves(self) -> tuple[memoryview, memoryview]:
        """The GUIDs of all rows, as two columns."""
        return self._high, self._low

    def guids(self) -> bytes:
        """Return packed GUIDs of all assets, then of all folders."""
        return packed_guids(b"".join((self._high, self._folder_high)), b"".join((self._low, self._folder_low)))

    def folder_columns(self) -> bytes:
        """Return the bytes of all folders, GUIDs and paths."""
        return b"".join((self._folder_high, self._folder_low, self._folder_ends, self._paths))

    def folder(self, row: int) -> str:
        """Return the path of the folder of a row."""
        return bytes(self._paths[self._folder_ends[row] : self._folder_ends[row + 1]]).decode("utf-8", "replace")

    def folders(self) -> Iterable[tuple[str, str]]:
        """Return GUID and path of every folder, by GUID."""
        for row, (high, low) in enumerate(zip(self._folder_high, self._folder_low, strict=True)):
            yield f"{high << 64 | low:032x}", self.folder(row)


def find_row(high: memoryview, low: memoryview, guid: int) -> int | None:
    """Return a GUID's row in two columns of halves, or None."""
    wanted = guid >> 64
    row = bisect_left(high, wanted)
    count = len(high)
    rest = guid & _LOW_HALF
    while row < count and high[row] == wanted:
        if low[row] == rest:
            return row
        row += 1
    return None


def packed_guids(high: bytes, low: bytes) -> bytes:
    """Return the GUIDs of two columns of halves, 16 bytes each."""
    from array import array  # noqa: PLC0415 - an answer does without

    words = array("Q", bytes(len(high) + len(low)))
    words[0::2], words[1::2] = array("Q", high), array("Q", low)
    if sys.byteorder == "little":
        words.byteswap()
    return words.tobytes()


def graph_size(count: int, external_count: int, edge_count: int) -> int:
    """Return a graph's size in bytes, by assets, externals and edges."""
    return external_count * 16 + (2 * count + external_count + 2 + 2 * edge_count) * NODE_SIZE


def preamble() -> bytes:
    """Return the first bytes of an index of this version."""
    return MAGIC + VERSION.to_bytes(4, sys.byteorder) + _ORDER.to_bytes(4, sys.byteorder)
