"""Sorted GUIDs in two columns, beside a sorted list."""

from __future__ import annotations

import random
from bisect import bisect_left

import pytest

from assetdb.state.guid_columns import GuidColumns

HALVES = (0, 1, 5, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF)
ALL = [high.to_bytes(8, "big") + low.to_bytes(8, "big") for high in HALVES for low in HALVES]  # many share a half


def drawn(seed: int) -> list[bytes]:
    draw = random.Random(seed)
    return sorted(draw.sample(ALL, draw.randrange(len(ALL))))


@pytest.mark.parametrize("seed", range(12))
def test_a_sequence_like_a_sorted_list(seed: int) -> None:
    guids = drawn(seed)
    found = GuidColumns.of(b"".join(guids))
    assert list(found) == guids
    assert len(found) == len(guids)
    assert found[1:4] == guids[1:4]
    assert [found[row] for row in range(len(guids))] == guids
    for guid in ALL:
        assert found.place(guid) == bisect_left(guids, guid)
        assert found.find(guid) == (guids.index(guid) if guid in guids else None)
        assert (guid in found) == (guid in guids)
        for first in range(bisect_left(guids, guid) + 1):
            assert found.place(guid, first) == bisect_left(guids, guid)
    assert 5 not in found


@pytest.mark.parametrize("seed", range(12))
def test_some_go_and_others_come(seed: int) -> None:
    before, after = drawn(seed), drawn(100 + seed)
    gone, came = set(before) - set(after), set(after) - set(before)
    columns = GuidColumns.of(b"".join(before))
    found = columns.spliced(gone, came)
    assert list(found) == after
    assert b"".join(found.parts) == b"".join(GuidColumns.of(b"".join(after)).parts)
    assert columns.spliced((), ()) is columns
