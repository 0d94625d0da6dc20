"""Objects of an asset by fileID, with class and name, and the references of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.builds.trace.contents import Contents, Known, stem_of
from assetdb.query.snapshots.snapshot import open_project
from assetdb.unity.importers.managed_dll import script_file_id
from tests.assetdb.unity.importers.dll_writer import TypeRow, dll
from tests.assetdb.unity.importers.fbx_writer import Node, model
from tests.assetdb.unity_project import HEAD, game_object, guid, instance, make_project, stripped, write

if TYPE_CHECKING:
    from pathlib import Path

BUILT_IN = "0000000000000000f000000000000000"
EXTRA = """--- !u!114 &11400000
MonoBehaviour:
  m_CorrespondingSourceObject: {fileID: 1, guid: 11111111111111111111111111111111, type: 3}
  m_PrefabInstance: {fileID: 2}
  m_PrefabAsset: {fileID: 3}
  m_GameObject: {fileID: 4}
  m_Script: {fileID: 11500000, guid: 22222222222222222222222222222222, type: 3}
  m_Name: Odd
  nothing: {fileID: 0}
  own: {fileID: 5}
  again: {fileID: 5}
  other: {fileID: -6, guid: ABCDEF00000000000000000000000001,
    type: 2}
  inner:
    m_Script: {fileID: 7}
  flow: [{fileID:8,guid:abcdef00000000000000000000000001}, {fileID: 9223372036854775807}]
