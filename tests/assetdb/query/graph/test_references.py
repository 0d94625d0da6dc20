"""References of assets, metas and settings, to object and property."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.query.graph.references import AssetGraph, Site, begins_line, placed, settings_files, settings_sites, sites
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import HEAD, guid, make_project, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot


def behaviour(*targets: int) -> str:
    rows = "".join(f"  f{number}: {{fileID: 11400000, guid: {guid(number)}, type: 2}}\n" for number in targets)
    return f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n{rows}"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("references"))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    """21 -> 22 -> 23 -> 21, and 24 -> a script of a package, which refers to nothing."""
    root = tmp_path_factory.mktemp("graph")
    for number, target in ((21, 22), (22, 23), (23, 21), (24, 12)):
        write(root, f"Assets/a{number}.asset", number, behaviour(target), "NativeFormatImporter:\n")
    cached = root / "Library" / "PackageCache" / "com.acme.tools@1.0.0"
    write(cached, "Tool.asset", 12, behaviour(13), "NativeFormatImporter:\n")
    write(cached, "More.asset", 13, behaviour(21), "NativeFormatImporter:\n")
    (cached / "package.json").write_text('{"name": "com.acme.tools", "version": "1.0.0"}')
    (root / "Packages").mkdir()
    (root / "Packages" / "manifest.json").write_text('{"dependencies": {"com.acme.tools": "1.0.0"}}')
    (root / "ProjectSettings").mkdir()
    opened = open_project(str(root))
    yield opened
    opened.close()


def test_a_site_has_its_line_object_and_property(root: Path) -> None:
    found = sites(str(root), "Assets/Main.unity", [guid(1), guid(7)])
    place = ("Assets/Main.unity", 24, 114, 20, "Camera", guid(3))
    assert found == [
        (guid(1), Site(*place, "player", "", 100)),
        (guid(1), Site("Assets/Main.unity", 27, *place[2:], "gone", "", 12345)),
        (guid(7), Site("Assets/Main.unity", 30, *place[2:], "pointer", "", 2100000)),
    ]


def test_an_asset_may_be_in_a_file_elsewhere(root: Path) -> None:
    elsewhere = root / "Library" / "PackageCache" / "other"
    write(elsewhere, "x.asset", 40, behaviour(41), f"NativeFormatImporter:\n  icon: {{fileID: 5, guid: {guid(41)}}}\n")
    found = sites(str(root), "Packages/other/x.asset", [guid(41), guid(40)], str(elsewhere / "x.asset"))
    assert [(site.path, site.line, site.file_id) for _, site in found] == [
        ("Packages/other/x.asset", 5, 11400000),
        ("Packages/other/x.asset.meta", 4, 5),  # and not line 2, where its own GUID is
    ]


@pytest.mark.parametrize("path", ["Library/x.asset", "Assets/../x.asset", "x.asset", "AssetsMore/x.asset"])
def test_nothing_is_read_outside_of_the_folders_of_assets(root: Path, path: str) -> None:
    (root / "AssetsMore").mkdir(exist_ok=True)
    for name in ("Library/x.asset", "x.asset", "AssetsMore/x.asset"):
        (root / name).write_text(behaviour(41))
    assert sites(str(root), path, [guid(41)]) == []


def test_a_file_that_is_gone_has_no_sites(root: Path) -> None:
    assert sites(str(root), "Assets/nothing.asset", [guid(1)]) == []


def test_settings_are_assets_and_json_in_order(tmp_path: Path) -> None:
    assert list(settings_files(str(tmp_path))) == []
    folder = tmp_path / "ProjectSettings"
    folder.mkdir()
    for name in ("b.asset", "a.json", "ProjectVersion.txt", "a.asset"):
        (folder / name).write_text(behaviour(41))
    assert list(settings_files(str(tmp_path))) == [
        *("ProjectSettings/a.asset", "ProjectSettings/a.json", "ProjectSettings/b.asset")
    ]
    found = settings_sites(str(tmp_path), [guid(41)])
    assert {(site.path, site.line) for _, site in found} >= {
        ("ProjectSettings/a.asset", 5),
        ("ProjectSettings/b.asset", 5),
    }
    assert settings_sites(str(tmp_path), [guid(42)]) == []


def test_settings_that_are_no_folder_have_no_files(tmp_path: Path) -> None:
    (tmp_path / "ProjectSettings").write_text("")
    assert list(settings_files(str(tmp_path))) == []


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"guid: GUID", True),
        (b"x: 1\nguid:GUID", True),
        (b"\xef\xbb\xbfguid: \tGUID", True),
        (b"  guid: GUID", False),
        (b"icon: {guid: GUID", False),
        (b"guid: x GUID", False),
        (b"GUID", False),
    ],
)
def test_the_line_of_a_metas_own_guid(data: bytes, found: bool) -> None:  # noqa: FBT001 - a row
    assert begins_line(data, data.index(b"GUID")) is found


def test_a_guid_that_begins_a_line_is_a_reference_in_other_files() -> None:
    data = b"fileFormatVersion: 2\nguid: " + guid(1).encode() + b"\n"
    assert placed(data, "Assets/a.png.meta", [guid(1).encode()]) == []
    assert len(placed(data, "Assets/a.asset", [guid(1).encode()])) == 1


def test_the_graph_of_a_project_and_its_packages(project: Snapshot) -> None:
    graph = AssetGraph(project)
    assert graph.dependencies(guid(24)) == [guid(12)]
    assert graph.usages(guid(12)) == [guid(24)]
    assert graph.usages(guid(21)) == [guid(13), guid(23)]
    assert graph.dependencies(guid(24), deep=True) == sorted(map(guid, (12, 13, 21, 22, 23)))
    assert graph.usages(guid(21), deep=True) == sorted(map(guid, (12, 13, 22, 23, 24)))
    assert graph.closure([guid(12), guid(22)], incoming=True) == set(map(guid, (12, 13, 21, 22, 23, 24)))
    assert (graph.knows(guid(13)), graph.knows(guid(24)), graph.knows(guid(99))) == (True, True, False)
    assert graph.dependencies(guid(99)) == graph.usages(guid(99), deep=True) == []
    assert graph.closure([guid(99)]) == set()


def test_a_database_alone_has_the_projects_own_edges(project: Snapshot) -> None:
    graph = AssetGraph(project.database)
    assert graph.dependencies(guid(21), deep=True) == sorted(map(guid, (22, 23)))
    assert graph.dependencies(guid(24), deep=True) == [guid(12)]
    assert graph.usages(guid(21)) == [guid(23)]


def test_a_guid_that_is_no_number_is_an_error(project: Snapshot) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        AssetGraph(project).dependencies("nothing")
