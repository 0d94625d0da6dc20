"""Conflicts begin at the beginning of a line, and have whole ones."""

from __future__ import annotations

from assetdb.unity.merging.pieces import BOTH_CHANGED, ROTATION, Conflict, rendered, whole_lines


def conflict(reason: str, base: bytes, ours: bytes, theirs: bytes) -> Conflict:
    return Conflict(reason, 1, ("a",), base, ours, theirs)


def test_what_stands_before_in_the_line_is_in_every_side() -> None:
    pieces = whole_lines([b"a:\n  - ", conflict(BOTH_CHANGED, b"b: 1\n", b"b: 2\n", b""), b"    c: 3\n"])
    assert pieces == [b"a:\n", conflict(BOTH_CHANGED, b"  - b: 1\n", b"  - b: 2\n", b""), b"    c: 3\n"]
    assert rendered(pieces, lambda found: found.ours) == b"a:\n  - b: 2\n    c: 3\n"


def test_neighbouring_parts_of_a_rotation_are_one() -> None:
    parts = [b"  ", conflict(ROTATION, b"x\n", b"x\n", b"x\n"), b"  ", conflict(ROTATION, b"y\n", b"z\n", b"w\n")]
    assert whole_lines(parts) == [conflict(ROTATION, b"  x\n  y\n", b"  x\n  z\n", b"  x\n  w\n")]
