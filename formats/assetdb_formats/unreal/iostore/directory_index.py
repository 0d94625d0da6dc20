"""The directory index of a container: file names of chunks.

A tree in three flat tables (directories, files, names), linked by numbers; 0xFFFFFFFF ends a list::

    FString mount point
    u32 n, n x {u32 name, first child, next sibling, first file}      directories; number 0 is the root
    u32 n, n x {u32 name, next file, chunk index}                     files
    u32 n, n x FString                                                names

The links are untrusted: each directory and each file may be reached once, or the index is refused as cyclic.
"""

from __future__ import annotations

import struct
import sys
from array import array
from itertools import repeat
from operator import add
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Iterator

_NONE: Final = 0xFFFFFFFF
_VISITED: Final = 0xFFFFFFFE  # more than any table has rows: the directory index is smaller than 4 GB
_PLUS_ONE: Final = bytes(range(1, 256)) + b"\0"  # translate() with it turns each len(name) into the length with its NUL
_STRING_SIZE: Final = 60  # bytes that a string costs beside its characters
_DIRECTORY_SIZE: Final = 16
_FILE_SIZE: Final = 12
_LENGTH: Final = struct.Struct("<i")
# Many files can share long folder names, so the paths of a small index can be endless. Real ones need 0.6 times
# the size of their TOC.
_PATHS_PER_BYTE: Final = 4
_PATHS_FLOOR: Final = 1 << 20


