"""Runs of a directory's assets, compared, cut and joined without splitting all."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from assetdb.scan.directory import SEPARATOR
from assetdb.system.identity import PACKED_RACY

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Final

    from assetdb.scan.directory import DirectoryFacts

_GUID: Final = 16
_IDENTITIES: Final = 16  # bytes of each asset: of its file and its meta
_FEW: Final = 64  # number of assets up to which splitting all is faster
_FIXED: Final = {"guids": _GUID, "body_sizes": 4, "sub_counts": 4, "reference_counts": 8}  # bytes of each asset
_JOINED: Final = ("keys", "details")  # a string of each asset, with a separator between two
_PARTS: Final = ("bodies", "sub_keys", "references")  # a varying number for each asset, counted in another column


def trimmed(one: DirectoryFacts, other: DirectoryFacts) -> tuple[DirectoryFacts, DirectoryFacts]:
    """Return two directories without equal assets at the ends, otherwise unchanged."""
    before, after = equal_ends(one, other)
    if not before and not after:
        return one, other
    counts = len(one.guids) // _GUID, len(other.guids) // _GUID
    return between(one, [(before, counts[0] - after)])[0], between(other, [(before, counts[1] - after)])[0]


def equal_ends(one: DirectoryFacts, other: DirectoryFacts) -> tuple[int, int]:
    """Return how many assets with GUIDs are equal at beginning and end."""
    before, after = _ends(one, other)
    return before, min(after, min(len(one.guids), len(other.guids)) // _GUID - before)


def _ends(one: DirectoryFacts, other: DirectoryFacts) -> tuple[int, int]:
    """Return :func:`equal_ends`, which overlap where only identities differ."""
    counts = len(one.guids) // _GUID, len(other.guids) // _GUID
    optional = ("details", "references")
    if min(counts) < _FEW or any(bool(getattr(one, name)) != bool(getattr(other, name)) for name in optional):
        return 0, 0
    names = [name for name in (*_FIXED, *_JOINED, *_PARTS) if getattr(one, name) != getattr(other, name)]
    before, after = (
        min((_equal(name, one, other, from_end=from_end) for name in names), default=min(counts))
        for from_end in (False, True)
    )
    return min(before, *counts), min(after, *counts)


def replaced_guids(one: DirectoryFacts, other: DirectoryFacts) -> bytes:
    """Return GUIDs of assets that may differ, 16 bytes each."""
    before, after = _ends(one, other)
    files = [each.identities[: len(each.guids)] for each in (one, other)]
    before = min(before, _common(*files, from_end=False) // _IDENTITIES)
    after = min(after, _common(*files, from_end=True) // _IDENTITIES, min(map(len, files)) // _IDENTITIES - before)
    found = []
    for each in (one, other):
        last = len(each.guids) // _GUID - after
        found.append(each.guids[before * _GUID : last * _GUID])
        unknown = {place // 2 for place in _racy(each.identities[: len(each.guids)])}
        found += [each.guids[place * _GUID : (place + 1) * _GUID] for place in unknown if not before <= place < last]
    return b"".join(found)


def _racy(identities: bytes) -> Iterator[int]:
    """Yield the numbers of racy files."""
    place = identities.find(PACKED_RACY)
    while place >= 0:
        if place % len(PACKED_RACY) == 0:
            yield place // len(PACKED_RACY)
        place = identities.find(PACKED_RACY, place + 1)


def _equal(name: str, one: DirectoryFacts, other: DirectoryFacts, *, from_end: bool) -> int:
    """Return a lower bound of a column's equal assets at one end."""
    first: bytes = getattr(one, name)
    second: bytes = getattr(other, name)
    size = _common(first, second, from_end=from_end)
    if name in _FIXED:
        return size // _FIXED[name]
    if name == "bodies":
        return _whole(memoryview(one.body_sizes).cast("I"), size, from_end=from_end)
    if name == "references":
        numbers = memoryview(one.reference_counts).cast("I")
        return _whole(list(map(sum, zip(numbers[::2], numbers[1::2], strict=True))), size // _GUID, from_end=from_end)
    strings = (first[len(first) - size :] if from_end else first[:size]).count(SEPARATOR)
    if name in _JOINED:
        return strings
    return _whole(memoryview(one.sub_counts).cast("I"), strings, from_end=from_end)


def _whole(sizes: memoryview | list[int], size: int, *, from_end: bool) -> int:
    """Return how many sizes from one end fit a sum."""
    ordered: Iterable[int] = reversed(sizes) if from_end else sizes
    return bisect_right(list(accumulate(ordered)), size)


def _common(one: bytes, other: bytes, *, from_end: bool) -> int:
    """Return how many bytes are the same at one end."""
    ends = len(one), len(other)
    same, different = 0, min(ends) + 1
    while different - same > 1:
        middle = (same + different) // 2
        if from_end:
            equal = one[ends[0] - middle : ends[0] - same] == other[ends[1] - middle : ends[1] - same]
        else:
            equal = one[same:middle] == other[same:middle]
        if equal:
            same = middle
        else:
            different = middle
    return same


def between(directory: DirectoryFacts, bounds: Sequence[tuple[int, int]]) -> list[DirectoryFacts]:
    """Return a directory for each run of its assets.

    ``bounds`` are the numbers of the first asset and of that after the last. Columns of other things than assets are
    unchanged.
    """
    bodies = [0, *accumulate(memoryview(directory.body_sizes).cast("I"))]
    sub_keys = [0, *accumulate(memoryview(directory.sub_counts).cast("I"))]
    references = [0, *accumulate(memoryview(directory.reference_counts).cast("I"))]
    keys, details, sub_key_names = (
        column.split(SEPARATOR) if column else [] for column in (directory.keys, directory.details, directory.sub_keys)
    )
    return [
        directory._replace(
            guids=directory.guids[start * _GUID : stop * _GUID],
            body_sizes=directory.body_sizes[start * 4 : stop * 4],
            sub_counts=directory.sub_counts[start * 4 : stop * 4],
            reference_counts=directory.reference_counts[start * 8 : stop * 8],
            keys=SEPARATOR.join(keys[start:stop]),
            details=SEPARATOR.join(details[start:stop]),
            bodies=directory.bodies[bodies[start] : bodies[stop]],
            sub_keys=SEPARATOR.join(sub_key_names[sub_keys[start] : sub_keys[stop]]),
            references=directory.references[references[2 * start] * _GUID : references[2 * stop] * _GUID]
            if directory.references
            else b"",
        )
        for start, stop in bounds
    ]


def joined(parts: Sequence[DirectoryFacts]) -> DirectoryFacts:
    """Return the first directory with the assets of all; unused columns empty."""
    filled = [part for part in parts if part.guids]
    details = reference_counts = b""
    if any(part.details.strip(SEPARATOR) for part in filled):
        details = SEPARATOR.join(
            [part.details or SEPARATOR * (len(part.guids) // _GUID - 1) for part in filled],
        )
    references = b"".join([part.references for part in filled])
    if references:
        reference_counts = b"".join([part.reference_counts or bytes(len(part.guids) // _GUID * 8) for part in filled])
    return parts[0]._replace(
        guids=b"".join([part.guids for part in filled]),
        keys=SEPARATOR.join([part.keys for part in filled]),
        bodies=b"".join([part.bodies for part in filled]),
        body_sizes=b"".join([part.body_sizes for part in filled]),
        sub_counts=b"".join([part.sub_counts for part in filled]),
        sub_keys=SEPARATOR.join([part.sub_keys for part in filled if part.sub_counts.strip(b"\0")]),
        details=details,
        reference_counts=reference_counts,
        references=references,
    )
