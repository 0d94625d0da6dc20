"""Objects of an imported model by fileID.

Unity writes no list of a model's objects. The objects follow from the file and its meta
(``assetdb.unity.importers.model_scene``), and a fileID is, in this order:

- the fileID of the row with the object's class and name in the meta's table (``fileIDToRecycleName``,
  ``internalIDToNameTable``); the root's row is called ``//RootNode``. 100000 is the root only where the table says so:
  in HumanoidRunTurn.fbx it is Chest, and the root 100116. Rows of objects that the file has no more stay in tables.
- with ``fileIdsGeneration: 2``, ``int64(xxh64("Type:<Class>-><path><n>"))``, seed 0, where ``n`` counts objects of the
  same class and path: ``GameObject->//RootNode/root/<path>``, ``<Class>->//RootNode/root/<path>/<Class>`` for its
  components;
- without it the hash takes the node's name alone, ``//RootNode`` for the root: ``GameObject->Wheel0``,
  ``Transform->Wheel0`` (``Transform->//RootNode0`` = -4216859302048453862 is the root of models without a table);
- in all models: ``Mesh-><node name>``, ``Material-><name>``, ``AnimationClip-><take or clip name>``, and 9000000 for
  the avatar.

The hash has 64 bits, so a *guess* whose hash is an id is right. This names objects of models that cannot be read (a Git
LFS pointer, .blend): by the root, by names in the meta (clips, materials, bones of a humanoid), and by further names
that the caller has (``assetdb.unity.importers.model_text`` finds them in text formats). A guessed object is
``certain=False``: the id means that object, but the model may not have it (any more), so it is never listed.
"""

from __future__ import annotations

from assetdb.unity.engine.classes import class_name
from assetdb.unity.engine.file_ids import COMPONENTS, HashedNames, ImportedObject, LaterObjects
from assetdb.unity.importers.model_scene import clip_name, imported_scene
from assetdb.unity.importers.model_settings import GENERIC, HUMANOID
from assetdb.unity.kinds import PREFAB_MAIN

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Final

    from assetdb.unity.importers.fbx import FbxScene
    from assetdb.unity.importers.model_scene import ModelScene
    from assetdb.unity.importers.model_settings import ModelSettings

AVATAR: Final = 9000000

_ROOT: Final = "//RootNode"


def model_objects(
    scene: FbxScene | None,
    settings: ModelSettings,
    *,
    stem: str,
    rows: Iterable[tuple[int, int, bytes]] = (),
    guesses: Iterable[str] = (),
) -> LaterObjects:
    """Return all objects of a model that can be named, by fileID.

    Args:
        scene: of the file, or None if it cannot be read.
        settings: of the model's meta.
        stem: the file's name without extension; meshes of single-object files often have it as their name.
        rows: (fileID, class number or 0, name in UTF-8) of the meta's tables.
        guesses: further names that nodes, meshes or materials may have, for instance of the objects that use them.
    """
    names = _Names(settings.generation, rows)
    found = imported_scene(scene, settings, stem=stem, spend=names.spend) if scene is not None else None
    if found is not None:
        _add_scene(names, found)
    else:
        for clip in settings.clips:
            names.add_object("AnimationClip", clip, clip)
    names.add_rest(settings, certain=found is None)
    _add_root(names, settings, stem, is_read=found is not None)
    guessed = [stem, f"{stem}_LOD0", f"{stem}_LOD1", f"{stem}_LOD2", "default", *guesses]

    def later() -> dict[int, ImportedObject]:
        whole = names.copied()
        if found is not None:
            _add_possible(whole, found)
        _add_guesses(whole, settings, guessed)
        return whole.found

    nodes = len(found.nodes) + len(found.takes) if found is not None else 0
    nodes += 2 * len(settings.skeleton) + len(settings.exposed) + len(settings.clips) + len(settings.takes)
    nodes += len(settings.materials) + len(guessed) + 3  # the root, the dropped one, and the material without a name
    return LaterObjects(names.found, later, nodes * (len(COMPONENTS) + 3))


