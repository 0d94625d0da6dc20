"""The objects of one imported asset (a texture, model, DLL, graph, font), by fileID, from the file and its meta."""

from __future__ import annotations

import os
from typing import Final

from assetdb.nesting import DANGLING, Imported
from assetdb.unity import meta as metas
from assetdb.unity.classes import class_name, main_file_id
from assetdb.unity.hashed import ImportedObject, hashed_id
from assetdb.unity.text_asset import LFS_POINTER as LFS_HEAD
from formats.binary import FormatError

SPRITE_MAIN: Final = 21300000
_SINGLE: Final = 1
_MULTIPLE: Final = 2
_POLYGON: Final = 3
_LARGEST_FILE: Final = 1 << 30
_UNKNOWN: Final = "importer-unknown"
TARGET_ABSENT: Final = "target-absent"
LFS: Final = "lfs-pointer"
_TEXTURES: Final = {2800000: "Texture2D", 8900000: "Cubemap", 11700000: "Texture3D", 18700000: "Texture2DArray"}
_FONT: Final = {
    12800000: ("Font", ""),
    2100000: ("Material", "Font Material"),
    2800000: ("Texture2D", "Font Texture"),
}
_SPRITE_NAME: Final = b"\n      name:"


def imported_objects(path: str, extension: str) -> Imported:
    """Return the objects of the asset at ``path`` (which may be absent, if its meta is not).

    Args:
        path: of the asset; its meta is beside it.
        extension: in lower case, without the dot.
    """
    stem = os.path.basename(path).rpartition(".")[0]
    meta = _read(f"{path}.meta") or b""
    facts = metas.read_meta(meta)[1]
    rows = metas.sub_asset_names(facts)
    objects: dict[int, ImportedObject] = {}
    missing = _UNKNOWN
    if facts.importer == "ModelImporter":
        objects, missing = _model(path, extension, stem, meta, list(rows.values()))
    else:
        for file_id, number, name in rows.values():
            objects[file_id] = ImportedObject(
                class_name(number) if number else "", name.decode("utf-8", "replace"), certain=True
            )
        if facts.importer == "TextureImporter":
            _add_texture(objects, facts, stem)
            missing = DANGLING
        elif facts.importer == "TrueTypeFontImporter":
            objects.update((number, ImportedObject(*item, certain=True)) for number, item in _FONT.items())
            missing = DANGLING
        elif extension == "dll":
            missing = _add_types(objects, _read(path) or b"")
        else:
            missing = _add_scripted(objects, path, extension, stem)
        main = main_file_id(extension, facts.importer)
        if main is not None and main not in objects:
            objects[main] = ImportedObject("", "", certain=True)
    return Imported(stem, objects, missing)


def _model(
    path: str, extension: str, stem: str, meta: bytes, rows: list[metas.SubAsset]
) -> tuple[dict[int, ImportedObject], str]:
    """Return the objects of a model, and the reason for what is not among them: only a model that reads lacks it."""
    from assetdb.unity.fbx import FbxScene, read_fbx  # noqa: PLC0415 - models only
    from assetdb.unity.model import model_objects, read_settings  # noqa: PLC0415 - the same
    from assetdb.unity.model_text import names_in_text  # noqa: PLC0415 - the same

    data = _read(path) or b""
    scene: FbxScene | None = None
    missing = TARGET_ABSENT if not data.strip() else LFS if data.startswith(LFS_HEAD) else _UNKNOWN
    if extension == "fbx":
        try:
            found = read_fbx(data)
        except FormatError:
            pass  # damaged: then it is as unknown as a format that nobody reads, and the meta still has names
        else:
            scene = found if isinstance(found, FbxScene) else None
    guesses = names_in_text(extension, data) if scene is None else ()
    objects = model_objects(scene, read_settings(meta), stem=stem, rows=rows, guesses=guesses)
    return objects, missing if scene is None else DANGLING


def _add_texture(objects: dict[int, ImportedObject], facts: metas.ImporterFacts, stem: str) -> None:
    """Add the texture and its sprites.

    21300000 is the one sprite of a texture that is a whole sprite, called as the file; of a sheet it is the first
    sprite (22,200 references in public projects, all of which would be called as the file else); of a polygon that.
    """
    for sprite in [item for item in objects.values() if item.class_name == "Sprite"]:
        objects.setdefault(hashed_id("Sprite", sprite.path), sprite)
    if facts.sprite_mode in (_SINGLE, _POLYGON):
        objects[SPRITE_MAIN] = ImportedObject("Sprite", stem, certain=True)
    elif facts.sprite_mode == _MULTIPLE:
        first = _first_sprite(facts)
        if first:
            objects[SPRITE_MAIN] = ImportedObject("Sprite", first, certain=True)
        else:
            objects.pop(SPRITE_MAIN, None)
    for file_id, kind in _TEXTURES.items():
        objects.setdefault(file_id, ImportedObject(kind, "", certain=file_id in objects))


def _first_sprite(facts: metas.ImporterFacts) -> str:
    from assetdb.unity.yaml import scalar_at  # noqa: PLC0415 - sheets only

    found = facts.sprites.find(_SPRITE_NAME)
    if found >= 0:
        return scalar_at(facts.sprites, found + len(_SPRITE_NAME), 6)
    rows = [row for row in metas.sub_asset_names(facts).values() if row[1] in (0, metas.SPRITE)]
    return rows[0][2].decode("utf-8", "replace") if rows else ""


def _add_types(objects: dict[int, ImportedObject], data: bytes) -> str:
    from assetdb.unity.dotnet import NotManaged, read_types, script_file_id  # noqa: PLC0415 - DLLs only

    try:
        found = read_types(data)
    except FormatError:
        return _UNKNOWN
    if isinstance(found, NotManaged):
        return {"lfs-pointer": LFS, "empty": TARGET_ABSENT}.get(found.kind, _UNKNOWN)
    for item in found:
        full = f"{item.namespace}.{item.name}" if item.namespace else item.name
        number = script_file_id(item.namespace, item.name)
        objects.setdefault(number, ImportedObject("MonoScript", full, certain=True))
    return DANGLING


def _add_scripted(objects: dict[int, ImportedObject], path: str, extension: str, stem: str) -> str:
    from assetdb.unity.scripted import EXTENSIONS, scripted_objects  # noqa: PLC0415 - scripted importers only

    if extension not in EXTENSIONS:
        return _UNKNOWN
    data = _read(path)
    for file_id, item in scripted_objects(extension, data or b"", stem=stem).items():
        objects.setdefault(file_id, item)
    if data is None or not data:
        return TARGET_ABSENT
    return LFS if data.startswith(LFS_HEAD) else DANGLING


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read(_LARGEST_FILE)
    except OSError:
        return None
