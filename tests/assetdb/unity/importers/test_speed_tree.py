"""SpeedTrees: objects by a meta's table, or numbered in the order of their names."""

from __future__ import annotations

import pytest

from assetdb.unity.engine.file_ids import ImportedObject
from assetdb.unity.importers.speed_tree import tree_objects

LEVEL = "  - height: .5\n    castShadows: 1\n"


def meta(levels: int, *, billboard: int = 1, behind: str = "  scaleFactor: 1\n") -> bytes:
    head = f"fileFormatVersion: 2\nSpeedTreeImporter:\n  hasBillboard: {billboard}\n  lODSettings:\n"
    return f"{head}{LEVEL * levels}{behind}".encode()


def named(text: bytes, stem: str) -> dict[int, tuple[str, str]]:
    return {file_id: (found.class_name, found.path) for file_id, found in tree_objects(text, (), stem).items()}


OAK = {
    100000: ("GameObject", ""),
    100002: ("GameObject", "Broadleaf_Billboard"),
    100004: ("GameObject", "Broadleaf_LOD0"),
    100006: ("GameObject", "Broadleaf_LOD1"),
    100008: ("GameObject", "CollisionObject0"),
    100010: ("GameObject", "CollisionObject1"),
    4300000: ("Mesh", "Broadleaf_LOD0"),
    4300002: ("Mesh", "Broadleaf_LOD1"),
    22600000: ("BillboardAsset", "Broadleaf_Billboard"),
}


def test_objects_without_a_table_are_in_the_order_of_their_names() -> None:
    assert named(meta(3), "Broadleaf") == OAK
    assert named(meta(3).replace(b"\n", b"\r\n"), "Broadleaf") == OAK
    found = tree_objects(meta(3), (), "Broadleaf").values()
    assert {item.path for item in found if not item.certain} == {"CollisionObject0", "CollisionObject1"}


@pytest.mark.parametrize("stem", ["Palm", "Conifer", "birch_Tall".swapcase(), "cherry_Tall".swapcase(), "elm"])
def test_gameobjects_behind_the_colliders_have_no_name(stem: str) -> None:
    known = {kind for kind, _ in named(meta(2), stem).values()}
    first = stem.lower() < "collision"
    assert known == ({"GameObject"} if first else set()) | {"Mesh", "BillboardAsset"}


def test_a_tree_without_a_billboard_has_a_mesh_for_each_level() -> None:
    found = named(meta(2, billboard=0), "Ash")
    assert found[4300002] == ("Mesh", "Ash_LOD1")
    assert found[100002] == ("GameObject", "Ash_LOD0")
    assert 22600000 not in found


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        (b"", 0),
        (b"SpeedTreeImporter:\n  userData: \n", 0),
        (b"SpeedTreeImporter:\n  lODSettings: []\n", 0),
        (meta(1), 0),
        (meta(2, behind=""), 1),
        (meta(2, behind="  other:\n  - height: 1\n"), 1),
        (meta(100_000), 7),
    ],
)
def test_levels_are_counted_in_their_list_alone(text: bytes, levels: int) -> None:
    assert sum(kind == "Mesh" for kind, _ in named(text, "Zelkova").values()) == levels


def test_a_table_is_all_that_counts() -> None:
    rows = [(100002, 1, b"//RootNode"), (100000, 1, b"CollisionObject0"), (-5, 0, b"odd")]
    assert tree_objects(meta(3), rows, "Broadleaf") == {
        100002: ImportedObject("GameObject", "", certain=True),
        100000: ImportedObject("GameObject", "CollisionObject0", certain=True),
        -5: ImportedObject("", "odd", certain=True),
    }
