from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assetdb.diagnostics.codes import REASONS
from assetdb.query.snapshots.snapshot import open_project
from assetdb.resolve.main_documents import _main_of_meta
from assetdb.resolve.resolver import Resolver
from assetdb.unity.engine.file_ids import hashed_id
from assetdb.unity.importers.managed_dll import script_file_id
from tests.assetdb.unity.importers.dll_writer import TypeRow, dll
from tests.assetdb.unity_project import HEAD, MASK, game_object, guid, instance, make_project, stripped, write

if TYPE_CHECKING:
    from collections.abc import Iterator

PREFAB = "PrefabImporter:\n  userData: \n"


@pytest.fixture
def resolver(tmp_path: Path) -> Iterator[Resolver]:
    opened = open_project(str(make_project(tmp_path)))
    yield opened.resolver
    opened.close()


@pytest.mark.parametrize(
    ("number", "file_id", "name", "kind"),
    [
        (1, 100100000, "Player.prefab", "Prefab"),
        (1, None, "Player.prefab", "Prefab"),
        (1, 100, "Player.prefab (GameObject)", "GameObject"),
        (1, 201, "Player.prefab / Body (Transform)", "Transform"),
        (1, 300, "Player.prefab / Body (Health)", "Health"),
        (1, 400, "Player.prefab / Body / Head #1 (GameObject)", "GameObject"),
        (2, 7000 ^ 100, "Level.prefab / Hero (GameObject)", "GameObject"),
        (2, 7000 ^ 300, "Level.prefab / Hero / Body (Health)", "Health"),
        (2, 7000 ^ 201, "Level.prefab / Hero / Body (Transform)", "Transform"),
        (2, 501, "Level.prefab / Hero / Body / Sword (Transform)", "Transform"),
        (8, 8000 ^ 501, "Main.unity / Level / Hero / Body / Sword (Transform)", "Transform"),
        (8, 102900000, "Main.unity", "SceneAsset"),
        (3, 11500000, "Health.cs", "MonoScript"),
        (4, 2800000, "tiles.png", "Texture2D"),
        (4, 21300000, "tiles.png / tiles_first (Sprite)", "Sprite"),
        (4, -666, "tiles.png / tiles_second (Sprite)", "Sprite"),
        (5, 21300000, "icon.png / icon (Sprite)", "Sprite"),
        (6, 4300000, "boat.fbx / Hull (Mesh)", "Mesh"),
        (9, 11400000, "data.asset", "Health"),
        (10, 102900000, "Art", "Folder"),
        (12, 11500000, "Tool.cs [com.acme.tools]", "MonoScript"),
    ],
)
def test_names(resolver: Resolver, number: int, file_id: int | None, name: str, kind: str) -> None:
    found = resolver.name(guid(number), file_id)
    assert (found.name, found.type, found.reason) == (name, kind, "")


@pytest.mark.parametrize(
    ("number", "file_id", "override", "reason"),
    [
        (1, 12345, False, "dangling"),
        (1, 12345, True, "stale-override"),
        (7, 2100000, False, "lfs-pointer"),
        (11, 2100000, False, "target-absent"),
        (77, 1, False, "missing-asset"),
    ],
)
def test_reasons(resolver: Resolver, number: int, file_id: int, override: bool, reason: str) -> None:  # noqa: FBT001 - a row
    found = resolver.name(guid(number), file_id, override=override)
    assert (found.name, found.reason) == ("", reason)
    assert reason in REASONS


