"""The shortest chain of references that brings an object into a build."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from assetdb.builds.build import Build

_MANAGERS: Final = "globalgamemanagers"
# ShaderNameRegistry and NetworkManager refer to all shaders and prefabs of a player: they are not why these are in it.
_LISTS: Final = frozenset((94, 149))


class Reason(NamedTuple):
    """A way to an object.

    Attributes:
        kind: ``container`` (scripts load it by a path), ``Resources``, ``scene``, ``player settings``, ``list`` (a list
            of all prefabs or shaders has it, and nothing that is read refers to it) or ``none``.
        root: start of the chain: the container path, the scene, the file.
        way: the objects from the root to this one; it alone where it is itself what was included.
    """

    kind: str
    root: str
    way: tuple[int, ...]


def why(build: Build, number: int) -> Reason:
    """Return the shortest way to an object, the first of several."""
    reached_from: dict[int, int] = {number: -1}
    level = [number]
    while level:
        best = min((found for item in level if (found := _root(build, item)) is not None), default=None)
        if best is not None:
            _, item, kind, root = best
            return Reason(kind, root, _way(reached_from, item))
        following = []
        for item in level:
            for user in build.dependents(item):
                if user not in reached_from:
                    reached_from[user] = item
                    following.append(user)
        level = following
    for item in reached_from:
        if build.class_ids[item] in _LISTS:
            return Reason("list", build.file_label(item), _way(reached_from, item))
    return Reason("none", "", (number,))


def _way(reached_from: dict[int, int], item: int) -> tuple[int, ...]:
    way = [item]
    while reached_from[way[-1]] >= 0:
        way.append(reached_from[way[-1]])
    return tuple(way)


def _root(build: Build, number: int) -> tuple[int, int, str, str] | None:
    """Return rank, object, kind and root of an included object."""
    paths = build.containers.get(number)
    if paths:
        is_resource = paths[0].startswith("Resources/")
        return (0, number, "Resources" if is_resource else "container", paths[0])
    file = build.files[build.file_of(number)]
    scene = build.scenes[file.number]
    if scene:
        return (1, number, "scene", scene)
    if file.facts.name.casefold() == _MANAGERS and build.class_ids[number] not in _LISTS:
        return (2, number, "player settings", file.name)
    return None
