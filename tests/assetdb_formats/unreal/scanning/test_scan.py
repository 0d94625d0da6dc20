"""Packages of folders: which are listed, and what is said of those that cannot be read."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.unreal.scanning.records import MAP, UNREADABLE
from assetdb_formats.unreal.scanning.scan import check_file, list_packages, record_of_file, scan, scan_several
from assetdb_formats.unreal.versions import PackageVersion
from tests.assetdb_formats.unreal.package_writer import COOKED, UNVERSIONED_PROPERTIES, full
from tests.assetdb_formats.unreal.scanning.test_database import package

if TYPE_CHECKING:
    from pathlib import Path

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links take a right on Windows")


def write(folder: Path, *names: str, data: bytes = b"") -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data or package())


def listed(folder: Path) -> list[str]:
    files, unreadable = list_packages(str(folder))
    assert unreadable == []
    return sorted(file.path for file in files)


def test_packages_are_listed_and_what_is_made_is_not(tmp_path: Path) -> None:
    write(tmp_path, "A.uasset", "Deep/er/B.umap", "C.uexp", "D.uasset.bak", ".git/E.uasset", "Saved/F.uasset")
    write(tmp_path, "Intermediate/G.uasset", "Binaries/H.uasset", "DerivedDataCache/I.uasset", ".J.uasset")
    assert listed(tmp_path) == [".J.uasset", "A.uasset", "Deep/er/B.umap", "Saved/F.uasset"]
    (tmp_path / "Content" / "Saved").mkdir(parents=True)  # a project: its Saved holds copies
    write(tmp_path, "Content/Saved/K.uasset")
    assert listed(tmp_path) == [".J.uasset", "A.uasset", "Content/Saved/K.uasset", "Deep/er/B.umap"]


def test_extensions_in_capitals_are_packages_and_maps(tmp_path: Path) -> None:
    """The engine compares them without case, and so do the containers' readers here."""
    write(tmp_path, "A.UASSET", "Town.Umap")
    assert listed(tmp_path) == ["A.UASSET", "Town.Umap"]
    database = scan(str(tmp_path)).database
    assert database.names == ["/Game/A", "/Game/Town"]
    assert [flags & MAP for flags in database.columns.flags] == [0, MAP]


def test_a_listed_file_has_its_time_and_size(tmp_path: Path) -> None:
    write(tmp_path, "A.uasset", data=b"12345")
    os.utime(tmp_path / "A.uasset", ns=(1, 1_700_000_000_000_000_000))
    assert list_packages(str(tmp_path))[0] == [("A.uasset", 1_700_000_000_000_000_000, 5)]


@needs_links
def test_links_to_folders_are_not_followed_and_links_to_nothing_are_told(tmp_path: Path) -> None:
    write(tmp_path, "project/A.uasset", "elsewhere/B.uasset")
    project = tmp_path / "project"
    (project / "link").symlink_to(tmp_path / "elsewhere")
    (project / "C.uasset").symlink_to(tmp_path / "elsewhere" / "B.uasset")
    (project / "D.uasset").symlink_to("absent")
    files, unreadable = list_packages(str(project))
    assert sorted(file.path for file in files) == ["A.uasset", "C.uasset"]
    assert [path for path, _ in unreadable] == [str(project / "D.uasset")]
    assert list_packages(str(tmp_path / "absent")) == ([], [(str(tmp_path / "absent"), unreadable[0][1])])


@needs_links
def test_a_package_that_cannot_be_read_is_read_again_by_the_next_scan(tmp_path: Path) -> None:
    write(tmp_path, "A.uasset", "B.uasset")
    (tmp_path / "C.uasset").mkdir()
    first = scan(str(tmp_path))
    path, why = first.unreadable[0]
    assert (path, len(first.unreadable), first.changed, first.removed) == (str(tmp_path / "C.uasset"), 1, 3, 0)
    record = record_of_file(path, None)
    assert (record.flags, record.error) == (UNREADABLE, why)
    again = scan(str(tmp_path), first.database)
    assert (again.changed, again.removed, again.unreadable) == (1, 0, first.unreadable)
    (tmp_path / "C.uasset").rmdir()
    (tmp_path / "B.uasset").unlink()
    last = scan(str(tmp_path), again.database)
    assert (last.changed, last.removed, last.unreadable) == (0, 2, [])
    assert [last.database.columns.files[n] for n in range(len(last.database))] == ["A.uasset"]


@pytest.mark.parametrize("change", ["size", "time"])
def test_a_file_of_another_size_or_time_is_read_again(tmp_path: Path, change: str) -> None:
    write(tmp_path, "A.uasset", "B.uasset")
    first = scan(str(tmp_path))
    status = (tmp_path / "A.uasset").stat()
    write(tmp_path, "A.uasset", data=package() + (b"" if change == "time" else b"x"))
    later = 1 if change == "time" else 0
    os.utime(tmp_path / "A.uasset", ns=(status.st_mtime_ns, status.st_mtime_ns + later))
    assert scan(str(tmp_path), first.database)[1:] == (1, 0, [], [])


