"""Ties of a player's objects by their paths in scenes and prefabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from assetdb.builds.trace.placed import Placed

Origins = tuple[tuple[str, int], ...]
"""GUID and fileID of the objects of prefabs and models that one is placed from, the innermost first."""


def matched(
    numbers: Iterable[int],
    built: Mapping[int, tuple[str, ...]],
    objects: Mapping[int, Placed],
    paths: Mapping[int, tuple[str, ...]],
    kinds: Callable[[int], frozenset[str]],
) -> dict[int, tuple[int | None, Origins]]:
    """Return fileIDs and origins of built objects by path and class.

    If several share both, as many in the build as in the project and all of one origin, only the origin is known.
    """
    own: dict[tuple[tuple[str, ...], str], list[int]] = {}
    for file_id, item in objects.items():
        own.setdefault((paths.get(file_id, ()), item.kind), []).append(file_id)
    theirs: dict[tuple[tuple[str, ...], frozenset[str]], list[int]] = {}
    for number in numbers:
        theirs.setdefault((built[number], kinds(number)), []).append(number)
    found: dict[int, tuple[int | None, Origins]] = {}
    for (path, names), several in theirs.items():
        rows = [file_id for kind in names for file_id in own.get((path, kind), ())]
        origins = {objects[file_id].origins for file_id in rows}
        if len(rows) == len(several) and len(origins) == 1:
            only = rows[0] if len(rows) == 1 else None
            found.update((number, (only, objects[rows[0]].origins)) for number in several)
    return found
