"""The LZ4 block format, decoded by the C library.

A block has no length of its own; the container stores it.

Source of the fact: https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md. UnityFS has the size in its blocks
info, IoStore and .pak files have it in their tables.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

from assetdb_formats.binary import FormatError

LARGEST_RATIO: Final = 255
"""One byte of a length extension stands for at most 255 bytes of output: no block decodes to more than this."""


def decompress(data: bytes, size: int) -> bytes:
    """Decode one block.

    Args:
        data: the compressed block.
        size: bytes of the decoded block, exactly; the caller bounds it.

    Raises:
        FormatError: the block is damaged, or does not decode to ``size`` bytes.
    """
    if size > len(data) * LARGEST_RATIO:  # before anything of that size is allocated
        raise FormatError(f"{len(data)} bytes of LZ4 cannot hold {size} bytes")
    lz4 = import_module("lz4.block")  # here: 1 ms that stored and LZMA bundles do not need; it has no type hints
    try:
        decoded: bytes = lz4.decompress(data, uncompressed_size=size)
    except (lz4.LZ4BlockError, ValueError, OverflowError, MemoryError) as error:
        raise FormatError(f"the LZ4 block is damaged, or holds more than the {size} bytes declared") from error
    if len(decoded) != size:
        raise FormatError(f"the LZ4 block holds {len(decoded)} bytes, {size} are declared")
    return decoded
