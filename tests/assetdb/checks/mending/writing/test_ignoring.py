"""Git ignores a change in progress, and a journal that it tracks is not believed."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.mending.plan import Edit, Plan
from assetdb.checks.mending.writing.apply import apply, recover
from assetdb.checks.mending.writing.ignoring import PATTERNS, ignore_journal, is_tracked
from assetdb.checks.mending.writing.journal import Write, begun, digest, write_journal
from assetdb.errors import MendingError
from assetdb.settings.project import JOURNAL_NAME
from tests.needs import needs_links, require_git

if TYPE_CHECKING:
    from pathlib import Path

LEFT = (
    JOURNAL_NAME,
    f"{JOURNAL_NAME}.lock",
    f"{JOURNAL_NAME}.1",
    f".77.{JOURNAL_NAME}.temporary",
    "Assets/.Red.mat.5e1f0c7b.assetdb-removed",
)
PLAN = Plan((Edit("Assets/a.txt", b"a", b"A"),))


def git(root: Path, *words: str) -> str:
    who = ("-c", "user.name=n", "-c", "user.email=e@e", "-c", "protocol.file.allow=always")
    require_git()
    return subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True, text=True).stdout


def make(root: Path) -> Path:
    for name in ("Assets", "ProjectSettings"):
        (root / name).mkdir(parents=True)
        (root / name / "a.txt").write_bytes(b"a")
    return root


def repository(top: Path, project: Path) -> None:
    make(project)
    (project / ".gitignore").write_text("/Library/\n")
    git(top, "init", "-q")
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", "first")


@pytest.fixture(params=["top", "below", "worktree", "submodule"])
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a project in each place that it may have in a repository."""
    top = tmp_path / "top"
    root = top / "Game/Client" if request.param == "below" else top
    top.mkdir()
    repository(top, root)
    if request.param == "worktree":
        git(top, "worktree", "add", "-q", str(tmp_path / "tree"))
        return tmp_path / "tree"
    if request.param == "submodule":
        outer = tmp_path / "outer"
        outer.mkdir()
        git(outer, "init", "-q")
        git(outer, "submodule", "--quiet", "add", str(top), "Game")
        return outer / "Game"
    return root


def test_what_a_killed_process_may_leave_is_not_seen_by_git(project: Path) -> None:
    assert ignore_journal(str(project)) == ""
    for name in LEFT:
        (project / name).write_bytes(b"x")
    assert git(project, "status", "--porcelain", "-uall") == ""
    (project / "Assets/b.txt").write_bytes(b"b")
    assert "Assets/b.txt" in git(project, "status", "--porcelain", "-uall")


def test_patterns_are_written_once_behind_those_that_are_there(project: Path) -> None:
    path = project / git(project, "rev-parse", "--git-path", "info/exclude").strip()
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"# mine\n*.log")
    path.chmod(0o640)
    for _ in range(2):
        assert ignore_journal(str(project)) == ""
        assert path.read_text().splitlines()[:2] == ["# mine", "*.log"]
        assert path.read_text().splitlines()[3:] == list(PATTERNS)
    assert os.name == "nt" or path.stat().st_mode & 0o777 == 0o640


def test_they_are_there_before_the_first_byte_of_a_change(project: Path) -> None:
    def look() -> None:
        assert git(project, "status", "--porcelain", "-uall").strip().rpartition("/")[2] in ("", "a.txt")

    assert apply(PLAN, str(project), on_step=look).unignored == ""


@needs_links
def test_where_they_cannot_be_written_the_change_goes_on_and_says_so(project: Path, tmp_path: Path) -> None:
    path = project / git(project, "rev-parse", "--git-path", "info/exclude").strip()
    path.unlink(missing_ok=True)
    path.parent.mkdir(exist_ok=True)
    outside = tmp_path / "outside"
    outside.write_bytes(b"mine\n")
    path.symlink_to(outside)
    done = apply(PLAN, str(project))
    assert done.written == ("Assets/a.txt",)
    advice = f"git does not ignore {JOURNAL_NAME} while files are changed; do not commit it"
    assert done.unignored.endswith(f"is a link: {advice}")
    assert outside.read_bytes() == b"mine\n"
    path.unlink()
    path.mkdir()
    assert "info/exclude: " in ignore_journal(str(project))


def test_outside_of_a_repository_nothing_is_written(tmp_path: Path) -> None:
    root = make(tmp_path / "Game")
    assert ignore_journal(str(root)) == ""
    assert not is_tracked(str(root))
    assert sorted(os.listdir(root)) == ["Assets", "ProjectSettings"]


@pytest.mark.parametrize("is_added", [True, False])
def test_a_journal_that_git_tracks_is_refused(project: Path, *, is_added: bool) -> None:
    write_journal(str(project), begun(str(project), (Write("Assets/a.txt", b"old", digest(b"a")),), ()))
    assert not is_tracked(str(project))
    if not is_added:
        recover(str(project))
        assert (project / "Assets/a.txt").read_bytes() == b"old"
        return
    git(project, "add", "-f", JOURNAL_NAME)
    assert is_tracked(str(project))
    for attempt in (
        lambda: recover(str(project)),
        lambda: recover(str(project), is_trusted=True),
        lambda: apply(PLAN, str(project)),
    ):
        with pytest.raises(MendingError, match="is not believed: git tracks it"):
            attempt()
    assert (project / "Assets/a.txt").read_bytes() == b"a"


@pytest.mark.parametrize("data", [b'<<<<<<< HEAD\n{"process": 1,', b'{"version": 1}', b"", b"\0" * 600])
def test_a_journal_that_git_tracks_is_refused_whatever_is_in_it(project: Path, data: bytes) -> None:
    """A rebase had put its markers into a committed one, which was then set aside: git missed a file."""
    path = project / JOURNAL_NAME
    path.write_bytes(data)
    git(project, "add", "-f", JOURNAL_NAME)
    for attempt in (lambda: recover(str(project)), lambda: apply(PLAN, str(project))):
        with pytest.raises(MendingError, match="is not believed: git tracks it"):
            attempt()
    assert path.read_bytes() == data
    assert (project / "Assets/a.txt").read_bytes() == b"a"
    assert sorted(name for name in os.listdir(project) if name.startswith(JOURNAL_NAME)) == [JOURNAL_NAME]
