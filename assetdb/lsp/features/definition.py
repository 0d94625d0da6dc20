"""Definition and links: from a reference to asset, object or script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.lsp.documents.event_calls import event_call_at
from assetdb.lsp.documents.line_references import YAML, form_of, reference_at, references_in
from assetdb.lsp.documents.open_documents import Document
from assetdb.lsp.documents.outline import document_at, document_of
from assetdb.lsp.documents.text import Text
from assetdb.lsp.features.scripts.declarations import declared_by
from assetdb.lsp.protocol.registry import FORM, PROJECT, feature
from assetdb.lsp.protocol.structures import (
    NOWHERE,
    DocumentLink,
    Location,
    LocationLink,
    OfDocument,
    OfGuid,
    OfPosition,
    Range,
)
from assetdb.lsp.protocol.uris import uri_of
from assetdb.lsp.workers import QUICK, TEXT
from assetdb.query.selecting.selector import is_guid
from assetdb.system.reading import read_file

if TYPE_CHECKING:
    from assetdb.lsp.protocol.registry import RequestContext
    from assetdb.lsp.workers import Lane

_LARGE: Final = 2 << 20  # bytes from which on definition alone leads to assets: links are asked for the whole text
_MOST: Final = 10_000
_DIGITS: Final = 32


@feature("textDocument/definition", OfPosition, QUICK, PROJECT, FORM)
def definition(params: OfPosition, context: RequestContext) -> list[LocationLink] | list[Location] | None:
    """Return the definition of the item at a position."""
    document = context.document
    offset = document.offset(params.position)
    call = event_call_at(document, offset) if document.form == YAML else None
    if call is not None:
        declared = declared_by(context, call)
        if declared is None:
            return None
        return _answer(context, declared.uri, declared.place, document.range(call.start, call.end))
    found = reference_at(document.text, offset, document.form)
    if found is not None:
        origin = document.range(found.start, found.end)
        guid, file_id = found.guid, found.file_id
    else:
        head = document_at(document.text, offset)
        if head is None or offset > head.start:
            return None
        origin = document.range(head.head, head.start)
        guid, file_id = _source_of(context, head.file_id)
    target = _object_here(document, file_id) if not guid else _object_of(context, guid, file_id)
    if target is None:
        return None
    return _answer(context, *target, origin)


def _answer(context: RequestContext, uri: str, place: Range, origin: Range) -> list[LocationLink] | list[Location]:
    """Return a location in the form that the client reads."""
    if context.client.has("textDocument", "definition", "linkSupport"):
        return [LocationLink(uri, place, place, origin)]
    return [Location(uri, place)]


def _source_of(context: RequestContext, file_id: int) -> tuple[str, int | None]:
    """Return the source of an object: prefab's object, script, or itself."""
    names = context.lane.names
    content = names.resolver.content(names.own(context.document.text))
    item = content.objects.get(file_id) if not isinstance(content, str) else None
    for target in (getattr(item, "source", None), getattr(item, "script", None)):
        if target is not None and target.guid:
            return target.guid, target.file_id
    return "", file_id


def _object_here(document: Document, file_id: int | None) -> tuple[str, Range] | None:
    found = document_of(document.text, file_id) if file_id is not None else None
    return None if found is None else (document.uri, document.range(found.head, found.start))


def _object_of(context: RequestContext, guid: str, file_id: int | None) -> tuple[str, Range] | None:
    """Return the location of an object's document or file."""
    location = context.lane.names.locate(guid)
    if location is None or not location.file:
        return None
    uri = uri_of(location.file)
    if location.folder or file_id is None:
        return uri, NOWHERE
    opened = next((document for document in context.documents if document.path == location.file), None)
    if opened is None:
        opened = read_asset(location.file, uri, context.document.encoding)
    return (_object_here(opened, file_id) if opened is not None else None) or (uri, NOWHERE)


def read_asset(file: str, uri: str, encoding: str) -> Document | None:
    """Return a text asset of the disk, None without YAML documents."""
    if form_of(file, Text.of(b"")) != YAML:
        return None
    return Document(uri, file, None, Text.of(read_file(file) or b""), encoding)


@feature("textDocument/documentLink", OfDocument, TEXT, PROJECT, FORM)
def document_links(params: OfDocument, context: RequestContext) -> list[DocumentLink] | None:  # noqa: ARG001 - it is known
    """Return a link for the GUID of each reference."""
    document = context.document
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
