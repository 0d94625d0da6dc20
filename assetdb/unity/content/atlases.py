"""Sprite atlases: textures, sprites and folders that they pack."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

ATLASES: Final = (".spriteatlas", ".spriteatlasv2")
_PACKED: Final = re.compile(rb"\n    packables:[ \t]*\r?\n((?:    - \{[^\n]*\n?)+)")
_ROW: Final = re.compile(rb"    - (\{)fileID: (-?\d{1,20}), guid: ([0-9a-f]{32})")
_VARIANT: Final = re.compile(rb"\n  m_IsVariant: 1")
_LEFT_OUT: Final = re.compile(rb"\n +bindAsDefault: 0")


class Packed(NamedTuple):
    """A row of an atlas.

    Attributes:
        place: in the file.
        file_id: of the object, of a folder the one that all folders have.
        guid: of the folder, texture or sprite.
    """

    place: int
    file_id: int
    guid: str


class Atlas(NamedTuple):
    """An atlas.

    Attributes:
        is_built: whether builds have it by themselves; of a newer file the meta says so.
        packed: its rows; none of a variant, which takes the rows of its master.
    """

    is_built: bool
    packed: tuple[Packed, ...]


def read_atlas(data: bytes) -> Atlas:
    """Return the atlas of a file, or of its meta."""
    rows = _PACKED.search(data) if not _VARIANT.search(data) else None
    return Atlas(
        not _LEFT_OUT.search(data),
        tuple(
            Packed(match.start(1), int(match[2]), match[3].decode())
            for match in (_ROW.finditer(data, rows.start(1), rows.end(1)) if rows is not None else ())
        ),
    )


def atlas_of(rows: list[Any]) -> Atlas:
    """Return an atlas of its JSON.

    Raises:
        ValueError, TypeError: it is of another form.
    """
    is_built, packed = rows
    return Atlas(bool(is_built), tuple(Packed(int(place), int(number), str(guid)) for place, number, guid in packed))
