"""Selection ranges, from the value to the document."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assetdb.lsp.documents.line_references import YAML, reference_at
from assetdb.lsp.documents.outline import document_at
from assetdb.lsp.protocol.registry import feature
from assetdb.lsp.protocol.structures import OfPositions, SelectionRange
from assetdb.lsp.workers import QUICK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.lsp.documents.open_documents import Document
    from assetdb.lsp.documents.text import Text
    from assetdb.lsp.protocol.registry import RequestContext

_WORD: Final = re.compile(rb"[\w.+-]+")
_MOST_KEYS: Final = 50  # around a line: each is a range inside another one, in the answer too
_MOST_LINES: Final = 10_000  # that are looked through for the end of a key
_LONGEST_LINE: Final = 10_000


@feature("textDocument/selectionRange", OfPositions, QUICK)
def selection_ranges(params: OfPositions, context: RequestContext) -> list[SelectionRange] | None:
    """Return for each position the ranges around it, the smallest first."""
    document = context.document
    return [_nested(document, document.offset(position)) for position in params.positions]


def _nested(document: Document, offset: int) -> SelectionRange:
    """Return ever larger ranges around a byte."""
    chain = [(offset, offset)]
    for start, end in _around(document, offset):
        inner = chain[-1]
        if start <= inner[0] and inner[1] <= end and (start, end) != inner:
            chain.append((start, end))
    if len(chain) > 1:
        del chain[0]
    found: SelectionRange | None = None
    for start, end in reversed(chain):
        found = SelectionRange(document.range(start, end), found)
    assert found is not None  # noqa: S101 - a chain has at least one range
    return found


def _around(document: Document, offset: int) -> Iterator[tuple[int, int]]:
    text = document.text
    line = text.line_at(offset)
    start = text.line_start(line)
    data = text.line(line)
    if len(data) <= _LONGEST_LINE:
        for match in _WORD.finditer(data):
            if start + match.start() <= offset <= start + match.end():
                yield start + match.start(), start + match.end()
                break
    reference = reference_at(text, offset, document.form) if document.form else None
    if reference is not None:
        yield reference.start, reference.end
    yield start + len(data) - len(data.lstrip(b" ")), start + len(data)
    yield start, start + len(data)
    head = document_at(text, offset) if document.form == YAML else None
    if head is not None:
        if offset > head.start:
            yield from _keys(text, line, text.line_at(head.start) + 1, text.line_at(head.end))
        yield head.head, head.end
    yield 0, text.size


def _keys(text: Text, line: int, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield the lines of keys around a line, innermost first."""
    column, item = _column(text.line(line))
    yield text.line_start(line), _end_of(text, line, last, column, item=item)
    at = line
    left = _MOST_KEYS
    for _ in range(_MOST_LINES):
        at -= 1
        if at < first:
            return
        data = text.line(at)
        if not data.strip():
            continue
        above, is_item = _column(data)
        if above < column or (item and not is_item and above == column):
            column, item = above, is_item
            left -= 1
            if not left:
                return
            yield text.line_start(at), _end_of(text, at, last, column, item=item)


def _end_of(text: Text, line: int, last: int, column: int, *, item: bool) -> int:
    """Return the end of the key or item of a line."""
    end = line
    for number in range(line + 1, min(last, line + _MOST_LINES) + 1):
        data = text.line(number)
        if not data.strip():
            continue
        below, is_item = _column(data)
        if below < column or (below == column and (item or not is_item)):
            break
        end = number
    return text.line_start(end) + len(text.line(end))


def _column(line: bytes) -> tuple[int, bool]:
    stripped = line.lstrip(b" ")
    return len(line) - len(stripped), stripped.startswith(b"- ") or stripped == b"-"
