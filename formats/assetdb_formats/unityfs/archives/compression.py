"""Compressions of UnityFS blocks: stored, LZMA, LZ4, LZ4HC.

Nothing is allocated on a declaration alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.binary import FormatError
from assetdb_formats.codecs import lz4block
from assetdb_formats.unityfs.errors import UnityFSError, UnsupportedError

if TYPE_CHECKING:
    from lzma import LZMADecompressor
    from typing import BinaryIO

STORED: Final = 0
LZMA: Final = 1
LZ4: Final = 2
LZ4HC: Final = 3
LZMA_SIZED: Final = 0x40
"""LZMA with the decoded size behind its properties, as in UnityWeb; no number of a file's, which has six bits."""
NAMES: Final = {LZMA_SIZED: "LZMA", STORED: "stored", LZMA: "LZMA", LZ4: "LZ4", LZ4HC: "LZ4HC", 4: "LZHAM", 5: "Brotli"}

# Unity cuts its LZ4 data into blocks of 128 kB; a block is the piece that must be in memory whole.
LARGEST_LZ4_BLOCK: Final = 16 << 20
# Unity writes 8 MB. LZMA allocates its dictionary before it has read a byte.
LARGEST_LZMA_DICTIONARY: Final = 32 << 20
# The cheapest match is 273 bytes for 14 binary decisions of 0.022 bit: 7,045 bytes for one.
_LARGEST_LZMA_RATIO: Final = 7_100
_LZMA_HEADER: Final = 5
_INPUT: Final = 64 << 10
_TAIL: Final = 64 << 10  # decoded bytes of an LZMA run that a step back finds, at the least


class Packed(NamedTuple):
    """A compressed run of bytes in a file; sizes in bytes."""

    offset: int
    compressed_size: int
    size: int
    compression: int


def check(packed: Packed, field: str) -> None:
    """Refuse impossible sizes and unknown compressions beforehand. Raises UnityFSError."""
    offset, compressed_size, size, compression = packed
    if compression == STORED:
        if compressed_size != size:
            raise UnityFSError(f"stored: {compressed_size} bytes cannot be {size} bytes", offset=offset, field=field)
    elif compression in (LZ4, LZ4HC):
        if size > LARGEST_LZ4_BLOCK:
            what = f"an LZ4 block of {size} bytes; blocks up to {LARGEST_LZ4_BLOCK} are read (Unity writes 131072)"
            raise UnityFSError(what, offset=offset, field=field)
        if size > compressed_size * lz4block.LARGEST_RATIO:
            raise UnityFSError(f"{compressed_size} bytes of LZ4 cannot hold {size} bytes", offset=offset, field=field)
    elif compression in (LZMA, LZMA_SIZED):
        if size > compressed_size * _LARGEST_LZMA_RATIO:
            raise UnityFSError(f"{compressed_size} bytes of LZMA cannot hold {size} bytes", offset=offset, field=field)
    else:
        name = NAMES.get(compression, f"number {compression}")
        raise UnsupportedError(f"compression {name} is not read", offset=offset, field=field)


def read_exactly(stream: BinaryIO, offset: int, size: int, field: str) -> bytes:
    """Read ``size`` bytes at ``offset``."""
    try:
        stream.seek(offset)
        data = stream.read(size)
    except OSError as error:
        if error.filename is None:  # from reading: it knows no name
            error.filename = getattr(stream, "name", None)
        raise
    if len(data) != size:
        raise UnityFSError(f"needs {size} bytes, {len(data)} are left", offset=offset, field=field)
    return data


def decode(stream: BinaryIO, packed: Packed, field: str) -> bytes:
    """Decode a checked run."""
    offset, compressed_size, size, compression = packed
    if compression in (LZMA, LZMA_SIZED):
        return LzmaCursor(stream, packed, field).read(0, size)
    if compression == STORED:
        return read_exactly(stream, offset, size, field)
    data = read_exactly(stream, offset, compressed_size, field)
    try:
        return lz4block.decompress(data, size)
    except FormatError as error:
        raise UnityFSError(error.what, offset=offset, field=field) from error


