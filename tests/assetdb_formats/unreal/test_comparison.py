"""Comparison of tables: rows that went, came or have another value."""

from __future__ import annotations

import pytest

from assetdb_formats.unreal.comparison import Changes, compare_tables


def test_rows_that_went_came_or_changed_are_sorted_by_table() -> None:
    old = {"names": {"b": None, "a": None, "c": None}, "exports": {"x": 1, "y": 2}, "imports": {"same": "A"}}
    new = {"names": {"c": None, "e": None, "d": None}, "exports": {"y": 3, "x": 4}, "imports": {"same": "A"}}
    assert compare_tables(old, new) == {
        "names": Changes(("a", "b"), ("d", "e")),
        "exports": Changes((), (), ("x: 1 -> 4", "y: 2 -> 3")),
    }
    assert compare_tables(old, old) == {}


@pytest.mark.parametrize(("length", "shown"), [(80, "a" * 80), (81, "(81 characters)")])
def test_long_values_differ_by_their_content_and_are_shown_by_their_length(length: int, shown: str) -> None:
    found = compare_tables({"tags": {"key": "a" * length}}, {"tags": {"key": "b" * length}})
    assert found == {"tags": Changes((), (), (f"key: {shown} -> {shown.replace('a' * 80, 'b' * 80)}",))}
