"""Decompression of blocks: Zlib, Gzip, LZ4, Zstd, Brotli, Oodle.

The last three need extras.

Every method gives exactly the size that the container promises, or an error: never more is allocated.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final, Protocol

from assetdb_formats.binary import FormatError
from assetdb_formats.codecs import lz4block
from assetdb_formats.extras import import_extra
from assetdb_formats.unreal.errors import MissingExtraError, UnrealError

if TYPE_CHECKING:
    from collections.abc import Callable


class OodleDecoder(Protocol):
    """Whatever decodes Oodle blocks; see `assetdb_formats.unreal.codecs.oodle`."""

    def decompress(self, data: bytes, size: int) -> bytes:
        """Return exactly ``size`` bytes, or raise UnrealError."""
        ...


_LARGEST: Final = 64 << 20
"""Bytes of a block: IoStore cannot store more than 16 MiB, the packer of .pak files makes 64 KiB."""
_GZIP_WINDOW: Final = 31
_ZLIB_WINDOW: Final = 15


def decompress(method: str, data: bytes, size: int, oodle: OodleDecoder | None = None) -> bytes:
    """Return the ``size`` bytes that ``data`` was made from.

    Args:
        method: ``None``, ``Zlib``, ``Gzip``, ``LZ4``, ``Zstd``, ``Brotli`` or ``Oodle``, in any case.
        data: the compressed block.
        size: bytes of the block before compression.
        oodle: decodes Oodle blocks; without one they raise MissingExtraError.

    Raises:
        UnrealError: the block is damaged, of another size, of an unknown method, or of more than 64 MiB.
        MissingExtraError: the method needs an extra that is not installed.
    """
    known = method.lower()
    if size > _LARGEST:  # decoders allocate it, or cannot even count so far
        raise UnrealError(f"a block of {size} bytes; at most {_LARGEST} are read", field="block")
    if known in ("", "none"):
        result = data
    elif known == "oodle":
        if oodle is None:
            raise MissingExtraError("compressed with Oodle, and no decoder was given", field="compression_method")
        result = oodle.decompress(data, size)
    else:
        decoder = _DECODERS.get(known)
        if decoder is None:
            raise UnrealError(f"unknown compression method {method!r}", field="compression_method")
        result = decoder(data, size)
    if len(result) != size:
        raise UnrealError(f"{method} block gives {len(result)} bytes, not {size}", field="block")
    return result


def _deflate(window: int) -> Callable[[bytes, int], bytes]:
    def decode(data: bytes, size: int) -> bytes:
        decoder = zlib.decompressobj(window)
        try:
            result = decoder.decompress(data, size or 1)
        except zlib.error as error:
            raise UnrealError(f"damaged Zlib block: {error}", field="block") from None
        if decoder.unconsumed_tail and not decoder.eof:
            raise UnrealError(f"Zlib block gives more than {size} bytes", field="block")
        return result

    return decode


_METHOD: Final = "compression_method"


def _lz4(data: bytes, size: int) -> bytes:
    try:
        return lz4block.decompress(data, size)
    except FormatError as error:
        raise UnrealError(error.what, field="block") from error


def _zstd(data: bytes, size: int) -> bytes:
    zstandard = import_extra("zstandard", "zstd", "compressed with Zstandard", field=_METHOD, error=MissingExtraError)
    try:
        # A streaming reader: the one-shot call allocates what the (untrusted) frame header claims.
        with zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(data) as reader:
            result = bytes(reader.read(size + 1))
    except (zstandard.ZstdError, MemoryError) as error:
        raise UnrealError(f"damaged Zstd block: {error}", field="block") from None
    return result


def _brotli(data: bytes, size: int) -> bytes:
    brotli = import_extra("brotli", "brotli", "compressed with Brotli", field=_METHOD, error=MissingExtraError)
    try:
        decoder = brotli.Decompressor()
        # Bounded, because one-shot decompression returns all that the (untrusted) stream holds.
        parts = [bytes(decoder.process(data, output_buffer_limit=size + 1))]
        total = len(parts[0])
        while parts[-1] and total <= size and not decoder.is_finished():
            parts.append(bytes(decoder.process(b"", output_buffer_limit=size + 1 - total)))
            total += len(parts[-1])
        result = b"".join(parts)
    except (brotli.error, MemoryError) as error:
        raise UnrealError(f"damaged Brotli block: {error}", field="block") from None
    return result


_DECODERS: Final[dict[str, Callable[[bytes, int], bytes]]] = {
    "zlib": _deflate(_ZLIB_WINDOW),
    "gzip": _deflate(_GZIP_WINDOW),
    "lz4": _lz4,
    "zstd": _zstd,
    "zstandard": _zstd,
    "brotli": _brotli,
}
