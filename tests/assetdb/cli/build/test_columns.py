"""``assetdb build ls --columns``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.objects.columns import facts_of
from assetdb.cli import main
from tests.assetdb.builds import making
from tests.assetdb.builds.making import Texture

if TYPE_CHECKING:
    from pathlib import Path


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assets = [Texture(7, "bark", bytes(77)), making.Material(8, "oak", ())]
    (tmp_path / "trees.bundle").write_bytes(making.bundle("CAB-1", "trees", assets))
    # The textures of the tests have nothing but a width in their type tree.
    build = open_build("trees.bundle", remember=False)
    (found,) = [row for row in facts_of(build, range(len(build))) if row.columns]
    width = found.columns["width"]
    assert main(["build", "ls", "trees.bundle", "--columns", "height,width"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["file", "PathID", "class", "height", "width", "name"]
    assert lines[1].split()[1:] == ["7", "Texture2D", str(width), "bark"]
    assert main(["build", "ls", "trees.bundle", "--columns", "all", "--json"]) == 0
    (row,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (row["path_id"], row["columns"]["width"], row["columns"]["format"]) == (7, width, None)
    assert main(["build", "ls", "trees.bundle", "--columns", "vertices"]) == 1
    assert "no object has vertices" in capsys.readouterr().err
    assert main(["build", "ls", "trees.bundle", "--columns", "colour"]) == 2
    assert "there is no 'colour' (columns are width, height" in capsys.readouterr().err


def test_what_cannot_be_read_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("UnityPy", reason="the textures of a player have their layouts from the extra `layouts`")
    folder = making.player(tmp_path / "Game_Data")
    monkeypatch.setattr("assetdb.builds.objects.columns._LARGEST", 1)
    assert main(["build", "ls", str(folder), "--class", "Texture2D", "--columns", "width"]) == 0
    err = capsys.readouterr().err
    assert "could not be read: has " in err
