"""What the next commit brings, from a daemon: as a command of its own finds it, or left to that."""

from __future__ import annotations

import shutil
import time
from typing import TYPE_CHECKING

import pytest

from tests.assetdb.history.git_project import commit, git, make_repository
from tests.assetdb.unity_project import SETTLED, guid
from tests.system.watch.daemons import Project, short_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ONLY_DAEMON = {"PATH": "/nonexistent"}  # there the command has no git, and cannot answer itself


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """Return a project in a repository, whose last commit was checked, with a daemon."""
    found = Project(make_repository(tmp_path / "project"), short_folder())
    change(found, 79)
    time.sleep(SETTLED)
    assert b"unknown-guid" in found.run("check", "--staged").stdout
    commit(found.root)
    found.start()
    yield found
    found.end()


def change(project: Project, number: int) -> None:
    """Refer to another script from a prefab, and stage that."""
    tower = project.root / "Assets/Prefabs/Tower.prefab"
    lines = tower.read_text().splitlines(keepends=True)
    tower.write_text(
        "".join(
            f"  m_Script: {{fileID: 11500000, guid: {guid(number)}, type: 3}}\n" if "m_Script" in line else line
            for line in lines
        )
    )
    git(project.root, "add", "-A")


def outcome(project: Project, *more: str, **surroundings: str) -> tuple[int, bytes]:
    done = project.run("check", "--staged", *more, more=surroundings)
    return done.returncode, done.stdout


def alone(project: Project, folder: Path) -> tuple[int, bytes]:
    """Return the outcome in a process of its own that knows nothing yet."""
    return outcome(project, "--out-dir", str(folder))


def test_the_daemon_answers_as_a_process_does_and_knows_each_commit(project: Project, tmp_path: Path) -> None:
    for number in (80, 3, 81):
        change(project, number)
        found = outcome(project, **ONLY_DAEMON)
        assert found == alone(project, tmp_path / str(number))
        assert found[0] == (0 if number == 3 else 1)
        assert found == outcome(project, **ONLY_DAEMON)
        git(project.root, "commit", "-q", "-m", "change")
        assert outcome(project, **ONLY_DAEMON)[0] == 0


def test_files_that_are_not_staged_are_left_to_a_process(project: Project, tmp_path: Path) -> None:
    change(project, 80)
    tower = project.root / "Assets/Prefabs/Tower.prefab"
    tower.write_text(tower.read_text().replace(guid(80), guid(3)))
    assert outcome(project, **ONLY_DAEMON)[0] == 2
    found = outcome(project)
    assert found == alone(project, tmp_path / "alone")
    assert guid(80).encode() in found[1]


def test_the_index_of_a_partial_commit_is_read_by_a_process(project: Project) -> None:
    change(project, 80)
    own = project.root / ".git" / "next-index-1.lock"
    shutil.copy(project.root / ".git" / "index", own)
    git(project.root, "reset", "-q", "--hard")
    assert outcome(project)[0] == 0
    assert outcome(project, GIT_INDEX_FILE=str(own))[0] == 1


def test_options_that_need_a_process_are_not_for_the_daemon(project: Project, tmp_path: Path) -> None:
    change(project, 80)
    report = tmp_path / "report.json"
    assert outcome(project, "Assets/Prefabs", **ONLY_DAEMON)[0] == 2
    assert outcome(project, "--output", str(report), "--json", **ONLY_DAEMON)[0] == 2
    assert outcome(project, "--output", str(report), "--json") == (1, b"")
    assert b"unknown-guid" in report.read_bytes()
