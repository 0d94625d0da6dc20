"""Laws of merges over generated and real files."""

from __future__ import annotations

import random
import re
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assetdb.unity.merging.envelope import UnmergeableError
from assetdb.unity.merging.faults import Contested
from assetdb.unity.merging.files import merge_files
from assetdb.unity.merging.pieces import BOTH_ADDED, BOTH_CHANGED, Conflict
from tests.assetdb.unity.merging.texts import HEAD, behaviour, merged, nothing

if TYPE_CHECKING:
    from pathlib import Path

VALUES = st.sampled_from(["0", "1", "-0", "0.5", "a b", "{x: 1, y: 2}", "{x: 1, y: 3}", "{fileID: 0}", "[]", ""])
KEYS = st.sampled_from(["a", "b", "c", "m_RootOrder"])
ROWS = st.lists(st.sampled_from(["- a", "- b", "- n: 1\n    v: 2", "- n: 2\n    v: 2"]), min_size=1, max_size=4)
LISTS = ROWS.map(lambda rows: "\n" + "\n".join(f"  {row}" for row in rows))
FIELDS = st.dictionaries(KEYS, st.one_of(VALUES.map(lambda value: f" {value}"), LISTS), max_size=4)
OBJECTS = st.dictionaries(st.integers(1, 5), FIELDS, min_size=1, max_size=4)
WRITTEN = st.sampled_from([("", "\n"), ("\ufeff", "\n"), ("", "\r\n")])


@st.composite
def files(draw: st.DrawFn) -> bytes:
    mark, line_end = draw(WRITTEN)
    text = HEAD
    for file_id, fields in draw(OBJECTS).items():
        text += f"--- !u!114 &{file_id}\nMonoBehaviour:\n  m_Name: x\n"
        text += "".join(f"  {key}:{value}\n" for key, value in fields.items())
    return (mark + text.replace("\n", line_end)).encode()


def ours(found: Conflict) -> bytes:
    return found.ours


@given(base=files(), side=files())
def test_one_side_alone_is_that_side_byte_for_byte(base: bytes, side: bytes) -> None:
    for versions in ((base, side, base), (base, base, side), (base, side, side)):
        result = merge_files(*versions)
        assert not result.conflicts
        assert result.data(nothing) == side


@given(base=files(), mine=files(), other=files())
@settings(max_examples=300)
def test_swapped_sides_differ_in_order_at_most(base: bytes, mine: bytes, other: bytes) -> None:
    one, two = merge_files(base, mine, other), merge_files(base, other, mine)
    assert len(one.conflicts) == len(two.conflicts)
    assert {(c.ours, c.theirs) for c in one.conflicts} == {(c.theirs, c.ours) for c in two.conflicts}
    lines = [sorted(result.data(nothing).split()) for result in (one, two)]
    assert lines[0] == lines[1]


def test_line_ends_and_marks_are_those_of_the_side_that_changed_them() -> None:
    base = (HEAD + behaviour("  a: 1\n")).encode()
    mine = base.replace(b"a: 1", b"a: 2").replace(b"\n", b"\r\n")
    other = b"\xef\xbb\xbf" + base.replace(b"last: 0", b"last: 5")[:-1]
    expected = b"\xef\xbb\xbf" + base.replace(b"a: 1", b"a: 2").replace(b"last: 0", b"last: 5")[:-1].replace(
        b"\n", b"\r\n"
    )
    assert merge_files(base, mine, other).data(nothing) == expected


def test_a_file_that_both_added() -> None:
    one, two = (HEAD + behaviour("  a: 1\n")).encode(), (HEAD + behaviour("  a: 2\n")).encode()
    (found,) = merge_files(b"", one, two).conflicts
    assert (found.reason, found.ours, found.theirs) == (BOTH_ADDED, b"  a: 1\n", b"  a: 2\n")


def test_metas_are_merged_by_key() -> None:
    text = "fileFormatVersion: 2\nguid: {}\nTextureImporter:\n  mipmaps: {}\n  isReadable: {}\n  userData: \n"
    one, other = "0" * 31 + "1", "0" * 31 + "2"
    base, mine, yours = (text.format(one, *values).encode() for values in ((0, 0), (1, 0), (0, 1)))
    assert merge_files(base, mine, yours).data(nothing) == text.format(one, 1, 1).encode()
    (found,) = merge_files(b"", text.format(one, 0, 0).encode(), text.format(other, 0, 0).encode()).conflicts
    assert found.place == ("guid",)


def test_objects_in_other_orders() -> None:
    one, two, three = behaviour("", 1), behaviour("", 2), behaviour("", 3)
    result = merged(one + two, two + one, one.replace("last: 0", "last: 1") + two + three)
    assert result.data(nothing).decode() == HEAD + two + three + one.replace("last: 0", "last: 1")


