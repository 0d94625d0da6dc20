"""Objects that a side removed."""

from __future__ import annotations

from assetdb.unity.merging.pieces import REMOVED_BY_OURS, REMOVED_BY_THEIRS
from assetdb.unity.merging.removals import without_generated
from tests.assetdb.unity.merging.texts import behaviour, merged, nothing

KEPT = behaviour("  b: 1\n", 200)
NUMBERED = "--- !u!4 &1\nTransform:\n  m_Father: {fileID: 0}\n  m_RootOrder: 0\n"


def test_a_removed_object_that_the_other_side_changed_is_a_question() -> None:
    base, changed = behaviour("  a: 1\n"), behaviour("  a: 2\n")
    (found,) = merged(base + KEPT, KEPT, changed + KEPT).conflicts
    assert (found.reason, found.file_id, found.ours, found.theirs.decode()) == (REMOVED_BY_OURS, 100, b"", changed)
    (found,) = merged(base + KEPT, changed + KEPT, KEPT).conflicts
    assert (found.reason, found.file_id, found.ours.decode(), found.theirs) == (REMOVED_BY_THEIRS, 100, changed, b"")


def test_a_new_number_among_siblings_is_no_change() -> None:
    result = merged(NUMBERED + KEPT, KEPT, NUMBERED.replace("Order: 0", "Order: 3") + KEPT)
    assert not result.conflicts
    assert result.data(nothing).decode().endswith("2011:\n" + KEPT)


def test_generated_values_do_not_count() -> None:
    assert (
        without_generated(NUMBERED.encode()) == NUMBERED.replace("  m_RootOrder: 0\n", "").rstrip("\n").encode() + b"\n"
    )
