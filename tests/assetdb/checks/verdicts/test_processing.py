"""Work that is shared gives each item to one process, in as many parts as pay."""

from __future__ import annotations

import os

import pytest

from assetdb.checks.verdicts.processing import Processing, in_parts, share_out
from assetdb_formats.processes import can_fork


@pytest.mark.parametrize(("few", "workers", "parts"), [(10, 3, 1), (9, 1, 1), (9, 3, 3), (0, 2, 2)])
def test_few_items_are_one_part(few: int, workers: int, parts: int) -> None:
    found = in_parts(lambda number, part: (number, list(part)), range(10), few, workers)
    assert [number for number, _ in found] == list(range(parts))
    assert sorted(item for _, part in found for item in part) == list(range(10))
    assert max(len(part) for _, part in found) - min(len(part) for _, part in found) <= 1


def test_items_that_belong_together_are_in_one_part() -> None:
    items = ["ab", "ba", "aa", "bb", "cc"]
    found = in_parts(lambda _, part: list(part), items, 0, 2, part_of=lambda item: ord(item[0]))
    assert found == [["ba", "bb"], ["ab", "aa", "cc"]]


def test_parts_are_done_by_several_processes() -> None:
    assert len(set(share_out(lambda _: os.getpid(), 2))) == (2 if can_fork() else 1)
    assert share_out(lambda number: number * number, 3) == [0, 1, 4]
    assert share_out(lambda _: os.getpid(), 1) == [os.getpid()]


def test_beside_another_process_few_more_are_worth_it() -> None:
    alone = Processing(workers=2)
    assert alone.beside().workers == 2
    assert min(few / less for few, less in zip(alone.beside()[2:5], alone[2:5], strict=True)) > 1
    assert alone.beside().kept_for_one == alone.kept_for_one
