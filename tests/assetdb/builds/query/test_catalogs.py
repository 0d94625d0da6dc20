"""Catalogs joined with the bundles that they name: groups, labels, GUIDs, and what is missing."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import measure, open_build, read_catalogs, verify
from assetdb.builds.query.catalogs import group_of_name, without_hash
from assetdb.builds.query.tables import GROUP, LABEL, NO_LABEL, size_rows
from assetdb_formats.addressables.editing.content import Content, Entry
from assetdb_formats.addressables.flavour import BINARY_FLAVOURS, JSON_FLAVOURS
from assetdb_formats.addressables.opening import open_catalog
from tests.assetdb.builds import making
from tests.assetdb.builds.making import Texture
from tests.assetdb_formats.addressables.builder import make_content, write

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb_formats.addressables.model import Key

PINPOINT = "addressables/data/pinpoint"


@pytest.mark.parametrize(
    ("name", "group", "bare"),
    [
        (f"ui_assets_all_{'0' * 32}.bundle", "ui", "ui_assets_all.bundle"),
        ("aa/Local_Group_scenes_all.bundle", "local_group", "aa/Local_Group_scenes_all.bundle"),
        (f"x_unitybuiltinshaders_{'f' * 32}.bundle", "x", "x_unitybuiltinshaders.bundle"),
        (f"{'0' * 32}.bundle", "", ".bundle"),
        ("basket", "", "basket"),
    ],
)
def test_what_a_bundles_name_says(name: str, group: str, bare: str) -> None:
    assert (group_of_name(name), without_hash(name)) == (group, bare)


def test_of_a_catalog_that_is_damaged_behind_its_assets_there_is_nothing(tmp_path: Path) -> None:
    flavour = BINARY_FLAVOURS["1.21.3"]
    data = write(make_content(), flavour)
    (tmp_path / "catalog_a.bin").write_bytes(data[:699] + b"\xff" + data[700:])
    (tmp_path / "catalog_b.bin").write_bytes(data)
    found = read_catalogs(open_build(tmp_path, remember=False))
    assert [problem.partition(": ")[0] for problem in found.problems] == [str(tmp_path / "catalog_a.bin")]
    assert "internalId: needs 65403 bytes" in found.problems[0]
    assert {asset.catalog for asset in found.assets} == {bundle.catalog for bundle in found.bundles} == {1}
    assert {asset.bundle for asset in found.assets} == {None, 0, 2}


@pytest.mark.parametrize(
    ("keys", "guid"),
    [
        (["hero"], ""),
        (["hero", "a" * 32], "a" * 32),
        (["a" * 32], "a" * 32),
        (["a" * 32, "hero"], "a" * 32),
        (["a" * 32, "b" * 32], "b" * 32),  # an address may look like a GUID
        (["hero", "a" * 31], ""),
    ],
)
def test_the_guid_of_an_asset_is_a_key_that_looks_so(tmp_path: Path, keys: list[Key], guid: str) -> None:
    flavour = BINARY_FLAVOURS["1.21.3"]
    (tmp_path / "catalog.bin").write_bytes(write(Content(flavour, [Entry(keys, "Assets/hero.prefab", "p")]), flavour))
    (asset,) = read_catalogs(open_build(tmp_path, remember=False)).assets
    assert (asset.address, asset.guid) == (keys[0], guid)


def test_the_address_of_an_asset_in_an_old_catalog_is_no_label_of_an_earlier_one(tmp_path: Path) -> None:
    old = JSON_FLAVOURS["0.5"]
    entries = [
        Entry(["Hero", "a" * 32, "icons"], "Assets/hero.png", "p"),
        Entry(["Axe", "b" * 32, "icons"], "Assets/axe.png", "p"),
    ]
    (tmp_path / "catalog.json").write_bytes(write(Content(old, entries), old))
    assets = read_catalogs(open_build(tmp_path, remember=False)).assets
    assert [(asset.address, asset.guid, asset.labels) for asset in assets] == [
        ("Hero", "a" * 32, ("icons",)),
        ("Axe", "b" * 32, ("icons",)),
    ]


def test_damaged_settings_are_told_from_a_damaged_catalog(tmp_path: Path) -> None:
    folder = tmp_path / "aa"
    folder.mkdir()
    (folder / "catalog.bin").write_bytes(write(make_content(), BINARY_FLAVOURS["1.21.3"]))
    (folder / "settings.json").write_text('{"m_CatalogLocations": 7}')
    found = read_catalogs(open_build(tmp_path, remember=False))
    assert found.problems == ("settings.json beside aa/catalog.bin: m_CatalogLocations: is int, not list",)
    (folder / "catalog.bin").write_bytes(b"\0" * 100)
    (problem,) = read_catalogs(open_build(tmp_path, remember=False)).problems
    assert problem.startswith("aa/catalog.bin: ")


def test_of_two_builds_each_catalog_means_its_own_bundles(tmp_path: Path) -> None:
    data = write(make_content(), BINARY_FLAVOURS["1.21.3"])
    for target in ("Android", "iOS"):
        (tmp_path / target).mkdir()
        (tmp_path / target / "catalog.bin").write_bytes(data)
        name = open_catalog(str(tmp_path / target / "catalog.bin")).catalog.internal_id(0).rpartition("/")[2]
        (tmp_path / target / name).write_bytes(making.bundle("CAB-1", "one", [Texture(1 << 40, "apple", b"pixels")]))
    build = open_build(tmp_path, remember=False)
    found = read_catalogs(build)
    parts = [
        (row.catalog, build.parts[row.part].name.partition("/")[0]) for row in found.bundles if row.part is not None
    ]
    assert parts == [(0, "Android"), (1, "iOS")]


@pytest.mark.corpus("addressables")
def test_guids_of_the_catalogs_of_three_eras(corpus: Path) -> None:
    found = read_catalogs(open_build(corpus / PINPOINT, remember=False))
    assert not found.problems
    guids = [{asset.guid for asset in found.assets if asset.catalog == n} - {""} for n in range(len(found.opened))]
    assert [len(own) for own in guids] == [1725, 25, 25, 25, 9, 9, 9]
    assert "604a5f8d7d36f4c4c972a69cda8175bc" in guids[1] & guids[6]


@pytest.mark.corpus("addressables")
def test_groups_of_a_layout_and_bundles_of_a_catalog_are_one_build(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "ServerData"
    folder.mkdir()
    for name, target in (("46ea6d2a_catalog.bin", "catalog.bin"), ("b0d94515_buildlayout.json", "buildlayout.json")):
        shutil.copy(corpus / PINPOINT / f"2024-10-02_{name}", folder / target)
    catalog = open_catalog(folder / "catalog.bin").catalog
    names = [catalog.internal_id(index).replace("\\", "/").rpartition("/")[2] for index in catalog.bundles()]
    for number, name in enumerate(names):
        cab = f"CAB-{number:032x}"
        (folder / name).write_bytes(making.bundle(cab, name, [Texture(number + 1 << 40, name, bytes(99))]))
    build = open_build(folder, remember=False)
    found = read_catalogs(build)
    assert [build.parts[bundle.part or 0].name for bundle in found.bundles] == names
    assert all(bundle.is_group_known for bundle in found.bundles)
    assert {bundle.group for bundle in found.bundles} == {"ChannelMaps", "Default Local Group", "IBLCoverage", "Skull"}
    sizes = measure(build)
    rows = {row.name: row for row in size_rows(build, sizes, GROUP, found)}
    assert rows.keys() == {"ChannelMaps", "Default Local Group", "IBLCoverage", "Skull", "(catalog)", "(build layout)"}
    assert sum(row.disk for row in rows.values()) == sizes.disk_total
    assert {row.name for row in size_rows(build, sizes, LABEL, found)} == {NO_LABEL, "(catalog)", "(build layout)"}
    findings = verify(build).findings
    assert sum("says" in text and "bytes" in text for text in findings) == len(names)  # they are not the real ones
    (folder / names[0]).unlink()
    assert any(names[0] in text and "is not in the build" in text for text in verify(open_build(folder)).findings)
