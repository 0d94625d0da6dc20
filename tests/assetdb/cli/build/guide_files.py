"""What ``docs/builds.md`` looks into: a project, a player, its content and that of last week; two other engines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.assetdb.builds import making
from tests.assetdb.builds.engines import games
from tests.assetdb.builds.making import Material, Texture
from tests.system.graph.project import HEAD, add, reference

if TYPE_CHECKING:
    from pathlib import Path

TREES, FENCES, SKY = ("CAB-" + letter * 32 for letter in "abc")
BARK, OAK, BIRCH, FENCE, CLOUDS = (number << 40 for number in range(3, 8))


def write_builds(folder: Path) -> None:
    """Write the project with budgets, ``Game_Data``, ``ServerData``, ``last-week``; two builds of other engines."""
    write_project(folder)
    making.player(folder / "Game_Data", scenes=("Assets/Main.unity",))
    bark = Texture(BARK, "bark", bytes(range(256)) * 40)
    write_content(folder / "ServerData", bark, clouds=12_000)
    write_content(folder / "last-week", bark, clouds=3_000)
    (folder / "assetdb.toml").write_text('[budget]\nbuild = "1 MiB"\n[budget.bundle]\n"sky_*" = "+2 %"\n')
    games.write(folder / "Shooter", games.unreal())
    games.write(folder / "Coast", games.crystal())


def write_project(root: Path) -> None:
    """Write a project: a scene, textures, and three materials that have one of them."""
    (root / "ProjectSettings").mkdir()
    for path in ("Assets/Sky/clouds.png", "Assets/Trees/bark.png", "Assets/Trees/moss.png"):
        add(root, path, "x", "TextureImporter")
    for path in ("Assets/Trees/oak.mat", "Assets/Trees/birch.mat", "Assets/Props/fence.mat"):
        texture = reference("Assets/Trees/bark.png", 2800000)
        add(root, path, f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Texture: {texture}\n")
    add(root, "Assets/Main.unity", f"{HEAD}--- !u!104 &1\nRenderSettings:\n", "DefaultImporter")


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
