"""Structural faults of a text asset: damage, duplicates, hierarchy.

Pure: bytes in, faults out. Nearly all files are sound, which searches of the whole file show (unitystation's 33,268
files of documents, 120 MB, take half a second); only in others are faults located.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter

from assetdb.diagnostics.codes import STRUCTURE_CODES
from assetdb.unity.kinds import WHOLE_HEADS, kind_without_documents
from assetdb.unity.referring.reach import INSTANCE, TRANSFORMS, reached_documents
from assetdb.unity.yaml.documents import cut
from assetdb.unity.yaml.text_asset import conflict_line
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Final

    from assetdb.unity.yaml.judging.refusals import Judge

BROKEN_HIERARCHY, BROKEN_ASSET, DUPLICATE_OBJECT, MISSING_OBJECT, INVALID_GUID = STRUCTURE_CODES[:5]
DUPLICATE_OVERRIDE, DOUBTFUL_TEXT, MISSING_SCRIPT, INVALID_TRANSFORM = STRUCTURE_CODES[5:]

NO_HEADER: Final = "begins an object, and not as `--- !u!1 &2`, so that the file has no objects"
_DOCUMENT: Final = b"\n--- "
_OF_TOOLS: Final = (b"{", b"[", b"<", b"#", b"//")  # JSON and the like that tools keep under Unity's extensions
_GAME_OBJECT: Final = 1
_BEHAVIOUR: Final = 114
_SCENE_ROOTS: Final = 1660057539  # from Unity 2022.2 on
_LOCAL: Final = re.compile(rb"\{fileID: (-?[1-9]\d{0,19})\}")
COMPONENT: Final = re.compile(rb"\n  - (?:component|\d{1,10}): \{fileID: (-?\d{1,20})\}")
OWNER: Final = re.compile(rb"\n  m_GameObject: \{fileID: (-?\d{1,20})\}")
FATHER: Final = re.compile(rb"\n  m_Father: \{fileID: (-?\d{1,20})\}")
_CHILDREN: Final = re.compile(rb"\n  m_Children:((?:\r?\n  - \{fileID: -?\d{1,20}\})+)")
_ROOTS: Final = re.compile(rb"\n  m_Roots:((?:\r?\n  - \{fileID: -?\d{1,20}\})*)")
PLACED: Final = re.compile(rb"\n    m_TransformParent: \{fileID: (-?\d{1,20})\}")
OF_INSTANCE: Final = re.compile(rb"\n  m_PrefabInstance: \{fileID: (-?\d{1,20})\}")
_OVERRIDE: Final = re.compile(
    rb"\n    - target: \{fileID: (-?\d{1,20})([^{}]{0,200})\}\r?\n      propertyPath: ([^\n]*)"
)
_CHILDREN_KEY: Final = b"\n  m_Children:"
_NO_SCRIPT: Final = re.compile(rb"\n  m_Script: \{fileID: 0\}")
_NO_SOURCE: Final = re.compile(rb"\n  m_SourcePrefab: \{fileID: 0\}")
_OF_ASSET: Final = b"\n  m_IsPrefabAsset: 1"
"""The prefab's own object of Unity 2018.2, which has no source (SunlightRig of daggerfall-unity)."""
_ROW: Final = re.compile(rb"\{fileID: (-?\d{1,20})\}")
_ADDED: Final = b"addedObject: "  # Unity skips missing additions of an instance (EventCard_Banner of unity-explorer)
_NO_NUMBERS: Final = (b"NaN", b"Infinity", b".#")
"""As Unity writes them; the last (``-1.#IND``) on Windows until Unity 5."""
_NO_NUMBER: Final = rb"[-+]?(?:NaN|Infinity|\d\.#\w{1,9})"
_NOT_FINITE: Final = re.compile(
    rb"\n  (m_Local(?:Position|Rotation|Scale)): \{[^{}\n]{0,200}?: %b[,}]"
    rb"|\n      propertyPath: m_Local(?:Position|Rotation|Scale)\.[xyzw]\r?\n      (value): %b\r?\n"
    % (_NO_NUMBER, _NO_NUMBER)
)
_OWNER_WITHIN: Final = 2048  # bytes after the head of a component; a mesh has none in megabytes