class DirectoryIndex:
    """File names of a container.

    Attributes:
        mount_point: the prefix of every path, as ``../../../Game/Content/``.
        paths: path below the mount point of every file, folder by folder.
        chunks: index of the chunk of every file, in the same order.
        directory_count: folders, the root included.
    """

    __slots__ = ("chunks", "directory_count", "mount_point", "paths")

    def __init__(self, data: bytes | memoryview, *, base: int = 0, toc_size: int = 0, padding: int = 0) -> None:
        """Read a decrypted directory index.

        Args:
            data: the index.
            base: its offset in the .utoc, for errors.
            padding: bytes that may follow the names: 15 where the index was encrypted in blocks of 16.
            toc_size: bytes of the whole .utoc, which bounds how long all paths together may be.

        Raises:
            UnrealError: a table is cut short, a number points outside its table, or the tree has a cycle.
        """
        reader = Reader(data, base=base)
        self.mount_point = read_string(reader, "directory_index.mount_point")
        directories = _table(reader, _DIRECTORY_SIZE, "directory_index.directories")
        directories_at = base + reader.position - _DIRECTORY_SIZE * (len(directories) // 4)
        files = _table(reader, _FILE_SIZE, "directory_index.files")
        places = _Places(directories_at, base + reader.position - _FILE_SIZE * (len(files) // 3))
        names = _strings(reader, padding)
        limit = max(_PATHS_FLOOR, _PATHS_PER_BYTE * max(toc_size, len(data)))
        self.directory_count = len(directories) // 4
        self.paths, self.chunks = _walk(directories, files, names, limit, places)

    def by_chunk(self, chunk_count: int) -> list[str | None]:
        """Return each chunk's path, or None; the last of several."""
        paths: list[str | None] = [None] * chunk_count
        for path, chunk in zip(self.paths, self.chunks, strict=True):
            if chunk < chunk_count:
                paths[chunk] = path
        return paths


def read_string(reader: Reader, field: str) -> str:
    """Read an FString: its i32 length (negative: UTF-16), with NUL."""
    length = reader.i32(field)
    if length >= 0:
        return reader.take(length, field)[:-1].decode("latin-1") if length else ""
    raw = reader.take(-2 * length, field)
    return raw[:-2].decode("utf-16-le", "replace")


def _table(reader: Reader, size: int, field: str) -> memoryview:
    count = reader.count(reader.u32(field), size, field)
    raw = reader.view(count * size, field)
    if sys.byteorder == "little":
        return memoryview(bytes(raw)).cast("I")
    return memoryview(struct.pack(f"={count * size // 4}I", *struct.unpack(f"<{count * size // 4}I", raw))).cast("I")


def _strings(reader: Reader, padding: int) -> list[str]:
    field = "directory_index.names"
    count = reader.count(reader.u32(field), 4, field)
    data = reader.view(reader.left, field)
    names = _short_strings(data, count, padding)
    if names is not None:
        return names
    return _all_strings(reader, bytes(data), count, reader.position - len(data), padding)


def _short_strings(data: memoryview, count: int, padding: int) -> list[str] | None:
    """Read strings of 1 to 254 characters quickly, or None.

    The characters have one byte each, as in nearly every index. Cut at every NUL, such a string is four pieces: its
    length, twice nothing, its text. A million take 0.1 s so, where unpacking length after length takes 0.2 s.
    """
    pieces = str(data, "latin-1").split("\0", 4 * count)
    rest = pieces.pop()
    if len(pieces) != 4 * count or len(rest) > padding or any(pieces[1::4]) or any(pieces[2::4]):
        return None
    names = pieces[3::4]
    try:
        lengths = bytes(map(len, names)).translate(_PLUS_ONE)
    except ValueError:  # over 255
        return None
    return names if "".join(pieces[0::4]).encode("latin-1") == lengths else None


def _all_strings(reader: Reader, data: bytes, count: int, start: int, padding: int) -> list[str]:
    """Read strings of any length and width, saying which one is wrong."""
    field = "directory_index.names"
    unpack = _LENGTH.unpack_from
    end = len(data)
    names: list[str] = []
    append = names.append
    position = 0
    for _ in range(count):  # inlined `read_string`
        if position + 4 > end:
            break
        length = unpack(data, position)[0]
        position += 4
        if length > 0:
            stop = position + length
            if stop > end:
                break
            append(data[position : stop - 1].decode("latin-1"))
            position = stop
        elif length:
            stop = position - 2 * length
            if stop > end:
                break
            append(data[position : stop - 2].decode("utf-16-le", "replace"))
            position = stop
        else:
            append("")
    if len(names) < count:
        raise reader.error("is cut short", f"{field}[{len(names)}]", offset=start + position)
    if end - position > padding:
        raise reader.error(f"{end - position} bytes follow the names", field, offset=start + position)
    return names


class _Places(NamedTuple):
    """Offsets of the tables in the .utoc, for errors."""

    directories: int
    files: int

    def directory(self, number: int, what: str) -> UnrealError:
        at = self.directories + _DIRECTORY_SIZE * number
        return UnrealError(what, offset=at, field=f"directory_index.directories[{number}]")

    def file(self, number: int, what: str) -> UnrealError:
        return UnrealError(what, offset=self.files + _FILE_SIZE * number, field=f"directory_index.files[{number}]")


def _walk(
    directories: memoryview, files: memoryview, names: list[str], limit: int, places: _Places
) -> tuple[list[str], array[int]]:
    """Return the path and the chunk of every file.

    They are in depth-first order, found without recursion, a column at a time: one loop follows the links, everything
    else is done for all files at once. Links that lead nowhere are then examined one by one.
    """
    if not len(directories):
        return [], array("I")
    try:
        order, prefixes, total = _listed(directories, files[1::3].tolist(), names)
        texts = list(map(names.__getitem__, map(files[0::3].tolist().__getitem__, order)))
        sound = total + sum(map(len, texts)) <= limit
    except (_BrokenLinkError, IndexError):
        sound = False
    if not sound:
        _raise_first_fault(directories, files, names, limit, places)
    return list(map(add, prefixes, texts)), array("I", map(files[2::3].tolist().__getitem__, order))


def _listed(directories: memoryview, following: list[int], names: list[str]) -> tuple[list[int], list[str], int]:
    """Return all file numbers, their folders' paths, and the total length.

    ``following`` is changed: a file that is reached again has an invalid number in it.

    Raises:
        _BrokenLinkError, IndexError: a link is wrong.
    """
    order: list[int] = []
    prefixes: list[str] = []
    total = 0
    for folder, file in _folders(directories, names):
        before = len(order)
        while file != _NONE:
            order.append(file)
            following[file], file = _VISITED, following[file]  # noqa: PLW2901 - a cursor
        count = len(order) - before
        total += len(folder) + count * (len(folder) + _STRING_SIZE)
        prefixes += repeat(folder, count)
    return order, prefixes, total


class _BrokenLinkError(Exception):
    """Error of links that leave their table or never end."""


def _folders(directories: memoryview, names: list[str]) -> Iterator[tuple[str, int]]:
    """Yield each directory's path (with separator) and first file.

    Raises:
        _BrokenLinkError, IndexError: a link is wrong.
    """
    count = len(directories) // 4
    seen = bytearray(count)
    pending = [(0, "")]
    while pending:
        number, parent = pending.pop()
        if seen[number]:
            raise _BrokenLinkError
        seen[number] = 1
        name, child, sibling, file = directories[4 * number : 4 * number + 4]
        folder = parent if name == _NONE else f"{parent}{names[name]}/"
        yield folder, file
        if sibling != _NONE:
            pending.append((sibling, parent))
        if child != _NONE:
            pending.append((child, folder))


def _raise_first_fault(
    directories: memoryview, files: memoryview, names: list[str], limit: int, places: _Places
) -> None:
    """Check each link, raising UnrealError at the first wrong one."""
    directory_count = len(directories) // 4
    file_count = len(files) // 3
    name_count = len(names)
    seen_directories = bytearray(directory_count)
    seen_files = bytearray(file_count)
    total = 0
    pending = [(0, 0)]  # and how long the path of the parent is
    while pending:
        number, parent = pending.pop()
        if number >= directory_count:
            raise places.directory(number, f"is not one of {directory_count} directories")
        if seen_directories[number]:
            raise places.directory(number, "is reached twice: the tree has a cycle")
        seen_directories[number] = 1
        name, child, sibling, file = directories[4 * number : 4 * number + 4]
        folder = parent
        if name != _NONE:
            if name >= name_count:
                raise places.directory(number, f"has name {name} of {name_count}")
            folder = parent + len(names[name]) + 1
        total += folder
        while file != _NONE:
            if file >= file_count:
                raise places.file(file, f"is not one of {file_count} files")
            if seen_files[file]:
                raise places.file(file, "is reached twice: the list has a cycle")
            seen_files[file] = 1
            name = files[3 * file]
            if name >= name_count:
                raise places.file(file, f"has name {name} of {name_count}")
            total += folder + _STRING_SIZE + len(names[name])
            file = files[3 * file + 1]
        if total > limit:
            raise places.directory(number, f"makes all paths together longer than {limit} bytes")
        if sibling != _NONE:
            pending.append((sibling, parent))
        if child != _NONE:
            pending.append((child, folder))
