"""Code lenses: usages of assets and of members of scripts."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final

from assetdb.lsp.documents.line_references import YAML
from assetdb.lsp.documents.outline import document_of, open_documents
from assetdb.lsp.documents.script_names import EXTENSION
from assetdb.lsp.features.scripts.members import words_of
from assetdb.lsp.features.usages import HEAD, OWN_GUID, guid_of, title_of_usages
from assetdb.lsp.projects import path_in
from assetdb.lsp.protocol.lifecycle import FIND_USAGES
from assetdb.lsp.protocol.registry import PROJECT, feature
from assetdb.lsp.protocol.structures import CodeLens, Command, OfDocument, OfGuid
from assetdb.lsp.workers import LONG
from assetdb.query.selecting.selector import is_guid
from assetdb.unity.scripts.member_places import member_places
from assetdb.unity.yaml.objects import PREFAB_INSTANCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.lsp.documents.open_documents import Document
    from assetdb.lsp.protocol.registry import RequestContext
    from assetdb.lsp.workers import Lane

_PREFAB: Final = "prefab"
_PLACED: Final = (4, 224, PREFAB_INSTANCE)  # Transform, RectTransform
_LONGEST: Final = 1 << 20  # bytes of a Transform with its children, or of the head of an instance
_OWNER: Final = re.compile(rb"\n  m_GameObject: \{fileID: (-?\d{1,19})\}")
_NO_FATHER: Final = re.compile(rb"\n  m_Father: \{fileID: 0\}")
_NO_PARENT: Final = re.compile(rb"\n    m_TransformParent: \{fileID: 0\}")
_CLASS: Final = rb"\b(?:class|struct|interface|enum|record)\s{1,9}%s\b"


@feature("textDocument/codeLens", OfDocument, LONG, PROJECT)
def code_lenses(params: OfDocument, context: RequestContext) -> list[CodeLens] | None:  # noqa: ARG001 - it is known
    """Return lenses at an asset's head, and at members that assets use."""
    document = context.document
    if not path_in(context.lane.root, document.path):
        return None
    guid = guid_of(document)
    place = _lens_place(document) if guid else None
    if place is None:
        return None
    lenses = [CodeLens(document.line_range(place), data=OfGuid(document.uri, guid))]
    return lenses + list(_of_members(document, guid, context.lane)) if document.extension == EXTENSION else lenses


def _lens_place(document: Document) -> int | None:
    if document.extension == "meta":
        found = OWN_GUID.search(document.text.slice(0, HEAD))
        return found.start(1) if found else None
    if document.extension == EXTENSION:
        name = os.path.basename(document.path).rpartition(".")[0].encode("utf-8", "replace")
        offset = 0
        for chunk in document.text.chunks:  # a class may span two chunks, a declaration does not
            match = re.search(_CLASS % re.escape(name), chunk.data)
            if match is not None:
                return offset + match.start()
            offset += len(chunk.data)
        return 0
    if document.form == YAML:
        return _root_of_prefab(document) if document.extension == _PREFAB else _first_document(document)
    return 0 if document.form else None


def _first_document(document: Document) -> int:
    return next((found.head for found in open_documents(document.text)), 0)


def _root_of_prefab(document: Document) -> int:
    """Return the head of a prefab's root, or of its instance."""
    text = document.text
    for found in open_documents(text):
        if found.stripped or found.class_id not in _PLACED:
            continue
        body = text.slice(found.start, min(found.end, found.start + _LONGEST))
        owner = _OWNER.search(body)
        if found.class_id == PREFAB_INSTANCE:
            if _NO_PARENT.search(body):
                return found.head
        elif _NO_FATHER.search(body) and owner is not None:
            root = document_of(text, int(owner[1]))
            if root is not None:
                return root.head
    return _first_document(document)


def _of_members(document: Document, guid: str, lane: Lane) -> Iterator[CodeLens]:
    """Yield lenses of a script's members that assets use."""
    words = words_of(lane, guid)
    if not words.methods and not words.fields:
        return
    text = document.text
    for member in member_places(text.data):
        field = words.fields.get((member.type, member.name))
        said = words.methods.get(member.name) if member.is_method else field
        if said:
            kind = "method" if member.is_method else "field"
            command = Command(said, FIND_USAGES, [document.uri, guid, kind, member.name])
            yield CodeLens(document.line_range(text.line_start(member.line - 1)), command)


def resolved_lens(lens: CodeLens, lane: Lane) -> CodeLens:
    """Return a lens with its text."""
    data = lens.data
    if data is None or not is_guid(data.guid) or not lane.root:
        return lens
    title = title_of_usages(lane.engine, data.guid)
    return CodeLens(lens.range, Command(title, FIND_USAGES, [data.uri, data.guid]), data)
