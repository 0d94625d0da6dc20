"""Objects of one imported asset by fileID."""

from __future__ import annotations

import os
from functools import lru_cache

from assetdb.resolve.instances import DANGLING, Imported
from assetdb.resolve.sizes import TARGET_ABSENT, why_unread
from assetdb.system.reading import read_file
from assetdb.unity.engine.classes import class_name
from assetdb.unity.engine.file_ids import ImportedObject, LaterObjects, hashed_id
from assetdb.unity.kinds import LFS_POINTER, SPRITE_MAIN, kind_of, main_file_id
from assetdb.unity.metas.meta import read_meta, sub_asset_names
from assetdb_formats.binary import FormatError

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Container
    from typing import Final

    from assetdb.unity.facts import ImporterFacts, SubAsset

_SINGLE: Final = 1
_MULTIPLE: Final = 2
_POLYGON: Final = 3
_OF_SHEET: Final = ("Sprite", "")  # the names of the last table have no class
_UNKNOWN: Final = "importer-unknown"
_MODEL_IMPORTER: Final = "ModelImporter"
_TREE: Final = "SpeedTreeImporter"
_FIRST_OBJECT: Final = 100000
_ROOT: Final = b"//RootNode"
LFS: Final = "lfs-pointer"
SPRITE_MODE: Final = "sprite-mode"
"""Reason for a sprite of a sheet that the texture is not any more."""
_SPRITE: Final = 213
_TEXTURE: Final = 28
_WITH_SPRITES: Final = (-1, 5, 8)  # textureType: none, Advanced of Unity 5.4, Sprite
_LAYERED: Final = ("psb", "psd")
_CUBEMAP: Final = 8900000
_TEXTURES: Final = {2800000: "Texture2D", 8900000: "Cubemap", 11700000: "Texture3D", 18700000: "Texture2DArray"}
_FONT: Final = {
    12800000: ("Font", ""),
    2100000: ("Material", "Font Material"),
    2800000: ("Texture2D", "Font Texture"),
}
_SPRITE_NAME: Final = b"\n      name:"


def imported_objects(path: str, extension: str) -> Imported:
    """Return the objects that an importer makes of the asset at ``path``.

    The asset may be absent if its meta is not.

    Args:
        path: of the asset; its meta is beside it.
        extension: in lower case, without the dot.
    """
    stem = _stem(path)
    meta = read_file(f"{path}.meta") or b""
    namer = kind_of(extension).namer
    facts, names = _read_names(meta)
    rows = list(names.values())
    importer = facts.importer
    if importer == _MODEL_IMPORTER:
        return Imported(stem, *_model(path, extension, stem, meta, rows))
    if importer == _TREE:
        from assetdb.unity.importers.speed_tree import tree_objects  # noqa: PLC0415 - projects with SpeedTrees only

        return Imported(stem, tree_objects(meta, rows, stem), _UNKNOWN)
    objects = {
        file_id: ImportedObject(class_name(number) if number else "", name.decode("utf-8", "replace"), certain=True)
        for file_id, number, name in rows
    }
    if importer == "TextureImporter":
        missing = _without_sheet(objects) if facts.sprite_mode == _SINGLE else DANGLING
        _add_texture(objects, facts, rows, stem)
    elif importer == "TrueTypeFontImporter":
        objects.update((number, ImportedObject(*item, certain=True)) for number, item in _FONT.items())
        missing = DANGLING
    elif extension in _LAYERED and importer == "ScriptedImporter":
        from assetdb.unity.importers.layered import layered_objects  # noqa: PLC0415 - projects with the 2D PSD Importer only

        objects.update(layered_objects(meta))
        missing = _UNKNOWN
    elif namer == "dll":
        data = read_file(path)
        missing = _add_types(objects, data) if data is not None else why_unread(path)
    elif namer == "scripted":
        missing = _add_scripted(objects, path, extension, stem)
    else:
        missing = _UNKNOWN
    main = main_file_id(extension, importer)
    if main is not None and main not in objects:
        objects[main] = ImportedObject("", "", certain=True)
    return Imported(stem, objects, missing)


