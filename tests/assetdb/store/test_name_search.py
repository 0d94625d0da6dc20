"""Search of names in the bytes of entries, beside a comparison of each name."""

from __future__ import annotations

import sys
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING
from unicodedata import normalize

import pytest

from assetdb.query.selecting.folding import fold
from assetdb.query.selecting.selector import find
from assetdb.store import schema
from assetdb.store.database import open_database
from assetdb.store.name_search import TO_ASCII, extensions, file_names, rows_with
from assetdb_formats.codecs import bincode

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.store.database import Database

TEXT_ASSET = "49"
ODD = (
    *(f"{mark}x" for mark in TO_ASCII),
    "Kelvin \u212a",
    "Stra\u00dfe",
    "\ufb02ame",
    "\ufb03ce",
    "PLAYER",
    "player.v2",
    "e\u0301t\u00c9",
    "\u0130stanbul",
    "\u4eba\u7269",
    "I\u0307z",
)
NAMES = [ODD[number % len(ODD)] if number % 50 == 0 else f"Item{number}" for number in range(9000)]


def entry(number: int, name: str) -> tuple[int, bytes]:
    """Return GUID and body of an asset; each seventh has a sub-asset of another name, each ninth a short GUID."""
    rows = b"\0"
    if number % 7 == 0:
        rows = b"\1" + bincode.signed(-(1 << 40)) + bincode.unsigned(213) + bincode.string(f"{name}_0".encode())
    path = bincode.string(f"Assets/Folder{number % 3}/{name}.TXT".encode())
    guid = number + 1 if number % 9 == 0 else (number + 1) << 96 | number * 0x9E3779B97F4A7C15
    return guid, bincode.string(name.encode()) + rows + path


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    entries = sorted(entry(number, name) for number, name in enumerate(NAMES))
    path: Path = tmp_path_factory.mktemp("names") / "asset-db.bin"
    parts = (
        [guid.to_bytes(16, "big") for guid, _ in entries],
        [TEXT_ASSET] * len(entries),
        [body for _, body in entries],
    )
    path.write_bytes(schema.encode(*parts)[0])
    with open_database(path) as opened:
        yield opened


def test_all_characters_that_fold_to_ascii_are_known() -> None:
    folded = {}
    for number in (*range(128, 0xD800), *range(0xE000, sys.maxunicode + 1)):
        one = chr(number)
        forms = one.casefold() + normalize("NFC", one).casefold() + fold(one)
        letters = {letter for letter in forms if letter.isascii()}
        if letters:
            folded[one] = letters
    assert {mark: set(letters) for mark, letters in TO_ASCII.items()} == folded


@pytest.mark.parametrize(
    "pattern",
    [
        *("player", "PLAYER*", "*k", "*kelvin k*", "stra??e*", "*stra[s]*", "f[l]ame", "ffi*", "*\u00c9*", "\u00e9t*"),
        *("i\u0307*", "*z", "item89*9", "folder2/item1", "item?", "[!i]*", "*", "*_0", "\u4eba*", "\u4eba", "x", "s"),
        *("*.txt", "*]*", "item12[3-5]?", "no such"),
    ],
)
def test_a_pattern_finds_what_each_name_alone_says(database: Database, pattern: str) -> None:
    form = str.casefold if pattern.isascii() else fold
    wanted = form(pattern)
    is_glob = any(one in pattern for one in "*?[")

    def matches(name: str) -> bool:
        return fnmatchcase(form(name), wanted) if is_glob else wanted in form(name)

    expected = []
    for asset in database:
        if any(map(matches, (asset.path, asset.path.rpartition("/")[2], asset.name))):
            expected.append((asset.guid, None))
        expected += [(asset.guid, row.file_id) for row in asset.sub_assets if matches(row.name)]
    assert [(item.guid, item.file_id) for item in find(pattern, database)] == expected


def test_few_entries_are_read_for_a_rare_name(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    at = database.at
    monkeypatch.setattr(database, "at", lambda row: read.append(row) or at(row))
    found = list(find("*4321*", database))
    assert [item.name for item in found] == ["Item4321"]
    assert len(read) == 1


def test_file_names_are_in_the_order_of_entries(database: Database) -> None:
    names = [asset.path.rpartition("/")[2].encode().lower() for asset in database]
    assert list(database.file_names()) == names


@pytest.mark.parametrize("ending", [".TXT", ".txt", ".Txt", "7.TXT", "/PLAYER.TXT", "/player.txt", ".t", "TXT", ".md"])
def test_an_ending_finds_what_each_path_in_any_case_says(database: Database, ending: str) -> None:
    expected = [asset.guid for asset in database if asset.path.lower().endswith(ending.lower())]
    assert bool(expected) == (ending not in (".t", ".md"))
    assert [asset.guid for asset in database.ending(ending)] == expected


def test_entries_of_other_extensions_are_not_read(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "at", None)
    assert list(database.ending(".md")) == []


@pytest.mark.parametrize("place", [0, 3, 1 << 20, (1 << 63) - 1])
def test_damaged_offsets_end(place: int) -> None:
    data = b"-/a.txt" * 6
    for row in range(6):
        offsets = [7 * number for number in range(6)]
        offsets[row] = place
        view = memoryview(b"".join(offset.to_bytes(8, sys.byteorder) for offset in offsets)).cast("Q")
        assert set(rows_with("a.t", data, view)) <= set(range(6))
        assert len(list(file_names(data, view))) == len(offsets)
        assert sorted(row for rows in extensions(data, view).values() for row in rows) == list(range(6))
