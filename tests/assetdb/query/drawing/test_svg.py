"""SVG files are XML that loads and runs nothing, whatever assets are called."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from assetdb.query.drawing.layout import Box
from assetdb.query.drawing.picture import Picture
from assetdb.query.drawing.svg import _curve, svg_lines
from assetdb.system.escaping import printable
from tests.assetdb.query.drawing.pictures import HOSTILE, picture_of

_SVG = "{http://www.w3.org/2000/svg}"
_ELEMENTS = {"svg", "style", "defs", "marker", "path", "g", "title", "rect", "text"}


def _read(picture: Picture) -> ET.Element:
    return ET.fromstring("\n".join(svg_lines(picture)))  # noqa: S314 - our own


def test_boxes_and_arrows_are_those_of_the_picture() -> None:
    root = _read(picture_of(-1, 0, 1, 1, edges=((0, 1), (1, 2), (1, 3), (2, 3), (3, 0))))
    assert [title.text for title in root.iter(f"{_SVG}title")] == [f"Assets/a{number}.prefab" for number in range(4)]
    assert len([path for path in root.iter(f"{_SVG}path") if path.get("marker-end")]) == 5
    assert [group.get("class") for group in root.iter(f"{_SVG}g")] == ["scene", "scene start", "scene", "scene"]


def test_hostile_names_are_text_alone() -> None:
    root = _read(picture_of(0, 1, edges=((0, 1),), name=HOSTILE))
    assert {element.tag.removeprefix(_SVG) for element in root.iter()} == _ELEMENTS
    assert [title.text for title in root.iter(f"{_SVG}title")] == [printable(f"Assets/{HOSTILE}")] * 2
    names = {name for element in root.iter() for name in element.keys()}  # noqa: SIM118 - an element is no mapping
    assert not [name for name in names if name.startswith("on") or "href" in name]


def test_what_is_left_out_is_in_the_picture() -> None:
    texts = [text.text for text in _read(picture_of(0, left=3)).iter(f"{_SVG}text")]
    assert texts[-1] == "left out: 3 users"


def test_no_asset_is_an_empty_picture() -> None:
    assert _read(Picture((), ())).tag == f"{_SVG}svg"


@pytest.mark.parametrize(
    ("user", "needed", "way"),
    [
        ((0, 0), (200, 60), "M100,20 C150,20 150,80 200,80"),
        ((200, 60), (0, 0), "M200,80 C150,80 150,20 100,20"),
        ((0, 0), (0, 60), "M100,20 C145,20 145,80 100,80"),
    ],
)
def test_an_arrow_leads_from_side_to_side(user: tuple[int, int], needed: tuple[int, int], way: str) -> None:
    boxes = [Box(left, top, 100, "a", "b") for left, top in (user, needed)]
    assert _curve(*boxes) == way
