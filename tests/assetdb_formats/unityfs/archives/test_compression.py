"""Compressed runs: what is refused before it is decoded, and what damaged LZMA data say."""

from __future__ import annotations

from io import BytesIO

import pytest

from assetdb_formats.unityfs.archives import compression
from assetdb_formats.unityfs.archives.compression import LzmaCursor, Packed, check, decode, read_exactly
from assetdb_formats.unityfs.errors import UnityFSError, UnsupportedError
from tests.assetdb_formats.unityfs import builder

TEXT = bytes(range(256)) * 300


def packed(stored: bytes, size: int = len(TEXT), kind: int = compression.LZMA) -> LzmaCursor:
    return LzmaCursor(BytesIO(b"head" + stored), Packed(4, len(stored), size, kind), "blocks[0]")


@pytest.mark.parametrize(
    ("kind", "stored", "size", "message"),
    [
        (compression.STORED, 5, 5, "stored: 5 bytes cannot be 6 bytes"),
        (compression.LZ4, 100, 25_500, "100 bytes of LZ4 cannot hold 25501 bytes"),
        (compression.LZ4HC, 1 << 20, 16 << 20, "an LZ4 block of 16777217 bytes; blocks up to 16777216 are read"),
        (compression.LZMA, 10, 71_000, "10 bytes of LZMA cannot hold 71001 bytes"),
        (compression.LZMA_SIZED, 10, 71_000, "10 bytes of LZMA cannot hold 71001 bytes"),
    ],
)
def test_a_size_is_what_the_compression_can_hold(kind: int, stored: int, size: int, message: str) -> None:
    check(Packed(7, stored, size, kind), "blocks[0]")
    with pytest.raises(UnityFSError) as caught:
        check(Packed(7, stored, size + 1, kind), "blocks[0]")
    assert caught.value.what.startswith(message)
    assert (caught.value.offset, caught.value.field) == (7, "blocks[0]")


def test_other_compressions_are_named() -> None:
    for kind, name in ((4, "LZHAM"), (5, "Brotli"), (6, "number 6")):
        with pytest.raises(UnsupportedError) as caught:
            check(Packed(7, 1, 1, kind), "info")
        assert (caught.value.what, caught.value.offset, caught.value.field) == (
            f"compression {name} is not read",
            7,
            "info",
        )


def test_each_compression_is_decoded_from_its_offset() -> None:
    lzma = builder.lzma_compress(TEXT)
    sized = lzma[:5] + len(TEXT).to_bytes(8, "little") + lzma[5:]
    for kind, stored in (
        (compression.STORED, TEXT),
        (compression.LZMA, lzma),
        (compression.LZMA_SIZED, sized),
        (compression.LZ4, builder.lz4_compress(TEXT)),
    ):
        assert decode(BytesIO(b"head" + stored + b"rest"), Packed(4, len(stored), len(TEXT), kind), "b") == TEXT
    with pytest.raises(UnityFSError, match="damaged") as caught:
        decode(BytesIO(b"head" + b"\xf0" * 9), Packed(4, 9, 20, compression.LZ4), "blocks[1]")
    assert (caught.value.offset, caught.value.field) == (4, "blocks[1]")


def test_a_read_is_whole_or_an_error_with_its_place() -> None:
    assert read_exactly(BytesIO(b"abcdef"), 2, 4, "x") == b"cdef"
    with pytest.raises(UnityFSError, match="needs 5 bytes, 4 are left") as caught:
        read_exactly(BytesIO(b"abcdef"), 2, 5, "x")
    assert (caught.value.offset, caught.value.field) == (2, "x")


class Failing(BytesIO):
    name = "basket.bundle"

    def __init__(self, filename: str | None) -> None:
        super().__init__()
        self._error = OSError(5, "Input/output error", filename)

    def read(self, _: int | None = -1) -> bytes:
        raise self._error


def test_an_error_of_reading_gets_the_name_of_the_file_where_it_has_none() -> None:
    for given, expected in ((None, "basket.bundle"), ("other", "other")):
        with pytest.raises(OSError, match="Input/output error") as caught:
            read_exactly(Failing(given), 0, 1, "x")
        assert caught.value.filename == expected


def test_lzma_is_read_forward_and_from_the_beginning_again() -> None:
    cursor = packed(builder.lzma_compress(TEXT))
    for start, size in ((0, 0), (70_000, 10), (70_005, 5), (70_003, 100), (3, 300), (len(TEXT) - 1, 1), (0, len(TEXT))):
        assert cursor.read(start, size) == TEXT[start : start + size]
    with pytest.raises(UnityFSError, match=f"the LZMA data end after {len(TEXT)} bytes") as caught:
        cursor.read(len(TEXT), 1)
    assert caught.value.field == "blocks[0]"


def test_a_step_back_behind_a_long_read_finds_the_bytes_of_that_place() -> None:
    text = b"".join(number.to_bytes(4, "little") for number in range(50_000))
    for first, second in ((1024, 100_000), (60_000, 70_000), (0, 65_537), (1, 131_073)):
        cursor = packed(builder.lzma_compress(text), len(text))
        assert cursor.read(0, first) + cursor.read(first, second) == text[: first + second]
        for back in (65_535, 65_536, 65_537, 66_000, 66_560, 100):
            start = max(first + second - back, 0)
            assert cursor.read(start, 50) == text[start : start + 50]


def test_the_head_of_lzma_data_is_checked() -> None:
    stored = builder.lzma_compress(TEXT)
    for head, kind, what, offset in (
        (stored[:4], compression.LZMA, "LZMA data are shorter than their header", 4),
        (stored[:12], compression.LZMA_SIZED, "LZMA data are shorter than their header", 4),
        (b"\xff" + stored[1:], compression.LZMA, "LZMA properties 0xff: ", 4),
        (
            stored[:5] + bytes(7) + b"\1" + stored[5:],
            compression.LZMA_SIZED,
            f"the LZMA data say {1 << 56} bytes, the archive {len(TEXT)}",
            9,
        ),
    ):
        with pytest.raises(UnityFSError) as caught:
            packed(head, kind=kind).read(0, 1)
        assert caught.value.what.startswith(what)
        assert (caught.value.offset, caught.value.field) == (offset, "blocks[0]")
    # Its whole header may be all that there is.
    for size, kind in ((5, compression.LZMA), (13, compression.LZMA_SIZED)):
        head = stored[:5] + (b"\xff" * 8 if size == 13 else b"")
        with pytest.raises(UnityFSError, match="the LZMA data end after 0 bytes"):
            packed(head, kind=kind).read(0, 1)


def test_a_dictionary_is_no_larger_than_the_data_and_bounded() -> None:
    huge = builder.lzma_compress(TEXT, 0xFFFFFFFF)
    assert packed(huge).read(0, len(TEXT)) == TEXT
    most = compression.LARGEST_LZMA_DICTIONARY
    assert packed(huge, most).read(0, 1) == TEXT[:1]
    with pytest.raises(UnityFSError, match=f"a dictionary of {most + 1} bytes; {most} are allowed") as caught:
        packed(huge, most + 1).read(0, 1)
    assert caught.value.offset == 5


def test_damaged_lzma_data_are_a_typed_error() -> None:
    stored = builder.lzma_compress(TEXT)
    with pytest.raises(UnityFSError, match="LZMA data are damaged") as caught:
        packed(stored[:5] + b"\xff" * 200).read(0, len(TEXT))
    assert (caught.value.offset, caught.value.field) == (4 + 205, "blocks[0]")
