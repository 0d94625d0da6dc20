"""The pool of names after any sequence of edits is that of the rule applied to all claims at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assetdb.state import names
from assetdb.state.name_pool import NamePool

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
def test_pool_equals_rule(steps: list[dict[int, tuple[bytes, list[bytes]] | None]]) -> None:
    assets: dict[bytes, tuple[bytes, list[bytes]]] = {}
    pool = NamePool([], [], lambda owner: assets[owner][0], lambda owner: assets[owner][0].rpartition(b"/")[0])
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
        changed = pool.update(removed, added)
        owners = sorted(assets)
        decided = names.resolve(
            [assets[owner][1][0] for owner in owners],
            [len(assets[owner][1]) - 1 for owner in owners],
            [key for owner in owners for key in assets[owner][1][1:]],
            lambda position, owners=owners: assets[owners[position]][0],  # type: ignore[misc]
        )
        for position, owner in enumerate(owners):
            expected = decided.renamed.get(position, {})
            assert pool.names_of(owner) == expected
            if known.get(owner, {}) != expected:
                assert owner in changed
        known = {owner: decided.renamed.get(position, {}) for position, owner in enumerate(owners)}
