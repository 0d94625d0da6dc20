"""Comparison of two builds: downloads, and the assets that changed them."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.builds.objects.content import digests
from assetdb.builds.parts.facts import HELD, LAYOUT, STATE
from assetdb.builds.query.catalogs import without_hash
from assetdb_formats.processes import tracked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assetdb.builds.build import Build
    from assetdb_formats.processes import Progress

SAME: Final = "same"
CHANGED: Final = "changed"
ADDED: Final = "added"
REMOVED: Final = "removed"
RENAMED: Final = "renamed"
"""The same bytes under another name: they are downloaded nevertheless."""

_PIECE: Final = 1 << 20
_NOT_SHIPPED: Final = (LAYOUT, STATE)
"""Files for the next build, which no player gets."""


class PartChange(NamedTuple):
    """A part in two builds.

    Attributes:
        verdict: one of the constants above.
        before: place of the part in the first build, or None.
        after: in the second, or None.
        name: of it in the second build, or in the first where the second has none.
        download: bytes to download for an update from the first build to the second: the whole part unless it is the
            same; none of build layouts and content states, which no player gets.
        objects: the objects that changed, the largest first; empty for parts that hold none, or are the same.
    """

    verdict: str
    before: int | None
    after: int | None
    name: str
    size_before: int
    size_after: int
    download: int
    objects: tuple[ObjectChange, ...]


class ObjectChange(NamedTuple):
    """An object in two builds; sizes include streamed data."""

    verdict: str
    before: int | None
    after: int | None
    size_before: int
    size_after: int


def compare(before: Build, after: Build, *, progress: Progress = None) -> tuple[PartChange, ...]:
    """Return matched parts of two builds, the largest download first.

    Parts are matched by name, without the hash of content in it. Two single files (``1.0.bundle`` and ``1.1.bundle``,
    two web players' ``.data``) are matched whatever their names are.

    Raises:
        FormatError: a part is damaged.
        OSError: a part cannot be read.
    """
    names = [part.name for part in before.parts], [part.name for part in after.parts]
    pairs = list(_matched(*names))
    inside = _names_in_file(before), _names_in_file(after)
    if all(inside) and not any(old is not None and new is not None for old, new in pairs):
        names = inside
        pairs = list(_matched(*names))
    rows = []
    for old, new in tracked(pairs, progress):
        is_renamed = old is not None and new is not None and names[0][old] != names[1][new]
        row = _compared(before, after, old, new, is_renamed=is_renamed)
        rows.append(row._replace(download=0) if new is not None and after.parts[new].kind in _NOT_SHIPPED else row)
    return tuple(sorted(rows, key=lambda row: (-row.download, row.verdict == SAME, row.name)))


def _compared(before: Build, after: Build, old: int | None, new: int | None, *, is_renamed: bool) -> PartChange:
    sizes = (before.parts[old].disk if old is not None else 0, after.parts[new].disk if new is not None else 0)
    name = after.parts[new].name if new is not None else before.parts[old or 0].name
    if old is None or new is None:
        return PartChange(ADDED if old is None else REMOVED, old, new, name, *sizes, sizes[1], ())
    if _is_same(before, after, old, new):
        verdict = RENAMED if is_renamed else SAME
        return PartChange(verdict, old, new, name, *sizes, 0 if verdict == SAME else sizes[1], ())
    objects = object_changes(before, after, old, new) if after.facts[new].kind in HELD else ()
    return PartChange(CHANGED, old, new, name, *sizes, sizes[1], objects)


def _names_in_file(build: Build) -> list[str]:
    """Return part names within a build's only file; else none."""
    names = [part.name for part in build.parts]
    if len(build.paths) != 1 or len(build.packages) > 1:
        return []
    if not build.packages:
        return [""] if [part.input.name for part in build.parts] == [*build.paths] else []
    own = f"{build.packages[0].name}/"
    return [name.removeprefix(own) for name in names] if all(name.startswith(own) for name in names) else []


def _matched(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    """Yield pairs of parts by name, then without hashes, then alone."""
    left = dict.fromkeys(range(len(before)))
    waiting = []
    by_name = {name: number for number, name in enumerate(before)}
    for number, name in enumerate(after):
        old = by_name.get(name)
        if old is None:
            waiting.append(number)
        else:
            del left[old]
            yield old, number
    bare: dict[str, deque[int]] = {}
    for number in left:
        bare.setdefault(without_hash(before[number]), deque()).append(number)
    for number in waiting:
        found = bare.get(without_hash(after[number]))
        old = found.popleft() if found else None
        if old is not None:
            del left[old]
        yield old, number
    for old in left:
        yield old, None


def _is_same(before: Build, after: Build, old: int, new: int) -> bool:
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


def object_changes(before: Build, after: Build, old: int, new: int) -> tuple[ObjectChange, ...]:
    """Return the objects that differ in a part, the largest first.

    Objects are matched by file, PathID and class, and the rest by class and name: in players, PathIDs shift when an
    object is added before them.
    """
    pairs: list[tuple[int, int]] = []
    first = _keyed(before, old)
    second = _keyed(after, new)
    pairs += [(first.pop(key), second.pop(key)) for key in list(second) if key in first]
    named: dict[tuple[int, str], deque[int]] = {}
    for number in first.values():
        named.setdefault((before.class_ids[number], before.title(number)), deque()).append(number)
    added = []
    for number in second.values():
        found = named.get((after.class_ids[number], after.title(number)))
        if found:
            pairs.append((found.popleft(), number))
        else:
            added.append(number)
    rows = [ObjectChange(ADDED, None, number, 0, after.bytes_of(number)) for number in added]
    rows += [ObjectChange(REMOVED, n, None, before.bytes_of(n), 0) for numbers in named.values() for n in numbers]
    alike = []
    for left, right in pairs:
        sizes = (before.bytes_of(left), after.bytes_of(right))
        if sizes[0] != sizes[1]:
            rows.append(ObjectChange(CHANGED, left, right, *sizes))
        else:
            alike.append((left, right))
    digests_before = digests(before, {left for left, _ in alike})
    digests_after = digests(after, {right for _, right in alike})
    for left, right in alike:
        if digests_before.get(left) != digests_after.get(right):
            rows.append(ObjectChange(CHANGED, left, right, before.bytes_of(left), after.bytes_of(right)))
    return tuple(
        sorted(rows, key=lambda row: (-max(row.size_before, row.size_after), row.after or -1, row.before or -1))
    )


def _keyed(build: Build, part: int) -> dict[tuple[str, int, int], int]:
    """Return the objects of a part by file, PathID and class."""
    found = {}
    files = [build.files[number] for number in build.files_of_part(part) if build.files[number].facts.objects]
    # The file in a bundle is called by the hash of the bundle's name, which another build may have changed.
    is_alone = build.facts[part].archive is not None and len(files) == 1
    for file in files:
        name = "" if is_alone else file.facts.name
        for number in file.numbers:
            found[name, build.path_ids[number], build.class_ids[number]] = number
    return found
