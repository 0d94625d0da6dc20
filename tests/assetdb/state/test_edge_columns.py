"""A graph that is encoded in buckets and pieces is the one that its definition says, whatever their size."""

import random
from itertools import pairwise

import pytest

from assetdb.state import edge_columns
from assetdb.state.columns import links_from
from assetdb.state.edge_columns import encode
from assetdb.store.indexes.graph import split

ASSETS = 20_000  # with 60,000 references: more than are put into one bucket


def edges_of(guids: list[bytes], links: list[tuple[bytes, bytes]], folders: set[bytes]) -> list[tuple[bytes, bytes]]:
    """Return each edge as the GUIDs of both its ends, in the order of the outgoing direction."""
    known = {*guids, *folders}
    found = []
    for guid, (certain, candidates) in zip(guids, links, strict=True):
        more = [each for each in split(candidates) if each in known]
        targets = sorted([*split(certain), *more]) if more else split(certain)
        found += [(guid, target) for target in targets]
    return found


@pytest.mark.parametrize("count", [0, 1, 300, ASSETS])
@pytest.mark.parametrize(("few", "at_once"), [(20_000, 4096), (1 << 20, 64), (0, 4096), (0, 1)])
@pytest.mark.parametrize("alike", [False, True], ids=["any-guids", "guids-that-begin-alike"])
def test_pieces_make_the_same_graph(
    count: int, few: int, at_once: int, monkeypatch: pytest.MonkeyPatch, *, alike: bool
) -> None:
    chosen = random.Random(count)
    guids = sorted(chosen.randbytes(16) for _ in range(count))
    if alike:
        guids = sorted({b"\0" + guid[1:] for guid in guids})
    folders = {chosen.randbytes(16) for _ in range(20)}
    others = [*(chosen.randbytes(16) for _ in range(30)), *sorted(folders)]

    def packed(most: int) -> bytes:
        return b"".join(sorted(chosen.choice(guids if chosen.random() < 0.9 else others) for _ in range(most)))

    links = [(packed(chosen.randrange(4)), packed(chosen.randrange(-60, 3))) for _ in guids]
    order = list(range(count))
    chosen.shuffle(order)
    laid = links_from([links[row] for row in sorted(range(count), key=order.__getitem__)])
    monkeypatch.setattr(edge_columns, "_FEW_EDGES", few)
    monkeypatch.setattr(edge_columns, "_AT_ONCE", at_once)
    edges = encode(guids, laid, folders, order)
    high, low, starts, targets, incoming_starts, sources = (memoryview(part) for part in edges.parts)
    expected = edges_of(guids, links, folders)
    outside = sorted({target for _, target in expected}.difference(guids))
    nodes = {guid: node for node, guid in enumerate([*guids, *outside])}
    assert edges.external_count == len(outside)
    assert edges.edge_count == len(expected)
    halves = zip(high.cast("Q"), low.cast("Q"), strict=True)
    assert [first.to_bytes(8, "big") + second.to_bytes(8, "big") for first, second in halves] == outside
    rows = [(nodes[source], nodes[target]) for source, target in expected]
    assert targets.cast("I").tolist() == [target for _, target in rows]
    assert sources.cast("I").tolist() == [source for source, _ in sorted(rows, key=lambda row: row[1])]
    for column, at, size in ((starts, 0, count), (incoming_starts, 1, count + len(outside))):
        ends = column.cast("I").tolist()
        assert ends[0] == 0
        assert len(ends) == size + 1
        met = [0] * size
        for row in rows:
            met[row[at]] += 1
        assert [last - first for first, last in pairwise(ends)] == met