class _Names(HashedNames):
    """The name table of a model, from its root on."""

    def __init__(self, generation: int, rows: Iterable[tuple[int, int, bytes]]) -> None:
        super().__init__()
        self.modern = generation >= 2
        self.root = f"{_ROOT}/root" if self.modern else _ROOT
        self._rows: dict[tuple[str, str], list[int]] = {}
        kinds: dict[int, str] = {}
        for file_id, number, name in rows:
            # Small ids carry their class (4300002 is a Mesh); hashed ones have it in internalIDToNameTable only.
            class_id = number or (file_id // 100_000 if 0 < file_id < 1 << 31 else 0)
            kind = kinds.get(class_id)
            if kind is None:
                kind = kinds[class_id] = class_name(class_id)
            key = kind, name.decode(errors="replace")
            ids = self._rows.get(key)
            if ids is None:
                self._rows[key] = [file_id]
            else:
                ids.append(file_id)
        for ids in self._rows.values():
            ids.reverse()

    def add_object(self, kind: str, name: str, path: str, identifier: str = "") -> None:
        """Add an object that the model has.

        Args:
            kind: its class.
            name: in the meta's table.
            path: as it is shown.
            identifier: what is hashed if the table has no such row, if that is not the name.
        """
        ids = self._rows.get((kind, name))
        if ids:
            self.found[ids.pop()] = ImportedObject(kind, path, certain=True)
        else:
            self.add(kind, identifier or name, path, certain=True)

    def add_rest(self, settings: ModelSettings, *, certain: bool) -> None:
        """Add the rows of the table that no object has.

        Not certain are rows of clips if the meta has a list of clips, and of materials that are not the model's own.
        """
        for (kind, name), ids in self._rows.items():
            is_own = kind != "Material" or (settings.embedded and name not in settings.materials)
            is_left = kind == "AnimationClip" and bool(settings.clips)
            path = clip_name(name) if kind == "AnimationClip" else name
            if name.startswith(_ROOT):
                path = name.removeprefix(_ROOT).removeprefix("/root" if self.modern else "").removeprefix("/")
            for file_id in reversed(ids):
                self.found.setdefault(file_id, ImportedObject(kind, path, certain and is_own and not is_left))

    def add_node(self, path: str, components: Sequence[str], *, certain: bool) -> None:
        """Add a GameObject and its components; ``""`` is the root."""
        name = path.rpartition("/")[2] or _ROOT
        full = f"{self.root}/{path}" if path else self.root
        for kind in ("GameObject", *components):
            identifier = (full if kind == "GameObject" else f"{full}/{kind}") if self.modern else name
            if certain:
                self.add_object(kind, name, path, identifier)
            else:
                self.add(kind, identifier, path, certain=False)


def _add_scene(names: _Names, found: ModelScene) -> None:
    for node in found.nodes:
        names.add_node(node.path, node.components, certain=True)
    for mesh in found.meshes:
        names.add_object("Mesh", mesh, mesh)
    for material in found.materials:
        names.add_object("Material", material, material)
    for clip in found.clips:
        names.add_object("AnimationClip", clip.identifier, clip.name)


def _add_root(names: _Names, settings: ModelSettings, stem: str, *, is_read: bool) -> None:
    rigged = settings.animation_type in (GENERIC, HUMANOID) and not settings.no_avatar
    names.found[PREFAB_MAIN] = ImportedObject("Prefab", "", certain=False)
    row = names.found.get(AVATAR, ImportedObject("Avatar", "", certain=False))
    names.found[AVATAR] = row._replace(path=row.path or f"{stem}Avatar", certain=rigged or row.certain)
    if is_read:
        return
    if ImportedObject("GameObject", "", certain=True) not in names.found.values():
        names.add_node("", ("Transform",), certain=True)


def _add_possible(names: _Names, found: ModelScene) -> None:
    """Add objects that exist only if something refers to them."""
    for take in found.takes:
        for clip in (take, f"__preview__{take}"):
            names.add("AnimationClip", clip, clip, certain=False)
    for node in found.nodes:
        names.add_node(node.path, COMPONENTS, certain=False)
    if found.dropped:
        # If Unity kept the node nevertheless, its id means it.
        names.add_node(found.dropped, COMPONENTS, certain=False)


def _add_guesses(names: _Names, settings: ModelSettings, guesses: Iterable[str]) -> None:
    names.add_node("", COMPONENTS, certain=False)
    for take in (*settings.clips, *settings.takes):
        names.add("AnimationClip", take, take, certain=False)
    for material in (*settings.materials, "No Name"):
        names.add("Material", material, material, certain=False)
    for path in dict.fromkeys(_bone_paths(names, settings.skeleton)):
        names.add_node(path, COMPONENTS, certain=False)
    for path in settings.exposed:
        if not names.spend(path):
            break
        # Optimized hierarchies have only these nodes, directly below the root.
        names.add_node(path.rpartition("/")[2], COMPONENTS, certain=False)
    for name in dict.fromkeys(guesses):
        names.add("Mesh", name, name, certain=False)
        names.add("Material", name, name, certain=False)
        names.add_node(name, COMPONENTS, certain=False)


def _bone_paths(names: _Names, skeleton: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield paths of bones, from the root and from the first bone."""
    parents: dict[str, str] = {}
    for name, parent in skeleton:
        parents.setdefault(name, parent)
    for name in parents:
        chain = [name]
        seen = {name}
        while (above := parents.get(chain[-1], "")) in parents and above not in seen:
            seen.add(above)
            chain.append(above)
        for bones in (chain[-2::-1], chain[::-1]):
            path = "/".join(bones)
            if not names.spend(path):
                return
            if path:
                yield path
