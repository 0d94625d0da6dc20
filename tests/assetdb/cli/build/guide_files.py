"""The builds of ``docs/builds.md``: a player, its content, that of last week, and two of other engines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.assetdb.builds import making
from tests.assetdb.builds.engines import games
from tests.assetdb.builds.making import Material, Texture

if TYPE_CHECKING:
    from pathlib import Path

TREES, FENCES, SKY = ("CAB-" + letter * 32 for letter in "abc")
BARK, OAK, BIRCH, FENCE, CLOUDS = (number << 40 for number in range(3, 8))


def write_builds(folder: Path) -> None:
    """Write ``Game_Data``, ``ServerData``, ``last-week``, ``Shooter`` (Unreal Engine) and ``Coast`` (CrystalEngine)."""
    making.player(folder / "Game_Data", scenes=("Assets/Main.unity",))
    bark = Texture(BARK, "bark", bytes(range(256)) * 40)
    write_content(folder / "ServerData", bark, clouds=12_000)
    write_content(folder / "last-week", bark, clouds=3_000)
    games.write(folder / "Shooter", games.unreal())
    games.write(folder / "Coast", games.crystal())


def write_content(folder: Path, bark: Texture, *, clouds: int) -> None:
    """Write three bundles: two of them bring the same texture."""
    folder.mkdir()
    oak = Material(OAK, "oak", ((0, BARK),), "Assets/Trees/oak.mat")
    birch = Material(BIRCH, "birch", ((0, BARK),), "Assets/Trees/birch.mat")
    fence = Material(FENCE, "fence", ((0, BARK),), "Assets/Props/fence.mat")
    sky = Texture(CLOUDS, "clouds", bytes(n * n % 251 for n in range(clouds)), "Assets/Sky/clouds.png")
    for name, cab, assets in (
        ("trees_assets_all", TREES, [bark, oak, birch]),
        ("props_assets_all", FENCES, [bark, fence]),
        ("sky_assets_all", SKY, [sky]),
    ):
        (folder / f"{name}.bundle").write_bytes(making.bundle(cab, f"{name}.bundle", assets))
