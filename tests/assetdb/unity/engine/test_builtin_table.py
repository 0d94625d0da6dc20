"""The table of built-in objects is well formed, and has what everybody knows."""

from __future__ import annotations

import pytest

from assetdb.unity.engine.builtin_table import ROWS
from assetdb.unity.engine.classes import class_number


def rows(key: tuple[str, str]) -> list[tuple[str, str]]:
    return [(number, name) for number, _, name in (line.partition(" ") for line in ROWS[key].split("\n") if line)]


@pytest.mark.parametrize("key", ROWS, ids="-".join)
def test_each_row_is_a_number_in_order_with_names(key: tuple[str, str]) -> None:
    class_name, file = key
    assert class_number(class_name)
    assert file in ("d", "e", "f")
    found = rows(key)
    numbers = [int(number) for number, _ in found]
    assert numbers == sorted(set(numbers))
    assert all(names == " | ".join(part.strip() for part in names.split("|")) for _, names in found)


@pytest.mark.parametrize(
    ("key", "number", "name"),
    [
        (("Mesh", "e"), "10202", "Cube"),
        (("Mesh", "e"), "10210", "Quad"),
        (("Material", "f"), "10303", "Default-Material"),
        (("Material", "f"), "10304", "Default-Skybox"),
    ],
)
def test_well_known_objects_have_their_numbers(key: tuple[str, str], number: str, name: str) -> None:
    assert dict(rows(key))[number] == name


def test_an_object_has_one_class_in_a_file() -> None:
    for file in "def":
        numbers = [number for key in ROWS if key[1] == file for number, _ in rows(key)]
        assert len(numbers) == len(set(numbers))
