"""Files of builds of other engines: each once, and under names that tell them apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.builds.engines.listing import list_files

if TYPE_CHECKING:
    from pathlib import Path


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


def test_a_path_that_is_given_twice_is_one(tmp_path: Path) -> None:
    (tmp_path / "base.pak").write_bytes(b"x")
    assert names(tmp_path, f"{tmp_path}/", tmp_path / ".") == ["base.pak"]
