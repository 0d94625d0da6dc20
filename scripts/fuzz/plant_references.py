"""Faults of references: assets that are gone, GUIDs and objects that nothing has, wrong kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scripts.fuzz.plant_faults import (
    FAULTS,
    SCRIPT_FILE_ID,
    Expected,
    Fault,
    Planted,
    any_reference,
    beside,
    draw,
    edited,
    fault,
    is_plain,
    lost,
    plain_users,
    spread,
    used,
    without,
    written,
)

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from scripts.fuzz.plant_tree import Reference, Tree

# --- assets that are gone


def _delete(tree: Tree, chooser: random.Random, extensions: Sequence[str], *, meta: bool = True) -> Planted | None:
    candidates = [path for path in tree.of_kind(*extensions) if path.startswith("Assets/")]
    chooser.shuffle(candidates)
    for path in candidates:
        users = plain_users(tree, path)
        if users:
            edits: dict[str, bytes | None] = {path: None}
            if meta:
                edits[path + ".meta"] = None
            words = frozenset((path, tree.guid_of[path], *(item.path for item in tree.users[tree.guid_of[path]])))
            return Planted(edits, lost(spread(users, chooser)), words, needs_history=True)
    return None


def _register_deletions() -> None:
    kinds = {
        "script": (".cs",),
        "material": (".mat",),
        "texture": (".png", ".tga", ".psd", ".jpg", ".tif"),
        "prefab": (".prefab",),
        "model": (".fbx", ".FBX", ".obj"),
        "animation": (".anim",),
        "controller": (".controller", ".overrideController"),
        "shader": (".shader", ".shadergraph"),
        "document": (".asset",),
        "sound": (".wav", ".mp3", ".ogg"),
    }
    for name, extensions in kinds.items():

        def gone(tree: Tree, chooser: random.Random, extensions: Sequence[str] = extensions) -> Planted | None:
            return _delete(tree, chooser, extensions)

        def emptied(tree: Tree, chooser: random.Random, extensions: Sequence[str] = extensions) -> Planted | None:
            return _delete(tree, chooser, extensions, meta=False)

        FAULTS[f"{name}-deleted"] = gone
        if name in {"script", "material", "prefab", "texture"}:
            FAULTS[f"{name}-deleted-but-meta"] = emptied


_register_deletions()


@fault
def meta_deleted(tree: Tree, chooser: random.Random) -> Planted | None:
    """Delete the meta of an asset that is used."""
    path = used(tree, chooser)
    if path is None:
        return None
    expected = [Expected(("missing-meta",), path)]
    return Planted({path + ".meta": None}, expected, frozenset((path, tree.guid_of[path])))


@fault
def guid_exchanged(tree: Tree, chooser: random.Random) -> Planted | None:
    """Give a used asset a new GUID, as Unity does where a meta was lost."""
    path = used(tree, chooser)
    if path is None:
        return None
    old = tree.guid_of[path]
    text = tree.text(path + ".meta").replace(old.encode(), draw(chooser).encode())
    users = spread(plain_users(tree, path), chooser)
    words = frozenset((path, old, *(item.path for item in tree.users[old])))
    return Planted({path + ".meta": text}, lost(users), words, needs_history=True)


@fault
def guid_twice(tree: Tree, chooser: random.Random) -> Planted | None:
    """Copy an asset with its meta, as a file manager does."""
    path = used(tree, chooser)
    if path is None:
        return None
    copy = beside(path, " copy")
    text, meta = tree.text(path), tree.text(path + ".meta")
    edits = {path: text, copy: text, copy + ".meta": meta}  # the first stays: no other fault may take it away
    guid = tree.guid_of[path]
    words = frozenset((path, copy, guid, *(item.path for item in tree.users[guid])))
    return Planted(edits, [Expected(("duplicate-guid",), "", message=guid)], words)


@fault
def meta_alone(tree: Tree, chooser: random.Random) -> Planted | None:
    """Delete an asset that nothing uses, and leave its meta."""
    candidates = [
        path for path in tree.of_kind(".png", ".txt", ".mat", ".md") if not tree.users.get(tree.guid_of[path])
    ]
    if not candidates:
        return None
    path = chooser.choice(candidates)
    return Planted({path: None}, [Expected(("orphan-meta",), path + ".meta")], frozenset((path,)))


@fault
def meta_of_other_case(tree: Tree, chooser: random.Random) -> Planted | None:
    """Name a meta in another case than its asset."""
    path = used(tree, chooser)
    if path is None:
        return None
    folder, _, name = path.rpartition("/")
    other = f"{folder}/{name.swapcase()}.meta"
    edits = {path + ".meta": None, other: tree.text(path + ".meta")}
    return Planted(edits, [Expected(("case-mismatch",), path)], frozenset((path, other, tree.guid_of[path])))


# --- references that lead nowhere


def _guid_changed(tree: Tree, item: Reference | None, guid: str) -> Planted | None:
    if item is None:
        return None
    edits = edited(tree, item, written(item), b"{fileID: %d, guid: %s" % (item.file_id, guid.encode()))
    return Planted(edits, lost([item]), frozenset((item.path, guid)), is_new=True)


@fault
def guid_mistyped(tree: Tree, chooser: random.Random) -> Planted | None:
    """Change one digit of a GUID that is referred to."""
    item = any_reference(tree, chooser, lambda item: is_plain(item) and item.guid in tree.guids)
    if item is None:
        return None
    place = chooser.randrange(32)
    digit = chooser.choice([digit for digit in "0123456789abcdef" if digit != item.guid[place]])
    return _guid_changed(tree, item, item.guid[:place] + digit + item.guid[place + 1 :])


@fault
def script_invented(tree: Tree, chooser: random.Random) -> Planted | None:
    """Refer to a script by a GUID that nobody ever had."""
    item = any_reference(tree, chooser, lambda item: item.name == "m_Script" and item.guid in tree.guids)
    return _guid_changed(tree, item, draw(chooser))


@fault
def file_id_mistyped(tree: Tree, chooser: random.Random) -> Planted | None:
    """Refer to an object that a prefab or a document does not have."""

    def fits(item: Reference) -> bool:
        target = tree.guids.get(item.guid, "")
        return (
            is_plain(item)
            and target in tree.documents
            and target.endswith((".prefab", ".mat", ".controller", ".asset"))
        )

    item = any_reference(tree, chooser, fits)
    if item is None:
        return None
    wrong = chooser.randrange(1 << 40, 1 << 62)
    edits = edited(tree, item, written(item), b"{fileID: %d, guid: %s" % (wrong, item.guid.encode()))
    return Planted(edits, lost([item], ("dangling",)), frozenset((item.path,)))


@fault
def object_deleted(tree: Tree, chooser: random.Random) -> Planted | None:
    """Delete a document that another file refers to."""

    def fits(item: Reference) -> bool:
        target = tree.guids.get(item.guid, "")
        held = [document for document in tree.documents.get(target, ()) if document.file_id == item.file_id]
        is_one_of_several = len(tree.documents.get(target, ())) > 1
        return is_plain(item) and item.path != target and is_one_of_several and bool(held) and not held[0].stripped

    item = any_reference(tree, chooser, fits)
    if item is None:
        return None
    path = tree.guids[item.guid]
    document = next(document for document in tree.documents[path] if document.file_id == item.file_id)
    edits = {path: without(tree, path, document)}
    words = frozenset((path, item.guid, *(user.path for user in tree.users[item.guid])))
    return Planted(edits, lost([item], ("dangling", "missing-object")), words)


@fault
def override_of_nothing(tree: Tree, chooser: random.Random) -> Planted | None:
    """Override an object that the prefab of an instance does not have."""

    def fits(item: Reference) -> bool:
        return (
            item.name == "target"
            and item.document.class_id == 1001
            and tree.guids.get(item.guid, "").endswith(".prefab")
        )

    item = any_reference(tree, chooser, fits)
    if item is None:
        return None
    wrong = chooser.randrange(1 << 40, 1 << 62)
    edits = edited(tree, item, written(item), b"{fileID: %d, guid: %s" % (wrong, item.guid.encode()))
    expected = [Expected(("stale-override",), item.path, item.line)]
    return Planted(edits, expected, frozenset((item.path,)), is_new=tree.nests_unknown(item.guid))


# --- targets of the wrong kind


def _wrong_kind(names: Sequence[str], extensions: Sequence[str], file_id: int) -> Fault:
    def plant(tree: Tree, chooser: random.Random) -> Planted | None:
        item = any_reference(tree, chooser, lambda item: item.name in names and item.guid in tree.guids)
        targets = [path for path in tree.of_kind(*extensions) if path.startswith("Assets/")]
        if item is None or not targets:
            return None
        path = chooser.choice(targets)
        new = b"{fileID: %d, guid: %s" % (file_id, tree.guid_of[path].encode())
        expected = Expected(("wrong-type", "missing-script"), item.path, item.line, item.document.file_id, item.name)
        return Planted(edited(tree, item, written(item), new), [expected], frozenset((item.path,)))

    return plant


FAULTS["script-is-a-material"] = _wrong_kind(["m_Script"], [".mat"], 2100000)
FAULTS["script-is-a-prefab"] = _wrong_kind(["m_Script"], [".prefab"], 100100000)
FAULTS["mesh-is-a-material"] = _wrong_kind(["m_Mesh"], [".mat"], 2100000)
FAULTS["mesh-is-a-script"] = _wrong_kind(["m_Mesh"], [".cs"], SCRIPT_FILE_ID)
FAULTS["material-is-a-texture"] = _wrong_kind(["m_Materials", "m_Material"], [".png", ".tga", ".jpg"], 2800000)
FAULTS["material-is-a-script"] = _wrong_kind(["m_Materials", "m_Material"], [".cs"], SCRIPT_FILE_ID)
FAULTS["sprite-is-a-material"] = _wrong_kind(["m_Sprite"], [".mat"], 2100000)
FAULTS["controller-is-a-material"] = _wrong_kind(["m_Controller"], [".mat"], 2100000)
FAULTS["avatar-is-a-material"] = _wrong_kind(["m_Avatar"], [".mat"], 2100000)
FAULTS["prefab-is-a-material"] = _wrong_kind(["m_SourcePrefab"], [".mat"], 2100000)


@fault
def script_is_a_folder(tree: Tree, chooser: random.Random) -> Planted | None:
    """Let a component's script lead to a folder."""
    item = any_reference(tree, chooser, lambda item: item.name == "m_Script" and item.guid in tree.guids)
    folders = [path for path in tree.guid_of if (tree.root / path).is_dir() and path.startswith("Assets/")]
    if item is None or not folders:
        return None
    guid = tree.guid_of[chooser.choice(folders)]
    new = b"{fileID: %d, guid: %s" % (SCRIPT_FILE_ID, guid.encode())
    expected = Expected(("wrong-type", "missing-script"), item.path, item.line, item.document.file_id, "m_Script")
    return Planted(edited(tree, item, written(item), new), [expected], frozenset((item.path,)))
