"""Declarations in C# of the classes and methods that events name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.lsp.documents.open_documents import Document
from assetdb.lsp.documents.text import Text
from assetdb.lsp.features.completion import FOUND
from assetdb.lsp.protocol.structures import NOWHERE, Range, at_line
from assetdb.lsp.protocol.uris import uri_of
from assetdb.system.reading import read_file
from assetdb.unity.scripts.csharp import read_source
from assetdb.unity.scripts.member_places import member_places
from assetdb.unity.yaml.objects import TextObject

if TYPE_CHECKING:
    from assetdb.lsp.documents.event_calls import EventCall
    from assetdb.lsp.protocol.registry import RequestContext

_CODE: Final = ".cs"
_MOST_BASES: Final = 16
_MOST_FOUND: Final = 100
_SETTER: Final = "set_"  # an event sets a property by this method, which the source does not name


class Declared(NamedTuple):
    """The declaration that an event names.

    Attributes:
        uri: of the C# file.
        path: in the project.
        type: name of the type that has the declaration.
        place: range of the declared name, or the beginning of the file.
        is_found: whether the source has the name.
    """

    uri: str
    path: str
    type: str
    place: Range
    is_found: bool


class _Script(NamedTuple):
    file: str
    path: str
    data: bytes

    @property
    def stem(self) -> str:
        return self.path.rpartition("/")[2].rpartition(".")[0]


def declared_by(context: RequestContext, call: EventCall) -> Declared | None:
    """Return the declaration of the class or method of a call.

    None without the target's source. Raises AssetdbError or OSError if the project cannot be read.
    """
    script = _script_of_target(context, call)
    name = call.type.rpartition(".")[2].rpartition("+")[2] or (script.stem if script is not None else "")
    if script is None or (name and not _declares(script, name)):
        script = _script_of_type(context, name) or script
    if script is None:
        return None
    first, first_name = script, name
    for _ in range(1 if call.is_type else _MOST_BASES):
        kind, member = ("", name) if call.is_type else (name, call.method)
        place = _range_of(context, script, kind, member)
        if place is not None:
            return Declared(uri_of(script.file), script.path, name, place, is_found=True)
        name = _base_of(script, name)
        following = script if name and _declares(script, name) else _script_of_type(context, name)
        if following is None:
            break
        script = following
    return Declared(uri_of(first.file), first.path, first_name, NOWHERE, is_found=False)


def _script_of_target(context: RequestContext, call: EventCall) -> _Script | None:
    if not call.file_id:
        return None
    names = context.lane.names
    content = names.resolver.content(call.guid or names.own(context.document.text))
    item = content.objects.get(call.file_id) if not isinstance(content, str) else None
    guid = item.script.guid if isinstance(item, TextObject) else ""
    if not guid:
        return None
    names.prefetch_guids([guid])
    location = names.locate(guid)
    if location is None or not location.file.lower().endswith(_CODE):
        return None
    return _read(context, location.file, location.path)


def _script_of_type(context: RequestContext, name: str) -> _Script | None:
    """Return the file that has a type's name and declares the type."""
    if not name:
        return None
    # The name alone is in each path below a folder `Door/`, and the first hundred may lack the script.
    pattern = f"*/{name}{_CODE}" if name.isidentifier() else name
    answer = FOUND.decode(context.lane.engine.ask("find", {"pattern": pattern, "limit": _MOST_FOUND}))
    for row in answer.found:
        if row.path.endswith(f"/{name}{_CODE}"):
            location = context.lane.names.locate(row.guid)
            script = _read(context, location.file, row.path) if location is not None and location.file else None
            if script is not None and _declares(script, name):
                return script
    return None


def _read(context: RequestContext, file: str, path: str) -> _Script:
    """Return a script from the editor, or else from disk."""
    opened = next((document for document in context.documents if document.path == file), None)
    return _Script(file, path, opened.text.data if opened is not None else read_file(file) or b"")


def _declares(script: _Script, name: str) -> bool:
    return any(each.name == name for each in read_source(script.data).types)


def _base_of(script: _Script, name: str) -> str:
    bases = [each.bases for each in read_source(script.data).types if each.name == name and each.bases]
    return bases[0][0].name if bases else ""


def _range_of(context: RequestContext, script: _Script, kind: str, name: str) -> Range | None:
    """Return the range of a declared name."""
    names = {name, name.removeprefix(_SETTER)}
    found = next((each for each in member_places(script.data) if each.type == kind and each.name in names), None)
    if found is None:
        return None
    document = Document("", script.file, None, Text.of(script.data), context.document.encoding)
    start = document.text.line_start(found.line - 1)
    word = found.name.encode()
    # `public Color Color { get; set; }` has the name twice, and `DoorState Door()` in another word.
    whole = rb"(?<![\w\x80-\xff])%s(?![\w\x80-\xff])" % re.escape(word)
    row = document.text.line(found.line - 1)
    places = [match.start() for match in re.finditer(whole, row)]
    ends = rb"\s*(?:[(<{;,:]|=|\Z)" if not found.is_method else rb"\s*[(<]"
    declared = [column for column in places if re.match(ends, row[column + len(word) :])]
    if not places:
        return at_line(found.line - 1)
    column = (declared or places)[0]
    return document.range(start + column, start + column + len(word))
