"""The decoder against blocks of our own writer, against the C library where it is, and against damage."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.binary import FormatError
from formats.lz4block import decompress, decompress_python
from tests.formats.unityfs.builder import lz4_compress, lz4_literals

TEXTS = [
    b"",
    b"a",
    b"abcd" * 500,
    b"\0" * 100_000,
    bytes(range(256)) * 20,
    b"the quick brown fox and the quick brown dog and the quick brown fox " * 9,
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_was_compressed_is_decoded(text: bytes) -> None:
    for block in (lz4_compress(text), lz4_literals(text)):
        assert decompress_python(block, len(text), len(text)) == text
        assert decompress(block, len(text)) == text


@given(st.lists(st.sampled_from([b"ab", b"abcdef", b"\0" * 40, b"xyz", b"q"]), max_size=200))
def test_any_text_survives(parts: list[bytes]) -> None:
    text = b"".join(parts)
    assert decompress_python(lz4_compress(text), len(text), len(text)) == text


def test_the_beginning_alone() -> None:
    text = TEXTS[5] * 50
    block = lz4_compress(text)
    for wanted in (0, 1, 7, 100, len(text) - 1):
        found = decompress_python(block, len(text), wanted)
        assert len(found) >= wanted
        assert text.startswith(found)


@pytest.mark.parametrize(
    ("block", "size", "message"),
    [
        (b"", 0, "ends in the middle"),
        (b"\x10", 1, "more than the block has"),
        (b"\x10a\x00\x00", 5, "points 0 bytes back"),
        (b"\x10a\x02\x00", 5, "points 2 bytes back"),
        (b"\x1fa\x01\x00\xff", 300, "ends in the middle"),
        (b"\xf0" + b"\xff" * 20, 5000, "ends in the middle"),
        (b"\x20ab", 1, "holds more"),
        (b"\x10a\x01\x00", 3, "holds more"),
        (b"\x10a", 2, "holds 1 bytes"),
        (b"\x10a" * 2, 1, "follow the last"),
        (b"\x10a", 1000, "cannot hold"),
    ],
)
def test_damage_is_said(block: bytes, size: int, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        decompress(block, size)


def test_the_library_and_python_agree_on_damaged_blocks() -> None:
    library = pytest.importorskip("lz4.block", reason="the lz4 extra is not installed")
    choice = random.Random(4)
    accepted = 0
    for _ in range(3000):
        text = b"".join(choice.choice([b"abc", b"\0\0", b"xyzxyz"]) for _ in range(choice.randrange(60)))
        block = bytearray(library.compress(text, store_size=False) if choice.random() < 0.5 else lz4_compress(text))
        if choice.random() < 0.7:
            block[choice.randrange(len(block))] = choice.randrange(256)
        try:
            expected: bytes | None = library.decompress(bytes(block), len(text))
        except library.LZ4BlockError:
            expected = None
        try:
            found: bytes | None = decompress_python(bytes(block), len(text), len(text))
        except FormatError as error:
            if "points 0 bytes back" in error.what:  # which the format forbids and the library lets pass
                continue
            found = None
        if expected is not None and len(expected) == len(text):
            assert found == expected
            accepted += 1
    assert accepted > 500
