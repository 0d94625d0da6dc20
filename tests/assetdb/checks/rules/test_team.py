"""Rules of a team over a healthy project: what breaks them is found, with the property or the line."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.team import find_breaches
from tests.assetdb.checks.healthy import guid_of, make_healthy, put
from tests.assetdb.checks.rules.views import found_by

if TYPE_CHECKING:
    from pathlib import Path

ICON = "Assets/UI/Icon.png"
COMPRESSION = "platformSettings.textureCompression"
PLATFORMS = (
    "  platformSettings:\n  - serializedVersion: 3\n    buildTarget: DefaultTexturePlatform\n    textureFormat: -1\n"
    "    textureCompression: 1\n    overridden: 0\n  - serializedVersion: 3\n    buildTarget: Android\n"
    "    textureFormat: -1\n    textureCompression: 3\n    overridden: 1\n  spriteSheet:\n    sprites: []\n"
)
META = "TextureImporter:\n  mipmaps:\n    mipMapMode: 0\n    enableMipMap: 1\n  isReadable: 1\n  spriteMode: 2\n"


def picture(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height) + bytes(100)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = make_healthy(tmp_path / "Game", 1)
    put(root, ICON, picture(640, 512), META + PLATFORMS)
    return root


def breaches(root: Path, rule: str) -> list[tuple[str, str, str]]:
    (root / "assetdb.toml").write_text(f"[[rule]]\n{rule}\n")
    return [(row.path, row.property_path, row.message) for row in found_by(find_breaches, root)]


@pytest.mark.parametrize(
    ("demand", "prop", "said"),
    [
        ('name = "T_*"', "", "its name is not like T_*"),
        ('name = "Ico?"', "", ""),
        ("max-size = 123", "", "it has 124 bytes, and at most 123 are allowed"),
        ("max-size = 124", "", ""),
        ("power-of-two = true", "", "it has 640 x 512 pixels, which are to be powers of two"),
        ("power-of-two = false", "", ""),
        ("mipmaps = false", "mipmaps.enableMipMap", "its import settings have mipmaps.enableMipMap on"),
        ("mipmaps = true", "", ""),
        ("readable = false", "isReadable", "its import settings have isReadable on"),
        ("readable = true", "", ""),
        ('sprite-mode = "single"', "spriteMode", "its sprite mode is multiple, not single"),
        ('sprite-mode = "multiple"', "", ""),
        ('compression = "normal"', "", ""),
        ('compression = "none"', COMPRESSION, "its compression for default is normal, not none"),
        ('compression = {Android = "high"}', COMPRESSION, "its compression for Android is low, not high"),
        ('compression = {WebGL = "normal"}', "", ""),  # without settings of its own
    ],
)
def test_a_demand_on_an_asset(root: Path, demand: str, prop: str, said: str) -> None:
    found = breaches(root, f'paths = "Assets/UI/*.png"\n{demand}')
    assert found == ([(ICON, prop, f"{said} (rule 1)")] if said else [])


def test_a_rule_for_no_asset_is_reported(root: Path) -> None:
    found = breaches(root, 'paths = "Assets/Uli/*.png"\nname = "x"')
    assert found == [("assetdb.toml", "", "rule 1 is for Assets/Uli/*.png, and no asset is there")]
    assert [finding.line for finding in found_by(find_breaches, root)] == [2]


def test_an_asset_that_only_some_may_use(root: Path) -> None:
    """The healthy project's prefab uses its material, and a scene uses the prefab."""
    assert breaches(root, 'paths = "Assets/Art/*.mat"\nonly-used-by = "Assets/Prefabs/"') == []
    found = breaches(root, 'paths = "Assets/Art/*.mat"\nonly-used-by = "Assets/Scenes/"')
    said = "refers to Assets/Art/Paint0.mat, which only Assets/Scenes/ may (rule 1)"
    assert found == [("Assets/Prefabs/Enemy0.prefab", "", said)]
    (finding,) = found_by(find_breaches, root)
    lines = (root / "Assets/Prefabs/Enemy0.prefab").read_text().splitlines()
    assert guid_of("Assets/Art/Paint0.mat") in lines[finding.line - 1]


def test_an_asset_that_must_not_use_another(root: Path) -> None:
    found = breaches(root, 'paths = "Assets/Prefabs/"\nforbid-usage-of = "Assets/Art/"')
    assert found == [
        ("Assets/Prefabs/Enemy0.prefab", "", "refers to Assets/Art/Paint0.mat, which is forbidden (rule 1)")
    ]
    assert breaches(root, 'paths = "Assets/Scenes/"\nforbid-usage-of = "Assets/Art/"') == []
