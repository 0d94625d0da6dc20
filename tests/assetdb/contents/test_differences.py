"""Differences of two versions of a file, beside what PyYAML makes of both."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from assetdb.contents.differences import ADDED, CHANGED, EMPTY, REMOVED, compare_objects
from assetdb.contents.values import Scalar
from assetdb.unity.yaml.objects import TextObjects
from scripts.fixture import fixture_files
from tests.assetdb.contents.test_values import flattened
from tests.assetdb.unity_project import HEAD, game_object, guid, instance
from tests.libyaml import UnityReader

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.contents.differences import ObjectChange
    from assetdb.contents.overrides import Reference

_read = UnityReader(yaml.CBaseLoader if yaml.__with_libyaml__ else yaml.BaseLoader)
_DOCUMENT = re.compile(r"^--- !u!(\d+) &(-?\d+)( stripped)?[^\n]*\n", re.MULTILINE)


def differing(old: str, new: str) -> list[ObjectChange]:
    return list(compare_objects(TextObjects(old.encode()), TextObjects(new.encode())))


def behaviour(values: str) -> str:
    return HEAD + f"--- !u!114 &300\nMonoBehaviour:\n  m_Name: Door\n{values}"


def values(old: str, new: str) -> list[tuple[str, str | None, str | None]]:
    found = differing(behaviour(old), behaviour(new))
    if not found:
        return []
    (item,) = found
    assert (item.change, item.file_id, item.class_name, item.note) == (CHANGED, 300, "MonoBehaviour", "")
    return [(row.path, shown(row.old), shown(row.new)) for row in item.values]


def shown(value: Scalar | Reference | None) -> str | None:
    return None if value is None else value.text if isinstance(value, Scalar) else f"{value.file_id} {value.guid}"


def test_a_value_that_changed() -> None:
    assert values("  speed: 1\n  m_Path: {x: 1, y: 2}\n", "  speed: 2\n  m_Path: {x: 1, y: 3}\n") == [
        ("speed", "1", "2"),
        ("m_Path.y", "2", "3"),
    ]


def test_words_behind_a_number_sign_are_compared() -> None:
    assert values("  t: Row #2\n", "  t: Row #3\n") == [("t", "Row #2", "Row #3")]
    assert values("  t: a \n    b\n", "  t: a\n    b\n") == [("t", "a  b", "a b")]
    old, new = ("".join(f"    data:\n      second: {n}\n" for n in numbers) for numbers in ("12", "32"))
    assert values(f"  m:\n{old}", f"  m:\n{new}") == [("m.data[0].second", "1", "3")]


def test_a_value_that_one_side_has() -> None:
    assert values("  speed: 1\n", "  height: 2\n") == [("height", None, "2"), ("speed", "1", None)]


def test_a_reference_that_leads_elsewhere() -> None:
    old, new = (f"  target: {{fileID: 100, guid: {guid(number)}, type: 3}}\n" for number in (1, 2))
    assert values(old, new) == [("target", f"100 {guid(1)}", f"100 {guid(2)}")]


def test_a_row_that_was_inserted_at_the_beginning_is_the_only_one() -> None:
    rows = "".join(f"  - name: row {number}\n    cost: {number}\n" for number in range(50))
    old, new = f"  list:\n{rows}", f"  list:\n  - name: first\n    cost: 9\n{rows}"
    assert values(old, new) == [("list[0].name", None, "first"), ("list[0].cost", None, "9")]
    assert values(new, old) == [("list[0].name", "first", None), ("list[0].cost", "9", None)]


def test_a_number_without_end_is_no_row_of_a_list() -> None:
    key = f"a[{'9' * 5000}]"
    assert values(f"  '{key}': 1\n", f"  '{key}': 2\n") == [(key, "1", "2")]


def test_long_lists_are_compared_in_time() -> None:
    rows = [f"  - {number % 3}\n" for number in range(5000)]
    old = "  list:\n" + "".join(rows)
    assert values(old, "  list:\n" + "".join([*rows[:2500], "  - new\n", *rows[2500:]])) == [
        ("list[2500]", None, "new")
    ]
    other = "  list:\n" + "".join(f"  - {number % 2}\n" for number in range(4000))
    assert len(values(old, other)) > 1000


def test_a_list_that_was_empty() -> None:
    assert values("  list: []\n", "  list:\n  - 1\n") == [("list[0]", None, "1")]
    assert values("  list:\n  - 1\n", "  list: []\n") == [("list[0]", "1", None)]
    assert values("  list: []\n", "  list: 3\n") == [("list", EMPTY.text, "3")]


def test_text_that_only_changed_its_quotes_is_said() -> None:
    assert values("  text: '1'\n", "  text: 1\n") == [("text", "1", "1")]


def test_objects_that_came_and_went() -> None:
    old = HEAD + game_object(100, "Old") + game_object(200, "Both")
    new = HEAD + game_object(200, "Both") + game_object(300, "New")
    assert [(row.change, row.file_id) for row in differing(old, new)] == [
        (ADDED, 300),
        (ADDED, 301),
        (REMOVED, 100),
        (REMOVED, 101),
    ]
    assert differing("", "") == differing(new, new) == []


def test_overrides_belong_to_the_object_that_they_are_about() -> None:
    old = HEAD + instance(7000, 1, 0, {100: "Hero", 200: "Body"})
    new = HEAD + instance(7000, 1, 0, {100: "Heroine", 200: "Body", 300: "Head"})
    found = differing(old, new)
    assert [(row.file_id, row.instance, row.source) for row in found] == [
        (7000 ^ 100, 7000, 100),
        (7000 ^ 300, 7000, 300),
    ]
    assert [(value.path, shown(value.old), shown(value.new)) for row in found for value in row.values] == [
        ("m_Name", "Hero", "Heroine"),
        ("m_Name", None, "Head"),
    ]
    moved = new.replace("m_TransformParent: {fileID: 0}", "m_TransformParent: {fileID: 9}")
    (itself,) = differing(new, moved)
    assert (itself.file_id, itself.source, itself.values[0].path) == (7000, 0, "m_Modification.m_TransformParent")


def test_the_order_of_overrides_is_no_difference() -> None:
    names = {number: f"name {number}" for number in range(1, 9)}
    backwards = dict(reversed(names.items()))
    assert differing(HEAD + instance(7000, 1, 0, names), HEAD + instance(7000, 1, 0, backwards)) == []


def test_an_override_that_cannot_be_read_is_said() -> None:
    old = HEAD + instance(7000, 1, 0, {100: "Hero", 200: "Body"})
    new = old.replace("- target: {fileID: 200,", "- target: {fileID:")
    assert new != old
    for one, other in ((old, new), (new, old)):
        note, row = differing(one, other)
        assert (note.file_id, note.source, note.note) == (7000, 0, "has overrides that cannot be read")
        assert (row.source, row.values[0].path) == (200, "m_Name")
    (renamed,) = differing(new, new.replace("Hero", "Heroine"))
    assert (renamed.source, renamed.note) == (100, "")  # the damaged one is as it was


@pytest.mark.parametrize(
    "damage", ["  a: [\n", "  : : :\n", "  a: &x 1\n  b: *x\n", "<<<<<<< ours\n", "  " * 200 + "a: {" + "b: {" * 300]
)
def test_what_is_no_yaml_is_said(damage: str) -> None:
    for old, new in ((damage, "  a: 1\n"), ("  a: 1\n", damage)):
        for row in differing(behaviour(old), behaviour(new)):
            assert row.note or row.values


def test_a_document_that_became_the_last_is_as_it_was() -> None:
    broken = "--- !u!21 &2\nMaterial:\n  m_Name: 'x\n"  # it cannot be compared by its values
    first = "--- !u!21 &1\nMaterial:\n  m_Name: x\n"
    assert differing(HEAD + broken + first, HEAD + first + broken) == []
    (row,) = differing(HEAD + broken + first, HEAD + first + broken.replace("'x", "'y"))
    assert (row.file_id, bool(row.note)) == (2, True)


def documents(text: str) -> dict[int, tuple[str, str]]:
    """Return the documents of a file by fileID, the first of each: its class and its text."""
    found: dict[int, tuple[str, str]] = {}
    heads = list(_DOCUMENT.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    for head, end in zip(heads, ends, strict=False):
        if not head[3]:
            found.setdefault(int(head[2]), (head[1], text[head.end() : end]))
    return found


def leaves(text: str) -> Counter[tuple[str, Any]]:
    """Return the leaves of a document without the places in lists, overrides left out."""
    value = _read(text)
    ((_, inner),) = value.items()
    if isinstance(inner, dict) and isinstance(inner.get("m_Modification"), dict):
        inner["m_Modification"].pop("m_Modifications", None)
    rows = {path: leaf for path, leaf in flattened(inner).items() if leaf is not None}
    return Counter((re.sub(r"\[\d+\]", "[]", path), leaf) for path, leaf in rows.items())


def compare(old: str, new: str) -> int:
    """Hold all differences of two versions against PyYAML's; return how many objects differ."""
    found = [row for row in differing(old, new) if not row.source]
    before, after = documents(old), documents(new)
    for change, present, absent in ((ADDED, after, before), (REMOVED, before, after)):
        assert {row.file_id for row in found if row.change == change} == present.keys() - absent.keys()
    changed = {row.file_id: row for row in found if row.change == CHANGED}
    for file_id in before.keys() & after.keys():
        one, other = (leaves(side[file_id][1]) for side in (before, after))
        row = changed.pop(file_id, None)
        told: Counter[tuple[str, Any]] = Counter()
        for value in row.values if row is not None else ():
            path = re.sub(r"\[\d+\]", "[]", value.path)
            for leaf, count in ((value.old, -1), (value.new, 1)):
                if leaf is not None and leaf != EMPTY:
                    told[path, leaf.text if isinstance(leaf, Scalar) else tuple(leaf)] += count
        expected = Counter(other)
        expected.subtract(one)
        assert {key: n for key, n in told.items() if n} == {key: n for key, n in expected.items() if n}
        assert row is None or all(value.old != value.new for value in row.values)
    assert not changed
    return sum(row.change == CHANGED for row in found)


