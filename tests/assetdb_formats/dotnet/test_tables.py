"""Metadata tables: widths of rows by heaps and counts, and each index at its limit."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.binary import FormatError, Reader
from assetdb_formats.dotnet.image import Image, Stream
from assetdb_formats.dotnet.tables import Tables, compressed, decoded, full_name

FRONT = 16  # bytes of the file before the tables


def tables(
    counts: dict[int, int],
    rows: bytes = b"",
    *,
    heaps: int = 0,
    strings: bytes = b"\0",
    blobs: bytes | None = b"\0",
    cut: int = 0,
) -> Tables:
    valid = sum(1 << table for table in counts)
    head = bytes(6) + pack("<BBQQ", heaps, 0, valid, 0) + b"".join(pack("<I", count) for count in counts.values())
    body = head + (bytes(4) if heaps & 0x40 else b"") + rows
    data = bytes(FRONT) + body
    stream = Stream(FRONT, len(data) - cut)
    text = Stream(len(data), len(data) + len(strings))
    data += strings
    found = {b"#~": stream, b"#Strings": text}
    if blobs is not None:
        found[b"#Blob"] = Stream(len(data), len(data) + len(blobs))
        data += blobs + b"?" * 9
    return Tables(data, Image(found, stream, text))


def test_rows_are_numbered_from_one() -> None:
    found = tables({0x20: 1, 0x29: 2}, pack("<IHHHHIHHH", 1, 2, 3, 4, 5, 6, 7, 8, 9) + pack("<HHHH", 10, 11, 12, 13))
    assert found.counts == {0x20: 1, 0x29: 2}
    assert (found.row(0x20, 1), found.row(0x29, 2)) == ((1, 2, 3, 4, 5, 6, 7, 8, 9), (12, 13))
    assert list(found.rows(0x29)) == [(10, 11), (12, 13)]
    assert (found.count(0x29), found.count(0x02), list(found.rows(0x02))) == (2, 0, [])
    for number in (0, 3):
        with pytest.raises(FormatError, match=f"row {number} of 2") as caught:
            found.row(0x29, number)
        assert caught.value.field == "tables.rows[0x29]"


def test_a_table_lies_in_its_stream() -> None:
    rows = pack("<HHHH", 1, 2, 3, 4)
    assert len(list(tables({0x29: 2}, rows).rows(0x29))) == 2
    for cut in (1, 8):
        found = tables({0x29: 2}, rows, cut=cut)
        with pytest.raises(FormatError, match=f"counts 2 items of 4 bytes, {8 - cut} bytes are left") as caught:
            found.rows(0x29)
        assert (caught.value.offset, caught.value.field) == (FRONT + 28, "tables.rows[0x29]")
    # The second begins behind the end.
    behind = tables({0x29: 2, 0x2B: 1}, rows, cut=2)
    with pytest.raises(FormatError, match="counts 1 items of 4 bytes, 0 bytes are left") as caught:
        behind.count(0x2B)
    assert caught.value.offset == FRONT + 32 + 8 - 2


def test_large_heaps_have_wide_indexes() -> None:
    # Module: generation, a name, three GUIDs. Field: flags, a name, a blob.
    for heaps, text, guid, blob in ((0, "H", "H", "H"), (1, "I", "H", "H"), (2, "H", "I", "H"), (4, "H", "H", "I")):
        rows = pack(f"<H{text}{guid * 3}", 1, 2, 3, 4, 5) + pack(f"<H{text}{blob}", 6, 7, 8)
        for extra in (0, 0x40):  # a number that nobody reads comes before the rows
            found = tables({0x00: 1, 0x04: 1}, rows, heaps=heaps | extra)
            assert (found.row(0, 1), found.row(4, 1)) == ((1, 2, 3, 4, 5), (6, 7, 8))


def width(table: int, counts: dict[int, int]) -> int:
    """Return the bytes of a row of a table, by where the one after it lies."""
    found = tables(counts, bytes(1 << 20))
    first, second = (found._starts[number] for number in (table, min(each for each in counts if each > table)))
    return (second - first) // counts[table]


def test_many_rows_have_wide_indexes() -> None:
    # NestedClass: two rows of TypeDef.
    assert [width(0x29, {0x02: count, 0x29: 1, 0x2A: 1}) for count in (65_535, 65_536)] == [4, 8]
    # MethodSemantics (0x18): a number, a method, and one of two tables: one bit of the index tells which.
    assert [width(0x18, {0x14: count, 0x18: 1, 0x19: 1}) for count in (32_767, 32_768)] == [6, 8]
    assert [width(0x18, {0x17: count, 0x18: 1, 0x19: 1}) for count in (32_767, 32_768)] == [6, 8]
    # CustomAttribute: five bits for the parent, three for the constructor.
    assert [width(0x0C, {0x01: count, 0x0C: 1, 0x20: 1}) for count in (2_047, 2_048)] == [6, 8]
    assert [width(0x0C, {0x0A: count, 0x0C: 1, 0x20: 1}) for count in (8_191, 8_192)] == [8, 10]


def test_pointers_of_an_unoptimized_stream_take_the_place_of_what_they_point_to() -> None:
    # TypeDef lists fields (0x04), or pointers to fields (0x03) where there are any.
    assert width(0x02, {0x02: 1, 0x04: 65_536}) == 4 + 2 + 2 + 2 + 4 + 2
    assert width(0x02, {0x02: 1, 0x03: 1, 0x04: 65_536}) == 14


def test_tables_of_debugging_symbols_end_those_that_are_read() -> None:
    found = tables({0x29: 1, 0x30: 5}, pack("<HH", 1, 2))
    assert (found.count(0x29), found.count(0x30), found.counts[0x30]) == (1, 0, 5)
    assert list(found.rows(0x30)) == []


def test_a_name_ends_within_its_heap_and_1024_bytes() -> None:
    strings = b"\0abc\0" + b"x" * 1023 + b"\0" + b"y" * 1024 + b"\0caf\xff\0end"
    found = tables({}, strings=strings)
    assert [found.text(index) for index in (0, 1, 2, 1, 5)] == ["", "abc", "bc", "abc", "x" * 1023]
    assert found.text(strings.index(b"caf")) == "caf\ufffd"
    for index in (1029, len(strings) - 3, len(strings), len(strings) + 100):
        with pytest.raises(FormatError, match=f"no name at {index} of the strings") as caught:
            found.text(index)
        assert caught.value.field == "tables.name"


def test_names_in_each_other_are_bounded_in_total() -> None:
    strings = b"a" * 1000 + b"\0"
    found = tables({}, strings=strings)
    budget = 4 * len(strings) + 65_536  # 69,540: the names at 0 to 71 have 1,000, 999 ... 929 characters
    taken = sum(1000 - index for index in range(72))
    assert taken <= budget < taken + 928
    for index in range(72):
        found.text(index)
    assert found.text(0) == "a" * 1000  # known already
    found.text(1000 - (budget - taken))
    with pytest.raises(FormatError, match="names overlap without end") as caught:
        found.text(999)
    assert caught.value.field == "tables.name"


def test_a_blob_has_its_length_in_front() -> None:
    found = tables({}, blobs=b"\0\3abc\x80\x02xy\5z")
    assert [found.blob(index) for index in (0, 1, 5)] == [b"", b"abc", b"xy"]
    with pytest.raises(FormatError, match="needs 5 bytes, 1 are left") as caught:
        found.blob(9)
    assert caught.value.field == "metadata.blobs"
    for heap in (found, tables({}, blobs=None)):
        with pytest.raises(FormatError, match="no blob at 11"):
            heap.blob(11)


def test_a_compressed_number_has_one_two_or_four_bytes() -> None:
    # The examples of ECMA-335, II.23.2.
    for data, number in (
        (b"\x03", 0x03),
        (b"\x7f", 0x7F),
        (b"\x80\x80", 0x80),
        (b"\xae\x57", 0x2E57),
        (b"\xbf\xff", 0x3FFF),
        (b"\xc0\x00\x40\x00", 0x4000),
        (b"\xdf\xff\xff\xff", 0x1FFFFFFF),
    ):
        reader = Reader(data + b"?")
        assert (compressed(reader, "x"), reader.left) == (number, 1)
    for first in (0xE0, 0xFF):
        with pytest.raises(FormatError, match=f"a number that begins with {first:#x}") as caught:
            compressed(Reader(bytes([0, first]), 1, base=10), "x")
        assert (caught.value.offset, caught.value.field) == (11, "x")


def test_a_coded_index_is_a_table_and_a_row() -> None:
    assert [decoded(5 << 2 | tag, "TypeDefOrRef") for tag in range(4)] == [(0x02, 5), (0x01, 5), (0x1B, 5), (-1, 5)]
    assert decoded(7 << 5 | 1, "HasCustomAttribute") == (0x04, 7)
    assert [decoded(1 << 3 | tag, "CustomAttributeType")[0] for tag in range(5)] == [-1, -1, 0x06, 0x0A, -1]


def test_a_full_name_has_a_dot_behind_a_namespace() -> None:
    assert (full_name("Game", "Door"), full_name("", "Door")) == ("Game.Door", "Door")