def test_an_unchanged_folder_gives_the_known_database(tmp_path: Path) -> None:
    write(tmp_path, "A.uasset", "B.uasset")
    first = scan(str(tmp_path))
    again = scan(str(tmp_path), first.database)
    assert again.database is first.database
    assert again[1:] == (0, 0, [], [])


def test_a_plugin_of_another_name_names_its_packages_anew(tmp_path: Path) -> None:
    write(tmp_path, "Plugins/Water/Content/A.uasset", "Plugins/Water/Content/Deep/B.uasset", "Content/C.uasset")
    plugin = tmp_path / "Plugins" / "Water" / "Water.uplugin"
    plugin.write_text("{}")
    (tmp_path / "Game.uproject").write_text("{}")
    first = scan(str(tmp_path)).database
    assert first.names == ["/Game/C", "/Water/A", "/Water/Deep/B"]
    assert scan(str(tmp_path), first).database is first
    plugin.rename(plugin.with_name("Ocean.uplugin"))
    second = scan(str(tmp_path), first)
    assert second.database.names == ["/Game/C", "/Ocean/A", "/Ocean/Deep/B"]
    assert second.changed == 0


def test_packages_that_name_themselves_keep_a_known_database(tmp_path: Path) -> None:
    write(tmp_path, "Content/A.uasset", data=package(package_name="/Ocean/A"))
    first = scan(str(tmp_path)).database
    assert first.names == ["/Ocean/A"]
    assert scan(str(tmp_path), first).database is first


def test_progress_ends_with_all_packages(tmp_path: Path) -> None:
    write(tmp_path, *(f"P{number}.uasset" for number in range(65)))
    seen: list[tuple[int, int]] = []
    scan(str(tmp_path), workers=1, progress=lambda *counts: seen.append(counts))
    assert seen == [(0, 65), (64, 65), (65, 65)]


def test_several_folders_are_one_database_and_the_first_counts(tmp_path: Path) -> None:
    write(tmp_path, "one/Content/A.uasset", "one/Content/B.uasset", "two/Content/A.uasset", "two/Content/C.uasset")
    found = scan_several([str(tmp_path / "one"), str(tmp_path / "two"), str(tmp_path / "absent")])
    columns = found.database.columns
    top = tmp_path.as_posix()
    assert sorted(columns.files) == [
        f"{top}/one/Content/A.uasset",
        f"{top}/one/Content/B.uasset",
        f"{top}/two/Content/C.uasset",
    ]
    assert (found.changed, found.removed, len(found.problems)) == (4, 0, 1)
    assert [path for path, _ in found.unreadable] == [str(tmp_path / "absent")]


def test_a_folder_within_another_is_scanned_once(tmp_path: Path) -> None:
    """Each of its packages was told to be another one of its name."""
    write(tmp_path, "Content/A.uasset", "Content/Maps/Town.umap", "loose/B.uasset", "loose/deep/C.uasset")
    for folders in (
        ("Content", "Content/Maps", "loose", "loose/deep"),
        ("loose/deep", "loose", "Content/Maps", "Content"),
    ):
        found = scan_several([str(tmp_path / folder) for folder in folders])
        assert (found.problems, found.changed) == ([], 4)
        assert found.database.names == ["/Game/A", "/Game/B", "/Game/deep/C", "/Game/Maps/Town"]


def test_names_learned_from_most_packages_are_those_of_the_folder(tmp_path: Path) -> None:
    for name, own in (("A", "/Mod/A"), ("B", "/Mod/B"), ("C", "/Other/C"), ("D", "/Mod/Elsewhere")):
        write(tmp_path, f"Content/{name}.uasset", data=package(package_name=own))
    database = scan(str(tmp_path)).database
    assert [name for name in sorted(database.columns.names) if name != "/Script/Engine"] == [
        "/Mod/A",
        "/Mod/B",
        "/Mod/C",
        "/Mod/D",
    ]


def test_the_damage_of_a_file(tmp_path: Path) -> None:
    sound = full(-8, 522, 1009).data()
    write(tmp_path, "A.uasset", data=sound)
    write(tmp_path, "B.uasset", data=b"no package " * 9)
    write(tmp_path, "C.uasset", data=sound[:300])
    assert check_file(str(tmp_path / "A.uasset"), None) == ""
    assert "starts with" in check_file(str(tmp_path / "B.uasset"), None)
    assert check_file(str(tmp_path / "C.uasset"), None) != ""


def test_the_version_of_unversioned_packages_may_be_given(tmp_path: Path) -> None:
    writer = full(-8, 522, 1004, COOKED | UNVERSIONED_PROPERTIES, unversioned=True, tile_layer="")
    write(tmp_path, "A.uasset", data=writer.data())
    assert check_file(str(tmp_path / "A.uasset"), PackageVersion(522, 1004)) == ""
    assert check_file(str(tmp_path / "A.uasset"), PackageVersion(522, 1009)) != ""
    assert record_of_file(str(tmp_path / "A.uasset"), None).error == ""