class LzmaCursor:
    """A forward cursor over the decoded bytes of an LZMA run.

    Unity's LZMA bundles are one run: reading backwards starts again, and the bytes up to the position are decoded and
    discarded. A short step back (an object whose beginning did not contain its name) finds the last bytes in a buffer.
    """

    def __init__(self, stream: BinaryIO, packed: Packed, field: str) -> None:
        self._stream = stream
        self._packed = packed
        self._field = field
        self._decoder: LZMADecompressor | None = None
        self._position = 0  # in the decoded bytes
        self._taken = 0  # of the compressed bytes
        self._tail = bytearray()  # what was decoded last

    def read(self, start: int, size: int) -> bytes:
        """Return ``size`` decoded bytes from ``start`` on."""
        pieces = []
        kept = self._position - len(self._tail)
        if kept <= start < self._position:
            pieces.append(bytes(self._tail[start - kept : start - kept + size]))
            start += len(pieces[0])
            size -= len(pieces[0])
            if not size:
                return pieces[0]
        if start < self._position or self._decoder is None:
            self._decoder = self._begin()
            self._position = 0
            self._tail.clear()
        while self._position < start:
            self._step(self._decoder, min(start - self._position, _INPUT))
        while size:
            piece = self._step(self._decoder, size)
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces) if len(pieces) != 1 else pieces[0]

    def _begin(self) -> LZMADecompressor:
        import lzma  # noqa: PLC0415 - 4 ms that most bundles do not need

        offset, compressed_size, size, kind = self._packed
        header_size = _LZMA_HEADER + (8 if kind == LZMA_SIZED else 0)
        if compressed_size < header_size:
            raise UnityFSError("LZMA data are shorter than their header", offset=offset, field=self._field)
        header = read_exactly(self._stream, offset, header_size, self._field)
        properties = header[0]
        if kind == LZMA_SIZED and header[5:] not in (size.to_bytes(8, "little"), b"\xff" * 8):
            what = f"the LZMA data say {int.from_bytes(header[5:], 'little')} bytes, the archive {size}"
            raise UnityFSError(what, offset=offset + 5, field=self._field)
        # A back reference reaches no further than what was decoded: a larger dictionary is never needed.
        dictionary = min(int.from_bytes(header[1:5], "little"), max(size, 4096))
        if dictionary > LARGEST_LZMA_DICTIONARY:
            what = f"LZMA needs a dictionary of {dictionary} bytes; {LARGEST_LZMA_DICTIONARY} are allowed"
            raise UnityFSError(what, offset=offset + 1, field=self._field)
        self._taken = header_size
        remainder, literal_context = divmod(properties, 9)
        position_bits, literal_position = divmod(remainder, 5)
        try:
            return lzma.LZMADecompressor(
                lzma.FORMAT_RAW,
                filters=[
                    {
                        "id": lzma.FILTER_LZMA1,
                        "dict_size": max(dictionary, 4096),
                        "lc": literal_context,
                        "lp": literal_position,
                        "pb": position_bits,
                    }
                ],
            )
        except (lzma.LZMAError, ValueError) as error:
            what = f"LZMA properties 0x{properties:02x}: {error}"
            raise UnityFSError(what, offset=offset, field=self._field) from None

    def _step(self, decoder: LZMADecompressor, limit: int) -> bytes:
        """Decode between 1 and ``limit`` bytes."""
        from lzma import LZMAError  # noqa: PLC0415 - imported by _begin already

        offset, compressed_size, _, _ = self._packed
        while True:
            data = b""
            if decoder.needs_input and not decoder.eof:
                count = min(_INPUT, compressed_size - self._taken)
                data = read_exactly(self._stream, offset + self._taken, count, self._field)
                self._taken += count
            try:
                piece = b"" if decoder.eof else decoder.decompress(data, limit)
            except LZMAError as error:
                what = f"LZMA data are damaged: {error}"
                raise UnityFSError(what, offset=offset + self._taken, field=self._field) from None
            if piece:
                self._position += len(piece)
                self._tail += piece
                if len(self._tail) > 2 * _TAIL:
                    del self._tail[:-_TAIL]
                return piece
            if decoder.eof or (not data and decoder.needs_input):
                what = f"the LZMA data end after {self._position} bytes"
                raise UnityFSError(what, offset=offset + self._taken, field=self._field)
