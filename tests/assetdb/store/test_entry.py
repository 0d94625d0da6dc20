"""Entries are read as a plain decoder reads them, or refused."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assetdb.store.entry import Asset, SubAsset, SubAssets, read_entry
from assetdb_formats.binary import FormatError
from assetdb_formats.codecs import bincode

SCRIPTS = tuple(f"{number:032x}" for number in range(300))
GUID = bytes(range(0xA0, 0xB0))
TEXT = st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace"))
ROWS = st.lists(st.tuples(st.integers(-(2**63), 2**63 - 1), st.integers(0, 2**32 - 1), TEXT), max_size=5)


def entry(kind: int, number: int, name: bytes, rows: list[tuple[int, int, bytes]], path: bytes) -> bytes:
    parts = [bincode.guid(GUID), bytes([kind]), bincode.unsigned(number), bincode.string(name)]
    parts.append(bincode.unsigned(len(rows)))
    for file_id, class_id, text in rows:
        parts += (bincode.signed(file_id), bincode.unsigned(class_id), bincode.string(text))
    return b"".join([*parts, bincode.string(path)])


def plain(data: bytes) -> tuple[Asset, int]:
    """Read an entry with the decoder of every other format."""
    decoder = bincode.Decoder(data)
    guid, kind, number = decoder.unsigned(), decoder.unsigned(), decoder.unsigned()
    name = decoder.string().decode("utf-8", "replace")
    rows = tuple(
        SubAsset(decoder.signed(), decoder.unsigned(), decoder.string().decode("utf-8", "replace"))
        for _ in range(decoder.count(3))
    )
    path = decoder.string().decode("utf-8", "replace")
    if kind > 1 or (kind and number >= len(SCRIPTS)):
        raise FormatError("no type")
    script = SCRIPTS[number] if kind else ""
    return Asset(f"{guid:032x}", 114 if kind else number, script, name, rows, path), decoder.position


def decoded(data: bytes) -> Asset:
    found, end = read_entry(data, 0, SCRIPTS)
    assert end == len(data)
    return found


@given(st.integers(0, 1), st.integers(0, 299), TEXT, ROWS, TEXT)
def test_both_decode_the_same(
    kind: int, number: int, name: bytes, rows: list[tuple[int, int, bytes]], path: bytes
) -> None:
    data = entry(kind, number, name, rows, path)
    found = decoded(data)
    expected, _ = plain(data)
    assert found == expected
    assert read_entry(b"xx" + data + b"y", 2, SCRIPTS) == (expected, len(data) + 2)
    assert expected == found
    assert repr(found) == repr(expected)
    assert hash(found) == hash(expected)


@pytest.mark.parametrize("count", [0, 1, 250, 251, 70_000])
def test_each_width_of_a_count(count: int) -> None:
    rows = [(number, 213, b"x") for number in range(count)]
    found = decoded(entry(0, 28, b"n", rows, b"Assets/n.png"))
    assert [row.file_id for row in found.sub_assets] == list(range(count))
    assert found.path == "Assets/n.png"


def test_rows_behave_as_a_tuple() -> None:
    found = decoded(entry(0, 28, b"n", [(-1, 213, b"a"), (21300000, 213, b"b")], b"p"))
    rows = found.sub_assets
    first, second = SubAsset(-1, 213, "a"), SubAsset(21300000, 213, "b")
    assert isinstance(rows, SubAssets)
    assert (len(rows), rows[0], rows[-1], rows[:1]) == (2, first, second, (first,))
    assert rows == (first, second)
    assert rows != (second, first)
    assert second in rows
    assert rows.index(second) == 1
    assert (*rows, first) == rows + (first,)  # noqa: RUF005 - that is the test
    assert found._replace(name="m") == Asset(GUID.hex(), 28, "", "m", (first, second), "p")


def test_what_is_not_whole_is_refused_with_its_place() -> None:
    data = entry(0, 28, b"name", [(2**40, 213, b"row")], b"Assets/n.png")
    for length in range(len(data)):
        with pytest.raises(FormatError, match="offset"):
            read_entry(data[:length], 0, SCRIPTS)
    with pytest.raises(FormatError, match="script type 300 of 300"):
        read_entry(entry(1, 300, b"n", [], b"p"), 0, SCRIPTS)
    with pytest.raises(FormatError, match="no asset type 2"):
        read_entry(entry(2, 1, b"n", [], b"p"), 0, SCRIPTS)


def test_names_that_are_not_utf_8_are_replaced() -> None:
    assert (
        decoded(entry(0, 1, b"\xff", [(1, 1, b"\xff")], b"p\xff"))
        == plain(entry(0, 1, b"\xff", [(1, 1, b"\xff")], b"p\xff"))[0]
    )


@pytest.mark.parametrize("number", [0, 7, 250, 251, 2**16, 2**32, 2**63])
def test_guids_of_few_digits(number: int) -> None:
    data = bincode.unsigned(number) + entry(1, 3, b"n", [], b"p")[17:]
    assert read_entry(data, 0, SCRIPTS) == plain(data)


def test_damaged_entries_never_decode_to_something_else() -> None:
    numbers = random.Random(11)
    whole = entry(1, 260, b"name", [(-5, 213, b"row" * 90), (2**62, 251, b"")], b"Assets/a/b.prefab")
    for _ in range(20_000):
        data = bytearray(whole)
        for _ in range(numbers.randint(1, 4)):
            data[numbers.randrange(17, len(data))] = numbers.choice(
                (0, 1, 250, 251, 253, 254, 255, numbers.randrange(256))
            )
        try:
            expected = plain(bytes(data))
        except FormatError:
            with pytest.raises(FormatError):
                read_entry(bytes(data), 0, SCRIPTS)
            continue
        found, end = read_entry(bytes(data), 0, SCRIPTS)
        assert (found, end) == expected
        assert list(found.sub_assets) == list(expected[0].sub_assets)
