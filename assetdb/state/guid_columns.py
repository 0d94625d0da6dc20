"""GUIDs in order, as the two columns that an index has of them: 16 bytes each instead of an object of 57. Pure."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right

from assetdb.store.graph import halves, split

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


class GuidColumns:
    """Distinct GUIDs (16 bytes each) in order.

    Attributes:
        high: the first half of each, uint64.
        low: the second.
    """

    __slots__ = ("high", "low")

    def __init__(self, high: memoryview, low: memoryview) -> None:
        """Take both columns, in this machine's byte order."""
        self.high = high.cast("B").cast("Q")
        self.low = low.cast("B").cast("Q")

    @classmethod
    def of(cls, guids: Iterable[bytes]) -> GuidColumns:
        """Make them of GUIDs in order."""
        high, low = halves(list(guids))
        return cls(memoryview(high), memoryview(low))

    def __len__(self) -> int:
        return len(self.high)

    def __getitem__(self, row: int) -> bytes:
        return self.high[row].to_bytes(8, "big") + self.low[row].to_bytes(8, "big")

    def place(self, guid: bytes, first: int = 0) -> int:
        """Return how many come before a GUID, of which the ``first`` do."""
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

    def __contains__(self, guid: bytes) -> bool:
        return self.find(guid) is not None

    def objects(self) -> list[bytes]:
        """Return all of them."""
        words = array("Q", bytes(16 * len(self.high)))
        words[0::2], words[1::2] = array("Q", self.high.tobytes()), array("Q", self.low.tobytes())
        if (1).to_bytes(8, "big") != array("Q", [1]).tobytes():
            words.byteswap()
        return split(words.tobytes())

    def spliced(self, gone: Collection[bytes], came: Collection[bytes]) -> GuidColumns:
        """Return them without those that are ``gone``, which are there, and with those that ``came``, which are not."""
        if not (gone or came):
            return self
        high: list[memoryview | bytes] = []
        low: list[memoryview | bytes] = []
        row = 0
        for guid in sorted([*gone, *came]):
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
