"""Files that are gone leave the tables of a daemon, which is looked at once it has doubled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.memo import gone
from assetdb.memo.gone import Growth

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(autouse=True)
def least(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gone, "_LEAST", 10)


def noting(asked: list[str]) -> Callable[[str], bool]:
    def exists(path: str) -> bool:
        asked.append(path)
        return path.startswith("kept")

    return exists


def test_a_table_is_looked_at_once_it_has_doubled() -> None:
    growth, asked = Growth(), list[str]()
    table: dict[str, object] = dict.fromkeys((f"kept {number}" for number in range(5)), 0)
    assert growth.gone(table, noting(asked)) == []
    table |= dict.fromkeys((f"new {number}" for number in range(15)), 0)
    assert growth.gone(table, noting(asked)) == []
    assert asked == []
    table["new 15"] = 0
    assert growth.gone(table, noting(asked)) == [path for path in table if path.startswith("new")]
    assert len(asked) == len(table)


def test_a_table_that_keeps_all_is_looked_at_less_and_less_often() -> None:
    growth, asked = Growth(), list[str]()
    table: dict[str, object] = {}
    times = 0
    for number in range(1000):
        table[f"kept {number}"] = 0
        before = len(asked)
        assert growth.gone(table, noting(asked)) == []
        times += len(asked) > before
    assert 1 < times < 10
