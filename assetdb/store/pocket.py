"""One lookup in an ``asset-db.bin`` with its index, without the modules that ``assetdb.store.database`` needs.

Those take 12 ms to import (``re``, ``struct``, ``contextlib``, the decoder), which a command that names one reference
would spend on nothing else; this takes 0.3. It reads what ``assetdb.store`` describes and checks what it reads; on any
doubt it says so, and ``assetdb.store.database`` is asked instead.
"""

from __future__ import annotations

import mmap
import os
import sys

from assetdb.errors import DatabaseError, FileError
from assetdb.store.entry import decode
from assetdb.system.reading import open_regular

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Final

    from assetdb.store.entry import Asset
    from assetdb.store.graph import Graph
    from assetdb.store.supplement import Supplement

_INDEX_MAGIC: Final = b"UADINDEX"
_INDEX_VERSION: Final = 3
_INDEX_HEADER: Final = 80
_MAGIC: Final = b"UADBIN__"
_SCHEMA: Final = 6
_SMALL: Final = 251
_SIZES: Final = {251: 2, 252: 4, 253: 8, 254: 16}
_HALF: Final = 1 << 64


class DoubtError(DatabaseError):
    """The files are not what they should be, or not of this version."""

    def __init__(self, what: object) -> None:
        super().__init__(f"{what}: the database or its index is damaged: bake again")


