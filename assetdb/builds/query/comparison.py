"""Comparison of two builds: downloads, and the assets that changed them."""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.builds.build import resolve_streams
from assetdb.builds.objects.difference import different
from assetdb.builds.objects.pairing import ALONE, PartPair, pair_objects
from assetdb.builds.parts.facts import HELD, NOT_SHIPPED
from assetdb.builds.query.catalogs import without_hash
from assetdb.builds.query.reasons import why
from assetdb_formats.processes import tracked

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from assetdb.builds.build import Build
    from assetdb_formats.processes import Progress

SAME: Final = "same"
CHANGED: Final = "changed"
ADDED: Final = "added"
REMOVED: Final = "removed"
RENAMED: Final = "renamed"
"""The same bytes under another name: they are downloaded nevertheless."""
MOVED: Final = "moved"
"""An object as it was, in another part."""

_PIECE: Final = 1 << 20
_NUMBERED: Final = re.compile(r"(?P<kind>level|sharedassets)(?P<level>\d{1,5})(?P<rest>(?:\..*)?)")


class PartChange(NamedTuple):
    """A part in two builds.

    Attributes:
        verdict: one of the constants above.
        before: place of the part in the first build, or None.
        after: in the second, or None.
        name: of it in the second build, or in the first where the second has none.
        download: bytes to download for an update from the first build to the second: the whole part unless it is the
            same; none of build layouts and content states, which no player gets.
        objects: the objects that changed, the largest first; empty for parts that hold none, or are the same. Of
            resource data the objects whose own part is the same.
        streamed: how many objects that changed, and are told with their own part, have their data in this one.
        is_read: whether both sides were read in full; what one side lacks is told only where it was read.
    """

    verdict: str
    before: int | None
    after: int | None
    name: str
    size_before: int
    size_after: int
    download: int
    objects: tuple[ObjectChange, ...]
    streamed: int = 0
    is_read: bool = True


class ObjectChange(NamedTuple):
    """An object in two builds; sizes include streamed data.

    Of :data:`MOVED` objects ``before`` is in another part than ``after``.
    """

    verdict: str
    before: int | None
    after: int | None
    size_before: int
    size_after: int


def compare(before: Build, after: Build, *, progress: Progress = None) -> tuple[PartChange, ...]:
    """Return matched parts of two builds, the largest download first.

    Parts are matched by name, without the hash of content in it; a player's levels by their scenes. Two single files
    (``1.0.bundle`` and ``1.1.bundle``, two web players' ``.data``) are matched whatever their names are.

    Raises:
        FormatError: a part is damaged.
        OSError: a part cannot be read.
    """
    names = [part.name for part in before.parts], [part.name for part in after.parts]
    matched = list(_matched(names, (_names_by_scene(before), _names_by_scene(after))))
    inside = _names_in_file(before), _names_in_file(after)
    if all(inside) and not any(old is not None and new is not None for old, new in matched):
        names = inside
        matched = list(_matched(names))
    parts = {
        new: PartPair(old, new, is_same(before, after, old, new))
        for old, new in tracked(matched, progress)
        if old is not None and new is not None
    }
    held = [part for part in parts.values() if after.facts[part.after].kind in HELD]
    changes = ObjectChanges(before, after, held)
    rows = []
    for old, new in matched:
        name = after.parts[new].name if new is not None else before.parts[old or 0].name
        sizes = (before.parts[old].disk if old is not None else 0, after.parts[new].disk if new is not None else 0)
        row = PartChange(ADDED if old is None else REMOVED, old, new, name, *sizes, sizes[1], ())
        if old is not None and new is not None:
            if not parts[new].is_same:
                is_read = not (before.facts[old].problems or after.facts[new].problems)
                row = row._replace(verdict=CHANGED, objects=changes.of(parts[new]), is_read=is_read)
            elif names[0][old] != names[1][new]:
                row = row._replace(verdict=RENAMED)
            else:
                row = row._replace(verdict=SAME, download=0)
        rows.append(row._replace(download=0) if new is not None and after.parts[new].kind in NOT_SHIPPED else row)
    rows = changes.with_streamed(rows)
    return tuple(sorted(rows, key=lambda row: (-row.download, row.verdict == SAME, row.name)))


def _names_in_file(build: Build) -> list[str]:
    """Return part names within a build's only file; else none."""
    names = [part.name for part in build.parts]
    if len(build.paths) != 1 or len(build.packages) > 1:
        return []
    if not build.packages:
        return [""] if [part.input.name for part in build.parts] == [*build.paths] else []
    prefix = f"{build.packages[0].name}/"
    return [name.removeprefix(prefix) for name in names] if all(name.startswith(prefix) for name in names) else []


def _names_by_scene(build: Build) -> list[str]:
    """Return part names with the scene instead of its number.

    The numbers are the order of the scenes in the build settings.
    """
    names = []
    for number, part in enumerate(build.parts):
        folder, slash, name = part.name.rpartition("/")
        found = _NUMBERED.fullmatch(name)
        player = build.player_of(number) if found is not None and part.kind in HELD else None
        if found is not None and player is not None and int(found["level"]) < len(player.scenes):
            name = f"{found['kind']}[{player.scenes[int(found['level'])]}]{found['rest']}"
        names.append(folder + slash + name)
    return names


