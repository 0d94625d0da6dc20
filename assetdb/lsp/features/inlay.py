"""Inlay hints: names behind references, in the visible lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.lsp.documents.line_references import first_references
from assetdb.lsp.protocol.registry import FORM, PROJECT, feature
from assetdb.lsp.protocol.structures import InlayHint, OfRange
from assetdb.lsp.workers import QUICK

if TYPE_CHECKING:
    from assetdb.lsp.protocol.registry import Asked

_MOST: Final = 5000  # hints of one answer: a screen has a hundred lines, and a sprite atlas 76,000 references


@feature("textDocument/inlayHint", OfRange, QUICK, PROJECT, FORM)
def inlay_hints(params: OfRange, asked: Asked) -> list[InlayHint]:
    """Return the names of the references in a range."""
    document = asked.document
    lines = params.range.start.line, params.range.end.line
    found = first_references(document.text, *lines, document.form, _MOST)
    return [
        InlayHint(document.position(reference.end), name, padding_left=True)
        for reference, name in asked.lane.names.shown(document.text, found)
    ]
