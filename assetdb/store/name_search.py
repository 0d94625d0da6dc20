"""Search of the names of all entries, in their bytes.

Decoding an entry takes 10 us, searching its bytes a fiftieth of that.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right

TYPE_CHECKING = False

if TYPE_CHECKING:
    import mmap
    from collections.abc import Iterator
    from typing import Final

_AT_ONCE: Final = 4096  # entries, so that a copy of them is small
_ASCII: Final = bytes(range(128))
TO_ASCII: Final = {
    "\u00df": "s",
    "\u0130": "i",
    "\u0149": "n",
    "\u017f": "s",
    "\u01f0": "j",
    "\u037e": ";",
    "\u1e96": "h",
    "\u1e97": "t",
    "\u1e98": "w",
    "\u1e99": "y",
    "\u1e9a": "a",
    "\u1e9e": "s",
    "\u1fef": "`",
    "\u212a": "k",
    "\ufb00": "f",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "fi",
    "\ufb04": "fl",
    "\ufb05": "st",
    "\ufb06": "st",
}
"""All characters beyond ASCII with ASCII in their folded form, and what is ASCII there."""


def rows_with(text: str, data: mmap.mmap | bytes, offsets: memoryview) -> Iterator[int]:
    """Yield rows of entries that may have a text, in order.

    Args:
        text: as names are folded; what is not ASCII is not searched for.
        data: a database.
        offsets: where its entries start.
    """
    wanted = _longest_ascii(text).encode()
    if not wanted:
        yield from range(len(offsets))
        return
    marks = [mark.encode() for mark, letters in TO_ASCII.items() if any(letter in text for letter in letters)]
    for first, starts, lowered in _parts(data, offsets):
        rows = {*_rows_at(wanted, lowered, starts)}
        rest = lowered.translate(None, _ASCII) if marks else b""
        for mark in marks:
            if mark in rest:  # most are in none: one search of little instead of many of all
                rows.update(_rows_at(mark, lowered, starts))
        for row in sorted(rows):
            yield first + row


def file_names(data: mmap.mmap | bytes, offsets: memoryview) -> Iterator[bytes]:
    """Yield the file name of each entry, with ASCII in lower case."""
    for _, starts, lowered in _parts(data, offsets):
        ends = [*starts[1:], len(lowered)]
        for start, end in zip(starts, ends, strict=True):
            yield lowered[start:end].rpartition(b"/")[2]  # an entry ends with its path


def extensions(data: mmap.mmap | bytes, offsets: memoryview) -> dict[bytes, array[int]]:
    """Return the rows of entries by extension, with ASCII in lower case."""
    found: dict[bytes, array[int]] = {}
    for row, name in enumerate(file_names(data, offsets)):
        extension = name.rpartition(b".")[2]
        rows = found.get(extension)
        if rows is None:
            rows = found[extension] = array("I")
        rows.append(row)
    return found


def _parts(data: mmap.mmap | bytes, offsets: memoryview) -> Iterator[tuple[int, list[int], bytes]]:
    """Yield entries in parts: first row, starts, and lower-case bytes."""
    for first in range(0, len(offsets), _AT_ONCE):
        last = first + _AT_ONCE
        begin = offsets[first]
        end = offsets[last] if last < len(offsets) else len(data)
        yield first, [offset - begin for offset in offsets[first:last]], data[begin:end].lower()


def _rows_at(text: bytes, lowered: bytes, starts: list[int]) -> Iterator[int]:
    position = lowered.find(text)
    while position >= 0:
        row = max(bisect_right(starts, position) - 1, 0)
        yield row
        after = starts[row + 1] if row + 1 < len(starts) else len(lowered)
        position = lowered.find(text, max(after, position + 1))  # damaged offsets may go back


def _longest_ascii(text: str) -> str:
    if text.isascii():
        return text
    return max("".join(one if one.isascii() else "\0" for one in text).split("\0"), key=len)
