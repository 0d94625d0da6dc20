"""An inventory in rows: every sum is that of its files, classes may be asked for by their short names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.builds.engines.casset import read_casset
from assetdb.builds.engines.rows import KEYS, class_rows, inventory_rows, inventory_tree, select_items
from assetdb.builds.engines.unreal import read_unreal
from tests.assetdb.builds.engines import games

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.builds.engines.inventory import Inventory


@pytest.fixture(params=["unreal", "loose", "crystal"])
def inventory(request: pytest.FixtureRequest, tmp_path: Path) -> Inventory:
    folder = str(games.write(tmp_path, getattr(games, request.param)()))
    return read_casset([folder]) if request.param == "crystal" else read_unreal([folder])


@pytest.mark.parametrize("key", KEYS)
def test_all_rows_are_the_build(inventory: Inventory, key: str) -> None:
    rows = inventory_rows(inventory, key)
    assert sum(row.disk for row in rows) == inventory.disk
    assert sum(row.decoded for row in rows) == inventory.decoded
    assert sum(row.objects for row in rows) == len(inventory.items)
    assert [row.disk for row in rows] == sorted((row.disk for row in rows), reverse=True)


def test_each_level_of_a_tree_is_the_build(inventory: Inventory) -> None:
    rows = inventory_tree(inventory)
    for depth in (0, 1):
        assert sum(row.disk for level, row in rows if level == depth) == inventory.disk
    assert {level for level, _ in rows} == {0, 1}
    for depth in (0, 1):  # what is no object takes room alone
        assert sum(row.objects for level, row in rows if level == depth) == len(inventory.items)


def test_classes_are_counted(inventory: Inventory) -> None:
    rows = class_rows(inventory)
    assert sum(row.objects for row in rows) == len(inventory.items)
    assert sum(row.streamed for row in rows) == inventory.streamed


def test_items_are_chosen_by_class_and_file(tmp_path: Path) -> None:
    inventory = read_casset([str(games.write(tmp_path, games.crystal()))])
    for name in ("/Code/Game.CE::Texture", "CE::Texture", "texture"):
        assert [item.name for item in select_items(inventory, [name])] == ["Tex", "Tex"], name
    assert len(list(select_items(inventory, (), ["Cliff.*"]))) == 2
    assert not list(select_items(inventory, ["Texture"], ["x*"]))
