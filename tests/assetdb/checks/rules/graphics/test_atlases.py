"""Sprites that two atlases pack, by themselves or with a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.graphics.atlases import find_twice
from tests.assetdb.checks.healthy import guid_of, put
from tests.assetdb.checks.rule_cases import atlas
from tests.assetdb.checks.rules.views import found_by
from tests.assetdb.unity_project import SPRITES

if TYPE_CHECKING:
    from pathlib import Path

COIN = "Assets/Art/Icons/coin.png"
FOLDER = "Assets/Art/Icons"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    found = tmp_path / "Game"
    put(found, COIN, b"\x89PNG", SPRITES)
    put(found, "Assets/Art/Other/gem.png", b"\x89PNG", SPRITES)
    return found


def said(root: Path) -> list[tuple[str, int, str, str]]:
    rows = found_by(find_twice, root)
    return [(row.path.rpartition("/")[2], row.line, row.property_path, row.message.partition(":")[0]) for row in rows]


@pytest.mark.parametrize(
    ("first", "second", "name", "message"),
    [
        (COIN, COIN, "B", f"packs {COIN}, which Assets/Art/A.spriteatlas packs, too"),
        (FOLDER, COIN, "B", f"packs {COIN}, which Assets/Art/A.spriteatlas packs with {FOLDER}, too"),
        (COIN, FOLDER, "A", f"packs {COIN}, which Assets/Art/B.spriteatlas packs with {FOLDER}, too"),
        (FOLDER, "Assets/Art", "A", f"packs {FOLDER}, which Assets/Art/B.spriteatlas packs with Assets/Art, too"),
        (f"{COIN}:21300000", COIN, "B", f"packs {COIN}, which Assets/Art/A.spriteatlas packs, too"),
        (f"{COIN}:555", f"{COIN}:555", "B", f"packs {COIN}, which Assets/Art/A.spriteatlas packs, too"),
    ],
)
def test_a_sprite_of_two_atlases_is_told_once(root: Path, first: str, second: str, name: str, message: str) -> None:
    atlas(root, "A", first)
    atlas(root, "B", second)
    assert said(root) == [(f"{name}.spriteatlas", 8, "m_EditorData.packables[0]", message)]


@pytest.mark.parametrize(
    ("first", "second"),
    [(COIN, "Assets/Art/Other/gem.png"), (FOLDER, "Assets/Art/Other"), (f"{COIN}:555", f"{COIN}:556")],
)
def test_other_sprites_of_a_folder_or_texture(root: Path, first: str, second: str) -> None:
    atlas(root, "A", first, first)
    atlas(root, "B", second)
    assert said(root) == []


@pytest.mark.parametrize(("built", "variant"), [(0, 0), (1, 1)])
def test_an_atlas_that_builds_leave_out_and_a_variant(root: Path, built: int, variant: int) -> None:
    atlas(root, "A", COIN)
    atlas(root, "B", COIN, built=built, variant=variant)
    assert said(root) == []


@pytest.mark.parametrize(("mode", "count"), [(0, 0), (2, 0), (3, 1), (5, 1)])
def test_a_project_that_packs_no_atlases(root: Path, mode: int, count: int) -> None:
    for name in "AB":
        atlas(root, name, COIN)
    settings = root / "ProjectSettings/EditorSettings.asset"
    settings.write_text(settings.read_text().replace("PackerMode: 4", f"PackerMode: {mode}"))
    assert len(said(root)) == count


@pytest.mark.parametrize(("built", "count"), [(1, 1), (0, 0)])
def test_the_meta_says_of_a_newer_atlas_whether_builds_have_it(root: Path, built: int, count: int) -> None:
    text = (
        "%YAML 1.1\r\n%TAG !u! tag:unity3d.com,2011:\r\n--- !u!612988286 &1\r\nSpriteAtlasAsset:\r\n"
        f"  m_ImporterData:\r\n    packables:\r\n    - {{fileID: 102900000, guid: {guid_of(FOLDER)}, type: 3}}\r\n"
        "  m_IsVariant: 0\r\n"
    )
    atlas(root, "Old", COIN)  # of the form that Unity packs no more
    for name, own in (("A", 1), ("B", built)):
        put(root, f"Assets/Art/{name}.spriteatlasv2", text, f"SpriteAtlasImporter:\n  bindAsDefault: {own}\n")
    assert [name for name, *_ in said(root)] == ["B.spriteatlasv2"] * count
