"""The name table: all names at once where they are short, one by one where they are not."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.names import TableReader, numbered, read_name_hashes, read_names
from tests.assetdb_formats.unreal.package_writer import fstring

START = 5


def table(names: list[str], *, hashed: bool) -> bytes:
    return b"".join(fstring(name) + (pack("<HH", 7, 9) if hashed else b"") for name in names)


@pytest.mark.parametrize("hashed", [True, False])
@pytest.mark.parametrize(
    "names",
    [
        ["Only"],
        ["A", "B"],
        ["A" * 254, "B" * 254, "C"],
        ["A" * 255, "B"],
        ["A", "B" * 256],
        ["First", "", "Last"],
        ["", "Last"],
        ["語", "Plain"],
        ["Plain", "語" * 3, "Ünï"],
    ],
)
def test_names_are_read_wherever_the_table_lies(names: list[str], hashed: bool) -> None:  # noqa: FBT001 - a parameter
    stored = table(names, hashed=hashed)
    data = bytes(START) + stored + b"rest of the package"
    for end in (START + len(stored), len(data), len(data) + 99, 0):
        assert read_names(data, START, len(names), end, hashed=hashed) == names
    assert read_names(data[: START + len(stored)], START, len(names), START + len(stored), hashed=hashed) == names


def test_no_names_need_no_bytes() -> None:
    assert read_names(b"", 0, 0, 0, hashed=True) == []


@pytest.mark.parametrize(
    ("count", "offset", "hashed", "left"),
    [(-1, 0, True, 30), (1, -1, True, 31), (4, 0, True, 30), (8, 0, False, 30), (1, 23, True, 7)],
)
def test_a_table_fits_in_the_data(count: int, offset: int, hashed: bool, left: int) -> None:  # noqa: FBT001 - a parameter
    with pytest.raises(UnrealError, match=f"counts {count} names in {left} bytes") as caught:
        read_names(bytes(30), offset, count, 30, hashed=hashed)
    assert (caught.value.offset, caught.value.field) == (offset, "names")


def test_the_smallest_table_fills_the_data() -> None:
    assert read_names(bytes(24), 0, 3, 24, hashed=True) == ["", "", ""]
    assert read_names(bytes(24), 0, 6, 24, hashed=False) == [""] * 6


@pytest.mark.parametrize("cut", [1, 4])
def test_the_hashes_of_the_last_name_are_part_of_the_table(cut: int) -> None:
    data = table(["Alpha", "Beta"], hashed=True)
    with pytest.raises(UnrealError, match="the last name's hashes are cut off") as caught:
        read_names(data[:-cut], 0, 2, len(data), hashed=True)
    assert (caught.value.offset, caught.value.field) == (len(data), "names[1]")


def test_a_length_that_its_name_does_not_have_is_an_error_of_that_name() -> None:
    data = bytearray(table(["Alpha", "Beta", "Gamma"], hashed=True))
    place = data.index(b"Beta") - 4
    data[place] = 4
    with pytest.raises(UnrealError, match="has no NUL at its end") as caught:
        read_names(bytes(data), 0, 3, len(data), hashed=True)
    assert (caught.value.offset, caught.value.field) == (place, "names[1]")


def test_each_name_has_two_hashes() -> None:
    data = bytes(START) + fstring("A") + pack("<HH", 1, 2) + fstring("語") + pack("<HH", 3, 4)
    assert read_name_hashes(data, START, 2) == [(1, 2), (3, 4)]
    with pytest.raises(UnrealError, match="the name's hashes are cut off") as caught:
        read_name_hashes(data[:-1], START, 2)
    assert (caught.value.offset, caught.value.field) == (len(data) - 4, "names[1]")


def test_a_number_is_stored_one_higher_than_it_is_shown() -> None:
    assert [numbered("A", number) for number in (0, 1, 2)] == ["A", "A_0", "A_1"]


def test_a_name_of_a_table_is_an_index_and_a_number() -> None:
    reader = TableReader(bytes(START) + pack("<iiiiii", 1, 0, 0, 4, 2, 0), START, "table", ["A", "B"])
    assert [reader.name("row"), reader.name("row")] == ["B", "A_3"]
    with pytest.raises(UnrealError, match="names number 2 of 2") as caught:
        reader.name("row")
    assert (caught.value.offset, caught.value.field) == (START + 16, "row")
    with pytest.raises(UnrealError, match="names number -1 of 2"):
        TableReader(pack("<ii", -1, 0), 0, "table", ["A", "B"]).name("row")


@pytest.mark.parametrize("offset", [-1, 6])
def test_a_table_begins_within_the_data(offset: int) -> None:
    assert TableReader(bytes(5), 5, "table").left == 0
    with pytest.raises(UnrealError, match=f"points to {offset}, outside 0..5") as caught:
        TableReader(bytes(5), offset, "table")
    assert caught.value.field == "table"
