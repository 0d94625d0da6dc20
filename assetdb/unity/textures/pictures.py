"""Width and height of pictures, of their first bytes."""

from __future__ import annotations

from typing import Final

HEAD: Final = 1 << 16
"""Bytes within which the size of a picture is: a JPEG may begin with a thumbnail."""
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_GIF: Final = (b"GIF87a", b"GIF89a")
_PSD: Final = b"8BPS"
_BMP: Final = b"BM"
_JPEG: Final = b"\xff\xd8"
_FRAMES: Final = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_WITHOUT_LENGTH: Final = frozenset((0x01, *range(0xD0, 0xDA)))


def picture_size(head: bytes, extension: str) -> tuple[int, int] | None:
    """Return width and height in pixels, None if they cannot be read.

    Args:
        head: the first :data:`HEAD` bytes of the file.
        extension: in lower case: a TGA has no beginning of its own.
    """
    size = _size(head, extension)
    return size if size is not None and size[0] > 0 and size[1] > 0 else None


def _size(head: bytes, extension: str) -> tuple[int, int] | None:
    if head.startswith(_PNG) and len(head) >= 24:
        return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")
    if head.startswith(_GIF) and len(head) >= 10:
        return int.from_bytes(head[6:8], "little"), int.from_bytes(head[8:10], "little")
    if head.startswith(_PSD) and len(head) >= 22:
        return int.from_bytes(head[18:22], "big"), int.from_bytes(head[14:18], "big")
    if head.startswith(_BMP) and len(head) >= 26:
        width = int.from_bytes(head[18:22], "little", signed=True)
        return width, abs(int.from_bytes(head[22:26], "little", signed=True))
    if head.startswith(_JPEG):
        return _jpeg(head)
    if extension == "tga" and len(head) >= 18:
        return int.from_bytes(head[12:14], "little"), int.from_bytes(head[14:16], "little")
    return None


def _jpeg(head: bytes) -> tuple[int, int] | None:
    """Return the size in the first frame header of a JPEG."""
    at = 2
    while at + 9 <= len(head):
        if head[at] != 0xFF:
            return None
        marker = head[at + 1]
        if marker in _FRAMES:
            return int.from_bytes(head[at + 7 : at + 9], "big"), int.from_bytes(head[at + 5 : at + 7], "big")
        if marker == 0xFF:
            at += 1
        elif marker in _WITHOUT_LENGTH:
            at += 2
        else:
            length = int.from_bytes(head[at + 2 : at + 4], "big")
            if length < 2:
                return None
            at += 2 + length
    return None
