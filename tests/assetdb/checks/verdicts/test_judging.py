from __future__ import annotations

import shutil
import time
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest

from assetdb.baking import bake
from assetdb.checks.verdicts import reading
from assetdb.checks.verdicts.judging import judge_files, judge_project, scan_tree
from assetdb.checks.verdicts.state import State
from assetdb.memo.memo import memo_of
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import HEAD, SETTLED, guid, make_project, write

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.checks.verdicts.deciding import Outcome
    from assetdb.checks.verdicts.judging import JudgedProject


def test_all_references_are_judged_and_problems_have_places(tmp_path: Path) -> None:
    project = open_project(str(make_project(tmp_path)), str(tmp_path / "out"))
    found = judge_project(project)
    assert found.counts == {
        ("named", ""): 11,
        ("unnamed", "dangling"): 1,
        ("apart", "lfs-pointer"): 1,
        ("missing", "missing-asset"): 1,
    }
    kinds = [item.verdict.kind for rows in found.problems.values() for item in rows]
    assert sorted(kinds) == ["apart", "missing", "unnamed"]
    assert all(item.path == path and item.line for path, rows in found.problems.items() for item in rows)
    project.close()


def test_a_scan_of_the_tree_uses_the_names_of_the_last_bake(tmp_path: Path) -> None:
    """A bake with options of its own is not out of date because a check does not know them."""
    root = make_project(tmp_path / "project")
    bake(root, tmp_path / "out", keep_going=True, scrub_characters="-_")
    project = open_project(str(root), str(tmp_path / "out"))
    assert scan_tree(project)[1]
    write(root, "Assets/New.mat", 78, HEAD)
    assert not scan_tree(project)[1]
    project.close()


def _files_of(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_scan_of_the_tree_may_use_the_folder_of_another_project(tmp_path: Path) -> None:
    """It writes nothing there, so that it is not refused as a bake would be."""
    root = make_project(tmp_path / "project")
    bake(root, tmp_path / "out", keep_going=True)
    other = shutil.copytree(root, tmp_path / "other")
    before = _files_of(tmp_path / "out")
    project = open_project(str(other), str(tmp_path / "out"))
    scan_tree(project)
    project.close()
    assert _files_of(tmp_path / "out") == before


@pytest.mark.parametrize("between", [b"", None])
def test_a_file_that_changes_between_its_scan_and_its_reading_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, between: bytes | None
) -> None:
    """It was edited and put back: its facts were kept as those of what the scan saw."""
    root = make_project(tmp_path / "project")
    time.sleep(0.05)  # or all its files are too young for anything to be kept of them
    changed = root / "Assets" / "data.asset"

    def counts(out: str) -> dict[Outcome, int]:
        project = open_project(str(root), str(tmp_path / out))
        try:
            return judge_project(project).counts
        finally:
            project.close()

    read = reading.read_one
    with monkeypatch.context() as patch:
        patch.setattr(
            *(reading, "read_one"),
            lambda top, path, *rest, **places: (
                between if path.endswith(b"/data.asset") else read(top, path, *rest, **places)
            ),
        )
        wrong = counts("out")
    data = changed.read_bytes()
    changed.unlink()
    changed.write_bytes(data)
    time.sleep(0.05)
    assert counts("out") == counts("cold") != wrong


def test_the_reader_of_the_version_decides_what_is_refused(tmp_path: Path) -> None:
    """Verdicts are made anew where the version goes over the change of the reader."""
    root = make_project(tmp_path / "project")
    write(root, "Assets/Text.asset", 77, f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  text: a: b\n")
    version = root / "ProjectSettings" / "ProjectVersion.txt"

    def lines() -> list[tuple[int, str, str]]:
        project = open_project(str(root), str(tmp_path / "out"))
        rows = judge_project(project).problems.get("Assets/Text.asset", ())
        project.close()
        return [(row.line, row.verdict.reason, row.detail) for row in rows]

    reason = "has a colon and a space in a text without quotes"
    for number, expected in (("2019.2.1f1", [(5, "broken-asset", reason)]), ("2019.3.0f1", [])):
        version.write_text(f"m_EditorVersion: {number}\n")
        assert lines() == expected
    version.write_text("m_EditorVersion: 2018.4.1f1\n")
    assert lines() == [(5, "broken-asset", reason)]


@pytest.mark.parametrize(("name", "judges"), [("Assets/New.cs", False), ("Assets/data.asset", True)])
def test_an_edit_of_a_script_needs_no_new_verdicts(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    judges: bool,  # noqa: FBT001 - a row
) -> None:
    root = make_project(tmp_path / "project")
    write(root, "Assets/New.cs", 77, "class New {}\n")
    followed: list[str] = []
    follow = State.follow
    monkeypatch.setattr(State, "follow", lambda *given, **named: followed.append(name) or follow(*given, **named))

    def counts(out: str) -> dict[Outcome, int]:
        time.sleep(0.05)
        project = open_project(str(root), str(tmp_path / out))
        try:
            found = judge_project(project).counts
            memo_of(project).write()
            return found
        finally:
            project.close()

    before = counts("out")
    assert counts("out") == before
    assert len(followed) == 1
    (root / name).write_text((root / name).read_text() + "\n")
    assert counts("out") == before
    assert len(followed) == 1 + judges
    assert counts("cold") == before


def test_verdicts_are_not_kept_of_files_that_changed_while_they_were_made(tmp_path: Path) -> None:
    root = make_project(tmp_path / "Game")
    time.sleep(SETTLED)
    expected = judged(root, str(tmp_path / "still"))
    out = str(tmp_path / "torn")
    with patch("assetdb.checks.verdicts.locating.read_one", return_value=None):
        torn = judged(root, out)
    assert torn.problems.keys() != expected.problems.keys()
    found = judged(root, out)
    assert (found.counts, dict(found.problems)) == (expected.counts, dict(expected.problems))


def judged(root: Path, out: str) -> JudgedProject:
    """Return what a process of its own finds in a project."""
    project = open_project(str(root), out)
    try:
        found = judge_project(project)
        dict(found.problems)
        return found
    finally:
        project.close()


def test_some_files_are_judged_alone_and_to_some_assets(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    project = open_project(str(root), str(tmp_path / "out"))
    whole = judge_project(project)
    for path, rows in whole.problems.items():
        alone = judge_files(project, {path: None, "Assets/Scripts/Health.cs": None, "Assets/none.mat": None})
        assert dict(alone.problems.items()) == {path: rows}
    two = judge_files(project, dict.fromkeys(whole.problems))
    assert dict(two.problems.items()) == dict(whole.problems.items())
    path = "Assets/Main.unity"
    scene = judge_files(project, {path: None})
    named = [judge_files(project, {path: [guid(number)]}).counts for number in (1, 3, 99)]
    assert sum(scene.counts.values()) > sum(named[0].values()) > 0
    assert all(found[key] <= scene.counts[key] for found in named for key in found)
    assert not named[2]
    project.close()
