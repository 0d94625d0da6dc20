"""Which container a path means."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from assetdb_formats.unreal.containers.locations import containers_in, table_of

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
