"""Faults of single files: damaged YAML, objects that disagree, metas."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from scripts.fuzz.plant_faults import (
    CONFLICT,
    FAULTS,
    LFS_POINTER,
    Expected,
    Fault,
    NoPlaceError,
    Planted,
    Planter,
    blamed,
    edited,
    fault,
    is_plain,
    meta,
    retargeted,
    rewriting,
    without,
)
from scripts.fuzz.plant_tree import Reference

_STRUCTURE: Final = ("missing-object", "dangling", "broken-hierarchy")
_OF_UNITY: Final = {
    "component", "m_Children", "m_Father", "m_GameObject", "m_PrefabInstance", "m_PrefabAsset", "m_PrefabParentObject",
    "m_CorrespondingSourceObject", "m_PrefabInternal", "m_TransformParent", "m_RootGameObject", "m_Script", "target",
}  # fmt: skip

# --- what a file is made of


def _cut(at: Planter, path: str) -> bytes:
    """Return a file up to the midst of a line that is not whole without its rest."""
    text = at.tree.text(path)
    return text[: at.one_of([match.start() + 6 for match in re.finditer(rb"\{fileID: ", text)])]


_REWRITTEN: Final[dict[str, tuple[str, Callable[[Planter, str], bytes]]]] = {
    "truncated": ("broken-asset", _cut),
    "garbage": ("broken-asset", lambda at, _: at.chooser.randbytes(2000)),
    "zeros": ("empty-asset", lambda at, path: bytes(len(at.tree.text(path)))),  # as a crash of the system leaves them
    "header-gone": ("broken-asset", lambda at, path: b"".join(at.tree.lines(path)[2:])),
    "file-empty": ("empty-asset", lambda _at, _path: b""),
    "pointer-in-asset": ("lfs-pointer", lambda _at, _path: LFS_POINTER),
}
for _name, (_code, _text) in _REWRITTEN.items():
    FAULTS[_name] = rewriting(Planter.text_asset, _code, _text)


@fault
def flow_unclosed(at: Planter) -> Planted:
    """Take the closing brace of a reference away."""
    item = at.reference(lambda item: is_plain(item) and item.path in at.tree.guid_of)
    return at.changed(item.path, edited(at.tree, item, b"}", b"")[item.path], "broken-asset", item.line)


@fault
def conflict_in_asset(at: Planter) -> Planted:
    """Leave a merge unresolved in an asset."""
    return at.in_conflict(at.text_asset(), 4)


@fault
def conflict_in_meta(at: Planter) -> Planted:
    """Leave a merge unresolved in a meta: both sides drew a GUID."""
    path = at.used()
    lines = at.tree.lines(path + ".meta")
    lines[1:2] = [CONFLICT[0], lines[1], CONFLICT[1], f"guid: {at.guid()}\n".encode(), CONFLICT[2]]
    words = frozenset((path, at.tree.guid_of[path]))
    return Planted({path + ".meta": b"".join(lines)}, [Expected(("conflict-markers",), path + ".meta")], words)


@fault
def document_twice(at: Planter) -> Planted:
    """Add a document a second time, as a bad merge does."""
    path = at.text_asset()
    document = at.one_of([document for document in at.tree.documents[path] if not document.stripped])
    lines = at.tree.lines(path)
    copy = lines[document.line - 1 : document.end - 1]
    if not lines[-1].endswith(b"\n"):
        raise NoPlaceError
    expected = Expected(("duplicate-object",), path, 0, document.file_id)
    return Planted({path: b"".join(lines + copy)}, [expected], frozenset((path, at.tree.guid_of[path])))


# --- objects of one file among each other


def _of_nothing(fits: Callable[[Reference], bool]) -> Fault:
    """Return a fault that points a local reference at no object."""

    def is_local(item: Reference) -> bool:
        return not item.guid and item.file_id != 0 and not item.document.stripped and fits(item)

    def plant(at: Planter) -> Planted:
        item = at.reference(is_local)
        edits = retargeted(at.tree, item, at.file_id())
        return Planted(edits, [blamed(item, _STRUCTURE)], frozenset((item.path,)))

    return plant


FAULTS["component-of-nothing"] = _of_nothing(lambda item: item.name == "component")
FAULTS["child-of-nothing"] = _of_nothing(lambda item: item.name == "m_Children")
FAULTS["father-of-nothing"] = _of_nothing(lambda item: item.name == "m_Father")
FAULTS["owner-of-nothing"] = _of_nothing(lambda item: item.name == "m_GameObject")
FAULTS["property-of-nothing"] = _of_nothing(lambda item: item.document.class_id == 114 and item.name not in _OF_UNITY)


@fault
def component_deleted(at: Planter) -> Planted:
    """Delete the document of a component and leave its row in the object."""
    tree = at.tree
    rows = tree.pool(
        "components",
        lambda: (
            item
            for path in tree.yaml
            for item in tree.references(path)
            if item.name == "component" and item.document.class_id == 1 and not item.guid
        ),
    )
    for item in at.chooser.sample(rows, min(50, len(rows))):
        document = next((held for held in tree.documents[item.path] if held.file_id == item.file_id), None)
        if document is not None and not document.stripped and document.class_id not in {4, 224}:
            line = item.line - (document.end - document.line if document.line < item.line else 0)
            expected = blamed(item._replace(line=line), _STRUCTURE)
            return Planted({item.path: without(tree, item.path, document)}, [expected], at.words(item.path))
    raise NoPlaceError


def _transforms(at: Planter) -> tuple[str, dict[int, dict[str, list[Reference]]]]:
    """Choose a file; return its transforms' parents and children by fileID."""
    tree = at.tree
    candidates = [path for path in tree.yaml if path.endswith((".prefab", ".unity")) and len(tree.documents[path]) > 12]
    for path in at.shuffled(candidates):
        found: dict[int, dict[str, list[Reference]]] = {}
        for item in tree.references(path):
            if item.document.class_id in {4, 224} and item.name in {"m_Father", "m_Children"} and not item.guid:
                found.setdefault(item.document.file_id, {}).setdefault(item.name, []).append(item)
        if sum(1 for parts in found.values() if "m_Children" in parts) >= 2:
            return path, found
    raise NoPlaceError


