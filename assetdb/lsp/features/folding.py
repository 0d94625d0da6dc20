"""Folding ranges of YAML documents and of their keys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assetdb.lsp.documents.line_references import YAML
from assetdb.lsp.documents.outline import open_documents
from assetdb.lsp.protocol.registry import feature
from assetdb.lsp.protocol.structures import FoldingRange, OfDocument
from assetdb.lsp.workers import TEXT
from assetdb.unity.engine.classes import class_name
from assetdb.unity.yaml.text_asset import name_of_document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.lsp.protocol.registry import RequestContext

_MOST: Final = 100_000
_LARGE: Final = 2 << 20  # size from which keys are not folded: editors do not draw a million lines
_KEY: Final = re.compile(rb"( *)((?:- )*)[^\s#][^\r\n]*:[ ]*\r?\Z")


@feature("textDocument/foldingRange", OfDocument, TEXT)
def folding_ranges(params: OfDocument, context: RequestContext) -> list[FoldingRange] | None:  # noqa: ARG001 - the context knows the document
    """Return the ranges that can be folded."""
    if context.document.form != YAML:
        return None
    text = context.document.text
    limit = context.client.number("textDocument", "foldingRange", "rangeLimit")
    most = min(_MOST, limit) if limit is not None and limit >= 0 else _MOST
    named = context.client.has("textDocument", "foldingRange", "foldingRange", "collapsedText")
    found: list[FoldingRange] = []
    for document in open_documents(text):
        first, last = text.line_at(document.head), text.line_at(document.end)
        if document.end >= text.size and last > first and not text.line(last):
            last -= 1
        label = ""
        if named:
            body = text.slice(document.start, document.end)
            name = name_of_document(body, 0, len(body)).decode("utf-8", "replace")
            label = f"{class_name(document.class_id) or document.class_id} {name}".strip()
        if last > first:
            found.append(FoldingRange(start_line=first, end_line=last, kind="region", collapsed_text=label))
        if text.size <= _LARGE:
            found += _keys(text.slice(document.start + 1, document.end), first + 1)
        if len(found) >= most:
            break
    if not found and text.size <= _LARGE:  # a meta has no documents
        found += _keys(text.data, 0)
    return found[:most]


def _keys(data: bytes, first: int) -> Iterator[FoldingRange]:
    """Yield a range for each key with lines below it.

    Items of a list may begin in the column of their key.
    """
    stack: list[tuple[int, int]] = []  # column of the key, its line
    last = first
    for number, line in enumerate(data.split(b"\n"), first):
        stripped = line.lstrip(b" ")
        if not stripped.strip():
            continue
        column = len(line) - len(stripped)
        is_item = stripped.startswith(b"- ") or stripped.rstrip() == b"-"
        while stack and not (column > stack[-1][0] or (is_item and column == stack[-1][0])):
            start = stack.pop()[1]
            if last > start:
                yield FoldingRange(start_line=start, end_line=last)
        match = _KEY.match(line) if len(line) < 1000 else None
        if match is not None:
            stack.append((column + len(match[2]), number))
        last = number
    for _, start in reversed(stack):
        if last > start:
            yield FoldingRange(start_line=start, end_line=last)