def _matched(
    names: tuple[Sequence[str], Sequence[str]], scenes: tuple[Sequence[str], Sequence[str]] | None = None
) -> Iterator[tuple[int | None, int | None]]:
    """Yield pairs of parts by scene, by name, without hashes, alone."""
    bare = [without_hash(name) for name in names[0]], [without_hash(name) for name in names[1]]
    left = dict.fromkeys(range(len(names[0])))
    waiting = list(range(len(names[1])))
    for before, after in (*((scenes,) if scenes is not None else ()), names, bare):
        known: dict[str, deque[int]] = {}
        for number in left:
            known.setdefault(before[number], deque()).append(number)
        alone = []
        for number in waiting:
            found = known.get(after[number])
            if found:
                old = found.popleft()
                del left[old]
                yield old, number
            else:
                alone.append(number)
        waiting = alone
    yield from ((None, number) for number in waiting)
    yield from ((number, None) for number in left)


def is_same(before: Build, after: Build, old: int, new: int) -> bool:
    """Whether two parts have the same bytes."""
    first, second = before.parts[old].input, after.parts[new].input
    if first.size != second.size:
        return False
    with first.open() as left, second.open() as right:
        while True:
            piece = left.read(_PIECE)
            if piece != right.read(_PIECE):
                return False
            if not piece:
                return True


class ObjectChanges:
    """The objects that differ in parts, each told once.

    Attributes:
        pairs: the pairs of all objects of the parts.
    """

    def __init__(self, before: Build, after: Build, parts: Sequence[PartPair]) -> None:
        self.before = before
        self.after = after
        self.same = {part.after for part in parts if part.is_same}
        self.pairs = pair_objects(before, after, parts)
        self.readers = _readers(after)
        numbers = dict.fromkeys(number for part in parts if not part.is_same for number in self._objects(part)[1])
        # All at once: each reading opens the parts anew, and goes through all streams of the build.
        self.differing = different(
            before,
            after,
            self.pairs,
            [
                (other, number)
                for number in numbers
                if (other := self.pairs.before[number]) != ALONE and before.bytes_of(other) == after.bytes_of(number)
            ],
        )

    def _objects(self, part: PartPair) -> tuple[range, Collection[int]]:
        """Return the objects of a part, or those with data there."""
        old, new = self.before.objects_of_part(part.before), self.after.objects_of_part(part.after)
        if old or new:
            return old, new
        readers = self.readers.get(part.after, ())
        return old, [number for number in readers if self.after.part_of(number) in self.same]

    def of(self, part: PartPair) -> tuple[ObjectChange, ...]:
        """Return the changed objects of a part, the largest first."""
        before, after, pairs = self.before, self.after, self.pairs
        old, new = self._objects(part)
        # A file that could not be read (SerializedFile version 26) is not one without objects.
        is_read = [not build.facts[own].problems for build, own in ((before, part.before), (after, part.after))]
        removed = (number for number in old if is_read[1] and pairs.after[number] == ALONE)
        rows = [ObjectChange(REMOVED, number, None, before.bytes_of(number), 0) for number in removed]
        for number in new:
            other = pairs.before[number]
            if other == ALONE:
                rows += [ObjectChange(ADDED, None, number, 0, after.bytes_of(number))] if is_read[0] else []
                continue
            sizes = before.bytes_of(other), after.bytes_of(number)
            if sizes[0] != sizes[1] or (other, number) in self.differing:
                rows.append(ObjectChange(CHANGED, other, number, *sizes))
            elif old and other not in old:
                rows.append(ObjectChange(MOVED, other, number, *sizes))
        return tuple(
            sorted(rows, key=lambda row: (-max(row.size_before, row.size_after), row.after or -1, row.before or -1))
        )

    def with_streamed(self, rows: Sequence[PartChange]) -> list[PartChange]:
        """Count the changed objects with data in each part."""
        told = {item.after for row in rows for item in row.objects}
        found = []
        for row in rows:
            own = {item.after for item in row.objects}
            readers = self.readers.get(row.after, ()) if row.after is not None and row.verdict == CHANGED else ()
            found.append(row._replace(streamed=sum(number in told and number not in own for number in readers)))
        return found


def _readers(build: Build) -> dict[int, list[int]]:
    """Return the objects with streamed data in each part."""
    found: dict[int, dict[int, None]] = {}
    for stream in resolve_streams(build):
        if stream.file is not None:
            found.setdefault(build.files[stream.file].part, {})[stream.object] = None
    return {part: list(numbers) for part, numbers in found.items()}


def part_fields(before: Build, row: PartChange) -> dict[str, object]:
    """Return a part that differs, without its objects, as plain data."""
    return {
        "verdict": row.verdict,
        "name": row.name,
        "name_before": before.parts[row.before].name if row.before is not None else None,
        "size_before": row.size_before,
        "size_after": row.size_after,
        "download": row.download,
        "streamed": row.streamed,
        "is_read": row.is_read,
    }


def object_fields(before: Build, after: Build, item: ObjectChange) -> dict[str, object]:
    """Return an object that differs as plain data, with its reason."""
    build, number = (after, item.after) if item.after is not None else (before, item.before or 0)
    reason = why(build, number)
    return {
        "verdict": item.verdict,
        "file": build.file_label(number),
        "file_before": before.file_label(item.before) if item.before is not None else None,
        "path_id": build.path_ids[number],
        "path_id_before": before.path_ids[item.before] if item.before is not None else None,
        "class": build.class_name(build.class_ids[number]),
        "name": build.title(number),
        "name_before": before.title(item.before) if item.before is not None else None,
        "size_before": item.size_before,
        "size_after": item.size_after,
        "why": reason.kind,
        "root": reason.root,
    }
