"""Files of our own that are read whole or not at all: a header has version, byte order, size and checksum."""

from __future__ import annotations

import os
import sys
import zlib
from struct import Struct
from typing import Final

from assetdb.system.reading import open_regular
from formats.atomic import replace_file

_HEADER: Final = Struct("<8sIIQI")
_LARGEST: Final = 1 << 30


def read_sealed(path: str, magic: bytes, version: int) -> bytes:
    """Return what a file holds behind its header.

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
        length = os.fstat(file.fileno()).st_size
        head = file.read(_HEADER.size) or b""
        if len(head) != _HEADER.size:
            raise ValueError("there is no header")
        *own, size, checksum = _HEADER.unpack(head)
        if own != [magic, version, _order()] or size > _LARGEST or length != _HEADER.size + size:
            raise ValueError("it is another's, or cut off")
        packed = file.read(size) or b""
    if len(packed) != size or zlib.crc32(packed) != checksum:
        raise ValueError("it is damaged")
    return packed


def write_sealed(path: str, magic: bytes, version: int, packed: bytes) -> bool:
    """Replace such a file; return whether that could be done: what is kept so saves time, and nothing else."""
    header = _HEADER.pack(magic, version, _order(), len(packed), zlib.crc32(packed))
    try:
        replace_file(path, [header, packed])
    except OSError:  # a folder that is read-only, a disk that is full: then it is found out again
        return False
    return True


def _order() -> int:
    return 0 if sys.byteorder == "little" else 1
