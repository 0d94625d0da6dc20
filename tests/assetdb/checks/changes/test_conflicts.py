"""An unresolved merge is told by objects and properties; the merges are git's own where that is what is tested."""

from __future__ import annotations

import subprocess
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assetdb.checks.changes.conflicts import Conflict, conflicted, sides
from assetdb.unity.yaml.text_asset import conflict_line
from tests.assetdb.unity_project import HEAD, game_object, guid, instance
from tests.needs import require_git

if TYPE_CHECKING:
    from pathlib import Path


def told(data: bytes) -> list[tuple[int, int, str, str, str | None, str | None]]:
    return [(c.line, c.file_id, c.name, c.property, c.ours, c.theirs) for c in conflicted(data)]


BASE = HEAD + game_object(100, "Player") + game_object(200, "Body", 101) + instance(7000, 1, 101, {100: "Hero"})


def merged(folder: Path, base: str, ours: str, theirs: str, *words: str) -> bytes:
    names = ("ours", "base", "theirs")
    for name, text in zip(names, (ours, base, theirs), strict=True):
        (folder / name).write_bytes(text.encode())
    paths = [str(folder / name) for name in names]
    require_git()
    return subprocess.run(["git", "merge-file", "-p", *words, *paths], capture_output=True, check=False).stdout


@pytest.mark.parametrize("style", [(), ("--diff3",), ("--zdiff3",)])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_property_that_both_changed(tmp_path: Path, style: tuple[str, ...], line_end: str) -> None:
    base, ours, theirs = (BASE.replace("Body", name).replace("\n", line_end) for name in ("Body", "Torso", "Trunk"))
    data = merged(tmp_path, base, ours, theirs, *style)
    assert conflict_line(data)
    assert [row[1:] for row in told(data)] == [(200, "Torso", "m_Name", "Torso", "Trunk")]
    assert data.split(b"\n")[told(data)[0][0] - 1].strip() == b"m_Name: Torso"
    assert sides(data) == (ours.encode(), theirs.encode())


def test_what_both_sides_have_between_is_not_told(tmp_path: Path) -> None:
    ours = BASE.replace("m_Father: {fileID: 101}", "m_Father: {fileID: 1}\n  same: 1\n  last: 1")
    theirs = BASE.replace("m_Father: {fileID: 101}", "m_Father: {fileID: 2}\n  same: 1\n  last: 2")
    found = [row[1:] for row in told(merged(tmp_path, BASE, ours, theirs))]
    assert found == [(201, "Body", "m_Father", "{fileID: 1}", "{fileID: 2}"), (201, "Body", "last", "1", "2")]


def test_objects_that_one_side_has() -> None:
    data = (
        f"{HEAD}{game_object(100, 'Player')}<<<<<<< HEAD\n{game_object(300, 'Hat')}=======\n"
        f"{game_object(400, 'Cap')}>>>>>>> other\n"
    )
    assert [row[1:] for row in told(data.encode())] == [
        (300, "Hat", "", "", None),
        (301, "Hat", "", "", None),
        (400, "Cap", "", None, ""),
        (401, "Cap", "", None, ""),
    ]


def test_an_object_that_both_have_whole_is_told_by_its_properties() -> None:
    data = f"{HEAD}<<<<<<< HEAD\n{game_object(300, 'Hat')}=======\n{game_object(300, 'Cap')}>>>>>>> other\n"
    assert [row[1:] for row in told(data.encode())] == [(300, "Hat", "m_Name", "Hat", "Cap")]


def test_overrides_are_told_by_what_they_override(tmp_path: Path) -> None:
    data = merged(tmp_path, BASE, BASE.replace("Hero", "Knight"), BASE.replace("Hero", "Rogue"))
    assert [row[1:] for row in told(data)] == [(7000, "", "m_Name", "Knight", "Rogue")]
    row = (
        f"    - target: {{fileID: 101, guid: {guid(1)},\n        type: 3}}\n      propertyPath: m_LocalScale.x\n"
        "      value: 2\n      objectReference: {fileID: 0}\n"
    )
    text = BASE.replace("    m_RemovedComponents", f"<<<<<<< HEAD\n{row}=======\n>>>>>>> x\n    m_RemovedComponents")
    assert [row[1:] for row in told(text.encode())] == [(7000, "", "m_LocalScale.x", "2", None)]


