"""The pool of names after any sequence of edits is that of all claims decided at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assetdb.state.names import NamePool, Paths

# Few names and short paths, of which some look like what the rule makes of others.
KEYS = st.sampled_from([b"1:A", b"1:A^x", b"1:A^x/x", b"1:A^y", b"2:A", b"1:B", b"1:A^x^x", b"1:A^A.a"])
PATHS = st.builds(
    lambda folders, name: b"/".join([*folders, name]),
    st.lists(st.sampled_from([b"x", b"y", b"A.a"]), min_size=1, max_size=3),
    st.sampled_from([b"A.a", b"B.a", b"x"]),
)
ASSETS = st.tuples(PATHS, st.lists(KEYS, min_size=1, max_size=3))
STEPS = st.lists(st.dictionaries(st.integers(0, 7), st.none() | ASSETS, max_size=4), max_size=6)


@given(STEPS)
def test_edits_equal_the_bulk(steps: list[dict[int, tuple[bytes, list[bytes]] | None]]) -> None:
    assets: dict[bytes, tuple[bytes, list[bytes]]] = {}
    directories: dict[bytes, bytes] = {}

    def paths() -> Paths:
        directories.clear()
        directories.update({owner: path.rpartition(b"/")[0] for owner, (path, _) in assets.items()})
        return Paths(directories, lambda owner: assets[owner][0])

    pool = NamePool([], [], paths())
    known: dict[bytes, dict[bytes, bytes]] = {}
    for step in steps:
        removed, added = {}, {}
        for number, asset in step.items():
            owner = bytes([number]) * 16
            if owner in assets:
                removed[owner] = assets.pop(owner)[1]
            if asset is not None and all(asset[0] != path for path, _ in assets.values()):
                assets[owner] = asset
                added[owner] = asset[1]
        changed = pool.update(removed, added, paths())
        claims = [(key, owner) for owner, (_, keys) in sorted(assets.items()) for key in keys]
        bulk = NamePool([key for key, _ in claims], [owner for _, owner in claims], paths())
        assert set(pool.renamed) == set(bulk.renamed)
        assert pool.inseparable(paths()) == bulk.inseparable(paths())
        for owner in assets:
            expected = bulk.names_of(owner)
            assert pool.names_of(owner) == expected
            if known.get(owner, {}) != expected:
                assert owner in changed
        known = {owner: bulk.names_of(owner) for owner in assets}