def _disagreeing(at: Planter, item: Reference, file_id: int) -> Planted:
    """Let a reference to a parent or an owner mean another."""
    edits = retargeted(at.tree, item, file_id)
    return Planted(edits, [Expected(("broken-hierarchy",), item.path)], frozenset((item.path,)))


@fault
def father_disagrees(at: Planter) -> Planted:
    """Hang a child on another parent than the one that lists it."""
    _, found = _transforms(at)
    parents = [file_id for file_id, parts in found.items() if "m_Children" in parts]
    item = at.one_of([parts["m_Father"][0] for parts in found.values() if parts.get("m_Father")])
    others = [parent for parent in parents if parent not in {item.file_id, item.document.file_id}]
    return _disagreeing(at, item, at.one_of(others if item.file_id else []))


@fault
def hierarchy_in_a_circle(at: Planter) -> Planted:
    """Hang a parent on its own child, on both sides."""
    _, found = _transforms(at)
    for _file_id, parts in at.chooser.sample(sorted(found.items()), len(found)):
        fathers = parts.get("m_Father")
        child = next((row.file_id for row in parts.get("m_Children", ()) if row.file_id in found), None)
        if fathers and fathers[0].file_id and child is not None:
            return _disagreeing(at, fathers[0], child)
    raise NoPlaceError


@fault
def component_of_two(at: Planter) -> Planted:
    """Let a component belong to another object than the one that lists it."""
    tree = at.tree
    rows = tree.pool(
        "rows", lambda: (item for path in tree.yaml for item in tree.references(path) if item.name == "component")
    )
    for row in at.chooser.sample(rows, min(50, len(rows))):
        back = next(
            (
                item
                for item in tree.references(row.path)
                if item.document.file_id == row.file_id and item.name == "m_GameObject" and not item.document.stripped
            ),
            None,
        )
        others = [
            document.file_id
            for document in tree.documents[row.path]
            if document.class_id == 1 and not document.stripped and document.file_id != row.document.file_id
        ]
        if back is not None and others:
            return _disagreeing(at, back, at.chooser.choice(others))
    raise NoPlaceError


