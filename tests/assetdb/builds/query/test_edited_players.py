"""Two players that differ by one edit, which UnityPy made: `build diff` tells the edit, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from assetdb.builds import open_build
from assetdb.builds.query.comparison import compare
from tests.assetdb.builds.query.editing import GLOBALS, SCRIPTS, Player, swap_levels

if TYPE_CHECKING:
    from pathlib import Path

PONG = "builds/Pong/Build/Pong_Data"
ARKANOID = "builds/Arkanoid/Library/PlayerDataCache/Win64/Data"
Row = tuple[str, str, str, str]


def differences(source: Path, folder: Path) -> set[Row]:
    """Return verdict, class and name before and after of each object that differs."""
    before, after = open_build(source, remember=False), open_build(folder, remember=False)
    assert not after.problems
    rows = set()
    for item in (item for part in compare(before, after) for item in part.objects):
        build, number = (before, item.before) if item.before is not None else (after, item.after)
        kind = build.class_name(build.class_ids[number or 0])
        old = before.title(item.before) if item.before is not None else ""
        new = after.title(item.after) if item.after is not None else ""
        rows.add((item.verdict, kind, old, new))
    return rows


def remove_script(player: Player, name: str) -> None:
    script = player.find(SCRIPTS, "MonoScript", name).path_id

    def edit(tree: dict[str, Any]) -> None:
        tree["m_Scripts"] = [row for row in tree["m_Scripts"] if row["m_PathID"] != script]

    player.change(GLOBALS, player.find(GLOBALS, "MonoManager"), edit)
    player.remove(SCRIPTS, script)


@pytest.mark.corpus("buildreports")
@pytest.mark.parametrize(
    ("source", "name"),
    [(PONG, "AspectRatioFitter"), (PONG, "Outline"), (PONG, "Trajectory"), (ARKANOID, "destroy"), (ARKANOID, "Change")],
)
def test_a_script_that_went_shifts_nothing(corpus: Path, tmp_path: Path, source: str, name: str) -> None:
    player = Player(corpus / source, tmp_path / "after")
    used = any(
        kind.local_identifier_in_file == player.find(SCRIPTS, "MonoScript", name).path_id
        for file in player.files.values()
        for kind in file.script_types
    )
    remove_script(player, name)
    player.save()
    found = differences(corpus / source, tmp_path / "after")
    users = {row for row in found if row[:2] in {("changed", "MonoBehaviour"), ("changed", "PreloadData")}}
    assert bool(users) == used  # components whose script is missing now
    assert found - users == {("removed", "MonoScript", name, ""), ("changed", "MonoManager", "", "")}


@pytest.mark.corpus("buildreports")
@pytest.mark.parametrize(
    ("source", "file", "kind", "name"),
    [
        (PONG, "sharedassets0.assets", "Texture2D", "Ball"),
        (PONG, "sharedassets0.assets", "Sprite", "racket"),
        (PONG, "level0", "GameObject", "Player1"),
        (PONG, "level0", "GameObject", "Walls"),
        (PONG, "level0", "GameObject", "Main Camera"),
        (ARKANOID, "level1", "GameObject", "Bloczki"),
        (ARKANOID, "level1", "GameObject", "Blueberry (2)"),
        (ARKANOID, "level0", "GameObject", "Canvas"),
        (ARKANOID, "sharedassets1.assets", "Texture2D", "BSR_3"),
    ],
)
def test_a_renamed_object_is_one_change(
    corpus: Path, tmp_path: Path, source: str, file: str, kind: str, name: str
) -> None:
    player = Player(corpus / source, tmp_path / "after")
    player.change(file, player.find(file, kind, name), lambda tree: tree.update(m_Name="Renamed"))
    player.save()
    assert differences(corpus / source, tmp_path / "after") == {("changed", kind, name, "Renamed")}


@pytest.mark.corpus("buildreports")
@pytest.mark.parametrize(
    ("source", "file", "name"),
    [(PONG, "sharedassets0.assets", "racket"), (ARKANOID, "sharedassets1.assets", "BSR_3")],
)
def test_changed_pixels_are_of_their_texture(corpus: Path, tmp_path: Path, source: str, file: str, name: str) -> None:
    player = Player(corpus / source, tmp_path / "after")
    stream = player.find(file, "Texture2D", name).read_typetree()["m_StreamData"]
    pixels = bytearray((player.folder / stream["path"]).read_bytes())
    pixels[stream["offset"] + 5] ^= 0xFF
    (player.folder / stream["path"]).write_bytes(pixels)
    assert differences(corpus / source, tmp_path / "after") == {("changed", "Texture2D", name, name)}


@pytest.mark.corpus("buildreports")
def test_scenes_in_another_order_are_the_scenes_of_before(corpus: Path, tmp_path: Path) -> None:
    player = Player(corpus / ARKANOID, tmp_path / "after")
    scenes = player.find(GLOBALS, "BuildSettings").read_typetree()["scenes"]
    player.change(GLOBALS, player.find(GLOBALS, "BuildSettings"), lambda tree: tree.update(scenes=scenes[::-1]))
    player.save()
    assert len(scenes) == 2
    swap_levels(tmp_path / "after", 0, 1)
    assert differences(corpus / ARKANOID, tmp_path / "after") == {("changed", "BuildSettings", "", "")}


@pytest.mark.corpus("buildreports")
def test_an_object_that_went_with_its_components(corpus: Path, tmp_path: Path) -> None:
    player = Player(corpus / PONG, tmp_path / "after")
    owner = player.find("level0", "GameObject", "BallAtCollision")
    components = [row["component"]["m_PathID"] for row in owner.read_typetree()["m_Component"]]
    kinds = [player.files["level0"].objects[number].type.name for number in components]
    player.remove("level0", owner.path_id, *components)
    player.save()
    found = differences(corpus / PONG, tmp_path / "after")
    gone = {("removed", kind, "BallAtCollision", "") for kind in ("GameObject", *kinds)}
    assert {row for row in found if row[0] != "changed"} == gone
    assert all(row[1] == "MonoBehaviour" for row in found - gone), found  # a field led to it
