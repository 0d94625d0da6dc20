"""An output folder that came with a commit: facts and answers of the right contents, which somebody made up."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.checks.findings import judged
from assetdb.checks.rules import Rule
from assetdb.cli import main
from assetdb.scan.known import cache
from assetdb.store.files import DATABASE_NAME, MEMO_NAME
from tests.assetdb.unity_project import SETTLED, make_project
from tests.needs import needs_git, needs_links

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = needs_git
FOLDER = "Library/assetdb"


def git(root: Path, *words: str) -> None:
    who = ("-c", "user.name=n", "-c", "user.email=e@e", "-c", "core.autocrlf=false")
    subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True)


def cloned(root: Path, place: Path) -> Path:
    """Commit everything, also what is ignored, and clone it."""
    git(root, "init", "-q")
    git(root, "add", "-A", "-f")
    git(root, "commit", "-q", "-m", "more")
    subprocess.run(["git", "clone", "-q", str(root), str(place)], check=True, capture_output=True)
    time.sleep(SETTLED)
    return place


def told(root: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    """Return the exit code of a check, and the lines of its errors (clones have the same ones)."""
    code = main(["check", "--project", str(root)])
    return code, [line for line in capsys.readouterr().out.splitlines() if "  error  " in line]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = make_project(tmp_path / "Game")
    (made / "ProjectSettings").mkdir(exist_ok=True)
    (made / "ProjectSettings/ProjectVersion.txt").write_text("m_EditorVersion: 2022.3.1f1\n")
    time.sleep(SETTLED)
    return made


@pytest.fixture
def honest(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    """Return code and output of a check of a clone without an output folder."""
    found = told(cloned(root, tmp_path / "Honest"), capsys)
    assert found[0] == 1
    (root / ".git").rename(tmp_path / "git_of_before")  # its objects are read-only: nobody removes them on Windows
    return found


def forge_answers(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Write an output folder that has no findings."""
    with monkeypatch.context() as patch:
        patch.setattr(judged, "_find", lambda *_: judged._Made({}, {}))
        patch.setattr(Rule, "find", lambda *_: [])
        code, _ = told(root, capsys)
    assert code == 0
    time.sleep(SETTLED)
    assert told(root, capsys)[0] == 0  # as it is kept


def test_answers_that_came_with_a_commit_are_not_used(
    root: Path,
    honest: tuple[int, list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    forge_answers(root, monkeypatch, capsys)
    clone = cloned(root, tmp_path / "Clone")
    assert (clone / FOLDER / MEMO_NAME).is_file()
    for _ in range(2):
        assert told(clone, capsys) == honest


def test_answers_that_a_cache_of_ci_brought_are_used(
    root: Path,
    honest: tuple[int, list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whoever can write to such a cache is trusted; the test also shows that forged answers are ones."""
    forge_answers(root, monkeypatch, capsys)
    shutil.move(root / FOLDER, tmp_path / "cache")
    clone = cloned(root, tmp_path / "Clone")
    shutil.copytree(tmp_path / "cache", clone / FOLDER)
    time.sleep(SETTLED)
    assert told(clone, capsys) != honest


@needs_links
def test_a_committed_link_to_a_committed_folder_is_no_way_around(
    root: Path,
    honest: tuple[int, list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    forge_answers(root, monkeypatch, capsys)
    (root / "Stuff").mkdir()
    (root / FOLDER).rename(root / "Stuff/made")
    (root / FOLDER).symlink_to(os.path.join("..", "Stuff", "made"), target_is_directory=True)
    assert told(cloned(root, tmp_path / "Clone"), capsys) == honest


@pytest.mark.parametrize("is_committed", [True, False])
def test_a_cache_that_names_no_database_is_not_followed(root: Path, tmp_path: Path, *, is_committed: bool) -> None:
    """A bake said that nothing changed, and wrote no database."""
    assetdb.bake(root)
    expected = (root / FOLDER / DATABASE_NAME).read_bytes()
    path = root / FOLDER / cache.FILE_NAME
    known = cache.read(str(path))
    whole = list(map(known.complete, known.directories.values()))
    shutil.rmtree(path.parent)
    path.parent.mkdir()
    parts = cache.encode(known.settings, cache.NO_FILES, known.asset_count, known.problems, whole)
    path.write_bytes(b"".join(parts))
    place = cloned(root, tmp_path / "Clone") if is_committed else root
    assetdb.bake(place)
    assert (place / FOLDER / DATABASE_NAME).read_bytes() == expected
