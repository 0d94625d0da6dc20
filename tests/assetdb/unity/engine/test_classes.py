import re
from pathlib import Path

import pytest

from assetdb.unity import kinds
from assetdb.unity.engine import classes


def test_numbers_and_names_are_one_to_one_but_for_the_renamed() -> None:
    names = classes._names()
    assert len(names) > 300
    for number, name in names.items():
        assert name.isidentifier()
        if number not in (319, 662584278, 1152215463, 1001480554):
            assert classes.class_number(name) == number
    assert classes.class_name(31337) == ""
    assert classes.class_number("NoSuchClass") is None


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (1, "GameObject"),
        (4, "Transform"),
        (21, "Material"),
        (28, "Texture2D"),
        (114, "MonoBehaviour"),
        (213, "Sprite"),
        (319, "AvatarMask"),
        (1001, "Prefab"),
        (1011, "AvatarMask"),
        (1153, "AssemblyDefinitionAsset"),
        (1660057539, "SceneRoots"),
        (687078895, "SpriteAtlas"),
    ],
)
def test_well_known_names(number: int, name: str) -> None:
    assert classes.class_name(number) == name


def test_former_names_still_find_their_class() -> None:
    assert classes.class_number("PrefabInstance") == 1001
    assert classes.class_number("Prefab") == 1001
    assert classes.class_number("NavMeshAreas") == 126
    assert classes.class_number("SceneSettings") == 29
    assert classes.class_number("AvatarMask") == 1011
    for name, number in classes._FORMER_NAMES.items():
        assert classes.class_number(name) == number
        assert number in classes._names()


@pytest.mark.parametrize(
    ("extension", "number"),
    [
        ("prefab", 1001),
        ("PNG", 28),
        ("overrideController", 221),
        ("mask", 1011),
        ("asmdef", 1153),
        ("asmref", 1374),
        ("spriteatlasv2", 687078895),
        ("unity", 1032),
        ("fbx", 1),
        ("vfx", 2058629509),
        ("asset", None),
        ("playable", None),
        ("mixer", None),
        ("", None),
    ],
)
def test_type_of_extension(extension: str, number: int | None) -> None:
    assert kinds.type_of_extension(extension) == number


def test_every_type_that_is_told_has_a_name() -> None:
    for number in {*(kind.class_id or 1 for kind in kinds._BY_EXTENSION.values()), *kinds._BY_IMPORTER.values()}:
        assert classes.class_name(number)


@pytest.mark.parametrize(
    ("importer", "number"),
    [
        ("ModelImporter", 1),
        ("TextureImporter", 28),
        ("PluginImporter", 1029),
        ("NativeFormatImporter", None),
        ("ScriptedImporter", None),
        ("Unheard", None),
    ],
)
def test_type_of_importer(importer: str, number: int | None) -> None:
    assert kinds.type_of_importer(importer) == number


@pytest.mark.parametrize(
    ("number", "file_id"),
    [
        (1001, 100100000),
        (115, 11500000),
        (114, 11400000),
        (28, 2800000),
        (213, 21300000),
        (1032, 102900000),
        (1011, 31900000),
        (319, 31900000),
        (1113, 111300000),
        # anchors and references of real files:
        # .preset, .spriteatlas, .lighting, .terrainlayer, .vfx, .asmdef, import log
        (181963792, 2655988077585873504),
        (687078895, 4343727234628468602),
        (850595691, 4890085278179872738),
        (1953259897, 8574412962073106934),
        (2058629509, 8926484042661614526),
        (1153, 5897886265953266890),
        (41386430, 2186277476908879412),
    ],
)
def test_canonical_file_id(number: int, file_id: int) -> None:
    assert classes.canonical_file_id(number) == file_id


@pytest.mark.parametrize(
    ("number", "unity"), [(1153, 1152215463), (1374, 662584278), (1011, 319), (319, 319), (1032, 1032), (28, 28)]
)
def test_numbers_of_databases_are_told_as_those_of_unity(number: int, unity: int) -> None:
    assert classes.unity_number(number) == unity


def test_canonical_file_ids_are_int64() -> None:
    for number in classes._names():
        assert -(2**63) <= classes.canonical_file_id(number) < 2**63


@pytest.mark.parametrize(
    ("extension", "importer", "file_id"),
    [
        ("unity", "DefaultImporter", 102900000),
        ("fbx", "ModelImporter", 100100000),
        ("prefab", "PrefabImporter", 100100000),
        ("shadergraph", "ScriptedImporter", -6465566751694194690),
        ("shadergraph", "ShaderImporter", 4800000),
        ("tss", "ScriptedImporter", -4733365628477956816),
        ("vfx", "VisualEffectImporter", 8926484042661614526),
        ("json", "PackageManifestImporter", 8385607101436470782),
        ("asset", "NativeFormatImporter", 11400000),
        ("mixer", "NativeFormatImporter", 24100000),
        ("spriteLib", "ScriptedImporter", 7108339969198208228),
        ("wlt", "DefaultImporter", 102900000),
        ("glb", "ScriptedImporter", None),
        ("odd", "ShaderImporter", 4800000),
    ],
)
def test_main_file_id(extension: str, importer: str, file_id: int | None) -> None:
    assert kinds.main_file_id(extension, importer) == file_id


@pytest.mark.corpus("unity/BoatAttack")
def test_documents_of_a_real_project_are_called_as_the_table_says(corpus: Path) -> None:
    seen: dict[tuple[int, str], int] = {}
    for path in (corpus / "unity" / "BoatAttack").rglob("*"):
        if path.suffix in {".unity", ".prefab", ".asset", ".mat", ".controller"} and path.is_file():
            for number, name in re.findall(rb"^--- !u!(\d+) &-?\d+[^\n]*\n(\w+):", path.read_bytes(), re.MULTILINE):
                key = int(number), name.decode()
                seen[key] = seen.get(key, 0) + 1
    assert len(seen) > 50
    # a FlareLayer is written as its base class
    odd = {key for key in seen if classes.class_number(key[1]) != key[0] and key != (124, "Behaviour")}
    assert odd == set()
