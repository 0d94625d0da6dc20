"""A rename that never replaces, by the system and by a link."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.system import exclusive_rename
from assetdb.system.exclusive_rename import rename_exclusively
from tests.needs import needs_folder_descriptors, needs_links

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(params=["the system", "a link", "a check"], autouse=True)
def road(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param != "the system":
        monkeypatch.setattr(exclusive_rename, "_by_system", lambda *_: False)
    if request.param == "a check":
        monkeypatch.setattr(os, "link", refuse)


def refuse(*_: object, **__: object) -> None:
    raise PermissionError(1, "no links here")


def test_a_file_and_a_folder_get_another_name(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/b").write_bytes(b"b")
    rename_exclusively(str(tmp_path / "a"), str(tmp_path / "z"))
    rename_exclusively(str(tmp_path / "folder"), str(tmp_path / "y"))
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["b", "y", "z"]


@pytest.mark.parametrize("source", ["a", "folder"])
@pytest.mark.parametrize("target", ["file", "full"])
def test_nothing_is_replaced(tmp_path: Path, source: str, target: str) -> None:
    (tmp_path / "a").write_bytes(b"a")
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"mine")
    (tmp_path / "full/inner").mkdir(parents=True)
    with pytest.raises(FileExistsError):
        rename_exclusively(str(tmp_path / source), str(tmp_path / target))
    assert (tmp_path / "file").read_bytes() == b"mine"
    assert (tmp_path / source).exists()


@needs_links
def test_a_link_is_renamed_itself(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    rename_exclusively(str(tmp_path / "link"), str(tmp_path / "z"))
    assert os.readlink(tmp_path / "z") == "nowhere"


@needs_folder_descriptors
def test_names_are_relative_to_open_folders(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a")
    (tmp_path / "b").mkdir()
    one, other = os.open(tmp_path, os.O_RDONLY), os.open(tmp_path / "b", os.O_RDONLY)
    try:
        rename_exclusively("a", "z", src_dir_fd=one, dst_dir_fd=other)
    finally:
        os.close(one)
        os.close(other)
    assert (tmp_path / "b/z").read_bytes() == b"a"


def test_what_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        rename_exclusively(str(tmp_path / "a"), str(tmp_path / "z"))
