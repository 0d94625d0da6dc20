"""Document symbols: the hierarchy of a prefab or scene."""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.client.cancelling import pause_if_cancelled
from assetdb.lsp.lanes import TEXT
from assetdb.lsp.outline import OpenDocument, OpenObjects, open_documents
from assetdb.lsp.protocol import Location, OfDocument, Position, Range, Symbol, SymbolInformation
from assetdb.lsp.referred import YAML
from assetdb.lsp.registry import feature
from assetdb.lsp.symbol_kinds import PROPERTY, kind_of_object
from assetdb.unity.classes import class_name
from assetdb.unity.objects import GAME_OBJECT, MONO_BEHAVIOUR, PREFAB_INSTANCE, TextObject

if TYPE_CHECKING:
    from assetdb.lsp.documents import Document
    from assetdb.lsp.registry import Asked

_DEEPEST: Final = 60  # levels of the answer: what lies deeper is shown at the deepest, and no stack grows with the data
_MOST_OVERRIDES: Final = 20_000  # of one answer
_LONGEST: Final = 200  # characters of a value beside a name
_OVERRIDE: Final = re.compile(rb"\n +propertyPath: ([^\r\n]{1,500})\r?\n +value:[ ]?([^\r\n]{0,200})")


class _Node(NamedTuple):
    symbol: Symbol
    parent: int  # fileID of the object above, 0 for a root
    place: OpenDocument


@feature("textDocument/documentSymbol", OfDocument, TEXT)
def document_symbols(params: OfDocument, asked: Asked) -> list[Symbol] | list[SymbolInformation] | None:  # noqa: ARG001
    """Return the objects of a document."""
    document = asked.document
    if document.form != YAML:
        return None
    roots = _tree(_nodes(asked))
    if asked.client.has("textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport"):
        return roots
    return _flat(document.uri, roots)


def _nodes(asked: Asked) -> list[_Node]:
    """Return a node for each object that is no mere stand-in, with its parent."""
    document = asked.document
    places = list(open_documents(document.text))
    items: list[tuple[OpenDocument, TextObject]] = []
    known: dict[int, TextObject] = {}
    for place, item in zip(_firsts(places), OpenObjects(document.text).objects.values(), strict=True):
        pause_if_cancelled()
        items.append((place, item))
        known[item.file_id] = item
    naming = _Naming(asked, [item for _, item in items])
    found = []
    left = _MOST_OVERRIDES
    for place, item in items:
        pause_if_cancelled()
        if item.stripped:
            continue
        line = document.text.line_at(place.head)
        head = Range(Position(line, 0), Position(line, place.start - place.head))
        whole = Range(head.start, Position(document.text.line_at(place.end) + 1, 0))
        name, kind = naming.of(item)
        symbol = Symbol(name, kind_of_object(kind), whole, head, kind)
        if item.class_id == PREFAB_INSTANCE and left > 0:
            symbol.children = _overrides(document, place, left)
            left -= len(symbol.children)
        found.append(_Node(symbol, _parent_of(item, known), place))
    return found


def _firsts(places: list[OpenDocument]) -> list[OpenDocument]:
    """Return the documents that objects are made of: of several with one anchor the first."""
    seen: dict[int, OpenDocument] = {}
    for place in places:
        if place.class_id < 1 << 32 and -(1 << 63) <= place.file_id < 1 << 63:
            seen.setdefault(place.file_id, place)
    return list(seen.values())


class _Naming:
    """What objects are called; outside of a project by what the file itself says."""

    def __init__(self, asked: Asked, items: list[TextObject]) -> None:
        self._names = asked.lane.names if asked.in_project else None
        if self._names is not None:
            guids = {item.script.guid for item in items if item.class_id == MONO_BEHAVIOUR and not item.stripped}
            guids.update(item.source_prefab for item in items if item.class_id == PREFAB_INSTANCE)
            self._names.prefetch_guids(guids - {""})

    def of(self, item: TextObject) -> tuple[str, str]:
        """Return name and type of an object."""
        kind = class_name(item.class_id) or str(item.class_id)
        if item.class_id == PREFAB_INSTANCE:
            renamed = next(iter(item.overridden_names().values()), "")
            return renamed or self._stem_of(item.source_prefab) or "PrefabInstance", "PrefabInstance"
        if item.class_id == MONO_BEHAVIOUR:
            script = self._names.resolver.script_name(item.script.guid) if self._names and item.script.guid else ""
            kind = script or kind
            return item.name or script or "MonoBehaviour", kind if item.name or not script else "MonoBehaviour"
        return item.name or kind, kind if item.name else ""

    def _stem_of(self, guid: str) -> str:
        location = self._names.locate(guid) if self._names is not None and guid else None
        return location.path.rpartition("/")[2].rpartition(".")[0] if location is not None else ""


def _parent_of(item: TextObject, known: dict[int, TextObject]) -> int:
    """Return the object that one is shown under."""
    if item.class_id == GAME_OBJECT:
        transform = known.get(item.transform)
        return _holder(transform.father, known) if transform is not None else 0
    if item.class_id == PREFAB_INSTANCE:
        return _holder(item.transform_parent, known)
    owner = item.game_object
    holder = known.get(owner)
    return holder.instance if holder is not None and holder.stripped else owner


def _holder(transform: int, known: dict[int, TextObject]) -> int:
    """Return the GameObject of a Transform, or the instance that brings it."""
    found = known.get(transform)
    if found is None:
        return 0
    return found.instance if found.stripped else found.game_object


def _overrides(document: Document, place: OpenDocument, most: int) -> list[Symbol]:
    body = document.text.slice(place.start, place.end)
    found = []
    for match in _OVERRIDE.finditer(body):
        line = document.text.line_at(place.start + match.start(1))
        end = Range(Position(line, 0), Position(line + 1, 0))
        value = match[2].decode("utf-8", "replace")[:_LONGEST]
        found.append(Symbol(match[1].decode("utf-8", "replace"), PROPERTY, end, end, value))
        if len(found) >= most:
            break
    return found


def _tree(nodes: list[_Node]) -> list[Symbol]:
    """Hang the nodes below each other; those that hang below themselves are roots."""
    by_id = {node.place.file_id: node for node in nodes}
    below: dict[int | None, list[_Node]] = {}  # None: the roots; a damaged file may have an object 0
    for node in nodes:
        below.setdefault(node.parent if node.parent and node.parent in by_id else None, []).append(node)
    roots: list[Symbol] = []
    hung: set[int] = set()
    waiting = deque((node, roots, 1) for node in below.get(None, ()))
    while waiting:
        pause_if_cancelled()
        node, siblings, depth = waiting.popleft()
        hung.add(node.place.file_id)
        siblings.append(node.symbol)
        node.symbol.children = list(node.symbol.children)
        inner = node.symbol.children if depth < _DEEPEST else siblings
        waiting.extend((child, inner, depth + 1) for child in below.get(node.place.file_id, ()))
    roots += [node.symbol for node in nodes if node.place.file_id not in hung]
    return roots


def _flat(uri: str, roots: list[Symbol]) -> list[SymbolInformation]:
    found = []
    waiting = [(symbol, "") for symbol in reversed(roots)]
    while waiting:
        symbol, above = waiting.pop()
        found.append(SymbolInformation(symbol.name, symbol.kind, Location(uri, symbol.range), above))
        waiting.extend((child, symbol.name) for child in reversed(symbol.children))
    return found
