"""Builds of Unreal Engine: every byte of their files has an owner, classes, what is missing, what is there twice."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.builds.engines.inventory import FILE, PACKAGE, SAME_DATA, SAME_ID, Inventory
from assetdb.builds.engines.unreal import read_unreal
from assetdb_formats.unreal.errors import UnrealError
from tests.assetdb.builds.engines import games
from tests.assetdb_formats.unreal.iostore.pak_writer import write_pak
from tests.assetdb_formats.unreal.iostore.writer import KEY
from tests.assetdb_formats.unreal.scanning.test_database import package

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def read(folder: Path, *, key: bytes | None = None, contents: bool = True) -> Inventory:
    inventory = read_unreal([str(folder)], key=key, contents=contents)
    assert_whole(inventory)
    return inventory


def assert_whole(inventory: Inventory) -> None:
    """Bytes of items and of the rest are those of the files, file by file."""
    for number, file in enumerate(inventory.files):
        own = [item.disk for item in inventory.items if item.file == number]
        own += [rest.disk for rest in inventory.rest if rest.file == number]
        assert min(own, default=0) >= 0
        assert sum(own) == file.disk, file.name


def rows(inventory: Inventory, names: Iterable[str]) -> dict[str, tuple[str, int, int]]:
    found = {item.name: (item.class_name, item.size, item.streamed) for item in inventory.items}
    return {name: found[name] for name in names}


def test_a_folder_of_containers(tmp_path: Path) -> None:
    files = games.unreal()
    inventory = read(games.write(tmp_path / "build", files))
    assert [file.name for file in inventory.files] == ["Paks/game.utoc", "Paks/global.utoc", "Paks/trees_0_P.pak"]
    assert [file.format for file in inventory.files] == [".utoc 8", ".utoc 8", ".pak 11"]
    assert inventory.disk == sum(map(len, files.values())) - 2
    assert inventory.others == (1, 2)
    found = rows(inventory, (games.ROCK, games.ARENA, "/Game/Meshes/Tree"))
    assert {name: row[0] for name, row in found.items()} == {
        games.ROCK: "Actor",
        games.ARENA: "Actor",
        "/Game/Meshes/Tree": "StaticMesh",
    }
    assert [row[2] for row in found.values()] == [len(games.BULK), 0, len(games.LEAVES)]
    assert [(item.kind, item.class_name) for item in inventory.items if item.kind != PACKAGE] == [(FILE, ".ini")]
    assert {rest.what for rest in inventory.rest} >= {"(ShaderCode)", "(ContainerHeader)", "(table of contents)"}
    assert next(rest.decoded for rest in inventory.rest if rest.what == "(ShaderCode)") == len(games.SHADERS)
    assert inventory.missing == (("/Engine/Default", (games.ROCK,)),)
    assert (inventory.duplicates, inventory.problems, inventory.unread) == ((), (), ())


def test_without_contents_nothing_but_tables_is_read(tmp_path: Path) -> None:
    inventory = read(games.write(tmp_path / "build", games.unreal()), contents=False)
    assert not inventory.is_whole
    assert {item.class_name for item in inventory.items if item.kind == PACKAGE} == {""}
    assert {games.ROCK, games.ARENA} <= {item.name for item in inventory.items}
    assert (inventory.missing, inventory.duplicates, inventory.problems) == ((), (), ())


def test_a_container_by_its_name_or_that_of_its_data(tmp_path: Path) -> None:
    games.write(tmp_path, {**games.container(), **games.scripts()})
    for name in ("game.utoc", "game.ucas"):
        inventory = read_unreal([str(tmp_path / name)])
        assert_whole(inventory)
        assert [file.path for file in inventory.files] == [str(tmp_path / "game.utoc")]
        assert rows(inventory, [games.ROCK])[games.ROCK][0] == "Actor"  # by the global container beside it


def test_without_script_objects_classes_are_not_known_and_it_is_said(tmp_path: Path) -> None:
    inventory = read(games.write(tmp_path, games.container()))
    assert {item.class_name for item in inventory.items} == {""}
    assert any("classes of 2 packages" in text for text in inventory.unread)


def test_an_encrypted_container_has_sizes_and_with_its_key_names(tmp_path: Path) -> None:
    games.write(tmp_path, games.container(encryption=1))
    locked = read(tmp_path)
    assert sorted(item.size for item in locked.items) == sorted(
        item.size for item in read(tmp_path, key=KEY).items if item.kind == PACKAGE
    )
    assert locked.files[0].is_encrypted
    assert any("is encrypted" in text for text in locked.problems)
    assert games.ROCK not in {item.name for item in locked.items}
    opened = read(tmp_path, key=KEY)
    assert {games.ROCK, games.ARENA} <= {item.name for item in opened.items}


def test_data_that_is_not_there_or_cut_off_takes_no_bytes(tmp_path: Path) -> None:
    games.write(tmp_path, games.container())
    (tmp_path / "game_s1.ucas").unlink()
    data = (tmp_path / "game.ucas").read_bytes()
    (tmp_path / "game.ucas").write_bytes(data[:40])
    inventory = read(tmp_path)
    assert any("game_s1.ucas" in text and "is not there" in text for text in inventory.problems)
    assert sum(item.disk for item in inventory.items) + sum(row.disk for row in inventory.rest) == inventory.disk


def test_data_without_a_table_names_the_table_that_it_lacks(tmp_path: Path) -> None:
    for name in ("b.ucas", "b_s1.ucas", "A.UCAS"):
        (tmp_path / name).write_bytes(b"x" * 100)
    assert sorted(read_unreal([str(tmp_path)]).problems) == [
        "A.UCAS: its table A.utoc is not there, so nothing in it can be read",
        "b.ucas: its table b.utoc is not there, so nothing in it can be read",
        "b_s1.ucas: its table b.utoc is not there, so nothing in it can be read",
    ]


def test_a_package_in_two_containers_is_there_twice(tmp_path: Path) -> None:
    games.write(tmp_path, {**games.container(), **games.scripts()})
    patch = [("Game/Content/Meshes/Rock.uasset", package(class_name="StaticMesh"))]
    (tmp_path / "game_0_P.pak").write_bytes(write_pak(11, patch))
    inventory = read(tmp_path)
    (found,) = inventory.duplicates
    assert (found.by, found.is_equal) == (SAME_ID, False)
    assert {inventory.items[place].name for place in found.items} == {games.ROCK}
    sizes = sorted(inventory.items[place].size + inventory.items[place].streamed for place in found.items)
    assert (found.size, found.saved) == (sizes[1], sizes[0])


def test_the_same_bytes_under_two_names(tmp_path: Path) -> None:
    files = [(f"Game/Content/{name}.ubulk", games.LEAVES) for name in ("A", "B")]
    files += [(f"Game/Content/{name}.uasset", package(class_name=f"Class{name}")) for name in ("A", "B")]
    (tmp_path / "a.pak").write_bytes(write_pak(11, files))
    inventory = read(tmp_path)
    (found,) = inventory.duplicates
    assert (found.by, found.is_equal, found.size, found.saved) == (SAME_DATA, True, 600, 600)
    assert [inventory.items[place].name for place in found.items] == ["/Game/A", "/Game/B"]


@pytest.mark.parametrize("version", [3, 8, 11, 15])
def test_a_pak_of_every_age(tmp_path: Path, version: int) -> None:
    games.write(tmp_path, games.pak(version))
    inventory = read(tmp_path)
    assert rows(inventory, ["/Game/Meshes/Tree"])["/Game/Meshes/Tree"][0] == "StaticMesh"
    assert inventory.decoded == len(games.LEAVES) + len(games.INI) + len(
        package((games.ROCK,), class_name="StaticMesh")
    )


def test_loose_packages_have_what_lies_beside_them(tmp_path: Path) -> None:
    files = games.loose()
    inventory = read(games.write(tmp_path / "build", files))
    found = rows(inventory, ("/Game/House", "/Game/Barn", "/Game/Maps/Town"))
    assert [row[0] for row in found.values()] == ["StaticMesh", "StaticMesh", "World"]
    assert [row[2] for row in found.values()] == [600, 600, 0]
    assert inventory.disk == sum(map(len, files.values())) - len(files["Game/readme.txt"])
    assert inventory.missing == (("/Game/Gone", ("/Game/Maps/Town",)),)
    (twice,) = inventory.duplicates
    assert (twice.by, twice.saved) == (SAME_DATA, 600)


def test_loose_packages_in_capitals_have_their_exports(tmp_path: Path) -> None:
    games.write(tmp_path, {"Game/Content/HOUSE.UASSET": package(class_name="StaticMesh")})
    inventory = read(tmp_path)
    (item,) = inventory.items
    assert (item.name, item.class_name, item.size, inventory.files[0].format) == (
        "/Game/HOUSE",
        "StaticMesh",
        item.disk,
        ".uasset",
    )


def test_files_in_capitals_beside_a_package_are_of_it(tmp_path: Path) -> None:
    house = {f"House{extension}": bytes(size) for extension, size in ((".UEXP", 100), (".UBULK", 300))}
    files = {"House.UASSET": package(class_name="StaticMesh"), **house}
    games.write(tmp_path, {f"Game/Content/{name}": data for name, data in files.items()})
    (item,) = read(tmp_path).items
    assert (item.size, item.streamed, item.disk) == (len(files["House.UASSET"]) + 100, 300, item.size + 300)


@pytest.mark.parametrize("name", ["build/", ".", "link"])
def test_loose_packages_are_found_by_whatever_name_the_folder_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    folder = games.write(tmp_path / "build", games.loose())
    monkeypatch.chdir(folder if name == "." else tmp_path)
    if name == "link":
        if os.name == "nt":
            pytest.skip("links need a privilege there")
        (tmp_path / "link").symlink_to("build")
    inventory = read_unreal([name])
    assert_whole(inventory)
    assert [file.name for file in inventory.files] == [
        "Game/Content/Barn.uasset",
        "Game/Content/House.uasset",
        "Game/Content/Maps/Town.umap",
    ]


def test_several_paths_are_one_build(tmp_path: Path) -> None:
    one = games.write(tmp_path / "one", games.container())
    two = games.write(tmp_path / "two", {**games.scripts(), **games.loose()})
    inventory = read_unreal([str(one), str(two)])
    assert_whole(inventory)
    assert rows(inventory, [games.ROCK])[games.ROCK][0] == "Actor"
    assert {file.name for file in inventory.files} >= {"one/game.utoc", "two/global.utoc"}


def test_one_that_is_damaged_does_not_hide_the_others(tmp_path: Path) -> None:
    games.write(tmp_path, games.unreal())
    (tmp_path / "Paks/bad.utoc").write_bytes(b"-==--==--==--==-" + bytes(300))
    (tmp_path / "Paks/worse.pak").write_bytes(b"nothing")
    inventory = read(tmp_path)
    assert {games.ROCK, games.ARENA} <= {item.name for item in inventory.items}
    assert sum("bad.utoc" in text or "worse.pak" in text for text in inventory.problems) >= 2
    with pytest.raises(UnrealError):
        read_unreal([str(tmp_path / "Paks/bad.utoc")])
