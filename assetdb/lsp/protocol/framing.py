"""The base protocol: headers and JSON, with bounded allocation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.errors import AssetdbError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

LARGEST_MESSAGE: Final = 256 << 20
"""Bytes; a scene of 100 MB has some 130 as JSON."""
_LONGEST_HEADER: Final = 4096
_MOST_HEADERS: Final = 32
_LONGEST_NUMBER: Final = 12
_READ_AT_ONCE: Final = 1 << 20


class FramingError(AssetdbError):
    """Invalid framing, after which no further message can be read."""


def read_messages(stream: BinaryIO, *, largest: int = LARGEST_MESSAGE) -> Iterator[bytes]:
    """Yield messages until the end; raise FramingError for a bad header."""
    while True:
        length = _read_header(stream)
        if length is None:
            return
        if length > largest:
            raise FramingError(f"a message has at most {largest:,} bytes, and {length:,} are announced")
        data = bytearray()
        while len(data) < length:
            part = stream.read(min(length - len(data), _READ_AT_ONCE))
            if not part:
                return
            data += part
        yield bytes(data)


def _read_header(stream: BinaryIO) -> int | None:
    """Return the length of the next message, None if there is none."""
    length: int | None = None
    for _ in range(_MOST_HEADERS):
        line = stream.readline(_LONGEST_HEADER)
        if not line:
            return None
        if not line.endswith(b"\n"):
            raise FramingError(f"a header has a line of more than {_LONGEST_HEADER:,} bytes, or ends in the middle")
        line = line.strip()
        if not line:
            if length is None:
                raise FramingError("a header has no Content-Length")
            return length
        name, colon, value = line.partition(b":")
        if not colon:
            raise FramingError(f"no header: {line[:80].decode('ascii', 'backslashreplace')}")
        if name.strip().lower() == b"content-length":
            digits = value.strip()
            if not digits.isdigit() or len(digits) > _LONGEST_NUMBER:
                raise FramingError(f"no length: {digits[:80].decode('ascii', 'backslashreplace')}")
            length = int(digits)
    raise FramingError(f"a header has more than {_MOST_HEADERS} lines")


def framed(message: bytes) -> bytes:
    """Return a message with its header."""
    return b"Content-Length: %d\r\n\r\n" % len(message) + message