def edited(text: str, chance: random.Random) -> str:
    """Return a file after some edits that leave it YAML: values, rows of lists, documents."""
    lines = text.split("\n")
    for _ in range(chance.randrange(1, 8)):
        place = chance.randrange(len(lines))
        line = lines[place]
        match chance.randrange(4):
            case 0 if re.fullmatch(r" +[\w-]+: -?[\d.]+", line):
                lines[place] = re.sub(r"-?[\d.]+$", str(chance.randrange(1000)), line)
            case 1 if re.fullmatch(r" +- \{fileID: .*\}", line):
                lines.insert(place, re.sub(r"fileID: -?\d+", f"fileID: {chance.randrange(1 << 40)}", line))
            case 2 if re.fullmatch(r" +- \{fileID: .*\}", line) and lines[place - 1].lstrip().startswith("- "):
                del lines[place]
            case 3 if line.startswith("--- "):
                end = next((n for n in range(place + 1, len(lines)) if lines[n].startswith("--- ")), len(lines))
                if end > place:
                    del lines[place:end]
            case _:
                pass
    return "\n".join(lines)


def hold(paths: list[Path], chance: random.Random) -> int:
    count = 0
    for path in paths:
        text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
        try:
            for _, body in documents(text).values():
                assert len(_read(body)) == 1
        except (yaml.YAMLError, AssertionError, TypeError, AttributeError):
            continue  # nothing that PyYAML reads
        count += compare(text, edited(text, chance))
    return count


