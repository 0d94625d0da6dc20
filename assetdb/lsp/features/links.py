"""Document links of GUIDs, resolved when they are followed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.lsp.documents.line_references import references_in
from assetdb.lsp.protocol.registry import FORM, PROJECT, feature
from assetdb.lsp.protocol.structures import DocumentLink, OfDocument, OfGuid
from assetdb.lsp.protocol.uris import uri_of
from assetdb.lsp.workers import TEXT
from assetdb.query.selecting.selector import is_guid

if TYPE_CHECKING:
    from assetdb.lsp.protocol.registry import Asked
    from assetdb.lsp.workers import Lane

_LARGE: Final = 2 << 20  # bytes from which on definition alone leads to assets: links are asked for the whole text
_MOST: Final = 10_000
_DIGITS: Final = 32


@feature("textDocument/documentLink", OfDocument, TEXT, PROJECT, FORM)
def document_links(params: OfDocument, asked: Asked) -> list[DocumentLink] | None:  # noqa: ARG001 - it is known
    """Return a link for the GUID of each reference."""
    document = asked.document
    text = document.text
    if text.size > _LARGE:
        return None
    data = text.data
    lower = data.lower()
    links = []
    for found in references_in(data, document.form):
        start = lower.find(found.guid.encode(), found.start, found.end) if found.guid else -1
        if start >= 0:
            place = document.range(start, start + _DIGITS)
            links.append(DocumentLink(place, data=OfGuid(document.uri, found.guid)))
            if len(links) == _MOST:
                break
    return links


def resolved_link(link: DocumentLink, lane: Lane) -> DocumentLink:
    """Return a link with its target, if that is on this machine."""
    data = link.data
    if data is None or not is_guid(data.guid) or not lane.root:
        return link
    names = lane.names
    names.prefetch_guids([data.guid])
    location = names.locate(data.guid)
    if location is None or not location.file:
        return link
    return DocumentLink(link.range, uri_of(location.file), location.path, data)
