"""Objects of scripted importers: input actions, glTF, graphs, UI documents.

Such importers give each object an identifier, and Unity hashes class and identifier
(``assetdb.unity.engine.file_ids``). The identifiers, whose hashes are the fileIDs of real references:

==================  ==============================================================================================
.inputactions       ``<root>``; for each action its id, or ``<map>/<action>`` in the asset of the input package
.glb .gltf          ``meshes/<name>``, ``materials/<name>``, ``textures/<name>``, ``animations/<name>``; a scene is
                    ``scenes/<name>``, and its objects ``scenes/<name>/<root>/<path>``, components with ``/<Class>``
.shadergraph        ``MainAsset`` (the shader), ``Material``, ``VFXShaderGraph``; .shadersubgraph: ``MainAsset``
.uxml .uss .tss     ``tree`` and ``inlineStyle``, ``stylesheet``, ``themeStyleSheet``
.nn .onnx           ``main obj``, ``model data``
.spriteLib          ``SpriteLib``
==================  ==============================================================================================

glTF is as com.unity.cloud.gltfast (and com.atteneder.gltfast) imports it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from assetdb.unity.engine.file_ids import COMPONENTS, HashedNames, ImportedObject
from assetdb.unity.kinds import scripted_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# extension -> (class, identifier, name of the object; "" is the main one)
_FIXED: Final = {
    "inputactions": (("MonoBehaviour", "<root>", ""),),
    "nn": (("MonoBehaviour", "main obj", ""), ("MonoBehaviour", "model data", "model data")),
    "onnx": (("MonoBehaviour", "main obj", ""), ("MonoBehaviour", "model data", "model data")),
    "shadergraph": (
        ("Shader", "MainAsset", ""),
        ("Material", "Material", "Material"),
        ("MonoBehaviour", "VFXShaderGraph", "VFXShaderGraph"),
    ),
    "shadersubgraph": (("MonoBehaviour", "MainAsset", ""),),
    "spritelib": (("MonoBehaviour", "SpriteLib", ""),),
    "tss": (("MonoBehaviour", "themeStyleSheet", ""),),
    "uss": (("MonoBehaviour", "stylesheet", ""),),
    "uxml": (("MonoBehaviour", "tree", ""), ("MonoBehaviour", "inlineStyle", "inlineStyle")),
}
_GLTF: Final = frozenset(("glb", "gltf"))
EXTENSIONS: Final = frozenset(_FIXED) | _GLTF
"""The extensions that ``scripted_objects`` supports."""

_JSON_LIMIT: Final = 64 << 20
_GLB_HEADER: Final = 20
_GLTF_PARTS: Final = (
    ("meshes", "meshes", "Mesh"),
    ("materials", "materials", "Material"),
    ("animations", "animations", "AnimationClip"),
    ("images", "textures", "Texture2D"),
    ("textures", "textures", "Texture2D"),
)


def scripted_objects(extension: str, data: bytes, *, stem: str) -> dict[int, ImportedObject]:
    """Return nameable objects of a scripted importer, by fileID.

    Args:
        extension: without the dot, in any case; one of ``EXTENSIONS``, others have no objects.
        data: the file; if it is empty, a pointer or damaged, only objects with fixed identifiers are named.
        stem: its name without extension, which parts of single-object files often have, too.
    """
    extension = extension.lower()
    names = HashedNames()
    for class_name, identifier, name in _FIXED.get(extension, ()):
        names.add(class_name, identifier, name, certain=True)
    if extension == "inputactions":
        _add_actions(names, _json(data))
        found = names.found.items()
        names.found = {key: item._replace(class_name="InputActionReference") for key, item in found}
    if extension in _GLTF:
        _add_gltf(names, _json(_json_of_glb(data) if data[:4] == b"glTF" else data), stem)
    own = scripted_type(extension)
    if not own:
        return names.found
    # The class that is hashed is MonoBehaviour.
    return {key: item if item.path else item._replace(class_name=own) for key, item in names.found.items()}


def _json(data: bytes) -> dict[str, object]:
    if len(data) > _JSON_LIMIT:
        return {}
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _json_of_glb(data: bytes) -> bytes:
    """Return the first chunk of a binary glTF, which is JSON."""
    size = int.from_bytes(data[12:16], "little")
    if data[16:20] != b"JSON" or len(data) < _GLB_HEADER + size:
        return b""
    return data[_GLB_HEADER : _GLB_HEADER + size]


def _items(found: dict[str, object], key: str) -> Iterator[dict[str, object]]:
    """Yield the items of a list, with ``{}`` for non-objects."""
    items = found.get(key)
    for item in items if isinstance(items, list) else ():
        yield item if isinstance(item, dict) else {}


def _string(found: dict[str, object], key: str) -> str:
    text = found.get(key)
    # JSON may hold half of a surrogate pair, which has no UTF-8.
    return text.encode(errors="replace").decode() if isinstance(text, str) else ""


def _add_actions(names: HashedNames, found: dict[str, object]) -> None:
    for group in _items(found, "maps"):
        for action in _items(group, "actions"):
            path = f"{_string(group, 'name')}/{_string(action, 'name')}"
            if not names.spend(path):
                return
            identity = _string(action, "id")
            if identity:
                names.add("MonoBehaviour", identity, path, certain=True)
            names.add("MonoBehaviour", path, path, certain=True)


def _add_gltf(names: HashedNames, found: dict[str, object], stem: str) -> None:
    for key, folder, class_name in _GLTF_PARTS:
        for part in dict.fromkeys(_string(item, "name") for item in _items(found, key)):
            names.add(class_name, f"{folder}/{part}", part, certain=True)
    nodes = list(_items(found, "nodes"))
    scenes = list(_items(found, "scenes"))
    for scene in scenes:
        name = _string(scene, "name") or "Scene"
        if not names.spend(name):
            break
        roots = _indices(scene, "nodes", len(nodes))
        _add_scene(names, name, found=True)
        for path in _paths(names, nodes, roots):
            _add_node(names, f"scenes/{name}", f"{name}/{path}", path, certain=True)
            # If there is no object for the scene itself, a single root node takes its place.
            _add_node(names, f"scenes/{name}", path, path.partition("/")[2], certain=False)
    for scene_name in ("Scene", stem):
        _add_scene(names, scene_name, found=False)
    for key, folder, class_name in _GLTF_PARTS:
        if key != "images":
            names.add(class_name, f"{folder}/{stem}", stem, certain=False)


def _add_scene(names: HashedNames, name: str, *, found: bool) -> None:
    names.add("PrefabInstance", f"scenes/{name}", "", certain=found)
    _add_node(names, f"scenes/{name}", name, "", certain=found)


def _add_node(names: HashedNames, scene: str, path: str, shown: str, *, certain: bool) -> None:
    names.add("GameObject", f"{scene}/{path}", shown, certain=certain)
    for component in COMPONENTS:
        names.add(component, f"{scene}/{path}/{component}", shown, certain=certain and component == "Transform")


def _indices(item: dict[str, object], key: str, count: int) -> list[int]:
    numbers = item.get(key)
    found = numbers if isinstance(numbers, list) else []
    return [number for number in found if isinstance(number, int) and 0 <= number < count]


def _paths(names: HashedNames, nodes: list[dict[str, object]], roots: Iterable[int]) -> Iterator[str]:
    """Yield the paths of a scene's nodes that have names."""
    stack = [(number, "") for number in reversed(list(roots))]
    seen = {number for number, _ in stack}
    while stack:
        number, above = stack.pop()
        node = nodes[number]
        name = _string(node, "name")
        if not name:
            continue
        path = f"{above}/{name}" if above else name
        if not names.spend(path):
            return
        yield path
        for child in reversed(_indices(node, "children", len(nodes))):
            if child not in seen:
                seen.add(child)
                stack.append((child, path))