class Fault(NamedTuple):
    """One fault.

    Attributes:
        code: one of the codes above.
        offset: of the wrong byte.
        file_id: the missing, duplicate or contradictory object; 0 for damage.
        detail: more of it, for the message.
    """

    code: str
    offset: int
    file_id: int
    detail: str = ""


class _Relation(NamedTuple):
    """A reference between objects, with its place."""

    other: int
    offset: int


def find_faults(
    data: bytes, judge: Judge | None, documents: Sequence[tuple[int, int, bool, int, int]] | None = None
) -> list[Fault]:
    """Return structural faults of a YAML asset in file order.

    Args:
        data: the whole file. An empty file, a Git LFS pointer and Unity's binary form have no faults.
        judge: of the version of Unity that reads it, None if its lines are our own text of a binary file.
        documents: the result of :func:`assetdb.unity.yaml.documents.cut`, if the caller has it.
    """
    if not data.startswith(WHOLE_HEADS):
        return [Fault(BROKEN_ASSET, 0, 0)] if _is_damaged(data) else []
    if documents is None:
        documents = list(cut(data))
    if not documents:
        return [Fault(BROKEN_ASSET, max(0, data.find(_DOCUMENT) + 1), 0, NO_HEADER if _DOCUMENT in data else "")]
    anchors: set[int] = set()
    faults: list[Fault] = []
    for _, file_id, _, start, _ in documents:
        if file_id in anchors:
            faults.append(Fault(DUPLICATE_OBJECT, start, file_id))
        anchors.add(file_id)
    refusals = judge.refusals(data, documents) if judge is not None else ()
    for offset, reason, is_certain, _ in (
        () if refusals and conflict_line(data) else refusals
    ):  # a merge has its own code
        faults.append(Fault(BROKEN_ASSET if is_certain else DOUBTFUL_TEXT, offset, 0, reason))
    faults += _local(data, documents)
    if all(fault.code == DOUBTFUL_TEXT for fault in faults):
        faults += _hierarchy(data, documents)
    faults += _not_finite(data, documents)
    return sorted(faults, key=lambda fault: fault.offset)


def _not_finite(data: bytes, documents: Sequence[tuple[int, int, bool, int, int]]) -> Iterator[Fault]:
    """Yield positions, rotations and scales that are no numbers.

    A script may have a field of its own with such a name.
    """
    said = "is NaN or infinite: the object and all below it are drawn nowhere"
    starts: list[int] = []
    for match in _NOT_FINITE.finditer(data) if any(text in data for text in _NO_NUMBERS) else ():
        starts = starts or [start for _, _, _, start, _ in documents]
        if match[1] and documents[max(0, bisect_right(starts, match.start()) - 1)][0] not in TRANSFORMS:
            continue
        yield Fault(INVALID_TRANSFORM, match.start(match.lastindex or 0), 0, said)


def find_contradictions(data: bytes) -> list[Fault]:
    """Return contradictions between objects, also of a damaged file."""
    return list(_hierarchy(data, list(cut(data))))


def missing_objects(data: bytes) -> list[Fault]:
    """Return references to absent objects, also of objects that nothing reaches."""
    known = {b"%d" % file_id for _, file_id, *_ in cut(data)}
    absent = set(_LOCAL.findall(data)) - known
    return [
        Fault(MISSING_OBJECT, match.start(), int(match[1]))
        for match in (_LOCAL.finditer(data) if absent else ())
        if match[1] in absent and not data.endswith(_ADDED, 0, match.start())
    ]


def _is_damaged(data: bytes) -> bool:
    """Whether bytes are in no form that Unity reads."""
    kind = kind_without_documents(data)
    if kind != "binary":
        return kind == "text" and not data.lstrip().startswith(_OF_TOOLS)
    from assetdb.unity.binary.opening import is_damaged  # noqa: PLC0415 - projects with binary assets only

    return is_damaged(data)


