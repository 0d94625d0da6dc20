"""The reason of a verdict at its place in a file.

>>> from assetdb.unity.yaml.property_path import Place
>>> removed = Place(20, 1001, 2000, "", "", "m_Modification.m_RemovedComponents[0]", "")
>>> PlacedReasons(b"").of(removed, "dangling"), PlacedReasons(b"").of(removed, "missing-asset")
('stale-override', 'missing-asset')
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from assetdb.resolve.imported import SPRITE_MODE
from assetdb.resolve.instances import DANGLING
from assetdb.resolve.resolver import STALE_OVERRIDE
from assetdb.unity.content.particles import PARTICLE_SYSTEM, without_sprites

if TYPE_CHECKING:
    from typing import Final

    from assetdb.unity.yaml.property_path import Place

_SKIPPED: Final = re.compile(
    r"m_SceneBindings\[\d+\]\.key|m_Modification\.m_(?:Removed(?:Components|GameObjects)\[|Added(?:Components|GameObjects)\[\d+\]\.targetCorr)"
)
_OF_PARTICLES: Final = "UVModule.sprites["
UNNOTICED: Final = "unnoticed"
"""In place of the reason of a reference that Unity does not use; no code has the name."""
_SOURCES: Final = ("m_CorrespondingSourceObject", "m_PrefabParentObject")
_STAND_IN: Final = re.compile(rb"^--- !u!\d{1,10} &(-?\d{1,20}) stripped", re.MULTILINE)
_HEADER_OR_LOCAL: Final = re.compile(
    rb"^(--- )(?:!u!\d{1,10} &(-?\d{1,20}) stripped)?|\{fileID: (-?\d{1,20})\}", re.MULTILINE
)


class PlacedReasons:
    """The reasons of the verdicts of one file.

    References that Unity skips silently are stale overrides: the target of a removal or addition in an instance, or of
    a director's binding; a stand-in for a missing object, if nothing in the file refers to it but stand-ins to which
    nothing else refers; and the source of an object that the file contains itself. 66 of 69 dangling references of
    public projects were such. Lost sprites of a particle system that shows none are unnoticed: 204 in
    Env_Seaweed.prefab of BoatAttack.
    """

    __slots__ = ("_data", "_spriteless", "_used")

    def __init__(self, data: bytes) -> None:
        """Take the bytes of the file that refers."""
        self._data = data
        self._used: frozenset[int] | None = None
        self._spriteless: frozenset[int] | None = None

    def of(self, place: Place, reason: str) -> str:
        """Return the reason of a verdict at its place, or :data:`UNNOTICED`.

        Args:
            place: of the reference.
            reason: regardless of the place.
        """
        if reason not in (DANGLING, SPRITE_MODE):
            return reason
        if place.class_id == PARTICLE_SYSTEM and place.path.startswith(_OF_PARTICLES):
            if self._spriteless is None:
                self._spriteless = without_sprites(self._data)
            return UNNOTICED if place.file_id in self._spriteless else reason
        if reason == SPRITE_MODE:
            return reason
        if _SKIPPED.match(place.path):
            return STALE_OVERRIDE
        if place.path not in _SOURCES:
            return reason
        if self._used is None:
            self._used = used_stand_ins(self._data)
        return reason if place.file_id in self._used else STALE_OVERRIDE


def used_stand_ins(data: bytes) -> frozenset[int]:
    """Return the stand-ins to which other objects refer.

    References through stand-ins to which others refer count. A stand-in is an object with ``stripped`` in its header:
    it stands for an object of a prefab. A component that is one refers to the stand-in of its GameObject, which is no
    use of either.
    """
    stand_ins = {int(number) for number in _STAND_IN.findall(data)}
    if not stand_ins:
        return frozenset()
    used: set[int] = set()
    referred: dict[int, set[int]] = {}
    owner: int | None = None
    for match in _HEADER_OR_LOCAL.finditer(data):
        header, number, target = match.groups()
        if header:
            owner = None if number is None else int(number)
        elif (other := int(target)) not in stand_ins:
            continue
        elif owner is None:
            used.add(other)
        else:
            referred.setdefault(owner, set()).add(other)
    waiting = list(used)
    while waiting:
        for other in referred.pop(waiting.pop(), ()):
            if other not in used:
                used.add(other)
                waiting.append(other)
    return frozenset(used)
