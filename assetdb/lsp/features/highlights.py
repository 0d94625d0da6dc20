"""Highlights of the asset or object under the cursor."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from assetdb.lsp.documents.line_references import YAML, reference_at, references_to_guid, references_to_object
from assetdb.lsp.documents.outline import document_at, document_of
from assetdb.lsp.protocol.registry import FORM, feature
from assetdb.lsp.protocol.structures import DocumentHighlight, OfPosition
from assetdb.lsp.workers import TEXT

if TYPE_CHECKING:
    from assetdb.lsp.protocol.registry import RequestContext

_MOST: Final = 2000  # a scene refers to one script 10,000 times, and a screen shows a hundred lines
_READ: Final = 2
_WRITE: Final = 3


@feature("textDocument/documentHighlight", OfPosition, TEXT, FORM)
def highlights(params: OfPosition, context: RequestContext) -> list[DocumentHighlight] | None:
    """Return the references to an object, and its own line."""
    document, text = context.document, context.document.text
    form = document.form
    offset = document.offset(params.position)
    found = reference_at(text, offset, form)
    if found is not None and found.guid:
        same = references_to_guid(text, found.guid, found.file_id, form, near=offset)
        ranges = [(item.start, item.end) for item in islice(same, _MOST)]
        return [DocumentHighlight(document.range(*place), _READ) for place in sorted(ranges)]
    head = document_at(text, offset) if form == YAML and found is None else None
    if found is None and (head is None or offset > head.start):
        return None
    file_id = found.file_id if found is not None else head.file_id if head is not None else None
    if not file_id:
        return None
    local = islice(references_to_object(text, file_id, near=offset), _MOST)
    places = [DocumentHighlight(document.range(*place), _READ) for place in sorted(local)]
    own = document_of(text, file_id)
    if own is not None:
        places.insert(0, DocumentHighlight(document.range(own.head, own.start), _WRITE))
    return places