def test_a_guid_may_be_in_a_package_that_is_not_here(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    (root / "Packages" / "manifest.json").write_text('{"dependencies": {"com.acme.other": "2.0.0"}}')
    opened = open_project(str(root))
    assert opened.resolver.name(guid(77), 1).reason == "package-not-present"
    opened.close()


TEXT_MESH = "f4688fdb7df04437aeb418b961361dc5"


@pytest.mark.parametrize(
    ("required", "standing", "reason"),
    [
        ("com.unity.textmeshpro", "not here", "package-not-present"),
        ("com.acme.secret", "not here", "package-not-present"),  # which may need it
        ("com.unity.modules.ui", "not required", "missing-asset"),
    ],
)
def test_a_public_package_is_known_without_being_here(
    resolver: Resolver, required: str, standing: str, reason: str
) -> None:
    manifest = Path(resolver.root, "Packages/manifest.json")
    manifest.write_text(f'{{"dependencies": {{"{required}": "3.0.6"}}}}')
    found = resolver.name(TEXT_MESH, 11500000)
    assert found.name == f"TextMeshProUGUI.cs [com.unity.textmeshpro: {standing}]"
    assert found.path == "Packages/com.unity.textmeshpro/Scripts/Runtime/TextMeshProUGUI.cs"
    assert (found.type, found.reason) == ("MonoScript", "")
    assert resolver.name(TEXT_MESH, None).name == found.name
    inside = resolver.name(TEXT_MESH, 7)
    assert (inside.name, inside.path, inside.reason) == ("", found.path, reason)


def test_a_script_of_a_package_that_is_not_here_gives_its_type(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    text = f"--- !u!114 &11400000\nMonoBehaviour:\n  m_Script: {{fileID: 11500000, guid: {TEXT_MESH}, type: 3}}\n"
    write(root, "Assets/label.asset", 30, HEAD + text + "  m_Name: label\n")
    opened = open_project(str(root))
    assert opened.resolver.name(guid(30), 11400000).type == "TextMeshProUGUI"
    opened.close()


@pytest.mark.parametrize("assembly", ["f70555f144d8491a825f0804e09c671c", "f5f67c52d1564df4a8936ccd202a3bd8"])
def test_scripts_of_the_editors_own_dll(resolver: Resolver, assembly: str) -> None:
    for number, name in ((-765806418, "Image"), (708705254, "Text"), (1392445389, "Button")):
        found = resolver.name(assembly, number)
        assert found.name == f"UnityEngine.UI.dll [Unity editor] / UnityEngine.UI.{name} (MonoScript)"
    assert resolver.name(assembly, 5).reason == "importer-unknown"


@pytest.mark.parametrize(
    ("extension", "file_id"),
    [
        ("spriteLib", 7108339969198208228),
        ("vfx", 8926484042661614526),
        ("vfxoperator", 5371698745253816930),
        ("vfxblock", 5371698748595113096),
    ],
)
def test_main_objects_that_no_document_stands_for(tmp_path: Path, extension: str, file_id: int) -> None:
    root = make_project(tmp_path)
    text = "--- !u!114 &114\nMonoBehaviour:\n  m_Name: part\n"
    write(root, f"Assets/thing.{extension}", 31, HEAD + text)
    opened = open_project(str(root))
    assert opened.resolver.name(guid(31), file_id).name == f"thing.{extension}"
    assert opened.resolver.name(guid(31), file_id + 1).reason == "dangling"
    opened.close()


def test_sprites_of_a_layered_file(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    importer = "ScriptedImporter:\n  layeredSpriteImportData:\n  - name: arm\n"
    importer += "    spriteID: 752525a065c5b42788ca0a700de3c59c\n"
    write(root, "Assets/knight.psb", 32, b"8BPS", importer)
    opened = open_project(str(root))
    sprite = hashed_id("Sprite", "752525a065c5b42788ca0a700de3c59c")
    assert opened.resolver.name(guid(32), sprite).name == "knight.psb / arm (Sprite)"
    assert opened.resolver.name(guid(32), 5).reason == "importer-unknown"
    opened.close()


def test_sprites_of_a_layered_file_whose_meta_begins_with_the_choice_of_its_importer(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    override = (
        "importerOverride:\n  nativeImporterType: 2089858483\n  scriptedImporterType:\n    serializedVersion: 2\n"
    )
    importer = "ScriptedImporter:\n  layeredSpriteImportData:\n  - name: arm\n"
    importer += "    spriteID: 752525a065c5b42788ca0a700de3c59c\n"
    write(root, "Assets/knight.psd", 32, b"8BPS", override + importer)
    opened = open_project(str(root))
    sprite = hashed_id("Sprite", "752525a065c5b42788ca0a700de3c59c")
    assert opened.resolver.name(guid(32), sprite).name == "knight.psd / arm (Sprite)"
    opened.close()


def test_a_root_of_a_scene_is_named_even_if_it_is_called_like_the_scene(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    body = game_object(100, "Arena") + game_object(200, "Door", 101) + game_object(300, "Door")
    write(root, "Assets/Arena.unity", 32, HEAD + body)
    write(root, "Assets/Arena.prefab", 33, HEAD + body, PREFAB)
    opened = open_project(str(root))
    name = opened.resolver.name
    assert name(guid(32), 100).name == "Arena.unity / Arena (GameObject)"
    assert name(guid(32), 200).name == "Arena.unity / Arena / Door (GameObject)"
    assert name(guid(32), 300).name == "Arena.unity / Door (GameObject)"
    assert name(guid(33), 200).name == "Arena.prefab / Door (GameObject)"
    opened.close()


def test_built_in(resolver: Resolver) -> None:
    default = "0000000000000000e000000000000000"
    assert resolver.name(default, 10202).name == "unity default resources / Cube (Mesh)"
    assert resolver.name(default, 999_999_999).reason == "built-in-unnamed"
    assert resolver.name("0000000000000000d000000000000000", -5).name == "unity editor resources / -5"


def test_scripts_in_a_dll(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    write(root, "Assets/Plugin.dll", 20, dll([TypeRow("Acme", "Walker", 1)]), "PluginImporter:\n  userData: \n")
    opened = open_project(str(root))
    found = opened.resolver.name(guid(20), script_file_id("Acme", "Walker"))
    assert (found.name, found.type) == ("Plugin.dll / Acme.Walker (MonoScript)", "MonoScript")
    assert opened.resolver.name(guid(20), 17).reason == "dangling"
    opened.close()


def test_without_a_database_every_meta_is_read(tmp_path: Path) -> None:
    resolver = Resolver(str(make_project(tmp_path)), None)
    assert resolver.name(guid(2), 7000 ^ 300).name == "Level.prefab / Hero / Body (Health)"
    assert resolver.name(guid(12), 11500000).path == "Packages/com.acme.tools/Tool.cs"


def test_a_stale_database_gives_names_of_the_files_as_they_are(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    opened = open_project(str(root))
    write(root, "Assets/Prefabs/Player.prefab", 1, HEAD + game_object(100, "Someone"), PREFAB)
    assert opened.resolver.name(guid(1), 100).name == "Player.prefab / Someone (GameObject)"
    assert opened.resolver.name(guid(1), 300).reason == "dangling"
    opened.close()


# --- hostile projects


def test_prefabs_that_nest_themselves_and_each_other(tmp_path: Path) -> None:
    write(tmp_path, "Assets/Self.prefab", 1, HEAD + game_object(100, "Self") + instance(9, 1, 101), PREFAB)
    write(tmp_path, "Assets/A.prefab", 2, HEAD + game_object(100, "A") + instance(9, 3, 101), PREFAB)
    write(tmp_path, "Assets/B.prefab", 3, HEAD + game_object(100, "B") + instance(9, 2, 101), PREFAB)
    resolver = Resolver(str(tmp_path), None)
    assert resolver.name(guid(1), 9 ^ 100).name == "Self.prefab / Self (GameObject)"
    assert resolver.name(guid(2), 9 ^ 100).name == "A.prefab / B (GameObject)"
    for number in (1, 2, 3):
        assert resolver.name(guid(number), 1 << 40).reason == "dangling"


def test_transforms_and_stripped_objects_that_go_in_circles(tmp_path: Path) -> None:
    circle = game_object(100, "A", 201) + game_object(200, "B", 101)
    circle += stripped(1, 300, "GameObject", 1, 300, 9) + instance(9, 1, 301)
    circle += stripped(4, 301, "Transform", 1, 301, 9)
    write(tmp_path, "Assets/Circle.prefab", 1, HEAD + circle, PREFAB)
    resolver = Resolver(str(tmp_path), None)
    assert resolver.name(guid(1), 100).name == "Circle.prefab / B / A (GameObject)"
    assert resolver.name(guid(1), 300).reason == "dangling"


@pytest.mark.long
def test_ten_thousand_transforms_and_prefabs_deep(tmp_path: Path) -> None:
    depth = 10_000
    chain = "".join(game_object(10 * n, f"n{n}", 10 * n - 9 if n > 1 else 0) for n in range(1, depth + 1))
    write(tmp_path, "Assets/Deep.prefab", 1, HEAD + chain, PREFAB)
    resolver = Resolver(str(tmp_path), None)
    found = resolver.name(guid(1), 10 * depth).name.split(" / ")
    assert found[-1] == f"n{depth} (GameObject)"
    assert found[1] == "..."
    assert len(found) == 65


@pytest.mark.parametrize("depth", [300, pytest.param(10_000, marks=pytest.mark.long)])
def test_prefabs_nested_in_each_other(tmp_path: Path, depth: int) -> None:
    (tmp_path / "Assets").mkdir()
    write(tmp_path, "Assets/p0.prefab", 1000, HEAD + game_object(100, "Core"), PREFAB)
    file_id = 100
    numbers = random.Random(1)
    for number in range(1, depth + 1):
        placed = numbers.getrandbits(62)
        write(tmp_path, f"Assets/p{number}.prefab", 1000 + number, HEAD + instance(placed, 999 + number), PREFAB)
        file_id ^= placed
    resolver = Resolver(str(tmp_path), None)
    assert resolver.name(guid(1000 + depth), file_id & MASK).name == f"p{depth}.prefab / Core (GameObject)"
    assert resolver.name(guid(1000 + depth), 77).reason == "dangling"


def test_two_instances_a_level_do_not_take_forever(tmp_path: Path) -> None:
    write(tmp_path, "Assets/p0.prefab", 1000, HEAD + game_object(100, "Core"), PREFAB)
    numbers = random.Random(1)
    placed = 0
    for number in range(1, 60):
        placed = numbers.getrandbits(62)
        body = instance(placed, 999 + number) + instance(numbers.getrandbits(62), 999 + number)
        write(tmp_path, f"Assets/p{number}.prefab", 1000 + number, HEAD + body, PREFAB)
        if number == 1:
            first = placed
    resolver = Resolver(str(tmp_path), None)
    assert resolver.name(guid(1059), 3).reason == "dangling"
    assert resolver.name(guid(1001), 100 ^ first).name == "p1.prefab / Core (GameObject)"


@pytest.mark.parametrize(
    "data", [b"", b"\0" * 50, b"--- !u!1 &5", b"--- !u!x &y\n", b"--- !u!1 &99999999999999999999\n", b"\xff\xfe"]
)
def test_damaged_files(tmp_path: Path, data: bytes) -> None:
    write(tmp_path, "Assets/x.prefab", 1, data, PREFAB)
    found = Resolver(str(tmp_path), None).name(guid(1), 5)
    assert found.reason in REASONS or found.name


@pytest.mark.parametrize(
    ("line", "main"),
    [("  mainObjectFileID: 114\n", 114), ("  mainObjectFileID: -12\n", -12), ("", None)],
)
def test_the_main_object_is_the_one_of_the_meta(tmp_path: Path, line: str, main: int | None) -> None:
    (tmp_path / "a.asset.meta").write_text(f"fileFormatVersion: 2\nNativeFormatImporter:\n{line}  userData: \n")
    assert _main_of_meta(str(tmp_path / "a.asset")) == main


def test_objects_above_the_bound_are_read_again(tmp_path: Path) -> None:
    root = str(make_project(tmp_path))
    bounded, unbounded = Resolver(root, None, most_objects=0), Resolver(root, None)
    assert unbounded.content(guid(1)) is unbounded.content(guid(1))
    first = unbounded.content(guid(1))
    unbounded.content(guid(2))
    assert unbounded.content(guid(1)) is first
    first = bounded.content(guid(1))
    bounded.content(guid(2))
    assert bounded.content(guid(1)) is not first
