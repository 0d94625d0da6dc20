"""Merges that people reported as lost or doubled by other tools, with the results that they expected.

The cases are written after reports on UnityYAMLMerge (UUM-17918, UUM-139165, UUM-111271: silent, closed as "won't
fix"), on variants that lose overrides, on ids that two people drew, and on dictionaries; the expected result is what
the reporter says that both people meant.
"""

from __future__ import annotations

import pytest

from tests.assetdb.unity.merging.texts import GUID, fields_merged, fields_open, merged, nothing

SCRIPT = f"{{fileID: 11500000, guid: {GUID}, type: 3}}"
OTHER = "{fileID: 11500000, guid: ffffffffffffffffffffffffffffffff, type: 3}"


def body(components: list[int], *documents: str) -> str:
    """Return a GameObject with some components, and their documents."""
    rows = "".join(f"  - component: {{fileID: {number}}}\n" for number in components)
    return f"--- !u!1 &100\nGameObject:\n  m_Component:\n{rows}  m_Name: Player\n" + "".join(documents)


def transform(number: int, children: str = "[]", father: int = 0, owner: int = 100) -> str:
    return (
        f"--- !u!4 &{number}\nTransform:\n  m_GameObject: {{fileID: {owner}}}\n"
        f"  m_LocalPosition: {{x: 0, y: 0, z: 0}}\n  m_Children: {children}\n  m_Father: {{fileID: {father}}}\n"
    )


def component(number: int, script: str = SCRIPT, fields: str = "") -> str:
    return f"--- !u!114 &{number}\nMonoBehaviour:\n  m_GameObject: {{fileID: 100}}\n  m_Script: {script}\n{fields}"


def test_a_component_that_both_added_under_one_id_is_there_once() -> None:
    """UUM-17918: the component was listed twice."""
    base = body([400], transform(400))
    added = body([400, 500], transform(400), component(500, fields="  speed: 1\n"))
    theirs = body([400, 500], transform(400), component(500, fields="  speed: 1\n  range: 2\n"))
    result = merged(base, added, theirs)
    assert not result.conflicts
    text = result.data(nothing).decode()
    assert text.count("component: {fileID: 500}") == 1
    assert text.count("&500") == 1
    assert "  speed: 1\n  range: 2\n" in text


def test_two_components_that_both_drew_the_same_id_are_a_question() -> None:
    """Older Unity counts ids up, so that two people draw the same one for different objects."""
    base = body([400], transform(400))
    ours = body([400, 500], transform(400), component(500, SCRIPT, "  speed: 1\n"))
    theirs = body([400, 500], transform(400), component(500, OTHER, "  colour: 3\n"))
    assert merged(base, ours, theirs).conflicts