@fault
def prefab_nests_itself(at: Planter) -> Planted:
    """Let an instance in a prefab be of that prefab."""
    tree = at.tree
    item = at.reference(
        lambda item: item.name == "m_SourcePrefab" and item.path.endswith(".prefab") and item.path in tree.guid_of
    )
    edits = edited(tree, item, item.guid.encode(), tree.guid_of[item.path].encode())
    return Planted(edits, [Expected(("recursive-prefab",), item.path)], at.words(item.path))


@fault
def prefabs_nest_each_other(at: Planter) -> Planted:
    """Let a prefab nest another that nests it."""
    tree = at.tree
    pairs = [
        item
        for path in tree.yaml
        for item in tree.references(path)
        if item.name == "m_SourcePrefab"
        and path.endswith(".prefab")
        and path in tree.guid_of
        and tree.guids.get(item.guid, "").endswith(".prefab")
    ]
    for outer in at.shuffled(pairs):
        inner = tree.guids[outer.guid]
        back = next((item for item in tree.references(inner) if item.name == "m_SourcePrefab"), None)
        if back is not None and back.guid != tree.guid_of[outer.path]:
            edits = edited(tree, back, back.guid.encode(), tree.guid_of[outer.path].encode())
            words = at.words(outer.path) | at.words(inner, outer.guid)
            return Planted(edits, [Expected(("recursive-prefab",), "")], words)
    raise NoPlaceError


# --- metas


def _with_meta(at: Planter, path: str, text: bytes, expected: Expected) -> Planted:
    """Give an asset another meta."""
    return Planted({path + ".meta": text}, [expected], at.words(path))


@fault
def folder_meta_on_a_file(at: Planter) -> Planted:
    """Give a file the meta of a folder."""
    path = at.used()
    text = meta(at.tree.guid_of[path], "folderAsset: yes\nDefaultImporter")
    return _with_meta(at, path, text, Expected(("meta-kind",), path))


@fault
def file_meta_on_a_folder(at: Planter) -> Planted:
    """Give a folder the meta of a file."""
    tree = at.tree
    path = at.one_of([path for path in tree.guid_of if (tree.root / path).is_dir() and path.startswith("Assets/")])
    text = meta(tree.guid_of[path], "TextScriptImporter")
    return Planted({path + ".meta": text}, [Expected(("meta-kind",), path)], frozenset((path,)))


@fault
def main_object_of_nothing(at: Planter) -> Planted:
    """Name a main object that the file lacks."""
    tree = at.tree
    path = at.one_of(
        [path for path in tree.yaml if path in tree.guid_of and b"mainObjectFileID: " in tree.text(path + ".meta")]
    )
    text = re.sub(rb"mainObjectFileID: -?\d+", b"mainObjectFileID: 7711223344556677", tree.text(path + ".meta"))
    return _with_meta(at, path, text, Expected(("main-object",), path))


@fault
def byte_order_mark(at: Planter) -> Planted:
    """Put a byte-order mark before a meta, which Unity reads all the same: nothing may be found."""
    path = at.used()
    return Planted({path + ".meta": b"\xef\xbb\xbf" + at.tree.text(path + ".meta")}, [])


def _with_guid(line: bytes) -> Fault:
    """Return a fault that replaces the line of a meta's GUID."""

    def plant(at: Planter) -> Planted:
        path = at.used()
        text = re.sub(rb"^guid: .*\n", line, at.tree.text(path + ".meta"), flags=re.MULTILINE)
        return _with_meta(at, path, text, Expected(("no-guid",), path + ".meta"))

    return plant


FAULTS["guid-line-gone"] = _with_guid(b"")
FAULTS["guid-too-short"] = _with_guid(b"guid: 1234\n")


@fault
def guid_made_up(at: Planter) -> Planted:
    """Add an asset with a GUID typed by hand."""
    path = f"Assets/planted_{at.chooser.randrange(1 << 30)}.txt"
    guid = at.chooser.choice("123456789abcdef") * 32
    edits = {path: b"text\n", path + ".meta": meta(guid, "TextScriptImporter")}
    return Planted(edits, [Expected(("placeholder-guid",), "")], frozenset((path, guid)))
