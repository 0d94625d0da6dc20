"""Strings of packages: FString and FUtf8String, bounded."""

from __future__ import annotations

from struct import Struct, error
from typing import Final

from assetdb_formats.unreal.errors import UnrealError

_I32: Final = Struct("<i")


def string_at(data: bytes | memoryview, position: int, field: str) -> tuple[str, int]:
    """Read an FString: an int32 length, then units ending with NUL.

    A positive length counts bytes, a negative one UTF-16 units. Length 0 is the empty string without a NUL.

    Returns:
        The text, and the offset after it.

    Raises:
        UnrealError: it does not lie within ``data`` or has no NUL at its end.
    """
    try:
        (length,) = _I32.unpack_from(data, position)
    except error:
        raise UnrealError("a string's length lies outside the data", offset=position, field=field) from None
    start = position + 4
    if length > 0:
        end = start + length
        if end > len(data):
            raise UnrealError(f"a string of {length} bytes, {len(data) - start} are left", offset=position, field=field)
        if data[end - 1]:
            raise UnrealError(f"a string of {length} bytes has no NUL at its end", offset=position, field=field)
        # Single-byte strings are widened unit by unit, which is Latin-1: it never fails.
        return str(data[start : end - 1], "latin-1"), end
    if length == 0:
        return "", start
    end = start - 2 * length
    if end > len(data):
        raise UnrealError(
            f"a string of {-length} UTF-16 units, {len(data) - start} bytes are left", offset=position, field=field
        )
    if data[end - 2] or data[end - 1]:
        raise UnrealError(f"a string of {-length} UTF-16 units has no NUL at its end", offset=position, field=field)
    return str(data[start : end - 2], "utf-16-le", "surrogatepass"), end


def string_bytes(text: str) -> bytes:
    """Return an FString as stored: ASCII bytes if possible, else UTF-16."""
    if not text:
        return _I32.pack(0)
    if text.isascii():
        return _I32.pack(len(text) + 1) + text.encode("ascii") + b"\0"
    wide = text.encode("utf-16-le", "surrogatepass")
    return _I32.pack(-(len(wide) // 2 + 1)) + wide + b"\0\0"


def utf8_string_at(data: bytes | memoryview, position: int, field: str) -> tuple[str, int]:
    """Read an FUtf8String: an int32 byte count, then bytes.

    There is no NUL.

    Returns:
        The text (bytes that are not UTF-8 become lone surrogates), and the offset after it.
    """
    try:
        (length,) = _I32.unpack_from(data, position)
    except error:
        raise UnrealError("a string's length lies outside the data", offset=position, field=field) from None
    start = position + 4
    end = start + length
    if length < 0 or end > len(data):
        raise UnrealError(f"a string of {length} bytes, {len(data) - start} are left", offset=position, field=field)
    return str(data[start:end], "utf-8", "surrogateescape"), end
