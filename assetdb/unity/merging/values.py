"""Equality of values, and vectors by component."""

from __future__ import annotations

from assetdb.unity.merging.rules import is_vector
from assetdb.unity.yaml.tree import MAPPING, SCALAR

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

    from assetdb.unity.yaml.tree import Tree

_LAST_DIGITS: Final = 2.5e-7
"""Relative: two steps of a number of 32 bits."""
_NUMBER: Final = frozenset("0123456789+-.eE")


def is_same(one: Tree, other: Tree) -> bool:
    """Whether two values are equal but for how they are written.

    ``-0`` and ``0``, the last digit of a float, quotes and folding make no difference.
    """
    waiting = [(one, other)]
    while waiting:
        first, second = waiting.pop()
        if first.kind != second.kind or len(first.entries) != len(second.entries):
            return False
        if first.kind == SCALAR:
            if first.text != second.text and not _is_same_number(first.text, second.text):
                return False
            continue
        for left, right in zip(first.entries, second.entries, strict=True):
            if left.key != right.key:
                return False
            if left.raw != right.raw:
                waiting.append((left.value, right.value))
    return True


def _is_same_number(one: str, other: str) -> bool:
    if not one or not other or not _NUMBER.issuperset(one) or not _NUMBER.issuperset(other):
        return False
    if one in ("0", "-0") and other in ("0", "-0"):
        return True
    if "." not in one + other and "e" not in one + other:
        return False  # fileIDs and other whole numbers
    try:
        first, second = float(one), float(other)
    except ValueError:
        return False
    return abs(first - second) <= _LAST_DIGITS * max(abs(first), abs(second))


def either(one: bytes, other: bytes) -> bytes:
    """Return one of two spellings, whichever side is ours."""
    return min(one, other, key=_rank)


def _rank(text: bytes) -> tuple[int, bytes]:
    return len(text), text


def merged_vector(key: str, base: Tree, ours: Tree, theirs: Tree) -> bytes | None:
    """Return a merged vector or colour, or None.

    It is None if the value is neither, or both changed one component.

    Args:
        key: of the value.
        base: the value in the common ancestor.
        ours: the value in ours.
        theirs: the value in theirs.
    """
    if not all(tree.flow and tree.kind == MAPPING for tree in (base, ours, theirs)):
        return None
    keys = [entry.key for entry in base.entries]
    if not is_vector(keys, key) or any([entry.key for entry in tree.entries] != keys for tree in (ours, theirs)):
        return None
    merged, place = [], ours.start
    for before, mine, other in zip(base.entries, ours.entries, theirs.entries, strict=True):
        text = mine.value.raw
        if is_same(before.value, mine.value):
            text = other.value.raw
        elif not is_same(before.value, other.value):
            if not is_same(mine.value, other.value):
                return None
            text = either(text, other.value.raw)
        merged += [ours.data[place : mine.value.start], text]
        place = mine.value.end
    merged.append(ours.data[place : ours.end])
    return b"".join(merged)
