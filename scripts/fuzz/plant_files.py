"""Faults of single files: damaged YAML, objects that disagree, metas."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from scripts.fuzz.plant_faults import (
    CONFLICT,
    LFS_POINTER,
    Expected,
    Planted,
    any_reference,
    draw,
    edited,
    fault,
    is_plain,
    used,
    without,
)

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from scripts.fuzz.plant_tree import Reference, Tree

# --- what a file is made of


def _file(tree: Tree, chooser: random.Random, *extensions: str, least: int = 2) -> str | None:
    candidates = [
        path
        for path in tree.yaml
        if path in tree.guid_of and path.endswith(extensions) and len(tree.documents[path]) >= least
    ]
    return chooser.choice(candidates) if candidates else None


def _changed_file(
    tree: Tree, path: str | None, text: bytes | None, codes: Sequence[str], line: int = 0
) -> Planted | None:
    if path is None:
        return None
    words = [path]
    if path in tree.guid_of:
        words += [tree.guid_of[path], *(item.path for item in tree.users.get(tree.guid_of[path], ()))]
    return Planted({path: text}, [Expected(codes, path, line)], frozenset(words))


_TEXTS: Final = (".prefab", ".unity", ".mat", ".asset", ".anim", ".controller")


@fault
def truncated(tree: Tree, chooser: random.Random) -> Planted | None:
    """Cut a file in the midst of a line that is not whole without its rest."""
    path = _file(tree, chooser, *_TEXTS)
    if path is None:
        return None
    text = tree.text(path)
    places = [match.start() + 6 for match in re.finditer(rb"\{fileID: ", text)]
    return _changed_file(tree, path, text[: chooser.choice(places)], ("broken-asset",)) if places else None


@fault
def garbage(tree: Tree, chooser: random.Random) -> Planted | None:
    """Put random bytes in the place of a file."""
    path = _file(tree, chooser, *_TEXTS)
    return _changed_file(tree, path, chooser.randbytes(2000), ("broken-asset",))


@fault
def zeros(tree: Tree, chooser: random.Random) -> Planted | None:
    """Put zeros in the place of a file, as a crash of the system does."""
    path = _file(tree, chooser, *_TEXTS)
    return _changed_file(tree, path, bytes(len(tree.text(path))) if path else b"", ("empty-asset",))


@fault
def header_gone(tree: Tree, chooser: random.Random) -> Planted | None:
    """Take the first two lines away."""
    path = _file(tree, chooser, *_TEXTS)
    return _changed_file(tree, path, b"".join(tree.lines(path)[2:]) if path else b"", ("broken-asset",))


@fault
def flow_unclosed(tree: Tree, chooser: random.Random) -> Planted | None:
    """Take the closing brace of a reference away."""
    item = any_reference(tree, chooser, lambda item: is_plain(item) and item.path in tree.guid_of)
    if item is None:
        return None
    edits = edited(tree, item, b"}", b"")
    return _changed_file(tree, item.path, edits[item.path], ("broken-asset",), item.line)


@fault
def file_empty(tree: Tree, chooser: random.Random) -> Planted | None:
    """Empty a file."""
    return _changed_file(tree, _file(tree, chooser, *_TEXTS), b"", ("empty-asset",))


@fault
def conflict_in_asset(tree: Tree, chooser: random.Random) -> Planted | None:
    """Leave a merge unresolved in an asset."""
    path = _file(tree, chooser, *_TEXTS)
    if path is None:
        return None
    lines = tree.lines(path)
    place = chooser.randrange(4, len(lines))
    lines[place:place] = [CONFLICT[0], lines[place - 1], CONFLICT[1], lines[place - 1], CONFLICT[2]]
    return _changed_file(tree, path, b"".join(lines), ("conflict-markers",), place + 1)


@fault
def conflict_in_meta(tree: Tree, chooser: random.Random) -> Planted | None:
    """Leave a merge unresolved in a meta: both sides drew a GUID."""
    path = used(tree, chooser)
    if path is None:
        return None
    lines = tree.lines(path + ".meta")
    lines[1:2] = [CONFLICT[0], lines[1], CONFLICT[1], f"guid: {draw(chooser)}\n".encode(), CONFLICT[2]]
    words = frozenset((path, tree.guid_of[path]))
    return Planted({path + ".meta": b"".join(lines)}, [Expected(("conflict-markers",), path + ".meta")], words)


@fault
def document_twice(tree: Tree, chooser: random.Random) -> Planted | None:
    """Add a document a second time, as a bad merge does."""
    path = _file(tree, chooser, *_TEXTS)
    if path is None:
        return None
    document = chooser.choice([document for document in tree.documents[path] if not document.stripped] or [None])
    if document is None:
        return None
    lines = tree.lines(path)
    copy = lines[document.line - 1 : document.end - 1]
    if not lines[-1].endswith(b"\n"):
        return None
    expected = Expected(("duplicate-object",), path, 0, document.file_id)
    return Planted({path: b"".join(lines + copy)}, [expected], frozenset((path, tree.guid_of[path])))


# --- objects of one file among each other


def _local(tree: Tree, chooser: random.Random, names: Sequence[str], file_id: int | None = None) -> Planted | None:
    """Point a local reference at an object that is not there."""
    item = any_reference(
        tree,
        chooser,
        lambda item: not item.guid and item.file_id != 0 and item.name in names and not item.document.stripped,
    )
    if item is None:
        return None
    wrong = chooser.randrange(1 << 40, 1 << 62) if file_id is None else file_id
    edits = edited(tree, item, b"{fileID: %d" % item.file_id, b"{fileID: %d" % wrong)
    expected = Expected(_STRUCTURE, item.path, item.line, item.document.file_id, item.name)
    return Planted(edits, [expected], frozenset((item.path,)))


_STRUCTURE: Final = ("missing-object", "dangling", "broken-hierarchy")


@fault
def component_of_nothing(tree: Tree, chooser: random.Random) -> Planted | None:
    """List a component that the file lacks."""
    return _local(tree, chooser, ["component"])


@fault
def child_of_nothing(tree: Tree, chooser: random.Random) -> Planted | None:
    """List a child that the file lacks."""
    return _local(tree, chooser, ["m_Children"])


@fault
def father_of_nothing(tree: Tree, chooser: random.Random) -> Planted | None:
    """Hang an object on a parent that the file lacks."""
    return _local(tree, chooser, ["m_Father"])


@fault
def owner_of_nothing(tree: Tree, chooser: random.Random) -> Planted | None:
    """Let a component belong to an object that the file lacks."""
    return _local(tree, chooser, ["m_GameObject"])


@fault
def property_of_nothing(tree: Tree, chooser: random.Random) -> Planted | None:
    """Let a field of a script point at an object that the file lacks."""
    own = {
        "component", "m_Children", "m_Father", "m_GameObject", "m_PrefabInstance", "m_PrefabAsset", "m_PrefabParentObject",
        "m_CorrespondingSourceObject", "m_PrefabInternal", "m_TransformParent", "m_RootGameObject", "m_Script", "target",
    }  # fmt: skip
    item = any_reference(
        tree,
        chooser,
        lambda item: (
            item.document.class_id == 114 and not item.guid and item.file_id != 0
            and item.name not in own and not item.document.stripped
        ),
    )  # fmt: skip
    if item is None:
        return None
    wrong = chooser.randrange(1 << 40, 1 << 62)
    edits = edited(tree, item, b"{fileID: %d" % item.file_id, b"{fileID: %d" % wrong)
    expected = Expected(_STRUCTURE, item.path, item.line, item.document.file_id, item.name)
    return Planted(edits, [expected], frozenset((item.path,)))


@fault
def component_deleted(tree: Tree, chooser: random.Random) -> Planted | None:
    """Delete the document of a component and leave its row in the object."""
    rows = tree.pool(
        "components",
        lambda: (
            item
            for path in tree.yaml
            for item in tree.references(path)
            if item.name == "component" and item.document.class_id == 1 and not item.guid
        ),
    )
    for item in chooser.sample(rows, min(50, len(rows))):
        document = next((held for held in tree.documents[item.path] if held.file_id == item.file_id), None)
        if document is not None and not document.stripped and document.class_id not in {4, 224}:
            line = item.line - (document.end - document.line if document.line < item.line else 0)
            expected = Expected(_STRUCTURE, item.path, line, item.document.file_id, "component")
            words = {item.path}
            if (guid := tree.guid_of.get(item.path)) is not None:
                words.update((guid, *(user.path for user in tree.users.get(guid, ()))))
            return Planted({item.path: without(tree, item.path, document)}, [expected], frozenset(words))
    return None


def _transforms(tree: Tree, path: str) -> dict[int, dict[str, list[Reference]]]:
    """Return parent and children of each transform of a file, by its fileID."""
    found: dict[int, dict[str, list[Reference]]] = {}
    for item in tree.references(path):
        if item.document.class_id in {4, 224} and item.name in {"m_Father", "m_Children"} and not item.guid:
            found.setdefault(item.document.file_id, {}).setdefault(item.name, []).append(item)
    return found


def _trees(tree: Tree, chooser: random.Random) -> tuple[str, dict[int, dict[str, list[Reference]]]] | None:
    candidates = [path for path in tree.yaml if path.endswith((".prefab", ".unity")) and len(tree.documents[path]) > 12]
    chooser.shuffle(candidates)
    for path in candidates:
        found = _transforms(tree, path)
        if sum(1 for parts in found.values() if "m_Children" in parts) >= 2:
            return path, found
    return None


@fault
def father_disagrees(tree: Tree, chooser: random.Random) -> Planted | None:
    """Hang a child on another parent than the one that lists it."""
    place = _trees(tree, chooser)
    if place is None:
        return None
    path, found = place
    parents = [file_id for file_id, parts in found.items() if "m_Children" in parts]
    item = chooser.choice([parts["m_Father"][0] for parts in found.values() if parts.get("m_Father")])
    below = {item.document.file_id}
    others = [parent for parent in parents if parent not in {item.file_id, *below}]
    if item.file_id == 0 or not others:
        return None
    edits = edited(tree, item, b"{fileID: %d" % item.file_id, b"{fileID: %d" % chooser.choice(others))
    return Planted(edits, [Expected(("broken-hierarchy",), path)], frozenset((path,)))


@fault
def hierarchy_in_a_circle(tree: Tree, chooser: random.Random) -> Planted | None:
    """Hang a parent on its own child, on both sides."""
    place = _trees(tree, chooser)
    if place is None:
        return None
    path, found = place
    for _file_id, parts in chooser.sample(sorted(found.items()), len(found)):
        fathers = parts.get("m_Father")
        child = next((row.file_id for row in parts.get("m_Children", ()) if row.file_id in found), None)
        if not fathers or fathers[0].file_id == 0 or child is None:
            continue
        edits = edited(tree, fathers[0], b"{fileID: %d" % fathers[0].file_id, b"{fileID: %d" % child)
        return Planted(edits, [Expected(("broken-hierarchy",), path)], frozenset((path,)))
    return None


@fault
def component_of_two(tree: Tree, chooser: random.Random) -> Planted | None:
    """Let a component say that it belongs to another object than the one that lists it."""
    rows = tree.pool(
        "rows", lambda: (item for path in tree.yaml for item in tree.references(path) if item.name == "component")
    )
    for row in chooser.sample(rows, min(50, len(rows))):
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
            edits = edited(tree, back, b"{fileID: %d" % back.file_id, b"{fileID: %d" % chooser.choice(others))
            return Planted(edits, [Expected(("broken-hierarchy",), row.path)], frozenset((row.path,)))
    return None


@fault
def prefab_nests_itself(tree: Tree, chooser: random.Random) -> Planted | None:
    """Let an instance in a prefab be of that prefab."""
    item = any_reference(
        tree,
        chooser,
        lambda item: item.name == "m_SourcePrefab" and item.path.endswith(".prefab") and item.path in tree.guid_of,
    )
    if item is None:
        return None
    own = tree.guid_of[item.path]
    edits = edited(tree, item, item.guid.encode(), own.encode())
    words = frozenset((item.path, own, *(user.path for user in tree.users.get(own, ()))))
    return Planted(edits, [Expected(("recursive-prefab",), item.path)], words)


@fault
def prefabs_nest_each_other(tree: Tree, chooser: random.Random) -> Planted | None:
    """Let a prefab nest another that nests it."""
    pairs = [
        item
        for path in tree.yaml
        for item in tree.references(path)
        if item.name == "m_SourcePrefab"
        and path.endswith(".prefab")
        and path in tree.guid_of
        and tree.guids.get(item.guid, "").endswith(".prefab")
    ]
    chooser.shuffle(pairs)
    for outer in pairs:
        inner = tree.guids[outer.guid]
        back = next((item for item in tree.references(inner) if item.name == "m_SourcePrefab"), None)
        if back is not None and back.guid != tree.guid_of[outer.path]:
            edits = edited(tree, back, back.guid.encode(), tree.guid_of[outer.path].encode())
            words = {outer.path, inner, outer.guid, tree.guid_of[outer.path]}
            for guid in (outer.guid, tree.guid_of[outer.path]):
                words.update(user.path for user in tree.users.get(guid, ()))
            return Planted(edits, [Expected(("recursive-prefab",), "")], frozenset(words))
    return None


# --- metas


@fault
def folder_meta_on_a_file(tree: Tree, chooser: random.Random) -> Planted | None:
    """Give a file the meta of a folder."""
    path = used(tree, chooser)
    if path is None:
        return None
    text = f"fileFormatVersion: 2\nguid: {tree.guid_of[path]}\nfolderAsset: yes\nDefaultImporter:\n  externalObjects: {{}}\n"
    words = frozenset((path, tree.guid_of[path], *(item.path for item in tree.users[tree.guid_of[path]])))
    return Planted({path + ".meta": text.encode()}, [Expected(("meta-kind",), path)], words)


@fault
def file_meta_on_a_folder(tree: Tree, chooser: random.Random) -> Planted | None:
    """Give a folder the meta of a file."""
    folders = [path for path in tree.guid_of if (tree.root / path).is_dir() and path.startswith("Assets/")]
    if not folders:
        return None
    path = chooser.choice(folders)
    text = f"fileFormatVersion: 2\nguid: {tree.guid_of[path]}\nTextScriptImporter:\n  externalObjects: {{}}\n"
    return Planted({path + ".meta": text.encode()}, [Expected(("meta-kind",), path)], frozenset((path,)))


@fault
def main_object_of_nothing(tree: Tree, chooser: random.Random) -> Planted | None:
    """Name a main object that the file lacks."""
    candidates = [
        path for path in tree.yaml if path in tree.guid_of and b"mainObjectFileID: " in tree.text(path + ".meta")
    ]
    if not candidates:
        return None
    path = chooser.choice(candidates)
    text = re.sub(rb"mainObjectFileID: -?\d+", b"mainObjectFileID: 7711223344556677", tree.text(path + ".meta"))
    words = frozenset((path, tree.guid_of[path], *(item.path for item in tree.users.get(tree.guid_of[path], ()))))
    return Planted({path + ".meta": text}, [Expected(("main-object",), path)], words)


@fault
def byte_order_mark(tree: Tree, chooser: random.Random) -> Planted | None:
    """Put a byte-order mark before a meta, which Unity reads all the same: nothing may be found."""
    path = used(tree, chooser)
    return None if path is None else Planted({path + ".meta": b"\xef\xbb\xbf" + tree.text(path + ".meta")}, [])


@fault
def guid_line_gone(tree: Tree, chooser: random.Random) -> Planted | None:
    """Take the GUID out of a meta."""
    path = used(tree, chooser)
    if path is None:
        return None
    text = _META_LINE.sub(b"", tree.text(path + ".meta"))
    words = frozenset((path, tree.guid_of[path], *(item.path for item in tree.users[tree.guid_of[path]])))
    return Planted({path + ".meta": text}, [Expected(("no-guid",), path + ".meta")], words)


_META_LINE: Final = re.compile(rb"^guid: .*\n", re.MULTILINE)


@fault
def guid_too_short(tree: Tree, chooser: random.Random) -> Planted | None:
    """Cut the GUID of a meta."""
    path = used(tree, chooser)
    if path is None:
        return None
    text = _META_LINE.sub(b"guid: 1234\n", tree.text(path + ".meta"))
    words = frozenset((path, tree.guid_of[path], *(item.path for item in tree.users[tree.guid_of[path]])))
    return Planted({path + ".meta": text}, [Expected(("no-guid",), path + ".meta")], words)


@fault
def guid_made_up(_tree: Tree, chooser: random.Random) -> Planted | None:
    """Add an asset with a GUID typed by hand."""
    path = f"Assets/planted_{chooser.randrange(1 << 30)}.txt"
    digit = chooser.choice("123456789abcdef")
    meta = f"fileFormatVersion: 2\nguid: {digit * 32}\nTextScriptImporter:\n  externalObjects: {{}}\n"
    edits = {path: b"text\n", path + ".meta": meta.encode()}
    return Planted(edits, [Expected(("placeholder-guid",), "")], frozenset((path, digit * 32)))


@fault
def pointer_in_asset(tree: Tree, chooser: random.Random) -> Planted | None:
    """Leave an LFS pointer where a document should be."""
    return _changed_file(tree, _file(tree, chooser, *_TEXTS), LFS_POINTER, ("lfs-pointer",))
