"""Tags and layers that objects have and the project does not declare.

Pure: bytes in, faults out. Nearly all files have no fault: a few searches of the whole file say so.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assetdb.diagnostics.codes import DECLARED_CODES
from assetdb.unity.settings.tags import LAYERS, TAGS_FILE
from assetdb.unity.yaml.scalars import scalar_at
from assetdb.unity.yaml.structure import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.unity.settings.tags import Tags

UNKNOWN_LAYER, UNKNOWN_SORTING_LAYER, UNKNOWN_TAG = DECLARED_CODES
# Most objects have the usual ones: one search of a file takes a tenth of what a search for each kind of line takes.
_UNUSUAL: Final = re.compile(
    rb"\n  m_(?:TagString:(?! (?:Untagged|MainCamera|Player)\r?\n)|Layer: (?!0\r?\n)|SortingLayerID: (?!0\r?\n)"
    rb"|CullingMask:)"
)
_TAG: Final = re.compile(rb"\n  m_TagString:(?! (?:Untagged|MainCamera|Player)\r?\n)")
_LAYER: Final = re.compile(rb"\n  m_Layer: (\d{1,10})")
_SORTING: Final = re.compile(rb"\n  m_SortingLayerID: (-?[1-9]\d{0,9})")
_MASK: Final = re.compile(rb"\n  m_CullingMask:\r?\n    serializedVersion: \d\r?\n    m_Bits: ([1-9]\d{0,9})")
_OVERRIDE: Final = re.compile(rb"\n      propertyPath: m_(TagString|Layer|SortingLayerID)\r?\n      (value):")
_OVERRIDDEN: Final = b"\n      propertyPath: m_"  # looked for in a third of the time that the pattern takes
_UNSIGNED: Final = 0xFFFFFFFF
_MOST_DIGITS: Final = 10  # of 32 bits; Python makes no number of more than 4,300
_OF_PREVIEWS: Final = 31
"""Layer in which the editor keeps what it previews: it saves tile palettes in it, and no project needs to name it."""
_COLUMN: Final = 2
_COLUMN_OF_VALUE: Final = 6


def undeclared(data: bytes, tags: Tags) -> Iterator[Fault]:
    """Yield tags and layers of a text asset that a project lacks."""
    if _UNUSUAL.search(data) or not all(tags.layers[:1]):
        yield from _of_objects(data, tags)
    for match in _OVERRIDE.finditer(data) if _OVERRIDDEN in data else ():
        check = _OVERRIDES[match[1]]
        yield from check(scalar_at(data, match.end(), _COLUMN_OF_VALUE), match.start(2), tags)


def _of_objects(data: bytes, tags: Tags) -> Iterator[Fault]:
    for match in _TAG.finditer(data):
        yield from _tag(scalar_at(data, match.end(), _COLUMN), match.start() + 3, tags)
    declared = 1 << _OF_PREVIEWS | sum(1 << number for number, name in enumerate(tags.layers) if name)
    if not {b"%d" % number for number in range(LAYERS) if declared >> number & 1}.issuperset(_LAYER.findall(data)):
        for match in _LAYER.finditer(data):
            yield from _layer(match[1].decode(), match.start() + 3, tags)
    for match in _SORTING.finditer(data):
        yield from _sorting(match[1].decode(), match.start() + 3, tags)
    for match in _MASK.finditer(data):
        if not int(match[1]) & declared:
            said = f"sees no layer: {TAGS_FILE} names no layer of its culling mask"
            yield Fault(UNKNOWN_LAYER, match.start() + 3, 0, said)


def _tag(name: str, offset: int, tags: Tags) -> Iterator[Fault]:
    if name and name not in tags.tags:
        yield Fault(UNKNOWN_TAG, offset, 0, f"has the tag {name!r}, which {TAGS_FILE} lacks: Unity takes it away")


def _layer(text: str, offset: int, tags: Tags) -> Iterator[Fault]:
    number = int(text) if _is_number(text) else _OF_PREVIEWS
    if number != _OF_PREVIEWS and (number >= LAYERS or not tags.layers[number]):
        yield Fault(UNKNOWN_LAYER, offset, 0, f"is in the layer {number}, which has no name in {TAGS_FILE}")


def _sorting(number: str, offset: int, tags: Tags) -> Iterator[Fault]:
    if _is_number(number.removeprefix("-")) and int(number) & _UNSIGNED not in tags.sorting:
        said = f"is in the sorting layer {number}, which {TAGS_FILE} lacks: it is drawn in the default one"
        yield Fault(UNKNOWN_SORTING_LAYER, offset, 0, said)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS


_OVERRIDES: Final = {b"TagString": _tag, b"Layer": _layer, b"SortingLayerID": _sorting}
