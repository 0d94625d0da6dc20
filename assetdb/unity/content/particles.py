"""Sprites that a particle system keeps and does not show."""

from __future__ import annotations

import re
from typing import Final

PARTICLE_SYSTEM: Final = 198
_LINE: Final = re.compile(rb"^(?:--- !u!\d{1,10} &(-?\d{1,20})|  (\w+):|    (?:enabled|mode): (\d))", re.MULTILINE)
_TEXTURE_SHEET: Final = b"UVModule"  # in the editor: Texture Sheet Animation
_NO: Final = b"0"  # enabled: off; mode: Grid, which cuts the material's texture into tiles


def without_sprites(data: bytes) -> frozenset[int]:
    r"""Return the particle systems that show no sprites of their list.

    >>> sorted(without_sprites(b"--- !u!198 &7\nParticleSystem:\n  UVModule:\n    enabled: 1\n    mode: 0\n"))
    [7]
    """
    found: set[int] = set()
    owner, key = 0, b""
    for match in _LINE.finditer(data):
        number, name, value = match.groups()
        if number:
            owner = int(number)
        key = key if value else name or b""
        if key == _TEXTURE_SHEET and value == _NO:
            found.add(owner)
    return frozenset(found)
