"""Duplicates in a build: one asset in several bundles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.builds.build import GAME_OBJECT, TRANSFORMS
from assetdb.builds.objects.content import digests
from assetdb.builds.objects.pairing import HASHED
from assetdb.builds.parts.reading import PRELOAD_DATA
from assetdb_formats.unityfs.serialized_files.loaded import ASSET_BUNDLE
from assetdb_formats.unityfs.serialized_files.player import MONO_SCRIPT, RESOURCE_MANAGER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.builds.build import Build
    from assetdb_formats.processes import Progress

SOURCE: Final = "source"
"""The same asset: its PathID is made of GUID and fileID, which no two assets share."""
CONTENT: Final = "content"
"""The same class, name and content, wherever it came from."""

_COMPONENT: Final = 2
_NEVER: Final = frozenset({ASSET_BUNDLE, PRELOAD_DATA, RESOURCE_MANAGER, _COMPONENT, *TRANSFORMS})


class ObjectDuplicate(NamedTuple):
    """An object that is stored several times.

    Attributes:
        by: :data:`SOURCE` or :data:`CONTENT`.
        objects: all of them, in the order of the build; at most one a file.
        equal: whether their content is equal, too; None if not all of it could be read.
        size: bytes of one copy, with its streamed data: the largest.
        saved: bytes that one copy instead of all would save.
    """

    by: str
    objects: tuple[int, ...]
    equal: bool | None
    size: int
    saved: int


def same_sources(build: Build) -> list[list[int]]:
    """Return objects built several times from the same asset, by PathID."""
    found: dict[tuple[int, int], list[int]] = {}
    for number, (path_id, class_id) in enumerate(zip(build.path_ids, build.class_ids, strict=True)):
        if abs(path_id) >= HASHED and class_id != ASSET_BUNDLE:
            found.setdefault((class_id, path_id), []).append(number)
    return [own for own in found.values() if _in_several(build, own)]


def wasted_bytes(build: Build, numbers: Sequence[int]) -> int:
    """Return the bytes that keeping one copy of objects would save."""
    sizes = list(map(build.bytes_of, numbers))
    return sum(sizes) - max(sizes)


def find_duplicates(build: Build, *, progress: Progress = None) -> list[ObjectDuplicate]:
    """Return objects in several files, the largest savings first."""
    by_source: dict[tuple[int, int], list[int]] = {}
    by_facts: dict[tuple[int, str, int, int], list[int]] = {}
    streamed = build.streamed
    for number, (path_id, class_id) in enumerate(zip(build.path_ids, build.class_ids, strict=True)):
        if class_id in _NEVER and abs(path_id) < HASHED:
            continue
        if abs(path_id) >= HASHED and class_id != ASSET_BUNDLE:
            by_source.setdefault((class_id, path_id), []).append(number)
        elif build.name(number) and class_id not in (GAME_OBJECT, MONO_SCRIPT):
            key = (class_id, build.name(number), build.sizes[number], streamed[number])
            by_facts.setdefault(key, []).append(number)
    candidates = [own for own in by_source.values() if _in_several(build, own)]
    for own in by_source.values():
        # Builds with different seeds give an asset different PathIDs, so it is compared by its content, too.
        if len(own) == 1 and build.name(own[0]) and build.class_ids[own[0]] not in (GAME_OBJECT, MONO_SCRIPT):
            number = own[0]
            key = (build.class_ids[number], build.name(number), build.sizes[number], streamed[number])
            by_facts.setdefault(key, []).append(number)
    alike = [own for own in by_facts.values() if _in_several(build, own)]
    found = digests(build, {number for own in (*candidates, *alike) for number in own}, progress=progress)
    rows = []
    for own in candidates:
        contents = {found.get(number) for number in own}
        rows.append(_row(build, SOURCE, own, equal=None if None in contents else len(contents) == 1))
    for own in alike:
        same: dict[bytes, list[int]] = {}
        for number in own:
            if number in found:
                same.setdefault(found[number], []).append(number)
        rows += [_row(build, CONTENT, copies, equal=True) for copies in same.values() if _in_several(build, copies)]
    return sorted(rows, key=lambda row: (-row.saved, row.objects))


def _in_several(build: Build, numbers: Sequence[int]) -> bool:
    return len(numbers) > 1 and len({build.file_of(number) for number in numbers}) > 1


def _row(build: Build, by: str, numbers: Sequence[int], *, equal: bool | None) -> ObjectDuplicate:
    size = max(map(build.bytes_of, numbers))
    return ObjectDuplicate(by, tuple(numbers), equal, size, wasted_bytes(build, numbers))
