"""Layouts of classes without type trees, by release.

``layouts.txt`` has a line for every class and every release that changed it, from Unity 5.0 on, written by
``scripts/class_layouts.py`` from the type trees of all releases. What a MonoBehaviour's script adds is in no table:
the programs of class 114 end with its name.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unityfs.serialized_files.skim import compile_program

if TYPE_CHECKING:
    from assetdb_formats.unityfs.serialized_files.skim import Program

_VERSION: Final = re.compile(r"(\d{1,4})\.(\d{1,3})(?:\.(\d{1,3}))?(?:([a-z])(\d{1,4}))?")
_OLDEST: Final = (5,)
_NOTHING: Final = "."
_ABSENT: Final = "-"

Release = tuple[int, int, int, str, int]
"""A release of Unity to be compared: 2017.2.0f3 is (2017, 2, 0, "f", 3)."""


class _Rows(NamedTuple):
    releases: list[Release]
    programs: list[str]


def release_of(version: str) -> Release | None:
    """Return the release that a version text says; None where it says none, as ``0.0.0`` of stripped builds."""
    match = _VERSION.match(version)
    if match is None or not int(match[1]):
        return None
    kind = match[4] if match[4] in ("a", "b", "c", "f", "p", "x") else "f"  # c, t, ... of regional editors: as final
    kind = "f" if kind in "cx" else kind
    return (int(match[1]), int(match[2]), int(match[3] or 0), kind, int(match[5] or 0))


def program_for(class_id: int, version: str) -> Program | None:
    """Return how to skim an object of a class; None where the class or the release is not known, or nothing is wanted.

    Without a release (a stripped version) only names are known, of classes that have always begun with theirs.
    """
    rows = _table().get(class_id)
    if rows is None:
        return None
    release = release_of(version)
    if release is None:
        named = all(text.startswith("n") for text in rows.programs if text != _ABSENT)
        return compile_program("n") if named else None
    if release < _OLDEST:
        return None
    number = bisect_right(rows.releases, release) - 1
    text = rows.programs[number] if number >= 0 else _ABSENT
    return None if text in (_NOTHING, _ABSENT) else compile_program(text)


def is_known(class_id: int, version: str) -> bool:
    """Whether the table says what an object of a class holds in a release, be it nothing that is wanted."""
    rows, release = _table().get(class_id), release_of(version)
    if rows is None or release is None or release < _OLDEST:
        return False
    number = bisect_right(rows.releases, release) - 1
    return number >= 0 and rows.programs[number] != _ABSENT


@cache
def _table() -> dict[int, _Rows]:
    found: dict[int, _Rows] = {}
    with open(os.path.join(os.path.dirname(__file__), "layouts.txt"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    for line in lines:
        if line.startswith("#"):
            continue
        number, version, program = line.split(" ")
        release = release_of(version)
        if release is not None:
            rows = found.setdefault(int(number), _Rows([], []))
            rows.releases.append(release)
            rows.programs.append(program)
    return found
