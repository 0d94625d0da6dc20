"""The quick decoding of an entry says what the thorough one says, or nothing."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assetdb.store.entry import Asset, SubAsset, SubAssets, decode
from assetdb.store.schema import read_entry
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


@given(st.integers(0, 1), st.integers(0, 299), TEXT, ROWS, TEXT)
def test_both_decode_the_same(
    kind: int, number: int, name: bytes, rows: list[tuple[int, int, bytes]], path: bytes
) -> None:
    data = entry(kind, number, name, rows, path)
    found = decode(data, GUID, SCRIPTS)
    expected = read_entry(bincode.Decoder(data), SCRIPTS)
    assert found == expected
    assert expected == found
    assert repr(found) == repr(expected)
    assert hash(found) == hash(expected)


@pytest.mark.parametrize("count", [0, 1, 250, 251, 70_000])
def test_each_width_of_a_count(count: int) -> None:
    rows = [(number, 213, b"x") for number in range(count)]
    found = decode(entry(0, 28, b"n", rows, b"Assets/n.png"), GUID, SCRIPTS)
    assert found is not None
    assert [row.file_id for row in found.sub_assets] == list(range(count))
    assert found.path == "Assets/n.png"


def test_rows_behave_as_a_tuple() -> None:
    found = decode(entry(0, 28, b"n", [(-1, 213, b"a"), (21300000, 213, b"b")], b"p"), GUID, SCRIPTS)
    assert found is not None
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


def test_what_is_not_whole_or_not_utf_8_is_left_to_the_thorough_one() -> None:
    data = entry(0, 28, b"name", [(2**40, 213, b"row")], b"Assets/n.png")
    assert decode(data, bytes(16), SCRIPTS) is None
    assert decode(data + b"x", GUID, SCRIPTS) is None
    for length in range(len(data)):
        assert decode(data[:length], GUID, SCRIPTS) is None
    assert decode(entry(1, 300, b"n", [], b"p"), GUID, SCRIPTS) is None
    assert decode(entry(2, 1, b"n", [], b"p"), GUID, SCRIPTS) is None
    assert decode(entry(0, 1, b"\xff", [], b"p"), GUID, SCRIPTS) is None


def test_damaged_entries_never_decode_to_something_else() -> None:
    numbers = random.Random(11)
    whole = entry(1, 260, b"name", [(-5, 213, b"row" * 90), (2**62, 251, b"")], b"Assets/a/b.prefab")
    for _ in range(20_000):
        data = bytearray(whole)
        for _ in range(numbers.randint(1, 4)):
            data[numbers.randrange(17, len(data))] = numbers.choice(
                (0, 1, 250, 251, 253, 254, 255, numbers.randrange(256))
            )
        found = decode(bytes(data), GUID, SCRIPTS)
        if found is None:
            continue
        rows = list(found.sub_assets)
        try:
            expected = read_entry(bincode.Decoder(bytes(data)), SCRIPTS)
        except FormatError:
            pytest.fail(f"{bytes(data)!r} is damaged")
        assert (found, rows) == (expected, list(expected.sub_assets))
