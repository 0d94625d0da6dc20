"""``assetdb rm`` as it is typed."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main

if TYPE_CHECKING:
    from pathlib import Path


def test_who_would_break_is_listed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rm", "Assets/Prefabs/Player.prefab"]) == 1
    found = capsys.readouterr()
    assert found.out == ""
    assert "Assets/Main.unity:24  Camera (Health): player  -> Assets/Prefabs/Player.prefab\n" in found.err
    assert "2 files refer to it, so nothing was removed (--force removes anyway)" in found.err
    assert (project / "Assets/Prefabs/Player.prefab").exists()
    assert main(["rm", "--force", "Assets/Prefabs/Player.prefab"]) == 0
    assert capsys.readouterr().out == "removed Assets/Prefabs/Player.prefab\n"
    assert not (project / "Assets/Prefabs/Player.prefab").exists()
    assert not (project / "Assets/Prefabs/Player.prefab.meta").exists()


def test_what_goes_together_does_not_break(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rm", "Assets/Prefabs", "Assets/Main.unity"]) == 0
    assert capsys.readouterr().out == "removed Assets/Main.unity\nremoved Assets/Prefabs\n"
    assert sorted(path.name for path in (project / "Assets").iterdir()) == [
        *("Art", "Art.meta", "Scripts", "data.asset", "data.asset.meta", "gone.mat.meta")
    ]


def test_a_folder_is_used_by_whoever_uses_what_is_in_it(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rm", "Assets/Art", "--json"]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {(row["path"], row["property"], row["refers_to"]) for row in rows} == {
        ("Assets/Main.unity", "sprite", "Assets/Art/tiles.png"),
        ("Assets/Main.unity", "pointer", "Assets/Art/lost.mat"),
    }
    assert {row["object"] for row in rows} == {"Camera (Health)"}


def test_the_copy_of_something_can_go(project: Path) -> None:
    for name in ("Player.prefab", "Player.prefab.meta"):
        shutil.copy(project / "Assets/Prefabs" / name, project / "Assets/Scripts" / name)
    assert main(["rm", "Assets/Scripts/Player.prefab"]) == 0
    assert main(["rm", "Assets/Prefabs/Player.prefab"]) == 1


def test_nothing_removed_in_a_rehearsal(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rm", "--dry-run", "Assets/data.asset"]) == 0
    assert "diff --git a/Assets/data.asset.meta" in capsys.readouterr().out
    assert main(["rm", "--dry-run", "--json", "Assets/data.asset"]) == 0
    assert json.loads(capsys.readouterr().out) == {"removed": "Assets/data.asset"}
    assert (project / "Assets/data.asset.meta").exists()


@pytest.mark.parametrize("words", [["Assets"], ["Assets/none"], ["Packages"], ["."], ["Assets/Main.unity.meta"], []])
def test_what_cannot_be_removed(project: Path, words: list[str]) -> None:
    assert main(["rm", "--force", *words]) == 2
    assert (project / "Assets/Main.unity").exists()


@pytest.mark.parametrize("path", ["Library/kept.txt", "Docs/a.txt", "Assets/.git/config", "Assets/Linked/a.txt"])
def test_a_rehearsal_refuses_what_the_command_refuses(
    project: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, path: str
) -> None:
    if "Linked" in path:
        (tmp_path / "outside").mkdir()
        (project / "Assets/Linked").symlink_to(tmp_path / "outside")
    file = project / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("")
    said = []
    for more in (["--dry-run"], []):
        assert main(["rm", "--force", "-q", *more, path]) == 2
        said.append(capsys.readouterr().err)
    assert said[0] == said[1]
    assert file.exists()
