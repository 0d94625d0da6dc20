"""Candidates of a project for what is in a build: by class and name, by PathID, by path."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.builds.trace import sources as module
from assetdb.builds.trace.contents import UNKNOWN
from assetdb.builds.trace.sources import Source, Sources, path_in_resources
from assetdb.query.snapshots.snapshot import open_project
from assetdb_formats.unityfs.identity import BUILTIN_EXTRA, IMPORTED, NATIVE, builtin_path_id, object_path_id
from tests.assetdb.unity_project import HEAD, guid, make_project, write

if TYPE_CHECKING:
    from assetdb.store.entry import Asset

PLAYER, HEALTH, TILES, BOAT = "Assets/Prefabs/Player.prefab", "Assets/Scripts/Health.cs", "Assets/Art/tiles.png", 6
TABLE = """ModelImporter:
  serializedVersion: 1
  internalIDToNameTable:
  - first:
      43: 4300000
    second: Hull
  - first:
      43: 4300002
    second: Beams.004
  - first:
      1: 100000
    second: Deck
  - first:
      74: 7400000
    second: Sail
  fileIdsGeneration: 1
"""


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Sources:
    root = make_project(tmp_path_factory.mktemp("sources") / "P")
    write(root, "Assets/Art/boat.fbx", BOAT, b"", TABLE)
    write(root, "Assets/Resources/Ui/Same.txt", 30, "a", "TextScriptImporter:\n  userData: \n")
    write(root, "Assets/More/resources/ui/same.png", 31, b"", "TextureImporter:\n  textureType: 0\n  spriteMode: 0\n")
    texture = HEAD + "--- !u!28 &2800000\nTexture2D:\n  m_Name: Noise\n"
    write(root, "Assets/Noise.asset", 32, texture, "NativeFormatImporter:\n  userData: \n")
    gone = HEAD + f"--- !u!114 &11400000\nMonoBehaviour:\n  m_Script: {{fileID: 11500000, guid: {guid(99)}, type: 3}}\n"
    write(root, "Assets/gone.asset", 33, gone + "  m_Name: gone\n", "NativeFormatImporter:\n  userData: \n")
    project = open_project(str(root))
    project.refresh()
    return Sources(project)


def asset(sources: Sources, number: int) -> Asset:
    found = sources.project.assets.by_guid(guid(number))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [
        ("Mesh", "Hull", [(BOAT, 4300000)]),
        ("Mesh", "Beams.004", [(BOAT, 4300002)]),
        ("Mesh", "Beams_004", [(BOAT, 4300002)]),  # as the player of Urbanize has Granary.fbx
        ("AnimationClip", "Sail", [(BOAT, 7400000)]),
        ("GameObject", "Deck", []),  # a usual name is no evidence
        ("Mesh", "Deck", []),
        ("Mesh", "Absent", []),
        ("Sprite", "tiles_second", [(4, -666)]),
        ("Texture2D", "tiles_second", []),
        ("Texture2D", "tiles", [(4, 2800000)]),
        ("Cubemap", "tiles", []),
        ("Health", "data", [(9, 11400000)]),
        ("MonoBehaviour", "data", []),
        ("MonoScript", "Health", [(3, 11500000)]),
    ],
)
def test_objects_by_class_and_name(sources: Sources, kind: str, name: str, expected: list[tuple[int, int]]) -> None:
    found = sources.by_name(kind, name)
    assert [(row.guid, row.file_id) for row in found] == [(guid(number), file_id) for number, file_id in expected]
    assert all(sources.path_of(row.guid) == row.path for row in found)


@pytest.mark.parametrize(
    ("number", "names"),
    [
        (BOAT, {"boatAvatar", "Hull", "Beams.004", "Beams_004", "Sail"}),
        (4, {"tiles", "tiles_first", "tiles_second"}),
        (9, {"data"}),
        (3, {"Health"}),
    ],
)
def test_the_names_of_an_asset_in_a_build(sources: Sources, number: int, names: set[str]) -> None:
    assert sources.names_of(asset(sources, number)) == names


def test_the_class_of_a_main_object(sources: Sources) -> None:
    kinds = {number: sources.kind_of(asset(sources, number)) for number in (4, 9, 32, 33)}
    assert kinds == {4: "Texture2D", 9: "Health", 32: "Texture2D", 33: UNKNOWN}
    assert sources.path_of(guid(99)) == ""


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("Assets/Resources/Ui/Same.txt", "ui/same"),
        ("Assets/More/resources/ui/Same.b.png", "ui/same.b"),
        ("Assets/Resources/A/Resources/deep/x.mat", "deep/x"),
        ("Assets/Resources/bare", "bare"),
        ("Assets/Ressources/x.mat", ""),
        ("Assets/x.mat", ""),
        ("Resources/x.mat", ""),
    ],
)
def test_the_path_by_which_resources_are_loaded(path: str, place: str) -> None:
    assert path_in_resources(path) == place


def test_assets_of_one_path_in_resources_are_all_loadable(sources: Sources) -> None:
    assert {found.guid for found in sources.loadable("ui/same")} == {guid(30), guid(31)}
    assert sources.loadable("ui/other") == []


def test_path_ids_are_hashes_of_guid_type_and_file_id(sources: Sources) -> None:
    """A document that Unity writes itself is of another type than what an importer makes, a prefab included."""
    ids = {number: dict(sources.path_ids(asset(sources, number))) for number in (1, 3, 4, 9, 32, BOAT)}
    assert ids[1][100] == object_path_id(guid(1), IMPORTED, 100)
    assert ids[3] == {11500000: object_path_id(guid(3), IMPORTED, 11500000)}
    assert {555, -666, 2800000, 21300000, 8900000} <= set(ids[4])
    assert ids[9] == {11400000: object_path_id(guid(9), NATIVE, 11400000)}
    assert ids[32][2800000] == object_path_id(guid(32), NATIVE, 2800000)
    assert ids[BOAT][4300000] == object_path_id(guid(BOAT), IMPORTED, 4300000)


def test_path_ids_are_found_in_likely_assets_first(sources: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    sprite, own = object_path_id(guid(4), IMPORTED, -666), builtin_path_id(10300)
    expected = {sprite: Source(guid(4), -666, TILES)}
    assert sources.by_path_id({sprite}, ()) == (expected, True)
    both = {**expected, own: Source("", 10300, BUILTIN_EXTRA)}
    assert sources.by_path_id({sprite, own, 1}, ("Assets/gone too.png",)) == (both, True)
    monkeypatch.setattr(module, "MOST_HASHES", 0)  # one asset is looked at
    assert sources.by_path_id({sprite}, (TILES.upper(),)) == (expected, True)
    assert sources.by_path_id({sprite, 1}, (TILES,)) == (expected, False)
    assert sources.by_path_id({sprite}, (PLAYER,)) == ({}, False)
    assert sources.by_path_id((), ()) == ({}, True)
