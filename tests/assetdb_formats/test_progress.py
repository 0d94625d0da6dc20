"""Progress of long work."""

from __future__ import annotations

from assetdb_formats.progress import tracked


def test_each_item_is_reported_before_it_is_worked_on() -> None:
    told: list[tuple[int, int]] = []
    assert [(item, len(told)) for item in tracked("ab", lambda *pair: told.append(pair))] == [("a", 1), ("b", 2)]
    assert told == [(0, 2), (1, 2)]
    assert list(tracked([1, 2], None)) == [1, 2]
