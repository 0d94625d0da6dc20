"""bincode 2, standard configuration: varints, zigzag, length-prefixed strings.

Encoding is written for whole columns of names; decoding is bounded by the bytes that are there.
"""

from __future__ import annotations

from assetdb_formats.binary import FormatError

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

_SMALL: Final = 251
_BYTE: Final = [bytes([number]) for number in range(256)]
_SIZES: Final = {251: 2, 252: 4, 253: 8, 254: 16}


def unsigned(number: int) -> bytes:
    """Encode an unsigned integer of up to 128 bits."""
    if number < _SMALL:
        return _BYTE[number]
    if number < 1 << 16:
        return b"\xfb" + number.to_bytes(2, "little")
    if number < 1 << 32:
        return b"\xfc" + number.to_bytes(4, "little")
    if number < 1 << 64:
        return b"\xfd" + number.to_bytes(8, "little")
    return b"\xfe" + number.to_bytes(16, "little")


def signed(number: int) -> bytes:
    """Encode a signed 64-bit integer: zigzag, then as an unsigned one."""
    return unsigned(number << 1 if number >= 0 else ~(number << 1))


def string(text: bytes) -> bytes:
    """Encode a string that is UTF-8 already."""
    length = len(text)
    return (_BYTE[length] if length < _SMALL else unsigned(length)) + text


def guid(big_endian: bytes) -> bytes:
    """Encode a GUID from its 16 bytes in text order."""
    if big_endian.startswith(bytes(8)):  # a number under 2**64 takes the shorter forms
        return unsigned(int.from_bytes(big_endian, "big"))
    return b"\xfe" + big_endian[::-1]


class Decoder:
    """A cursor over bincode bytes; raises FormatError at the first fault."""

    __slots__ = ("data", "end", "position")

    def __init__(self, data: bytes | memoryview, position: int = 0, end: int | None = None) -> None:
        self.data = data
        self.position = position
        self.end = len(data) if end is None else end

    def unsigned(self, field: str = "") -> int:
        """Read an unsigned integer."""
        position = self.position
        if position >= self.end:
            raise FormatError("the file ends here", offset=position, field=field)
        first = self.data[position]
        if first < _SMALL:
            self.position = position + 1
            return first
        size = _SIZES.get(first)
        if size is None or position + 1 + size > self.end:
            raise FormatError(f"no integer starts with byte {first}", offset=position, field=field)
        self.position = position + 1 + size
        return int.from_bytes(self.data[position + 1 : position + 1 + size], "little")

    def signed(self, field: str = "") -> int:
        """Read a signed integer."""
        number = self.unsigned(field)
        return number >> 1 if not number & 1 else ~(number >> 1)

    def count(self, item_size: int, field: str = "") -> int:
        """Read a length and check that as many items fit."""
        start = self.position
        number = self.unsigned(field)
        if number * item_size > self.end - self.position:
            raise FormatError(
                f"counts {number} items, {self.end - self.position} bytes are left", offset=start, field=field
            )
        return number

    def string(self, field: str = "") -> bytes:
        """Read a string as the UTF-8 bytes it is."""
        length = self.count(1, field)
        start = self.position
        self.position = start + length
        return bytes(self.data[start : start + length])
