"""Conflicted files, and values that are typed."""

from __future__ import annotations

import pytest

from assetdb.history.git.conflicted import Stages
from assetdb.history.merges.open_file import OpenFile, both, read_open, typed
from assetdb.history.merges.open_files import answers_by, is_answer, settle
from assetdb.unity.merging.pieces import BOTH_CHANGED, Conflict
from tests.assetdb.cli.merging.guide import scene
from tests.assetdb.unity_project import HEAD


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


def transform(file_id: int, father: int, *children: int) -> str:
    rows = "".join(f"  - {{fileID: {child}}}\n" for child in children)
    listed = f"  m_Children:\n{rows}" if children else "  m_Children: []\n"
    return f"--- !u!4 &{file_id}\nTransform:\n{listed}  m_Father: {{fileID: {father}}}\n"


def fathers(first: int, second: int, body: str = "") -> bytes:
    """Return a scene whose child 3 has one of two fathers, or none."""
    child = transform(3, first or second)
    return f"{HEAD}{transform(1, 0, *[3] * bool(first))}{transform(2, 0, *[3] * bool(second))}{child}{body}".encode()


def opened(base: bytes, ours: bytes, theirs: bytes) -> OpenFile:
    """Return a file as git leaves it where it merges no line: both versions between markers."""
    text = b"<<<<<<< ours\n" + ours + b"=======\n" + theirs + b">>>>>>> theirs\n"
    return read_open("a.unity", text, Stages(base, ours, theirs), lambda: text)


def test_an_answer_opens_the_lists_that_depend_on_it() -> None:
    file = opened(fathers(0, 0), fathers(1, 0), fathers(0, 2))
    (father,) = file.conflicts
    assert (father.file_id, father.place[-1], list(file.numbers)) == (3, "m_Father", [1])
    answered = file.data([father.ours])
    assert file.faults(answered), "the list of the father that was not taken names the child, too"
    wider = file.widened(answered)
    assert wider is not None
    assert {one.file_id for one in wider.conflicts} == {2, 3}
    whole = wider.data([one.ours for one in wider.conflicts])
    assert (whole, wider.faults(whole), wider.widened(whole)) == (fathers(1, 0), [], None)
    assert file._replace(base=None).widened(answered) is None, "an edited file is not merged again"


def test_a_scene_that_nothing_depends_on_stays_as_it_is() -> None:
    file = opened(*(scene(number).encode() for number in (1, 2, 3)))
    answered = file.data([file.conflicts[0].ours])
    assert (answered, file.faults(answered), file.widened(answered)) == (scene(2).encode(), [], None)
    assert file.data([None]).count(b"<<<<<<<") == 1


def test_files_that_refer_to_the_guid_of_each_side() -> None:
    texts = [f"fileFormatVersion: 2\nguid: {letter * 32}\n".encode() for letter in "abc"]
    file = opened(*texts)
    (guid,) = file.conflicts
    assert file.guid_users(guid) == {}, "nobody looked"
    looked = file._replace(users=lambda guid: [f"{guid[:2]}.unity"])
    assert looked.guid_users(guid) == {"ours": ["bb.unity"], "theirs": ["cc.unity"]}
    assert looked.guid_users(guid._replace(theirs=b"")) == {"ours": ["bb.unity"], "theirs": []}
    assert looked.guid_users(guid._replace(file_id=1)) == {}
    assert looked.guid_users(guid._replace(place=("a", "guid"))) == {}


@pytest.mark.parametrize(("answer", "expected", "other"), [("ours", fathers(1, 0), 2), ("theirs", fathers(0, 2), 1)])
def test_what_an_answer_opens_is_answered_by_the_same_patterns(answer: str, expected: bytes, other: int) -> None:
    file = opened(fathers(0, 0), fathers(1, 0), fathers(0, 2))
    take = [(answer, "*")]
    settled, answers = settle(file, answers_by(file, take), take)
    assert settled.data(answers) == expected
    numbers = {conflict.file_id: number for number, conflict in zip(settled.numbers, settled.conflicts, strict=True)}
    assert numbers == {3: 1, other: 2}, "the first keeps its number, and the list of the other father follows"


def test_values_that_no_pattern_answers_stay_open() -> None:
    file = opened(fathers(0, 0), fathers(1, 0), fathers(0, 2))
    assert settle(file, [None], []) == (file, [None])
    take = [("ours", "1")]
    settled, answers = settle(file, answers_by(file, take), take)
    found = dict(zip(settled.numbers, answers, strict=True))
    assert found == {1: file.conflicts[0].ours, 2: None}
    assert settled.data(answers).count(b"<<<<<<<") == 1


@pytest.mark.parametrize(
    ("text", "may"), [("ours", True), ("both", True), ("=(1, 2)", True), ("=", True), ("mine", False), ("", False)]
)
def test_words_that_answer(text: str, *, may: bool) -> None:
    assert is_answer(text) is may
