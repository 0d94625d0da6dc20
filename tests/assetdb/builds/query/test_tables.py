"""Bytes of a build in rows under one name each, and as a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.query.catalogs import CatalogBundle, Catalogs, read_catalogs
from assetdb.builds.query.sizes import OVERHEAD, measure
from assetdb.builds.query.tables import SizeRow, SizeSums, assembly_tree, names_of_parts, size_rows, size_tree
from tests.assetdb.builds import making
from tests.assetdb.builds.making import Material, Texture
from tests.assetdb_formats.unityfs.builder import web_data

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.builds import Build

A, B = "CAB-" + "a" * 32, "CAB-" + "b" * 32


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """A bundle of a group, and a player."""
    assets: list[Texture | Material] = [Texture(7, "bark", b"brown" * 90), Material(8, "tree", ((0, 7),))]
    folder = making.player(tmp_path / "Game_Data")
    (folder / f"trees_assets_all_{'0' * 32}.bundle").write_bytes(making.bundle(A, "trees", assets))
    (folder / "boot.config").write_text("a=1\n")
    return open_build(folder, remember=False)


def test_rows_are_added_up_by_name_and_the_largest_on_the_disk_comes_first() -> None:
    sums = SizeSums()
    for row in (("a", 1, 2, 3, 4), ("b", 1, 1, 1, 9), ("a", 10, 20, 30, 40), ("d", 0, 5, 0, 9), ("c", 0, 0, 5, 9)):
        sums.add(*row)
    assert sums.table() == [
        SizeRow("a", 11, 22, 33, 44),
        SizeRow("c", 0, 0, 5, 9),
        SizeRow("d", 0, 5, 0, 9),
        SizeRow("b", 1, 1, 1, 9),
    ]
    assert SizeRow("a", 1, 2, 3, 4).decoded == 5


def names(build: Build, key: str) -> dict[str, int]:
    """Return the rows that objects have, with their number."""
    rows = size_rows(build, measure(build), key, read_catalogs(build))
    return {row.name: row.objects for row in rows if row.objects}


def test_objects_are_counted_by_class_script_file_bundle_group_and_label(build: Build) -> None:
    bundle = f"trees_assets_all_{'0' * 32}.bundle"
    by_class = names(build, "class")
    assert (by_class["Texture2D"], by_class["Material"], by_class["MonoBehaviour"]) == (3, 1, 1)
    by_script = names(build, "script")
    assert (by_script["Texture2D"], by_script["Game.Picker"]) == (3, 3)  # with the MonoScripts of that class
    assert "MonoBehaviour" not in by_script
    files = {"globalgamemanagers": 3, "globalgamemanagers.assets": 1, "level0": 4, "sharedassets0.assets": 2}
    assert names(build, "file") == {**files, f"{bundle}/{A}": 3}
    assert names(build, "bundle") == {**files, bundle: 3}
    assert names(build, "group") == {"trees": 3, "(no group)": 10}
    assert names(build, "label") == {"(no label)": 13}
    assert names(build, "assembly") == {"(no script)": 10, "Assembly-CSharp.dll": 3}


def test_a_bundle_of_two_catalogs_has_the_labels_of_both(build: Build) -> None:
    part = next(number for number, known in enumerate(build.parts) if known.name.endswith(".bundle"))
    without = CatalogBundle(0, 0, "trees", "trees", 0, 0, part, "", is_group_known=False, labels=())
    catalogs = Catalogs((), (without, without._replace(catalog=1, labels=("hd", "ui"))), (), (), (), ())
    assert names_of_parts(build, "label", catalogs)[part] == ("hd", "ui")
    assert names_of_parts(build, "label", catalogs._replace(bundles=catalogs.bundles[::-1]))[part] == ("hd", "ui")
    rows = {row.name: row.objects for row in size_rows(build, measure(build), "label", catalogs) if row.objects}
    assert rows == {"hd": 3, "ui": 3, "(no label)": 10}


def test_scripts_are_below_their_assemblies(build: Build) -> None:
    sizes = measure(build)
    found = assembly_tree(build, sizes)
    assert [row for depth, row in found if depth == 0] == size_rows(build, sizes, "assembly")
    assert {row.name for depth, row in found if depth} == set(names(build, "script"))
    assert sum(row.objects for depth, row in found if depth) == len(build)


def test_an_object_is_named_by_its_file_path_id_class_and_title(build: Build) -> None:
    found = names(build, "object")
    assert set(found.values()) == {1}
    bundle = f"trees_assets_all_{'0' * 32}.bundle/{A}"
    for name in (f"{bundle}#7 Texture2D bark", "level0#11 Transform Tree", "globalgamemanagers#2 BuildSettings"):
        assert name in found


def test_bytes_that_are_no_object_s_are_under_what_they_are_or_where_they_lie(build: Build) -> None:
    def rest(key: str) -> set[str]:
        return {row.name for row in size_rows(build, measure(build), key) if not row.objects}

    assert rest("class") == {"(metadata)", "(padding)", "(unused resource data)", OVERHEAD, "(code)", "(other)"}
    resources = {"sharedassets0.assets.resS", "boot.config", "Managed/Assembly-CSharp.dll"}
    bundle = f"trees_assets_all_{'0' * 32}.bundle"
    assert rest("bundle") == resources
    assert rest("file") == {*resources, f"{bundle} {OVERHEAD}"}
    assert rest("group") == {"(code)", "(other)"}


def test_archives_around_parts_are_a_row_of_their_own(tmp_path: Path) -> None:
    folder = making.player(tmp_path / "Game_Data")
    files = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
    (tmp_path / "game.data").write_bytes(web_data(files))
    build = open_build(tmp_path / "game.data", remember=False)
    for key in ("class", "group", "label", "bundle"):
        assert OVERHEAD in {row.name for row in size_rows(build, measure(build), key)}
    assert (0, OVERHEAD) in {(row.depth, row.row.name) for row in size_tree(build, measure(build))}


def test_a_tree_has_parts_files_and_classes_and_a_file_without_an_archive_is_one_row(build: Build) -> None:
    rows = [(row.depth, row.row.name) for row in size_tree(build, measure(build))]
    bundle = f"trees_assets_all_{'0' * 32}.bundle"
    at = rows.index((0, bundle))
    end = next((number for number in range(at + 1, len(rows)) if not rows[number][0]), len(rows))
    inside = rows[at + 1 : end]
    assert {(1, A), (2, "Texture2D"), (2, "Material"), (2, "AssetBundle")} <= set(inside)
    at = rows.index((0, "sharedassets0.assets"))
    assert rows[at + 1] == (1, "Texture2D")
    assert (1, "sharedassets0.assets") not in rows
    assert rows.count((0, "boot.config")) == 1


def test_the_largest_on_the_disk_comes_first_on_each_level(build: Build) -> None:
    rows = size_tree(build, measure(build))
    top = [row.row.disk for row in rows if not row.depth]
    assert top == sorted(top, reverse=True)
