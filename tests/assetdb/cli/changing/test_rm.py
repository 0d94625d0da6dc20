"""``assetdb rm`` as it is typed."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.unity_project import HEAD, guid, write
from tests.needs import ignores_case, needs_links

if TYPE_CHECKING:
    from pathlib import Path


def test_who_would_break_is_listed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rm", "Assets/Prefabs/Player.prefab"]) == 1
    found = capsys.readouterr()
    assert found.out == ""
    assert "Assets/Main.unity:24  Camera (Health): player, gone  -> Assets/Prefabs/Player.prefab\n" in found.err
    assert "2 files refer to it, so nothing was removed (--force removes anyway)" in found.err
    assert (project / "Assets/Prefabs/Player.prefab").exists()
    assert main(["rm", "--force", "Assets/Prefabs/Player.prefab"]) == 0
    done = capsys.readouterr()
    assert done.out == "removed Assets/Prefabs/Player.prefab\n"
    assert "2 files refer to it: 5 references will lead to nothing (--verbose lists them)\n" in done.err
    assert "Assets/Main.unity" not in done.err
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
    found = capsys.readouterr().out
    assert "diff --git a/Assets/data.asset.meta b/Assets/data.asset.meta\ndeleted\n" in found
    assert "with all" not in found
    assert main(["rm", "--dry-run", "--json", "Assets/data.asset"]) == 0
    assert json.loads(capsys.readouterr().out) == {"removed": "Assets/data.asset"}
    assert (project / "Assets/data.asset.meta").exists()


def test_a_rehearsal_says_which_removal_takes_contents_along(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rm", "--dry-run", "--force", "Assets/Art"]) == 0
    assert capsys.readouterr().out.splitlines()[:4] == [
        *("diff --git a/Assets/Art b/Assets/Art", "deleted, with all that is in it"),
        *("diff --git a/Assets/Art.meta b/Assets/Art.meta", "deleted"),
    ]


@pytest.mark.parametrize("words", [["Assets"], ["Assets/none"], ["Packages"], ["."], ["Assets/Main.unity.meta"], []])
def test_what_cannot_be_removed(project: Path, words: list[str]) -> None:
    assert main(["rm", "--force", *words]) == 2
    assert (project / "Assets/Main.unity").exists()


@pytest.mark.parametrize(
    "path",
    ["Library/kept.txt", "Docs/a.txt", "Assets/.git/config", pytest.param("Assets/Linked/a.txt", marks=needs_links)],
)
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


def test_one_object_that_refers_often_is_one_line(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(f"  f{number}: {{fileID: 11400000, guid: {guid(910)}, type: 2}}\n" for number in range(5))
    write(project, "Assets/many.asset", 911, f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: many\n{rows}")
    write(project, "Assets/used.asset", 910, f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: used\n")
    assert main(["rm", "Assets/used.asset"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len([line for line in lines if "Assets/many.asset" in line]) == 1
    assert any("f0, f1, f2 and 2 more  -> Assets/used.asset" in line for line in lines)
    assert main(["rm", "Assets/used.asset", "--json"]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 5
    assert main(["rm", "Assets/used.asset", "--force", "--verbose"]) == 0
    assert "f0, f1, f2 and 2 more" in capsys.readouterr().err


def test_the_last_file_of_a_folder_takes_it_along(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, path in enumerate(("Assets/New/Deep/a.txt", "Assets/New/Other/b.txt", "Assets/Kept/c.txt"), 920):
        write(project, path, number, "x")
    (project / "Assets/Kept/.gitkeep").write_text("")
    for path in ("Assets/New", "Assets/New/Deep", "Assets/New/Other"):
        (project / f"{path}.meta").write_text("fileFormatVersion: 2\n")
    assert main(["rm", "Assets/New/Deep/a.txt"]) == 0
    done = capsys.readouterr()
    assert done.out == "removed Assets/New/Deep/a.txt\nremoved Assets/New/Deep\n"
    assert "Assets/New/Deep is empty then, and git keeps no empty folder: it goes with its meta\n" in done.err
    assert main(["rm", "--dry-run", "Assets/New/Other/b.txt", "Assets/Kept/c.txt"]) == 0
    done = capsys.readouterr()
    assert "diff --git a/Assets/New.meta b/Assets/New.meta\n" in done.out
    assert done.err.count("is empty then") == 1
    assert main(["rm", "-q", "--json", "Assets/New/Other/b.txt"]) == 0
    done = capsys.readouterr()
    assert [json.loads(line)["removed"] for line in done.out.splitlines()] == ["Assets/New/Other/b.txt", "Assets/New"]
    assert "empty" not in done.err
    assert not (project / "Assets/New.meta").exists()


def test_a_path_in_another_case_is_that_of_the_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if not ignores_case(project):
        assert main(["rm", "assets/DATA.asset"]) == 2
        assert "assets/DATA.asset: no such file or folder" in capsys.readouterr().err
        assert (project / "Assets/data.asset").exists()
        return
    assert main(["rm", "assets/DATA.asset"]) == 0
    assert capsys.readouterr().out == "removed Assets/data.asset\n"
    assert not (project / "Assets/data.asset").exists()
    assert not (project / "Assets/data.asset.meta").exists()


def test_a_read_only_file_is_removed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("data.asset", "data.asset.meta"):
        (project / "Assets" / name).chmod(0o444)
    assert main(["rm", "Assets/data.asset"]) == 0
    assert capsys.readouterr().out == "removed Assets/data.asset\n"
    assert not [path.name for path in (project / "Assets").iterdir() if "data.asset" in path.name]
