"""The objects that Unity makes of a scene in a model file.

Compared with the imported objects of 158 models that Unity itself wrote (5.2 to 2020.3).
"""

from __future__ import annotations

from assetdb.unity.importers.fbx import ROOT, FbxObject, FbxScene, read_fbx
from assetdb.unity.importers.model_settings import GENERIC, HUMANOID, LEGACY, ModelSettings
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Final

_NOT_IN_FILES: Final = dict.fromkeys(map(ord, '/\\:*?"<>|'), "_")
_MESHES: Final = frozenset(("MeshFilter", "SkinnedMeshRenderer"))


class SceneNode(NamedTuple):
    """A GameObject.

    Attributes:
        path: names from below the root, ``""`` for the root.
        components: class names, the Transform first.
    """

    path: str
    components: Sequence[str]

    @property
    def name(self) -> str:
        """Its own name, ``""`` for the root."""
        return self.path.rpartition("/")[2]


class SceneClip(NamedTuple):
    """An AnimationClip: its name, and that its fileID is made of."""

    name: str
    identifier: str


class ModelScene(NamedTuple):
    """The objects that Unity makes of a scene.

    Attributes:
        nodes: the root first, each before those below it; paths are unique.
        meshes: names of meshes.
        materials: names of the materials that are the model's own.
        clips: the animation clips.
        takes: names of all takes.
        dropped: name of the single root node that was made the root of the model, or ``""``.
    """

    nodes: tuple[SceneNode, ...]
    meshes: tuple[str, ...]
    materials: tuple[str, ...]
    clips: tuple[SceneClip, ...]
    takes: tuple[str, ...]
    dropped: str


READ_FORMATS: Final = ("fbx", "obj")
"""The extensions of models whose objects are read from the file."""


def read_scene(extension: str, data: bytes) -> FbxScene | None:
    """Return the scene of a model file, None for unread formats.

    Args:
        extension: in lower case, without the dot.
        data: the file.

    Raises:
        FormatError: it is a damaged binary FBX.
    """
    if extension == "fbx":
        found = read_fbx(data)
        if isinstance(found, FbxScene) or found.kind != "ascii":
            return found if isinstance(found, FbxScene) else None
    elif extension not in READ_FORMATS or b"\0" in data[:1024]:
        return None
    from assetdb.unity.importers.fbx_text import read_fbx_text, read_obj  # noqa: PLC0415 - models in a text format only

    text = read_obj(data) if extension == "obj" else read_fbx_text(data)
    return text if text.objects else None


def imported_scene(scene: FbxScene, settings: ModelSettings, *, stem: str, spend: Callable[[str], bool]) -> ModelScene:
    """Return the objects that Unity makes of a scene.

    Args:
        scene: of the file.
        settings: of its meta.
        stem: the file's name without extension.
        spend: called with each path; if it returns False, further nodes are left out.
    """
    tree = _Tree({item.id: item for item in scene.objects}, {}, {})
    for child, parent in scene.connections:
        if child != ROOT:
            tree.children.setdefault(parent, []).append(child)
    roots = tree.models(ROOT)
    single = roots[0] if len(roots) == 1 and _drops_root(scene, tree.objects[roots[0]].name, settings) else None
    nodes = []
    meshes: dict[int, str] = {}  # by geometry, which several nodes may share
    for path, number in _nodes(tree, ROOT if single is None else single, spend):
        node = tree.objects.get(number)
        components = _components(tree, node, number, settings)
        if node is not None and not _MESHES.isdisjoint(components):
            geometry = next((part.id for part in tree.parts(number, "Geometry") if part.subclass != "Shape"), number)
            meshes.setdefault(geometry, node.name)
        if not path and not settings.no_avatar and settings.animation_type in (GENERIC, HUMANOID):
            components.append("Animator")
        elif not path and settings.animation_type == LEGACY and settings.animations:
            components.append("Animation")
        nodes.append(SceneNode(path, components))
    if settings.optimized and settings.animation_type in (GENERIC, HUMANOID):
        nodes = list(_optimized(nodes, settings))
    takes = tuple(
        dict.fromkeys((*(item.name for item in scene.objects if item.kind == "AnimationStack"), *scene.takes))
    )
    return ModelScene(
        tuple(nodes),
        tuple(meshes.values()),
        tuple(_materials(tree, settings)),
        tuple(_clips(scene, settings, takes, stem)),
        takes,
        tree.objects[single].name if single is not None else "",
    )


