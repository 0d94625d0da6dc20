"""Which container a path means."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.unreal.asset_registry import MAGIC
from assetdb_formats.unreal.containers.locations import (
    containers_in,
    global_container,
    is_archive,
    is_container,
    is_registry,
    is_zen_package,
    table_of,
)
from tests.assetdb_formats.unreal.iostore.writer import zen_package

if TYPE_CHECKING:
    from pathlib import Path


def test_data_belongs_to_the_table_of_its_stem(tmp_path: Path) -> None:
    table = tmp_path / "game.utoc"
    table.write_bytes(b"")
    for name in ("game.ucas", "game_s1.ucas", "game_s12.UCAS"):
        assert table_of(str(tmp_path / name)) == str(table)
        assert containers_in(str(tmp_path / name)) == [str(table)]
    assert table_of(str(table)) is None
    assert table_of("game_s1.pak") is None


def test_a_container_that_is_named_beside_its_folder_is_one(tmp_path: Path) -> None:
    path = tmp_path / "game.utoc"
    path.write_bytes(b"")
    found = f"{tmp_path}/."
    for places in ((str(path), found), (found, str(path)), (found, str(tmp_path), str(path.with_suffix(".ucas")))):
        assert containers_in(*places) == [os.path.join(found, "game.utoc")]


def test_a_container_whose_own_name_ends_so_has_its_own_table(tmp_path: Path) -> None:
    for name in ("part.utoc", "part_s1.utoc"):
        (tmp_path / name).write_bytes(b"")
    assert table_of(str(tmp_path / "part_s1.ucas")) == str(tmp_path / "part_s1.utoc")
    assert table_of("part_s1.ucas", lambda path: path == "part.utoc") == "part.utoc"


def make(folder: Path, *names: str) -> str:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"")
    return str(folder)


@pytest.mark.parametrize(
    ("names", "is_one"),
    [
        (("a.utoc",), True),
        (("deep/er/A.PAK", "readme.txt"), True),
        (("a.pak", "b.uasset"), False),  # a project keeps builds beside its content
        (("a.pak", "deep/b.UMAP"), False),
        (("a.ucas",), False),
        ((), False),
    ],
)
def test_a_folder_of_containers_alone_is_one(tmp_path: Path, names: tuple[str, ...], is_one: bool) -> None:  # noqa: FBT001
    assert is_container(make(tmp_path, *names)) is is_one


@pytest.mark.parametrize(("name", "is_one"), [("A.UTOC", True), ("a.pak", True), ("a.ucas", True), ("a.uasset", False)])
def test_a_file_is_a_container_by_its_name(name: str, is_one: bool) -> None:  # noqa: FBT001
    assert is_container(name) is is_one


def test_containers_of_folders_and_files_come_each_once(tmp_path: Path) -> None:
    folder = make(tmp_path, "a.utoc", "a.ucas", "deep/b.PAK", "c.txt", "d.pak/e.utoc")
    expected = [str(tmp_path / name) for name in ("a.utoc", "deep/b.PAK", "d.pak/e.utoc")]
    assert sorted(containers_in(folder)) == sorted(expected)
    assert sorted(containers_in(folder, str(tmp_path / "a.ucas"), str(tmp_path / "a.utoc"))) == sorted(expected)
    assert containers_in(str(tmp_path / "c.txt")) == []
    assert containers_in(str(tmp_path / "gone.pak")) == [str(tmp_path / "gone.pak")]


def test_script_objects_lie_beside_or_one_folder_up(tmp_path: Path) -> None:
    make(tmp_path, "Paks/global.utoc", "Paks/game.utoc", "Paks/Mods/mod.utoc", "Paks/Mods/Deep/mod.utoc")
    expected = str(tmp_path / "Paks/global.utoc")
    for name in ("Paks/game.utoc", "Paks/Mods/mod.utoc", "Paks", "Paks/Mods"):
        assert global_container(str(tmp_path / name)) == expected
    for name in ("Paks/Mods/Deep/mod.utoc", "Paks/GLOBAL.utoc", "Paks/Mods/Deep"):
        assert global_container(str(tmp_path / name)) == ""


@pytest.mark.parametrize(("start", "is_one"), [(b"PK\3\4", True), (b"PK\5\6x", True), (b"PK\7", False), (b"", False)])
def test_an_archive_is_known_by_its_start(tmp_path: Path, start: bytes, is_one: bool) -> None:  # noqa: FBT001
    (tmp_path / "a").write_bytes(start)
    assert is_archive(str(tmp_path / "a")) is is_one
    assert not is_archive(str(tmp_path))
    assert not is_archive(str(tmp_path / "gone"))


def test_files_that_are_neither_registry_nor_zen_package(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(MAGIC + b"more")
    (tmp_path / "b").write_bytes(MAGIC[:-1])
    assert is_registry(str(tmp_path / "a"))
    assert not is_registry(str(tmp_path / "b"))
    assert not is_zen_package(str(tmp_path / "a"))
    assert not is_zen_package(str(tmp_path / "gone"))
    (tmp_path / "c").write_bytes(zen_package(2, "/Game/A", [("X", b"data")], [], []))
    assert is_zen_package(str(tmp_path / "c"))
