"""``assetdb doctor --library``: the share, differences, and what was left out."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.doctor.library.editor_files import Node, Shown, imported, info, write_metadata
from tests.assetdb.unity_project import guid, make_project

if TYPE_CHECKING:
    from pathlib import Path

TILES = Shown("tiles", 2800000, 28)
SHEET = [Shown("tiles_first", 555, 213), Shown("tiles_second", -666, 213)]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = make_project(tmp_path / "Game")
    (root / "ProjectSettings" / "ProjectVersion.txt").write_text("m_EditorVersion: 2018.3.5f1\n")
    write_metadata(root, guid(4), info("Assets/Art/tiles.png", TILES, SHEET))
    return root


def test_a_library_that_agrees(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--library", "--project", str(root)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith(", Unity 2018.3.5f1")
    assert lines[1:] == [
        "compared: 1 asset of Library/metadata, 3 objects, 0 references",
        "agree: 3 of 3 objects (100.00 %)",
    ]


def test_differences_are_listed_by_kind_and_what_is_left_out_is_counted(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    boat = imported([Node("boat", 100000, 400000), Node("Sail", 100002, 400002, 400000)])
    write_metadata(root, guid(6), info("Assets/Art/boat.fbx", Shown("boat", 100000, 1)), boat)
    others = [Shown(f"other_{number}", number, 213) for number in range(1, 8)]
    write_metadata(root, guid(5), info("Assets/Art/icon.png", Shown("icon", 2800000, 28), others))
    write_metadata(root, guid(500), info("Assets/gone.png", TILES))
    write_metadata(root, guid(9), b"BaseName:\n")
    assert main(["doctor", "--library", "--project", str(root), "-q"]) == 1
    shown = capsys.readouterr().out.splitlines()[1:]
    assert shown[:2] == [
        "compared: 3 assets of Library/metadata, 16 objects, 0 references",
        "imports left out: 1 of assets that this project has not",
    ]
    assert shown[2].startswith(f"not read: Library/metadata/{guid(9)[:2]}/{guid(9)}.info: ")
    start = shown.index("7 no name: Sprite")
    assert shown[start + 1] == "  Assets/Art/icon.png:1: Unity 'other_1', assetdb 'sprite-mode'"
    assert len([line for line in shown if line.startswith("  Assets/Art/icon.png:")]) == 6
    assert shown.count("1 listed, and not in Unity: Sprite") == 1
    assert main(["doctor", "--library", "--project", str(root), "-v"]) == 1
    whole = capsys.readouterr().out.splitlines()
    assert len([line for line in whole if line.startswith("  Assets/Art/icon.png:")]) == 8
    assert main(["doctor", "--library", "--json", "--project", str(root)]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (rows[0]["source"], rows[0]["assets"], rows[0]["objects"], rows[0]["gone"]) == ("Library/metadata", 3, 16, 1)
    assert rows[0]["differences"] == len(rows) - 1
    assert [row["file_id"] for row in rows[1:] if row["kind"] == "no name" and row["type"] == "Sprite"] == [
        *range(1, 8)
    ]


def test_the_library_of_another_project_is_no_comparison(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = make_project(tmp_path / "Game")
    write_metadata(root, guid(500), info("Assets/gone.png", TILES))
    assert main(["doctor", "--library", "--project", str(root), "-q"]) == 2
    out, err = capsys.readouterr()
    assert "imports left out: 1 of assets that this project has not" in out
    assert "nothing could be compared" in err


def test_a_project_that_no_editor_opened(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = make_project(tmp_path / "Game")
    assert main(["doctor", "--library", "--project", str(root), "-q"]) == 2
    assert "open the project in Unity once" in capsys.readouterr().err
    assert not os.path.lexists(root / "Library" / "metadata")
