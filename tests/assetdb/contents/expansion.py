"""An independent expansion of prefabs and scenes: whole files by PyYAML, instances copied into the file around them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import yaml

from tests.libyaml import UnityReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MASK = (1 << 63) - 1
TRANSFORMS = (4, 224)
_DOCUMENT = re.compile(r"^--- !u!(\d+) &(-?\d+)( stripped)?[^\n]*\n", re.MULTILINE)
_read = UnityReader(yaml.CBaseLoader if yaml.__with_libyaml__ else yaml.BaseLoader)


@dataclass
class Thing:
    """One object of an expanded file; references are fileIDs of that file."""

    class_id: int
    values: dict[str, Any]
    source: tuple[str, int]
    owner: int = 0
    father: int = 0
    parts: list[int] = field(default_factory=list)
    children: list[int] = field(default_factory=list)
    foreign: bool = False  # a Transform whose parent is of a file inside
    added: bool = False  # a component whose GameObject is
    removed: bool = False
    rank: int = 0
    overrides: dict[str, str] = field(default_factory=dict)


@dataclass
class Expanded:
    """A file with its instances opened: objects, roots, and instances that were not opened."""

    things: dict[int, Thing]
    roots: list[int]


def reference(value: Any) -> tuple[int, str]:  # noqa: ANN401 - YAML
    if not isinstance(value, dict):
        return 0, ""
    return int(value.get("fileID") or 0), str(value.get("guid", "")).lower()


class Expansion:
    """Expands the files of a project; ``read`` returns the text of the YAML asset of a GUID, or None."""

    def __init__(self, read: Callable[[str], str | None]) -> None:
        self._read = read
        self._known: dict[str, Expanded | None] = {}

    def documents(self, guid: str) -> dict[int, tuple[int, bool, dict[str, Any]]] | None:
        text = self._read(guid)
        if text is None:
            return None
        heads = list(_DOCUMENT.finditer(text))
        found: dict[int, tuple[int, bool, dict[str, Any]]] = {}
        for head, following in zip(heads, [*heads[1:], None], strict=True):
            body = text[head.end() : following.start() if following is not None else len(text)]
            values = next(iter(_read(body).values())) or {}
            found.setdefault(int(head[2]), (int(head[1]), head[3] is not None, values))
        return found

    def file(self, guid: str) -> Expanded | None:
        if guid not in self._known:
            self._known[guid] = None  # a file that nests itself is not opened within itself
            self._known[guid] = self._expand(guid)
        return self._known[guid]

    def _expand(self, guid: str) -> Expanded | None:
        documents = self.documents(guid)
        if documents is None:
            return None
        things: dict[int, Thing] = {}
        roots: dict[int, list[int]] = {}  # by instance
        for number, (class_id, stripped, values) in documents.items():
            if not stripped and class_id != 1001:
                owner = reference(values.get("m_GameObject"))[0]
                father = reference(values.get("m_Father"))[0] if class_id in TRANSFORMS else 0
                things[number] = Thing(class_id, values, (guid, number), owner, father)
        parents: dict[int, int] = {}
        for number, (class_id, _, values) in documents.items():
            if class_id == 1001:
                source = reference(values.get("m_SourcePrefab", values.get("m_ParentPrefab")))[1]
                if source:
                    roots[number] = self._place(number, source, values, documents, things)
                    parents[number] = reference((values.get("m_Modification") or {}).get("m_TransformParent"))[0]
        self._attach(documents, things)
        top = [number for number, item in things.items() if item.class_id in TRANSFORMS and item.source[0] == guid]
        below: dict[int, list[tuple[int, list[int]]]] = {}
        order = {number: place for place, number in enumerate(documents)}
        for number in top:
            if number in documents:
                below.setdefault(things[number].father, []).append((number, [number]))
        for instance, parent in parents.items():
            below.setdefault(parent, []).append((instance, roots[instance]))
        for parent, rows in below.items():
            rows.sort(key=lambda row: order[row[0]])
            _sort(parent, rows, documents)
            if parent in things:
                things[parent].rank = min(order[row[0]] for row in rows)
                for _, numbers in rows:
                    things[parent].children += numbers
                    for child in numbers:
                        things[child].foreign = parent not in documents or documents[parent][1]
        return Expanded(things, [number for _, numbers in below.get(0, ()) for number in numbers])

    def _place(
        self,
        instance: int,
        source: str,
        values: dict[str, Any],
        documents: dict[int, tuple[int, bool, dict[str, Any]]],
        things: dict[int, Thing],
    ) -> list[int]:
        """Copy what a source holds into the file; return its roots."""
        change = values.get("m_Modification") or {}
        inner = self.file(source)
        stand_ins = {
            reference(there.get("m_CorrespondingSourceObject", there.get("m_PrefabParentObject")))[0]: number
            for number, (_, stripped, there) in documents.items()
            if stripped and reference(there.get("m_PrefabInstance", there.get("m_PrefabInternal")))[0] == instance
        }
        rows = change.get("m_Modifications") or []
        if inner is None or not inner.roots:
            names = [row["value"] for row in rows if row["propertyPath"] == "m_Name"]
            things[instance] = Thing(1001, {"m_Name": names[0] if names else ""}, (source, 0))
            for number in stand_ins.values():  # whatever it is, it is somewhere below
                things[number] = Thing(-1, {}, (source, 0), owner=instance)
            return [instance]

        def moved(number: int) -> int:
            return stand_ins.get(number, (instance ^ number) & MASK) if number else 0

        copies = {}
        for number, item in inner.things.items():
            copies[number] = things[moved(number)] = replace(
                item,
                owner=moved(item.owner),
                father=moved(item.father),
                parts=[moved(part) for part in item.parts],
                children=[moved(child) for child in item.children],
                overrides=dict(item.overrides),
            )
        # Asteroid_Belt_A.prefab of FPSSample: an object of a model that a nested prefab places, and that is not opened.
        closed = next((moved(number) for number, item in inner.things.items() if item.class_id == 1001), 0)
        for there, number in stand_ins.items():
            if there not in inner.things and closed:
                things[number] = Thing(-1, {}, (source, 0), owner=closed)
        for row in rows:
            target = copies.get(reference(row["target"])[0])
            if target is not None:
                target.overrides[row["propertyPath"]] = row.get("value", "")
        for key in ("m_RemovedComponents", "m_RemovedGameObjects"):
            for row in change.get(key) or values.get(key) or ():
                target = copies.get(reference(row)[0])
                if target is not None:
                    target.removed = True
        return [moved(root) for root in inner.roots]

    @staticmethod
    def _attach(documents: dict[int, tuple[int, bool, dict[str, Any]]], things: dict[int, Thing]) -> None:
        """Give GameObjects the components that this file has."""
        for number, (class_id, stripped, values) in documents.items():
            if class_id == 1 and not stripped:
                for row in values.get("m_Component") or ():
                    things[number].parts.append(reference(next(iter(row.values())))[0])
        for number, (class_id, stripped, _) in documents.items():
            if stripped or class_id in (1, 1001):
                continue
            owner = things.get(things[number].owner)
            if owner is not None and owner.class_id == -1:
                owner = things[owner.owner]
            if owner is not None and number not in owner.parts:
                owner.parts.append(number)
                things[number].added = owner.source[0] != things[number].source[0]

    def nodes(self, guid: str) -> Iterator[tuple[Any, ...]]:
        """Yield depth, name, activity, components, source and marks of each GameObject, parents first."""
        expanded = self.file(guid)
        assert expanded is not None
        things = expanded.things
        unknown: dict[int, list[int]] = {}  # below an instance that was not opened
        for item in sorted(things.values(), key=lambda item: item.rank):
            if item.class_id == -1:
                unknown.setdefault(item.owner, []).extend(item.children)
        stack = [(number, 0, False) for number in reversed(expanded.roots)]
        while stack:
            number, depth, removed = stack.pop()
            item = things[number]
            if item.class_id == 1001:
                yield depth, 0, item.values["m_Name"], _parts(item, things), item.source, item.foreign, removed
                stack += [(child, depth + 1, removed) for child in reversed(unknown.get(number, []))]
                continue
            owner = things[item.owner]
            gone = removed or owner.removed
            name = owner.overrides.get("m_Name", owner.values.get("m_Name", ""))
            yield depth, item.owner, name, _parts(owner, things), owner.source, item.foreign, gone
            stack += [(child, depth + 1, gone) for child in reversed(item.children)]


def _parts(owner: Thing, things: dict[int, Thing]) -> list[tuple[Any, ...]]:
    rows = []
    for number in owner.parts:
        part = things.get(number)
        if part is None:
            rows.append((number, 0, "", 0, False, False))
            continue
        script = reference(part.values.get("m_Script"))[1] if part.class_id == 114 else ""
        rows.append((number, part.class_id, script, len(part.overrides), part.added, part.removed))
    return rows


def _sort(
    parent: int,
    rows: list[tuple[int, list[int]]],
    documents: dict[int, tuple[int, bool, dict[str, Any]]],
) -> None:
    if not parent:
        listed = next((values.get("m_Roots") for kind, _, values in documents.values() if kind == 1660057539), None)
    else:
        listed = documents[parent][2].get("m_Children") if parent in documents else None
    if listed is None:
        if not parent:
            rows.sort(key=lambda row: _root_order(*documents[row[0]]))
        return
    places: dict[int, int] = {}
    for place, row in enumerate(listed):
        number = reference(row)[0]
        if number in documents:
            _, stripped, values = documents[number]
            own = values.get("m_PrefabInstance", values.get("m_PrefabInternal")) if stripped else None
            places.setdefault(reference(own)[0] if stripped else number, place)
    rows.sort(key=lambda row: places.get(row[0], len(listed)))


def _root_order(class_id: int, _stripped: bool, values: dict[str, Any]) -> int:  # noqa: FBT001 - a row of documents
    if class_id != 1001:
        return int(values.get("m_RootOrder") or 0)
    changes = (values.get("m_Modification") or {}).get("m_Modifications") or []
    return next((int(row["value"]) for row in changes if row["propertyPath"] == "m_RootOrder"), 0)