class PocketDatabase:
    """Finds assets and folders by GUID, and who refers to whom.

    Attributes:
        statuses: what the system says of the database and of its index.
    """

    def __init__(self, path: str) -> None:
        """Open a database and the index beside it.

        Raises:
            DoubtError: there is no index that surely belongs to it.
        """
        self._data, written = mapped(path)
        self._index, indexed = mapped(os.path.join(os.path.dirname(path), "asset-db.index"))
        self.statuses = written, indexed
        head = self._index[:_INDEX_HEADER]
        if (
            head[:8] != _INDEX_MAGIC
            or _u32(head, 8) != _INDEX_VERSION
            or _u32(head, 12) != (0 if sys.byteorder == "little" else 1)
            or _u64(head, 32) != len(self._data)
            or indexed.st_mtime_ns < written.st_mtime_ns
            or self._data[:8] != _MAGIC
        ):
            raise DoubtError(path)
        self._count = _u64(head, 40)
        self._folder_count = _u64(head, 48)
        self._folders = _INDEX_HEADER + 24 * self._count
        if self._folders + 24 * self._folder_count + 8 > len(self._index):
            raise DoubtError(path)
        self._position = 8
        if self._unsigned() != _SCHEMA:
            raise DoubtError(path)
        self._script_count = self._unsigned()
        self._scripts_start = self._position
        self._scripts: list[str] | None = None
        self._graph: Graph | None = None
        self._supplement: Supplement | None = None
        self._views: list[memoryview] = []
        self._path = path

    def by_guid(self, guid: str) -> Asset | None:
        """Return the asset with a GUID (32 lower-case hex digits), or None.

        Raises:
            DoubtError: its entry is damaged.
        """
        row = self.row(guid)
        return self._entry(row, guid) if row >= 0 else None

    @property
    def counts(self) -> tuple[int, int]:
        """How many assets and folders there are."""
        return self._count, self._folder_count

    def row(self, guid: str) -> int:
        """Return the number of an asset among all, by GUID; -1 where there is none."""
        return self._find(_INDEX_HEADER, self._count, int(guid, 16))

    def folder_row(self, guid: str) -> int:
        """Return the number of a folder among all, by GUID; -1 where there is none."""
        return self._find(self._folders, self._folder_count, int(guid, 16))

    def containing(self, text: bytes) -> Iterator[Asset]:
        """Iterate over assets as ``assetdb.store.database.Database.containing`` does.

        Raises:
            DoubtError: an entry is damaged, or the index is.
        """
        from bisect import bisect_right  # noqa: PLC0415 - a GUID is looked up without

        start = _INDEX_HEADER + 16 * self._count
        size = len(self._data)
        with (
            memoryview(self._index) as index,
            index[start : start + 8 * self._count] as column,
            column.cast("Q") as offsets,
        ):
            after = offsets[0] if text and self._count else size
            position = -1
            while after < size:
                if after <= position:
                    raise DoubtError(self._path)
                position = self._data.find(text, after)
                if position < 0:
                    return
                row = bisect_right(offsets, position) - 1
                yield self._entry(row, f"{self._guid(_INDEX_HEADER, self._count, row):032x}")
                after = offsets[row + 1] if row + 1 < self._count else size

    def candidates(self, text: str) -> Iterator[Asset]:
        """Iterate over assets, in the order of their GUIDs, as ``assetdb.store.database.Database.candidates`` does.

        Raises:
            DoubtError: an entry is damaged, or the index is.
        """
        wanted = text.encode("ascii") if text.isascii() else b""
        offsets = _INDEX_HEADER + 16 * self._count
        index, data = self._index, self._data
        start = _u64(index, offsets) if self._count else 0
        for row in range(self._count):
            end = _u64(index, offsets + 8 * row + 8) if row + 1 < self._count else len(data)
            if wanted:
                # Behind a GUID of 16 bytes. Where all is ASCII, no character turns into another by its case alone.
                rest = data[start + 17 : end]
                if rest.isascii() and wanted not in rest.lower() and data[start : start + 1] == b"\xfe":
                    start = end
                    continue
            yield self._entry(row, f"{self._guid(_INDEX_HEADER, self._count, row):032x}")
            start = end

    def folder(self, guid: str) -> str | None:
        """Return the path of the folder with a GUID, or None."""
        row = self.folder_row(guid)
        if row < 0:
            return None
        ends = self._folders + 16 * self._folder_count
        paths = ends + 8 * self._folder_count + 8
        start, end = _u64(self._index, ends + 8 * row), _u64(self._index, ends + 8 * row + 8)
        return self._index[paths + start : paths + end].decode("utf-8", "replace")

    @property
    def graph(self) -> Graph:
        """Who refers to whom, as ``assetdb.store.database.Database.graph`` has it.

        Raises:
            DoubtError: the database has no graph, or its index is cut short.
        """
        if self._graph is None:
            from assetdb.store.graph import Graph, size  # noqa: PLC0415 - naming a GUID does without

            present, externals, edges = (_u64(self._index, start) for start in (56, 64, 72))
            start = self._graph_start()
            end = start + size(self._count, externals, edges)
            if not present or end > len(self._index):
                raise DoubtError(self._path)
            whole = memoryview(self._index)
            middle = _INDEX_HEADER + 8 * self._count
            high = whole[_INDEX_HEADER:middle].cast("Q")
            low = whole[middle : middle + 8 * self._count].cast("Q")
            self._views = [high, low]
            self._graph = Graph(whole[start:end], high, low, externals, edges)
        return self._graph

    @property
    def supplement(self) -> Supplement:
        """What the database has no place for.

        Raises:
            DatabaseError: it is damaged.
        """
        if self._supplement is None:
            from assetdb.store.supplement import Supplement  # noqa: PLC0415 - a name of a GUID alone does without

            end = len(self._index) - 8
            size = _u64(self._index, end)
            if size > end - self._graph_start():
                raise DoubtError(self._path)
            self._supplement = Supplement(self._index[end - size : end])
        return self._supplement

    def _graph_start(self) -> int:
        start = self._folders + 24 * self._folder_count + 8
        return start + (_u64(self._index, start - 8) if self._folder_count else 0)

    def close(self) -> None:
        """Give the files back."""
        if self._graph is not None:
            self._graph.release()
        for view in self._views:
            view.release()
        for data in (self._data, self._index):
            if isinstance(data, mmap.mmap):
                data.close()

    def _entry(self, row: int, guid: str) -> Asset:
        offsets = _INDEX_HEADER + 16 * self._count
        start = _u64(self._index, offsets + 8 * row)
        end = _u64(self._index, offsets + 8 * row + 8) if row + 1 < self._count else len(self._data)
        entry = self._data[start:end]
        scripts = self._script_guids() if entry[17:18] == b"\1" else ()
        return decode(entry, bytes.fromhex(guid), scripts) or self._thoroughly(guid, start)

    def _script_guids(self) -> Sequence[str]:
        if self._scripts is None:
            self._position = self._scripts_start
            if self._script_count > len(self._data):
                raise DoubtError(self._path)
            self._scripts = [f"{self._unsigned():032x}" for _ in range(self._script_count)]
        return self._scripts

    def _thoroughly(self, guid: str, start: int) -> Asset:
        """Decode an entry that is unusual."""
        from assetdb.store.schema import read_entry  # noqa: PLC0415 - the same
        from formats.binary import FormatError  # noqa: PLC0415 - the same
        from formats.codecs.bincode import Decoder  # noqa: PLC0415 - few entries of any project are

        try:
            asset = read_entry(Decoder(memoryview(self._data), start), self._script_guids())
        except FormatError as error:
            raise DoubtError(guid) from error
        if asset.guid != guid:
            raise DoubtError(guid)
        return asset

    def _find(self, start: int, count: int, guid: int) -> int:
        """Return the row of a GUID in the two columns of halves at ``start``, or -1."""
        low, high = 0, count
        while low < high:
            middle = (low + high) // 2
            if self._guid(start, count, middle) < guid:
                low = middle + 1
            else:
                high = middle
        return low if low < count and self._guid(start, count, low) == guid else -1

    def _guid(self, start: int, count: int, row: int) -> int:
        return _u64(self._index, start + 8 * row) * _HALF + _u64(self._index, start + 8 * (count + row))

    def _unsigned(self) -> int:
        position = self._position
        head = self._data[position : position + 1]
        size = _SIZES.get(head[0], 0) if head else -1
        if size < 0 or (size == 0 and head[0] >= _SMALL):
            raise DoubtError(position)
        self._position = position + 1 + size
        return int.from_bytes(self._data[position + 1 : position + 1 + size], "little") if size else head[0]


def mapped(path: str) -> tuple[mmap.mmap | bytes, os.stat_result]:
    """Return the bytes of a file, and what the system says of it.

    Raises:
        DoubtError: it cannot be read.
    """
    try:
        with open(open_regular(path), "rb") as file:
            status = os.fstat(file.fileno())
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if status.st_size else b""
    except (OSError, FileError) as error:
        raise DoubtError(path) from error
    return data, status


def _u32(data: bytes, start: int) -> int:
    return int.from_bytes(data[start : start + 4], sys.byteorder)


def _u64(data: bytes | mmap.mmap, start: int) -> int:
    return int.from_bytes(data[start : start + 8], sys.byteorder)
