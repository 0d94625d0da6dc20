"""References across the project."""

from __future__ import annotations

import os
import re
from itertools import islice
from typing import TYPE_CHECKING, Final

import msgspec

from assetdb.checks.counting import counted
from assetdb.lsp.documents.line_references import YAML, reference_at, references_to_object
from assetdb.lsp.documents.outline import document_at, document_of
from assetdb.lsp.documents.script_names import EXTENSION, ScriptName, name_at
from assetdb.lsp.protocol.registry import PROJECT, feature
from assetdb.lsp.protocol.structures import (
    NOWHERE,
    Location,
    OfReferences,
    at_line,
)
from assetdb.lsp.protocol.uris import uri_of
from assetdb.lsp.workers import LONG
from assetdb.query.selecting.selector import guid_of_file
from assetdb.settings.project import asset_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from assetdb.client.engine import Engine
    from assetdb.lsp.documents.open_documents import Document
    from assetdb.lsp.protocol.registry import RequestContext

OWN_GUID: Final = re.compile(rb"(?:\A|\n)guid:\s{1,9}([0-9a-fA-F]{32})")
HEAD: Final = 4096
_SOURCES: Final = ("m_SourcePrefab", "m_ParentPrefab")  # the second until Unity 2018.2, as the second one below
_OF_PARTS: Final = ("m_CorrespondingSourceObject", "m_PrefabParentObject")
_MOST_SHOWN: Final = 50_000


class _Place(msgspec.Struct):
    path: str
    line: int


class _Site(_Place):
    object_id: int = 0
    property: str = ""


class _Value(_Place):
    is_default: bool = False


class _Asset(msgspec.Struct):
    guid: str
    path: str


class _Usages(msgspec.Struct):
    usages: list[_Asset] = []
    objects: list[_Site] = []
    unread_files: int = 0


class _Members(msgspec.Struct):
    values: list[_Value] = []
    callers: list[_Place] = []
    unread_files: int = 0


_MEMBERS: Final = msgspec.json.Decoder(_Members)
_USAGES: Final = msgspec.json.Decoder(_Usages)


@feature("textDocument/references", OfReferences, LONG, PROJECT)
def references(params: OfReferences, context: RequestContext) -> list[Location] | None:
    """Return the lines that refer to the item at a position."""
    document = context.document
    offset = document.offset(params.position)
    name = name_at(document, offset) if document.extension == EXTENSION else ScriptName()
    if name is None:
        return None
    guid, file_id, here = _subject_at(context, offset)
    if not guid and file_id is None:
        return None
    context.progress.begin("Finding usages")
    found: list[Location] = []
    if here and file_id is not None:
        starts = (start for start, _ in references_to_object(document.text, file_id))
        found += [Location(document.uri, document.line_range(start)) for start in starts]
    if name.field or name.method:
        return sorted(set(places_of(context.lane.engine, guid, name, context.progress.report)))
    if guid:
        query = guid if file_id is None else f"{guid}:{file_id}"
        found += usages_of(context.lane.engine, query, context.progress.report)
        if params.context.include_declaration:
            found += _declaration(context, guid, file_id, here=here)
    return sorted(set(found))


def _subject_at(context: RequestContext, offset: int) -> tuple[str, int | None, bool]:
    """Return GUID, fileID, and whether the object is the document's own."""
    document = context.document
    form = document.form
    found = reference_at(document.text, offset, form) if form else None
    own = guid_of(document)
    if found is not None:
        return found.guid or own, found.file_id, not found.guid or found.guid == own
    head = document_at(document.text, offset) if form == YAML else None
    if head is not None and offset <= head.start:
        return own, head.file_id, True
    return own, None, False


def guid_of(document: Document) -> str:
    """Return the GUID of an open asset or meta, or ``""``."""
    if document.extension == "meta":
        found = OWN_GUID.search(document.text.slice(0, HEAD))
        return found[1].decode().lower() if found else ""
    return guid_of_file(document.path) if document.path else ""


