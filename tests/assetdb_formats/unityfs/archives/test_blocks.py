"""Reading across the blocks of an archive, and the bounds of what is read and kept."""

from __future__ import annotations

from io import BytesIO

import pytest

from assetdb_formats.unityfs.archives.archive import read_archive
from assetdb_formats.unityfs.archives.blocks import BlockStream
from assetdb_formats.unityfs.errors import UnityFSError
from tests.assetdb_formats.unityfs import builder

DATA = bytes(number * 7 % 251 for number in range(1000))


def stream(*, compression: int, block: int = 100, data: bytes = DATA) -> BlockStream:
    content = BytesIO(builder.archive([("a.res", data)], compression=compression, block=block))
    return BlockStream(content, read_archive(content))


def test_any_range_is_read_whichever_blocks_it_lies_in() -> None:
    for compression in (0, 1, 2, 3):
        blocks = stream(compression=compression)
        assert blocks.size == 1000
        for start, stop in ((0, 1000), (0, 0), (0, 1), (99, 101), (100, 200), (150, 450), (999, 1000), (1000, 1000)):
            assert blocks.read(start, stop - start) == DATA[start:stop]
            assert blocks.read(start, 0) == b""


def test_a_range_lies_in_the_data() -> None:
    for compression in (0, 3):
        blocks = stream(compression=compression)
        blocks.read(950, 10)
        for start, size in ((-1, 1), (0, 1001), (1000, 1), (1001, 0), (5, -1), (960, -5)):
            with pytest.raises(UnityFSError) as caught:
                blocks.read(start, size, "object 1")
            assert caught.value.what == f"bytes {start} to {start + size} of 1000"
            assert caught.value.field == "object 1"


class Counting(BytesIO):
    reads = 0

    def read(self, size: int | None = -1) -> bytes:
        self.reads += 1
        return super().read(size)


def test_half_a_megabyte_of_decoded_blocks_is_kept() -> None:
    block = 128 << 10
    content = Counting(builder.archive([("a.res", bytes(5 * block))], compression=3, block=block))
    blocks = BlockStream(content, read_archive(content))

    def decoded(*numbers: int) -> list[int]:
        found = []
        for number in numbers:
            before = content.reads
            blocks.read(number * block, 1)
            found.append(content.reads - before)
        return found

    assert decoded(0, 1, 2, 3) == [1, 1, 1, 1]
    assert decoded(0, 1, 2, 3, 0) == [0] * 5
    assert decoded(4) == [1]  # instead of 1, which was not used for the longest time
    assert decoded(0, 2, 3, 4) == [0] * 4
    assert decoded(1) == [1]


def test_one_block_is_kept_however_large_it_is() -> None:
    block = 1 << 20
    content = Counting(builder.archive([("a.res", bytes(2 * block))], compression=3, block=block))
    blocks = BlockStream(content, read_archive(content))
    before = content.reads
    for start in (0, 5, block - 1):
        assert blocks.read(start, 1) == b"\0"
    assert content.reads == before + 1
    assert blocks.read(block - 1, 2) == b"\0\0"
    assert blocks.read(0, 1) == b"\0"
    assert content.reads == before + 3
