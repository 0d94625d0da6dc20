"""What a content directory lacks by its layout, where several lie together."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

from assetdb.builds import open_build, verify
from assetdb_formats.unityfs.content_layout import content_hash
from tests.assetdb.builds.content_directories import (
    MANIFEST,
    PIXELS,
    A,
    B,
    material,
    rows,
    texture,
    write_content,
    write_layout,
    write_manifest,
)
from tests.assetdb.builds.making import Material, bundle, player

if TYPE_CHECKING:
    from pathlib import Path


def test_two_content_directories_have_a_manifest_each(tmp_path: Path) -> None:
    """A file may refer to another version of its neighbour in each, though its own bytes are equal."""
    for name, green in (("old", A), ("new", "9" * 32)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / f"{green}.cf").write_bytes(texture())
        (folder / f"{B}.cf").write_bytes(material())
        files = rows()
        files[1]["ContentHash"] = green
        write_manifest(folder, files)
    build = open_build(tmp_path, remember=False)
    assert not [text for text in verify(build).findings if PIXELS not in text]
    leaves = [item.number for item in build.objects() if item.name == "Leaf"]
    targets = [build.references(number)[1].target for number in leaves]
    folders = [build.files[build.file_of(number)].name.partition("/")[0] for number in leaves]
    assert [build.files[build.file_of(number)].name.partition("/")[0] for number in targets] == folders


def test_a_manifest_names_files_that_are_gone(tmp_path: Path) -> None:
    (tmp_path / f"{B}.cf").write_bytes(material())
    write_manifest(tmp_path, rows())
    found = list(verify(open_build(tmp_path, remember=False)).findings)
    assert f"{MANIFEST}.json: {A} is not in the build" in found


def test_two_objects_with_one_number_are_told_by_the_file_in_its_archive(tmp_path: Path) -> None:
    leaves = [Material(7, "Leaf", ()), Material(7, "Twin", ())]
    (tmp_path / "trees.bundle").write_bytes(bundle("CAB-trees", "trees", leaves))
    assert "trees.bundle/CAB-trees: 2 objects have PathID 7" in verify(open_build(tmp_path, remember=False)).findings


def test_pixels_that_the_layout_names_are_compared_with_the_hash_of_their_name(tmp_path: Path) -> None:
    folder, other = write_content(tmp_path / "Content"), content_hash([b"other"])
    (folder / f"{other}.resS").write_bytes(b"other")
    write_layout(folder, {PIXELS: ("resS", 48), other: ("resS", 5)})
    found = verify(open_build(tmp_path, remember=False)).findings
    assert f"Content/{PIXELS}.resS: was changed: the hash of its content is {content_hash([bytes(48)])}" in found
    assert not [text for text in found if other in text]


def test_a_scene_of_the_player_without_its_level_is_missing(tmp_path: Path) -> None:
    """Nothing refers to a level: a copy of pixel-adventure without level1 was called complete."""
    game = player(tmp_path / "Game_Data", scenes=("Assets/Main.unity", "Assets/Cave.unity"))
    assert list(verify(open_build(game, remember=False)).findings) == [
        "level1 is not in the build; globalgamemanagers lists it as scene Assets/Cave.unity"
    ]
    shutil.copy(game / "level0", game / "level1")
    assert not verify(open_build(game, remember=False)).findings
    (game / "level1").write_bytes((game / "level0").read_bytes()[:100])
    assert not [text for text in verify(open_build(game, remember=False)).findings if "lists it" in text]


def test_a_level_is_looked_for_beside_its_own_player(tmp_path: Path) -> None:
    for name in ("One_Data", "Two_Data"):
        player(tmp_path / name, scenes=("Assets/Main.unity", "Assets/Cave.unity"))
    shutil.copy(tmp_path / "One_Data/level0", tmp_path / "One_Data/level1")
    found = verify(open_build(tmp_path, remember=False)).findings
    listed = [text for text in found if "lists it" in text]
    assert listed == ["level1 is not in the build; Two_Data/globalgamemanagers lists it as scene Assets/Cave.unity"]


def test_an_assembly_that_the_player_lists_is_missing_beside_others(tmp_path: Path) -> None:
    game = player(tmp_path / "Game_Data")
    listed = json.dumps({"names": ["Assembly-CSharp.dll", "Game.Rules.dll"], "types": [16, 16]})
    (game / "ScriptingAssemblies.json").write_text(listed, "utf-8")
    assert list(verify(open_build(game, remember=False)).findings) == [
        "Game.Rules.dll is not in the build; ScriptingAssemblies.json lists it"
    ]
    shutil.rmtree(game / "Managed")  # as with IL2CPP
    assert not verify(open_build(game, remember=False)).findings


def test_a_player_of_il2cpp_with_a_folder_managed_lacks_no_assembly(tmp_path: Path) -> None:
    """On Android and iOS the metadata are in it: all assemblies of such a player were called missing."""
    game = player(tmp_path / "Game_Data")
    listed = json.dumps({"names": ["Assembly-CSharp.dll", "Game.Rules.dll"], "types": [16, 16]})
    (game / "ScriptingAssemblies.json").write_text(listed, "utf-8")
    shutil.rmtree(game / "Managed")
    for place in ("Metadata/global-metadata.dat", "Resources/mscorlib.dll-resources.dat"):
        (game / "Managed" / place).parent.mkdir(parents=True)
        (game / "Managed" / place).write_bytes(bytes(64))
    assert not verify(open_build(game, remember=False)).findings


def test_a_file_that_is_cut_off_is_not_called_absent(tmp_path: Path) -> None:
    game = player(tmp_path / "Game_Data")
    (game / "sharedassets0.assets").write_bytes((game / "sharedassets0.assets").read_bytes()[:100])
    found = verify(open_build(game, remember=False)).findings
    assert "sharedassets0.assets could not be read; globalgamemanagers and 1 more refer to it" in found
    assert not [text for text in found if "is not in the build" in text]
