"""The scene of a file of a build, by the file's name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb_formats.addressables.hashes import spooky_hash
from assetdb_formats.unityfs.identity import archive_name

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST_LEVEL: Final = 6  # digits
BUNDLED: Final = "BuildPlayer-"
"""Prefix of the name of a scene's file in a bundle, before the Scriptable Build Pipeline."""
_SHARED: Final = ".sharedAssets"  # the file with the assets that a scene of a bundle refers to
_EXTENSION: Final = ".unity"


def level_of(name: str) -> int | None:
    """Return the number of a scene file: 0 for ``level0``; or None."""
    digits = name.removeprefix("level")
    return int(digits) if digits != name and digits.isdecimal() and len(digits) < _LONGEST_LEVEL else None


def scene_in_player(name: str, scenes: Sequence[str]) -> str:
    """Return the scene of a player's file from its list, or ``""``."""
    level = level_of(name)
    if level is None:
        return ""
    return scenes[level] if level < len(scenes) else name


def scene_in_bundle(name: str, scenes: Sequence[str]) -> str:
    """Return the scene of a bundle's file among its paths, or ``""``.

    The file is called ``BuildPlayer-`` and the scene's name; since the Scriptable Build Pipeline, by the hash of the
    scene's path: ``Assets/_Completed-Game/Roll-a-ball.unity`` is CAB-525ed2f4dd62cda04c3a2c31239020c9.
    """
    if name.endswith(_SHARED):
        return ""
    if name.startswith(BUNDLED):
        stem = name.removeprefix(BUNDLED)
        return next((path for path in scenes if path.rpartition("/")[2].removesuffix(_EXTENSION) == stem), name)
    if len(scenes) == 1:
        return scenes[0]
    folded = name.casefold()
    hashed = (path for path in scenes if folded in (archive_name(path).casefold(), _spooky_name(path)))
    return next(hashed, name)


def _spooky_name(path: str) -> str:
    return archive_name(path, spooky_hash).casefold()
