"""Names after any sequence of edits are those of all claims decided at once."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from assetdb.scan.asset import encode_rows
from assetdb.scan.directory import DirectoryFacts, asset_rows
from assetdb.scan.fast_path import Columns
from assetdb.state.live_state import LiveState
from assetdb.state.project_state import ProjectState
from assetdb.store.schema import read_entries
from assetdb_formats.codecs.bincode import string

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pytest

    from assetdb.scan.directory import AssetRow

# Few names and short paths, of which some look like what the rule makes of others.
KEYS = st.sampled_from([b"1:A", b"1:A^x", b"1:A^x/x", b"1:A^y", b"2:A", b"1:B", b"1:A^x^x", b"1:A^A.a"])
PATHS = st.builds(
    lambda folders, name: b"/".join([*folders, name]),
    st.lists(st.sampled_from([b"x", b"y", b"A.a"]), min_size=1, max_size=3),
    st.sampled_from([b"A.a", b"B.a", b"x"]),
)
ASSETS = st.tuples(PATHS, st.lists(KEYS, min_size=1, max_size=3))
STEPS = st.lists(st.dictionaries(st.integers(0, 7), st.none() | ASSETS, max_size=4), max_size=6)


def directories_of(assets: dict[bytes, tuple[bytes, list[bytes]]]) -> dict[bytes, DirectoryFacts]:
    """Return the directories with some assets: by GUID the path, and the keys that it and its sub-assets claim."""
    columns: dict[bytes, Columns] = {}
    for guid, (path, keys) in sorted(assets.items()):
        (_, name), *subs = [key.split(b":") for key in keys]
        rows = [(number, int(kind), sub) for number, (kind, sub) in enumerate(subs)]
        body = string(name) + encode_rows(rows) + string(path)
        into = columns.setdefault(path.rpartition(b"/")[0], Columns())
        into.add((guid.hex().encode(), keys[0], body, tuple(keys[1:]), b"", b"", b""))
    return {
        path: DirectoryFacts(path, 1, b"", b"", b"", b"", b"", *found.packed(), pair_count=len(found.guids))
        for path, found in columns.items()
    }


@given(STEPS, st.sampled_from((0, 4)))
def test_edits_equal_the_bulk(steps: list[dict[int, tuple[bytes, list[bytes]] | None]], few: int) -> None:
    assets: dict[bytes, tuple[bytes, list[bytes]]] = {}
    bulk = ProjectState(())
    state = LiveState((), (bulk.database, bulk.index()))
    state.search.few = few
    directories: dict[bytes, DirectoryFacts] = {}
    for step in steps:
        for number, asset in step.items():
            owner = bytes([number]) * 16
            assets.pop(owner, None)
            if asset is not None and all(asset[0] != path for path, _ in assets.values()):
                assets[owner] = asset
        before, directories = directories, directories_of(assets)
        known = {entry.guid: entry for entry in read_entries(state.database)}
        changed = state.update(
            [
                (before.get(path), directories.get(path))
                for path in sorted(before.keys() | directories.keys())
                if before.get(path) != directories.get(path)
            ]
        )
        bulk = ProjectState(directories.values())
        assert state.database == bulk.database
        assert state.index() == bulk.index()
        assert state.shared_names() == bulk.shared_names()
        found = {entry.guid: entry for entry in read_entries(state.database)}
        assert {bytes.fromhex(guid) for guid, _ in known.items() ^ found.items()} <= changed


def test_a_name_of_many_carets_takes_memory_in_proportion() -> None:
    before = {bytes([1]) * 16: (b"x/A.a", [b"1:A", b"1:A" + b"^" * 20_000]), bytes([2]) * 16: (b"y/A.a", [b"1:A"])}
    known = directories_of(before)
    after = directories_of(before | {bytes([3]) * 16: (b"z/B.a", [b"1:A"])})
    bulk = ProjectState(known.values())
    state = LiveState(known.values(), (bulk.database, bulk.index()))
    tracemalloc.start()
    try:
        state.update([(None, after[b"z"])])
        assert tracemalloc.get_traced_memory()[1] < 10 << 20
    finally:
        tracemalloc.stop()
    assert state.database == ProjectState(after.values()).database


def test_a_copied_folder_is_not_taken_apart_for_each_of_its_assets(monkeypatch: pytest.MonkeyPatch) -> None:
    def directory(path: bytes, numbers: Iterable[int]) -> DirectoryFacts:
        own = {bytes([number]) * 16: (b"%s/%d.a" % (path, number), [b"1:A%d" % number]) for number in numbers}
        return directories_of(own)[path]

    taken = []
    rows = asset_rows

    def noted(directory: DirectoryFacts) -> list[AssetRow]:
        taken.append(directory.path)
        return rows(directory)

    before = [directory(b"one", range(100)), directory(b"two", range(100))]
    bulk = ProjectState(before)
    state = LiveState(before, (bulk.database, bulk.index()))
    monkeypatch.setattr("assetdb.state.rows.asset_rows", noted)
    after = directory(b"one", [*range(100), 101, 102, 103, 104, 105])
    state.update([(before[0], after)])
    assert len(taken) < 10
    bulk = ProjectState([after, before[1]])
    assert (state.database, state.index()) == (bulk.database, bulk.index())
