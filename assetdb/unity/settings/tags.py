"""``TagManager.asset`` and ``InputManager.asset``: tags, layers and axes of a project."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from assetdb.unity.binary.opening import as_text
from assetdb.unity.yaml.scalars import scalar_at

TAGS_FILE: Final = "ProjectSettings/TagManager.asset"
AXES_FILE: Final = "ProjectSettings/InputManager.asset"
BUILT_IN_TAGS: Final = ("Untagged", "Respawn", "Finish", "EditorOnly", "MainCamera", "Player", "GameController")
_BUILT_IN_LAYERS: Final = ("Default", "TransparentFX", "Ignore Raycast", "", "Water", "UI")
LAYERS: Final = 32
_KEY: Final = re.compile(rb"^  (\w+):", re.MULTILINE)
_ITEM: Final = re.compile(rb"^  -", re.MULTILINE)
_NUMBERED: Final = re.compile(rb"^  (?:User|Builtin) Layer (\d{1,2}):", re.MULTILINE)
_SORTING: Final = re.compile(
    rb"^  - name:[^\n]*\n    (?:uniqueID|userID): (\d{1,10})(?:\s+uniqueID: (\d{1,10}))?", re.MULTILINE
)
_AXIS: Final = re.compile(rb"^    m_Name:", re.MULTILINE)
_COLUMN: Final = 2
_COLUMN_OF_AXIS: Final = 4


class Tags(NamedTuple):
    """Tags and layers of a project.

    Attributes:
        tags: with those that every project has.
        layers: names by number, 32 of them, ``""`` for none.
        sorting: numbers of the sorting layers.
    """

    tags: frozenset[str]
    layers: tuple[str, ...]
    sorting: frozenset[int]


def read_tags(data: bytes) -> Tags | None:
    """Return tags and layers, None if some may be elsewhere."""
    text = as_text(data)
    parts = dict(_parts(text))
    if "tags" not in parts or not ("layers" in parts or _NUMBERED.search(text)):
        return None
    layers = _items(parts.get("layers", b""))
    for match in _NUMBERED.finditer(text):  # Unity 4
        number = int(match[1])
        if number < LAYERS:
            layers += [""] * (number + 1 - len(layers))
            layers[number] = scalar_at(text, match.end(), _COLUMN)
    layers += _BUILT_IN_LAYERS[len(layers) :]
    layers += [""] * (LAYERS - len(layers))
    sorting = {int(match[2] or match[1]) for match in _SORTING.finditer(parts.get("m_SortingLayers", b""))}
    return Tags(frozenset((*BUILT_IN_TAGS, *_items(parts["tags"]))), tuple(layers[:LAYERS]), frozenset(sorting | {0}))


def read_axes(data: bytes) -> frozenset[str]:
    """Return the names of the axes and buttons of the input manager."""
    text = as_text(data)
    return frozenset(scalar_at(text, match.end(), _COLUMN_OF_AXIS) for match in _AXIS.finditer(text)) - {""}


def _parts(text: bytes) -> list[tuple[str, bytes]]:
    """Return the object's keys, each with the text up to the next."""
    keys = list(_KEY.finditer(text))
    ends = [key.start() for key in keys[1:]] + [len(text)] * bool(keys)
    return [(key[1].decode(), text[key.end() : end]) for key, end in zip(keys, ends, strict=True)]


def _items(part: bytes) -> list[str]:
    return [scalar_at(part, match.end(), _COLUMN) for match in _ITEM.finditer(part)]
