"""Objects of an imported model by fileID.

Unity writes no list of a model's objects. Up to 2018 (``fileIdsGeneration`` 0 and 1) the meta has a
table of small ids; since then (2, and what was added to older models) an id is
``int64(xxh64("Type:<Class>-><path><n>"))``, seed 0, where ``n`` counts objects of the same class and path. So an id is
named by hashing the contents of the FBX:

- generation 2: ``GameObject->//RootNode/root/<path>``, ``<Class>->//RootNode/root/<path>/<Class>`` for its components;
- generations 0 and 1: ``GameObject->//RootNode/<path>`` and the same path for its components (the root of most
  ``NFTShape`` models of unity-explorer is ``Transform->//RootNode0`` = -4216859302048453862);
- all: ``Mesh-><node name>``, ``Material-><name>``, ``AnimationClip-><take or clip name>``.

A single root node is dropped and its children become those of the root, unless the meta has ``preserveHierarchy: 1``.
The avatar is 9000000 in every generation.

The hash has 64 bits, so a *guess* whose hash is an id is right. This names objects of models that cannot be read (a Git
LFS pointer, ASCII FBX, .blend): by the root, by names in the meta (clips, materials, bones of a humanoid), and by
further names that the caller has (``assetdb.unity.importers.model_text`` finds them in text formats). A guessed object
is ``certain=False``: the id means that object, but the model may not have it (any more).
"""

from __future__ import annotations

from assetdb.unity.engine.classes import class_name
from assetdb.unity.engine.file_ids import COMPONENTS, HashedNames, ImportedObject
from assetdb.unity.importers.fbx import ROOT, FbxObject, FbxScene
from assetdb.unity.kinds import PREFAB_MAIN
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Final

AVATAR: Final = 9000000

_LEGACY: Final = 1
_GENERIC: Final = 2
_HUMANOID: Final = 3


class ModelSettings(NamedTuple):
    """The settings of a ``ModelImporter`` that decide names.

    See ``read_settings``.

    Attributes:
        generation: ``fileIdsGeneration``: 0, 1 or 2.
        preserve_hierarchy: whether a single root node is kept.
        animation_type: 0 none, 1 legacy, 2 generic, 3 humanoid, or None if it is not in the meta.
        colliders: ``addColliders``: every mesh gets a MeshCollider.
        clips: names of ``clipAnimations``.
        takes: of those clips.
        materials: names of materials that are mapped to others.
        skeleton: (name, parent name) of ``humanDescription.skeleton``; the parent is ``""`` in older metas.
        exposed: ``extraExposedTransformPaths``.
    """

    generation: int = 0
    preserve_hierarchy: bool = False
    animation_type: int | None = None
    colliders: bool = False
    clips: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    materials: tuple[str, ...] = ()
    skeleton: tuple[tuple[str, str], ...] = ()
    exposed: tuple[str, ...] = ()


_NUMBERS: Final = (b"fileIdsGeneration", b"preserveHierarchy", b"animationType", b"addColliders")
_MOST_DIGITS: Final = 9
_DEEPEST: Final = 200  # spaces before a key
_MATERIAL: Final = b"type: UnityEngine:Material"


