"""``assetdb diff``: text, JSON Lines and Markdown."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.history.git_project import commit, git, make_repository, meta_of, script
from tests.assetdb.unity_project import HEAD, game_object, guid, make_project, write

if TYPE_CHECKING:
    from pathlib import Path

TOWER = "Assets/Prefabs/Tower.prefab"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a project whose second commit deletes a script, moves a prefab and edits it."""
    root = make_repository(tmp_path / "repository")
    for path in (root / "Assets/Scripts/Health.cs", meta_of(root / "Assets/Scripts/Health.cs")):
        path.unlink()
    for path in (root / TOWER, meta_of(root / TOWER)):
        path.rename(root / "Assets" / path.name)
    text = (root / "Assets/Tower.prefab").read_text()
    (root / "Assets/Tower.prefab").write_text(text.replace("m_Name: Tower", "m_Name: Keep"))
    commit(root)
    return root


def ran(capsys: pytest.CaptureFixture[str], root: Path, *words: str) -> tuple[int, str, str]:
    code = main(["diff", *words, "--project", str(root)])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_text(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran(capsys, root, "HEAD~1..HEAD")
    assert code == 0
    lines = out.splitlines()
    assert lines[:4] == [
        "removed   Assets/Scripts/Health.cs  (MonoScript)",
        f"moved     {TOWER} -> Assets/Tower.prefab  (Prefab)",
        "  ~ Tower.prefab / Keep (GameObject)",
        "      m_Name  Tower -> Keep",
    ]
    assert "dangling  Assets/Tower.prefab -> Assets/Scripts/Health.cs" in lines
    assert lines[-1].startswith("assets: 1 removed, 1 moved; references: ")
    assert ran(capsys, root, "HEAD~1", "HEAD") == (0, out, "")


def test_exit_codes(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ran(capsys, root)[:2] == (0, "nothing differs\n")
    assert ran(capsys, root, "--exit-code")[0] == 0
    assert ran(capsys, root, "HEAD~1", "--exit-code", "-q")[0] == 1
    code, _, err = ran(capsys, root, "no-such-branch")
    assert (code, "no-such-branch" in err) == (2, True)
    for words in (["a", "b", "c"], ["HEAD", "--json", "--format", "markdown"], ["--output=x"], [""], ["HEAD~1", ""]):
        assert ran(capsys, root, *words)[0] == 2


def test_json_lines(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = ran(capsys, root, "HEAD~1..", "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    (moved,) = [row for row in rows if row["kind"] == "asset" and row["change"] == "moved"]
    assert (moved["guid"], moved["old_path"], moved["path"]) == (guid(20), TOWER, "Assets/Tower.prefab")
    (item,) = [row for row in rows if row["kind"] == "object"]
    assert item["values"] == [{"path": "m_Name", "old": "Tower", "new": "Keep"}]
    assert {row["change"] for row in rows if row["kind"] == "reference"} == {"dangling"}
    assert ran(capsys, root, "HEAD~1..", "--format", "json")[1] == out


@pytest.mark.long
def test_markdown_fits_a_comment(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = ran(capsys, root, "HEAD~1..", "--format", "markdown")
    assert out.startswith("### assetdb diff\n")
    assert "**5 references lead to nothing now**" in out
    for number in range(700):
        name = f"Assets/Many/a rather long name of an asset with `quotes` and <tags> {number}.prefab"
        write(root, name, 1000 + number, HEAD + game_object(100, f"Thing {number}", 0, script(3)))
    _, out, _ = ran(capsys, root, "HEAD", "--format", "markdown")
    assert len(out.encode()) <= 60_001
    assert "--verbose" in out
    commit(root)
    for path in (root / "Assets/Many").glob("*.prefab"):
        path.write_text(path.read_text().replace("Thing", "Changed"))
    _, out, _ = ran(capsys, root, "HEAD", "--format", "markdown")
    assert len(out.encode()) <= 60_001
    assert "&lt;tags&gt;" in out or "--verbose" in out


def test_long_lists_are_cut_unless_all_are_wanted(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fields = "".join(f"  field{number}: {number}\n" for number in range(40))
    write(root, "Assets/long.asset", 60, HEAD + f"--- !u!114 &11400000\nMonoBehaviour:\n{fields}")
    commit(root)
    text = (root / "Assets/long.asset").read_text().replace(": ", ": 1")
    (root / "Assets/long.asset").write_text(text)
    assert "and 30 more values (--verbose lists all)" in ran(capsys, root)[1]
    every = ran(capsys, root, "--verbose")[1]
    assert "more values" not in every
    assert "field39  39 -> 139" in every


def test_two_folders(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = make_repository(tmp_path / "other")
    assert main(["diff", str(other), str(root)]) == 0
    out = capsys.readouterr().out
    assert f"moved     {TOWER} -> Assets/Tower.prefab  (Prefab)" in out
    assert main(["diff", str(other), str(other), "--exit-code"]) == 0
    assert main(["diff", str(tmp_path), str(other)]) == 2


def test_two_files(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As ``git difftool`` asks: in the top folder, with the older file elsewhere."""
    old = tmp_path / "git-blob-1" / "Tower.prefab"
    old.parent.mkdir()
    old.write_text(git(root, "show", f"HEAD~1:{TOWER}"))
    monkeypatch.chdir(tmp_path)
    new = str(root / "Assets/Tower.prefab")
    assert main(["diff", str(old), new, "--exit-code"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"changed   {old} -> {new}"
    assert "  ~ Tower.prefab / Keep (GameObject)" in lines
    assert "      m_Name  Tower -> Keep" in lines
    assert lines[-1] == "assets: 1 changed"
    assert main(["diff", new, new, "--exit-code"]) == 0
    assert capsys.readouterr().out == "nothing differs\n"
    assert main(["diff", str(old), new, "--in", "Assets"]) == 2
    assert "--in cannot be combined with two files" in capsys.readouterr().err


def test_a_part_of_it(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = ran(capsys, root, "HEAD~1..", "--in", "Assets/Scripts")
    assert "Tower.prefab  (Prefab)" not in out
    assert "removed   Assets/Scripts/Health.cs" in out


def test_a_part_is_named_from_another_drive(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in Windows, where no relative path leads from the working folder on D: to a project on C:."""
    ran(capsys, root, "HEAD")  # bakes
    within_a_drive = os.path.relpath

    def relpath(path: str, start: str = os.curdir) -> str:
        if os.path.abspath(path).startswith(str(root)) and start == str(root):
            return within_a_drive(path, start)
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    monkeypatch.setattr(os.path, "relpath", relpath)
    monkeypatch.chdir(root.parent)
    _, out, _ = ran(capsys, root, "HEAD~1..", "--in", "Assets/Scripts")
    assert "removed   Assets/Scripts/Health.cs" in out
    code, out, err = ran(capsys, root, "HEAD~1..", "--in", str(root.parent))
    assert (code, out) == (2, "")
    assert "neither side has a file or folder of this name" in err


def test_what_was_moved_out_of_a_folder_is_moved(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for place in ("Assets/Prefabs", TOWER, "Assets/Tower.prefab", f"{TOWER}.meta"):
        code, out, _ = ran(capsys, root, "HEAD~1..", "--in", place)
        assert code == 0
        assert out.startswith(f"moved     {TOWER} -> Assets/Tower.prefab")
        assert "dangling  Assets/Tower.prefab -> Assets/Scripts/Health.cs" in out
        assert "assets: 1 moved; " in out


def test_places_from_the_working_folder(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root / "Assets")
    ran(capsys, root, "HEAD")  # bakes
    assert ran(capsys, root, "HEAD~1..", "--in", "Tower.prefab") == ran(capsys, root, "HEAD~1..", "--in", TOWER)
    assert ran(capsys, root, "HEAD~1..", "--in", "..") == ran(capsys, root, "HEAD~1..")
    code, out, err = ran(capsys, root, "HEAD~1..", "--in", "Nowhere")
    assert (code, out) == (2, "")
    assert "--in Nowhere: neither side has a file or folder of this name" in err


def test_names_steer_no_terminal(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (root / "Assets/Tower.prefab").read_text()
    (root / "Assets/Tower.prefab").write_text(text.replace("m_Name: Keep", 'm_Name: "\\e[31mred\\n"'))
    for words in ([], ["--json"], ["--format", "markdown"]):
        assert "\x1b" not in ran(capsys, root, *words)[1]


def test_without_a_commit_everything_is_added(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = tmp_path / "Game"
    make_project(root)
    git(root, "init", "-q")
    code, out, _ = ran(capsys, root)
    assert code == 0
    rows = [line.split()[1] for line in out.splitlines() if line.startswith("added ")]
    assert {"Assets/Main.unity", "Assets/Art/boat.fbx"} <= set(rows)
    assert not [line for line in out.splitlines() if line.startswith(("removed", "moved", "retyped"))]


def test_an_added_row_of_a_list_is_one_line(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = "Assets/Data/Wave.asset"
    body = (
        f"%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n  m_Script: {{fileID: 11500000, guid: {guid(5)}, type: 3}}\n"
    )
    write(root, path, 400, body + "  rows:\n  - name: a\n    cost: 1\n", "NativeFormatImporter:\n  userData: \n")
    commit(root)
    (root / path).write_text(
        body + "  rows:\n  - name: a\n    cost: 1\n    level: 2\n  - name: b\n    cost: 3\n  - 4\n"
    )
    lines = [line.split(maxsplit=1) for line in ran(capsys, root)[1].splitlines() if line.startswith("      ")]
    assert lines == [
        ["rows[0].level", "(none) -> 2"],
        ["rows[1]", "(none) -> {name: b, cost: 3}"],
        ["rows[2]", "(none) -> 4"],
    ]
    rows = [json.loads(line) for line in ran(capsys, root, "--json")[1].splitlines()]
    (item,) = [row for row in rows if row["kind"] == "object"]
    assert {"path": "rows[1].cost", "old": None, "new": 3} in item["values"]


def test_two_targets_of_one_name_are_told_apart(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, folder in ((500, "Old"), (501, "New")):
        write(
            root,
            f"Assets/{folder}/Red.prefab",
            number,
            HEAD + game_object(100, "Red"),
            "PrefabImporter:\n  userData: \n",
        )
    path = "Assets/Data/Wave.asset"
    body = (
        f"%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n  m_Script: {{fileID: 11500000, guid: {guid(5)}, type: 3}}\n"
    )
    line = "  target: {{fileID: 100, guid: {}, type: 3}}\n"
    write(root, path, 400, body + line.format(guid(500)), "NativeFormatImporter:\n  userData: \n")
    commit(root)
    (root / path).write_text(body + line.format(guid(501)))
    out = ran(capsys, root)[1]
    assert "in Assets/Old/Red.prefab:100 -> " in out
    assert "in Assets/New/Red.prefab:100" in out
    rows = [json.loads(row) for row in ran(capsys, root, "--json")[1].splitlines()]
    (value,) = next(row["values"] for row in rows if row["kind"] == "object")
    assert value["old"]["name"] == value["new"]["name"]
    assert value["old"]["guid"] == guid(500)
