"""Sizes of objects in their files, in resource data and on disk.

Every part is cut into runs of its decoded bytes: metadata, objects, slices of resource data, and what none of them
claims. A byte belongs to the first that claims it, so that streamed data which two objects share count once. On the
disk, a run takes its share of the blocks that it lies in, and of the archive around the part; shares are differences of
one rising sum, so that they add up to the size of the file whatever was rounded.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.builds.build import resolve_streams
from assetdb.builds.parts.facts import HELD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assetdb.builds.build import Build

METADATA: Final = "(metadata)"
PADDING: Final = "(padding)"
UNUSED: Final = "(unused resource data)"
OVERHEAD: Final = "(archive headers)"


class Overhead(NamedTuple):
    """Bytes that are no object's.

    Attributes:
        what: one of the constants above; of other parts their kind in brackets.
        part: place of the part, or -1 for an archive around parts.
        file: place of the file, or -1.
    """

    what: str
    part: int
    file: int
    decoded: int
    disk: int


class Sizes(NamedTuple):
    """The bytes of each object, and the rest.

    Attributes:
        in_file: bytes of each object in its file, without those that another claimed before it.
        streamed: bytes of each object in resource data, counted in that way, too.
        disk: bytes of both on the disk.
        shared: streamed bytes that an object has and another claimed before it.
        disk_total: bytes of all parts and of the archives around them, on the disk.
        decoded_total: bytes of all parts, decoded.
    """

    in_file: array[int]
    streamed: array[int]
    disk: array[int]
    rest: tuple[Overhead, ...]
    shared: int
    disk_total: int
    decoded_total: int


class _Run(NamedTuple):
    start: int
    end: int
    object: int  # or -1: metadata
    streamed: bool


def measure(build: Build) -> Sizes:
    """Return the bytes of each object and the rest, adding up."""
    in_file, streamed, disk = (array("q", bytes(8 * len(build))) for _ in range(3))
    rest: list[Overhead] = []
    slices: dict[int, list[_Run]] = {}
    shared = 0
    for stream in resolve_streams(build):
        if stream.file is not None and stream.is_inside:
            file = build.files[stream.file]
            start = file.facts.offset + stream.offset
            slices.setdefault(file.part, []).append(_Run(start, start + stream.size, stream.object, streamed=True))
    decoded_total = 0
    for number, (part, known) in enumerate(zip(build.parts, build.facts, strict=True)):
        if known.kind not in HELD or not known.files:
            rest.append(Overhead(f"({known.kind})", number, -1, known.size, part.disk))
            decoded_total += known.size
            continue
        share = _Shares(part.disk, known.size, known.block_starts, known.block_sizes)
        if share.before:
            rest.append(Overhead(OVERHEAD, number, -1, 0, share.before))
        decoded_total += share.end
        runs = sorted([*_runs(build, number), *slices.get(number, ())])
        files = _FilesOfPart(build, number)
        at = 0
        for run in runs:
            if run.start > at:
                rest += _gaps(build, files, share, at, run.start)
            start, end = min(max(at, run.start), run.end), run.end
            size = end - start
            if run.object < 0:
                rest.append(Overhead(METADATA, number, files.at(run.start), size, share.between(start, end)))
            else:
                (streamed if run.streamed else in_file)[run.object] += size
                disk[run.object] += share.between(start, end)
                shared += (run.end - run.start - size) if run.streamed else 0
            at = max(at, end)
        rest += _gaps(build, files, share, at, share.end)
    disk_total = sum(part.disk for part in build.parts)
    for number, package in enumerate(build.packages):
        inside = sum(part.disk for part in build.parts if part.package == number)
        if package.size > inside > 0:
            rest.append(Overhead(OVERHEAD, -1, -1, 0, package.size - inside))
            disk_total += package.size - inside
    return Sizes(in_file, streamed, disk, tuple(rest), shared, disk_total, decoded_total)


def _runs(build: Build, part: int) -> Iterator[_Run]:
    """Yield the metadata and the objects of a part."""
    known = build.facts[part]
    first = build.objects_of_part(part).start
    place = 0
    for file in known.files:
        end = file.offset + file.size
        if file.serialized:
            yield _Run(file.offset, min(file.offset + file.metadata_end, end), -1, streamed=False)
        for number in range(place, place + file.objects):
            start = min(file.offset + known.offsets[number], end)
            yield _Run(start, min(start + known.sizes[number], end), first + number, streamed=False)
        place += file.objects


class _FilesOfPart:
    """The files of a part by offset.

    They are looked up for nearly each object, which has padding behind it.
    """

    def __init__(self, build: Build, part: int) -> None:
        self.part = part
        self._numbers = sorted(build.files_of_part(part), key=lambda number: build.files[number].facts.offset)
        facts = [build.files[number].facts for number in self._numbers]
        self._starts = [file.offset for file in facts]
        self._ends = list(accumulate((file.offset + file.size for file in facts), max))

    def at(self, place: int) -> int:
        """Return the last file that begins at a place or before it."""
        return self._numbers[max(bisect_right(self._starts, place) - 1, 0)]

    def between(self, start: int, end: int) -> Sequence[int]:
        """Return the files that may have bytes between two places."""
        return self._numbers[bisect_right(self._ends, start) : bisect_left(self._starts, end)]


def _gaps(build: Build, files: _FilesOfPart, share: _Shares, start: int, end: int) -> Iterator[Overhead]:
    """Yield the unclaimed bytes between two places, file by file."""
    part = files.part
    for number in files.between(start, end):
        file = build.files[number].facts
        low, high = max(start, file.offset), min(end, file.offset + file.size)
        if low < high:
            if start < low:
                yield Overhead(PADDING, part, -1, low - start, share.between(start, low))
            yield Overhead(PADDING if file.serialized else UNUSED, part, number, high - low, share.between(low, high))
            start = high
    if start < end:
        yield Overhead(PADDING, part, -1, end - start, share.between(start, end))


class _Shares:
    """How many bytes on the disk a run of decoded bytes takes.

    Attributes:
        before: bytes on the disk that belong to no block: headers and directory of the archive.
        end: decoded bytes in all.
    """

    def __init__(self, disk: int, size: int, starts: array[int], stored: array[int]) -> None:
        if not starts:  # resource data, which has no blocks
            starts, stored = array("q", (0, size)), array("q", (size,))
        self._disk = disk
        self._size = max(size, 1)
        self._starts = starts
        self._stored = stored
        self._sums = array("q", accumulate(stored, initial=0))
        self.end = starts[-1]
        self._overhead = max(size - self._sums[-1], 0)
        self.before = self._packed(self._overhead) if self.end else disk

    def between(self, start: int, end: int) -> int:
        return self._at(end) - self._at(start)

    def _at(self, place: int) -> int:
        if place >= self.end:
            return self._disk
        number = bisect_right(self._starts, place) - 1
        decoded = self._starts[number + 1] - self._starts[number]
        inside = (place - self._starts[number]) * self._stored[number] // decoded
        return self._packed(self._overhead + self._sums[number] + inside)

    def _packed(self, place: int) -> int:
        return place * self._disk // self._size