def read_settings(meta: bytes) -> ModelSettings:
    """Return the settings in the meta of a model, with defaults."""
    if b"\r" in meta:
        meta = meta.replace(b"\r\n", b"\n")
    numbers = {key: _number(meta, key) for key in _NUMBERS}
    clips, bones, mapped = (_block(meta, key) for key in (b"clipAnimations", b"skeleton", b"externalObjects"))
    skeleton: list[tuple[str, str]] = []
    orphan = False  # the last bone has no parent yet
    for start, indent, text in _lines(bones):
        if indent and text.startswith(b"- name:"):
            skeleton.append((_scalar(bones, start + 7, indent + 2), ""))
            orphan = True
        elif indent and text.startswith(b"parentName:") and orphan:
            skeleton[-1] = skeleton[-1][0], _scalar(bones, start + 11, indent)
            orphan = False
    materials = []
    before, last = b"", b""
    for start, indent, text in _lines(mapped):
        if indent and text.startswith(b"name:") and last.startswith(b"assembly: ") and before == _MATERIAL:
            materials.append(_scalar(mapped, start + 5, indent))
        before, last = last, text if indent else b""
    exposed = _block(meta, b"extraExposedTransformPaths")
    return ModelSettings(
        numbers[b"fileIdsGeneration"] or 0,
        bool(numbers[b"preserveHierarchy"]),
        numbers[b"animationType"],
        bool(numbers[b"addColliders"]),
        _clip_values(clips, b"name:"),
        _clip_values(clips, b"takeName:"),
        tuple(dict.fromkeys(materials)),
        tuple(skeleton),
        tuple(
            dict.fromkeys(
                _scalar(exposed, start + 2, indent)
                for start, indent, text in _lines(exposed)
                if indent and text.startswith(b"- ")
            )
        ),
    )


def _number(meta: bytes, key: bytes) -> int | None:
    """Return the last number after ``key:`` at the start of a line."""
    end = len(meta)
    while (found := meta.rfind(b" " + key + b":", 0, end)) >= 0:
        end = found
        if _indent(meta, found):
            line_end = meta.find(b"\n", found)
            digits = meta[found + len(key) + 2 : line_end if line_end >= 0 else len(meta)].lstrip(b" ")
            if digits.isdigit() and len(digits) <= _MOST_DIGITS:
                return int(digits)
    return None


def _indent(meta: bytes, space: int) -> int:
    """Return a line's indentation, 0 if text precedes the space.

    Only ``_DEEPEST`` bytes are examined: a line of a megabyte may hold a key a hundred thousand times.
    """
    head = meta[max(0, space - _DEEPEST) : space + 1]
    before = head.rstrip(b" ")
    return len(head) - len(before) if before.endswith(b"\n") else 0


def _clip_values(clips: bytes, key: bytes) -> tuple[str, ...]:
    """Return the values of a key of clips, not of their curves."""
    heads = (b"      " + key, b"    - " + key)
    found = (
        _scalar(clips, start + text.find(b":") + 1, 6)
        for start, indent, text in _lines(clips)
        if clips.startswith(heads, start - indent)
    )
    return tuple(dict.fromkeys(found))


def _scalar(block: bytes, start: int, indent: int) -> str:
    """Return the scalar at a position, quickly if it is plain text."""
    end = block.find(b"\n", start)
    text = block[start : end if end >= 0 else len(block)].strip(b" \t\r")
    deeper = end >= 0 and block.startswith(b" " * (indent + 1), end + 1)
    blank = end >= 0 and block[end + 1 : end + 2] in (b"\n", b"\t")
    if not text.isascii() or text[:1] in (b'"', b"'") or deeper or blank:
        from assetdb.unity.yaml.scalars import scalar_at  # noqa: PLC0415 - few names are anything but plain

        return scalar_at(block, start, indent)
    return text.decode("ascii")


