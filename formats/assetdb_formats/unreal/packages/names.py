"""The name table, which FNames index."""

from __future__ import annotations

import re
from struct import Struct
from typing import TYPE_CHECKING, Final

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.reader import Reader
from assetdb_formats.unreal.strings import string_at

if TYPE_CHECKING:
    from collections.abc import Sequence

_NAME: Final = Struct("<ii")
_HASHES: Final = Struct("<HH")
# The bytes between two names: a NUL, the four bytes of hashes (from UE4 504 on), and the next length, below 256.
_BETWEEN_HASHED: Final = re.compile("\0.{4}([\1-\377])\0\0\0", re.DOTALL).split
_BETWEEN_PLAIN: Final = re.compile("\0([\1-\377])\0\0\0", re.DOTALL).split
_LONGEST: Final = 1023  # characters of a name, in every engine
_PLUS_ONE: Final = bytes(range(1, 256)) + b"\0"  # translate() with it turns each len(name) into the length with its NUL


def read_names(data: bytes, offset: int, count: int, end: int, *, hashed: bool) -> list[str]:
    """Read ``count`` names at ``offset``.

    ``end`` is the start of the next table, or the data's end. With ``hashed`` four bytes of hashes follow each name
    (UE4 >= 504).
    """
    if count == 0:
        return []
    trailer = 4 if hashed else 0
    if count < 0 or offset < 0 or offset + count * (4 + trailer) > len(data):
        raise UnrealError(f"counts {count} names in {len(data) - offset} bytes", offset=offset, field="names")
    # Short ASCII names, so nearly every file: one pass of the regular-expression engine cuts the whole table, and the
    # lengths are compared all at once. 16 us where a loop over the names takes 28 (105 names, CPython 3.11).
    if count > 1 and data[offset] and data[offset + 1 : offset + 4] == b"\0\0\0" and offset + 4 < end <= len(data):
        between = _BETWEEN_HASHED if hashed else _BETWEEN_PLAIN
        pieces = between(data[offset + 4 : end].decode("latin-1"), count - 1)
        between_names = pieces[1::2]
        names = pieces[0::2]
        del pieces
        last, _, rest = names[-1].partition("\0")
        names[-1] = last
        if len(names) == count and len(rest) >= trailer:
            lengths = (chr(data[offset]) + "".join(between_names)).encode("latin-1")
            try:
                if bytes(map(len, names)).translate(_PLUS_ONE) == lengths:
                    return names
            except ValueError:
                pass  # a name of over 255 characters
    return _read_one_by_one(data, offset, count, trailer)


def _read_one_by_one(data: bytes, offset: int, count: int, trailer: int) -> list[str]:
    """Read names of any length and width, saying which one is wrong."""
    names: list[str] = []
    position = offset
    for number in range(count):
        text, position = string_at(data, position, f"names[{number}]")
        names.append(text)
        position += trailer
    if position > len(data):
        raise UnrealError("the last name's hashes are cut off", offset=position, field=f"names[{count - 1}]")
    check_lengths(names, offset, "names")
    return names


def check_lengths(names: list[str], offset: int, field: str) -> None:
    """Raise UnrealError for a name that is longer than any engine's.

    A reference to a name takes 4 to 8 bytes, and with a number it becomes text of its own: a small file
    could expand to gigabytes if names had no limit.
    """
    longest = max(map(len, names), default=0)
    if longest > _LONGEST:
        raise UnrealError(f"a name of {longest} characters; they have at most {_LONGEST}", offset=offset, field=field)


def read_name_hashes(data: bytes, offset: int, count: int) -> list[tuple[int, int]]:
    """Read two hashes of each name: upper case, and unchanged."""
    found: list[tuple[int, int]] = []
    position = offset
    for number in range(count):
        _, position = string_at(data, position, f"names[{number}]")
        if position + _HASHES.size > len(data):
            raise UnrealError("the name's hashes are cut off", offset=position, field=f"names[{number}]")
        found.append(_HASHES.unpack_from(data, position))
        position += _HASHES.size
    return found


def numbered(name: str, number: int) -> str:
    """Return an FName's text: number N > 0 prints as ``_N-1``."""
    return f"{name}_{number - 1}" if number else name


class TableReader(Reader):
    """A reader of a package's bytes that knows the package's names."""

    __slots__ = ("names",)

    def __init__(self, data: bytes, offset: int, field: str, names: Sequence[str] = ()) -> None:
        """Start at a table; raises UnrealError if it lies outside."""
        self.data, self.base, self.end, self.names = data, 0, len(data), names
        self.position = offset
        if not 0 <= offset <= self.end:
            self.seek(offset, field)

    def name(self, field: str) -> str:
        """Read an FName: two int32, its index and its number."""
        index, number = _NAME.unpack_from(self.data, self.need(8, field))
        if not 0 <= index < len(self.names):
            raise self.error(f"names number {index} of {len(self.names)}", field, offset=self.position - 8)
        return f"{self.names[index]}_{number - 1}" if number else self.names[index]
