"""Random access to an archive's data, one block at a time."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from assetdb_formats.unityfs.archives import compression
from assetdb_formats.unityfs.archives.compression import LzmaCursor
from assetdb_formats.unityfs.errors import UnityFSError

if TYPE_CHECKING:
    from typing import BinaryIO

    from assetdb_formats.unityfs.archives.directory import Archive

_KEPT: Final = 512 << 10  # bytes of decoded blocks: four of what Unity writes, and of larger ones the last


class BlockStream:
    """Random access to the decoded data of an archive.

    Blocks of LZ4 are decoded one at a time; the last ones are kept. An LZMA
    block is one stream: reading forward goes on, reading backward begins again.
    """

    def __init__(self, stream: BinaryIO, archive: Archive) -> None:
        self._stream = stream
        self._archive = archive
        self._kept: dict[int, bytes] = {}
        self._last = (0, 0, b"")  # begin, end and bytes of the block that was decoded last
        self._cursor: tuple[int, LzmaCursor] | None = None
        self.size = archive.decoded_size

    def read(self, offset: int, size: int, field: str = "data") -> bytes:
        """Return ``size`` decoded bytes from ``offset`` on."""
        begin, end, last = self._last
        if begin <= offset and size <= end - offset and size >= 0:  # objects in their order: nearly always
            return last[offset - begin : offset - begin + size]
        if offset < 0 or size < 0 or size > self.size - offset:
            raise UnityFSError(f"bytes {offset} to {offset + size} of {self.size}", field=field)
        starts = self._archive.starts
        number = bisect_right(starts, offset) - 1
        pieces = []
        while size:
            inside = offset - starts[number]
            count = min(size, starts[number + 1] - offset)
            if count:
                pieces.append(self._read_block(number, inside, count))
            offset += count
            size -= count
            number += 1
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def _read_block(self, number: int, inside: int, count: int) -> bytes:
        block = self._archive.blocks[number]
        if block.compression == compression.STORED:
            return compression.read_exactly(self._stream, block.offset + inside, count, f"blocks[{number}]")
        if block.compression in (compression.LZMA, compression.LZMA_SIZED):
            if self._cursor is None or self._cursor[0] != number:
                self._cursor = (number, LzmaCursor(self._stream, block, f"blocks[{number}]"))
            return self._cursor[1].read(inside, count)
        decoded = self._kept.pop(number, None)
        if decoded is None:
            decoded = compression.decode(self._stream, block, f"blocks[{number}]")
        self._kept[number] = decoded
        starts = self._archive.starts
        self._last = (starts[number], starts[number + 1], decoded)
        while len(self._kept) > 1 and sum(map(len, self._kept.values())) > _KEPT:
            del self._kept[next(iter(self._kept))]
        return decoded[inside : inside + count]
