"""Files of submodules in place of their commits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.history.git.entries import SUBMODULE
from assetdb.history.git.repository import Repository
from assetdb.history.git.submodules import absent_changes, with_submodules
from tests.assetdb.history.git_project import commit, git, make_repository

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.history.git.entries import Entry


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a project with the submodule ``Assets/Sub``, which has one file ``a.txt``."""
    project = make_repository(tmp_path / "project")
    inner = tmp_path / "inner"
    inner.mkdir()
    git(inner, "init", "-q", "-b", "main")
    (inner / "a.txt").write_text("one")
    commit(inner)
    git(project, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "Assets/Sub")
    commit(project)
    return project


def other_side(root: Path, revision: str = "HEAD") -> dict[bytes, str | None]:
    """Return paths that differ on the disk, and the submodule that has the older content of each."""
    repository = Repository(str(root))
    entries = repository.revision_against_disk(repository.revision(revision), tops=("Assets",))
    found = with_submodules(repository, entries)
    return {path: entry and entry.submodule for path, entry in found.items()}


def test_changed_new_and_deleted_files_are_those_of_the_submodule(root: Path) -> None:
    sub = root / "Assets" / "Sub"
    assert other_side(root) == {}
    (sub / "b.txt").write_text("two")
    commit(sub)
    (sub / "a.txt").write_text("changed")
    assert other_side(root) == {b"Assets/Sub/a.txt": str(sub), b"Assets/Sub/b.txt": None}
    commit(root)
    (sub / "a.txt").write_text("one")
    (sub / "b.txt").unlink()
    assert other_side(root) == {b"Assets/Sub/b.txt": str(sub)}
    (sub / "a.txt").unlink()
    (sub / "c.txt").write_text("new")
    expected = {b"Assets/Sub/a.txt": str(sub), b"Assets/Sub/b.txt": str(sub), b"Assets/Sub/c.txt": None}
    assert other_side(root) == expected
    repository = Repository(str(root))
    assert with_submodules(repository, repository.index_against_disk()).keys() == expected.keys()


def test_a_submodule_that_the_revision_lacks_has_no_file_there(root: Path) -> None:
    assert other_side(root, "HEAD~1") == {
        b".gitmodules": None,
        b"Assets/Sub": None,
        b"Assets/Sub/a.txt": None,
    }


def test_a_submodule_of_another_folder_has_the_files_of_its_commit(root: Path) -> None:
    git(root, "mv", "Assets/Sub", "Assets/Moved")
    found = other_side(root)
    assert found[b"Assets/Sub/a.txt"] == str(root / "Assets" / "Moved")
    assert found[b"Assets/Moved/a.txt"] is None


def test_a_commit_that_is_not_here_has_no_files(root: Path) -> None:
    git(root, "update-index", "--cacheinfo", f"160000,{'1' * 40},Assets/Sub")
    git(root, "commit", "-q", "-m", "unknown")
    assert other_side(root) == {}
    git(root, "mv", "Assets/Sub", "Assets/Moved")
    assert b"Assets/Sub/a.txt" not in other_side(root)


def test_a_submodule_behind_many_other_differences_is_read(root: Path) -> None:
    git(root, "mv", "Assets/Sub", "Assets/Moved")
    repository = Repository(str(root))
    entries = repository.revision_against_disk(repository.revision("HEAD"), tops=("Assets",))
    many: dict[bytes, Entry | None] = {b"Assets/%d.txt" % number: None for number in range(1100)}
    absent: set[bytes] = set()
    found = with_submodules(repository, many | entries, absent)
    assert b"Assets/Sub/a.txt" in found
    assert not absent


def test_submodules_without_their_commit_are_told_apart_from_unchanged_ones(root: Path) -> None:
    git(root, "update-index", "--cacheinfo", f"160000,{'1' * 40},Assets/Sub")
    git(root, "commit", "-q", "-m", "unknown")
    repository = Repository(str(root))
    sides = [
        repository.revision_against_disk(repository.revision(name), tops=("Assets",)) for name in ("HEAD~1", "HEAD")
    ]
    absent: set[bytes] = set()
    for side in sides:
        with_submodules(repository, side, absent)
    before = git(root, "rev-parse", "HEAD~1:Assets/Sub").strip()
    assert absent == {b"Assets/Sub"}
    assert absent_changes(repository, *sides, absent) == {b"Assets/Sub": (before, "1" * 40)}
    assert absent_changes(repository, sides[1], sides[1], absent) == {}
    assert absent_changes(repository, *sides, set()) == {}


def test_submodules_are_found_without_all_other_files_of_the_index(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(root, "mv", "Assets/Sub", "Assets/Moved")
    marked = next(path for path in Repository(str(root)).index() if path.endswith(b".txt"))
    git(root, "update-index", "--assume-unchanged", marked.decode())
    (root / marked.decode()).write_text("m_EditorVersion: 2021.1.0f1\n")
    repository = Repository(str(root))
    index = repository.index()
    wanted = {path: entry for path, entry in index.items() if entry.kind == SUBMODULE}
    assert list(wanted) == [b"Assets/Moved"]
    read = Repository.index

    def index_of_submodules(inner: Repository) -> dict[bytes, Entry]:
        assert inner.root != str(root)
        return read(inner)

    monkeypatch.setattr(Repository, "index", index_of_submodules)
    entries = repository.revision_against_disk(repository.revision("HEAD"), tops=("Assets",))
    assert entries[marked] == index[marked]  # which git does not compare with the disk
    assert repository.submodules() == wanted
    absent: set[bytes] = set()
    assert b"Assets/Sub/a.txt" in with_submodules(repository, entries, absent)
    assert absent_changes(repository, entries, {}, absent) == {}