def _lines(block: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield start, indentation and text of all later lines."""
    start = block.find(b"\n") + 1
    while 0 < start <= len(block):
        end = block.find(b"\n", start)
        line = block[start : end if end >= 0 else len(block)]
        text = line.lstrip(b" ")
        indent = len(line) - len(text)
        yield start + indent, indent, text
        start = end + 1


def _block(meta: bytes, key: bytes) -> bytes:
    """Return the lines below ``key:`` that belong to it."""
    found = -1
    while (found := meta.find(b" " + key + b":", found + 1)) >= 0:
        depth = _indent(meta, found)
        line_end = meta.find(b"\n", found) if depth else -1
        if line_end >= 0 and not meta[found + len(key) + 2 : line_end].strip(b" \t"):
            break
    else:
        return b""
    for start, indent, text in _lines(meta[line_end:]):
        if indent <= depth and not text.startswith(b"-"):
            return meta[line_end : line_end + start - indent - 1]
    return meta[line_end:]


def model_objects(
    scene: FbxScene | None,
    settings: ModelSettings,
    *,
    stem: str,
    rows: Iterable[tuple[int, int, bytes]] = (),
    guesses: Iterable[str] = (),
) -> dict[int, ImportedObject]:
    """Return all objects of a model that can be named, by fileID.

    Args:
        scene: the FBX, or None if it cannot be read.
        settings: of the model's meta.
        stem: the file's name without extension; meshes of single-object files are often called the same.
        rows: (fileID, class number or 0, name in UTF-8) of the meta's tables. They take precedence.
        guesses: further names that nodes, meshes or materials may have, for instance of the objects that use them.
    """
    names = _Names(settings.generation)
    for file_id, number, name in rows:
        names.add_row(file_id, number, name.decode(errors="replace"))
    for clip in settings.clips:
        names.add("AnimationClip", clip, clip, certain=True)
    if scene is not None:
        _add_scene(names, scene, settings)
    _add_root(names, settings)
    _add_guesses(names, settings, [stem, f"{stem}_LOD0", f"{stem}_LOD1", f"{stem}_LOD2", "default", *guesses])
    return names.found


class _Names(HashedNames):
    """The name table of a model, from its root on."""

    def __init__(self, generation: int) -> None:
        super().__init__()
        self.modern = generation >= 2
        self.root = "//RootNode/root" if self.modern else "//RootNode"

    def add_row(self, file_id: int, number: int, name: str) -> None:
        # Small ids carry their class (4300002 is a Mesh); hashed ones have it in internalIDToNameTable only.
        number = number or (file_id // 100_000 if 0 < file_id < 1 << 31 else 0)
        path = name.removeprefix("//RootNode").removeprefix("/root" if self.modern else "").removeprefix("/")
        self.found[file_id] = ImportedObject(
            class_name(number), path if name.startswith("//RootNode") else name, certain=True
        )

    def add_node(self, path: str, components: Sequence[str], *, certain: bool) -> None:
        """Add a GameObject and its components; ``""`` is the root."""
        full = f"{self.root}/{path}" if path else self.root
        self.add("GameObject", full, path, certain=certain)
        for component in components:
            self.add(component, f"{full}/{component}" if self.modern else full, path, certain=certain)


class _Tree(NamedTuple):
    objects: dict[int, FbxObject]
    children: dict[int, list[int]]
    deformed: dict[int, bool]  # cached, as a thousand nodes may share a geometry of a thousand deformers

    def is_deformed(self, carrier: int) -> bool:
        known = self.deformed.get(carrier)
        if known is None:
            known = any(part.subclass in {"Skin", "BlendShape"} for part in self.parts(carrier, "Deformer"))
            self.deformed[carrier] = known
        return known

    def models(self, parent: int) -> list[int]:
        return [child for child in self.children.get(parent, ()) if self.objects[child].kind == "Model"]

    def parts(self, parent: int, kind: str) -> Iterator[FbxObject]:
        for child in self.children.get(parent, ()):
            part = self.objects[child]
            if part.kind == kind:
                yield part


def _add_scene(names: _Names, scene: FbxScene, settings: ModelSettings) -> None:
    tree = _Tree({item.id: item for item in scene.objects}, {}, {})
    for child, parent in scene.connections:
        if child != ROOT:
            tree.children.setdefault(parent, []).append(child)
    meshes: list[str] = []
    dropped: list[str] = []
    nodes = list(_nodes(names, tree, settings, dropped))
    for path, node, components in nodes:
        names.add_node(path, components, certain=True)
        if node is not None and _has_mesh(tree, node):
            meshes.append(node.name)
    for name in meshes:
        names.add("Mesh", name, name, certain=True)
    for item in scene.objects:
        if item.kind == "Material":
            names.add("Material", item.name, item.name, certain=True)
    clips = dict.fromkeys(item.name for item in scene.objects if item.kind == "AnimationStack")
    clips.update(dict.fromkeys(scene.takes))
    for clip in clips:
        # A clip list in the meta replaces the takes; without one each take becomes a clip of its name.
        names.add("AnimationClip", clip, clip, certain=not settings.clips)
        names.add("AnimationClip", f"__preview__{clip}", f"__preview__{clip}", certain=True)
    for path, _, _ in nodes:
        names.add_node(path, COMPONENTS, certain=False)
    for path in dropped:
        names.add_node(path, COMPONENTS, certain=False)


def _nodes(
    names: _Names, tree: _Tree, settings: ModelSettings, dropped: list[str]
) -> Iterator[tuple[str, FbxObject | None, list[str]]]:
    """Yield path, node and certain components of the hierarchy."""
    roots = tree.models(ROOT)
    single = tree.objects[roots[0]] if len(roots) == 1 and not settings.preserve_hierarchy else None
    components = _components(tree, single, ROOT if single is None else single.id, settings)
    if settings.animation_type in (_GENERIC, _HUMANOID):
        components.append("Animator")
    elif settings.animation_type == _LEGACY and any(item.kind == "AnimationStack" for item in tree.objects.values()):
        components.append("Animation")
    yield "", single, components
    if single is not None:
        # If Unity kept the node nevertheless, its id means it.
        dropped.append(single.name)
        roots = tree.models(single.id)
    seen = {ROOT, *roots, *(() if single is None else (single.id,))}
    stack = [(child, "") for child in reversed(roots)]
    while stack:
        number, above = stack.pop()
        node = tree.objects[number]
        path = f"{above}/{node.name}" if above else node.name
        if not names.spend(path):
            return
        yield path, node, _components(tree, node, number, settings)
        for child in reversed(tree.models(number)):
            if child not in seen:
                seen.add(child)
                stack.append((child, path))


def _has_mesh(tree: _Tree, node: FbxObject) -> bool:
    return node.geometry or any(part.subclass != "Shape" for part in tree.parts(node.id, "Geometry"))


def _components(tree: _Tree, node: FbxObject | None, number: int, settings: ModelSettings) -> list[str]:
    """Return the components of a node for its attributes."""
    components = ["Transform"]
    if node is not None and _has_mesh(tree, node):
        # 6.x has no geometry object: there the skin hangs from the node.
        carriers = [number, *(geometry.id for geometry in tree.parts(number, "Geometry"))]
        deformed = any(tree.is_deformed(carrier) for carrier in carriers)
        components += ["SkinnedMeshRenderer"] if deformed else ["MeshFilter", "MeshRenderer"]
        if settings.colliders:
            components.append("MeshCollider")
    kinds = {part.subclass for part in tree.parts(number, "NodeAttribute")} | {node.subclass if node else ""}
    components += [kind for kind in ("Camera", "Light") if kind in kinds]
    if "LodGroup" in kinds or any(_is_lod(tree.objects[child].name) for child in tree.models(number)):
        components.append("LODGroup")
    return components


def _is_lod(name: str) -> bool:
    """Whether a name ends in ``_LOD0``, in any case."""
    _, mark, digits = name.lower().rpartition("_lod")
    return bool(mark) and digits.isdecimal()


def _add_root(names: _Names, settings: ModelSettings) -> None:
    rigged = settings.animation_type in (_GENERIC, _HUMANOID)
    names.found.setdefault(PREFAB_MAIN, ImportedObject("Prefab", "", certain=True))
    names.found.setdefault(AVATAR, ImportedObject("Avatar", "", certain=rigged))
    names.add_node("", COMPONENTS, certain=False)


def _add_guesses(names: _Names, settings: ModelSettings, guesses: Iterable[str]) -> None:
    for take in settings.takes:
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
        _add_guess(names, name)


def _add_guess(names: _Names, name: str) -> None:
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
