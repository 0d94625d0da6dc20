"""Objects of a player's level by their names from the root, and which of a scene has the same path and class."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.trace.hierarchy import built_paths, matched
from assetdb.builds.trace.placed import Placed
from tests.assetdb.builds import making
from tests.assetdb.builds.making import GAME_OBJECT, TRANSFORM, fill
from tests.assetdb_formats.unityfs.builder import Kind, Thing, serialized_file

if TYPE_CHECKING:
    from pathlib import Path

TREE: tuple[str, ...] = ("Tree",)
LEAF: tuple[str, ...] = ("Tree", "Leaf")
ORIGIN = (("g" * 32, 5),)


def placed(kind: str, origins: tuple[tuple[str, int], ...] = ()) -> Placed:
    return Placed(kind, "", 0, origins)


def match(
    built: dict[int, tuple[tuple[str, ...], set[str]]], project: dict[int, tuple[tuple[str, ...], Placed]]
) -> dict[int, tuple[int | None, tuple[tuple[str, int], ...]]]:
    return matched(
        built,
        {number: path for number, (path, _) in built.items()},
        {file_id: item for file_id, (_, item) in project.items()},
        {file_id: path for file_id, (path, _) in project.items()},
        lambda number: frozenset(built[number][1]),
    )


def test_path_and_class_decide_an_object() -> None:
    project = {
        10: (TREE, placed("GameObject")),
        11: (TREE, placed("Transform", ORIGIN)),
        12: (LEAF, placed("GameObject")),
    }
    assert match({0: (TREE, {"GameObject"}), 1: (TREE, {"Transform"}), 2: (LEAF, {"Light"})}, project) == {
        0: (10, ()),
        1: (11, ORIGIN),
    }


def test_a_script_may_have_several_names() -> None:
    project = {10: (TREE, placed("Own"))}
    assert match({0: (TREE, {"Own", "Other"})}, project) == {0: (10, ())}


@pytest.mark.parametrize(
    ("count", "origins", "found"),
    [
        (2, [(), ()], {0: (None, ()), 1: (None, ())}),
        (2, [ORIGIN, ORIGIN], {0: (None, ORIGIN), 1: (None, ORIGIN)}),
        (2, [(), ORIGIN], {}),  # of two origins
        (1, [(), ()], {}),  # fewer in the build than in the project
        (2, [()], {}),  # more
    ],
)
def test_of_several_with_one_path_only_their_common_origin_is_decided(
    count: int, origins: list[tuple[tuple[str, int], ...]], found: dict[int, object]
) -> None:
    built = {number: (TREE, {"Light"}) for number in range(count)}
    project = {10 + number: (TREE, placed("Light", each)) for number, each in enumerate(origins)}
    assert match(built, project) == found


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
