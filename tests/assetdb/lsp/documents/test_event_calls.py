"""The rows of an event's call are found around a position, whatever the text."""

from __future__ import annotations

import pytest

from assetdb.lsp.documents.event_calls import EventCall, event_call_at
from assetdb.lsp.documents.open_documents import Document
from assetdb.lsp.documents.text import Text

CALLS = b"""--- !u!114 &1
MonoBehaviour:
  m_OnClick:
    m_PersistentCalls:
      m_Calls:
      - m_Target: {fileID: 11, guid: 0123456789abcdef0123456789abcdef, type: 2}
        m_TargetAssemblyTypeName: Game.Outer+Door, Assembly-CSharp, Version=0.0.0.0,
          Culture=neutral
        m_MethodName: Knock
        m_Mode: 1
      - m_Target: {fileID: 12}
        m_MethodName: Swing
        m_Mode: 1
"""
ROW = b"""    - target: {fileID: %d, guid: 0123456789abcdef0123456789abcdef,
        type: 3}
      propertyPath: c[0].%s
"""
ROWS = (
    b"--- !u!1001 &1\nPrefabInstance:\n"
    + ROW % (5, b"m_Target")
    + b"      value: \n      objectReference: {fileID: 77}\n"
    + ROW % (6, b"m_TargetAssemblyTypeName")
    + b"      value: Other, Assembly-CSharp\n      objectReference: {fileID: 0}\n"
    + ROW % (5, b"m_MethodName")
    + b"      value: Knock\n      objectReference: {fileID: 0}\n"
)


def at(data: bytes, word: bytes, into: int = 0) -> EventCall | None:
    return event_call_at(
        Document("file:///a.unity", "/a.unity", 1, Text.of(data, chunk=50), "utf-8"), data.index(word) + into
    )


def test_a_call_has_the_rows_of_its_own_item() -> None:
    guid = "0123456789abcdef0123456789abcdef"
    start, swing = CALLS.index(b"Knock"), CALLS.index(b"Swing")
    assert at(CALLS, b"Knock") == EventCall(
        "Knock", "Game.Outer+Door", guid, 11, is_type=False, start=start, end=start + 5
    )
    assert at(CALLS, b"Swing", 5) == EventCall("Swing", "", "", 12, is_type=False, start=swing, end=swing + 5)
    found = at(CALLS, b"Outer")
    assert found is not None
    assert (found.method, found.is_type) == ("Knock", True)


def test_an_override_has_the_rows_of_the_same_object() -> None:
    found = at(ROWS, b"Knock")
    assert found is not None
    assert (found.method, found.file_id, found.type) == ("Knock", 77, ""), "the type is of another object's call"


@pytest.mark.parametrize(
    "word", [b"m_MethodName", b"m_Target", b"fileID", b"m_Mode: 1", b"--- ", b"Culture", b"m_Calls"]
)
def test_nothing_else_is_a_call(word: bytes) -> None:
    assert at(CALLS, word) is None


@pytest.mark.parametrize(
    "data", [b"m_MethodName: A", b"value: A", b"  m_MethodName: A\n" * 50, b"  propertyPath: m_MethodName\n  value: A"]
)
def test_texts_without_the_other_rows_are_read_to_their_end(data: bytes) -> None:
    found = at(data, b"A")
    assert found is None or (found.method, found.file_id) == ("A", 0)