def ids_in_table(path: str) -> Container[int]:
    """Return the fileIDs that the meta of a model names.

    Each has a name, whatever is in the file: rows stay where it has the object no more. Metas of other importers give
    none.
    """
    facts, names = _read_names(read_file(f"{path}.meta") or b"")
    return names if facts.importer == _MODEL_IMPORTER else ()


def first_is_root(path: str) -> bool:
    """Whether the GameObject 100000 of a model or SpeedTree is its root.

    So it is unless the meta's table gives it to another: in HumanoidRunTurn.fbx it is Chest, and the root 100116.
    """
    meta = read_file(f"{path}.meta") or b""
    facts, names = _read_names(meta)
    row = names.get(_FIRST_OBJECT)
    if row is not None:
        return row[2] == _ROOT
    if facts.importer != _TREE:
        return True
    from assetdb.unity.importers.speed_tree import tree_objects  # noqa: PLC0415 - projects with SpeedTrees only

    found = tree_objects(meta, (), _stem(path)).get(_FIRST_OBJECT)
    return found is not None and not found.path


@lru_cache(maxsize=1)
def _read_names(meta: bytes) -> tuple[ImporterFacts, dict[int, SubAsset]]:
    """Return the facts and rows of a meta.

    Both are asked for twice in a row for the first object of a model.
    """
    facts = read_meta(meta, references=False)[1]
    return facts, sub_asset_names(facts)


def _stem(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0]


def editor_objects(assembly: str) -> Imported:
    """Return the scripts of a DLL that came with the editor."""
    from assetdb.unity.importers.editor_assemblies import types_of  # noqa: PLC0415 - the same
    from assetdb.unity.importers.managed_dll import script_file_id  # noqa: PLC0415 - projects of Unity 2018 and before only

    objects = {
        script_file_id(*item): ImportedObject("MonoScript", ".".join(item), certain=True) for item in types_of(assembly)
    }
    return Imported(assembly.removesuffix(".dll"), objects, _UNKNOWN)


def _model(path: str, extension: str, stem: str, meta: bytes, rows: list[SubAsset]) -> tuple[LaterObjects, str]:
    """Return the objects of a model and the reason for absent ones."""
    from assetdb.unity.importers.model import model_objects  # noqa: PLC0415 - the same
    from assetdb.unity.importers.model_scene import read_scene  # noqa: PLC0415 - models only
    from assetdb.unity.importers.model_settings import read_settings  # noqa: PLC0415 - the same

    read = read_file(path)
    data = read or b""
    missing = TARGET_ABSENT if not data.strip() else LFS if data.startswith(LFS_POINTER) else _UNKNOWN
    if read is None:
        missing = why_unread(path)
    try:
        scene = read_scene(extension, data) if missing == _UNKNOWN else None
    except FormatError:
        scene = None  # damaged: treated like an unknown format; the meta still has names
    guesses: tuple[str, ...] = ()
    if missing == _UNKNOWN and extension == "dae":
        from assetdb.unity.importers.model_text import names_in_collada  # noqa: PLC0415 - models in this format only

        guesses = names_in_collada(data)
    objects = model_objects(scene, read_settings(meta), stem=stem, rows=rows, guesses=guesses)
    return objects, DANGLING if scene is not None and extension == "fbx" else missing


def _without_sheet(objects: dict[int, ImportedObject]) -> str:
    """Remove the sprites of a sheet; return the reason for absent objects.

    The table stays in the meta, as in seaweedtemp.png.meta of BoatAttack: 204 references to its sprites are lost. Where
    the mode is None, TextMesh Pro's own sample has a font that names the sprites and works without them.
    """
    sheet = [file_id for file_id, item in objects.items() if item.class_name in _OF_SHEET]
    for file_id in sheet:
        del objects[file_id]
    return SPRITE_MODE if sheet else DANGLING


