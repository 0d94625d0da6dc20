"""Call hierarchy: objects with events, and the methods that they call."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

import msgspec

from assetdb.checks.counting import counted
from assetdb.lsp.documents.event_calls import METHOD, event_call_at
from assetdb.lsp.documents.line_references import YAML
from assetdb.lsp.documents.outline import document_at, document_of
from assetdb.lsp.documents.script_names import EXTENSION, name_at, word_at
from assetdb.lsp.documents.symbol_kinds import METHOD as METHOD_KIND
from assetdb.lsp.documents.symbol_kinds import OBJECT
from assetdb.lsp.features.definition import read_asset
from assetdb.lsp.features.scripts.declarations import declared_by
from assetdb.lsp.features.usages import Files, guid_of
from assetdb.lsp.protocol.registry import PROJECT, RequestContext, feature
from assetdb.lsp.protocol.structures import CallItem, IncomingCall, OfCall, OfPosition, OutgoingCall, Range, at_line
from assetdb.lsp.protocol.uris import path_of, uri_of
from assetdb.lsp.workers import QUICK
from assetdb.query.selecting.selector import guid_of_file, is_guid
from assetdb.system.cancelling import check_cancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assetdb.lsp.documents.event_calls import EventCall
    from assetdb.lsp.documents.open_documents import Document, Documents
    from assetdb.lsp.documents.outline import OpenDocument
    from assetdb.lsp.features.scripts.declarations import Declared
    from assetdb.lsp.progress import Progress
    from assetdb.lsp.protocol.capabilities import Capabilities
    from assetdb.lsp.workers import Lane

_MOST_CALLS: Final = 1000  # of one object, or of one method
_LARGEST: Final = 1 << 20  # bytes of an object that are searched for calls
_ROW: Final = METHOD.encode()


class _Caller(msgspec.Struct):
    path: str
    guid: str
    line: int
    object_id: int
    hierarchy: str
    kind: str


class _Callers(msgspec.Struct):
    callers: list[_Caller] = []
    unread_files: int = 0


_CALLERS: Final = msgspec.json.Decoder(_Callers)


@feature("textDocument/prepareCallHierarchy", OfPosition, QUICK, PROJECT)
def prepare_calls(params: OfPosition, context: RequestContext) -> list[CallItem] | None:
    """Return the method, or the object with events, at a position."""
    document = context.document
    offset = document.offset(params.position)
    if document.extension == EXTENSION:
        found = _method_here(document, offset)
    elif document.form == YAML:
        call = event_call_at(document, offset)
        declared = _declared_method(context, call)
        if call is not None:
            found = _method_item(declared, call.method) if declared is not None else None
        else:
            found = _object_here(context, offset)
    else:
        found = None
    return [found] if found is not None else None


def incoming_calls(item: CallItem, lane: Lane, tell: Callable[[str], None]) -> list[IncomingCall] | None:
    """Return the objects with events that call a method.

    ``tell`` is called with a note if there may be more.
    """
    data = item.data
    if data is None or not lane.root or not is_guid(data.guid) or not data.method:
        return None
    answer = _CALLERS.decode(lane.engine.ask("usages", {"query": data.guid, "method": data.method}))
    if answer.unread_files:
        tell(f"{counted(answer.unread_files, 'file')} could not be read, and may call it as well")
    files = Files(lane.engine)
    grouped: dict[tuple[str, int], list[_Caller]] = {}
    for row in islice(answer.callers, _MOST_CALLS):
        grouped.setdefault((row.path, row.object_id), []).append(row)
    return [
        IncomingCall(_caller_item(rows[0], uri_of(files.of(path))), [at_line(row.line - 1) for row in rows])
        for (path, _), rows in grouped.items()
    ]


def outgoing_calls(
    item: CallItem, lane: Lane, client: Capabilities, documents: Documents, progress: Progress
) -> list[OutgoingCall] | None:
    """Return the methods that an object's events call."""
    data = item.data
    if data is None or not lane.root or not data.file_id.removeprefix("-").isdecimal() or len(data.file_id) > 20:
        return None
    document = documents.get(data.uri) or read_asset(path_of(data.uri), data.uri, client.encoding)
    found = document_of(document.text, int(data.file_id)) if document is not None else None
    if document is None or found is None:
        return None
    context = RequestContext(document, lane, client, documents, progress)
    grouped: dict[tuple[str, str, Range], tuple[CallItem, list[Range]]] = {}
    for offset in _calls_in(document, found):
        check_cancelled()
        call = event_call_at(document, offset)
        declared = _declared_method(context, call)
        if call is not None and declared is not None:
            key = declared.uri, call.method, declared.place
            made = grouped.setdefault(key, (_method_item(declared, call.method), []))
            made[1].append(document.range(call.start, call.end))
    return [OutgoingCall(*each) for each in grouped.values()]


def _declared_method(context: RequestContext, call: EventCall | None) -> Declared | None:
    """Return the declaration of a call's method, also from its type's row."""
    return declared_by(context, call._replace(is_type=False)) if call is not None and call.method else None


def _method_here(document: Document, offset: int) -> CallItem | None:
    """Return the method named in C#."""
    name = name_at(document, offset)
    guid = guid_of(document) if name is not None and name.method else ""
    if name is None or not guid:
        return None
    place = document.range(*word_at(document, offset))
    return CallItem(
        name=name.method,
        kind=METHOD_KIND,
        detail=document.path.replace("\\", "/").rpartition("/")[2],
        uri=document.uri,
        range=place,
        selection_range=place,
        data=OfCall(document.uri, guid, name.method),
    )


def _method_item(declared: Declared, method: str) -> CallItem:
    return CallItem(
        name=f"{declared.type}.{method}",
        kind=METHOD_KIND,
        detail=declared.path,
        uri=declared.uri,
        range=declared.place,
        selection_range=declared.place,
        data=OfCall(declared.uri, guid_of_file(path_of(declared.uri)), method),
    )


def _object_here(context: RequestContext, offset: int) -> CallItem | None:
    """Return the object of a ``---`` line, if its events call something."""
    document = context.document
    found = document_at(document.text, offset)
    if found is None or offset > found.start or not any(True for _ in _calls_in(document, found)):
        return None
    names = context.lane.names
    name = names.resolver.local_name(names.own(document.text), found.file_id)
    return CallItem(
        name=name or str(found.file_id),
        kind=OBJECT,
        uri=document.uri,
        range=document.range(found.head, found.end),
        selection_range=document.range(found.head, found.start),
        data=OfCall(document.uri, guid_of(document), file_id=str(found.file_id)),
    )


def _caller_item(row: _Caller, uri: str) -> CallItem:
    place = at_line(row.line - 1)
    stem = row.path.rpartition("/")[2].partition(".")[0]
    return CallItem(
        name=row.hierarchy or stem,
        kind=OBJECT,
        detail=row.path,
        uri=uri,
        range=place,
        selection_range=place,
        data=OfCall(uri, row.guid, file_id=str(row.object_id) if row.object_id else ""),
    )


def _calls_in(document: Document, found: OpenDocument) -> Iterator[int]:
    """Yield offsets on the values of rows that may name methods."""
    text = document.text
    body = text.slice(found.start, min(found.end, found.start + _LARGEST))
    at = body.find(_ROW)
    for _ in range(_MOST_CALLS):
        if at < 0:
            return
        line = text.line_at(found.start + at)
        row = text.line(line)
        if row.strip().startswith(b"propertyPath:"):  # an override has the name in the next line
            line += 1
            row = text.line(line)
        yield text.line_start(line) + len(row.rstrip())
        at = body.find(_ROW, at + len(_ROW))