def test_duplicate_anchors_stay_as_they_were() -> None:
    twice = behaviour("  a: 1\n", 1) + behaviour("  b: 1\n", 1)
    result = merged(twice, twice.replace("a: 1", "a: 2"), twice.replace("b: 1", "b: 2"))
    assert result.data(nothing).decode() == HEAD + twice.replace("a: 1", "a: 2").replace("b: 1", "b: 2")


CLASSES = [behaviour("").replace("!u!114", f"!u!{number}") for number in (114, 1, 2)]


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "expected"),
    [(0, 1, 0, 1), (0, 0, 2, 2), (0, 1, 1, 1), (0, 1, 2, None), (None, 1, 2, None)],
)
def test_an_object_has_the_class_of_the_side_that_changed_it(
    base: int | None, ours: int, theirs: int, expected: int | None
) -> None:
    mine, other = CLASSES[ours].replace("a\n", "b\n"), CLASSES[theirs].replace("last: 0", "last: 1")
    result = merged(CLASSES[base] if base is not None else behaviour("", 7), mine, other)
    if expected is not None:
        both = CLASSES[expected].replace("a\n", "b\n").replace("last: 0", "last: 1")
        assert (result.conflicts, result.data(nothing).decode()) == ([], HEAD + both)
        return
    (found,) = result.conflicts
    assert (found.reason, found.file_id, found.place) == (BOTH_ADDED if base is None else BOTH_CHANGED, 100, ())
    assert (found.ours.decode(), found.theirs.decode()) == (mine, other)
    assert found.base.decode() == ("" if base is None else CLASSES[base])


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ([], []),
        ([(1, ("MonoBehaviour", "a"))], [(1, ("MonoBehaviour", "a"))]),
        ([(1, ("MonoBehaviour", "a")), (1, ("MonoBehaviour", "b"))], [(1, ())]),
        ([(1, ())], [(1, ())]),
        ([(2, ())], [(2, ())]),
    ],
)
def test_what_depends_on_an_answer_is_open_where_the_sides_differ(
    places: list[tuple[int, tuple[str, ...]]], expected: list[tuple[int, tuple[str, ...]]]
) -> None:
    texts = [
        (HEAD + behaviour(f"  a: {one}\n  b: 0\n", 1) + behaviour(f"  a: {two}\n", 2)).encode()
        for one, two in ((1, 1), (2, 1), (1, 2))
    ]
    contested = [Contested((file_id, 0), place) for file_id, place in places]
    result = merge_files(*texts, contested=contested)
    assert [(one.file_id, one.place) for one in result.conflicts] == expected


def test_an_object_that_is_no_tree_is_merged_by_lines() -> None:
    text = behaviour("  - loose\n  a: 1\n  b: 1\n  c: 1\n  d: 1\n  e: 1\n")
    mine, other = text.replace("a: 1", "a: 2"), text.replace("e: 1", "e: 2")
    result = merged(text, mine, other)
    assert (result.conflicts, result.data(nothing).decode()) == ([], HEAD + mine.replace("e: 1", "e: 2"))
    (found,) = merged(text, mine, text.replace("a: 1", "a: 3")).conflicts
    assert (found.reason, found.place, found.base.decode()) == (BOTH_CHANGED, (), text)


def test_an_empty_side_is_no_text() -> None:
    text = (HEAD + behaviour("")).encode()
    with pytest.raises(UnmergeableError):
        merge_files(text, b"", text.replace(b"last: 0", b"last: 1"))


# --- real files


def edited(data: bytes, choice: random.Random) -> bytes:
    """Return a file with up to four other whole numbers."""
    lines = data.split(b"\n")
    for _ in range(choice.randint(1, 4)):
        number = choice.randrange(len(lines))
        found = re.search(rb"(?<!Version: )(?<=: )\d+\r?$", lines[number])
        if found:
            lines[number] = lines[number][: found.start()] + b"%d" % choice.randint(100, 999)
    return b"\n".join(lines)


@pytest.mark.corpus("unity/BoatAttack")
def test_files_that_git_merges_clean_are_those_of_git(corpus: Path, tmp_path: Path) -> None:
    choice = random.Random(7)
    paths = [
        path
        for kind in ("prefab", "mat", "unity", "meta")
        for path in sorted((corpus / "unity/BoatAttack").glob(f"Assets/**/*.{kind}"))
    ]
    clean = 0
    for path in choice.sample(paths, 120):
        base = path.read_bytes()
        if len(base) > 1 << 19:
            continue
        mine, other = edited(base, choice), edited(base, choice)
        names = [tmp_path / name for name in ("ours", "base", "theirs")]
        for name, data in zip(names, (mine, base, other), strict=True):
            name.write_bytes(data)
        done = subprocess.run(["git", "merge-file", "-p", *map(str, names)], capture_output=True, check=False)
        result = merge_files(base, mine, other)
        if done.returncode == 0:
            assert not result.conflicts, path
            assert result.data(nothing) == done.stdout, path
            clean += 1
    assert clean > 80