def _drops_root(scene: FbxScene, name: str, settings: ModelSettings) -> bool:
    """Whether the single root node is made the root of the model."""
    # A model that copies an avatar has the avatar's hierarchy: m_run.FBX of VRGame keeps its Bip001.
    kept = settings.preserve_hierarchy or settings.extra_root or any(bone == name for bone, _ in settings.skeleton)
    return scene.drops_root and not kept


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


def _nodes(tree: _Tree, top: int, spend: Callable[[str], bool]) -> Iterator[tuple[str, int]]:
    """Yield path and number of the root and the nodes below it."""
    yield "", top
    seen = {ROOT, top}
    stack = _below(tree, top, "", seen)
    while stack:
        path, number = stack.pop()
        if not spend(path):
            return
        yield path, number
        stack += _below(tree, number, path, seen)


def _below(tree: _Tree, parent: int, path: str, seen: set[int]) -> list[tuple[str, int]]:
    """Return paths and numbers of a node's children, the last first.

    Unity calls the second of two children ``A`` ``A 1``.
    """
    found: dict[str, int] = {}
    counts: dict[str, int] = {}
    for number in tree.models(parent):
        if number in seen:
            continue
        seen.add(number)
        own = name = tree.objects[number].name
        while name in found:
            counts[own] = counts.get(own, 0) + 1
            name = f"{own} {counts[own]}"
        found[name] = number
    return [(f"{path}/{name}" if path else name, number) for name, number in reversed(found.items())]


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
    imported = (("Camera", settings.cameras), ("Light", settings.lights))
    components += [kind for kind, wanted in imported if wanted and kind in kinds]
    if "LodGroup" in kinds or any(_is_lod(tree.objects[child].name) for child in tree.models(number)):
        components.append("LODGroup")
    return components


def _is_lod(name: str) -> bool:
    """Whether a name ends in ``_LOD0``, in any case."""
    _, mark, digits = name.lower().rpartition("_lod")
    return bool(mark) and digits.isdecimal()


def _optimized(nodes: list[SceneNode], settings: ModelSettings) -> Iterator[SceneNode]:
    """Yield the nodes of an optimized hierarchy, which are below the root."""
    exposed = {path.rpartition("/")[2] for path in settings.exposed}
    met = set()
    for node in nodes:
        if node.name not in met and (not node.path or len(node.components) > 1 or node.name in exposed):
            met.add(node.name)
            yield SceneNode(node.name, node.components)


def _materials(tree: _Tree, settings: ModelSettings) -> Iterator[str]:
    """Yield the materials that Unity keeps in the model."""
    if settings.embedded and settings.has_materials:
        names = dict.fromkeys(item.name for item in tree.objects.values() if item.kind == "Material")
        yield from (
            name for name in names if name not in settings.materials and file_name(name) not in settings.materials
        )


def file_name(material: str) -> str:
    """Return a material's name as file names and metas have it.

    ``Merge3:M_City_01`` of Demo_Asphalt.fbx is mapped as ``Merge3_M_City_01``.
    """
    return material.translate(_NOT_IN_FILES)


def _clips(scene: FbxScene, settings: ModelSettings, takes: Sequence[str], stem: str) -> Iterator[SceneClip]:
    if not settings.animations or settings.animation_type == 0 or not scene.animated:
        return
    if settings.clips:
        # A clip list in the meta replaces the takes.
        yield from (SceneClip(name, name) for name in settings.clips)
        return
    _, mark, own = stem.partition("@")
    for take in takes:
        # The one clip of ``Robot@back.fbx`` is called ``back``; the meta's table keeps the take's name.
        yield SceneClip(own if mark and len(takes) == 1 else clip_name(take), take)


def clip_name(take: str) -> str:
    """Return the name of the clip of a take.

    The clip of ``Default Take //// office`` is ``Default Take``.
    """
    return take.partition(" //")[0].rstrip()
