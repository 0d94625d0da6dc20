"""Paths that a shell has, of a build and of a project, from several working directories."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.builds import open_build
from assetdb.builds.trace.paths import holds_build, objects_at
from assetdb.cli import main
from tests.assetdb.builds import making
from tests.needs import needs_links
from tests.system.graph.project import HEAD, add

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.builds import Build

SCENE = "Assets/Main.unity"
ALL = 10


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "Project"
    (root / "ProjectSettings").mkdir(parents=True)
    add(root, SCENE, f"{HEAD}--- !u!104 &1\nRenderSettings:\n", "DefaultImporter")
    making.player(root / "Out/Game_Data")
    shutil.make_archive(str(root / "Out/game"), "zip", root / "Out", "Game_Data")
    return root


def rows(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    main(["trace", *words, "--json", "-q"])
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def names(build: Build, word: str, cwd: str = "") -> list[str] | None:
    found = objects_at(word, build, cwd)
    return None if found is None else [build.name(number) or str(build.path_ids[number]) for number in found]


@pytest.mark.parametrize(
    ("cwd", "above"),
    [(".", "Out/Game_Data"), ("Assets", "../Out/Game_Data"), ("Out", "Game_Data"), ("Out/Game_Data", ".")],
)
def test_a_path_means_the_same_from_wherever_it_is_given(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, cwd: str, above: str
) -> None:
    monkeypatch.chdir(project / cwd)
    for path in (f"{above}/level0", f"./{above}/level0", str(project / "Out/Game_Data/level0"), "level0"):
        assert [row["path_id"] for row in rows(capsys, path, "--in", above)] == [10, 11, 12, 77], path
    assert [row["path_id"] for row in rows(capsys, f"{above}/level0#11", "--in", above)] == [11]
    assert len(rows(capsys, above, "--in", above)) == ALL
    for path in (
        os.path.relpath(project / SCENE),
        str(project / SCENE),
        SCENE,
        f"{os.path.relpath(project / SCENE)}.meta",
    ):
        assert [row["path"] for row in rows(capsys, path, "--in", above)] == [SCENE], path
    for path in (os.path.relpath(project / "Assets"), os.path.relpath(project), str(project)):
        assert [row["path"] for row in rows(capsys, path, "--in", above)] == [SCENE], path


def test_files_without_objects_mean_those_that_they_have_something_of(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    player = project / "Out/Game_Data"
    (player / "boot.config").write_text("x=1\n")
    build = open_build(player, remember=False)
    assert names(build, str(player / "sharedassets0.assets.resS")) == ["apple", "apple again"]
    assert names(build, str(player / "Managed/Assembly-CSharp.dll")) == ["Picker", "Picker"]
    assert names(build, str(player / "Managed")) == ["Picker", "Picker"]
    assert names(build, str(player / "boot.config")) == []
    assert names(build, str(player / "nothing")) is None
    assert names(build, f"{player}/level0#12345") is None
    assert names(build, "a\0b") is names(build, "") is None
    place = ("--in", str(player), "--project", str(project))
    assert main(["trace", str(player / "boot.config"), *place]) == 1
    assert "boot.config: no object is in it, and none has data in it" in capsys.readouterr().out


def test_names_that_lists_print_mean_files_without_objects(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = ("--in", str(project / "Out/Game_Data"), "--project", str(project))
    for word in ("sharedassets0.assets.resS", "SharedAssets0.assets.ress"):
        assert [(row["file"], row["path_id"]) for row in rows(capsys, word, *place)] == [
            ("sharedassets0.assets", 3),
            ("sharedassets0.assets", 4),
        ]
    for word in ("Managed/Assembly-CSharp.dll", "Assembly-CSharp.dll"):
        assert len(rows(capsys, word, *place)) == 2, word
    assert main(["trace", "Managed/Other.dll", *place]) == 1
    assert "Other.dll" in capsys.readouterr().err
    (project / "Out/Game_Data/boot.config").write_text("x=1\n")
    assert main(["trace", "boot.config", *place]) == 1
    assert "boot.config: no object is in it, and none has data in it" in capsys.readouterr().out


def test_of_a_file_that_was_not_read_only_that_is_said(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    level = project / "Out/Game_Data/level0"
    data = level.read_bytes()
    level.write_bytes(data[:8] + (24).to_bytes(4, "big") + data[12:])
    place = ("--in", str(project / "Out/Game_Data"), "--project", str(project))
    assert main(["trace", "level0", *place]) == 2
    said = capsys.readouterr()
    assert "level0: no object is in what was read of it, and none has data in it" in said.out
    assert "version 24 (Unity 6.7)" in said.err


def test_paths_lead_into_archives(project: Path) -> None:
    build = open_build(project / "Out/game.zip", remember=False)
    for place in ("game.zip", str(project / "Out/game.zip")):
        assert len(objects_at(place, build, str(project / "Out")) or ()) == ALL
        assert names(build, f"{place}/Game_Data/level0", str(project / "Out")) == ["Tree", "11", "12", "Picker"]


def test_a_folder_around_a_build_means_it_and_one_of_the_project_the_project(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    player = str(project / "Out/Game_Data")
    build = open_build(player, remember=False)
    assert holds_build("Out", build, str(project))
    assert not holds_build("Assets", build, str(project))
    assert not holds_build("Ou", build, str(project))
    monkeypatch.chdir(project)
    assert len(rows(capsys, "Out", "--in", player)) == ALL
    assert len(rows(capsys, "..", "--in", player)) == ALL
    assert [row["path"] for row in rows(capsys, ".", "--in", player)] == [SCENE]


@needs_links
def test_links_to_a_build_are_followed_on_either_side(project: Path, tmp_path: Path) -> None:
    player, link = project / "Out/Game_Data", tmp_path / "link"
    link.symlink_to(player)
    for asked, opened in ((link, player), (player, link), (link, link)):
        found = names(open_build(opened, remember=False), str(asked / "level0"))
        assert found == ["Tree", "11", "12", "Picker"], (asked, opened)


def test_of_several_builds_the_path_says_which(project: Path, tmp_path: Path) -> None:
    other = making.player(tmp_path / "Other/Game_Data")
    build = open_build([project / "Out/Game_Data", other], remember=False)
    (first,) = objects_at(f"{project}/Out/Game_Data/level0#10", build) or ()
    (second,) = objects_at(f"{other}/level0#10", build) or ()
    assert build.parts[build.part_of(first)].input.name == str(project / "Out/Game_Data/level0")
    assert build.parts[build.part_of(second)].input.name == str(other / "level0")


def test_resource_data_in_a_bundle_is_asked_for_by_its_own_name(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    cab = "CAB-" + "c" * 32
    textures = [making.Texture(71, "Streamed", b"0123456789abcdef"), making.Material(72, "Plain", ())]
    (project / "Out/trees.bundle").write_bytes(making.bundle(cab, "trees", textures))
    for name in (f"{cab}.resS", f"trees.bundle/{cab}.resS"):
        found = rows(capsys, name, "--in", "Out/trees.bundle")
        assert [(row["path_id"], row["name"]) for row in found] == [(71, "Streamed")], name
    assert {row["path_id"] for row in rows(capsys, cab, "--in", "Out/trees.bundle")} == {1, 71, 72}


@pytest.mark.parametrize("above", ["Game_Data", "Out/Game_Data"])
def test_a_name_may_begin_with_folders_that_the_build_lies_in(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, above: str
) -> None:
    monkeypatch.chdir(project / "Assets")
    player = str(project / "Out/Game_Data")
    found = rows(capsys, f"{above}/Managed/Assembly-CSharp.dll", "--in", player)
    assert [row["class"] for row in found] == ["MonoScript", "MonoScript"]
    others = rows(capsys, "Other_Data/Managed/Assembly-CSharp.dll", "--in", player)
    assert [row["guid"] for row in others] == [None]
