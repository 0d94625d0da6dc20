"""The bounded reader: numbers, spans and counts, and the place of what is wrong."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.binary import FormatError, Reader

DATA = bytes(range(1, 21))


def test_an_error_says_where_it_is() -> None:
    assert str(FormatError("is wrong")) == "is wrong"
    assert str(FormatError("is wrong", field="a")) == "a: is wrong"
    assert str(FormatError("is wrong", offset=16)) == "offset 16 (0x10): is wrong"
    whole = FormatError("is wrong", offset=0, field="a").at("file")
    assert str(whole) == "file: offset 0 (0x0): a: is wrong"
    assert (whole.what, whole.offset, whole.field, whole.path) == ("is wrong", 0, "a", "file")


@pytest.mark.parametrize(
    ("kind", "code", "value"),
    [
        ("u8", "<B", 200),
        ("u16", "<H", 60000),
        ("u32", "<I", 4_000_000_000),
        ("u64", "<Q", 2**63),
        ("i16", "<h", -2),
        ("i32", "<i", -2),
        ("i64", "<q", -2),
        ("f32", "<f", 0.5),
        ("f64", "<d", 0.1),
    ],
)
def test_a_number_is_little_endian_and_moves_the_cursor(kind: str, code: str, value: float) -> None:
    data = pack(code, value)
    reader = Reader(b"\xee" + data, 1)
    assert getattr(reader, kind)("field") == value
    assert (reader.position, reader.left) == (1 + len(data), 0)
    reader = Reader(b"\xee" + data, 1, len(data), base=100)
    with pytest.raises(FormatError, match=f"needs {len(data)} bytes, {len(data) - 1} are left") as caught:
        getattr(reader, kind)("field")
    assert (caught.value.offset, caught.value.field, reader.position) == (101, "field", 1)


def test_a_span_is_copied_or_viewed() -> None:
    reader = Reader(DATA, 2, 10)
    assert reader.take(3) == DATA[2:5]
    assert bytes(reader.view(5)) == DATA[5:10]
    assert reader.left == 0
    assert reader.take(0) == b""
    for size in (-1, 1):
        with pytest.raises(FormatError, match=f"needs {size} bytes, 0 are left") as caught:
            reader.need(size, "field")
        assert (caught.value.offset, caught.value.field) == (10, "field")


def test_an_end_lies_within_the_data() -> None:
    assert Reader(DATA).left == Reader(DATA, 0, 99).left == 20
    assert Reader(memoryview(DATA), 19).take(1) == b"\x14"


def test_the_cursor_moves_within_the_data() -> None:
    reader = Reader(DATA, 5, 10)
    for position in (0, 10):
        reader.seek(position)
        assert reader.position == position
    for position in (-1, 11):
        with pytest.raises(FormatError, match=rf"points to {position}, outside 0\.\.10") as caught:
            reader.seek(position, "field")
        assert (caught.value.offset, caught.value.field) == (10, "field")


def test_a_count_is_of_items_that_fit() -> None:
    reader = Reader(DATA, 8, base=100)
    assert [reader.count(number, 4) for number in (0, 3)] == [0, 3]
    for number, size in ((-1, 4), (4, 4), (13, 1)):
        with pytest.raises(FormatError, match=f"counts {number} items of {size} bytes, 12 bytes are left") as caught:
            reader.count(number, size, "field")
        assert (caught.value.offset, caught.value.field) == (108, "field")
    assert reader.error("x", "field", offset=3).offset == 103
