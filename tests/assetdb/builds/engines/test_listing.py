"""Files of builds of other engines: each once, and under names that tell them apart."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from assetdb.builds.engines.listing import list_files
from assetdb_formats.casset.files import scan

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def names(*paths: Path | str) -> list[str]:
    problems: list[str] = []
    found = list_files([str(path) for path in paths], problems)
    assert problems == []
    return sorted(file.name for file in found.values())


def test_folders_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for game in ("Shooter", "Racer"):
        (tmp_path / game / "Paks").mkdir(parents=True)
        (tmp_path / game / "Paks" / "base.pak").write_bytes(b"x")
    first, second = tmp_path / "Shooter" / "Paks", tmp_path / "Racer" / "Paks"
    assert names(first) == ["base.pak"]
    assert names(first, second) == ["Paks (2)/base.pak", "Paks/base.pak"]


def test_a_file_that_is_named_beside_its_folder_is_there_once(tmp_path: Path) -> None:
    """By another spelling its bytes were counted a second time, as of another file."""
    path = tmp_path / "Paks" / "base.pak"
    path.parent.mkdir()
    path.write_bytes(b"x")
    for paths in ((path.parent, path), (path, f"{path.parent}/."), (path, path)):
        assert len(names(*paths)) == 1


def test_a_folder_that_cannot_be_listed_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "Game" / "Secret").mkdir(parents=True)
    (tmp_path / "Game" / "a.casset").write_bytes(b"x")
    listed = os.scandir

    def refused(path: str) -> object:
        if path.endswith("Secret"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return listed(path)

    monkeypatch.setattr(os, "scandir", refused)
    problems: list[str] = []
    assert [file.name for file in list_files([str(tmp_path)], problems).values()] == ["Game/a.casset"]
    assert problems == ["Game/Secret: Permission denied"]
    project = scan(str(tmp_path))
    assert sorted(error.what for error in project.unreadable) == [
        "cannot be opened: Permission denied",
        "is not a .casset bundle",
    ]


def test_a_path_that_is_given_twice_is_one(tmp_path: Path) -> None:
    (tmp_path / "base.pak").write_bytes(b"x")
    assert names(tmp_path, f"{tmp_path}/", tmp_path / ".") == ["base.pak"]
