"""Whose build lies at some paths, told by names and by the bytes that no other file has."""

from __future__ import annotations

import os
import re
import zipfile
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.engines.detection import CRYSTAL, UNITY, UNREAL, engine_of, other_engines
from assetdb.errors import UsageError
from tests.assetdb.builds import making
from tests.assetdb.builds.engines import games

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize(
    ("files", "engine"),
    [(games.unreal, UNREAL), (games.pak, UNREAL), (games.loose, UNREAL), (games.crystal, CRYSTAL)],
)
def test_a_folder_is_of_the_engine_whose_files_lie_there(
    tmp_path: Path, files: Callable[[], dict[str, bytes]], engine: str
) -> None:
    assert engine_of([str(games.write(tmp_path / "build", files()))]) == engine


def test_a_player_of_unity_with_chromium_in_it_is_of_unity(tmp_path: Path) -> None:
    folder = making.player(tmp_path / "Game_Data")
    (folder / "resources.pak").write_bytes(b"\x05\0\0\0" + bytes(600))
    assert other_engines([str(folder)]) == ()
    assert engine_of([str(folder)]) == UNITY


def test_a_map_of_another_program_is_nobodys(tmp_path: Path) -> None:
    folder = making.player(tmp_path / "Game_Data")
    (folder / "places.umap").write_bytes(b"<map>")
    assert engine_of([str(folder)]) == UNITY
    maps = tmp_path / "Content"
    maps.mkdir()
    (maps / "Town.umap").write_bytes(games.loose()["Game/Content/Maps/Town.umap"])
    assert engine_of([str(maps)]) == UNREAL


def test_what_is_nobodys_is_taken_for_unitys(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    assert engine_of([str(tmp_path)]) == UNITY
    assert engine_of([str(tmp_path / "absent")]) == UNITY


def test_two_engines_at_once_are_refused(tmp_path: Path) -> None:
    player = making.player(tmp_path / "Game_Data")
    other = games.write(tmp_path / "other", games.crystal())
    with pytest.raises(UsageError, match=f"holds files of {UNITY} and {CRYSTAL}; name the folders"):
        engine_of([str(player), str(other)])
    games.write(other, games.pak())
    with pytest.raises(UsageError, match=f"{CRYSTAL} and {UNREAL}|{UNREAL} and {CRYSTAL}"):
        engine_of([str(other)])


def test_one_package_is_no_build(tmp_path: Path) -> None:
    games.write(tmp_path, games.loose())
    with pytest.raises(UsageError, match="is one package, not a build: `assetdb unreal info` reads it"):
        engine_of([str(tmp_path / "Game/Content/House.uasset")])


def test_one_package_beside_others_is_named(tmp_path: Path) -> None:
    """Of two packages the scan of no folder ended with a traceback; beside a folder one was left out."""
    games.write(tmp_path, games.loose())
    house, barn = (str(tmp_path / "Game/Content" / name) for name in ("House.uasset", "Barn.uasset"))
    for paths in ((house, barn), (str(tmp_path), house)):
        with pytest.raises(UsageError, match=f"^{re.escape(house)}: is one package"):
            engine_of(paths)


def test_an_archive_is_told_by_the_names_in_it(tmp_path: Path) -> None:
    for name, member, found in (
        ("game.zip", "Game/Content/Paks/game.utoc", (UNREAL,)),
        ("old.zip", "Game/Content/Paks/old.pak", (UNREAL,)),
        ("game.apk", "assets/main.obb.png", (UNREAL,)),
        ("unity.apk", "assets/chromium/resources.pak", ()),
    ):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr(member, b"data")
        assert other_engines([str(tmp_path / name)]) == found, name


@pytest.mark.skipif(os.name == "nt", reason="pipes lie elsewhere there")
def test_pipes_and_links_to_nothing_are_looked_at_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.pak")
    (tmp_path / "gone.pak").symlink_to("nowhere")
    assert other_engines([str(tmp_path)]) == ()


def test_the_library_says_who_reads_builds_of_other_engines(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no build of Unity.*the files of Unreal Engine there are read by"):
        open_build(games.write(tmp_path, games.pak()), remember=False)
