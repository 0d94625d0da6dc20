"""Inlay hints: names behind references, in the visible lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.lsp.documents.line_references import first_references
from assetdb.lsp.protocol.registry import feature
from assetdb.lsp.protocol.structures import InlayHint, OfRange
from assetdb.lsp.workers import QUICK
from assetdb.system.pausing import pause_here

if TYPE_CHECKING:
    from assetdb.lsp.protocol.registry import Asked

_MOST: Final = 5000  # hints of one answer: a screen has a hundred lines, and a sprite atlas 76,000 references


@feature("textDocument/inlayHint", OfRange, QUICK)
def inlay_hints(params: OfRange, asked: Asked) -> list[InlayHint] | None:
    """Return the names of the references in a range."""
    document = asked.document
    form = document.form
    if not asked.in_project or not form:
        return None
    found = first_references(document.text, params.range.start.line, params.range.end.line, form, _MOST)
    hints = []
    for reference, name in asked.lane.names.shown(document.text, found):
        hints.append(InlayHint(document.position(reference.end), name, padding_left=True))
        pause_here()
    return hints