"""


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> Contents:
    root = make_project(tmp_path_factory.mktemp("contents") / "P")
    write(root, "Assets/odd.asset", 20, HEAD + EXTRA, "NativeFormatImporter:\n  userData: \n")
    outer = instance(9000, 2) + instance(9001, 1) + instance(9002, 6) + instance(9003, 21)  # the last is itself
    write(root, "Assets/all.prefab", 21, HEAD + game_object(100, "Root") + outer, "PrefabImporter:\n  userData: \n")
    placed = game_object(100, "Root") + stripped(114, 7, "MonoBehaviour", 1, 300, 9000) + instance(9000, 1)
    write(root, "Assets/placed.prefab", 22, HEAD + placed, "PrefabImporter:\n  userData: \n")
    shader = b'\xef\xbb\xbf// Shader "No"\n\tShader\r\n "Toon/Lit" {'
    write(root, "Assets/toon.shader", 23, shader, "ShaderImporter:\n  userData: \n")
    write(root, "Assets/Sans.v2.ttf", 24, b"\0\1\0\0", "TrueTypeFontImporter:\n  userData: \n")
    write(root, "Assets/Plugin.dll", 25, dll([TypeRow("Acme.Legs", "Walker", 1)]), "PluginImporter:\n  userData: \n")
    crate = model(7400, (Node("Crate", "Mesh"), Node("Lid")))
    write(root, "Assets/crate.fbx", 26, crate, "ModelImporter:\n  fileIdsGeneration: 2\n")
    texture = "--- !u!28 &2800000\nTexture2D:\n  m_Name: Noise\n"
    write(root, "Assets/noise.asset", 27, HEAD + texture, "NativeFormatImporter:\n  userData: \n")
    write(root, "Assets/words.txt", 28, b"words", "TextScriptImporter:\n  userData: \n")
    write(root, "Assets/wall.png", 29, b"", "TextureImporter:\n  spriteMode: 0\n  textureType: 0\n")
    project = open_project(str(root))
    project.refresh()
    return Contents(project)


def test_objects_of_a_text_asset_are_those_that_are_no_placeholders(contents: Contents) -> None:
    assert dict(contents.objects(guid(22))) == {
        100: Known("GameObject", "Root"),
        101: Known("Transform", ""),
        9000: Known("Prefab", ""),
    }


def test_an_object_of_a_script_has_its_class_or_that_of_all(contents: Contents) -> None:
    assert contents.objects(guid(9))[11400000] == Known("Health", "data")
    assert dict(contents.objects(guid(20))) == {11400000: Known("MonoBehaviour", "Odd")}


@pytest.mark.parametrize(
    ("file_id", "script", "kind"),
    [
        (11500000, "", ""),
        (11500000, guid(3), "Health"),
        (11500000, guid(99), ""),
        (script_file_id("Acme.Legs", "Walker"), guid(25), "Walker"),
        (10905, BUILT_IN, "UISprite"),
        (99, BUILT_IN, ""),
    ],
)
def test_the_class_of_a_script(contents: Contents, file_id: int, script: str, kind: str) -> None:
    assert contents.script_kind(file_id, script) == kind


def test_a_picture_may_be_any_texture_and_a_sprite(contents: Contents) -> None:
    icon = contents.objects(guid(5))
    assert (icon[2800000], icon[8900000]) == (Known("Texture2D", "icon"), Known("Cubemap", "icon"))
    assert icon[21300000].kind == "Sprite"
    tiles = contents.objects(guid(4))
    assert tiles[555] == Known("Sprite", "tiles_first")
    assert contents.objects(guid(29))[21300000] == Known("Sprite", "wall")
    assert dict(contents.objects(guid(27))) == {2800000: Known("Texture2D", "Noise")}  # nothing is made of it


def test_main_objects_that_importers_make(contents: Contents) -> None:
    assert contents.objects(guid(23))[4800000] == Known("Shader", "Toon/Lit")
    fonts = contents.objects(guid(24))
    assert (fonts[12800000], fonts[2800000]) == (Known("Font", "Sans.v2"), Known("Texture2D", "Font Texture"))
    assert 9000000 not in fonts
    assert contents.objects(guid(28))[4900000] == Known("TextAsset", "words")
    assert contents.objects(guid(99)) == {}


def test_objects_of_a_model_have_the_last_part_of_their_path_or_the_name_of_the_file(contents: Contents) -> None:
    crate = set(contents.objects(guid(26)).values())
    assert {Known("GameObject", name) for name in ("crate", "Crate", "Lid")} <= crate
    assert Known("Avatar", "crateAvatar") in crate
    assert contents.objects(guid(6))[9000000] == Known("Avatar", "boatAvatar")
    assert Known("Texture2D", "crate") not in crate


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('Shader "A b"{', "A b"),
        ('\n \t Shader\t"A"', "A"),
        ('x Shader "A"', ""),
        ('Shader ""', ""),
        ('Shader "A\nB"', ""),
        ('Shader "A', ""),
        (f'Shader "{"a" * 512}"', "a" * 512),
        (f'Shader "{"a" * 513}"', ""),
        (" " * 65527 + 'Shader "A"', ""),
        (" " * 65526 + 'Shader "A"', "A"),
    ],
    ids=range(10),
)
def test_the_name_in_a_shader_is_near_its_beginning(tmp_path: Path, text: str, name: str) -> None:
    for folder in ("Assets", "ProjectSettings"):
        (tmp_path / folder).mkdir()
    (tmp_path / "a.shader").write_bytes(text.encode())
    assert Contents(open_project(str(tmp_path))).shader_name("a.shader") == name


def test_the_name_of_a_shader_that_is_gone_or_in_another_encoding(tmp_path: Path) -> None:
    for folder in ("Assets", "ProjectSettings"):
        (tmp_path / folder).mkdir()
    (tmp_path / "a.shader").write_bytes(b'Shader "\xff"')
    found = Contents(open_project(str(tmp_path)))
    assert (found.shader_name("a.shader"), found.shader_name("b.shader")) == ("\ufffd", "")


def test_references_of_an_object_are_its_own_fields_each_once(contents: Contents) -> None:
    other = "abcdef00000000000000000000000001"
    expected = ((guid(20), 5), (other, -6), (guid(20), 7), (other, 8), (guid(20), 9223372036854775807))
    assert contents.references(guid(20), 11400000) == expected
    assert contents.references(guid(20), None) == expected
    assert contents.references(guid(20), 11400000) is contents.references(guid(20), 11400000)


def test_references_of_an_object_leave_out_those_of_its_neighbours(contents: Contents) -> None:
    assert contents.references(guid(1), 300) == ()
    assert contents.references(guid(1), 101) == ()
    assert set(contents.references(guid(1), 400)) == {(guid(1), 401)}
    assert (guid(1), 401) in contents.references(guid(1), None)


def test_references_of_what_a_prefab_places_are_in_the_prefab_and_all_its_sources(contents: Contents) -> None:
    whole = contents.references(guid(21), None)
    assert contents.references(guid(21), 9000 ^ 300) == whole
    assert len(set(whole)) == len(whole)
    assert {(guid(21), 101), (guid(2), 101), (guid(1), 401), (guid(6), 4300000)} <= set(whole)
    assert contents.references(guid(21), 100) == ((guid(21), 101),)


def test_an_imported_object_may_refer_to_any_of_its_asset(contents: Contents) -> None:
    expected = {(guid(26), file_id) for file_id in contents.objects(guid(26))}
    assert set(contents.references(guid(26), None)) == expected
    assert set(contents.references(guid(26), 100000)) == expected
    assert contents.references(guid(99), None) == ()


@pytest.mark.parametrize(
    ("path", "stem"), [("a/b.c.png", "b.c"), ("b.png", "b"), ("a.b/c", "c"), ("a/.png", ".png"), ("c", "c")]
)
def test_a_stem_is_the_name_without_the_last_extension(path: str, stem: str) -> None:
    assert stem_of(path) == stem
