"""The objects that an importer makes of a file, by its kind and meta."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.resolve.imported import editor_objects, first_is_root, ids_in_table, imported_objects
from assetdb.unity.engine.file_ids import COMPONENTS, ImportedObject, hashed_id
from assetdb.unity.importers.managed_dll import script_file_id
from tests.assetdb.unity.importers.dll_writer import TypeRow, dll
from tests.assetdb.unity_project import SPRITES, write, write_meta

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.resolve.instances import Imported

LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
PLAIN = "DefaultImporter:\n  userData: \n"
PLUGIN = "PluginImporter:\n  userData: \n"
SCRIPTED = "ScriptedImporter:\n  userData: \n"
TEXTURE = "TextureImporter:\n  spriteMode: 0\n  textureType: 0\n"
MODEL = "ModelImporter:\n  internalIDToNameTable:\n  - first:\n      43: 4300000\n    second: Hull\n"


def imported(root: Path, name: str, data: bytes, importer: str) -> Imported:
    write(root, name, 1, data, importer)
    return imported_objects(str(root / name), name.rpartition(".")[2])


def test_a_texture_without_sprites_is_of_any_kind_of_texture(tmp_path: Path) -> None:
    found = imported(tmp_path, "wall.png", b"\x89PNG", TEXTURE)
    assert (found.stem, found.missing) == ("wall", "dangling")
    kinds = {2800000: "Texture2D", 8900000: "Cubemap", 11700000: "Texture3D", 18700000: "Texture2DArray"}
    assert found.objects == {
        number: ImportedObject(kind, "", certain=kind == "Texture2D") for number, kind in kinds.items()
    }


def test_a_texture_that_is_a_cubemap_is_no_flat_one(tmp_path: Path) -> None:
    found = imported(tmp_path, "sky.png", b"", "TextureImporter:\n  textureShape: 2\n  spriteMode: 0\n").objects
    assert [number for number, item in found.items() if item.certain] == [8900000]


@pytest.mark.parametrize(("kind", "has"), [(8, True), (5, True), (-1, True), (0, False), (2, False)])
def test_sprites_are_made_of_textures_of_their_type_alone(tmp_path: Path, kind: int, has: bool) -> None:  # noqa: FBT001 - a row
    for mode, number in ((1, 21300000), (2, 555)):
        meta = SPRITES.replace("spriteMode: 2", f"spriteMode: {mode}").replace("textureType: 8", f"textureType: {kind}")
        found = imported(tmp_path, "tile.png", b"", meta).objects[number]
        assert (found.class_name, found.certain) == ("Sprite", has)


@pytest.mark.parametrize(
    ("name", "importer", "main"),
    [
        ("native.so", "PluginImporter", -1121539586),
        ("Plain.dll", "PluginImporter", -1121539586),
        ("LICENSE", "DefaultImporter", 102900000),
        ("README.md", "DefaultImporter", 102900000),
        ("player.xml", "DefaultImporter", 102900000),
        ("notes.txt", "TextScriptImporter", 4900000),
    ],
)
def test_the_main_object_is_that_of_the_importer(tmp_path: Path, name: str, importer: str, main: int) -> None:
    write(tmp_path, name, 1, b"x", f"{importer}:\n  userData: \n")
    found = imported_objects(str(tmp_path / name), name.rpartition(".")[2] if "." in name else "")
    assert found.stem == name.partition(".")[0]
    assert list(found.objects) == [main]


@pytest.mark.parametrize(
    ("mode", "name"), [(0, None), (1, "tile"), (2, "tiles_first"), (3, "tile"), (4, None)], ids="mode {}".format
)
def test_the_main_sprite_is_named_by_the_mode(tmp_path: Path, mode: int, name: str | None) -> None:
    found = imported(tmp_path, "tile.png", b"", SPRITES.replace("spriteMode: 2", f"spriteMode: {mode}")).objects
    main = found.get(21300000)
    is_own = mode != 2  # of a sheet it is another id of the first sprite
    assert main == (None if name is None else ImportedObject("Sprite", name, certain=is_own))
    has_sheet = mode != 1  # which leaves the rows in the meta, and Unity makes no such sprites
    assert found.get(555) == (ImportedObject("Sprite", "tiles_first", certain=True) if has_sheet else None)


@pytest.mark.parametrize(("mode", "reason"), [(0, "dangling"), (1, "sprite-mode"), (2, "dangling"), (3, "dangling")])
def test_a_texture_that_is_no_sheet_any_more_says_so(tmp_path: Path, mode: int, reason: str) -> None:
    assert imported(tmp_path, "t.png", b"", SPRITES.replace("spriteMode: 2", f"spriteMode: {mode}")).missing == reason
    assert imported(tmp_path, "u.png", b"", TEXTURE).missing == "dangling"


def test_sprites_are_also_found_by_the_hashes_of_their_names(tmp_path: Path) -> None:
    found = imported(tmp_path, "tile.png", b"", SPRITES).objects
    for number, name in ((555, "tiles_first"), (-666, "tiles_second")):
        assert found[number] == ImportedObject("Sprite", name, certain=True)
        assert found[hashed_id("Sprite", name)] == ImportedObject("Sprite", name, certain=False)


@pytest.mark.parametrize(
    ("table", "name"),
    [
        ("  internalIDToNameTable:\n  - first:\n      213: 21300000\n    second: low\n", "low"),
        ("  internalIDToNameTable:\n  - first:\n      28: 2800002\n    second: map\n", None),
        ("  internalIDToNameTable: []\n", None),
    ],
)
def test_a_sheet_without_rows_has_the_first_sprite_of_its_table(tmp_path: Path, table: str, name: str | None) -> None:
    importer = f"TextureImporter:\n{table}  spriteMode: 2\n  textureType: 8\n  spriteSheet:\n    sprites: []\n"
    main = imported(tmp_path, "tile.png", b"", importer).objects.get(21300000)
    assert main == (None if name is None else ImportedObject("Sprite", name, certain=True))


def test_a_font_has_its_material_and_texture(tmp_path: Path) -> None:
    found = imported(tmp_path, "serif.ttf", b"", "TrueTypeFontImporter:\n  userData: \n")
    assert found.missing == "dangling"
    assert found.objects == {
        12800000: ImportedObject("Font", "", certain=True),
        2100000: ImportedObject("Material", "Font Material", certain=True),
        2800000: ImportedObject("Texture2D", "Font Texture", certain=True),
    }


@pytest.mark.parametrize(
    ("name", "importer", "main"),
    [
        ("jump.wav", "AudioImporter:\n", 8300000),
        ("notes.txt", "TextScriptImporter:\n", 4900000),
        ("odd.nothing", "OddImporter:\n", None),
    ],
)
def test_other_assets_have_their_main_object_and_perhaps_more(
    tmp_path: Path, name: str, importer: str, main: int | None
) -> None:
    found = imported(tmp_path, name, b"...", importer)
    assert found.objects == ({main: ImportedObject("", "", certain=True)} if main is not None else {})
    assert found.missing == "importer-unknown"


def test_a_layered_file_is_so_by_its_extension_and_importer(tmp_path: Path) -> None:
    layered = "ScriptedImporter:\n  layeredSpriteImportData:\n  - name: arm\n"
    layered += "    spriteID: 752525a065c5b42788ca0a700de3c59c\n"
    sprite = hashed_id("Sprite", "752525a065c5b42788ca0a700de3c59c")
    for name in ("knight.psb", "knight.psd"):
        assert imported(tmp_path, name, b"8BPS", layered).objects[sprite].path == "arm"
    assert sprite not in imported(tmp_path, "knight.png", b"8BPS", layered).objects
    texture = layered.replace("ScriptedImporter", "TextureImporter")
    assert sprite not in imported(tmp_path, "other.psd", b"8BPS", texture).objects


@pytest.mark.parametrize(
    ("data", "missing", "number"),
    [
        (dll([TypeRow("Acme", "Walker", 1), TypeRow("", "Plain", 1)]), "dangling", 3),
        (b"", "target-absent", 1),
        (LFS, "lfs-pointer", 1),
        (b"not a program", "importer-unknown", 1),
        (dll([TypeRow("Acme", "Walker", 1)])[:200], "importer-unknown", 1),
    ],
    ids=["managed", "empty", "pointer", "other", "damaged"],
)
def test_the_scripts_of_an_assembly(tmp_path: Path, data: bytes, missing: str, number: int) -> None:
    found = imported(tmp_path, "Plugin.dll", data, PLUGIN)
    assert (found.missing, len(found.objects)) == (missing, number)
    if missing == "dangling":
        assert found.objects[script_file_id("Acme", "Walker")] == ImportedObject(
            "MonoScript", "Acme.Walker", certain=False
        )
        assert found.objects[-1121539586].certain
        assert found.objects[script_file_id("", "Plain")].path == "Plain"


@pytest.mark.parametrize(
    ("data", "missing"),
    [
        (b'{"scenes": [{"name": "S", "nodes": [0]}], "nodes": [{"name": "Arm"}]}', "dangling"),
        (b"", "target-absent"),
        (LFS, "lfs-pointer"),
    ],
)
def test_what_a_scripted_importer_may_make_besides(tmp_path: Path, data: bytes, missing: str) -> None:
    found = imported(tmp_path, "robot.gltf", data, SCRIPTED)
    assert found.missing == missing
    assert ("Arm" in {item.path for item in found.objects.values()}) is (missing == "dangling")


def test_an_asset_of_a_scripted_importer_may_be_gone(tmp_path: Path) -> None:
    write_meta(tmp_path, "look.uss", 1, SCRIPTED)
    found = imported_objects(str(tmp_path / "look.uss"), "uss")
    assert found.missing == "target-absent"
    assert 7433441132597879392 in found.objects


@pytest.mark.parametrize(
    ("name", "data", "missing"),
    [
        ("boat.fbx", b"", "target-absent"),
        ("boat.fbx", b" \n", "target-absent"),
        ("boat.fbx", LFS, "lfs-pointer"),
        ("boat.fbx", b"; FBX 7.3.0 project file\n", "importer-unknown"),
        ("boat.fbx", b"Kaydara FBX Binary  \x00\x1a\x00\x00", "importer-unknown"),
        ("boat.blend", b"BLENDER", "importer-unknown"),
        ("boat.dae", b"<COLLADA>", "importer-unknown"),
    ],
)
def test_a_model_that_is_not_binary_fbx_has_the_names_of_its_meta(
    tmp_path: Path, name: str, data: bytes, missing: str
) -> None:
    found = imported(tmp_path, name, data, MODEL)
    assert (found.stem, found.missing) == ("boat", missing)
    assert found.objects[4300000] == ImportedObject("Mesh", "Hull", certain=True)


def test_scripts_of_the_editors_own_assembly() -> None:
    found = editor_objects("UnityEngine.UI.dll")
    assert (found.stem, found.missing) == ("UnityEngine.UI", "importer-unknown")
    image = found.objects[-765806418]
    assert image == ImportedObject("MonoScript", "UnityEngine.UI.Image", certain=True)


@pytest.mark.corpus("unity-says")
def test_models_have_the_objects_that_unity_made_of_them(corpus: Path) -> None:
    """Of 158 models, from Unity 5.2 to 2020.3, Unity's own list of objects is whole."""
    rows: dict[Path, dict[int, tuple[str, str]]] = {}
    whole: set[Path] = set()
    for table in (corpus / "unity-says").glob("*[a-zA-Z0-9].tsv"):
        for line in table.read_text(encoding="utf-8").splitlines()[1:] if ".refs" not in table.name else ():
            _, path, level, file_id, kind, _, name, way = line.split("\t")
            model = table.with_suffix("") / path
            if model.suffix.lower() not in {".fbx", ".obj"} or not model.is_file() or not model.stat().st_size:
                continue
            if level == "deep":
                whole.add(model)
            # The way of a component is that of its GameObject, which a main or sub-object has not.
            if kind != "AssetImporterLog" and (level == "deep" or int(file_id) not in rows.get(model, {})):
                rows.setdefault(model, {})[int(file_id)] = kind, way.partition("/")[2] if way else name
    assert len(whole) == 158
    for model in whole:
        found = imported_objects(str(model), model.suffix[1:].lower())
        listed = {number: item for number, item in found.objects.items() if item.certain}
        assert {number: item.class_name for number, item in listed.items()} == {
            number: kind for number, (kind, _) in rows[model].items()
        }
        for number, (kind, name) in rows[model].items():
            own = listed[number].path
            if kind in {"GameObject", *COMPONENTS}:
                assert name in (own, own.rpartition("/")[2] or found.stem), (model, number)
            else:
                assert name == own, (model, number)


FIRST = "ModelImporter:\n  internalIDToNameTable:\n  - first:\n      1: 100000\n    second: {}\n"


@pytest.mark.parametrize(
    ("importer", "is_root", "ids"),
    [
        (MODEL, True, {4300000}),
        (FIRST.format("//RootNode"), True, {100000}),
        (FIRST.format("Chest"), False, {100000}),  # of HumanoidRunTurn.fbx, whose root is 100116
        ("ModelImporter:\n  userData: \n", True, set()),
        (PLAIN, True, set()),
        ("", True, set()),
    ],
)
def test_the_first_object_of_a_model_is_its_root_unless_the_table_gives_it_to_another(
    tmp_path: Path,
    importer: str,
    is_root: bool,  # noqa: FBT001
    ids: set[int],
) -> None:
    write_meta(tmp_path, "crate.fbx", 1, importer)
    path = str(tmp_path / "crate.fbx")
    assert first_is_root(path) is is_root
    assert {number for number in (100000, 4300000, 1) if number in ids_in_table(path)} == ids


def test_a_model_without_a_meta_has_no_table(tmp_path: Path) -> None:
    path = str(tmp_path / "crate.fbx")
    assert first_is_root(path)
    assert 100000 not in ids_in_table(path)