def _add_texture(objects: dict[int, ImportedObject], facts: ImporterFacts, rows: list[SubAsset], stem: str) -> None:
    """Add the texture and its sprites.

    21300000 is the sprite of a single-sprite texture, named like the file; in a sheet, the first sprite (22,200
    references in public projects, which would all get the file's name otherwise); in polygon mode, the polygon.
    """
    has_sprites = facts.texture_type in _WITH_SPRITES
    if not has_sprites:
        # EmojiOne.png of TextMesh Pro keeps a sheet, hex_diameter@2x.png of Sunny a mode, and neither has a sprite.
        for file_id in [file_id for file_id, item in objects.items() if item.class_name in _OF_SHEET]:
            objects[file_id] = objects[file_id]._replace(certain=False)
    for sprite in [item for item in objects.values() if item.class_name == "Sprite"]:
        objects.setdefault(hashed_id("Sprite", sprite.path), sprite._replace(certain=False))
    if facts.sprite_mode in (_SINGLE, _POLYGON):
        objects[SPRITE_MAIN] = ImportedObject("Sprite", stem, certain=has_sprites)
    elif facts.sprite_mode == _MULTIPLE:
        first = _first_sprite(facts, rows)
        if first:
            is_own = SPRITE_MAIN in objects and objects[SPRITE_MAIN].certain
            objects[SPRITE_MAIN] = ImportedObject("Sprite", first, certain=is_own)
        else:
            objects.pop(SPRITE_MAIN, None)
    if _CUBEMAP in objects:  # the table calls it generatedCubemap, Unity as the file
        objects[_CUBEMAP] = ImportedObject("Cubemap", stem, certain=True)
    own = class_name(facts.texture_class or _TEXTURE)
    for file_id, kind in _TEXTURES.items():
        objects.setdefault(file_id, ImportedObject(kind, "", certain=kind == own and _CUBEMAP not in objects))


def _first_sprite(facts: ImporterFacts, rows: list[SubAsset]) -> str:
    from assetdb.unity.yaml.scalars import scalar_at  # noqa: PLC0415 - sheets only

    found = facts.sprites.find(_SPRITE_NAME)
    if found >= 0:
        return scalar_at(facts.sprites, found + len(_SPRITE_NAME), 6)
    first = next((row for row in rows if row[1] in (0, _SPRITE)), None)
    return first[2].decode("utf-8", "replace") if first is not None else ""


def _add_types(objects: dict[int, ImportedObject], data: bytes) -> str:
    from assetdb.unity.importers.managed_dll import NotManaged, read_types, script_file_id  # noqa: PLC0415 - DLLs only
    from assetdb_formats.dotnet.tables import full_name  # noqa: PLC0415 - the same

    try:
        found = read_types(data)
    except FormatError:
        return _UNKNOWN
    if isinstance(found, NotManaged):
        return {"lfs-pointer": LFS, "empty": TARGET_ABSENT}.get(found.kind, _UNKNOWN)
    for item in found:
        number = script_file_id(item.namespace, item.name)
        full = full_name(item.namespace, item.name)
        objects.setdefault(number, ImportedObject("MonoScript", full, certain=item.is_script))
    return DANGLING


def _add_scripted(objects: dict[int, ImportedObject], path: str, extension: str, stem: str) -> str:
    from assetdb.unity.importers.scripted import scripted_objects  # noqa: PLC0415 - scripted importers only

    data = read_file(path)
    for file_id, item in scripted_objects(extension, data or b"", stem=stem).items():
        objects.setdefault(file_id, item)
    if data is None:
        return why_unread(path)
    if not data:
        return TARGET_ABSENT
    return LFS if data.startswith(LFS_POINTER) else DANGLING
