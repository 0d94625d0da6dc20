"""Which scene a file of a build holds."""

from __future__ import annotations

import pytest

from assetdb.builds.parts.scenes import level_of, scene_in_bundle, scene_in_player
from assetdb_formats.addressables.hashes import spooky_hash
from assetdb_formats.unityfs.identity import archive_name

FIRST, SECOND = "Assets/_Completed-Game/Roll-a-ball.unity", "Assets/Other.unity"


@pytest.mark.parametrize(
    ("name", "level"), [("level0", 0), ("level12", 12), ("level", None), ("levels", None), ("level1234567", None)]
)
def test_levels(name: str, level: int | None) -> None:
    assert level_of(name) == level


@pytest.mark.parametrize(
    ("name", "scene"), [("level0", FIRST), ("level1", SECOND), ("level2", "level2"), ("sharedassets0.assets", "")]
)
def test_the_scene_of_a_file_of_a_player(name: str, scene: str) -> None:
    assert scene_in_player(name, (FIRST, SECOND)) == scene


@pytest.mark.parametrize(
    ("name", "scene"),
    [
        ("BuildPlayer-Other", SECOND),
        ("BuildPlayer-Other.sharedAssets", ""),
        ("BuildPlayer-Gone", "BuildPlayer-Gone"),
        ("CAB-525ed2f4dd62cda04c3a2c31239020c9", FIRST),
        ("cab-525ed2f4dd62cda04c3a2c31239020c9", FIRST),
        ("CAB-525ed2f4dd62cda04c3a2c31239020c9.sharedAssets", ""),
        (archive_name(SECOND), SECOND),
        (archive_name(SECOND, spooky_hash), SECOND),
        ("CAB-00000000000000000000000000000000", "CAB-00000000000000000000000000000000"),
    ],
)
def test_the_scene_of_a_file_of_a_bundle_of_several(name: str, scene: str) -> None:
    """Before, every file of such a bundle was the first scene, unless its name began with BuildPlayer."""
    assert scene_in_bundle(name, (FIRST, SECOND)) == scene


def test_the_only_scene_of_a_bundle_whatever_its_address() -> None:
    assert scene_in_bundle("CAB-0", ("rolling",)) == "rolling"
