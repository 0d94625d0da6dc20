"""The stamp of git's history: read from files, changed with the checked-out commit and the boundary of a clone."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.history.git.stamp import came_with_commit, has_whole_checkout, history_stamp, index_stamp
from tests.assetdb.history.repositories import git
from tests.needs import needs_git, needs_links

if TYPE_CHECKING:
    from pathlib import Path

ONE, TWO = "1" * 40, "2" * 40


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "Game"
    (made / ".git/refs/heads").mkdir(parents=True)
    (made / ".git/HEAD").write_text("ref: refs/heads/main\n")
    return made


def test_without_a_repository_there_is_none(tmp_path: Path) -> None:
    assert history_stamp(str(tmp_path)) == ""


def test_a_branch_without_a_commit_is_its_name(root: Path) -> None:
    assert history_stamp(str(root)) == "ref: refs/heads/main\x1f\x1f"


def test_the_commit_of_a_branch_is_read_from_its_file_before_the_packed_ones(root: Path) -> None:
    packed = f"# pack-refs with: peeled\n{TWO} refs/heads/other\n{ONE} refs/heads/main\r\n^{TWO}\n"
    (root / ".git/packed-refs").write_text(packed)
    assert history_stamp(str(root)) == f"{ONE}\x1f\x1f"
    (root / ".git/refs/heads/main").write_text(f"{TWO}\n")
    assert history_stamp(str(root)) == f"{TWO}\x1f\x1f"


def test_a_name_that_ends_alike_is_another_branch(root: Path) -> None:
    (root / ".git/packed-refs").write_text(f"{ONE} refs/heads/my/refs/heads/main\n{TWO}refs/heads/main\n")
    assert history_stamp(str(root)).startswith("ref: ")


def test_a_detached_head_is_its_commit(root: Path) -> None:
    (root / ".git/HEAD").write_text(f"{ONE}\n")
    assert history_stamp(str(root)) == f"{ONE}\x1f\x1f"


def test_the_boundary_of_a_shallow_clone_and_tables_of_references_are_part_of_it(root: Path) -> None:
    (root / ".git/shallow").write_text(f"{ONE}\n")
    (root / ".git/reftable").mkdir()
    (root / ".git/reftable/tables.list").write_text("0x1.ref\n")
    assert history_stamp(str(root)) == f"ref: refs/heads/main\x1f41 {ONE}\x1f8 0x1.ref"


@pytest.mark.parametrize(("size", "is_read"), [(4095, True), (4096, False)])
def test_a_long_file_is_its_size_and_time(root: Path, size: int, *, is_read: bool) -> None:
    (root / ".git/shallow").write_text("a" * size)
    os.utime(root / ".git/shallow", ns=(7, 5_000_000_000))
    end = "a" * size if is_read else "5000000000"
    assert history_stamp(str(root)).split("\x1f")[1] == f"{size} {end}"


def test_a_folder_of_a_repository_and_a_work_tree_have_the_stamp_of_theirs(root: Path, tmp_path: Path) -> None:
    (root / "Inside/Deep").mkdir(parents=True)
    assert history_stamp(str(root / "Inside/Deep")) == history_stamp(str(root))
    own = root / ".git/worktrees/other"
    own.mkdir(parents=True)
    (own / "HEAD").write_text("ref: refs/heads/other\n")
    (root / ".git/refs/heads/other").write_text(f"{TWO}\n")
    (tmp_path / "Other").mkdir()
    for common in ("../..", (root / ".git").as_posix()):  # C:/..., as git writes it on Windows
        (own / "commondir").write_text(f"{common}\n")
        for link in (str(own), own.as_posix(), os.path.relpath(own, tmp_path / "Other")):
            (tmp_path / "Other/.git").write_text(f"gitdir: {link}\n")
            assert history_stamp(str(tmp_path / "Other")) == f"{TWO}\x1f\x1f"


def test_a_file_that_is_no_link_to_a_repository_is_none(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("something else\n")
    assert history_stamp(str(tmp_path)) == ""


def test_damaged_files_are_as_absent(root: Path) -> None:
    (root / ".git/refs/heads/main").mkdir()
    (root / ".git/packed-refs").mkdir()
    assert history_stamp(str(root)) == "ref: refs/heads/main\x1f\x1f"
    (root / ".git/HEAD").write_bytes(b"\xff\xfe")
    assert history_stamp(str(root)) == "\ufffd\ufffd\x1f\x1f"


@needs_links
def test_a_plain_index_without_rules_of_a_sparse_checkout_is_whole(root: Path, tmp_path: Path) -> None:
    assert not has_whole_checkout(str(root)), "no index"
    for version in (3, 4):
        (root / ".git/index").write_bytes(b"DIRC" + version.to_bytes(4, "big"))
        assert not has_whole_checkout(str(root))
    (root / ".git/index").write_bytes(b"DIRC" + (2).to_bytes(4, "big"))
    assert has_whole_checkout(str(root))
    (root / ".git/info").mkdir(exist_ok=True)
    (root / ".git/info/sparse-checkout").write_text("/*\n")
    assert not has_whole_checkout(str(root))
    assert has_whole_checkout(str(tmp_path)), "no repository leaves anything out"
    link = tmp_path / "link"
    link.symlink_to(root / "Assets", target_is_directory=True)
    assert not has_whole_checkout(str(link)), "git follows the link to the repository"


@needs_git
@pytest.mark.parametrize("version", ["2", "4"])
def test_a_file_that_git_tracks_came_with_a_commit(tmp_path: Path, version: str) -> None:
    path = tmp_path / "Game/Library/made.bin"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"x")
    assert not came_with_commit(str(path))
    git(tmp_path, "init", "-q")
    assert not came_with_commit(str(path))
    other = tmp_path / "Other/made.bin"
    other.parent.mkdir()
    other.write_bytes(b"x")
    git(tmp_path, "-c", f"index.version={version}", "add", "Other")
    assert (came_with_commit(str(path)), came_with_commit(str(other))) == (False, True)
    git(tmp_path, "-c", f"index.version={version}", "add", "-f", "Game")
    assert came_with_commit(str(path))
    git(tmp_path, "rm", "-q", "--cached", "Game/Library/made.bin")
    assert not came_with_commit(str(path))


@needs_git
def test_a_file_of_a_split_index_came_with_a_commit(tmp_path: Path) -> None:
    path = tmp_path / "made.bin"
    path.write_bytes(b"x")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "update-index", "--split-index")
    assert b"made.bin" not in (tmp_path / ".git/index").read_bytes()
    assert came_with_commit(str(path))
    git(tmp_path, "rm", "-q", "--cached", "made.bin")
    assert not came_with_commit(str(path))


@needs_git
def test_a_file_of_a_repository_in_a_repository_came_with_its_commit(tmp_path: Path) -> None:
    path = tmp_path / "Library/made.bin"
    path.parent.mkdir()
    path.write_bytes(b"x")
    git(tmp_path, "init", "-q")
    git(path.parent, "init", "-q")
    git(path.parent, "add", "-A")
    assert came_with_commit(str(path))


@needs_git
@needs_links
def test_a_link_that_was_committed_leads_to_what_was_committed(tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    (tmp_path / "made/made.bin").write_bytes(b"x")
    (tmp_path / "Library").symlink_to("made", target_is_directory=True)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    assert came_with_commit(str(tmp_path / "Library/made.bin"))


@needs_git
def test_a_git_that_cannot_say_so_is_no_proof(tmp_path: Path) -> None:
    (tmp_path / "made.bin").write_bytes(b"x")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "rm", "-q", "--cached", "made.bin")
    (tmp_path / ".git/index").write_bytes(b"DIRC\0\0\0\2 made.bin")  # damaged
    assert came_with_commit(str(tmp_path / "made.bin"))


def test_the_stamp_of_an_index_changes_with_what_decides_on_files(root: Path) -> None:
    assert index_stamp(str(root.parent)) == ""
    seen = {index_stamp(str(root))}
    assert "" not in seen
    for name in (".git/index", ".git/info/exclude", ".gitignore", ".gitattributes"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text("x")
        seen.add(index_stamp(str(root)))
    (root / ".gitignore").write_text("yy")
    seen.add(index_stamp(str(root)))
    assert len(seen) == 6
    (root / ".git/HEAD").write_text(f"{ONE}\n")
    (root / "Assets").mkdir()
    (root / "Assets/.gitignore").write_text("x")
    assert index_stamp(str(root)) in seen


def test_rules_above_a_project_count_up_to_its_repository(root: Path) -> None:
    inside = root / "Client/Game"
    inside.mkdir(parents=True)
    seen = {index_stamp(str(inside))}
    for folder in (inside, root / "Client", root):
        (folder / ".gitignore").write_text("x")
        seen.add(index_stamp(str(inside)))
    (root.parent / ".gitignore").write_text("x")
    seen.add(index_stamp(str(inside)))
    assert len(seen) == 4


@pytest.mark.parametrize(
    ("rows", "counts"),
    [
        ("path = Packages/Sub", True),
        ('\tPATH="Packages/Sub" ', True),
        ("path = Packages/../Packages/Sub", True),
        ("path = ../Packages/Sub", False),
        ("path = Packages", False),
        ("url = Packages/Sub", False),
        ("path = .", False),
    ],
)
def test_submodules_that_are_named_count_with_their_commits_and_their_own(
    root: Path, rows: str, *, counts: bool
) -> None:
    inner = root / "Packages/Sub"
    for folder in (inner, inner / "Deep"):
        (folder / ".git").mkdir(parents=True)
    (root / ".gitmodules").write_text(f'[submodule "a"]\n{rows}\n')
    (inner / ".gitmodules").write_text('[submodule "b"]\n\tpath = Deep\n')
    for name in (".git/index", ".git/HEAD", ".git/FETCH_HEAD", ".gitignore", "Deep/.git/packed-refs"):
        before = index_stamp(str(root))
        (inner / name).write_text("x")
        assert (index_stamp(str(root)) != before) is counts, name
