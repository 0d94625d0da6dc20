"""Pages of answers within a budget of tokens, and their cursors.

A cursor contains the place where its page ended, and digests of the call and of the answer. If the answer has changed
since, because files changed, a note and the first page follow: a client that follows all cursors gets every row of one
state of the project exactly once.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, NamedTuple, overload

from assetdb.system.escaping import printable
from assetdb.system.json_text import write_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

BYTES_PER_TOKEN: Final = 4
_FRAME: Final = 160
"""Bytes of an answer around its text: the fields of a tool's result, the id, the name of the server."""
_LONGEST_SUMMARY: Final = 400
_CUT: Final = " ..."
_CHANGED: Final = "The answer has changed since that cursor was given; this is its first page again."


class Rendered(Sequence[str]):
    """Rows that become lines when a page shows them."""

    def __init__(self, items: Sequence[Any], render: Callable[[Any], str]) -> None:
        self._items = items
        self._render = render

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [self._render(item) for item in self._items[place]]
        return self._render(self._items[place])


class Answer(NamedTuple):
    """The whole answer of a tool.

    Attributes:
        summary: of the result, in a line.
        rows: lines, in a stable order.
        state: bytes that differ if the answer does, ``b""`` where the rows tell.
    """

    summary: str
    rows: Sequence[str]
    state: bytes = b""


class Page(NamedTuple):
    """A page of an answer.

    Attributes:
        summary: of the whole answer, cut where it is long.
        notes: lines before the summary.
        rows: its lines; the first may continue one of the page before.
        first: number of the first row, from 1.
        last: number of the last row.
        total: how many rows the answer has.
        cursor: of the next page, ``""`` for none.
    """

    summary: str
    notes: tuple[str, ...]
    rows: tuple[str, ...]
    first: int
    last: int
    total: int
    cursor: str

    @property
    def text(self) -> str:
        """The page for people and models."""
        head = [*self.notes, self.summary]
        if self.first > 1 or self.cursor:
            head.append(f"rows {self.first:,} to {self.last:,} of {self.total:,}")
        return "\n".join((*head, *self.rows, *([f"next page: cursor {self.cursor}"] if self.cursor else [])))

    def fields(self) -> dict[str, object]:
        """Return the page for programs."""
        more = {"cursor": self.cursor} if self.cursor else {}
        summary = " ".join((*self.notes, self.summary))
        return {"summary": summary, "rows": list(self.rows), "first": self.first, "total": self.total, **more}


class BadCursorError(Exception):
    """A text that is not a cursor, or one of another call."""


def page(answer: Answer, call: Mapping[str, object], cursor: str, tokens: int) -> str:
    """Return the text of :func:`page_of`."""
    return page_of(answer, call, cursor, tokens).text


def page_of(answer: Answer, call: Mapping[str, object], cursor: str, tokens: int) -> Page:
    """Return the page of an answer at a cursor (``""``: the first).

    Its text and its fields each keep to the budget: a client shows its model one of them.

    Args:
        answer: the whole.
        call: the tool and its arguments, without cursor and budget.
        cursor: of the page before.
        tokens: the budget, at four bytes each.

    Raises:
        BadCursorError: the cursor is not of this call.
    """
    summary = printable(answer.summary)
    rows = answer.rows
    budget = tokens * BYTES_PER_TOKEN - _FRAME
    state = _digest([_encoded(summary), *([answer.state] if answer.state else map(_encoded, rows))], 6)
    of_call = _digest((write_json(call),), 4)
    row = start = 0
    notes = []
    if cursor:
        row, start, then = _read(cursor, of_call)
        if then != state or row >= len(rows) or start > len(printable(rows[row])):
            notes, row, start = [_CHANGED], 0, 0
    # The last line, with the longest cursor there can be, is counted before the rows.
    last = len(str(len(rows)))
    used = _size(_cut(summary, _LONGEST_SUMMARY)) + sum(map(_size, notes)) + 3 * last + len(of_call + state) + 100
    lines: list[str] = []
    first = row
    while row < len(rows):
        text = printable(rows[row])[start:]
        size = _size(text)
        if used + size <= budget:
            lines.append(text)
            used += size + 1  # a comma, where rows are a list
            row, start = row + 1, 0
            continue
        if not lines:  # longer than a page
            text = _fitting(text, budget - used)
            lines.append(text)
            start += len(text)
        break
    following = f"{row}.{start}.{of_call}.{state}" if row < len(rows) else ""
    shown = row + (1 if start else 0)
    head = _cut(summary, _LONGEST_SUMMARY)
    return Page(head, tuple(notes), tuple(lines), first + 1, shown, len(rows), following)


def shortened(text: str, tokens: int) -> str:
    """Return a text that has no pages, cut to a budget."""
    size = tokens * BYTES_PER_TOKEN - _FRAME
    return text if _size(text) <= size else f"{_fitting(text, size - len(_CUT))}{_CUT}"


def _read(cursor: str, of_call: str) -> tuple[int, int, str]:
    """Return row, offset and state of a cursor; raises BadCursorError."""
    parts = cursor.split(".")
    if len(parts) != 4 or not all(part.isascii() and part.isdigit() and len(part) < 12 for part in parts[:2]):
        raise BadCursorError("that is not a cursor: call without one for the first page")
    if parts[2] != of_call:
        raise BadCursorError("the cursor is of another call: repeat the arguments of that call, or leave it out")
    return int(parts[0]), int(parts[1]), parts[3]


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _digest(parts: Iterable[bytes], size: int) -> str:
    digest = blake2b(digest_size=size)
    for part in parts:
        digest.update(part)
        digest.update(b"\n")
    return digest.hexdigest()


def _size(text: str) -> int:
    """Return the bytes that a line takes in an answer's JSON."""
    return len(write_json(text))


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - len(_CUT)] + _CUT


def _fitting(text: str, size: int) -> str:
    """Return a text's beginning within some bytes, at least one character."""
    low, high = 1, max(1, min(len(text), size))
    while low < high:
        middle = (low + high + 1) // 2
        if _size(text[:middle]) <= size:
            low = middle
        else:
            high = middle - 1
    return text[:low]