def _declaration(context: RequestContext, guid: str, file_id: int | None, *, here: bool) -> Iterator[Location]:
    document = context.document
    if here and file_id is not None:
        head = document_of(document.text, file_id)
        if head is not None:
            yield Location(document.uri, document.range(head.head, head.start))
        return
    location = context.lane.names.locate(guid)
    if location is not None and location.file:
        yield Location(uri_of(location.file), NOWHERE)


def usages_of(engine: Engine, query: str, tell: Callable[[str], None] = lambda _: None) -> list[Location]:
    """Return the lines that refer to something; of binary files the first.

    An instance of a prefab is one place. ``tell`` is called with a note if there may be more.
    """
    answer = _USAGES.decode(engine.ask("usages", {"query": query, "objects": True}))
    if answer.unread_files:
        tell(f"{counted(answer.unread_files, 'file')} could not be read, and may refer to it as well")
    placed = {place.path.removesuffix(".meta") for place in answer.objects}
    places = answer.objects if ":" in query else _instances_once(answer.objects)
    rows = [(place.path, place.line - 1) for place in places]
    rows += [(asset.path, 0) for asset in answer.usages if asset.path and asset.path not in placed]
    return _lines(engine, rows)


def _instances_once(places: list[_Site]) -> list[_Site]:
    """Return places, but of each prefab instance only one.

    An instance names its prefab in each of its overrides, and in each of its objects that the scene refers to.
    """
    instances = {(place.path, place.object_id) for place in places if place.property in _SOURCES}
    files = {path for path, _ in instances}

    def is_part(place: _Site) -> bool:
        if place.property in _OF_PARTS:
            return place.path in files
        is_value = place.property in _SOURCES or place.property.endswith(".objectReference")
        return not is_value and (place.path, place.object_id) in instances

    return [place for place in places if not is_part(place)]


def places_of(
    engine: Engine,
    guid: str,
    name: ScriptName,
    tell: Callable[[str], None] = lambda _: None,
    *,
    only_set: bool = False,
) -> list[Location]:
    """Return the lines that store a field or call a method.

    ``tell`` is called with a note if there may be more. With ``only_set``, values that are zero or empty are left out.
    """
    answer = _MEMBERS.decode(engine.ask("usages", {"query": guid, **name._asdict()}))
    if answer.unread_files:
        tell(f"{counted(answer.unread_files, 'file')} could not be read, and may have it as well")
    values = (row for row in answer.values if not (only_set and row.is_default))
    return _lines(engine, ((row.path, row.line - 1) for row in (*values, *answer.callers)))


def _lines(engine: Engine, rows: Iterable[tuple[str, int]]) -> list[Location]:
    files = Files(engine)
    return [Location(uri_of(files.of(path)), at_line(line)) for path, line in islice(rows, _MOST_SHOWN)]


def title_of_usages(engine: Engine, guid: str) -> str:
    """Return the number of assets that refer to something, in words."""
    answer = _USAGES.decode(engine.ask("usages", {"query": guid}))
    number = len(answer.usages)
    title = counted(number, "usage") if number else "no usages"
    return title + (f", {counted(answer.unread_files, 'file')} unread" if answer.unread_files else "")


class Files:
    """Locations of files by path; packages are elsewhere."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._known: dict[str, str] = {}

    def of(self, path: str) -> str:
        """Return the absolute path of a path of an answer."""
        found = self._known.get(path)
        if found is None:
            found = asset_file(self._engine.root, path)
            if path.startswith("Packages/") and not os.path.lexists(found):
                found = self._in_package(path) or found
            self._known[path] = found
        return found

    def _in_package(self, path: str) -> str:
        asset = path.removesuffix(".meta")
        answer = msgspec.json.decode(self._engine.ask("resolve", {"queries": [asset]}), type=list[dict[str, object]])
        guid = answer[0].get("guid") if answer else None
        location = self._engine.locate([guid])[0] if isinstance(guid, str) else None
        if location is None or not location.file:
            return ""
        return location.file + (".meta" if path.endswith(".meta") else "")
