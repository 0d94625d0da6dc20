"""Names as containers store them: all together, or behind their own lengths."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.codecs.city_hash import name_hash
from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.reader import Reader
from assetdb_formats.unreal.zen.name_batch import NameBatch, read_batch, read_names_apart

ALGORITHM = 0xC1640000
START = 5
BATCH = pack("<IIQ", 2, 3, ALGORITHM) + pack("<QQ", 11, 12) + pack(">HH", 1, 0x8001) + b"A" + "語".encode("utf-16-le")


def test_a_batch_has_hashes_lengths_and_characters() -> None:
    reader = Reader(bytes(START) + BATCH + b"more", START)
    found = read_batch(reader, "names")
    assert (found.names, found.hashes, len(found)) == (["A", "語"], (11, 12), 2)
    assert reader.position == START + len(BATCH)
    reader = Reader(pack("<I", 0) + b"more")
    found = read_batch(reader, "names")
    assert (found.names, found.hashes, len(found), reader.position) == ([], (), 0, 4)


def test_lengths_below_32768_are_of_single_bytes() -> None:
    data = pack("<IIQQ", 1, 1023, ALGORITHM, 0) + pack(">H", 1023) + b"\xe4" * 1023
    assert read_batch(Reader(data), "names").names == ["ä" * 1023]
    data = pack("<IIQQ", 1, 0, ALGORITHM, 0) + pack(">H", 0x8000)
    assert read_batch(Reader(data), "names").names == [""]


@pytest.mark.parametrize(
    ("data", "message", "offset", "field"),
    [
        (pack("<IIQ", 1, 1, 5) + bytes(11), "unknown hash algorithm 0x5", 8, "names.algorithm"),
        (pack("<IIQ", 2, 1, ALGORITHM) + bytes(19), "counts 2 items of 10 bytes, 19 bytes are left", 16, "names"),
        (pack("<IIQ", 1, 3, ALGORITHM) + bytes(12), "needs 3 bytes, 2 are left", 26, "names.characters"),
        (
            pack("<IIQ", 1, 2, ALGORITHM) + bytes(8) + pack(">H", 1) + b"ab",
            "names of 1 bytes where 2 are declared",
            26,
            "names",
        ),
    ],
)
def test_a_damaged_batch_is_an_error(data: bytes, message: str, offset: int, field: str) -> None:
    with pytest.raises(UnrealError, match=message) as caught:
        read_batch(Reader(bytes(START) + data, START), "names")
    assert (caught.value.offset, caught.value.field) == (START + offset, field)


def test_a_reference_is_an_index_with_a_kind_and_a_number() -> None:
    batch = NameBatch(["A", "B"])
    assert batch.resolve(1, 0, "x", 0) == "B"
    assert batch.resolve(1 | 1 << 30, 1, "x", 0) == "B_0"
    assert batch.resolve(0 | 2 << 30, 2, "x", 0) == "A_1"
    for index in (2, 2 | 3 << 30):
        with pytest.raises(UnrealError, match="refers to name 2 of 2") as caught:
            batch.resolve(index, 0, "field", 77)
        assert (caught.value.offset, caught.value.field) == (77, "field")


def test_a_hash_is_that_of_its_name() -> None:
    assert NameBatch(["A", "B", "C"], (name_hash("A"), 5, name_hash("C"))).wrong_hashes() == [1]
    assert NameBatch(["A", "B"]).wrong_hashes() == []


HASHES = pack("<QQQ", ALGORITHM, 11, 12)
APART = pack(">H", 1) + b"A" + pack(">H", 0x8001) + "語".encode("utf-16-le")


def test_engine_4_keeps_names_and_hashes_apart() -> None:
    found = read_names_apart(APART, HASHES)
    assert (found.names, found.hashes) == (["A", "語"], (11, 12))
    assert read_names_apart(APART + b"\0\0", HASHES).names == ["A", "語"]
    assert read_names_apart(b"", b"").names == []
    assert read_names_apart(b"", HASHES[:8]).names == []
    assert read_names_apart(pack(">H", 1023) + b"x" * 1023, HASHES[:16]).names == ["x" * 1023]
    assert read_names_apart(pack(">H", 0x8000), HASHES[:16]).names == [""]


@pytest.mark.parametrize(
    ("data", "hashes", "message", "offset", "field"),
    [
        (APART, HASHES[:-1], "23 bytes of hashes are not whole", 200, "names.hashes"),
        (APART, b"", "0 bytes of hashes are not whole", 200, "names.hashes"),
        (APART, pack("<QQ", 5, 0), "unknown hash algorithm 0x5", 200, "names.algorithm"),
        (APART[:4], HASHES, "is cut short", 103, "names[1]"),
        (APART[:3], HASHES, "is cut short", 103, "names[1]"),
        (APART[:-1], HASHES, "is cut short", 105, "names[1]"),
        (APART[:2], HASHES, "is cut short", 102, "names[0]"),
    ],
)
def test_damaged_names_of_engine_4_are_an_error(
    data: bytes, hashes: bytes, message: str, offset: int, field: str
) -> None:
    with pytest.raises(UnrealError, match=message) as caught:
        read_names_apart(data, hashes, base=100, hashes_base=200)
    assert (caught.value.offset, caught.value.field) == (offset, field)
