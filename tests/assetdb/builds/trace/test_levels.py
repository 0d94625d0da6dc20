"""Which object of a scene has the path and class of an object of a player's level."""

from __future__ import annotations

import pytest

from assetdb.builds.trace.levels import matched
from assetdb.builds.trace.placed import Placed

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
