"""The LZ4 block format: sequences of literals and back references, without the frame around them.

Source of the fact: https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md. A block does not say how long it
is when decoded: whoever stores it does (UnityFS in its blocks info).

The decoder here needs nothing but Python. Where the ``lz4`` package is installed (``assetdb[lz4]``) it does the
work instead, and this one is asked again only when that one refuses: so the error, and the answer for the blocks
that the C library refuses without need (a match in the last five bytes), are the same with it and without. The one
difference: a reference 0 bytes back, which the format forbids, is an error here and passes there.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable

# One byte of a length extension stands for at most 255 bytes of output: no block decodes to more than this.
LARGEST_RATIO: Final = 255

try:
    _library: Callable[[bytes, int], bytes] | None = import_module("lz4.block").decompress
except ImportError:
    _library = None


def decompress(data: bytes, size: int, *, wanted: int | None = None) -> bytes:
    """Decode one block.

    Args:
        data: the compressed block.
        size: bytes of the decoded block, exactly.
        wanted: bytes of its beginning that are needed; decoding may stop after them. None = all.

    Returns:
        ``size`` bytes, or at least ``wanted`` of them.

    Raises:
        FormatError: the block is damaged, or does not decode to ``size`` bytes; the offset is within ``data``.
    """
    if size > len(data) * LARGEST_RATIO:  # before anything of that size is allocated
        raise FormatError(f"{len(data)} bytes of LZ4 cannot hold {size} bytes")
    if _library is not None:
        try:
            decoded = _library(data, size)
        except Exception:  # noqa: BLE001, S110 - LZ4BlockError, ValueError, OverflowError: the reader below says where
            pass
        else:
            if len(decoded) == size:
                return decoded
    return decompress_python(data, size, size if wanted is None else wanted)


def decompress_python(data: bytes, size: int, wanted: int) -> bytes:
    """Do what :func:`decompress` does, always in Python."""
    # Measured on the type trees of 80 bundles: 30 MB/s, most of it the two slices of each sequence. Appending to a
    # bytearray beats a preallocated one by a third.
    output = bytearray()
    end = len(data)
    position = length = 0
    try:
        while True:
            token = data[position]
            position += 1
            literals = token >> 4
            if literals:
                if literals == 15:
                    byte = 255
                    while byte == 255:
                        byte = data[position]
                        position += 1
                        literals += byte
                after = position + literals
                length += literals
                if after > end or length > size:
                    raise FormatError(_overrun(after > end, literals, size), offset=position)
                output += data[position:after]
                position = after
            if position == end or length >= wanted:
                break
            distance = data[position] | data[position + 1] << 8
            position += 2
            if not 0 < distance <= length:
                raise FormatError(f"LZ4 points {distance} bytes back, {length} are there", offset=position - 2)
            match = (token & 15) + 4
            if match == 19:
                byte = 255
                while byte == 255:
                    byte = data[position]
                    position += 1
                    match += byte
            start = length - distance
            length += match
            if length > size:
                raise FormatError(_overrun(False, match, size), offset=position)  # noqa: FBT003 - which text
            if distance >= match:
                output += output[start : start + match]
            else:  # the match overlaps its own output: the bytes between repeat
                output += (output[start:] * (match // distance + 1))[:match]
    except IndexError:
        raise FormatError("the LZ4 block ends in the middle of a sequence", offset=end) from None
    if length < wanted:
        raise FormatError(f"the LZ4 block holds {length} bytes, {size} are declared", offset=end)
    if wanted >= size and position != end:
        raise FormatError(f"{end - position} bytes follow the last sequence of the LZ4 block", offset=position)
    return bytes(output)


def _overrun(literals_missing: bool, count: int, size: int) -> str:  # noqa: FBT001 - which of two texts
    if literals_missing:
        return f"LZ4 declares {count} literals, more than the block has"
    return f"the LZ4 block holds more than the {size} bytes declared"
