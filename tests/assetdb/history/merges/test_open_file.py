"""Conflicted files, and values that are typed."""

from __future__ import annotations

import pytest

from assetdb.history.git.conflicted import Stages
from assetdb.history.merges.open_file import both, read_open, typed
from assetdb.unity.merging.pieces import BOTH_CHANGED, Conflict
from tests.assetdb.cli.merging.guide import scene


def conflict(ours: bytes, theirs: bytes = b"") -> Conflict:
    return Conflict(BOTH_CHANGED, 1, ("a",), b"", ours, theirs)


@pytest.mark.parametrize(
    ("ours", "value", "expected"),
    [
        (b"  a: 1\n", "2", b"  a: 2\n"),
        (b"  a:\n", "2", b"  a: 2\n"),
        (b"  a: {x: 0, y: 1}\n", "(3, 4)", b"  a: {x: 3, y: 4}\n"),
        (b"  a: {x: 0, y: 1}\n", "{x: 3, y: 4}", b"  a: {x: 3, y: 4}\n"),
        (b"  - b: 1\n", "2", b"  - b: 2\n"),
        (b"  a: 1\n", "'open", None),
        (b"  a: 1\n", "{x: 1", None),
        (b"  a:\n  - 1\n  - 2\n", "3", None),
        (b"  a: 1\n  b: 1\n", "3", None),
    ],
)
def test_typed_values(ours: bytes, value: str, expected: bytes | None) -> None:
    assert typed(conflict(ours), value) == expected


@pytest.mark.parametrize("letter", ["\n", "\r", "\0", "\x1b", "\x85", "\u2028", "\u2029", "\ud800", "\n    y: "])
def test_values_that_nobody_types(letter: str) -> None:
    """As ``--take $'=x\\n    y: 1'`` gives them, and a word that is no UTF-8."""
    assert typed(conflict(b"  m_Name: x\n"), f"x{letter}1") is None
    assert typed(conflict(b"  m_Name: x\n"), letter) is None


def test_letters_of_any_script_are_typed() -> None:
    text = "\u7a7a\u3000\u767d\u00a0\U0001f600"
    assert typed(conflict(b"  m_Name: x\n"), text) == f"  m_Name: {text}\n".encode()


def test_both_is_for_rows() -> None:
    assert both(conflict(b"  - a\n", b"  - b\n")) == b"  - a\n  - b\n"
    assert both(conflict(b"  a: 1\n", b"  a: 2\n")) is None


def test_a_file_that_somebody_edited_has_the_values_between_its_markers() -> None:
    text = scene(2).replace(
        "  m_LocalScale", "<<<<<<< HEAD\n  extra: 1\n=======\n  extra: 2\n>>>>>>> x\n  m_LocalScale"
    )
    stages = Stages(scene().encode(), scene(2).encode(), scene(3).encode())
    file = read_open("a.unity", text.encode(), stages, lambda: b"")
    (found,) = file.conflicts
    assert (found.file_id, found.place, found.ours) == (40, ("", "extra"), b"  extra: 1\n")
    assert file.names.of_place(found) == "Player / Body (Transform) extra"
    assert file.data([b""]) == scene(2).encode()


def test_line_ends_and_marks_stay() -> None:
    versions = [("\ufeff" + scene(number)).replace("\n", "\r\n").encode() for number in (1, 2, 3)]
    marked = (
        ("\ufeff" + scene(9))
        .encode()
        .replace(
            b"  m_LocalPosition: {x: 0, y: 9, z: 0}\n",
            b"<<<<<<< ours\n  m_LocalPosition: {x: 0, y: 2, z: 0}\n=======\n"
            b"  m_LocalPosition: {x: 0, y: 3, z: 0}\n>>>>>>> theirs\n",
        )
    )
    file = read_open("a.unity", marked.replace(b"\n", b"\r\n"), Stages(*versions), lambda: b"")
    assert file.data([file.conflicts[0].theirs]) == versions[2]


@pytest.mark.parametrize("value", ["zzz", "3: x", "0" * 31, f"{'ab' * 16} "])
def test_a_typed_guid_of_a_meta_has_its_digits(value: str) -> None:
    text = b"guid: 0123456789abcdef0123456789abcdef\n"
    guids = Conflict(BOTH_CHANGED, 0, ("guid",), b"", text, text)
    assert typed(guids, value) is None
    assert typed(guids, "ab" * 16) == b"guid: " + b"ab" * 16 + b"\n"


@pytest.mark.parametrize("missing", [1, 2])
def test_a_file_that_one_side_removed_has_the_values_between_its_markers(missing: int) -> None:
    versions = [scene().encode(), scene(2).encode(), scene(3).encode()]
    text = scene(2).replace(
        "  m_LocalScale", "<<<<<<< HEAD\n  extra: 1\n=======\n  extra: 2\n>>>>>>> x\n  m_LocalScale"
    )
    stages = Stages(*(None if number == missing else data for number, data in enumerate(versions)))
    (found,) = read_open("a.unity", text.encode(), stages, lambda: b"").conflicts
    assert (found.ours, found.theirs) == (b"  extra: 1\n", b"  extra: 2\n")


def test_an_empty_file_of_one_side_has_nothing_open() -> None:
    """As git leaves the target of a rename of one side alone: no base, no version of ours."""
    file = read_open("a.asset", b"", Stages(None, None, b""), lambda: b"")
    assert (file.conflicts, file.data([]), file.sides) == ([], b"", (b"", b""))
