"""Labels of assets: ``find --label``, ``name -v``, and what programs get."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.cli import main
from assetdb.query.selecting.labels import LabelledMatch, find_labelled
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import SPRITES, guid, make_project, write, write_meta

if TYPE_CHECKING:
    from pathlib import Path

DOOR = ("Door", "Übersicht", "Two words")
IN_FRONT = 'labels:\n- Door\n- "\\xDCbersicht"\n- Two words\n'


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = make_project(tmp_path_factory.mktemp("labels") / "Game")
    write(root, "Assets/Art/tiles.png", 4, b"\x89PNG", IN_FRONT + SPRITES)
    write_meta(root, "Assets/Art", 10, f"folderAsset: yes\n{IN_FRONT}DefaultImporter:\n  userData: \n")
    write(root, "Assets/Copy.txt", 9, "", "labels:\n- Copied\nTextScriptImporter:\n  userData: \n")  # data.asset has 9
    cached = root / "Library" / "PackageCache" / "com.acme.tools@1.0.0"
    write(cached, "Tool.cs", 12, "class Tool {}\n", "labels:\n- door\nMonoImporter:\n  userData: \n")
    return root


def test_assets_with_a_label_are_found_in_any_case_those_of_packages_too(root: Path) -> None:
    project = open_project(str(root))
    try:
        tool = LabelledMatch(guid(12), None, "Tool", "Packages/com.acme.tools/Tool.cs", "MonoScript", ("door",))
        tiles = LabelledMatch(guid(4), None, "tiles", "Assets/Art/tiles.png", "Texture2D", DOOR)
        assert find_labelled("", project, (), ("dOOr",)) == [tiles, tool]
        assert find_labelled("", project, (), ("nothing", "übersicht")) == [tiles]
        assert find_labelled("tool", project, (), ("door",)) == [tool]
        assert find_labelled("", project, ("Sprite",), ("door",)) == [
            LabelledMatch(guid(4), number, name, "Assets/Art/tiles.png", "Sprite", DOOR)
            for number, name in ((555, "tiles_first"), (-666, "tiles_second"))
        ]
        assert [found.path for found in find_labelled("", project, (), ("Copied",))] == ["Assets/Copy.txt"]
        assert find_labelled("", project, (), ("Doo",)) == []
    finally:
        project.close()


def test_the_command_finds_by_label_and_shows_labels(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--project", str(root), "-q")
    assert main(["find", "--label", "Two words", *given]) == 0
    assert capsys.readouterr().out == f"{guid(4)}  Texture2D  tiles  Assets/Art/tiles.png\n"
    assert main(["find", "*.png", "-v", *given]) == 0
    assert [line.partition("labels: ")[2] for line in capsys.readouterr().out.splitlines()] == ["", ", ".join(DOOR)]
    assert main(["find", "--label", "door", "--json", "tiles.png", *given]) == 0
    assert json.loads(capsys.readouterr().out)["labels"] == list(DOOR)
    assert main(["find", "--label", "Dor", *given]) == 1
    assert capsys.readouterr().err == "assetdb: no asset has the label 'Dor'; did you mean 'Door'?\n"
    assert main(["find", "--label", "Door", "xyzzy", *given]) == 1
    assert capsys.readouterr().err == "assetdb: nothing with the label Door is called 'xyzzy'\n"
    assert main(["find", "--label", "Door", "--type", "Sprite", "xyzzy", *given]) == 1
    assert capsys.readouterr().err == "assetdb: nothing of type Sprite with the label Door is called 'xyzzy'\n"
    assert main(["find", "--label", "Door", "--in", "Level.prefab", *given]) == 2
    assert "--label applies to assets" in capsys.readouterr().err


def test_a_name_has_the_labels_of_its_asset_if_they_are_asked_for(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ("--project", str(root), "-q")
    assert main(["name", "-v", guid(4), f"{guid(4)}:555", "Assets/Art", guid(12), guid(1), *given]) == 0
    shown = [line.partition("  labels: ")[2] for line in capsys.readouterr().out.splitlines()]
    assert shown == [", ".join(DOOR)] * 3 + ["door", ""]
    assert main(["name", "-v", "--json", guid(4), "Assets/Copy.txt", guid(77), *given]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["labels"] for row in rows] == [list(DOOR), ["Copied"], []]
    assert main(["name", "--json", guid(4), *given]) == 0
    assert "labels" not in json.loads(capsys.readouterr().out)


def test_programs_ask_by_label(root: Path) -> None:
    with assetdb.open_project(root) as project:
        assert [found.path for found in project.find(labels=["door"])][:1] == ["Assets/Art/tiles.png"]


def test_an_export_has_one_label_a_line(root: Path, tmp_path: Path) -> None:
    assert main(["export", str(tmp_path), "--format", "jsonl", "--quick", "--project", str(root), "-q"]) == 0
    rows = [json.loads(line) for path in tmp_path.glob("assets/*/*/*") for line in path.read_text("utf-8").splitlines()]
    labels = {row["path"]: row["labels"] for row in rows}
    assert labels["Assets/Art/tiles.png"] == "\n".join(DOOR)
    assert labels["Assets/Copy.txt"] == "Copied"
    assert labels["Assets/Prefabs/Player.prefab"] == ""
