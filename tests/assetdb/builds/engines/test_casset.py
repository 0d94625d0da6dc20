"""Builds of CrystalEngine: objects, every byte of the bundles, what is missing, blobs that are there twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.builds.engines.casset import read_casset
from assetdb.builds.engines.inventory import OBJECT, SAME_DATA, SAME_ID
from tests.assetdb.builds.engines import games

if TYPE_CHECKING:
    from pathlib import Path


def test_a_folder_of_bundles(tmp_path: Path) -> None:
    files = games.crystal()
    inventory = read_casset([str(games.write(tmp_path, files))])
    assert [(file.name, file.format) for file in inventory.files] == [
        ("Game/Cliff.casset", ".casset 3.1"),
        ("Game/Shore.casset", ".casset 3.1"),
    ]
    assert [(item.kind, item.name) for item in inventory.items if "Texture" in item.class_name] == [(OBJECT, "Tex")] * 2
    assert inventory.disk == sum(len(files[file.name]) for file in inventory.files)
    assert sum(item.disk for item in inventory.items) + sum(row.disk for row in inventory.rest) == inventory.disk
    assert inventory.others == (1, 5)
    (missing,) = inventory.missing
    assert (missing.name[:15], missing.needed_by) == ("bundle 03030303", ("Game/Shore.casset",))
    (twice,) = inventory.duplicates
    assert (twice.by, twice.size, twice.saved) == (SAME_DATA, len(games.PIXELS), len(games.PIXELS))


def test_a_bundle_that_was_copied_has_the_same_ids(tmp_path: Path) -> None:
    games.write(tmp_path, {"A.casset": games.bundle(games.CLIFF, "A", games.CLIFF)})
    (tmp_path / "B.casset").write_bytes((tmp_path / "A.casset").read_bytes())
    found = read_casset([str(tmp_path)]).duplicates
    assert {row.by for row in found} == {SAME_ID}
    assert len(found) == 2


def test_an_object_that_its_bundle_has_not_is_missing(tmp_path: Path) -> None:
    broken = games.bundle(games.SHORE, "Shore", games.CLIFF)
    other = games.bundle(games.CLIFF, "Cliff", games.SHORE).replace(
        (10).to_bytes(16, "little"), (9).to_bytes(16, "little")
    )
    inventory = read_casset([str(games.write(tmp_path, {"a.casset": broken, "b.casset": other}))])
    assert [missing.name[:7] for missing in inventory.missing] == ["object "]
    assert inventory.missing[0].needed_by == ("a.casset",)


def test_without_contents_nothing_is_followed(tmp_path: Path) -> None:
    inventory = read_casset([str(games.write(tmp_path, games.crystal()))], contents=False)
    assert (inventory.is_whole, inventory.missing, inventory.duplicates) == (False, (), ())
    assert len(inventory.items) == 4


def test_a_damaged_bundle_is_said_and_the_others_are_read(tmp_path: Path) -> None:
    games.write(tmp_path, games.crystal())
    data = (tmp_path / "Game/Cliff.casset").read_bytes()
    (tmp_path / "Game/Cliff.casset").write_bytes(data[:50])
    inventory = read_casset([str(tmp_path)])
    assert [file.name for file in inventory.files] == ["Game/Shore.casset"]
    assert inventory.problems[0].startswith("Game/Cliff.casset: ")
    assert len(inventory.problems) == 1
    assert inventory.others[0] == 2
