"""The graph of a project encoded in bulk, as columns of numbers of four bytes each. Pure.

Only pieces of a column are objects at a time: an object for each of the four million edges of a million assets takes
160 MB, and there would be several.
"""

from __future__ import annotations

import sys
from array import array
from functools import partial
from io import BytesIO
from itertools import accumulate, chain, compress, islice, repeat

from assetdb.store.graph import Edges, each_guid, halves, split

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence
    from typing import Final

    from assetdb.state.columns import Links

LANE: Final = 4  # bytes of a node's number, and of a start
_AT_ONCE: Final = 1 << 16  # edges or rows that are objects at a time, where they are taken in order
_SORTED_AT_ONCE: Final = 1 << 20  # edges that are: 56 MB


def encode(
    guids: Sequence[bytes],
    links: Links,
    folders: Iterable[bytes],
    order: Sequence[int] | None = None,
    *,
    at_once: int = _AT_ONCE,
    sorted_at_once: int = _SORTED_AT_ONCE,
) -> Edges:
    """Encode a graph.

    Args:
        guids: of the assets, 16 bytes each, in order.
        links: what each refers to, in order. A candidate becomes an edge if it is the GUID of an asset or a folder.
        folders: GUIDs of folders.
        order: the position of each asset in ``links``, where that is another than among the GUIDs.
        at_once: how many edges or rows are objects at a time, where they are taken in order.
        sorted_at_once: how many edges are sorted together at most; those to 65,536 nodes always are.
    """
    nodes, decided, externals = _nodes(guids, links, folders, order, at_once)
    counts, targets = _rows(links.counts, nodes, decided, range(len(guids)) if order is None else order, at_once)
    del nodes, decided
    incoming_counts = [0] * (len(guids) + len(externals))
    for node in memoryview(targets).cast("I"):
        incoming_counts[node] += 1
    return Edges(
        [
            *halves(externals),
            numbers(accumulate(counts, initial=0)),
            targets,
            numbers(accumulate(incoming_counts, initial=0)),
            _sources(counts, targets, sorted_at_once),
        ],
        len(externals),
        len(targets) // LANE,
    )


def _nodes(
    guids: Sequence[bytes], links: Links, folders: Iterable[bytes], order: Sequence[int] | None, at_once: int
) -> tuple[bytes, dict[int, bytes], list[bytes]]:
    """Return the node of each reference, those of the rows that have more than these, and the externals' GUIDs."""
    count = len(guids)
    node_of = _Numbers(zip(guids, range(count), strict=True))
    found = array("I")
    for start in range(0, len(links.targets), at_once * 16):
        found.fromlist(list(map(node_of.__getitem__, each_guid(links.targets[start : start + at_once * 16]))))
    undecided = with_candidates(links, order)
    folder_guids = set(folders) if undecided else set()
    decided: dict[int, list[bytes]] = {}
    for row, (certain, candidates) in undecided.items():
        known = {guid for guid in split(candidates) if node_of.get(guid, count) < count or guid in folder_guids}
        if known:
            decided[row] = split(with_known(certain, candidates, known))
            for guid in known:
                node_of[guid]  # whichever is new has a number now
    met = range(count, len(node_of))
    externals = sorted(islice(node_of, count, None))
    node_of.update(zip(externals, met, strict=True))
    changed = {row: numbers(map(node_of.__getitem__, targets)) for row, targets in decided.items()}
    if met:
        final = list(node_of.values())  # in the order that they were met in
        del node_of
        for start in range(0, len(found), at_once):
            piece = found[start : start + at_once]
            found[start : start + at_once] = array("I", list(map(final.__getitem__, piece)))
    return found.tobytes(), changed, externals


def _rows(
    counts: Sequence[int], nodes: bytes, changed: dict[int, bytes], places: Sequence[int], at_once: int
) -> tuple[array[int], bytes]:
    """Lay edges in the order of rows: return how many each has, and the nodes.

    Args:
        counts: how many edges each asset has in ``nodes``.
        nodes: that they lead to.
        changed: the rows that have others.
        places: of each row, which asset it is.
        at_once: how many rows are objects at a time.
    """
    ends = array("I", [0])
    ends.extend(accumulate(counts))
    # Bytes are laid in the order of rows, not numbers, whose objects lie anywhere: a fifth of the time.
    row_counts = array("I")
    laid = BytesIO()
    for start in range(0, len(places), at_once):
        piece = places[start : start + at_once]
        rows = [nodes[ends[place] * LANE : ends[place + 1] * LANE] for place in piece]
        for row in compress(
            range(start, start + len(rows)), map(changed.__contains__, range(start, start + len(rows)))
        ):
            rows[row - start] = changed[row]
        row_counts.fromlist([len(row) // LANE for row in rows])
        laid.write(b"".join(rows))
    return row_counts, laid.getvalue()


def _sources(counts: array[int], targets: bytes, sorted_at_once: int) -> bytes:
    """Return the rows that the edges come from, by the nodes that these lead to."""
    found = array("I")
    for mask in _parts(targets, sorted_at_once):
        nodes: Iterable[int] = memoryview(targets).cast("I")
        sources: Iterable[int] = chain.from_iterable(map(repeat, range(len(counts)), counts))
        if mask is not None:
            nodes, sources = compress(nodes, mask), compress(sources, mask)
        # A sort that keeps the order of rows takes two thirds of a loop that puts each in its place. It asks for the
        # key of each in their order: not by a position, for which there would be an object, too.
        part = list(sources)
        part.sort(key=partial(next, iter(nodes)))
        found.fromlist(part)
    return found.tobytes()


def _parts(targets: bytes, most: int) -> Iterator[bytes | None]:
    """Divide edges by the nodes that they lead to, in their order: return what says which are in each part.

    None: all are. A part has no more than ``most`` edges, but that those to 65,536 nodes are together.
    """
    count = len(targets) // LANE
    # The third byte of each number, the second of its upper half: numbers of 2**24 and more would have a fourth.
    if count <= most or any(targets[3 if sys.byteorder == "little" else 0 :: LANE]):
        yield None
        return
    digits = targets[2 if sys.byteorder == "little" else 1 :: LANE]
    together: list[int] = []
    size = 0
    for digit in range(256):
        edges = digits.count(digit)
        if together and size + edges > most:
            yield digits.translate(_mask(together))
            together, size = [], 0
        if edges:
            together.append(digit)
            size += edges
    yield digits.translate(_mask(together))


def _mask(digits: Iterable[int]) -> bytes:
    table = bytearray(256)
    for digit in digits:
        table[digit] = 1
    return bytes(table)


def numbers(found: Iterable[int]) -> bytes:
    """Return numbers as a column."""
    return array("I", list(found)).tobytes()


def with_candidates(links: Links, order: Sequence[int] | None) -> dict[int, tuple[bytes, bytes]]:
    """Return the references and the candidates of each asset that has candidates, by its place in ``order``."""
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
    """Nodes by GUID; one that is asked for and is not there becomes the next, so that each edge is looked up once."""

    def __missing__(self, guid: bytes) -> int:
        number = self[guid] = len(self)
        return number


def with_known(certain: bytes, candidates: bytes, known: Container[bytes]) -> bytes:
    """Return an asset's references and those of its candidates that are known, packed and in order."""
    added = [guid for guid in split(candidates) if guid in known]
    return b"".join(sorted([*split(certain), *added])) if added else certain
