"""Places of a picture's boxes: a column for each layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.system.escaping import columns_of, printable

if TYPE_CHECKING:
    from assetdb.query.drawing.picture import Picture
    from assetdb.query.graph.relations import AssetInfo

BOX_HEIGHT: Final = 40
_GAP: Final = 12
_BETWEEN: Final = 90
_MARGIN: Final = 16
_LETTER: Final = 7.2
"""Widest usual letter of the font, in pixels."""

_LONGEST: Final = 38
_NARROWEST: Final = 120
_SWEEPS: Final = 4


class Box(NamedTuple):
    """A drawn asset, in pixels from the upper left corner.

    Attributes:
        name: the name of its file, or why there is none.
        detail: its type and folder.
        width: as wide as all boxes of its column.
    """

    left: float
    top: float
    width: float
    name: str
    detail: str


class Layout(NamedTuple):
    """All boxes in the order of the nodes, with the drawing's size."""

    boxes: tuple[Box, ...]
    width: float
    height: float


def name_of(asset: AssetInfo) -> str:
    """Return the name of an asset's file, or why there is none."""
    return printable(asset.path.rpartition("/")[2] or asset.row[0])


def detail_of(asset: AssetInfo) -> str:
    """Return an asset's type and folder, or its GUID."""
    where = asset.path.rpartition("/")[0] or (asset.guid if not asset.path else "")
    return printable(" · ".join(filter(None, (asset.type, where))))


def arranged(picture: Picture) -> Layout:
    """Return places where related boxes are near each other."""
    columns: dict[int, list[int]] = {}
    for number, node in enumerate(picture.nodes):
        columns.setdefault(node.layer, []).append(number)
    related: list[list[int]] = [[] for _ in picture.nodes]
    for user, needed in picture.edges:
        related[user].append(needed)
        related[needed].append(user)
    layers = sorted(columns)
    for sweep in range(_SWEEPS):
        _order(columns, layers if sweep % 2 else layers[::-1], related)
    texts = [(_cut(name_of(node.asset)), _cut(detail_of(node.asset))) for node in picture.nodes]
    step = BOX_HEIGHT + _GAP
    height = max((len(column) for column in columns.values()), default=0) * step - _GAP + 2 * _MARGIN
    boxes: dict[int, Box] = {}
    left = float(_MARGIN)
    for layer in layers:
        column = columns[layer]
        longest = max(columns_of(text) for number in column for text in texts[number])
        width = max(_NARROWEST, longest * _LETTER + 24)
        top = (height - len(column) * step + _GAP) / 2
        for row, number in enumerate(column):
            boxes[number] = Box(left, top + row * step, width, *texts[number])
        left += width + _BETWEEN
    places = tuple(boxes[number] for number in range(len(picture.nodes)))
    return Layout(places, max(0.0, left - _BETWEEN) + _MARGIN, max(height, 2 * _MARGIN))


def _order(columns: dict[int, list[int]], layers: list[int], related: list[list[int]]) -> None:
    """Order each column by the middle of related boxes."""
    heights = {number: row - len(column) / 2 for column in columns.values() for row, number in enumerate(column)}
    for layer in layers:
        column = columns[layer]
        column.sort(
            key=lambda number: (
                sum(heights[other] for other in related[number]) / len(related[number]) if related[number] else 0.0,
                number,
            )
        )
        heights.update((number, row - len(column) / 2) for row, number in enumerate(column))


def _cut(text: str) -> str:
    """Return a text that fits into a box, without its middle."""
    half = _LONGEST // 2
    return text if len(text) <= _LONGEST else f"{text[: half - 1]}…{text[-half:]}"
