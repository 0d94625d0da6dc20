"""Selections that grow: from a word over its value, key and object to the whole text."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from assetdb.lsp.features.selection import selection_ranges
from assetdb.lsp.protocol.structures import OfPositions, Position
from tests.assetdb.lsp.features.asking import asked

if TYPE_CHECKING:
    from assetdb.lsp.protocol.structures import SelectionRange

GUID = "8f57b4a070f7b43bbb3925467e6752ab"
SCENE = f"""%YAML 1.1
--- !u!114 &5
MonoBehaviour:
  m_Name: Lamp
  m_List:
  - a: {{fileID: 7, guid: {GUID}, type: 3}}
    b: two words
  - a: 3
  m_Last: 1
--- !u!4 &7
Transform:
  m_X: 1
"""


def grown(text: str, line: int, character: int, uri: str = "file:///a.unity") -> list[str]:
    """Return the text of each range around a position, the smallest first."""
    request = asked(text, uri)
    given = OfPositions(text_document=None, positions=[Position(line, character)])  # type: ignore[arg-type]  # it is known
    answered = selection_ranges(given, request)
    assert isinstance(answered, list)
    ranges: list[str] = []
    row: SelectionRange | None = answered[0]
    while row is not None:
        start, end = request.document.offset(row.range.start), request.document.offset(row.range.end)
        ranges.append(text.encode()[start:end].decode())
        row = row.parent
    return ranges


def lines(first: int, last: int) -> str:
    return "\n".join(SCENE.split("\n")[first : last + 1])


def test_a_value_grows_over_its_line_item_list_and_object() -> None:
    assert grown(SCENE, 6, 8) == [
        "two",
        "b: two words",
        "    b: two words",
        lines(5, 6),
        lines(4, 7),
        lines(2, 8),
        lines(1, 8),
        SCENE,
    ]


def test_a_reference_is_a_step_of_its_own() -> None:
    found = grown(SCENE, 5, 30)
    assert found[0] == GUID
    assert f"{{fileID: 7, guid: {GUID}, type: 3}}" in found
    assert found.index(lines(5, 5)) < found.index(lines(5, 6)) < found.index(lines(4, 7))


def test_the_head_of_an_object_grows_to_the_object_at_once() -> None:
    found = grown(SCENE, 1, 2)
    assert lines(1, 1) in found
    assert lines(2, 8) not in found
    assert found[-1] == SCENE


@pytest.mark.parametrize(
    ("character", "first"), [(0, "one"), (3, "one"), (4, "two"), (7, "two"), (8, "-"), (9, "-"), (15, "three")]
)
def test_a_word_has_both_of_its_ends(character: int, first: str) -> None:
    assert grown("one two - three\n", 0, character, "file:///a.cs")[0] == first


def test_other_files_grow_from_the_word_over_the_line_to_the_text() -> None:
    assert grown("  one two\nthree\n", 0, 3, "file:///a.cs") == ["one", "one two", "  one two", "  one two\nthree\n"]
    assert grown("", 0, 0, "file:///a.cs") == [""]


def test_each_range_is_larger_than_the_one_in_it() -> None:
    for line in range(13):
        for character in (0, 2, 5, 9):
            found = grown(SCENE, line, character)
            assert all(len(inner) < len(outer) for inner, outer in pairwise(found))
            assert found[-1] == SCENE


def test_around_a_line_deep_down_not_all_keys_are_ranges() -> None:
    deep = "".join(f"{' ' * depth}k:\n" for depth in range(80))
    text = f"--- !u!1 &5\nA:\n{deep}"
    found = grown(text, 81, 79)
    assert found[:2] == ["k", "k:"]
    assert found[-1] == text
    keys = [each for each in found if each.startswith(" ")]
    assert len(keys) == 50
    assert keys[-1].split("\n")[0] == " " * 30 + "k:"
