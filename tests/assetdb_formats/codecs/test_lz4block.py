"""The decoder's edge: what the C library refuses, and what is refused before it is asked."""

from __future__ import annotations

import random
import tracemalloc
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assetdb_formats.binary import FormatError
from assetdb_formats.codecs.lz4block import LARGEST_RATIO, decompress

lz4 = import_module("lz4.block")

TEXTS = [
    b"",
    b"a",
    b"abcd" * 500,
    b"\0" * 100_000,
    bytes(range(256)) * 20,
    b"the quick brown fox and the quick brown dog and the quick brown fox " * 9,
]


@pytest.mark.parametrize("mode", ["default", "fast", "high_compression"])
@pytest.mark.parametrize("text", TEXTS)
def test_what_was_compressed_is_decoded(text: bytes, mode: str) -> None:
    assert decompress(lz4.compress(text, mode=mode, store_size=False), len(text)) == text


@given(st.lists(st.sampled_from([b"ab", b"abcdef", b"\0" * 40, b"xyz", b"q"]), max_size=200))
def test_any_text_survives(parts: list[bytes]) -> None:
    text = b"".join(parts)
    assert decompress(lz4.compress(text, store_size=False), len(text)) == text


@pytest.mark.parametrize(
    ("block", "size", "message"),
    [
        (b"", 0, "damaged"),
        (b"\x10", 1, "damaged"),
        (b"\x10a\x02\x00", 5, "damaged"),
        (b"\x1fa\x01\x00\xff", 300, "damaged"),
        (b"\xf0" + b"\xff" * 20, 5000, "damaged"),
        (b"\x20ab", 1, "more than the 1 bytes declared"),
        (b"\x10a\x01\x00", 3, "damaged"),
        (b"\x10a", 2, "holds 1 bytes, 2 are declared"),
        (b"\x10a" * 2, 1, "damaged"),
        (b"\x10a", 1000, "cannot hold"),
    ],
)
def test_damage_is_said(block: bytes, size: int, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        decompress(block, size)


def test_a_byte_stands_for_255_bytes_at_most() -> None:
    for size, message in ((510, "holds 1 bytes, 510 are declared"), (511, "2 bytes of LZ4 cannot hold 511 bytes")):
        with pytest.raises(FormatError, match=message):
            decompress(b"\x10a", size)


def test_nothing_is_allocated_on_a_declaration_alone() -> None:
    tracemalloc.start()
    for size in (1 << 20, 1 << 31, 1 << 40, 1 << 70):
        with pytest.raises(FormatError, match="cannot hold"):
            decompress(b"\xff" * 100, size)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 100_000


def test_no_block_decodes_to_more_than_the_largest_ratio() -> None:
    text = bytes(10 << 20)
    block = lz4.compress(text, mode="high_compression", compression=12, store_size=False)
    assert len(text) / len(block) <= LARGEST_RATIO
    assert decompress(block, len(text)) == text


def test_a_damaged_block_gives_its_size_or_a_format_error_and_the_same_every_time() -> None:
    choice = random.Random(4)
    decoded = 0
    for _ in range(3000):
        text = b"".join(choice.choice([b"abc", b"\0\0", b"xyzxyz"]) for _ in range(choice.randrange(60)))
        block = bytearray(lz4.compress(text, store_size=False))
        block[choice.randrange(len(block))] = choice.randrange(256)
        try:
            found = decompress(bytes(block), len(text))
        except FormatError:
            continue
        assert len(found) == len(text)
        assert decompress(bytes(block), len(text)) == found  # no bytes of what was in memory before
        decoded += 1
    assert decoded > 500
