"""The names by which Unity finds the materials of a model.

A model of materials outside of it (``materialLocation: 0``, and all before 2017.3) has no reference to them: Unity
looks for a file of a name that follows from the model (``materialName``), in the folders of ``materialSearch``. The
rules hold for 411 references of seven projects that Unity itself lists:

- ``materialName`` 0: the file name of the base texture, without one the material's; 1: the material's; 2: the model's
  and the material's (``crate-wood``); 3: as 0, or as 2 where there is no such file;
- ``materialSearch`` 0: in the folder ``Materials`` beside the model; 1: also in the folders ``Materials`` above, the
  nearest first; 2: then anywhere.

A file whose name has another case is found, and one without the suffix that exporters put to a material of several
shadings (``_ncl1_2``). SpeedTree's materials are all below the folder ``<model> Materials`` beside the tree.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.unity.importers.model_scene import file_name, read_scene
from assetdb.unity.importers.model_settings import read_settings
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assetdb.unity.importers.fbx import FbxScene
    from assetdb.unity.importers.model_settings import ModelSettings

_BY_TEXTURE: Final = 0
_BY_MATERIAL: Final = 1
_BY_MODEL: Final = 2
_BY_TEXTURE_OR_MODEL: Final = 3
_ABOVE: Final = 1
_ANYWHERE: Final = 2
_FOLDER: Final = "Materials"
_NO_NAME: Final = "No Name"
_SHADING: Final = re.compile(r"_ncl\d+_\d+\Z")
_MOST_MATERIALS: Final = 4096


class SoughtMaterials(NamedTuple):
    """The materials that Unity looks for.

    Attributes:
        names: for each material the file names, without extension, of which the first found one is taken.
        search: ``materialSearch``.
    """

    names: tuple[tuple[str, ...], ...]
    search: int


NOTHING: Final = SoughtMaterials((), 0)


def sought_materials(extension: str, stem: str, meta: bytes, read: Callable[[], bytes]) -> SoughtMaterials:
    """Return the materials that Unity looks for, none of a damaged file.

    Args:
        extension: of the model, in lower case, without the dot.
        stem: its file name without extension.
        meta: beside the model.
        read: returns the model, which is not read if its meta says that nothing is sought.
    """
    settings = read_settings(meta)
    if b"ModelImporter:" not in meta or settings.embedded or not settings.has_materials:
        return NOTHING
    try:
        scene = read_scene(extension, read())
    except FormatError:
        return NOTHING
    names = dict.fromkeys(filter(None, _names(scene, settings, stem))) if scene is not None else {}
    return SoughtMaterials(tuple(names)[:_MOST_MATERIALS], settings.material_search)


def _names(scene: FbxScene, settings: ModelSettings, stem: str) -> Iterator[tuple[str, ...]]:
    textures = _textures(scene)
    kinds = {item.id: item.kind for item in scene.objects}
    used = {child for child, parent in scene.connections if kinds.get(parent) == "Model"}
    coloured = {parent for child, parent in scene.connections if kinds.get(child) == "Material"}
    shaped = {parent for child, parent in scene.connections if kinds.get(child) == "Geometry"}
    shaped.update(item.id for item in scene.objects if item.geometry)
    materials = [
        (file_name(item.name) or _NO_NAME, item.name, textures.get(item.id, ""))
        for item in scene.objects
        if item.kind == "Material" and (item.id in used or not scene.drops_root)
    ]
    if scene.drops_root and any(kinds.get(node) == "Model" for node in shaped - coloured):
        materials.append((_NO_NAME, "", ""))  # 96 meshes of house-marked.fbx (House) have no material
    if not scene.drops_root:
        # A group of an .obj whose .mtl is absent: cubeRoomEnvMat of cubeRoom.obj.
        materials += [(f"{item.name}Mat", "", "") for item in scene.objects if item.kind == "Model"]
    for own, name, texture in materials:
        if own in settings.materials or name in settings.materials:
            continue  # the meta names it
        of_model = f"{stem}-{own}"
        yield {
            _BY_TEXTURE: (texture or own,),
            _BY_MATERIAL: (own,),
            _BY_MODEL: (of_model,),
            _BY_TEXTURE_OR_MODEL: (texture, of_model) if texture else (of_model,),
        }.get(settings.material_name, ())


def _textures(scene: FbxScene) -> dict[int, str]:
    """Return the file name of each material's base texture, without extension."""
    kinds = {item.id: item for item in scene.objects if item.kind in {"Material", "Texture"}}
    pairs = list(scene.diffuse)
    if not pairs:
        # 6.x: a Model's materials and textures are connected in one order (Building_11.FBX of DUEL).
        of_model: dict[int, tuple[list[int], list[int]]] = {}
        for child, parent in scene.connections:
            if child in kinds:
                of_model.setdefault(parent, ([], []))[kinds[child].kind == "Material"].append(child)
        for textures, materials in of_model.values():
            pairs += zip(textures, materials, strict=False) if len(textures) == len(materials) else ()
    found: dict[int, str] = {}
    for texture, material in pairs:
        item = kinds.get(texture)
        if item is not None and item.file:
            name = item.file.replace("\\", "/").rpartition("/")[2]
            found.setdefault(material, name.rpartition(".")[0] or name)
    return found


def found_materials(path: str, sought: SoughtMaterials, paths_of: Callable[[str], list[str]]) -> list[str]:
    """Return the paths of the materials that Unity finds for a model.

    Args:
        path: of the model, relative to the project.
        sought: by it.
        paths_of: returns the paths of the materials of a name, which is in lower case and without extension.
    """
    found = (_first(path, names, sought.search, paths_of) for names in sought.names)
    return list(dict.fromkeys(place for place in found if place))


def _first(path: str, names: tuple[str, ...], search: int, paths_of: Callable[[str], list[str]]) -> str:
    tried = [*names, *(short for name in names if (short := _SHADING.sub("", name)) != name)]
    for name in tried:
        places = paths_of(name.lower())
        exact = [place for place in places if place.endswith(f"/{name}.mat")]
        for found in (exact, places):
            place = _nearest(path, found, search)
            if place:
                return place
    return ""


def _nearest(path: str, places: list[str], search: int) -> str:
    folders = {place.rpartition("/")[0]: place for place in reversed(places)}
    above = path.rpartition("/")[0]
    while above:
        if f"{above}/{_FOLDER}" in folders:
            return folders[f"{above}/{_FOLDER}"]
        if search < _ABOVE:
            return ""
        above = above.rpartition("/")[0]
    return places[0] if places and search == _ANYWHERE else ""
