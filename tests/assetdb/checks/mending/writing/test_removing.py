"""A folder is removed with all that is in it, however deep, and nothing that its links lead to."""

from __future__ import annotations

import os
import shutil
import stat
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.checks.mending.writing.removing import remove_tree
from assetdb.checks.mending.writing.safe_files import reached
from tests.needs import needs_folder_descriptors

if TYPE_CHECKING:
    from pathlib import Path


def remove(root: Path, path: str) -> None:
    with reached(str(root), path) as place:
        remove_tree(place)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "Assets/Old/Inner/Empty").mkdir(parents=True)
    for path in ("Old/a", "Old/Inner/b", "Old/Inner/c", "other"):
        (tmp_path / "Assets" / path).write_bytes(b"x")
    return tmp_path


def test_files_and_folders_below_go_and_nothing_beside(root: Path) -> None:
    remove(root, "Assets/Old")
    assert os.listdir(root / "Assets") == ["other"]


@needs_folder_descriptors
def test_links_go_and_what_they_lead_to_stays(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_bytes(b"x")
    (root / "Assets/Old/link").symlink_to(outside)
    (root / "Assets/Old/Inner/link").symlink_to(outside)
    os.mkfifo(root / "Assets/Old/pipe")
    remove(root, "Assets/Old")
    assert os.listdir(root / "Assets") == ["other"]
    assert os.listdir(outside) == ["kept"]


@needs_folder_descriptors
def test_read_only_folders_go(root: Path) -> None:
    for folder in ("Old/Inner/Empty", "Old/Inner", "Old"):
        (root / "Assets" / folder).chmod(stat.S_IRUSR | stat.S_IXUSR)
    remove(root, "Assets/Old")
    assert os.listdir(root / "Assets") == ["other"]


@needs_folder_descriptors
def test_folders_within_folders_are_removed_with_few_of_them_open(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "Assets/Old/Inner" / "/".join("abcdefghij" * 3)).mkdir(parents=True)
    (root / "Assets/Old/Inner" / "/".join("abcdefghij" * 2) / "file").write_bytes(b"x")
    open_now, most = set(), []
    opening, closing = os.open, os.close

    def opened(*words: Any, **named: Any) -> int:  # noqa: ANN401 - as os.open takes them
        found = opening(*words, **named)
        open_now.add(found)
        most.append(len(open_now))
        return found

    def closed(descriptor: int) -> None:
        open_now.discard(descriptor)
        closing(descriptor)

    monkeypatch.setattr(os, "open", opened)
    monkeypatch.setattr(os, "close", closed)
    remove(root, "Assets/Old")
    assert os.listdir(root / "Assets") == ["other"]
    assert not open_now
    assert max(most) <= 4  # the folder above, the one that is removed, one in it, and one that is moved


@needs_folder_descriptors
def test_a_file_is_no_folder_and_stays(root: Path) -> None:
    with pytest.raises(NotADirectoryError):
        remove(root, "Assets/other")
    assert (root / "Assets/other").read_bytes() == b"x"


def test_without_descriptors_a_read_only_file_is_removed_at_a_second_attempt(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, which removes no read-only file."""
    monkeypatch.setattr("assetdb.checks.mending.writing.safe_files._BY_DESCRIPTOR", False)
    removal = shutil.rmtree

    def refusing(path: str, onerror: object) -> None:
        assert callable(onerror)
        (root / "Assets/Old/a").chmod(0)
        onerror(os.unlink, str(root / "Assets/Old/a"), None)
        assert not (root / "Assets/Old/a").exists()
        removal(path)

    monkeypatch.setattr(shutil, "rmtree", refusing)
    remove(root, "Assets/Old")
    assert os.listdir(root / "Assets") == ["other"]
