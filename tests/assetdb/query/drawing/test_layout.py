"""Boxes stand in columns by layer, none above another, near to what they are related to."""

from __future__ import annotations

import random
from itertools import combinations

from assetdb.query.drawing.layout import BOX_HEIGHT, arranged
from assetdb.query.drawing.picture import Picture
from tests.assetdb.query.drawing.pictures import picture_of


def test_a_layer_is_a_column_and_no_box_covers_another() -> None:
    chance = random.Random(3)
    for _ in range(50):
        layers = sorted(chance.randrange(-2, 3) for _ in range(chance.randrange(1, 30)))
        count = len(layers)
        edges = tuple((chance.randrange(count), chance.randrange(count)) for _ in range(count))
        layout = arranged(picture_of(*layers, edges=edges))
        for (one, first), (other, second) in combinations(zip(layers, layout.boxes, strict=True), 2):
            if one == other:
                assert (first.left, first.width) == (second.left, second.width)
                assert abs(first.top - second.top) >= BOX_HEIGHT
            else:
                assert first.left + first.width < second.left
        for box in layout.boxes:
            assert box.left >= 0
            assert box.top >= 0
            assert box.left + box.width <= layout.width
            assert box.top + BOX_HEIGHT <= layout.height


def test_pairs_in_opposite_order_are_uncrossed() -> None:
    layout = arranged(picture_of(0, 0, 0, 1, 1, 1, edges=((0, 5), (1, 4), (2, 3))))
    order = sorted(range(3), key=lambda number: layout.boxes[number].top)
    assert sorted(range(3, 6), key=lambda number: layout.boxes[number].top) == [5 - number for number in order]


def test_a_long_name_is_cut_in_its_middle() -> None:
    (box,) = arranged(picture_of(0, name="x" * 500 + ".prefab")).boxes
    assert len(box.name) <= 38
    assert box.name.startswith("xxx")
    assert box.name.endswith(".prefab")


def test_nothing_has_a_layout_too() -> None:
    assert arranged(Picture((), ())).boxes == ()