def _local(data: bytes, documents: Sequence[tuple[int, int, bool, int, int]]) -> Iterator[Fault]:
    """Yield the references to objects that the file does not have.

    Of documents that the main object does not reach none counts: nobody sees them.
    """
    known = {b"%d" % file_id for _, file_id, *_ in documents}
    absent = set(_LOCAL.findall(data)) - known
    if not absent:
        return
    seen = reached_documents(data, documents)
    starts = [start for *_, start, _ in documents]
    for match in _LOCAL.finditer(data):
        if match[1] in absent and not data.endswith(_ADDED, 0, match.start()):
            owner = bisect_right(starts, match.start()) - 1
            if owner < 0 or documents[owner][1] in seen:
                yield Fault(MISSING_OBJECT, match.start(), int(match[1]))


def _hierarchy(data: bytes, documents: Sequence[tuple[int, int, bool, int, int]]) -> Iterator[Fault]:
    """Yield contradictions between objects, and objects listed twice."""
    components: dict[int, dict[int, int]] = {}
    children: dict[int, dict[int, int]] = {}
    owners: dict[int, _Relation] = {}
    fathers: dict[int, _Relation] = {}
    for class_id, file_id, stripped, start, end in documents:
        if stripped:
            continue
        if class_id == _GAME_OBJECT:
            listed_here = [_Relation(int(match[1]), match.start(1)) for match in COMPONENT.finditer(data, start, end)]
            components[file_id] = held = dict(listed_here)
            yield from _twice(listed_here, "component") if len(held) < len(listed_here) else ()
            continue
        if class_id == INSTANCE:
            yield from _overridden_twice(data, start, end)
            yield from _without_source(data, start, end, file_id)
        owner = OWNER.search(data, start, min(end, start + _OWNER_WITHIN))
        if owner is not None:
            owners[file_id] = _Relation(int(owner[1]), owner.start(1))
            if class_id == _BEHAVIOUR and int(owner[1]):
                yield from _without_script(data, start, end)
        if class_id in TRANSFORMS:
            if data.find(_CHILDREN_KEY, start, end) >= 0:  # Unity writes it always, tools may not
                listed = _CHILDREN.search(data, start, end)
                rows = [] if listed is None else _rows(data, *listed.span(1))
                children[file_id] = dict(rows)
                yield from _twice(rows, "child")
            father = FATHER.search(data, start, end)
            if father is not None:
                fathers[file_id] = _Relation(int(father[1]), father.start(1))
    yield from _disagreements(components, owners)
    yield from _disagreements(children, fathers)
    yield from _loops(fathers)
    yield from _second_transforms(components, fathers)
    yield from _without_transform(components, documents)
    yield from _scene_roots(data, documents, fathers)


def _rows(data: bytes, start: int, end: int) -> list[_Relation]:
    return [_Relation(int(match[1]), match.start(1)) for match in _ROW.finditer(data, start, end)]


def _twice(rows: Sequence[_Relation], kind: str) -> Iterator[Fault]:
    """Yield the objects that a list has a second time."""
    seen: set[int] = set()
    for other, offset in rows:
        if other in seen:
            yield Fault(BROKEN_HIERARCHY, offset, other, f"lists its {kind} {other} twice")
        seen.add(other)


def _second_transforms(
    components: Mapping[int, Mapping[int, int]], transforms: Mapping[int, _Relation]
) -> Iterator[Fault]:
    """Yield the second Transform of each GameObject."""
    for held in components.values():
        found = [file_id for file_id in held if file_id in transforms]
        for file_id in found[1:]:
            yield Fault(BROKEN_HIERARCHY, held[file_id], file_id, f"has two Transforms, {found[0]} and {file_id}")


def _without_transform(
    components: Mapping[int, Mapping[int, int]], documents: Sequence[tuple[int, int, bool, int, int]]
) -> Iterator[Fault]:
    """Yield GameObjects that have all their components, and no Transform."""
    transforms = {file_id for class_id, file_id, *_ in documents if class_id in TRANSFORMS}
    lacking = {owner: held for owner, held in components.items() if transforms.isdisjoint(held)}
    if not lacking:
        return
    known = {file_id for _, file_id, *_ in documents}
    starts = {file_id: start for _, file_id, _, start, _ in documents}
    for owner, held in lacking.items():
        if known.issuperset(held):
            yield Fault(BROKEN_HIERARCHY, starts[owner], owner, "has no Transform: Unity adds one, at the origin")


