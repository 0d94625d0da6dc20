"""Faults of references: lost assets, unknown GUIDs and objects, wrong kinds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scripts.fuzz.plant_faults import (
    FAULTS,
    SCRIPT_FILE_ID,
    Expected,
    Fault,
    NoPlaceError,
    Planted,
    Planter,
    beside,
    blamed,
    fault,
    is_plain,
    lost,
    plain_users,
    retargeted,
    without,
)
from scripts.fuzz.plant_tree import Reference

# --- assets that are gone

_EXTENSIONS: Final = {
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


def _deleted(extensions: Sequence[str], suffixes: Sequence[str]) -> Fault:
    """Return a fault that deletes a used asset, its meta, or both."""

    def plant(at: Planter) -> Planted:
        candidates = [path for path in at.tree.of_kind(*extensions) if path.startswith("Assets/")]
        for path in at.shuffled(candidates):
            users = plain_users(at.tree, path)
            if users:
                edits = dict.fromkeys(path + suffix for suffix in suffixes)
                return Planted(edits, lost(at.spread(users)), at.words(path), needs_history=True)
        raise NoPlaceError

    return plant


for _name, _extensions in _EXTENSIONS.items():
    FAULTS[f"{_name}-deleted"] = _deleted(_extensions, ("", ".meta"))
    if _name in {"script", "material", "prefab", "texture"}:
        FAULTS[f"{_name}-deleted-but-meta"] = _deleted(_extensions, ("",))


@fault
def meta_deleted(at: Planter) -> Planted:
    """Delete the meta of an asset that is used."""
    path = at.used()
    words = frozenset((path, at.tree.guid_of[path]))
    return Planted({path + ".meta": None}, [Expected(("missing-meta",), path)], words)


@fault
def guid_exchanged(at: Planter) -> Planted:
    """Give a used asset a new GUID, as Unity does where a meta was lost."""
    path = at.used()
    text = at.tree.text(path + ".meta").replace(at.tree.guid_of[path].encode(), at.guid().encode())
    users = at.spread(plain_users(at.tree, path))
    return Planted({path + ".meta": text}, lost(users), at.words(path), needs_history=True)


@fault
def guid_twice(at: Planter) -> Planted:
    """Copy an asset with its meta, as a file manager does."""
    path = at.used()
    copy = beside(path, " copy")
    text, meta = at.tree.text(path), at.tree.text(path + ".meta")
    edits = {path: text, copy: text, copy + ".meta": meta}  # the first stays: no other fault may take it away
    expected = Expected(("duplicate-guid",), "", message=at.tree.guid_of[path])
    return Planted(edits, [expected], at.words(path, copy))


@fault
def meta_alone(at: Planter) -> Planted:
    """Delete an asset that nothing uses, and leave its meta."""
    tree = at.tree
    candidates = tree.of_kind(".png", ".txt", ".mat", ".md")
    path = at.one_of([path for path in candidates if not tree.users.get(tree.guid_of[path])])
    return Planted({path: None}, [Expected(("orphan-meta",), path + ".meta")], frozenset((path,)))


@fault
def meta_of_other_case(at: Planter) -> Planted:
    """Name a meta in another case than its asset."""
    path = at.used()
    folder, _, name = path.rpartition("/")
    other = f"{folder}/{name.swapcase()}.meta"
    edits = {path + ".meta": None, other: at.tree.text(path + ".meta")}
    return Planted(edits, [Expected(("case-mismatch",), path)], frozenset((path, other, at.tree.guid_of[path])))


# --- references that lead nowhere


def _guid_changed(at: Planter, item: Reference, guid: str) -> Planted:
    edits = retargeted(at.tree, item, item.file_id, guid)
    return Planted(edits, lost([item]), frozenset((item.path, guid)), is_new=True)


@fault
def guid_mistyped(at: Planter) -> Planted:
    """Change one digit of a GUID that is referred to."""
    item = at.reference(lambda item: is_plain(item) and item.guid in at.tree.guids)
    place = at.chooser.randrange(32)
    digit = at.chooser.choice([digit for digit in "0123456789abcdef" if digit != item.guid[place]])
    return _guid_changed(at, item, item.guid[:place] + digit + item.guid[place + 1 :])


@fault
def script_invented(at: Planter) -> Planted:
    """Refer to a script by a GUID that nobody ever had."""
    item = at.reference(lambda item: item.name == "m_Script" and item.guid in at.tree.guids)
    return _guid_changed(at, item, at.guid())


@fault
def file_id_mistyped(at: Planter) -> Planted:
    """Refer to an object that a prefab or a document does not have."""
    tree = at.tree

    def fits(item: Reference) -> bool:
        target = tree.guids.get(item.guid, "")
        kinds = (".prefab", ".mat", ".controller", ".asset")
        return is_plain(item) and target in tree.documents and target.endswith(kinds)

    item = at.reference(fits)
    edits = retargeted(tree, item, at.file_id(), item.guid)
    return Planted(edits, lost([item], ("dangling",)), frozenset((item.path,)))


@fault
def object_deleted(at: Planter) -> Planted:
    """Delete a document that another file refers to."""
    tree = at.tree

    def fits(item: Reference) -> bool:
        target = tree.guids.get(item.guid, "")
        held = [document for document in tree.documents.get(target, ()) if document.file_id == item.file_id]
        is_one_of_several = len(tree.documents.get(target, ())) > 1
        return is_plain(item) and item.path != target and is_one_of_several and bool(held) and not held[0].stripped

    item = at.reference(fits)
    path = tree.guids[item.guid]
    document = next(document for document in tree.documents[path] if document.file_id == item.file_id)
    edits = {path: without(tree, path, document)}
    return Planted(edits, lost([item], ("dangling", "missing-object")), at.words(path))


@fault
def override_of_nothing(at: Planter) -> Planted:
    """Override an object that the prefab of an instance does not have."""
    tree = at.tree
    item = at.reference(
        lambda item: (
            item.name == "target"
            and item.document.class_id == 1001
            and tree.guids.get(item.guid, "").endswith(".prefab")
        )
    )
    edits = retargeted(tree, item, at.file_id(), item.guid)
    expected = [Expected(("stale-override",), item.path, item.line)]
    return Planted(edits, expected, frozenset((item.path,)), is_new=tree.nests_unknown(item.guid))


# --- targets of the wrong kind


def _wrong_kind(names: Sequence[str], extensions: Sequence[str], file_id: int) -> Fault:
    """Return a fault that lets a property mean another kind, or a folder."""

    def plant(at: Planter) -> Planted:
        tree = at.tree
        item = at.reference(lambda item: item.name in names and item.guid in tree.guids)
        targets = tree.of_kind(*extensions) if extensions else [p for p in tree.guid_of if (tree.root / p).is_dir()]
        path = at.one_of([path for path in targets if path.startswith("Assets/")])
        edits = retargeted(tree, item, file_id, tree.guid_of[path])
        return Planted(edits, [blamed(item, ("wrong-type", "missing-script"))], frozenset((item.path,)))

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
FAULTS["script-is-a-folder"] = _wrong_kind(["m_Script"], [], SCRIPT_FILE_ID)
