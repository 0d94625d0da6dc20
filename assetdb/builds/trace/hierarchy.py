"""Ties of a player's objects by their paths in scenes and prefabs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.builds.build import GAME_OBJECT, TRANSFORMS
from assetdb.builds.trace.placed import names_from_root

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from assetdb.builds.build import Build, BuildFile
    from assetdb.builds.trace.placed import Placed

Origins = tuple[tuple[str, int], ...]
"""GUID and fileID of the objects of prefabs and models that one is placed from, the innermost first."""
_TRANSFORM_SIZE: Final = 68  # bytes without children: two references of 12, rotation, position, scale, a count
_RECT_SIZE: Final = 40  # that a RectTransform has more
_POINTER: Final = 12
_RECT: Final = 224


def built_paths(build: Build, file: BuildFile) -> dict[int, tuple[str, ...]]:
    """Return the objects' names from the root, as :meth:`Hierarchies.paths` has them."""
    fathers: dict[int, int] = {}
    transform_of: dict[int, int] = {}
    owners: dict[int, int] = {}
    for number in file.numbers:
        class_id = build.class_ids[number]
        owner = number if class_id == GAME_OBJECT else build.game_object(number)
        if owner is None:
            continue
        owners[number] = owner
        if class_id in TRANSFORMS:
            transform_of[owner] = number
            father = _father(build, number)
            if father is not None:
                fathers[number] = father
    found = names_from_root(
        transform_of, lambda owner: owners.get(fathers.get(transform_of.get(owner, -1), -1)), build.name
    )
    return {
        number: found.get(owners[number], ()) if number in owners else ("", build.name(number))
        for number in file.numbers
    }


def _father(build: Build, number: int) -> int | None:
    """Return the parent of a Transform, its last reference, or None.

    The size of its data gives the number of children; with a parent it has one reference more. (A null reference is not
    among the references.)
    """
    own = _TRANSFORM_SIZE + (_RECT_SIZE if build.class_ids[number] == _RECT else 0)
    children, rest = divmod(build.sizes[number] - own, _POINTER)
    near = [row.target for row in build.references(number)[1:]]
    if rest or len(near) != children + 1 or near[-1] < 0 or build.class_ids[near[-1]] not in TRANSFORMS:
        return None
    return near[-1]


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
