"""Names and types that Unity's own asset database gives, and no reading of the files alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.query.selecting.selector import find_sorted
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import HEAD, guid, make_project, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot

ENGINE = "0000000000000000e000000000000000"
NATIVE = "NativeFormatImporter:\n  userData: \n"
PLUGIN = "PluginImporter:\n  userData: \n"
CUBEMAP = (
    "TextureImporter:\n  internalIDToNameTable:\n  - first:\n      89: 8900000\n    second: generatedCubemap\n"
    "  spriteMode: 0\n  textureType: 0\n"
)
UNITY_5 = "TextureImporter:\n  generateCubemap: 6\n  spriteMode: 0\n  textureType: 3\n"
SHAPE = "TextureImporter:\n  generateCubemap: 6\n  spriteMode: 0\n  textureType: 0\n  textureShape: {}\n"
DEFAULT = "DefaultImporter:\n  userData: \n"
TEXT = "TextScriptImporter:\n  userData: \n"
TREE = "SpeedTreeImporter:\n  hasBillboard: 0\n  lODSettings:\n  - height: .5\n  userData: \n"
TABLE = "  fileIDToRecycleName:\n    100000: Chest\n    100002: //RootNode\n"
LOG = (
    "ModelImporter:\n  internalIDToNameTable:\n  - first:\n      41386430: 2186277476908879412\n"
    "    second: ImportLogs\n"
)


def scriptable(file_id: int, script: str = ENGINE) -> str:
    return (
        f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n"
        f"  m_Script: {{fileID: {file_id}, guid: {script}, type: 0}}\n  m_Name: x\n"
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    root: Path = make_project(tmp_path_factory.mktemp("Game"))
    write(root, "Assets/grass.asset", 201, scriptable(13312), NATIVE)
    write(root, "Assets/Panel.asset", 250, scriptable(19101), NATIVE)
    behind = f"{HEAD}--- !u!28 &-77\nTexture2D:\n  m_Name: Atlas\n{scriptable(19001).removeprefix(HEAD)}"
    write(root, "Assets/Font SDF.asset", 251, behind, NATIVE)
    write(root, "Assets/odd.asset", 202, scriptable(99), NATIVE)
    write(root, "Assets/Plugins/lib.so", 203, b"\x7fELF", PLUGIN)
    write(root, "Assets/StreamingAssets/player.xml", 204, b"<a/>", DEFAULT)
    write(root, "Assets/StreamingAssets/deep/Names.TXT", 220, b"a", TEXT)
    write(root, "Assets/Plugins/Android/assets/a.png", 221, b"", DEFAULT)
    write(root, "Assets/Plugins/iOS/x.plugin/b.json", 222, b"{}", DEFAULT)
    write(root, "Assets/README.md", 223, b"#", DEFAULT)
    write(root, "Assets/CHANGES.md", 224, b"#", TEXT)
    write(root, "Assets/Sky.png", 225, b"", SHAPE.format(2))
    write(root, "Assets/Layers.png", 226, b"", SHAPE.format(4))
    write(root, "Assets/Fog.png", 227, b"", SHAPE.format(8))
    write(root, "Assets/Flat.png", 228, b"", SHAPE.format(1))
    write(root, "Assets/Old.exr", 229, b"", UNITY_5)
    write(root, "Assets/Robot.fbx", 230, b"", f"ModelImporter:\n{TABLE}")
    write(root, "Assets/Palm.spm", 231, b"", TREE)
    write(root, "Assets/Ash.spm", 232, b"", TREE)
    write(root, "Assets/Oak.spm", 233, b"", f"SpeedTreeImporter:\n{TABLE}")
    write(root, "Assets/Intro.playable", 240, scriptable(337831424, "6a10b2909283487f913b00d94cd3faf5"), NATIVE)
    write(root, "Assets/words.xml", 205, b"<a/>", "TextScriptImporter:\n  userData: \n")
    write(root, "Assets/Probe.exr", 206, b"v/1\x01", CUBEMAP)
    write(root, "Assets/man.fbx", 207, b"", LOG)
    write(root, "Assets/skin.asset", 208, scriptable(12001), NATIVE)
    snapshot = open_project(str(root))
    yield snapshot
    snapshot.close()


@pytest.mark.parametrize(
    ("number", "file_id", "name", "kind"),
    [
        (201, 11400000, "grass.asset", "Tile"),
        (201, None, "grass.asset", "Tile"),
        (208, None, "skin.asset", "GUISkin"),
        (202, 11400000, "odd.asset", "MonoBehaviour"),
        (250, 11400000, "Panel.asset", "PanelSettings"),
        (251, None, "Font SDF.asset", "FontAsset"),
        (203, -1121539586, "lib.so", "DefaultAsset"),
        (204, 102900000, "player.xml", "DefaultAsset"),
        (220, 4900000, "Names.TXT", "TextAsset"),
        (221, 102900000, "a.png", "DefaultAsset"),
        (222, 102900000, "b.json", "DefaultAsset"),
        (223, 102900000, "README.md", "DefaultAsset"),
        (224, 4900000, "CHANGES.md", "TextAsset"),
        (225, 8900000, "Sky.png", "Cubemap"),
        (225, None, "Sky.png", "Cubemap"),
        (226, 18700000, "Layers.png", "Texture2DArray"),
        (227, 11700000, "Fog.png", "Texture3D"),
        (228, 2800000, "Flat.png", "Texture2D"),
        (229, 8900000, "Old.exr", "Cubemap"),
        (230, 100000, "Robot.fbx / Chest (GameObject)", "GameObject"),
        (230, 100002, "Robot.fbx (GameObject)", "GameObject"),
        (230, 100100000, "Robot.fbx", "GameObject"),
        (231, 100100000, "Palm.spm", "GameObject"),
        (231, 4300000, "Palm.spm / Palm_LOD0 (Mesh)", "Mesh"),
        (232, 100000, "Ash.spm", "GameObject"),
        (232, 100002, "Ash.spm / Ash_LOD0 (GameObject)", "GameObject"),
        (233, 100000, "Oak.spm / Chest (GameObject)", "GameObject"),
        (240, 11400000, "Intro.playable", "TimelineAsset"),
        (240, None, "Intro.playable", "TimelineAsset"),
        (205, 4900000, "words.xml", "TextAsset"),
        (206, 8900000, "Probe.exr", "Cubemap"),
        (207, 2186277476908879412, "man.fbx / Import Logs (AssetImporterLog)", "AssetImporterLog"),
        (206, -3356979960328723310, "Probe.exr / Import Logs (AssetImporterLog)", "AssetImporterLog"),
    ],
)
def test_a_reference_has_unitys_name_and_class(
    project: Snapshot, number: int, file_id: int | None, name: str, kind: str
) -> None:
    found = project.resolver.name(guid(number), file_id)
    assert (found.name, found.type, found.reason) == (name, kind, "")


def test_only_plug_ins_have_the_main_object_of_plug_ins(project: Snapshot) -> None:
    assert project.resolver.name(guid(205), -1121539586).name == ""


def test_the_first_object_of_a_tree_whose_colliders_come_first_has_no_name(project: Snapshot) -> None:
    found = project.resolver.name(guid(231), 100000)
    assert (found.name, found.reason) == ("", "importer-unknown")


@pytest.mark.parametrize(
    ("kind", "paths"),
    [
        ("tile", ["Assets/grass.asset"]),
        ("GUISkin", ["Assets/skin.asset"]),
        ("TimelineAsset", ["Assets/Intro.playable"]),
        ("GridPalette", []),
        ("Cubemap", ["Assets/Old.exr", "Assets/Sky.png"]),
    ],
)
def test_assets_are_found_by_types_of_the_engine(project: Snapshot, kind: str, paths: list[str]) -> None:
    found = find_sorted("Assets/", project, [kind])
    assert [match.path for match in found if match.file_id is None] == paths
    assert {match.type.casefold() for match in found} <= {kind.casefold()}
    every = [match.path for match in find_sorted("Assets/", project, ["MonoBehaviour"])]
    assert {"Assets/grass.asset", "Assets/skin.asset", "Assets/Intro.playable"} <= set(every)
