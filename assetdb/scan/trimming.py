"""The assets in which two states of one directory may differ.

Columns are compared as bytes, from both ends; what they have in common is not taken apart.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from assetdb.scan.directory import SEPARATOR

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from assetdb.scan.directory import DirectoryFacts

_GUID: Final = 16
_FEW: Final = 64  # assets, which are quicker taken apart
_FIXED: Final = {"guids": _GUID, "body_sizes": 4, "sub_counts": 4, "reference_counts": 8}  # bytes of each asset
_JOINED: Final = ("keys", "details")  # a string of each asset, with a separator between two
_PARTS: Final = ("bodies", "sub_keys", "references")  # any number of each asset's, which another column counts


def trimmed(one: DirectoryFacts, other: DirectoryFacts) -> tuple[DirectoryFacts, DirectoryFacts]:
    """Return two directories without the assets with a GUID that both have at their beginning and their end.

    What is not of single assets, or of their files, stays as it is.
    """
    counts = len(one.guids) // _GUID, len(other.guids) // _GUID
    optional = ("details", "references")
    if min(counts) < _FEW or any(bool(getattr(one, name)) != bool(getattr(other, name)) for name in optional):
        return one, other
    names = [name for name in (*_FIXED, *_JOINED, *_PARTS) if getattr(one, name) != getattr(other, name)]
    before, after = (
        min((_equal(name, one, other, from_end=from_end) for name in names), default=min(counts))
        for from_end in (False, True)
    )
    before = min(before, *counts)
    after = min(after, min(counts) - before)
    return _between(one, before, counts[0] - after), _between(other, before, counts[1] - after)


def _equal(name: str, one: DirectoryFacts, other: DirectoryFacts, *, from_end: bool) -> int:
    """Return how many assets at one end have the same in a column, or fewer."""
    first, second = _column(one, name), _column(other, name)
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
    """Return how many of these sizes, from one end, make no more than ``size`` together."""
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


def _between(directory: DirectoryFacts, start: int, stop: int) -> DirectoryFacts:
    """Return a directory with the assets ``start`` to ``stop`` alone."""
    sizes = memoryview(directory.body_sizes).cast("I")
    first_body = sum(sizes[:start])
    body_end = first_body + sum(sizes[start:stop])
    counts = memoryview(directory.sub_counts).cast("I")
    first_key = sum(counts[:start])
    keys_end = first_key + sum(counts[start:stop])
    fixed = {name: _column(directory, name)[start * width : stop * width] for name, width in _FIXED.items()}
    references = directory.references
    if references:
        numbers = memoryview(directory.reference_counts).cast("I")
        first = sum(numbers[: 2 * start]) * _GUID
        references = references[first : first + sum(numbers[2 * start : 2 * stop]) * _GUID]
    return directory._replace(
        guids=fixed["guids"],
        body_sizes=fixed["body_sizes"],
        sub_counts=fixed["sub_counts"],
        reference_counts=fixed["reference_counts"],
        keys=_strings(directory.keys, start, stop),
        details=_strings(directory.details, start, stop) if directory.details else b"",
        bodies=directory.bodies[first_body:body_end],
        sub_keys=_strings(directory.sub_keys, first_key, keys_end),
        references=references,
    )


def _column(directory: DirectoryFacts, name: str) -> bytes:
    column: bytes = getattr(directory, name)
    return column


def _strings(joined: bytes, start: int, stop: int) -> bytes:
    return SEPARATOR.join(joined.split(SEPARATOR)[start:stop])
