"""Results that would be broken, though each side is whole."""

from __future__ import annotations

import time

from assetdb.unity.merging.envelope import read_version
from assetdb.unity.merging.faults import Contested, new_faults
from assetdb.unity.merging.pieces import FAULT
from tests.assetdb.unity.merging.texts import HEAD, behaviour, merged


def reference(to: int) -> str:
    return f"  target: {{fileID: {to}}}\n"


def transform(file_id: int, father: int, *children: int) -> str:
    listed = "".join(f"  - {{fileID: {child}}}\n" for child in children)
    rows = f"  m_Children:\n{listed}" if children else "  m_Children: []\n"
    return f"--- !u!4 &{file_id}\nTransform:\n  m_GameObject: {{fileID: 0}}\n{rows}  m_Father: {{fileID: {father}}}\n"


def test_a_reference_to_what_the_other_side_removed_is_a_question() -> None:
    gone = behaviour("", 200)
    (found,) = merged(
        behaviour(reference(0)) + gone, behaviour(reference(0)), behaviour(reference(200)) + gone
    ).conflicts
    assert (found.reason, found.place) == (FAULT, ("MonoBehaviour", "target"))
    assert (found.ours.decode(), found.theirs.decode()) == (reference(0), reference(200))


def test_thousands_of_references_to_what_the_other_side_removed_are_found_at_once() -> None:
    count = 4000
    numbers = range(1, count + 1)
    kept = "".join(behaviour("", number) for number in numbers)
    gone = "".join(behaviour("", number + count) for number in numbers)
    new = "".join(behaviour(reference(number + count), number) for number in numbers)
    start = time.process_time()
    assert merged(kept + gone, kept, new + gone).conflicts
    assert time.process_time() - start < 20  # it was a minute


def test_a_new_object_that_refers_to_it_is_a_question() -> None:
    gone, rest = behaviour("", 200), behaviour("", 300)
    new = behaviour(reference(200), 400)
    (found,) = merged(gone + rest, rest, gone + rest + new).conflicts
    assert (found.reason, found.ours, found.theirs.decode()) == (FAULT, b"", new)


def test_two_fathers_of_one_child_are_a_question() -> None:
    base = transform(1, 0, 3) + transform(2, 0) + transform(3, 1) + transform(4, 0)
    ours = transform(1, 0) + transform(2, 0, 3) + transform(3, 2) + transform(4, 0)
    theirs = transform(1, 0) + transform(2, 0) + transform(3, 4) + transform(4, 0, 3)
    assert [found.place[-1] for found in merged(base, ours, theirs).conflicts] == ["m_Father"]


def test_a_circle_is_a_question() -> None:
    base = transform(1, 0) + transform(2, 0)
    ours = transform(1, 2) + transform(2, 0, 1)
    theirs = transform(1, 0, 2) + transform(2, 1)
    found = merged(base, ours, theirs).conflicts
    assert found
    assert {one.reason for one in found} <= {FAULT, "both changed it"}


def test_a_fault_that_a_side_had_before_is_none_of_the_merge() -> None:
    base = behaviour(reference(999))
    assert not merged(base + behaviour("", 5), base.replace("last: 0", "last: 1") + behaviour("", 5), base).conflicts


def test_a_contradiction_beside_an_older_fault_is_a_question() -> None:
    older = behaviour(reference(999), 900)
    base = transform(1, 0) + transform(2, 0) + transform(3, 0) + older
    ours = transform(1, 2) + transform(2, 0, 1) + transform(3, 0) + older
    theirs = transform(1, 0, 3) + transform(2, 3) + transform(3, 1, 2) + older
    assert merged(base, ours, theirs).conflicts


def test_a_broken_line_of_a_merged_object_is_found_at_its_place() -> None:
    part = behaviour("  text: 'open\n", 100).encode()
    text = (HEAD + behaviour("", 5)).encode() + part
    ours = read_version((HEAD + behaviour("", 100)).encode())
    (found,) = new_faults(text, HEAD.encode() + part, ours, read_version((HEAD + behaviour("  a: 1\n", 100)).encode()))
    assert found.key == (100, 0)


def test_a_broken_line_is_not_found_in_an_object_whose_number_begins_alike() -> None:
    part = behaviour("  text: 'open\n", 10).encode()
    text = (HEAD + behaviour("", 100)).encode() + part
    ours = read_version((HEAD + behaviour("", 100) + behaviour("", 10)).encode())
    theirs = read_version((HEAD + behaviour("", 100) + behaviour("  a: 1\n", 10)).encode())
    (found,) = new_faults(text, HEAD.encode() + part, ours, theirs)
    assert found.key == (10, 0)


def test_a_circle_is_a_question_about_each_of_its_objects_until_it_is_none() -> None:
    ours = transform(1, 3) + transform(2, 0) + transform(3, 0, 1)
    theirs = transform(1, 0, 2) + transform(2, 1, 3) + transform(3, 2)
    text = (HEAD + transform(1, 3, 2) + transform(2, 1, 3) + transform(3, 2, 1)).encode()
    sides = read_version(f"{HEAD}{ours}".encode()), read_version(f"{HEAD}{theirs}".encode())
    settled: set[Contested] = set()
    while True:
        asked = set(new_faults(text, b"", *sides, frozenset(settled))) - settled
        if not asked:
            break
        settled |= asked
    fathers = {one.key[0] for one in settled if one.place == ("Transform", "m_Father")}
    assert fathers == {1, 2, 3}
