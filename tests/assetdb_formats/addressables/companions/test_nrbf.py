"""Streams of .NET's BinaryFormatter: every kind of value and record, and those that lie."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.addressables.companions.nrbf import Instance, Reference, Stream
from assetdb_formats.addressables.errors import AddressablesError

HEADER = b"\0" + pack("<4i", 1, -1, 1, 0)
END = b"\x0b"
LIBRARY = b"\x0c" + pack("<i", 2) + b"\3Lib"


def text(value: str) -> bytes:
    data = value.encode()
    return bytes([len(data)]) + data


def class_of(number: int, name: str, **members: int) -> bytes:
    """A class with its library, whose members are of these primitive types."""
    names = b"".join(text(member) for member in members)
    kinds = bytes(len(members)) + bytes(members.values())
    return b"\5" + pack("<i", number) + text(name) + pack("<i", len(members)) + names + kinds + pack("<i", 2)


def stream(*records: bytes) -> Stream:
    return Stream(HEADER + b"".join(records) + END)


@pytest.mark.parametrize(
    ("code", "data", "expected"),
    [
        (1, b"\1", True),
        (2, b"\xff", 255),
        (3, b"a", "a"),
        *((3, letter.encode(), letter) for letter in "\n\x10 0AZz"),  # one byte, whatever its upper half
        *((3, bytes((half << 4,)), "\N{REPLACEMENT CHARACTER}") for half in range(8, 12)),  # no first byte of any
        (3, "é".encode(), "é"),
        (3, "я".encode(), "я"),
        (3, "€".encode(), "€"),
        (3, "😀".encode(), "😀"),
        (5, text("1.50"), "1.50"),  # Decimal is text
        (6, pack("<d", 1.5), 1.5),
        (7, pack("<h", -2), -2),
        (8, pack("<i", -3), -3),
        (9, pack("<q", -4), -4),
        (10, pack("<b", -5), -5),
        (11, pack("<f", 0.5), 0.5),
        (14, pack("<H", 6), 6),
        (15, pack("<I", 7), 7),
        (16, pack("<Q", 8), 8),
        (17, b"", None),
        (18, text("word"), "word"),
    ],
)
def test_a_member_of_each_primitive_type(code: int, data: bytes, expected: object) -> None:
    found = stream(LIBRARY, class_of(1, "C", first=code, second=8), data, pack("<i", 99))
    assert found.root == 1
    assert found.objects[1] == Instance("C", {"first": expected, "second": 99})


def test_a_type_that_is_none_is_an_error() -> None:
    for code in (0, 4, 19):
        with pytest.raises(AddressablesError, match=f"has primitive type {code}"):
            stream(LIBRARY, class_of(1, "C", first=code), b"\0" * 16)


def test_classes_are_named_once_and_objects_refer_to_each_other() -> None:
    first = class_of(1, "C", a=8) + pack("<i", 5)
    again = b"\1" + pack("<ii", 7, 1) + pack("<i", 6)
    array = (
        b"\x10"
        + pack("<ii", 3, 6)
        + b"\x09"
        + pack("<i", 7)
        + b"\x06"
        + pack("<i", 4)
        + text("x")
        + b"\x0d\x03"
        + b"\x0a"
    )
    found = stream(LIBRARY, first, again, array)
    assert found.objects[7] == Instance("C", {"a": 6})
    assert found.objects[3] == [Reference(7), Reference(4), None, None, None, None]
    assert found.resolve(Reference(4)) == "x"
    assert found.resolve(Reference(5)) is None
    assert found.resolve(8) == 8


def test_arrays_of_numbers() -> None:
    found = stream(b"\x0f" + pack("<ii", 1, 3) + b"\x08" + pack("<3i", 1, -2, 3))
    assert found.objects[1] == [1, -2, 3]
    texts = stream(b"\x0f" + pack("<ii", 1, 2) + b"\x12" + text("a") + text("b"))
    assert texts.objects[1] == ["a", "b"]
    typed = stream(b"\7" + pack("<i", 1) + b"\0" + pack("<ii", 1, 2) + b"\0\x02" + b"\x07\x08")
    assert typed.objects[1] == [7, 8]


def test_nulls_are_counted() -> None:
    many = stream(b"\x10" + pack("<ii", 1, 300) + b"\x0e" + pack("<i", 300))
    assert many.objects[1] == [None] * 300
    for nulls in (b"\x0d\x00", b"\x0d\x03", b"\x0e" + pack("<i", -1)):
        with pytest.raises(AddressablesError, match="nulls for 2 places"):
            stream(b"\x10" + pack("<ii", 1, 2) + nulls)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"\1" + HEADER[1:], "is not a BinaryFormatter stream"),
        (b"\0" + pack("<4i", 1, -1, 2, 0) + END, "is not version 1.0"),
        (HEADER + b"\x0a" + END, "is null outside an object"),
        (HEADER + b"\x13" + END, "has record type 19"),
        (HEADER + b"\1" + pack("<ii", 7, 1) + END, "names class 1, which is not there"),
        (HEADER + b"\x10" + pack("<ii", 1, -1) + END, "counts -1 items"),
        (HEADER + b"\x10" + pack("<ii", 1, (1 << 20) + 1) + END, "counts 1048577 items"),
        (HEADER + b"\6" + pack("<i", 1) + b"\xff" * 6, "a length of more than five bytes"),
        (HEADER + b"\7" + pack("<i", 1) + b"\2" + pack("<iii", 2, 1, 1) + b"\0\x02\0", "has 2 dimensions"),
        (HEADER, "needs 1 bytes, 0 are left"),
    ],
)
def test_streams_that_lie_are_errors(data: bytes, what: str) -> None:
    with pytest.raises(AddressablesError, match=what):
        Stream(data)


def test_objects_of_nulls_are_counted_together() -> None:
    names = b"".join(text(format(number, "x")) for number in range(4000))
    record = b"\3" + pack("<i", 1) + text("C") + pack("<i", 4000) + names + pack("<i", 2)
    nulls = b"\x0e" + pack("<i", 4000)
    copies = (b"\1" + pack("<ii", number, 1) + nulls for number in range(2, 1000))
    with pytest.raises(AddressablesError, match="counts 4000 items"):  # 33 kB would be four million values
        stream(LIBRARY, record + nulls, *copies)


def test_nesting_is_bounded() -> None:
    def nested(depth: int) -> bytes:
        return b"".join(b"\x10" + pack("<ii", number, 1) for number in range(1, depth + 1)) + b"\x0a"

    assert len(stream(nested(63)).objects) == 63
    with pytest.raises(AddressablesError, match="nests deeper than 64"):
        stream(nested(64))
