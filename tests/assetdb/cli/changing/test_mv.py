"""``assetdb mv`` as it is typed."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.unity.importers.fbx_writer import Node, model
from tests.assetdb.unity_project import HEAD, guid, write
from tests.needs import ignores_case, needs_byte_names

if TYPE_CHECKING:
    from pathlib import Path


def test_what_was_moved_keeps_its_guid(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mv", "Assets/Prefabs/Player.prefab", "Assets/Main.unity", "Assets/Scripts"]) == 0
    found = capsys.readouterr()
    assert found.out == (
        "Assets/Prefabs/Player.prefab -> Assets/Scripts/Player.prefab\nAssets/Main.unity -> Assets/Scripts/Main.unity\n"
    )
    assert found.err == "".join(
        ["assetdb: Assets/Scripts has no meta (`assetdb register Assets/Scripts` writes one)\n"] * 2
    )
    assert main(["path", guid(1)]) == 0
    assert capsys.readouterr().out == "Assets/Scripts/Player.prefab\n"
    assert main(["mv", "Assets/Scripts/Player.prefab", "Assets/Prefabs/Player.prefab", "-q"]) == 0


def test_a_folder_is_renamed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project / "Assets")
    assert main(["mv", "Art", "Pictures"]) == 0
    assert (project / "Assets/Pictures.meta").read_text().split("\n")[1] == f"guid: {guid(10)}"
    assert (project / "Assets/Pictures/tiles.png.meta").exists()


def test_json_and_nothing_moved(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["mv", "Assets/Scripts/Health.cs", "Assets/Life.cs"]
    assert main([*words, "--json", "--dry-run"]) == 0
    assert list(map(json.loads, capsys.readouterr().out.splitlines())) == [
        {"from": "Assets/Scripts/Health.cs", "to": "Assets/Life.cs", "meta": True},
        {"removed": "Assets/Scripts"},
    ]
    assert main([*words, "--dry-run"]) == 0
    assert "rename from Assets/Scripts/Health.cs.meta\nrename to Assets/Life.cs.meta\n" in capsys.readouterr().out
    assert (project / "Assets/Scripts/Health.cs").exists()
    assert not (project / "Assets/Life.cs").exists()


def test_what_unity_makes_of_it_is_said(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "Assets/Samples~").mkdir()
    assert main(["mv", "Assets/Art/icon.png", "Assets/Samples~"]) == 0
    assert "Unity does not see Samples~" in capsys.readouterr().err
    assert main(["mv", "Assets/Samples~/icon.png", "Assets/Art"]) == 0
    assert "was not seen by Unity in Samples~, and is from now on" in capsys.readouterr().err
    (project / "Assets/Art/new.txt").write_text("")
    assert main(["mv", "Assets/Art/new.txt", "Assets/Art/newer.txt"]) == 0
    assert "had no meta (`assetdb register Assets/Art/newer.txt` writes one)" in capsys.readouterr().err


def test_a_folder_goes_with_its_last_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "Assets/Lone").mkdir()
    (project / "Assets/Lone/a.txt").write_text("x")
    assert main(["mv", "Assets/Lone/a.txt", "Assets/Lone/b.txt"]) == 0
    assert "empty" not in capsys.readouterr().err
    assert main(["mv", "Assets/Lone/b.txt", "Assets/Art"]) == 0
    done = capsys.readouterr()
    assert done.out == "Assets/Lone/b.txt -> Assets/Art/b.txt\nremoved Assets/Lone\n"
    assert "Assets/Lone is empty then, and git keeps no empty folder: it goes with its meta\n" in done.err
    assert not (project / "Assets/Lone").exists()


def test_special_folders_are_said(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in ("Assets/Resources/UI", "Assets/Editor"):
        (project / path).mkdir(parents=True)
    for path in ("Assets/Resources", "Assets/Resources/UI", "Assets/Editor", "Assets/Scripts"):
        (project / path / ".gitkeep").touch()
    said = []
    for source, target in (
        ("Assets/Art/icon.png", "Assets/Resources/icon.png"),
        ("Assets/Resources/icon.png", "Assets/Resources/UI/icon.png"),
        ("Assets/Resources/UI/icon.png", "Assets/Art/icon.png"),
        ("Assets/Scripts/Health.cs", "Assets/Editor/Health.cs"),
        ("Assets/Editor/Health.cs", "Assets/Scripts/Health.cs"),
    ):
        assert main(["mv", source, target]) == 0
        said.append(capsys.readouterr().err)
    assert 'every build has it, and scripts load it as "icon"\n' in said[0]
    assert 'scripts load it as "UI/icon" instead of "icon"' in said[1]
    assert 'Resources.Load("UI/icon") does not find it' in said[2]
    assert "is below Editor: scripts without an assembly definition" in said[3]
    assert "is below no Editor folder any more" in said[4]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["Assets/Art"], "name the files to move, and the target"),
        (["Assets/Art/icon.png", "Assets/Art/tiles.png"], "already exists, and is not overwritten"),
        (["Assets/Art/none.png", "Assets"], "no such file or folder"),
        (["Assets/Art/icon.png", "/elsewhere"], "is not in the project"),
    ],
)
def test_what_cannot_be_moved(
    project: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert main(["mv", *words]) == 2
    assert message in capsys.readouterr().err
    assert (project / "Assets/Art/icon.png.meta").exists()


def test_what_a_model_finds_by_name_is_said_before(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = "ModelImporter:\n  materials:\n    materialName: 1\n    materialSearch: 0\n"
    write(project, "Assets/car.fbx", 61, model(7400, (Node("A", "Mesh", (), ("Red",)),)), settings)
    text = f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: Red\n"
    write(project, "Assets/Materials/Red.mat", 62, text, "NativeFormatImporter:\n  userData: \n")
    words = ["mv", "Assets/Materials/Red.mat", "Assets/Materials/Blue.mat"]
    place = "Assets/car.fbx", "Assets/Materials/Red.mat"
    assert main([*words, "--dry-run"]) == 0
    said = capsys.readouterr().err
    assert "found by name, and not any more after the move" in said
    assert f"{place[0]}  found by name  -> {place[1]}\n" in said
    assert main([*words, "--dry-run", "--json", "-q"]) == 0
    cut, move = map(json.loads, capsys.readouterr().out.splitlines())
    assert (cut["path"], cut["refers_to"]) == place
    assert move["to"] == "Assets/Materials/Blue.mat"
    assert main(["mv", "Assets/Materials/Red.mat", "Assets/Materials/red.mat"]) == 0
    assert main(["mv", "Assets/Art", "Assets/Pictures"]) == 0
    assert "found by name" not in capsys.readouterr().err


def test_read_only_files_are_moved_and_stay_read_only(project: Path) -> None:
    """Every file of a project in Perforce is read-only until it is checked out."""
    for name in ("icon.png", "icon.png.meta"):
        (project / "Assets/Art" / name).chmod(0o444)
    assert main(["mv", "Assets/Art/icon.png", "Assets/Scripts"]) == 0
    moved = [project / "Assets/Scripts" / name for name in ("icon.png", "icon.png.meta")]
    assert [path.stat().st_mode & 0o222 for path in moved] == [0, 0]
    assert not [path.name for path in (project / "Assets/Art").iterdir() if "icon.png" in path.name]


def test_paths_in_another_case_are_those_of_the_files(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if not ignores_case(project):
        assert main(["mv", "assets/ART/icon.png", "assets/SCRIPTS/Icon.png"]) == 2
        assert "assets/ART/icon.png: no such file or folder" in capsys.readouterr().err
        return
    assert main(["mv", "assets/ART/icon.png", "assets/SCRIPTS/Icon.png", "-q"]) == 0
    assert capsys.readouterr().out == "Assets/Art/icon.png -> Assets/Scripts/Icon.png\n"
    assert (project / "Assets/Scripts/Icon.png.meta").exists()


BUILD = "ProjectSettings/EditorBuildSettings.asset"


def build_settings(project: Path, *paths: str) -> str:
    rows = "".join(f"  - enabled: 1\n    path: {path}\n    guid: {guid(90 + n)}\n" for n, path in enumerate(paths))
    text = f"{HEAD}--- !u!1045 &1\nEditorBuildSettings:\n  m_ObjectHideFlags: 0\n  m_Scenes:\n{rows}"
    (project / BUILD).write_text(text)
    return text


def test_a_scene_of_the_build_settings_gets_its_new_path_there(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = build_settings(project, "Assets/Other.unity", "Assets/Main.unity")
    new = "Assets/Scripts/Main.unity"
    said = f"{new} is scene 1 of the build settings, and gets its new path there ({BUILD})"
    assert main(["mv", "Assets/Main.unity", "Assets/Scripts", "--dry-run"]) == 0
    found = capsys.readouterr()
    assert f"-    path: Assets/Main.unity\n+    path: {new}\n" in found.out
    assert said in found.err
    assert (project / BUILD).read_text() == text
    assert main(["mv", "Assets/Main.unity", "Assets/Scripts"]) == 0
    assert said in capsys.readouterr().err
    assert (project / BUILD).read_text() == text.replace("Assets/Main.unity", new)
    assert main(["mv", new, "Assets/Main.unity", "--json", "-q"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows[-1] == {"path": BUILD, "scene": 1, "from": new, "to": "Assets/Main.unity", "written": True}
    assert (project / BUILD).read_text() == text


def test_a_folder_takes_its_scenes_of_the_build_settings_along(project: Path) -> None:
    (project / "Assets/Levels/One").mkdir(parents=True)
    (project / "Assets/Levels/One/A.unity").write_text(HEAD)
    text = build_settings(project, "Assets/Levels/One/A.unity", "Assets/Levels2/B.unity")
    assert main(["mv", "Assets/Levels", "Assets/Stages", "-q"]) == 0
    assert (project / BUILD).read_text() == text.replace("Assets/Levels/", "Assets/Stages/")


def test_a_scene_that_unity_does_not_see_any_more_keeps_its_row(project: Path) -> None:
    (project / "Assets/Old~").mkdir()
    text = build_settings(project, "Assets/Main.unity")
    assert main(["mv", "Assets/Main.unity", "Assets/Old~", "-q"]) == 0
    assert (project / BUILD).read_text() == text


@needs_byte_names
def test_a_name_that_is_not_utf_8_is_refused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = os.fsdecode(b"Assets/Art/b\xffd.txt")
    (project / name).write_text("x")
    assert main(["mv", name, "Assets/Art/bd.txt"]) == 2
    assert "its name is not UTF-8, which no journal of a change can hold" in capsys.readouterr().err
    assert (project / name).exists()
    assert not [path for path in project.iterdir() if "mending" in path.name]