def test_the_guid_of_a_meta() -> None:
    data = b"fileFormatVersion: 2\n<<<<<<< a\nguid: aa\n=======\nguid: bb\n>>>>>>> b\nTextureImporter:\n  x: 1\n"
    assert conflicted(data) == [Conflict(3, 0, 0, "", "", 11500000, "guid", "aa", "bb")]


def test_merges_within_merges() -> None:
    inner = "<<<<<<<<< one\n  m_Name: B1\n=========\n  m_Name: B2\n>>>>>>>>> two\n"
    data = (
        f"--- !u!1 &100\nGameObject:\n<<<<<<< HEAD\n  m_Name: A\n||||||| base\n{inner}=======\n  m_Name: C\n>>>>>>> x\n"
    )
    assert [row[1:] for row in told(data.encode())] == [(100, "A", "m_Name", "A", "C")]
    ours = f"--- !u!1 &100\nGameObject:\n<<<<<<< HEAD\n{inner}=======\n  m_Name: C\n>>>>>>> x\n"
    assert [row[1:] for row in told(ours.encode())] == [(100, "B1", "m_Name", "B1", "C")]


def test_a_file_without_a_merge_has_none() -> None:
    assert conflicted(BASE.encode()) == []
    assert conflicted(b"") == []
    assert conflicted(b"  text: <<<<<<< HEAD\n  rule: =======\n") == []


@given(
    st.lists(
        st.sampled_from(
            [
                "<<<<<<< a\n",
                "<<<<<<<<\n",
                "=======\n",
                "||||||| b\n",
                ">>>>>>> c\n",
                ">>>>>>>>\n",
                "========\r\n",
                "  m_Name: x\n",
                "--- !u!1 &5\n",
                "--- !u!114 &-7 stripped\r\n",
                "  - a: {fileID: 1,\n",
                "    type: 3}\n",
                "\r",
                "\0",
                "\xff",
                "m",
            ]
        )
    )
)
def test_every_input_has_an_answer(parts: list[str]) -> None:
    data = "".join(parts).encode("latin-1")
    found = conflicted(data)
    lines = data.count(b"\n") + 1
    assert all(1 <= item.line <= lines for item in found)
    assert len({(item.class_id, item.file_id, item.property) for item in found}) == len(found)


@pytest.mark.parametrize("seed", range(25))
def test_random_merges_are_told_as_the_sides_differ(seed: int, tmp_path: Path) -> None:
    """Each value that one side set alone in a conflict is told, with the values of both sides."""
    random = Random(seed)
    count = 30

    def text(values: list[int]) -> str:
        objects = (f"--- !u!114 &{number}\nMonoBehaviour:\n" for number in range(1, count + 1))
        return HEAD + "".join(
            f"{head}  m_Name: o{n}\n  hp: {v}\n  a: 1\n  b: 1\n  c: 1\n"
            for n, (head, v) in enumerate(zip(objects, values, strict=True), 1)
        )

    base = [0] * count
    ours, theirs = ([random.randrange(1, 3) if random.random() < 0.3 else 0 for _ in base] for _ in range(2))
    found = told(merged(tmp_path, text(base), text(ours), text(theirs)))
    expected = [
        (number, f"o{number}", "hp", str(one), str(other))
        for number, (one, other) in enumerate(zip(ours, theirs, strict=True), 1)
        if one and other and one != other
    ]
    assert [row[1:] for row in found] == expected


def test_so_many_are_told_and_no_more() -> None:
    rows = "".join(f"<<<<<<< a\n  k{n}: 1\n=======\n  k{n}: 2\n>>>>>>> b\n" for n in range(500))
    assert len(conflicted(f"--- !u!114 &1\nMonoBehaviour:\n{rows}".encode(), most=20)) == 20


def test_lines_behind_each_other_are_properties_of_their_own(tmp_path: Path) -> None:
    """A line that ends a reference belongs to the one before it, and one that is a whole reference does not."""
    ours, theirs = (
        BASE.replace("  m_Father: {fileID: 101}", f"  a: {n}\n  b: {{fileID: {n}}}\n  c: {{fileID: {n},\n    type: 3}}")
        for n in (1, 2)
    )
    found = [row[1:] for row in told(merged(tmp_path, BASE, ours, theirs))]
    assert [row[2] for row in found] == ["a", "b", "c"]
    assert [row[3:] for row in found[:2]] == [("1", "2"), ("{fileID: 1}", "{fileID: 2}")]
