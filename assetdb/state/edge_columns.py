"""The graph encoded in bulk, as columns of uint32; pure.

Four million random lookups in a dictionary of a million GUIDs wait for memory each time: 8.1 s for a million assets,
while 60,000 with as many edges each take 0.15. So edges are put into buckets by the first byte of their target GUID,
and each bucket's nodes, a few thousand, are numbered separately. Only one bucket's numbers are objects at a time; all
would take 160 MB. Each edge is processed by chains of maps, without a step of the interpreter: 2.7 s, where loops took
3.8.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from itertools import accumulate, chain, compress, islice, repeat

from assetdb.store.indexes.graph import Edges, each_guid, halves, split

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
    from typing import Final

    from assetdb.state.columns import Links

LANE: Final = 4  # bytes of a node's number, and of a start
_FEW_EDGES: Final = 20_000  # up to here one bucket is faster
_BUCKETS: Final = 256  # first bytes
_AT_ONCE: Final = 4096  # rows that are objects at a time


class _Bucket:
    """Edges to GUIDs with the same first byte.

    Attributes:
        sources: the source row of each, in order.
        targets: the target GUIDs, packed.
    """

    __slots__ = ("sources", "targets")

    def __init__(self, sources: array[int], targets: bytes | bytearray) -> None:
        self.sources = sources
        self.targets = targets


def encode(
    guids: Sequence[bytes],
    links: Links,
    folders: Collection[bytes],
    order: Sequence[int] | None = None,
) -> Edges:
    """Encode a graph.

    Args:
        guids: of the assets, 16 bytes each, in order.
        links: references of each, in order. A candidate becomes an edge if it is the GUID of an asset or folder.
        folders: GUIDs of folders.
        order: the position of each asset in ``links``, if it differs from that among the GUIDs.
    """
    count = len(guids)
    decided = _decided(guids, links, folders, order)
    row_counts = array("I", links.counts if order is None else map(links.counts.__getitem__, order))
    for row, packed in decided.items():
        row_counts[row] = len(packed) // 16
    edge_count = sum(row_counts)
    places = range(count) if order is None else order
    lanes, buckets = _buckets(_rows(links, decided, places), row_counts)
    targets: list[array[int]] = []  # of each bucket
    externals: list[bytes] = []
    # For assets, then externals: the number of incoming edges, and their sources.
    counts: tuple[array[int], array[int]] = array("I"), array("I")
    incoming: tuple[array[int], array[int]] = array("I"), array("I")
    first = 0
    buckets.reverse()
    while buckets:  # each is released when it is done
        bucket = buckets.pop()
        last = bisect_left(guids, bytes((_BUCKETS - len(buckets),)), first) if buckets else count
        asset_count = last - first
        node_of = _Numbers(zip(guids[first:last], range(asset_count), strict=True))
        nodes = list(map(node_of.__getitem__, each_guid(bytes(bucket.targets))))
        final = list(range(first, last))
        if len(node_of) > asset_count:
            met = list(islice(node_of, asset_count, None))
            new = sorted(met)
            rank = dict(zip(new, range(asset_count, len(node_of)), strict=True))
            nodes = list(map([*range(asset_count), *map(rank.__getitem__, met)].__getitem__, nodes))
            final += range(count + len(externals), count + len(externals) + len(new))
            externals += new
        targets.append(array("I", map(final.__getitem__, nodes)))
        leading_here: list[list[int]] = [[] for _ in final]  # rows, for each node
        any(map(list.append, map(leading_here.__getitem__, nodes), bucket.sources))
        for column, rows, some in zip(
            counts, incoming, (leading_here[:asset_count], leading_here[asset_count:]), strict=True
        ):
            column.extend(map(len, some))
            rows.extend(chain.from_iterable(some))
        first = last
    parts = [
        *halves(externals),
        numbers(accumulate(row_counts, initial=0)),
        _in_rows(targets, lanes),
        numbers(accumulate(chain(*counts), initial=0)),
        b"".join(incoming),
    ]
    return Edges(parts, len(externals), edge_count)


def _decided(
    guids: Sequence[bytes], links: Links, folders: Collection[bytes], order: Sequence[int] | None
) -> dict[int, bytes]:
    """Return the packed targets of rows in which candidates became edges."""
    undecided = with_candidates(links, order)
    if not undecided:
        return {}
    wanted: set[bytes] = set()
    for _, candidates in undecided.values():
        wanted.update(split(candidates))
    known = wanted.intersection(guids).union(wanted.intersection(folders))
    return {
        row: known_targets(pair, known, ()) for row, pair in undecided.items() if not known.isdisjoint(split(pair[1]))
    }


def _rows(links: Links, decided: Mapping[int, bytes], places: Sequence[int]) -> Iterator[bytes]:
    """Return packed GUIDs of the targets of rows, in batches."""
    targets = links.targets
    ends = array("Q", accumulate(map((16).__mul__, links.counts), initial=0))
    for start in range(0, len(places), _AT_ONCE):
        rows = [targets[ends[place] : ends[place + 1]] for place in list(places[start : start + _AT_ONCE])]
        numbers_of_rows = range(start, start + len(rows))
        for row in compress(numbers_of_rows, map(decided.__contains__, numbers_of_rows)) if decided else ():
            rows[row - start] = decided[row]
        yield b"".join(rows)


def _buckets(rows: Iterable[bytes], row_counts: array[int]) -> tuple[bytes, list[_Bucket]]:
    """Put edges into buckets by the first byte of their targets.

    Few edges go into one. Also return that byte of each edge, if there are several buckets.
    """
    sources = chain.from_iterable(map(repeat, range(len(row_counts)), row_counts))
    if sum(row_counts) <= _FEW_EDGES:
        return b"", [_Bucket(array("I", sources), b"".join(rows))]
    all_sources = [array("I") for _ in range(_BUCKETS)]
    all_targets = [bytearray() for _ in range(_BUCKETS)]
    lanes: list[bytes] = []
    for packed in rows:
        numbers_of_buckets = packed[::16]
        lanes.append(numbers_of_buckets)
        # Neither method returns anything, so `any` calls all.
        any(map(array.append, map(all_sources.__getitem__, numbers_of_buckets), sources))
        any(map(bytearray.extend, map(all_targets.__getitem__, numbers_of_buckets), each_guid(packed)))
    return b"".join(lanes), list(map(_Bucket, all_sources, all_targets))


def _in_rows(targets: list[array[int]], lanes: bytes) -> bytes:
    """Return buckets' nodes in the order of rows; ``lanes`` name buckets."""
    if len(targets) == 1:
        return targets[0].tobytes()
    following = list(map(iter, targets))
    found = array("I", map(next, map(following.__getitem__, lanes)))
    return found.tobytes()


def numbers(found: Iterable[int]) -> bytes:
    """Return numbers as a column."""
    return array("I", list(found)).tobytes()


def with_candidates(links: Links, order: Sequence[int] | None) -> dict[int, tuple[bytes, bytes]]:
    """Return references and candidates, by place, of assets that have candidates."""
    if not links.candidates:
        return {}
    ends = list(accumulate(links.counts, initial=0))
    positions = range(len(links.counts)) if order is None else order
    found = {}
    for row in compress(range(len(positions)), map(links.candidates.__contains__, positions)):
        position = positions[row]
        certain = links.targets[ends[position] * 16 : ends[position + 1] * 16]
        found[row] = certain, links.candidates[position]
    return found


class _Numbers(dict[bytes, int]):
    """Nodes by GUID, created on demand, so each is looked up once."""

    def __missing__(self, guid: bytes) -> int:
        number = self[guid] = len(self)
        return number


def known_targets(links: tuple[bytes, bytes], assets: Container[bytes], folders: Container[bytes]) -> bytes:
    """Return packed references and known candidates of an asset, in order."""
    certain, candidates = links
    added = [guid for guid in split(candidates) if guid in folders or guid in assets]
    return b"".join(sorted([*split(certain), *added])) if added else certain
