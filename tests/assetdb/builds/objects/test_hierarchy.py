"""The names of a player's objects from the root of their hierarchy."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING

from assetdb.builds import open_build
from assetdb.builds.objects.hierarchy import built_paths
from tests.assetdb.builds import making
from tests.assetdb.builds.making import GAME_OBJECT, TRANSFORM, fill
from tests.assetdb_formats.unityfs.builder import Kind, Thing, serialized_file

if TYPE_CHECKING:
    from pathlib import Path

TREE: tuple[str, ...] = ("Tree",)
LEAF: tuple[str, ...] = ("Tree", "Leaf")


def test_objects_of_a_level_have_the_names_from_their_root(tmp_path: Path) -> None:
    folder = making.player(tmp_path / "Game_Data")
    light = 108
    things = [
        Thing(10, GAME_OBJECT, fill(GAME_OBJECT, "Tree", ((0, 11),))),
        Thing(11, TRANSFORM, transform(10, (21,), 0)),
        Thing(20, GAME_OBJECT, fill(GAME_OBJECT, "Leaf", ((0, 21), (0, 22)))),
        Thing(21, TRANSFORM, transform(20, (), 11)),
        Thing(22, light, fill(light, "", ((0, 20),))),
        Thing(30, making.TEXTURE, fill(making.TEXTURE, "alone")),
    ]
    kinds = [Kind(number, ()) for number in (GAME_OBJECT, TRANSFORM, light, making.TEXTURE)]
    (folder / "level0").write_bytes(serialized_file(things, kinds, trees=False, unity_version=making.VERSION))
    build = open_build(folder, remember=False)
    file = next(file for file in build.files if file.facts.name == "level0")
    found = {build.path_ids[number]: path for number, path in built_paths(build, file).items()}
    assert found == {10: TREE, 11: TREE, 20: LEAF, 21: LEAF, 22: LEAF, 30: ("", "alone")}


def transform(owner: int, children: tuple[int, ...], father: int) -> bytes:
    """Return a Transform: its GameObject, place, children and father."""
    data = pack("<iq", 0, owner) + bytes(40) + pack("<i", len(children))
    return data + b"".join(pack("<iq", 0, child) for child in children) + pack("<iq", 0, father)
