"""Renames that nobody staged: by content, by likeness, by pointers of Git LFS, by name, and of folders."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

import pytest

from assetdb.history import renames
from assetdb.history.git.repository import Repository
from assetdb.history.moved_files import blob_name
from assetdb.history.renames import find_renames, folder_renames
from tests.assetdb.history.git_project import commit, git

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "".join(f"line {number} of a file that is long enough to be known again\n" for number in range(20))


@pytest.fixture(params=["", "Game"])
def root(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A project at the top of a repository, and one in a folder of it."""
    made = tmp_path / "repository" / str(request.param)
    made.mkdir(parents=True)
    git(tmp_path / "repository", "init", "-q")
    return made


def committed(root: Path, files: dict[str, str | bytes]) -> dict[str, str]:
    """Commit files and remove them; return the object name of each."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text if isinstance(text, bytes) else text.encode())
    commit(root)
    gone = {path: git(root, "rev-parse", f"HEAD:./{path}").strip() for path in files}
    for path in files:
        (root / path).unlink()
    return gone


def found(root: Path, gone: dict[str, str], new: dict[str, str | bytes]) -> dict[str, tuple[str, int]]:
    for path, text in new.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text if isinstance(text, bytes) else text.encode())
    return find_renames(Repository(str(root)), gone, list(new))


def test_a_file_with_the_same_content_is_the_one_that_is_gone(root: Path) -> None:
    gone = committed(root, {"a ü.txt": TEXT, "b.txt": "b\n"})
    assert found(root, gone, {"New/x.txt": TEXT, "c.txt": "c\n"}) == {"New/x.txt": ("a ü.txt", 100)}


def test_a_changed_file_has_its_likeness_in_percent(root: Path) -> None:
    gone = committed(root, {"a.txt": TEXT})
    ((path, (old, likeness)),) = found(root, gone, {"x.txt": TEXT + "one more line\n", "y.txt": "other\n" * 50}).items()
    assert (path, old) == ("x.txt", "a.txt")
    assert 90 < likeness < 100


@pytest.mark.parametrize(
    ("paths", "nearest"),
    [
        (("A/x.txt", "Old/y.txt"), "Old/y.txt"),  # of the same folder
        (("A/x.txt", "Z/a.txt"), "Z/a.txt"),  # or at least of the same name
        (("Old/x.txt", "Z/a.txt"), "Old/x.txt"),
        (("A/x.txt", "B/y.txt"), "A/x.txt"),
    ],
)
def test_of_equal_files_the_nearest_is_the_one_that_was_moved(root: Path, paths: tuple[str, str], nearest: str) -> None:
    gone = committed(root, {"Old/a.txt": TEXT})
    assert found(root, gone, dict.fromkeys(paths, TEXT)) == {nearest: ("Old/a.txt", 100)}


def test_a_file_of_the_same_name_alone_has_no_likeness(root: Path) -> None:
    gone = committed(root, {"A/a.txt": TEXT, "B/b.txt": "b\n", "C/b.txt": "c\n"})
    new: dict[str, str | bytes] = {"New/a.txt": "another\n", "New/b.txt": "also\n"}
    assert found(root, gone, new) == {"New/a.txt": ("A/a.txt", 0)}  # two had the other name


def test_nothing_gone_or_nothing_new_is_no_rename(root: Path) -> None:
    repository = Repository(str(root))
    assert find_renames(repository, {}, ["a"]) == {}
    assert find_renames(repository, {"a": "1" * 40}, []) == {}


def pointer(content: bytes) -> bytes:
    digits = hashlib.sha256(content).hexdigest().encode()
    return b"version https://git-lfs.github.com/spec/v1\noid sha256:%b\nsize %d\n" % (digits, len(content))


def test_the_content_of_a_pointer_is_the_file_that_is_gone(root: Path) -> None:
    content = bytes(range(256)) * 8
    gone = committed(root, {"a.png": pointer(content), "b.png": b"no pointer", "c.wav": pointer(b"c")})
    new: dict[str, str | bytes] = {"x.PNG": content, "y.png": b"other" * 100, "z.txt": b"c"}
    assert found(root, gone, new) == {"x.PNG": ("a.png", 100)}  # the last has another extension


def test_of_a_large_file_git_is_not_asked(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = committed(root, {"a.txt": TEXT})
    monkeypatch.setattr(renames, "_LARGEST", len(TEXT) - 1)
    assert found(root, gone, {"x.txt": TEXT}) == {}
    monkeypatch.setattr(renames, "_LARGEST", len(TEXT))
    assert found(root, gone, {"x.txt": TEXT}) == {"x.txt": ("a.txt", 100)}


def test_the_repository_has_no_more_objects_than_before(root: Path) -> None:
    gone = committed(root, {"a.txt": TEXT})
    objects = os.path.join(Repository(str(root)).folder, "objects")
    before = sorted(folder for folder, _, _ in os.walk(objects))
    found(root, gone, {"x.txt": TEXT + "more\n"})
    assert sorted(folder for folder, _, _ in os.walk(objects)) == before


# --- folders


def put(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(path.encode())


def test_a_folder_came_from_where_most_of_its_files_were(tmp_path: Path) -> None:
    put(tmp_path, "New/a", "New/b", "New/Sub/c")
    moved = {"New/a": ("Other/a", 100), "New/b": ("Old/b", 80), "New/Sub/c": ("Old/Sub/c", 100)}
    assert folder_renames(str(tmp_path), ["New"], {}, moved) == {**moved, "New": ("Old", 100)}


def test_a_folder_that_is_still_there_or_a_file_of_another_name_tells_nothing(tmp_path: Path) -> None:
    put(tmp_path, "New/a", "Old/x")
    for old in ("Old/a", "Gone/b", "a", "/a"):
        moved = {"New/a": (old, 100)}
        assert folder_renames(str(tmp_path), ["New"], {}, moved) == moved
    assert folder_renames(str(tmp_path), ["New/a", "None"], {}, {}) == {}


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
def test_metas_tell_where_a_folder_was_whatever_their_line_ends(tmp_path: Path, ends: bytes) -> None:
    put(tmp_path, "New/a.meta", "New/other")
    (tmp_path / "New/a.meta").write_bytes(b"guid: 1" + ends)
    metas = {blob_name(b"guid: 1\n"): "Old/a.meta", blob_name(b"New/other"): "Away/other"}
    assert folder_renames(str(tmp_path), ["New"], metas, {}) == {"New": ("Old", 100)}


def test_of_a_large_folder_some_files_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "New/Sub/a", "New/Sub/b")
    moved = {"New/Sub/a": ("Old/Sub/a", 100), "New/Sub/b": ("Old/Sub/b", 100)}
    monkeypatch.setattr(renames, "_MOST_FILES", 0)
    assert folder_renames(str(tmp_path), ["New"], {}, moved) == moved
    monkeypatch.setattr(renames, "_MOST_FILES", 1)
    assert folder_renames(str(tmp_path), ["New"], {}, moved)["New"] == ("Old", 100)
