"""Unity's strings and alignment, in both byte orders."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.unityfs.errors import UnityFSError
from assetdb_formats.unityfs.reader import BigEndianReader, UnityReader


def test_a_text_ends_with_a_zero_byte_within_its_bound() -> None:
    reader = UnityReader(b"?abc\0\xff\0\0rest", 1, base=100)
    assert [reader.text("x", longest=3), reader.text("x"), reader.text("x")] == ["abc", "\udcff", ""]
    assert reader.position == 8
    with pytest.raises(UnityFSError, match="no end of the string within 4 bytes") as caught:
        reader.text("x")
    assert (caught.value.offset, caught.value.field) == (108, "x")
    with pytest.raises(UnityFSError, match="no end of the string within 2 bytes"):
        UnityReader(b"abc\0").text("x", longest=2)
    with pytest.raises(UnityFSError, match="no end of the string within 3 bytes"):
        UnityReader(b"abc\0", 0, 3).text("x")


def test_a_string_is_counted_and_padded_to_4_bytes_if_they_are_there() -> None:
    for order, kind in (("<", UnityReader), (">", BigEndianReader)):
        reader = kind(pack(order + "i", 3) + b"a\xffb\0" + pack(order + "i", 1) + b"c")
        assert (reader.string("x"), reader.position) == ("a\udcffb", 8)
        assert (reader.string("x"), reader.position, reader.left) == ("c", 13, 0)
        for wrong in (-1, 5):
            with pytest.raises(UnityFSError, match=f"counts {wrong} items of 1 bytes, 4 bytes are left") as caught:
                kind(pack(order + "i", wrong) + b"abcd").string("x")
            assert caught.value.field == "x"


def test_alignment_counts_from_the_beginning_of_the_file() -> None:
    reader = UnityReader(bytes(10), 1, base=2)
    reader.align(4)
    assert reader.position == 2
    reader.align(4)
    assert reader.position == 2
    with pytest.raises(UnityFSError, match="needs 7 bytes, 0 are left") as caught:
        UnityReader(b"x", 1).align(8)
    assert (caught.value.offset, caught.value.field) == (1, "padding")


def test_numbers_are_read_in_the_byte_order_of_the_reader() -> None:
    for kind, order in ((UnityReader, "<"), (BigEndianReader, ">")):
        assert kind.order == order
        reader = kind(pack(order + "HIhiq", 0xFFFE, 0xFFFFFFFD, -2, -3, -4))
        assert [reader.u16(), reader.u32(), reader.i16(), reader.i32(), reader.i64()] == [65534, 4294967293, -2, -3, -4]