def _without_script(data: bytes, start: int, end: int) -> Iterator[Fault]:
    """Yield a component that has no script.

    Assets may have none: their class is one of the editor's own, in ``m_EditorClassIdentifier``.
    """
    none = _NO_SCRIPT.search(data, start, end)
    if none is not None:
        yield Fault(MISSING_SCRIPT, none.end() - 2, 0, "the component has no script: the reference is empty")


def _without_source(data: bytes, start: int, end: int, file_id: int) -> Iterator[Fault]:
    """Yield an instance that has no prefab."""
    none = _NO_SOURCE.search(data, start, end)
    if none is not None and data.find(_OF_ASSET, start, end) < 0:
        yield Fault(BROKEN_HIERARCHY, none.end() - 2, file_id, "is an instance of no prefab: its objects are lost")


def _overridden_twice(data: bytes, start: int, end: int) -> Iterator[Fault]:
    """Yield one property that an instance overrides more than once.

    Unity has left such rows itself, of equal and of different values (RobotWeapon of FPSSample).
    """
    rows = _OVERRIDE.findall(data, start, end)
    if len(set(rows)) == len(rows):
        return
    counts = Counter(rows)
    seen: set[tuple[bytes, ...]] = set()
    for match in _OVERRIDE.finditer(data, start, end):
        row = match.groups()
        if row in seen:
            others = sum(count > 1 for count in counts.values()) - 1
            path = match[3].strip().decode("utf-8", "replace")
            more = f", and {others} more of its rows" if others else ""
            said = f"overrides {path} of object {int(match[1])} {counts[row]} times{more}"
            yield Fault(DUPLICATE_OVERRIDE, match.start(3), int(match[1]), said)
            return
        seen.add(row)


def _scene_roots(
    data: bytes, documents: Sequence[tuple[int, int, bool, int, int]], fathers: Mapping[int, _Relation]
) -> Iterator[Fault]:
    """Yield roots that a scene lists twice, wrongly, or not at all."""
    found = next((document for document in documents if document[0] == _SCENE_ROOTS), None)
    listed = _ROOTS.search(data, *found[3:]) if found is not None else None
    if listed is None:
        return
    rows = _rows(data, *listed.span(1))
    yield from _twice(rows, "root")
    for file_id, offset in rows:
        father = fathers.get(file_id)
        if father is not None and father.other:
            yield Fault(BROKEN_HIERARCHY, offset, file_id, f"lists its root {file_id}, which has a parent")
    roots = {row.other for row in rows}
    placed: dict[int, _Relation] = dict(fathers)
    for class_id, file_id, stripped, start, end in documents:
        if stripped and class_id in TRANSFORMS and file_id in roots:
            instance = OF_INSTANCE.search(data, start, end)
            roots.update({int(instance[1])} if instance is not None else ())
        elif class_id == INSTANCE and not stripped:
            parent = PLACED.search(data, start, end)
            if parent is not None:
                placed[file_id] = _Relation(int(parent[1]), parent.start(1))
    for file_id, relation in placed.items():
        if not relation.other and file_id not in roots:
            yield Fault(BROKEN_HIERARCHY, relation.offset, file_id, "is a root that the scene does not list")


def _disagreements(listed: Mapping[int, Mapping[int, int]], backward: Mapping[int, _Relation]) -> Iterator[Fault]:
    """Yield objects that disagree with their owner's list."""
    reported: set[int] = set()
    for file_id, relation in backward.items():
        held = listed.get(relation.other)
        if held is not None and file_id not in held:
            reported.add(file_id)
            yield Fault(BROKEN_HIERARCHY, relation.offset, relation.other)
    for owner, held in listed.items():
        for file_id, offset in held.items():
            back = backward.get(file_id)
            if back is not None and back.other != owner and file_id not in reported:
                yield Fault(BROKEN_HIERARCHY, offset, file_id)


def _loops(fathers: Mapping[int, _Relation]) -> Iterator[Fault]:
    """Yield one object of each cycle of parents."""
    done: set[int] = set()
    for first in fathers:
        way: dict[int, None] = {}
        current = first
        while current in fathers and current not in done and current not in way:
            way[current] = None
            current = fathers[current].other
        if current in way:
            yield Fault(BROKEN_HIERARCHY, fathers[current].offset, current)
        done.update(way)
