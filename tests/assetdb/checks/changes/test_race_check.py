"""What changes during a check is noticed, on the disk, beside it and in git's index."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.changes.race_check import UnchangedDisk, UnchangedSnapshot
from assetdb.history.git.repository import Repository
from assetdb.query.snapshots.snapshot import NEWEST, open_project
from tests.assetdb.history.git_project import git
from tests.assetdb.unity_project import make_project

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose files are older than any look at them, and which the tests leave as it was."""
    made = make_project(tmp_path_factory.mktemp("repository") / "Game")
    (made / "Assets/loose.prefab").write_text("%YAML 1.1\n--- !u!1 &1\nGameObject:\n")
    git(made, "init", "-q")
    before = time.time() - 100
    for folder, _, names in os.walk(made / "Assets"):
        for name in names:
            os.utime(os.path.join(folder, name), (before, before))
    git(made, "add", "Assets/data.asset")
    time.sleep(0.1)
    return made


@pytest.fixture
def project(root: Path, tmp_path: Path) -> Iterator[Snapshot]:
    opened = open_project(str(root), str(tmp_path / "out"))
    yield opened
    opened.close()


def still(project: Snapshot) -> UnchangedDisk:
    repository = Repository(project.root)
    return UnchangedDisk(project, repository, repository.index_identity())


def rewrite(path: str) -> Callable[[Path], Callable[[], object]]:
    """Return a change of a file, which returns how it is taken back."""

    def change(root: Path) -> Callable[[], object]:
        data = (root / path).read_bytes()
        status = (root / path).stat()
        (root / path).write_bytes(data + b"\n")

        def back() -> None:
            (root / path).write_bytes(data)
            os.utime(root / path, ns=(status.st_atime_ns, status.st_mtime_ns))

        return back

    return change


def add(path: str) -> Callable[[Path], Callable[[], object]]:
    def change(root: Path) -> Callable[[], object]:
        (root / path).write_bytes(b"")
        return (root / path).unlink

    return change


def stage(root: Path) -> Callable[[], object]:
    git(root, "add", "Assets/Main.unity")
    return lambda: git(root, "rm", "-q", "--cached", "Assets/Main.unity")


def test_a_disk_that_nobody_touches_is_still(project: Snapshot) -> None:
    found = still(project)
    assert found.holds()
    assert found.holds()


@pytest.mark.parametrize(
    "change",
    [
        rewrite("Assets/Main.unity"),
        rewrite("Assets/loose.prefab"),
        rewrite("Assets/gone.mat.meta"),
        rewrite("Packages/manifest.json"),
        add("Assets/new.txt"),
        add("ProjectSettings/New.asset"),
        stage,
    ],
)
def test_a_change_of_a_file_of_settings_or_of_the_index_is_noticed(
    root: Path, project: Snapshot, change: Callable[[Path], Callable[[], object]]
) -> None:
    found = still(project)
    assert found.holds()
    back = change(root)
    try:
        assert not found.holds()
    finally:
        back()
        time.sleep(0.05)  # or the next look finds files that are too young


def test_an_index_that_changed_since_the_question_began_is_noticed(project: Snapshot) -> None:
    assert not UnchangedDisk(project, Repository(project.root), (0, b"")).holds()


def test_a_tree_that_was_not_scanned_or_is_too_young_is_never_still(root: Path, tmp_path: Path) -> None:
    open_project(str(root), str(tmp_path / "out")).close()
    unscanned = open_project(str(root), str(tmp_path / "out"), refresh=False)
    try:
        assert not still(unscanned).holds()
    finally:
        unscanned.close()
    young = tmp_path / "Young"
    git(make_project(young), "init", "-q")
    later = time.time() + 100
    os.utime(young / "Assets/Main.unity", (later, later))
    project = open_project(str(young), str(tmp_path / "other"))
    try:
        assert not still(project).holds()
    finally:
        project.close()


def test_a_daemon_knows_its_newest_snapshot_its_settings_and_the_index(root: Path, project: Snapshot) -> None:
    repository = Repository(project.root)
    found = UnchangedSnapshot(project, repository, repository.index_identity())
    assert not found.holds()  # nobody says that it is the newest
    project.memory[NEWEST] = project.number
    assert found.holds()
    project.memory[NEWEST] = project.number + 1
    assert not found.holds()
    project.memory[NEWEST] = project.number
    for change in (stage, add("ProjectSettings/New.asset")):
        back = change(root)
        found_now = found.holds()
        back()
        assert not found_now
        found = UnchangedSnapshot(project, repository, repository.index_identity())
        assert found.holds()
