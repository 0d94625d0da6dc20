"""Sorted GUIDs as two index columns, 16 bytes each; pure."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import chain

from assetdb.store.indexes.graph import halves, split
from assetdb.store.indexes.reader import packed_guids

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Final, overload

_AT_ONCE: Final = 4096  # GUIDs per batch when iterating over all


class GuidColumns(Sequence[bytes]):
    """Distinct sorted GUIDs (16 bytes), as uint64 columns ``high`` and ``low``."""

    __slots__ = ("high", "low")

    def __init__(self, high: memoryview, low: memoryview) -> None:
        """Take both columns, in this machine's byte order."""
        self.high = high.cast("B").cast("Q")
        self.low = low.cast("B").cast("Q")

    @classmethod
    def of(cls, packed: bytes) -> GuidColumns:
        """Make the columns from sorted GUIDs."""
        high, low = halves([packed])
        return cls(memoryview(high), memoryview(low))

    def __len__(self) -> int:
        return len(self.high)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, at: int) -> bytes: ...
        @overload
        def __getitem__(self, at: slice) -> list[bytes]: ...

    def __getitem__(self, at: int | slice) -> bytes | list[bytes]:
        if not isinstance(at, slice):
            return self.high[at].to_bytes(8, "big") + self.low[at].to_bytes(8, "big")
        return split(packed_guids(self.high[at].tobytes(), self.low[at].tobytes()))

    def __iter__(self) -> Iterator[bytes]:
        return chain.from_iterable(self[start : start + _AT_ONCE] for start in range(0, len(self), _AT_ONCE))

    def place(self, guid: bytes, first: int = 0) -> int:
        """Return how many precede a GUID, given that ``first`` do."""
        half = int.from_bytes(guid[:8], "big")
        row = bisect_left(self.high, half, first)
        if row < len(self.high) and self.high[row] == half:
            rest = int.from_bytes(guid[8:], "big")
            if self.low[row] < rest:
                row = bisect_left(self.low, rest, row + 1, bisect_right(self.high, half, row))
        return row

    def find(self, guid: bytes) -> int | None:
        """Return the row of a GUID, or None."""
        row = self.place(guid)
        return row if row < len(self.high) and self[row] == guid else None

    def __contains__(self, guid: object) -> bool:
        return isinstance(guid, bytes) and self.find(guid) is not None

    def spliced(self, removed: Collection[bytes], added: Collection[bytes]) -> GuidColumns:
        """Return GUIDs without ``removed``, which are there, and with new ``added``."""
        if not (removed or added):
            return self
        high: list[memoryview | bytes] = []
        low: list[memoryview | bytes] = []
        row = 0
        for guid in sorted([*removed, *added]):
            first, row = row, self.place(guid, row)
            high.append(self.high[first:row])
            low.append(self.low[first:row])
            if row < len(self.high) and self[row] == guid:
                row += 1
            else:
                half, rest = halves([guid])
                high.append(half)
                low.append(rest)
        high.append(self.high[row:])
        low.append(self.low[row:])
        return GuidColumns(memoryview(b"".join(high)), memoryview(b"".join(low)))

    @property
    def parts(self) -> tuple[memoryview, memoryview]:
        """Both columns, as bytes."""
        return self.high.cast("B"), self.low.cast("B")
