"""Names and types that Unity's own asset database gives, and no reading of the files alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

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
LOG = (
    "ModelImporter:\n  internalIDToNameTable:\n  - first:\n      41386430: 2186277476908879412\n"
    "    second: ImportLogs\n"
)


def scriptable(file_id: int) -> str:
    return (
        f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n"
        f"  m_Script: {{fileID: {file_id}, guid: {ENGINE}, type: 0}}\n  m_Name: x\n"
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    root: Path = make_project(tmp_path_factory.mktemp("Game"))
    write(root, "Assets/grass.asset", 201, scriptable(13312), NATIVE)
    write(root, "Assets/odd.asset", 202, scriptable(99), NATIVE)
    write(root, "Assets/Plugins/lib.so", 203, b"\x7fELF", PLUGIN)
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
        (203, -1121539586, "lib.so", "DefaultAsset"),
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
