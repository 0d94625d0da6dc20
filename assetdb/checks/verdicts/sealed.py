"""Cache files with version, byte order and checksum, valid as a whole.

What decodes them is plain Python: to import a library for that would take longer than to read those of a small project.
"""

from __future__ import annotations

import os
import sys
import zlib
from struct import Struct
from typing import TYPE_CHECKING, Final

from assetdb.system.reading import open_regular
from assetdb_formats.atomic import replace_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_HEADER: Final = Struct("<8sIIII")  # magic, version, byte order, number of parts, checksum of all behind
_MOST_PARTS: Final = 64
_SIZE: Final = 8
_LARGEST: Final = 1 << 30
_END: Final = "\0"


def read_sealed(path: str, magic: bytes, version: int) -> list[bytes]:
    """Return the parts of a file.

    Args:
        path: of the file.
        magic: what it begins with, 8 bytes.
        version: of what it holds.

    Raises:
        OSError: it cannot be read.
        FileError: it is no regular file.
        ValueError: it is damaged, another's, or of another version or machine.
    """
    with open(open_regular(path), "rb", buffering=0) as file:
        length = os.fstat(file.fileno()).st_size - _HEADER.size
        head = file.read(_HEADER.size) or b""
        if len(head) != _HEADER.size:
            raise ValueError("there is no header")
        *own, count, checksum = _HEADER.unpack(head)
        if own != [magic, version, _order()] or count > _MOST_PARTS or not 0 <= length <= _LARGEST:
            raise ValueError("it is another's, or of another version")
        data = file.read(length) or b""
    if len(data) != length or zlib.crc32(data) != checksum:
        raise ValueError("it is damaged")
    start = count * _SIZE
    sizes = [int.from_bytes(data[at : at + _SIZE], "little") for at in range(0, start, _SIZE)]
    if start + sum(sizes) != length:
        raise ValueError("its parts do not fill it")
    parts = []
    for size in sizes:
        parts.append(data[start : start + size])
        start += size
    return parts


def write_sealed(path: str, magic: bytes, version: int, parts: Sequence[bytes]) -> bool:
    """Replace such a file; return whether that could be done: what is kept so saves time, and nothing else."""
    sizes = b"".join([len(part).to_bytes(_SIZE, "little") for part in parts])
    checksum = zlib.crc32(sizes)
    for part in parts:
        checksum = zlib.crc32(part, checksum)
    try:
        replace_file(path, [_HEADER.pack(magic, version, _order(), len(parts), checksum), sizes, *parts])
    except OSError:  # a folder that is read-only, a disk that is full: then it is found out again
        return False
    return True


def texts(strings: Iterable[str]) -> bytes:
    """Return a part that holds some strings.

    Raises:
        ValueError: one has a zero in it, or is no text.
    """
    rows = list(strings)
    joined = _END.join([*rows, ""])
    if joined.count(_END) != len(rows):
        raise ValueError("a string has the end of a string in it")
    return joined.encode()


def strings_of(part: bytes) -> list[str]:
    """Return the strings that a part holds.

    Raises:
        ValueError: it holds none.
    """
    return part.decode().split(_END)[:-1]


def _order() -> int:
    return 0 if sys.byteorder == "little" else 1
