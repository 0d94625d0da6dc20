"""Scenes of a project matched with the levels of a player."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from assetdb.builds.groups.plan import is_scene
from assetdb.builds.objects.hierarchy import built_paths
from assetdb.builds.trace.sources import Source
from assetdb.builds.trace.traced import SCENE, Traced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from assetdb.builds.build import Build
    from assetdb.builds.trace.placed import Placed
    from assetdb.builds.trace.sources import Sources

Origins = tuple[tuple[str, int], ...]
"""GUID and fileID of an object in each prefab or model that it is placed from, the innermost first."""
Matches = dict[int, tuple[int | None, Origins]]
"""Number of a built object -> its fileID in the project, None if several fit, and its origins."""


class Levels:
    """Cached matches of a build's hierarchies with a project's."""

    def __init__(self, build: Build, sources: Sources, kinds: Callable[[int], frozenset[str]]) -> None:
        self._build = build
        self._sources = sources
        self._kinds = kinds
        self._objects: dict[int, Matches] = {}
        self._paths: dict[int, dict[int, tuple[str, ...]]] = {}

    def scene(self, file: int) -> Traced | None:
        """Return the known scene of a file of a build, or None."""
        path = self._build.scenes[file]
        asset = self._sources.by_path.get(path.casefold()) if is_scene(path) else None
        if asset is None:
            return None
        return Traced(-1, SCENE, "scene", (Source(asset.guid, None, asset.path),))

    def objects(self, file: int) -> Matches:
        """Return fileID and origins of level objects matched by path."""
        if file not in self._objects:
            scene, numbers = self.scene(file), self._build.files[file].numbers
            self._objects[file] = {} if scene is None else self.matched(numbers, file, scene.sources[0].guid)
        return self._objects[file]

    def instances(self, guid: str, path: str) -> Iterator[Traced]:
        """Yield level objects placed from a prefab or a model."""
        for number, file_id in self._placed.get(guid, ()):
            yield Traced(number, SCENE, "placed in the scene", (Source(guid, file_id, path),))

    @cached_property
    def _placed(self) -> dict[str, list[tuple[int, int]]]:
        placed: dict[str, list[tuple[int, int]]] = {}
        for file in self._build.files:
            for number, (_, origins) in self.objects(file.number).items():
                for origin, file_id in origins:
                    placed.setdefault(origin, []).append((number, file_id))
        return placed

    def matched(self, numbers: Iterable[int], file: int, guid: str) -> Matches:
        """Return fileID and origins of objects matched by path and class."""
        if file not in self._paths:
            self._paths[file] = built_paths(self._build, self._build.files[file])
        hierarchies = self._sources.hierarchies
        return matched(numbers, self._paths[file], hierarchies.of(guid), hierarchies.paths(guid), self._kinds)


def matched(
    numbers: Iterable[int],
    built: Mapping[int, tuple[str, ...]],
    objects: Mapping[int, Placed],
    paths: Mapping[int, tuple[str, ...]],
    kinds: Callable[[int], frozenset[str]],
) -> Matches:
    """Return fileIDs and origins of built objects by path and class.

    Of several objects with one path and class the origin is known, but not which is which, if all have one origin and
    build and project have equally many.
    """
    file_ids: dict[tuple[tuple[str, ...], str], list[int]] = {}
    for file_id, item in objects.items():
        file_ids.setdefault((paths.get(file_id, ()), item.kind), []).append(file_id)
    alike: dict[tuple[tuple[str, ...], frozenset[str]], list[int]] = {}
    for number in numbers:
        alike.setdefault((built[number], kinds(number)), []).append(number)
    found: Matches = {}
    for (path, names), built_objects in alike.items():
        candidates = [file_id for kind in names for file_id in file_ids.get((path, kind), ())]
        origins = {objects[file_id].origins for file_id in candidates}
        if len(candidates) == len(built_objects) and len(origins) == 1:
            only = candidates[0] if len(candidates) == 1 else None
            found.update((number, (only, objects[candidates[0]].origins)) for number in built_objects)
    return found
