"""The names of a build's objects from the root of their hierarchy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.builds.build import GAME_OBJECT, TRANSFORMS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from assetdb.builds.build import Build, BuildFile

DEEPEST: Final = 64
"""Maximum number of names of a path that are compared, and of nested prefabs: a file may have thousands."""
_TRANSFORM_SIZE: Final = 68  # bytes without children: two references of 12, rotation, position, scale, a count
_RECT_SIZE: Final = 40  # that a RectTransform has more
_POINTER: Final = 12
_RECT: Final = 224


def built_paths(build: Build, file: BuildFile) -> dict[int, tuple[str, ...]]:
    """Return the objects' names from the root, as :meth:`assetdb.builds.trace.placed.Hierarchies.paths` has them."""
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


def names_from_root(
    starts: Iterable[int], above: Callable[[int], int | None], name: Callable[[int], str]
) -> dict[int, tuple[str, ...]]:
    """Return the names from the root down to each GameObject."""
    found: dict[int, tuple[str, ...]] = {}
    for start in starts:
        way: dict[int, None] = {}
        place: int | None = start
        while place is not None and place not in found and place not in way:
            way[place] = None
            place = above(place)
        for step in reversed(way):
            higher = above(step)
            found[step] = (*(found.get(higher, ()) if higher is not None else ()), name(step))[-DEEPEST:]
    return found
