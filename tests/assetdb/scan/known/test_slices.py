"""Runs of assets: the ones in which two states differ, and directories made of several."""

from __future__ import annotations

import random
import sys

import pytest

from assetdb.scan.directory import DirectoryFacts, asset_rows
from assetdb.scan.fast_path import Columns
from assetdb.scan.known.slices import between, joined, replaced_guids, trimmed
from assetdb.system.identity import RACY

_NAMES = (
    *("guids", "keys", "bodies", "body_sizes", "sub_counts", "sub_keys", "details", "reference_counts"),
    "references",
)


def directory(rows: list[tuple[object, ...]]) -> DirectoryFacts:
    columns = Columns()
    for row in rows:
        columns.add(row)  # type: ignore[arg-type]  # made below
    return DirectoryFacts(b"Assets/W")._replace(**dict(zip(_NAMES, columns.packed(), strict=True)))


def asset(chooser: random.Random, number: int, kind: int) -> tuple[object, ...]:
    links = tuple(chooser.randbytes(16 * chooser.randrange(3)) for _ in range(2)) if kind & 1 else (b"", b"")
    keys = tuple(b"213:S%d" % chooser.randrange(9) for _ in range(chooser.randrange(3))) if kind & 2 else ()
    details = b"label" if kind & 4 and chooser.random() < 0.5 else b""
    return (b"%032x" % number, b"28:N%d" % number, b"body%d" % chooser.randrange(10**6), keys, details, *links)


@pytest.mark.parametrize("kind", range(8))
@pytest.mark.parametrize("seed", range(12))
def test_what_is_left_are_the_assets_that_differ(kind: int, seed: int) -> None:
    chooser = random.Random(seed)
    before = [asset(chooser, number, kind) for number in range(0, 600, 3)]
    after = list(before)
    for _ in range(seed % 4):
        place = chooser.randrange(len(after))
        what = chooser.randrange(3)
        if what == 0:
            after.insert(place, asset(chooser, 1000 + place, kind))
        elif what == 1:
            del after[place]
        else:
            after[place] = asset(chooser, int(after[place][0], 16), kind)  # type: ignore[call-overload]  # the GUID
    one, other = directory(before), directory(after)
    left, right = trimmed(one, other)
    old, new = asset_rows(left), asset_rows(right)
    assert set(asset_rows(one)) - set(asset_rows(other)) == set(old) - set(new)
    assert set(asset_rows(other)) - set(asset_rows(one)) == set(new) - set(old)
    whole, rest = asset_rows(one), [row for row in asset_rows(one) if row not in old]
    assert rest == [row for row in asset_rows(other) if row not in new]
    places = [whole.index(row) for row in old]
    assert places == list(range(places[0], places[0] + len(places))) if places else not old
    if seed % 4 == 1:
        assert len(old) <= 2
        assert len(new) <= 2


def test_few_assets_are_left_as_they_are() -> None:
    chooser = random.Random(0)
    one = directory([asset(chooser, number, 7) for number in range(3)])
    assert trimmed(one, one) == (one, one)


@pytest.mark.parametrize("kind", range(8))
@pytest.mark.parametrize("seed", range(6))
def test_runs_that_are_joined_are_the_directory_read_as_a_whole(kind: int, seed: int) -> None:
    chooser = random.Random(seed)
    before = [asset(chooser, number, kind) for number in range(12)]
    start = chooser.randrange(len(before))
    stop = chooser.randrange(start, len(before) + 1)
    new = [asset(chooser, 100 + number, chooser.choice((0, kind))) for number in range(chooser.randrange(3))]
    first, removed, last = between(directory(before), [(0, start), (start, stop), (stop, len(before))])
    assert joined([first, directory(new), last]) == directory([*before[:start], *new, *before[stop:]])
    assert asset_rows(removed) == asset_rows(directory(before[start:stop]))


GUIDS = [number.to_bytes(16, "big") for number in range(1, 101)]


def of(guids: list[bytes], changed: dict[int, int] | None = None) -> DirectoryFacts:
    """Return a directory with some assets, each with the identities of its file and its meta."""
    times = [(changed or {}).get(place, 7) for place in range(2 * len(guids))]
    packed = b"".join(time.to_bytes(8, sys.byteorder, signed=True) for time in times)
    columns = directory([(guid.hex().encode(), b"28:N", b"body", (), b"", b"", b"") for guid in guids])
    return columns._replace(identities=packed, pair_count=len(guids))


@pytest.mark.parametrize("count", [10, 100])  # few assets are not compared by their ends
@pytest.mark.parametrize(
    ("changed", "racy", "least"),
    [
        ({}, {}, []),
        ({0: 9}, {}, [0]),  # the file of the first asset
        ({1: 9}, {}, [0]),  # its meta
        ({10: 9}, {}, [5]),
        ({4: 9, 13: 9}, {}, [2, 3, 4, 5, 6]),  # and those in between
        ({}, {18: RACY}, [9]),
        ({0: 9}, {7: RACY}, [0, 3]),
    ],
)
def test_guids_of_assets_that_may_differ_are_told_of_both(
    count: int, changed: dict[int, int], racy: dict[int, int], least: list[int]
) -> None:
    guids = GUIDS[:count]
    packed = replaced_guids(of(guids, racy), of(guids, {**racy, **changed}))
    found = [packed[start : start + 16] for start in range(0, len(packed), 16)]
    assert set(found) == set(guids if count < 64 else [guids[place] for place in least])
    assert set(replaced_guids(of(guids, {**racy, **changed}), of(guids, racy))) == set(packed)


def test_guids_that_came_and_went_are_told() -> None:
    packed = replaced_guids(of(GUIDS[:80]), of([*GUIDS[:40], *GUIDS[41:80], GUIDS[90]]))
    found = {packed[start : start + 16] for start in range(0, len(packed), 16)}
    assert {GUIDS[40], GUIDS[90]} <= found <= {*GUIDS[40:80], GUIDS[90]}
