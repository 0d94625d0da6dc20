"""Packages that a project's configuration names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb_formats.unreal.files.configuration import configured_folders, configured_packages

if TYPE_CHECKING:
    from pathlib import Path


def test_packages_of_all_ini_files_beside_or_above_a_folder_are_named(tmp_path: Path) -> None:
    content = tmp_path / "Content"
    for path, text, encoding in (
        ("Config/DefaultEngine.ini", "GameDefaultMap=/Game/Maps/Start.Start\nX=/Game/a\n", "utf-8"),
        ("Config/Windows/Windows.INI", "+Paths=(Path=/Game/Win/B_1)", "utf-16"),
        ("Config/notes.txt", "/Game/not/this", "utf-8"),
        ("Content/Config/Own.ini", "/Plugin/Own.Own_C /alone", "utf-8"),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding)
    assert configured_packages(str(content)) == ["/Game/Maps/Start", "/Game/Win/B_1", "/Game/a", "/Plugin/Own"]


def test_comments_name_nothing_and_a_folder_inside_has_its_projects(tmp_path: Path) -> None:
    inside = tmp_path / "Content" / "UI" / "Deep"
    inside.mkdir(parents=True)
    (tmp_path / "Config").mkdir()
    (tmp_path / "Config" / "DefaultGame.ini").write_bytes(b"  ;Map=/Game/Old\r\nMap=/Game/UI/New.New\r\n")
    assert configured_packages(str(inside)) == ["/Game/UI/New"]


def test_folders_that_are_cooked_or_that_the_asset_manager_scans(tmp_path: Path) -> None:
    (tmp_path / "Config").mkdir()
    (tmp_path / "Config" / "DefaultGame.ini").write_text(
        '+DirectoriesToAlwaysCook=(Path="/Game/UI/")\n'
        '+DirectoriesToNeverCook=(Path="/Game/Dev")\n'
        '+PrimaryAssetTypesToScan=(PrimaryAssetType="Map",AssetBaseClass=/Script/Engine.World,'
        'bHasBlueprintClasses=False,Directories=((Path="/Game/Maps")),SpecificAssets=)\n'
        '+PrimaryAssetTypesToScan=(PrimaryAssetType="Item",AssetBaseClass="/Script/CoreUObject.Class\''
        '/Script/Mine.Item\'",bHasBlueprintClasses=True,Directories=((Path="/Game/A"),(Path="/Game/B")))\n'
    )
    assert configured_folders(str(tmp_path)) == [
        ("/Game/A", {"item", "blueprint"}),
        ("/Game/B", {"item", "blueprint"}),
        ("/Game/Maps", {"world"}),
        ("/Game/UI", frozenset()),
    ]


def test_a_project_without_configuration_names_none(tmp_path: Path) -> None:
    assert configured_packages(str(tmp_path)) == []
