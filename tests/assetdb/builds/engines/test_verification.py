"""Whether builds of other engines are whole."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from assetdb.builds.engines.casset import read_casset
from assetdb.builds.engines.unreal import read_unreal
from assetdb.builds.engines.verification import verify_inventory
from tests.assetdb.builds.engines import games
from tests.assetdb_formats.unreal.iostore.writer import KEY

if TYPE_CHECKING:
    from pathlib import Path

MISSING = "/Engine/Default is not in the build; /Game/Meshes/Rock refers to it"


def test_a_sound_game_lacks_what_nobody_packed(tmp_path: Path) -> None:
    found = verify_inventory(read_unreal([str(games.write(tmp_path, games.unreal()))]))
    assert found.findings == (MISSING,)


def test_a_changed_byte_of_a_container_is_found(tmp_path: Path) -> None:
    games.write(tmp_path, games.unreal())
    path = tmp_path / "Paks/trees_0_P.pak"
    data = bytearray(path.read_bytes())
    data[120] ^= 1
    path.write_bytes(data)
    found = verify_inventory(read_unreal([str(tmp_path)]))
    assert [text for text in found.findings if text.startswith("Paks/trees_0_P.pak: ")]


def test_what_is_encrypted_is_not_called_clean(tmp_path: Path) -> None:
    games.write(tmp_path, games.container(encryption=1))
    without = verify_inventory(read_unreal([str(tmp_path)]))
    assert any("key" in text for text in (*without.findings, *without.unread))
    assert any(re.search(r": \d+ chunks: .*key", text) for text in without.unread)
    found = verify_inventory(read_unreal([str(tmp_path)], key=KEY), key=KEY)
    assert found.findings == (MISSING,)


def test_loose_packages_are_read_to_their_ends(tmp_path: Path) -> None:
    games.write(tmp_path, games.loose())
    path = tmp_path / "Game/Content/House.uasset"
    path.write_bytes(path.read_bytes()[:-400])
    found = verify_inventory(read_unreal([str(tmp_path)]))
    assert any("House.uasset" in text for text in found.findings)
    assert "/Game/Gone is not in the build; /Game/Maps/Town refers to it" in found.findings


def test_bundles_are_followed(tmp_path: Path) -> None:
    inventory = read_casset([str(games.write(tmp_path, games.crystal()))])
    (text,) = verify_inventory(inventory).findings
    assert text.endswith("is not in the build; Game/Shore.casset refers to it")
    (tmp_path / "Game/Cliff.casset").unlink()
    assert len(verify_inventory(inventory).findings) == 2  # gone since it was read
