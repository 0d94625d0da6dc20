"""Lookups in an index by halves of GUIDs, and what is no index."""

from __future__ import annotations

import sys

import pytest

from assetdb.errors import DatabaseError
from assetdb.store.indexes.graph import Edges
from assetdb.store.indexes.reader import HEADER_SIZE, Index, find_row, graph_size, preamble
from assetdb.store.indexes.writer import encode

HALF = 1 << 64
# Two with one first half, and each bound of both halves.
NUMBERS = [0, 5, 7 * HALF, 7 * HALF + 3, 7 * HALF + HALF - 1, 9 * HALF + 1, HALF * HALF - 1]
GUIDS = [number.to_bytes(16, "big") for number in NUMBERS]
OFFSETS = [10, 20, 40, 80, 160, 320, 640]
FOLDERS = [(b"g" * 16, b"Assets/G"), (b"f" * 16, "Assets/Fä".encode()), (b"f" * 16, b"Assets/A")]


def index(guids: list[bytes] = GUIDS, offsets: list[int] = OFFSETS, supplement: bytes = b"") -> bytes:
    return b"".join(encode(b"d" * 16, 1000, guids, offsets, FOLDERS, None, supplement))


@pytest.fixture
def found() -> Index:
    return Index(memoryview(index()))


def test_each_guid_has_its_row(found: Index) -> None:
    for row, (number, guid) in enumerate(zip(NUMBERS, GUIDS, strict=True)):
        assert found.row(number >> 64, number % HALF) == row
        assert found.guid(row) == guid
    assert (found.count, found.database_size, found.digest) == (7, 1000, b"d" * 16)


@pytest.mark.parametrize(
    "number", [1, 4, 6, HALF, 7 * HALF + 1, 7 * HALF + HALF - 2, 8 * HALF + 3, 9 * HALF, 10 * HALF]
)
def test_other_guids_have_none(found: Index, number: int) -> None:
    assert found.row(number >> 64, number % HALF) == -1
    assert found.folder_row(number) == -1


def test_an_entry_ends_where_the_next_begins_or_the_database_ends(found: Index) -> None:
    assert [found.span(row) for row in (0, 5, 6)] == [(10, 20), (320, 640), (640, 1000)]


def test_folders_have_paths_by_guid(found: Index) -> None:
    assert list(found.folders()) == [("66" * 16, "Assets/A"), ("67" * 16, "Assets/G")]
    assert found.folder(found.folder_row(int("67" * 16, 16))) == "Assets/G"
    assert found.folder_count == 2
    assert found.guids() == b"".join(GUIDS) + b"f" * 16 + b"g" * 16


def test_an_index_of_nothing_finds_nothing() -> None:
    empty = Index(memoryview(b"".join(encode(bytes(16), 0, [], [], []))))
    assert (empty.row(0, 0), empty.folder_row(0), list(empty.folders()), empty.guids()) == (-1, -1, [], b"")
    assert (empty.graph_parts, empty.supplement_bytes) == (None, b"")


def test_a_graph_and_a_supplement_lie_behind_the_folders() -> None:
    size = graph_size(7, 2, 3)
    assert size == 2 * 16 + (2 * 7 + 2 + 2 + 2 * 3) * 4
    edges = Edges([b"x" * 10, b"y" * (size - 10)], 2, 3)
    found = Index(memoryview(b"".join(encode(bytes(16), 0, GUIDS, OFFSETS, FOLDERS, edges, b"more"))))
    assert found.graph_parts is not None
    packed, high, low, *sizes = found.graph_parts
    assert (bytes(packed), sizes, (high, low)) == (b"x" * 10 + b"y" * (size - 10), [2, 3], found.halves)
    assert found.supplement_bytes == b"more"


def test_what_is_cut_short_or_longer_is_no_index() -> None:
    whole = index(supplement=b"supplement")
    for end in range(len(whole)):
        with pytest.raises(DatabaseError, match=r"^the index is cut short$"):
            Index(memoryview(whole[:end]))
    with pytest.raises(DatabaseError, match=r"^the index is cut short$"):
        Index(memoryview(whole + b"\0"))
    assert Index(memoryview(whole)).supplement_bytes == b"supplement"


def test_another_version_or_byte_order_is_no_index() -> None:
    whole = index()
    assert whole.startswith(preamble())
    for place in range(16):
        with pytest.raises(DatabaseError, match=r"^the index is of another version$"):
            Index(memoryview(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]))
    assert len(preamble()) == 16 < HEADER_SIZE == len(index([], [])) - len(index([], [])[HEADER_SIZE:])


def test_a_released_index_answers_no_more() -> None:
    found = Index(memoryview(index()))
    found.release()
    with pytest.raises(ValueError, match="released"):
        found.row(0, 0)


@pytest.mark.parametrize(("guid", "row"), [(0, 0), (5, 1), (7 * HALF + 3, 3), (4, None), (HALF * HALF - 1, 6)])
def test_a_row_is_found_in_columns_of_halves(guid: int, row: int | None) -> None:
    columns = [
        b"".join(part.to_bytes(8, sys.byteorder) for part in half)
        for half in zip(*(divmod(n, HALF) for n in NUMBERS), strict=True)
    ]
    high, low = (memoryview(column).cast("Q") for column in columns)
    assert find_row(high, low, guid) == row
    assert find_row(high[:0], low[:0], guid) is None