def test_the_fixture_after_random_edits() -> None:
    endings = {".unity", ".prefab", ".mat", ".asset", ".controller", ".playable", ".spriteatlas"}
    paths = [path for path in fixture_files() if path.suffix in endings]
    chance = random.Random(4)
    assert sum(hold(paths, chance) for _ in range(20)) > 20


@pytest.mark.long
@pytest.mark.corpus("unity/daggerfall-unity", "unity/BoatAttack")
def test_files_of_real_projects_after_random_edits(corpus: Path) -> None:
    endings = {".unity", ".prefab", ".mat", ".asset", ".controller"}
    chance = random.Random(5)
    paths = sorted(path for path in corpus.rglob("*") if path.suffix in endings and path.is_file())
    chosen = [path for path in chance.sample(paths, 300) if 100 < path.stat().st_size < 300_000]
    assert hold(chosen, chance) > 50


def test_a_document_with_more_values_than_are_read() -> None:
    rows = "".join(f"  - {{fileID: {number}}}\n" for number in range(30_000))
    old, new = (
        behaviour(f"  first: 1\n  rows:\n{rows}  last: 1\n"),
        behaviour(f"  first: 2\n  rows:\n{rows}  last: 2\n"),
    )
    (item,) = differing(old, new)
    assert [row.path for row in item.values] == ["first"]
    assert re.fullmatch(r"only its first [\d,]+ values are compared", item.note)


def test_a_row_that_came_or_went_is_told_as_one() -> None:
    rows = "  list:\n  - name: a\n    cost: 1\n"
    longer = rows + "  - name: b\n    cost: 2\n"
    for old, new in ((rows, longer), (longer, rows)):
        (item,) = differing(behaviour(old), behaviour(new))
        assert [(row.path, row.item) for row in item.values] == [
            ("list[1].name", "list[1]"),
            ("list[1].cost", "list[1]"),
        ]
    (item,) = differing(behaviour(rows), behaviour(rows + "    level: 3\n"))
    assert [(row.path, row.item) for row in item.values] == [("list[0].level", "")]
