"""Builds of other engines as a program reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.builds import engines
from tests.assetdb.builds.engines import games

if TYPE_CHECKING:
    from pathlib import Path


def test_a_program_asks_what_the_commands_ask(tmp_path: Path) -> None:
    place = str(games.write(tmp_path, games.crystal()))
    assert engines.engine_of([place]) == "CrystalEngine"
    inventory = engines.read_casset([place])
    assert isinstance(inventory, engines.Inventory)
    assert isinstance(inventory.items[0], engines.Item)
    assert len(engines.verify_inventory(inventory).findings) == 1
    games.write(tmp_path / "Paks", games.pak())
    assert engines.read_unreal([str(tmp_path / "Paks")]).engine == "Unreal Engine"
