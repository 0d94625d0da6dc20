"""The graph in the index file: compressed sparse rows, both directions.

A node is a number: an asset's row in the order of GUIDs, and after the assets the *externals*, referenced GUIDs that
are not assets of the database (of packages, built-in, of folders, or lost), in order. The edges of node *n* are
``targets[starts[n]:starts[n + 1]]``, and correspondingly in the other direction.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from itertools import chain
from struct import iter_unpack

from assetdb.errors import DatabaseError
from assetdb.store.indexes.reader import NODE_SIZE, find_row, packed_guids
from assetdb.system.cancelling import check_cancelled
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Final, TypeAlias, TypeVar

    Ordered: TypeAlias = tuple[array[int], bytes]
    """Positions of assets in the order of their GUIDs, uint32, and these, 16 bytes each."""

    _Nodes = TypeVar("_Nodes", list[int], set[int])

_BETWEEN_CHECKS: Final = 1023  # a mask
_MANY: Final = 500  # number of nodes from which copying a column to a list pays off
_CHUNK: Final = "16s" * 64
_CHUNK_SIZE: Final = 16 * 64


class Edges(NamedTuple):
    """An encoded graph: :func:`assetdb.store.indexes.reader.graph_size` bytes in all."""

    parts: Sequence[bytes | memoryview]
    external_count: int
    edge_count: int


class GraphWork:
    """The work that makes the graph of a project, on demand.

    Attributes:
        asset_count: how many have an entry.
        find_order: finds their order.
        encode: makes the graph in that order.
    """

    def __init__(self, asset_count: int, find_order: Callable[[], Ordered], encode: Callable[[Ordered], Edges]) -> None:
        self.asset_count = asset_count
        self.find_order = find_order
        self.encode = encode
        self._ordered: Ordered | None = None

    def ordered(self) -> Ordered:
        """Return the order, found once."""
        if self._ordered is None:
            self._ordered = self.find_order()
        return self._ordered

    def edges(self) -> Edges:
        """Make the graph."""
        return self.encode(self.ordered())


class Graph:
    """Looks edges up in a mapped graph."""

    def __init__(
        self, data: memoryview, high: memoryview, low: memoryview, external_count: int, edge_count: int
    ) -> None:
        """Take ``graph_size`` bytes of a graph, and halves of its assets' GUIDs."""
        count = len(high)
        parts = _parts(data, count, external_count, edge_count)
        self.asset_count = count
        self.node_count = count + external_count
        self.edge_count = edge_count
        self._high, self._low = high, low
        self._texts: tuple[str, str] | None = None
        self._columns = [part.cast("Q" if number < 2 else "I") for number, part in enumerate(parts)]
        self._external_high, self._external_low, self._starts, self._targets = self._columns[:4]
        self._incoming_starts, self._sources = self._columns[4:]

    def release(self) -> None:
        """Release the mapped file."""
        for column in self._columns:
            column.release()

    def node(self, guid: int) -> int | None:
        """Return the node of a GUID, None if unknown and unreferenced."""
        row = find_row(self._high, self._low, guid)
        if row is None:
            row = find_row(self._external_high, self._external_low, guid)
            return row + self.asset_count if row is not None else None
        return row

    def guid(self, node: int) -> int:
        """Return the GUID of a node."""
        if node < self.asset_count:
            return int(self._high[node]) << 64 | int(self._low[node])
        row = node - self.asset_count
        return int(self._external_high[row]) << 64 | int(self._external_low[row])

    def guids(self, nodes: Iterable[int]) -> list[str]:
        """Return the GUIDs of nodes in order, as 32 hex digits."""
        rows = sorted(nodes)
        if len(rows) < _MANY:
            return sorted(f"{self.guid(node):032x}" for node in rows)
        split = bisect_left(rows, self.asset_count)
        if self._texts is None:
            columns = (self._high, self._low), (self._external_high, self._external_low)
            inside, outside = (packed_guids(high.tobytes(), low.tobytes()).hex() for high, low in columns)
            self._texts = inside, outside
        inside, outside = self._texts
        found = [inside[row * 32 : row * 32 + 32] for row in rows[:split]]
        start = self.asset_count
        return (
            sorted(found + [outside[(row - start) * 32 : (row - start + 1) * 32] for row in rows[split:]])
            if rows[split:]
            else found
        )

    def shared_with(self, other: Graph) -> list[str]:
        """Return GUIDs of assets that both graphs have, in order.

        The first halves nearly always differ, so no GUID is built: 5 ms for 63,000 and 20,000.
        """
        halves_of_both = set(self._high).intersection(other._high)
        if not halves_of_both:
            return []
        rows = [row for row, high in enumerate(self._high) if high in halves_of_both]
        found = [self.guid(row) for row in rows if find_row(other._high, other._low, self.guid(row)) is not None]
        return [f"{guid:032x}" for guid in found]

    def outgoing(self, node: int) -> list[int]:
        """Return a node's targets by GUID, none for externals.

        Raises:
            DatabaseError: the index is damaged.
        """
        if node >= self.asset_count:
            return []
        return self._checked(self._targets[self._starts[node] : self._starts[node + 1]].tolist(), self.node_count)

    def incoming(self, node: int) -> list[int]:
        """Return the assets that refer to a node, by GUID.

        Raises:
            DatabaseError: the index is damaged.
        """
        starts = self._incoming_starts
        return self._checked(self._sources[starts[node] : starts[node + 1]].tolist(), self.asset_count)

    def closure(self, nodes: Iterable[int], *, incoming: bool = False) -> set[int]:
        """Return all nodes reachable over at least one edge, cycles included.

        Raises:
            DatabaseError: the index is damaged.
        """
        starts: Sequence[int] = self._incoming_starts if incoming else self._starts
        targets: Sequence[int] = self._sources if incoming else self._targets
        limit = len(starts) - 1
        found: set[int] = set()
        frontier = set(nodes)
        while frontier:
            if len(frontier) > _MANY and isinstance(starts, memoryview) and isinstance(targets, memoryview):
                starts, targets = starts.tolist(), targets.tolist()
            reached: set[int] = set()
            for count, node in enumerate(frontier):
                if not count & _BETWEEN_CHECKS:
                    check_cancelled()
                if node < limit and starts[node] != starts[node + 1]:
                    reached.update(targets[starts[node] : starts[node + 1]])
            frontier = reached - found
            found |= frontier
        self._checked(found, self.node_count)
        return found

    @staticmethod
    def _checked(nodes: _Nodes, limit: int) -> _Nodes:
        if nodes and max(nodes) >= limit:
            raise DatabaseError("the index is damaged: an edge leads nowhere; delete it and bake again")
        return nodes


