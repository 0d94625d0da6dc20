"""Folding: objects of a text asset, and keys with something below them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.lsp.features.folding import folding_ranges
from assetdb.lsp.protocol.structures import OfDocument
from tests.assetdb.lsp.features.asking import asked

if TYPE_CHECKING:
    from collections.abc import Mapping

SCENE = """%YAML 1.1
--- !u!1 &5
GameObject:
  m_Name: Lamp
  m_List:
  - a: 1
    b: 2
  - a: 3
  m_Empty: []
--- !u!4 &7
Transform:
  m_X: 1
"""


def folded(
    text: str, uri: str = "file:///a.unity", said: Mapping[str, object] | None = None
) -> list[tuple[int, int, str]]:
    document = asked(text, uri, said)
    found = folding_ranges(OfDocument(text_document=None), document)  # type: ignore[arg-type]  # the document is known
    assert isinstance(found, list)
    return [(row.start_line, row.end_line, row.collapsed_text) for row in found]


def test_objects_and_keys_can_be_folded() -> None:
    assert sorted(folded(SCENE)) == [(1, 8, ""), (2, 8, ""), (4, 7, ""), (9, 11, ""), (10, 11, "")]


def test_an_object_has_its_class_and_name_where_editors_show_it() -> None:
    said = {"textDocument": {"foldingRange": {"foldingRange": {"collapsedText": True}}}}
    assert [row for row in folded(SCENE, said=said) if row[2]] == [(1, 8, "GameObject Lamp"), (9, 11, "Transform")]
    assert (0, 1, "123456789") in folded("--- !u!123456789 &5\nA: 1\n", said=said)


@pytest.mark.parametrize(("limit", "count"), [(0, 0), (1, 1), (3, 3), (100, 5), (-1, 5), ("2", 5)])
def test_no_more_ranges_are_told_than_the_editor_takes(limit: object, count: int) -> None:
    assert len(folded(SCENE, said={"textDocument": {"foldingRange": {"rangeLimit": limit}}})) == count


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("a:\n  b: 1\n", [(0, 1)]),
        ("a:\n- b\n- c\nd: 1\n", [(0, 2)]),  # items in the column of their key
        ("a:\n  -\n    b: 1\n", [(0, 2)]),
        ("a:\nb:\n", []),
        ("a: 1\n  b\n", []),
        ("- a:\n    b: 1\n  c: 2\n", [(0, 1)]),
        ("a:\n\n  b: 1\n\n\nc: 1\n", [(0, 2)]),
        ("a:\n  # note\n", [(0, 1)]),
        ("a:   \r\n  b: 1\r\n", [(0, 1)]),
        (f"{'a' * 1000}:\n  b: 1\n", []),
    ],
)
def test_a_key_ends_where_nothing_is_below_it_any_more(text: str, ranges: list[tuple[int, int]]) -> None:
    assert [row[:2] for row in folded(text, "file:///a.png.meta")] == ranges


def test_an_object_of_one_line_and_other_files_have_nothing_to_fold() -> None:
    assert folded("--- !u!1 &5") == []
    assert folding_ranges(OfDocument(text_document=None), asked("class A {\n}\n", "file:///a.cs")) is None  # type: ignore[arg-type]  # as above
