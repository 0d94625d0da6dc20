"""One lookup in an ``asset-db.bin`` with its index, without the modules that ``assetdb.database`` needs.

Those take 12 ms to import (``re``, ``struct``, ``contextlib``, the decoder), which a command that names one reference
would spend on nothing else; this takes 0.3. It reads what ``assetdb.store`` describes and checks what it reads; on any
doubt it says so, and ``assetdb.database`` is asked instead.
"""

from __future__ import annotations

import mmap
import os
import sys

from assetdb.errors import DatabaseError
from assetdb.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

_INDEX_MAGIC: Final = b"UADINDEX"
_INDEX_VERSION: Final = 2
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


class PocketAsset(NamedTuple):
    """What a reference needs to know of an asset; as in ``assetdb.store.database.Asset``."""

    guid: str
    class_id: int
    script: str
    path: str


class PocketDatabase:
    """Finds assets and folders by GUID."""

    def __init__(self, path: str) -> None:
        """Open a database and the index beside it.

        Raises:
            DoubtError: there is no index that surely belongs to it.
        """
        self._data, written = _mapped(path)
        self._index, indexed = _mapped(os.path.join(os.path.dirname(path), "asset-db.index"))
        head = self._index[:_INDEX_HEADER]
        if (
            head[:8] != _INDEX_MAGIC
            or _u32(head, 8) != _INDEX_VERSION
            or _u32(head, 12) != (0 if sys.byteorder == "little" else 1)
            or _u64(head, 32) != len(self._data)
            or indexed < written
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
        self._scripts = self._position

    def by_guid(self, guid: str) -> PocketAsset | None:
        """Return the asset with a GUID (32 hex digits), or None.

        Raises:
            DoubtError: its entry is damaged.
        """
        row = self._find(_INDEX_HEADER, self._count, int(guid, 16))
        if row < 0:
            return None
        self._position = _u64(self._index, _INDEX_HEADER + 8 * (2 * self._count + row))
        if self._unsigned() != int(guid, 16):
            raise DoubtError(guid)
        kind = self._unsigned()
        class_id = self._unsigned()
        self._skip_text()
        for _ in range(self._unsigned()):
            self._unsigned()
            self._unsigned()
            self._skip_text()
        size = self._unsigned()
        path = self._data[self._position : self._position + size].decode("utf-8", "replace")
        if kind == 0:
            return PocketAsset(guid, class_id, "", path)
        if class_id >= self._script_count:
            raise DoubtError(guid)
        self._position = self._scripts
        for _ in range(class_id):
            self._unsigned()
        return PocketAsset(guid, 114, f"{self._unsigned():032x}", path)

    def folder(self, guid: str) -> str | None:
        """Return the path of the folder with a GUID, or None."""
        row = self._find(self._folders, self._folder_count, int(guid, 16))
        if row < 0:
            return None
        ends = self._folders + 16 * self._folder_count
        paths = ends + 8 * self._folder_count + 8
        start, end = _u64(self._index, ends + 8 * row), _u64(self._index, ends + 8 * row + 8)
        return self._index[paths + start : paths + end].decode("utf-8", "replace")

    def close(self) -> None:
        """Give the files back."""
        for data in (self._data, self._index):
            if isinstance(data, mmap.mmap):
                data.close()

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

    def _skip_text(self) -> None:
        size = self._unsigned()
        self._position += size


def _mapped(path: str) -> tuple[mmap.mmap | bytes, int]:
    """Return the bytes of a file and the time of its last change (ns)."""
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if status.st_size else b""
    except OSError as error:
        raise DoubtError(path) from error
    return data, status.st_mtime_ns


def _u32(data: bytes, start: int) -> int:
    return int.from_bytes(data[start : start + 4], sys.byteorder)


def _u64(data: bytes | mmap.mmap, start: int) -> int:
    return int.from_bytes(data[start : start + 8], sys.byteorder)