def edges_in(data: memoryview, count: int, external_count: int, edge_count: int) -> Edges:
    """Return the ``graph_size`` bytes of a graph of ``count`` assets as views."""
    return Edges(_parts(data, count, external_count, edge_count), external_count, edge_count)


def _parts(data: memoryview, count: int, external_count: int, edge_count: int) -> list[memoryview]:
    """Return a graph's columns: externals' GUID halves, starts and nodes both ways."""
    sizes = (
        *(external_count * 8, external_count * 8, (count + 1) * NODE_SIZE),
        *(edge_count * NODE_SIZE, (count + external_count + 1) * NODE_SIZE, edge_count * NODE_SIZE),
    )
    parts, end = [], 0
    for size in sizes:  # importing itertools takes nearly as long as this module
        parts.append(data[end : end + size])
        end += size
    return parts


def split(packed: bytes) -> list[bytes]:
    """Return packed GUIDs one by one."""
    if len(packed) < _CHUNK_SIZE:
        return [packed[start : start + 16] for start in range(0, len(packed), 16)]
    return list(each_guid(packed))


def each_guid(packed: bytes) -> Iterator[bytes]:
    """Return packed GUIDs one by one, three times faster than by slices."""
    end = len(packed) // _CHUNK_SIZE * _CHUNK_SIZE
    rest = [packed[start : start + 16] for start in range(end, len(packed), 16)]
    return chain(chain.from_iterable(iter_unpack(_CHUNK, memoryview(packed)[:end])), rest)


def halves(guids: Sequence[bytes]) -> tuple[bytes, bytes]:
    """Return packed GUIDs as two uint64 columns in native byte order."""
    words = array("Q", b"".join(guids))
    if sys.byteorder == "little":
        words.byteswap()
    return words[0::2].tobytes(), words[1::2].tobytes()
