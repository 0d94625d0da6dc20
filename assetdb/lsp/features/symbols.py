"""Document symbols: the hierarchy of a prefab or scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.contents.hierarchy import Hierarchy
from assetdb.contents.opened import OpenText
from assetdb.contents.overrides import placed_overrides
from assetdb.lsp.documents.line_references import YAML
from assetdb.lsp.documents.outline import cut_out
from assetdb.lsp.documents.symbol_kinds import KINDS, PROPERTY, STRUCT
from assetdb.lsp.protocol.registry import feature
from assetdb.lsp.protocol.structures import Location, OfDocument, Position, Range, Symbol, SymbolInformation
from assetdb.lsp.workers import TEXT
from assetdb.resolve.instances import ObjectInfo
from assetdb.system.cancelling import check_cancelled
from assetdb.unity.engine.classes import class_name
from assetdb.unity.yaml.objects import GAME_OBJECT, MONO_BEHAVIOUR, PREFAB_INSTANCE, TextObject

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assetdb.contents.hierarchy import Component, Node
    from assetdb.contents.opened import Part
    from assetdb.lsp.protocol.registry import RequestContext

_DEEPEST: Final = 60  # levels of the answer: deeper objects are shown at the last, without recursion
_MOST_OVERRIDES: Final = 20_000  # of one answer
_LONGEST: Final = 200  # characters of a value beside a name
_NO_SCRIPT: Final = (0, "")


@feature("textDocument/documentSymbol", OfDocument, TEXT)
def document_symbols(params: OfDocument, context: RequestContext) -> list[Symbol] | list[SymbolInformation] | None:  # noqa: ARG001
    """Return the objects of a document."""
    document = context.document
    if document.form != YAML:
        return None
    roots = _Outline(context).roots()
    if context.client.has("textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport"):
        return roots
    return _flat(document.uri, roots)


class _Outline:
    """The hierarchy of a document, then all other objects."""

    def __init__(self, context: RequestContext) -> None:
        self._document = context.document
        self._content, self._places = cut_out(context.document.text)
        self._objects = self._content.objects
        self._naming = _Naming(context, self._objects.values())
        self._overrides_left = _MOST_OVERRIDES
        self._listed: set[int] = set()

    def roots(self) -> list[Symbol]:
        """Return the symbols of the first level."""
        roots: list[Symbol] = []
        levels = [roots]
        for node in Hierarchy(lambda _: self._content, "").nodes(nested=False):
            check_cancelled()
            del levels[node.depth + 1 :]
            levels.append(self._add_node(node, levels[-1]))
        opened = OpenText(self._content)
        for item in self._objects.values():
            if not item.stripped and item.file_id not in self._listed and not self._has_owner(item):
                symbol = self._add(item, item.name, roots)
                if item.class_id == GAME_OBJECT:
                    self._add_components(opened.components(item.file_id), symbol.children)
        return roots

    def _has_owner(self, item: TextObject) -> bool:
        """Whether a component is on a GameObject of the file."""
        owner = self._objects.get(item.game_object) if item.class_id != GAME_OBJECT else None
        return owner is not None and not owner.stripped and owner.class_id == GAME_OBJECT

    def _add_node(self, node: Node, siblings: list[Symbol]) -> list[Symbol]:
        """Add a node with components; return its list of children."""
        item = self._objects.get(node.file_id or node.instance)
        if item is None or item.stripped or item.file_id in self._listed:
            return siblings  # a Transform without a GameObject in the file
        symbol = self._add(item, node.name, siblings)
        children = symbol.children if node.depth + 1 < _DEEPEST else siblings
        self._add_components(node.components, children)
        return children

    def _add_components(self, components: Iterable[Component | Part], siblings: list[Symbol]) -> None:
        for component in components:
            item = self._objects.get(component.file_id)
            if item is None or item.stripped or item.class_id == GAME_OBJECT:
                continue
            if item.file_id not in self._listed:
                self._add(item, item.name, siblings)

    def _add(self, item: TextObject, own_name: str, siblings: list[Symbol]) -> Symbol:
        self._listed.add(item.file_id)
        text, place = self._document.text, self._places[item.file_id]
        line = text.line_at(place.head)
        head = Range(Position(line, 0), Position(line, place.start - place.head))
        whole = Range(head.start, Position(text.line_at(place.end) + 1, 0))
        name, kind = self._naming.of(item, own_name)
        symbol = Symbol(name, KINDS.get(kind, STRUCT), whole, head, kind)
        if item.class_id == PREFAB_INSTANCE:
            symbol.children += self._overrides(item, line)
        siblings.append(symbol)
        return symbol

    def _overrides(self, instance: TextObject, line: int) -> Iterator[Symbol]:
        lines, counted = line, 0
        for start, override in placed_overrides(instance):
            if not self._overrides_left:
                return
            self._overrides_left -= 1
            lines += instance.body.count(b"\n", counted, start)
            counted = start
            row = Range(Position(lines, 0), Position(lines + 1, 0))
            yield Symbol(override.path, PROPERTY, row, row, override.value[:_LONGEST])


class _Naming:
    """Names of objects; outside of a project from the file alone."""

    def __init__(self, context: RequestContext, items: Iterable[TextObject]) -> None:
        self._names = context.lane.names if context.in_project else None
        if self._names is not None:
            guids: set[str] = set()
            for item in items:
                if item.class_id == MONO_BEHAVIOUR and not item.stripped:
                    guids.add(item.script.guid)
                elif item.class_id == PREFAB_INSTANCE:
                    guids.add(item.source_prefab)
            self._names.prefetch_guids(guids - {""})

    def of(self, item: TextObject, own_name: str) -> tuple[str, str]:
        """Return name and type of an object."""
        kind = self._type_of(item)
        if item.class_id == PREFAB_INSTANCE:
            return own_name or self._stem_of(item.source_prefab) or kind, kind
        if own_name:
            return own_name, kind
        if item.class_id == MONO_BEHAVIOUR:
            return kind, "MonoBehaviour"
        return kind, ""

    def _type_of(self, item: TextObject) -> str:
        if self._names is None:
            return class_name(item.class_id) or str(item.class_id)
        script = item.script if item.class_id == MONO_BEHAVIOUR else _NO_SCRIPT
        return self._names.resolver.type_of_object(ObjectInfo(item.class_id, "", "", (), script)) or str(item.class_id)

    def _stem_of(self, guid: str) -> str:
        location = self._names.locate(guid) if self._names is not None and guid else None
        return location.path.rpartition("/")[2].rpartition(".")[0] if location is not None else ""


def _flat(uri: str, roots: list[Symbol]) -> list[SymbolInformation]:
    found = []
    waiting = [(symbol, "") for symbol in reversed(roots)]
    while waiting:
        symbol, above = waiting.pop()
        found.append(SymbolInformation(symbol.name, symbol.kind, Location(uri, symbol.range), above))
        waiting.extend((child, symbol.name) for child in reversed(symbol.children))
    return found
