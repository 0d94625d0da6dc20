"""Pointers of Git LFS and binary files that both sides of a merge changed are told before the merge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.findings.engine import Selection
from assetdb.checks.merges.merge import check_merge
from assetdb.errors import ConfigurationError
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.history.git_project import commit, git, make_repository
from tests.assetdb.unity_project import write_meta

if TYPE_CHECKING:
    from pathlib import Path

ART = "Assets/Art/big.png"
LFS = "git has pointers of Git LFS, whose contents it cannot merge: take one of the two"
BINARY = "git cannot merge binary files: take one of the two"


def pointer(number: int) -> bytes:
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{number:064}\nsize {number}\n".encode()


def merge(tmp_path: Path, inside: str, *versions: bytes | None) -> list[tuple[str, str]]:
    """Return path and message of what a merge cannot have: of the first version, and of two changes of it."""
    base, ours, theirs = versions
    root = make_repository(tmp_path / "repository", inside)

    def put(data: bytes | None) -> None:
        if data is None:
            (root / ART).unlink(missing_ok=True)
        else:
            (root / ART).write_bytes(data)
        commit(root)

    write_meta(root, ART, 300, "TextureImporter:\n  userData: \n")
    put(base)
    git(root, "checkout", "-q", "-b", "other")
    put(theirs)
    git(root, "checkout", "-q", "main")
    put(ours)
    project = open_project(str(root), str(tmp_path / "out"))
    try:
        findings = check_merge(project, "other", Selection()).findings
    finally:
        project.close()
    return [(row.path, row.message) for row in findings if row.code == "conflict-markers"]


@pytest.mark.parametrize("inside", ["", "Client/Game"])
def test_two_pointers(tmp_path: Path, inside: str) -> None:
    assert merge(tmp_path, inside, pointer(1), pointer(2), pointer(3)) == [(ART, f"both sides changed it, and {LFS}")]


def test_two_pointers_that_both_sides_added(tmp_path: Path) -> None:
    assert merge(tmp_path, "", None, pointer(2), pointer(3)) == [(ART, f"both sides changed it, and {LFS}")]


def test_binary_files(tmp_path: Path) -> None:
    found = merge(tmp_path, "", b"\x89PNG\0one", b"\x89PNG\0two", b"\x89PNG\0three")
    assert found == [(ART, f"both sides changed it, and {BINARY}")]


@pytest.mark.parametrize(
    "versions",
    [
        (pointer(1), pointer(2), pointer(1)),
        (pointer(1), pointer(2), pointer(2)),
        (pointer(1), None, pointer(2)),
    ],
)
def test_what_git_merges_and_what_one_side_removed_is_not_told(
    tmp_path: Path, versions: tuple[bytes | None, bytes | None, bytes | None]
) -> None:
    assert merge(tmp_path, "", *versions) == []


@pytest.mark.parametrize("inside", ["", "Client/Game"])
def test_settings_that_git_cannot_merge(tmp_path: Path, inside: str) -> None:
    """The rules of the merge stand in them; the error named a file of a copy that was gone."""
    root = make_repository(tmp_path / "repository", inside)
    for branch, size in (("main", 1), ("other", 2), ("main", 3)):
        git(root, "checkout", "-q", *(("-b",) if branch == "other" else ()), branch)
        (root / "assetdb.toml").write_text(f'[[rule]]\npaths = "Assets/**"\nmax-size = {size}\n')
        commit(root)
    project = open_project(str(root), str(tmp_path / "out"))
    try:
        with pytest.raises(ConfigurationError, match=r"^assetdb\.toml: git cannot merge it"):
            check_merge(project, "other", Selection())
    finally:
        project.close()