def test_two_components_of_one_script_are_both_kept() -> None:
    base = body([400], transform(400))
    ours = body([400, 500], transform(400), component(500, fields="  speed: 1\n"))
    theirs = body([400, 600], transform(400), component(600, fields="  speed: 2\n"))
    result = merged(base, ours, theirs)
    text = result.data(nothing).decode()
    assert not result.conflicts
    assert text.index("fileID: 400}\n  - component: {fileID: 500}\n  - component: {fileID: 600}") > 0
    assert text.count("--- !u!114") == 2


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "expected"),
    [
        # UUM-139165: both appended the same element, which was there twice
        ("  l:\n  - a\n", "  l:\n  - a\n  - b\n", "  l:\n  - a\n  - b\n", "  l:\n  - a\n  - b\n"),
        # one moved an element, the other appended one
        (
            "  l:\n  - a\n  - b\n  - c\n",
            "  l:\n  - c\n  - a\n  - b\n",
            "  l:\n  - a\n  - b\n  - c\n  - d\n",
            "  l:\n  - c\n  - a\n  - b\n  - d\n",
        ),
        # both removed the same element
        ("  l:\n  - a\n  - b\n", "  l:\n  - b\n", "  l:\n  - b\n", "  l:\n  - b\n"),
        # pairs of a dictionary: independent keys
        (
            "  d:\n  - Key: Elf\n    Value: 1\n",
            "  d:\n  - Key: Elf\n    Value: 1\n  - Key: Orc\n    Value: 2\n",
            "  d:\n  - Key: Elf\n    Value: 5\n",
            "  d:\n  - Key: Elf\n    Value: 5\n  - Key: Orc\n    Value: 2\n",
        ),
        # keys and values in two lists: independent keys
        (
            "  m_Keys:\n  - Elf\n  m_Values:\n  - 1\n",
            "  m_Keys:\n  - Elf\n  - Orc\n  m_Values:\n  - 1\n  - 2\n",
            "  m_Keys:\n  - Elf\n  - Man\n  m_Values:\n  - 1\n  - 3\n",
            "  m_Keys:\n  - Elf\n  - Orc\n  - Man\n  m_Values:\n  - 1\n  - 2\n  - 3\n",
        ),
        (
            "  keys:\n  - 10\n  - 20\n  values:\n  - 1\n  - 1\n",
            "  keys:\n  - 10\n  - 20\n  values:\n  - 1\n  - 4\n",
            "  keys:\n  - 10\n  - 20\n  values:\n  - 3\n  - 1\n",
            "  keys:\n  - 10\n  - 20\n  values:\n  - 3\n  - 4\n",
        ),
    ],
)
def test_lists(base: str, ours: str, theirs: str, expected: str) -> None:
    assert fields_merged(base, ours, theirs) == expected


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "expected"),
    [
        # one removed Elf, the other changed what Elf has
        (
            "  keys:\n  - Elf\n  - Orc\n  values:\n  - 1\n  - 1\n",
            "  keys:\n  - Orc\n  values:\n  - 1\n",
            "  keys:\n  - Elf\n  - Orc\n  values:\n  - 9\n  - 1\n",
            "keys",
        ),
        # both added Orc, with other values
        (
            "  m_Keys:\n  - Elf\n  m_Values:\n  - 1\n",
            "  m_Keys:\n  - Elf\n  - Orc\n  m_Values:\n  - 1\n  - 2\n",
            "  m_Keys:\n  - Elf\n  - Orc\n  m_Values:\n  - 1\n  - 3\n",
            "Orc",
        ),
        # both added a key, with the same value
        (
            "  _keys:\n  - Elf\n  _values:\n  - 1\n",
            "  _keys:\n  - Elf\n  - Orc\n  _values:\n  - 1\n  - 2\n",
            "  _keys:\n  - Elf\n  - Man\n  _values:\n  - 1\n  - 2\n",
            {"Elf": "1", "Orc": "2", "Man": "2"},
        ),
        # one removed Elf, the other added Man and changed Orc
        (
            "  keys:\n  - Elf\n  - Orc\n  values:\n  - 1\n  - 1\n",
            "  keys:\n  - Orc\n  values:\n  - 1\n",
            "  keys:\n  - Elf\n  - Orc\n  - Man\n  values:\n  - 1\n  - 3\n  - 2\n",
            {"Orc": "3", "Man": "2"},
        ),
        # lists of other lengths are no dictionary of ours: one question, not a merge that leaves one list
        (
            "  keys:\n  - Elf\n  values:\n  - 1\n",
            "  keys:\n  - Elf\n  - Orc\n  values:\n  - 1\n",
            "  keys:\n  - Elf\n  values:\n  - 2\n",
            "keys",
        ),
    ],
)
def test_keys_never_get_values_of_other_keys(base: str, ours: str, theirs: str, expected: dict[str, str] | str) -> None:
    found = fields_open(base, ours, theirs)
    if isinstance(expected, str):
        assert [row[0] for row in found] == [expected]
        return
    rows = [line[4:] for line in fields_merged(base, ours, theirs).split("\n") if line.startswith("  - ")]
    assert dict(zip(rows[: len(rows) // 2], rows[len(rows) // 2 :], strict=True)) == expected


def instance(*rows: tuple[str, int], removed: str = "[]") -> str:
    """Return an instance with an override of each path."""
    text = "".join(
        f"    - target: {{fileID: 400, guid: {GUID}, type: 3}}\n      propertyPath: {path}\n      value: {value}\n"
        "      objectReference: {fileID: 0}\n"
        for path, value in rows
    )
    return (
        "--- !u!1001 &900\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {fileID: 0}\n"
        f"    m_Modifications:\n{text}    m_RemovedComponents: {removed}\n"
        f"  m_SourcePrefab: {{fileID: 100100000, guid: {GUID}, type: 3}}\n"
    )


def overrides(text: str) -> list[tuple[str, str]]:
    """Return path and value of each override."""
    lines = text.split("\n")
    return [
        (line.split(": ")[1], lines[number + 1].split(": ")[1])
        for number, line in enumerate(lines)
        if "propertyPath:" in line
    ]


def test_a_variant_keeps_an_override_of_each_side() -> None:
    """Two rows added beside each other: one was lost."""
    result = merged(
        instance(("m_Name", 1)), instance(("m_Name", 1), ("speed", 2)), instance(("m_Name", 1), ("health", 3))
    )
    assert not result.conflicts
    assert overrides(result.data(nothing).decode()) == [("m_Name", "1"), ("speed", "2"), ("health", "3")]


def test_one_override_with_two_values_is_a_question() -> None:
    """UUM-111271: both values were kept, as two rows of one property."""
    for base in (instance(("m_Name", 1)), instance(("m_Name", 1), ("speed", 1))):
        result = merged(base, instance(("m_Name", 1), ("speed", 2)), instance(("m_Name", 1), ("speed", 3)))
        assert [found.place[-1] for found in result.conflicts] == ["value"]
        assert overrides(result.data(lambda found: found.theirs).decode()) == [("m_Name", "1"), ("speed", "3")]


def test_a_list_that_two_overrides_give_two_sizes_is_a_question() -> None:
    """The size of a list and its elements are overrides of their own."""
    base = instance(("items.Array.size", 1), ("items.Array.data[0]", 5))
    ours = instance(("items.Array.size", 2), ("items.Array.data[0]", 5), ("items.Array.data[1]", 6))
    theirs = instance(("items.Array.size", 3), ("items.Array.data[0]", 5), ("items.Array.data[1]", 7))
    assert merged(base, ours, theirs).conflicts


def test_scenes_that_one_side_wrote_in_another_order_have_each_object_once() -> None:
    """An order of its own came out as doubled objects."""
    one, two, three = (component(number, fields=f"  speed: {number}\n") for number in (500, 600, 700))
    base = body([500, 600, 700], one, two, three)
    ours = body([500, 600, 700], three, one, two.replace("speed: 600", "speed: 1"))
    theirs = body([500, 600, 700], one.replace("speed: 500", "speed: 2"), two, three)
    result = merged(base, ours, theirs)
    text = result.data(nothing).decode()
    assert not result.conflicts
    assert [text.count(f"&{number}\n") for number in (500, 600, 700)] == [1, 1, 1]
    assert "speed: 1\n" in text
    assert "speed: 2\n" in text


def test_an_object_that_one_moved_below_what_the_other_removed_is_a_question() -> None:
    """The moved child was kept without a father, and shown nowhere."""
    first, second = transform(400, "\n  - {fileID: 401}\n  - {fileID: 402}"), transform(402, father=400, owner=102)
    objects = "".join(
        f"--- !u!1 &{n}\nGameObject:\n  m_Component:\n  - component: {{fileID: {n + 300}}}\n" for n in (101, 102)
    )
    child = transform(401, father=400, owner=101)
    base = body([400], first, objects, child, second)
    ours = body(
        [400],
        transform(400, "\n  - {fileID: 402}"),
        objects,
        transform(401, father=402, owner=101),
        transform(402, "\n  - {fileID: 401}", 400, 102),
    )
    theirs = body([400], transform(400, "\n  - {fileID: 401}"), objects.split("--- !u!1 &102")[0], child)
    assert merged(base, ours, theirs).conflicts
