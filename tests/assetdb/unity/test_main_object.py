"""The main object of assets of several objects, as Unity tells it in its asset database."""

from __future__ import annotations

import pytest

from assetdb.unity.main_object import find_main

MATERIAL, TEXTURE, MESH, SCRIPT, TERRAIN, PROBES, LIGHTING = 21, 28, 43, 114, 156, 258, 1120


@pytest.mark.parametrize(
    ("objects", "declared", "main"),
    [
        pytest.param([(11400000, SCRIPT, "Item")], (11400000,), 11400000, id="one"),
        pytest.param([(5, SCRIPT, "Part"), (11400000, SCRIPT, "Item")], (11400000,), 11400000, id="declared"),
        pytest.param([(28, TEXTURE, "Splat"), (15600000, TERRAIN, "Item")], (11400000,), 15600000, id="terrain"),
        pytest.param([(28, TEXTURE, "Splat"), (15600000, TERRAIN, "Old")], (), 15600000, id="renamed terrain"),
        pytest.param([(25800000, PROBES, "x"), (112000002, LIGHTING, "Item")], (25800000,), 112000002, id="lighting"),
        pytest.param(
            [(2100000, MATERIAL, "Item"), (28, TEXTURE, "Item"), (11400000, SCRIPT, "Item")],
            (11400000,),
            11400000,
            id="font",
        ),
        pytest.param([(4300000, MESH, "Item"), (4300002, MESH, "Other")], (), 4300000, id="only parts"),
        pytest.param([(4300002, MESH, "Other"), (4300000, MESH, "Item")], (4300000,), 4300000, id="declared part"),
    ],
)
def test_the_main_object_is_the_one_that_unity_takes(
    objects: list[tuple[int, int, str]], declared: tuple[int, ...], main: int
) -> None:
    classes = {file_id: class_id for file_id, class_id, _ in objects}
    names = {file_id: name for file_id, _, name in objects}
    assert find_main(classes, names.__getitem__, "Item", declared) == main
