"""Three-way merges of sequences: keys, rows and lines."""

from __future__ import annotations

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence
    from typing import Final, TypeVar

    Element = TypeVar("Element", bound=Hashable)

_MOST_COMPARED: Final = 4_000_000
"""Pairs of different elements; beyond that all of them count as one change."""


class Region(NamedTuple):
    """One place of the base, and its counterparts in both sides.

    Attributes:
        base: first and last index, the last excluded.
        ours: first and last index in ours.
        theirs: first and last index in theirs.
        sides: 0 where nobody changed anything, 1 for ours alone, 2 for theirs alone, 3 for both.
    """

    base: tuple[int, int]
    ours: tuple[int, int]
    theirs: tuple[int, int]
    sides: int


def ordered(base: Sequence[Element], ours: Sequence[Element], theirs: Sequence[Element]) -> list[Element] | None:
    """Return all elements in merged order, None if moves contradict.

    Elements that both inserted at one place are ours, then theirs. No sequence has an element twice; one that a side
    removed is still in the result.
    """
    known = set(base)
    ours_kept = [key for key in ours if key in known]
    theirs_kept = [key for key in theirs if key in known]
    skeleton = _moved(base, ours_kept, theirs_kept)
    if skeleton is None:
        return None
    in_ours = set(ours)
    behind: dict[Element | None, list[Element]] = {}
    for side, other in ((ours, known), (theirs, known | in_ours)):
        before: Element | None = None
        for key in side:
            if key in known:
                before = key
            elif key not in other:
                behind.setdefault(before, []).append(key)
    result = [*behind.get(None, ())]
    for key in skeleton:
        result.append(key)
        result += behind.get(key, ())
    return result


def _moved(base: Sequence[Element], ours: Sequence[Element], theirs: Sequence[Element]) -> Sequence[Element] | None:
    """Return the base's elements in the order of the side that moved."""
    ours_moved = not _is_in_order(base, ours)
    theirs_moved = not _is_in_order(base, theirs)
    if not ours_moved and not theirs_moved:
        return base
    if ours_moved and theirs_moved:
        in_both = set(ours).intersection(theirs)
        if [key for key in ours if key in in_both] != [key for key in theirs if key in in_both]:
            return None
    return _with_removed(base, ours if ours_moved else theirs)


def _is_in_order(base: Sequence[Element], kept: Sequence[Element]) -> bool:
    if len(base) == len(kept):
        return list(base) == list(kept)
    in_kept = set(kept)
    return [key for key in base if key in in_kept] == list(kept)


def _with_removed(base: Sequence[Element], kept: Sequence[Element]) -> list[Element]:
    """Insert each removed element behind the kept one before it."""
    in_kept = set(kept)
    behind: dict[Element | None, list[Element]] = {}
    before: Element | None = None
    for key in base:
        if key in in_kept:
            before = key
        else:
            behind.setdefault(before, []).append(key)
    result = [*behind.get(None, ())]
    for key in kept:
        result.append(key)
        result += behind.get(key, ())
    return result


def regions(
    base: Sequence[Hashable], ours: Sequence[Hashable], theirs: Sequence[Hashable], *, strict: bool
) -> Iterator[Region]:
    """Yield the parts of three sequences in order.

    Args:
        base: the common ancestor.
        ours: one side.
        theirs: the other.
        strict: whether changes of both sides with nothing between them are one region, as for git.
    """
    edits = [(b0, b1, s0, s1, 1) for b0, b1, s0, s1 in _edits(base, ours)]
    edits += [(b0, b1, s0, s1, 2) for b0, b1, s0, s1 in _edits(base, theirs)]
    edits.sort()
    at, shifts = 0, [0, 0]
    number = 0
    while number < len(edits):
        low, high = edits[number][:2]
        group = [edits[number]]
        number += 1
        while number < len(edits) and _meets(edits[number], low, high, strict=strict):
            high = max(high, edits[number][1])
            group.append(edits[number])
            number += 1
        if at < low:
            yield _region((at, low), shifts, shifts, 0)
        before, after = list(shifts), list(shifts)
        sides = 0
        for b0, b1, s0, s1, side in group:
            after[side - 1] += (s1 - s0) - (b1 - b0)
            sides |= side
        yield _region((low, high), before, after, sides)
        at, shifts = high, after
    if at < len(base):
        yield _region((at, len(base)), shifts, shifts, 0)


def _region(base: tuple[int, int], before: Sequence[int], after: Sequence[int], sides: int) -> Region:
    low, high = base
    return Region(base, (low + before[0], high + after[0]), (low + before[1], high + after[1]), sides)


def _meets(edit: tuple[int, int, int, int, int], low: int, high: int, *, strict: bool) -> bool:
    """Whether a change belongs to the region before it."""
    if strict:
        return edit[0] <= high
    return edit[0] < high or (edit[0] == edit[1] == low == high)


def _edits(base: Sequence[Hashable], side: Sequence[Hashable]) -> list[tuple[int, int, int, int]]:
    """Return the bounds of a side's changes, in base and side."""
    first, most = 0, min(len(base), len(side))
    while first < most and base[first] == side[first]:
        first += 1
    base_end, side_end = len(base), len(side)
    while base_end > first and side_end > first and base[base_end - 1] == side[side_end - 1]:
        base_end -= 1
        side_end -= 1
    if first == base_end and first == side_end:
        return []
    if first in (base_end, side_end) or (base_end - first) * (side_end - first) > _MOST_COMPARED:
        return [(first, base_end, first, side_end)]
    from difflib import SequenceMatcher  # noqa: PLC0415 - few merges have such lists

    matcher = SequenceMatcher(None, base[first:base_end], side[first:side_end], autojunk=False)
    return [
        (first + b0, first + b1, first + s0, first + s1)
        for kind, b0, b1, s0, s1 in matcher.get_opcodes()
        if kind != "equal"
    ]


def merged_lines(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Return three texts merged by lines, None for a conflict."""
    base_lines, our_lines, their_lines = (text.splitlines(keepends=True) for text in (base, ours, theirs))
    merged: list[bytes] = []
    for region in regions(base_lines, our_lines, their_lines, strict=True):
        from_ours, from_theirs = our_lines[slice(*region.ours)], their_lines[slice(*region.theirs)]
        if region.sides == 3 and from_ours != from_theirs:
            return None
        merged += from_theirs if region.sides == 2 else from_ours
    return b"".join(merged)
