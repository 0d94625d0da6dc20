"""Files that git stores too large, or against the rules of Git LFS: in the project, and in a change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.changes.introduced import check_since, check_staged
from assetdb.checks.findings.engine import Report, Selection, check_project
from tests.assetdb.checks.asking import findings_of
from tests.assetdb.history.git_project import commit, git, make_repository
from tests.assetdb.unity_project import write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot

    Row = tuple[str, str, str]

POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{7:064}\nsize 12345\n"
ONLY = Selection(select=("large-file", "lfs-mismatch"))
BIG, ROCK = "Assets/Video/Intro.bytes", "Assets/Art/Rock.psd"
NO_FILTER = ("-c", "filter.lfs.clean=cat", "-c", "filter.lfs.required=false")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "repository")


def ask(root: Path, question: Callable[[Snapshot], Report]) -> list[Row]:
    return [(row.code, row.severity, row.path) for row in findings_of(root, question)]


def plain(root: Path) -> list[Row]:
    return ask(root, lambda project: check_project(project, ONLY))


def staged(root: Path) -> list[Row]:
    return ask(root, lambda project: check_staged(project, ONLY))


def since(root: Path, revision: str = "HEAD") -> list[Row]:
    return ask(root, lambda project: check_since(project, revision, ONLY))


def write_large(root: Path, path: str = BIG) -> None:
    """Write 100 MB and a byte, which take no space."""
    write(root, path, 700, "")
    with (root / path).open("r+b") as file:
        file.truncate(100_000_001)


def test_a_file_that_no_server_takes(root: Path) -> None:
    write_large(root)
    assert plain(root) == []  # git does not have it yet
    git(root, "-c", "core.bigFileThreshold=1m", "add", "-A")
    assert plain(root) == [("large-file", "warning", BIG)]
    assert staged(root) == since(root) == [("large-file", "error", BIG)]
    git(root, "commit", "-q", "-m", "large")
    write(root, "Assets/Other.txt", 701, "x")
    git(root, "add", "-A")
    assert staged(root) == since(root) == []
    assert since(root, "HEAD~1") == [("large-file", "error", BIG)]


def test_content_where_a_pointer_belongs(root: Path) -> None:
    (root / ".gitattributes").write_text("*.psd filter=lfs\n")
    write(root, ROCK, 702, b"8BPS" + bytes(range(256)) * 8)
    git(root, *NO_FILTER, "add", "-A")
    assert plain(root) == staged(root) == [("lfs-mismatch", "warning", ROCK)]


def test_a_pointer_that_no_rule_covers(root: Path) -> None:
    write(root, ROCK, 702, POINTER)
    commit(root)
    assert plain(root) == [("lfs-mismatch", "error", ROCK)]
    (root / ".gitattributes").write_text("*.psd filter=lfs\n")
    assert plain(root) == []


def clean_into(pointer: Path) -> tuple[str, ...]:
    """Return options with which git stores a pointer in place of each file of Git LFS."""
    pointer.write_text(POINTER)
    return ("-c", f"filter.lfs.clean=cat '{pointer.as_posix()}'", "-c", "filter.lfs.required=false")


def test_a_pointer_that_leaves_the_folder_of_its_rule(root: Path) -> None:
    (root / ".gitattributes").write_text("Assets/Art/*.psd filter=lfs\n")
    write(root, ROCK, 702, b"8BPS" + bytes(range(256)) * 8)
    with_pointer = clean_into(root.parent / "pointer")
    git(root, *with_pointer, "add", "-A")
    assert staged(root) == []
    git(root, *with_pointer, "commit", "-q", "-m", "art")
    (root / "Assets/Data").mkdir()
    for end in ("", ".meta"):
        git(root, "mv", ROCK + end, f"Assets/Data/Rock.psd{end}")
    assert git(root, "cat-file", "-p", ":Assets/Data/Rock.psd") == POINTER  # and on the disk is the content
    assert staged(root) == [("lfs-mismatch", "error", "Assets/Data/Rock.psd")]


def test_pointers_whose_rule_goes(root: Path) -> None:
    (root / ".gitattributes").write_text("*.psd filter=lfs\n")
    write(root, ROCK, 702, b"8BPS" + bytes(range(256)) * 8)
    with_pointer = clean_into(root.parent / "pointer")
    git(root, *with_pointer, "add", "-A")
    git(root, *with_pointer, "commit", "-q", "-m", "art")
    (root / ".gitattributes").write_text("*.png filter=lfs\n")
    git(root, "add", ".gitattributes")
    assert staged(root) == [("lfs-mismatch", "error", ROCK)]


def test_a_change_of_the_rules_does_not_bring_a_pointer_that_never_had_one(root: Path) -> None:
    """``git-setup`` adds a line to ``.gitattributes``; the hook refused the next commit for pointers of before."""
    write(root, ROCK, 702, POINTER)
    commit(root)
    (root / ".gitattributes").write_text("*.unity diff=unity\n")
    git(root, "add", ".gitattributes")
    assert staged(root) == []
    assert plain(root) == [("lfs-mismatch", "error", ROCK)]


def test_small_files_and_pointers_with_their_rule_are_fine(root: Path) -> None:
    (root / ".gitattributes").write_text("*.psd filter=lfs\n")
    write(root, ROCK, 702, POINTER)
    write(root, "Assets/note.txt", 703, "x" * len(POINTER))
    git(root, *NO_FILTER, "add", "-A")
    assert plain(root) == staged(root) == since(root) == []
