"""Folders of a few packages: found by every name, listed by class and mention, followed to the end."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.unreal.errors import PackageNotFoundError
from assetdb_formats.unreal.scanning.database import ALL_KINDS
from assetdb_formats.unreal.scanning.package_folder import (
    PackageEntry,
    all_dependencies,
    damage,
    entries,
    find_package,
    mentioning,
    of_class,
    scan_folder,
)
from assetdb_formats.unreal.scanning.records import HARD, SOFT
from tests.assetdb_formats.unreal.scanning.test_database import package

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb_formats.unreal.scanning.package_folder import PackageFolder


@pytest.fixture
def content(tmp_path: Path) -> Path:
    """A ring of three packages, of which one needs a fourth softly and one that is not there."""
    folder = tmp_path / "Game" / "Content"
    files = {
        "Ring/A.uasset": package(("/Game/Ring/B",)),
        "Ring/B.uasset": package(("/Game/Ring/C",), ("/Game/Soft",)),
        "Ring/C.uasset": package(("/Game/Ring/A", "/Game/Gone"), class_name="Texture2D"),
        "Soft.uasset": package(("/Game/Ring/B",)),
        "Broken.uasset": package()[:100],
    }
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture
def scanned(content: Path) -> PackageFolder:
    return scan_folder(str(content), workers=1)


def test_all_dependencies_are_followed_once_and_without_the_package_itself(scanned: PackageFolder) -> None:
    def needed(name: str, kinds: int) -> list[str]:
        number = scanned.database.number(name)
        return [each.name for each in all_dependencies(scanned.database, number, kinds)]

    assert needed("/Game/Ring/A", HARD) == ["/Game/Gone", "/Game/Ring/B", "/Game/Ring/C"]
    assert needed("/Game/Ring/A", ALL_KINDS) == ["/Game/Gone", "/Game/Ring/B", "/Game/Ring/C", "/Game/Soft"]
    assert needed("/Game/Ring/B", SOFT) == ["/Game/Soft"]
    assert needed("/Game/Soft", HARD) == ["/Game/Gone", "/Game/Ring/A", "/Game/Ring/B", "/Game/Ring/C"]
    assert needed("/Game/Broken", ALL_KINDS) == []
    number = scanned.database.number("/Game/Ring/A")
    native = all_dependencies(scanned.database, number, HARD, native=True)
    assert [each.name for each in native] == ["/Game/Gone", "/Game/Ring/B", "/Game/Ring/C", "/Script/Engine"]


def test_a_package_is_found_by_its_name_its_file_or_the_last_part_of_one(
    content: Path, scanned: PackageFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = scanned.database.number("/Game/Ring/A")
    file = content / "Ring" / "A.uasset"
    monkeypatch.chdir(content)
    for name in ("/Game/Ring/A", "/game/ring/a", "Ring/A", "a", str(file), os.path.join("Ring", "A.uasset")):
        assert find_package(scanned, name) == wanted, name
    assert os.path.samefile(scanned.file(wanted), file)
    for name in ("Nothing", str(content), "/Game/Gone2"):
        with pytest.raises(PackageNotFoundError):
            find_package(scanned, name)
    twice = scan_folder(str(content / "Ring"), str(content), workers=1)
    assert twice.database.columns.names[find_package(twice, str(file))].endswith("A")
    assert os.path.samefile(twice.file(find_package(twice, str(file))), file)


def test_the_separators_of_a_system_are_in_no_name(content: Path) -> None:
    deep = content / "Ring" / "Deep"
    deep.mkdir()
    (deep / "D.uasset").write_bytes(package(()))
    alone = scan_folder(str(deep), workers=1)
    assert [entry[:2] for entry in entries(alone.database)] == [("/Game/Ring/Deep/D", "D.uasset")]
    several = scan_folder(str(deep), str(content), workers=1)
    of_deep = several.database.number("/Game/Ring/Deep/D")
    assert entries(several.database, [of_deep])[0].file == (deep / "D.uasset").resolve().as_posix()
    assert several.database.number(str((deep / "D.uasset").resolve())) == of_deep


def test_packages_are_listed_with_the_words_of_their_flags(scanned: PackageFolder, content: Path) -> None:
    listed = {entry.name: entry for entry in entries(scanned.database)}
    assert sorted(listed) == ["/Game/Broken", "/Game/Ring/A", "/Game/Ring/B", "/Game/Ring/C", "/Game/Soft"]
    first = listed["/Game/Ring/A"]
    size = (content / "Ring" / "A.uasset").stat().st_size
    assert first == PackageEntry("/Game/Ring/A", first.file, "Blueprint", size, (), "")
    assert listed["/Game/Broken"].kinds == ("damaged",)
    assert listed["/Game/Broken"].error
    number = scanned.database.number("/Game/Ring/A")
    assert entries(scanned.database, [number]) == [first]
    assert entries(scanned.database, []) == []


def test_packages_of_a_class_are_found_without_regard_to_case(scanned: PackageFolder) -> None:
    database = scanned.database
    assert of_class(database, None) == of_class(database, "") == list(range(5))
    assert of_class(database, "TEXTURE2d") == [database.number("/Game/Ring/C")]
    assert of_class(database, "Texture") == []
    assert mentioning(database, "no such tag") == []


def test_damage_is_reported_by_number_and_counted(scanned: PackageFolder) -> None:
    broken, whole = scanned.database.number("/Game/Broken"), scanned.database.number("/Game/Soft")
    calls: list[tuple[int, int]] = []
    found = damage(scanned, progress=lambda done, count: calls.append((done, count)))
    assert list(found) == [broken]
    assert calls == [(done, 5) for done in range(5)]
    assert damage(scanned, [whole]) == {}
    assert list(damage(scanned, [broken, whole])) == [broken]


def test_a_cache_is_of_one_folder_and_made_anew_where_it_does_not_fit(content: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    with pytest.raises(ValueError, match="a cache file is of one folder, not of several"):
        scan_folder(str(content), str(content / "Ring"), cache=str(cache))
    first = scan_folder(str(content), cache=str(cache), workers=1)
    written = cache.read_bytes()
    cache.touch()
    again = scan_folder(str(content), cache=str(cache), workers=1)
    assert entries(again.database) == entries(first.database)
    assert cache.read_bytes() == written
    other = scan_folder(str(content / "Ring"), cache=str(cache), workers=1)
    assert len(other.database) == 3
    assert cache.read_bytes() != written
    cache.write_bytes(b"damaged")
    assert len(scan_folder(str(content), cache=str(cache), workers=1).database) == 5
    assert cache.read_bytes() == written
    with pytest.raises(FileNotFoundError):
        scan_folder(str(content / "absent"))
