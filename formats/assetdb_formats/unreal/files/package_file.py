"""Packages as files: header in memory, the rest piece by piece."""

from __future__ import annotations

import os
from struct import Struct
from typing import TYPE_CHECKING, Final

from assetdb_formats.files import open_descriptor
from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.summary import PACKAGE_TAG
from assetdb_formats.unreal.strings import string_at
from assetdb_formats.unreal.versions import OLDEST_LEGACY

if TYPE_CHECKING:
    from typing import Protocol

    class Source(Protocol):
        """Bytes to be read by offset."""

        size: int

        def read(self, offset: int, size: int) -> bytes:
            """Return ``size`` bytes at ``offset``, or raise UnrealError."""
            ...


_I32: Final = Struct("<i")
_TAG: Final = PACKAGE_TAG.to_bytes(4, "little")
_FIRST_READ: Final = 1 << 16  # holds the header of nineteen packages in twenty
_LARGEST_HEADER: Final = 256 << 20  # bytes; the largest of 10,500 real ones has 6 MB
_LARGEST_PIECE: Final = 256 << 20
_WINDOW: Final = 1 << 18  # bytes read at once: exports lie one behind the other, most have a few hundred


class BytesSource:
    """Bytes in memory."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.size = len(data)

    def read(self, offset: int, size: int) -> bytes:
        """Return ``size`` bytes at ``offset``."""
        _check(offset, size, self.size)
        return self._data[offset : offset + size]


class FileSource:
    """A regular file that is opened anew for each read."""

    def __init__(self, path: str) -> None:
        """Look at the file.

        Raises:
            OSError: if it cannot be opened, or is a pipe or device.
        """
        self._path = path
        descriptor = open_descriptor(path)
        try:
            self.size = os.fstat(descriptor).st_size
        finally:
            os.close(descriptor)
        self._window = b""
        self._start = 0

    def read(self, offset: int, size: int) -> bytes:
        """Return ``size`` bytes at ``offset``.

        Raises:
            UnrealError: if they do not lie in the file, or are more than is ever read at once.
            OSError: if the file cannot be read.
        """
        _check(offset, size, self.size)
        if size > _LARGEST_PIECE:
            raise UnrealError(f"{size} bytes; at most {_LARGEST_PIECE} are read at once", offset=offset, field="data")
        if offset < self._start or offset + size > self._start + len(self._window):
            self._window = b""  # not both in memory
            self._window = self._read(offset, min(max(size, _WINDOW), self.size - offset))
            self._start = offset
        found = self._window[offset - self._start : offset - self._start + size]
        if len(found) < size:
            raise UnrealError(f"the file ends after {len(found)} of {size} bytes", offset=offset, field="data")
        return found

    def _read(self, offset: int, size: int) -> bytes:
        descriptor = open_descriptor(self._path)
        try:
            os.lseek(descriptor, offset, os.SEEK_SET)
            return _read_whole(descriptor, size)
        finally:
            os.close(descriptor)


def spellings(extension: str) -> tuple[str, str]:
    """Return an extension in small letters and in capitals."""
    return extension, extension.upper()


def file_beside(path: str, extension: str) -> FileSource | None:
    """Return the file with an extension beside a package, or None.

    Where names have a case, the files of ``TOWN.UMAP`` are ``TOWN.UEXP`` and ``TOWN.UBULK``.

    Raises:
        OSError: if it is there and cannot be opened, or is a pipe or device.
    """
    stem = os.path.splitext(path)[0]
    for each in spellings(extension):
        try:
            return FileSource(stem + each)
        except FileNotFoundError:
            continue
    return None


def _check(offset: int, size: int, whole: int) -> None:
    if size < 0 or not 0 <= offset <= whole - size:
        raise UnrealError(f"{size} bytes at {offset} do not lie in {whole}", offset=offset, field="data")


def _read_whole(descriptor: int, size: int) -> bytes:
    """Read ``size`` bytes; fewer where the file ends."""
    data = os.read(descriptor, size)
    if len(data) == size:
        return data
    parts = [data]
    left = size - len(data)
    while left > 0 and parts[-1]:
        parts.append(os.read(descriptor, left))
        left -= len(parts[-1])
    return b"".join(parts)


def read_header(path: str) -> tuple[bytes, bool]:
    """Read the header of a package, and small files whole.

    Returns:
        The bytes, and whether they are the whole file.

    Raises:
        OSError: the file cannot be read, or is a pipe or device.
        UnrealError: the stated header size is larger than any.
    """
    descriptor = open_descriptor(path)
    try:
        data = os.read(descriptor, _FIRST_READ)
        if len(data) < _FIRST_READ:
            return data, True
        whole = os.fstat(descriptor).st_size
        size = min(header_size(data), whole)
        if size > _LARGEST_HEADER:
            what = f"a header of {size} bytes; at most {_LARGEST_HEADER} are read"
            raise UnrealError(what, offset=4, field="total_header_size")
        if size > len(data):
            data += _read_whole(descriptor, size - len(data))
        return data, len(data) == whole
    finally:
        os.close(descriptor)


def header_size(data: bytes) -> int:
    """Return the stated header size of a package, or 0.

    0 is for the first bytes of another format. It is stored before everything that depends on more than the legacy
    version: in front of the custom versions from -9 on (5.6), behind them before.
    """
    if len(data) < 64 or data[:4] != _TAG:
        return 0
    (legacy,) = _I32.unpack_from(data, 4)
    if not OLDEST_LEGACY <= legacy < 0:
        return 0
    position = 20 - 4 * (legacy == -4) + 4 * (legacy <= -8)
    if legacy <= -9:
        return max(int(_I32.unpack_from(data, position + 20)[0]), 0)
    (count,) = _I32.unpack_from(data, position)
    position += 4
    if -5 <= legacy <= -3:
        try:
            for _ in range(count):
                _, position = string_at(data, position + 20, "custom_versions")
        except UnrealError:
            return 0
    else:
        position += count * (8 if legacy == -2 else 20)
    return max(int(_I32.unpack_from(data, position)[0]), 0) if 0 <= position <= len(data) - 4 else 0
