"""One cutter of files into documents: what tells where objects are and what reads them agree."""

from __future__ import annotations

import pytest

from assetdb.unity.yaml.documents import documents
from assetdb.unity.yaml.objects import TextObjects

HEAD = b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (HEAD + b"--- !u!1 &5\nGameObject:\n  m_Name: A\n", [(1, 5, False, b"\nGameObject:\n  m_Name: A\n")]),
        (b"--- !u!1 &5\nA:\n--- !u!4 &-6 stripped\nB:\n", [(1, 5, False, b"\nA:"), (4, -6, True, b"\nB:\n")]),
        (HEAD + b"--- !u!1 &5", [(1, 5, False, b"")]),
        (HEAD + b"--- !u!1 &5\n--- !u!4 &6\n", [(1, 5, False, b""), (4, 6, False, b"\n")]),
        (HEAD + b"--- !u!1 &5\nA:\n--- \nother: 1\n", [(1, 5, False, b"\nA:")]),
        (HEAD + b"--- !u!x &5\nA:\n--- !u!4 &6\nB:\n", [(4, 6, False, b"\nB:\n")]),
        (HEAD + b"--- !u!4 &\nA:\n--- !u!4\n--- !u!4 &-\n--- !u!4 &1_0\n--- !u!12345678901 &5\n", []),
        (b"", []),
        (b"\n--- ", []),
        (b"nothing --- !u!1 &5\n", []),
    ],
)
def test_documents(data: bytes, expected: list[tuple[int, int, bool, bytes]]) -> None:
    found = documents(data)
    assert [(item.class_id, item.file_id, item.stripped, data[item.start : item.end]) for item in found] == expected
    objects = TextObjects(data)
    assert [tuple(item) for item in objects.objects.values()] == expected
    assert (objects.kind == "yaml") is bool(expected)


def test_a_file_of_windows_has_the_same_objects() -> None:
    data = HEAD + b"--- !u!1 &5\nGameObject:\n  m_Name: A\n--- !u!4 &6 stripped\nTransform:\n"
    assert TextObjects(data.replace(b"\n", b"\r\n")).objects == TextObjects(data).objects


def test_where_an_object_of_a_windows_file_stands() -> None:
    data = HEAD + b"--- !u!1 &5\nGameObject:\n  m_Name: A\n--- !u!4 &6 stripped\nTransform:\n--- !u!4 &7\n"
    windows = documents(data.replace(b"\n", b"\r\n"))
    assert [item[:3] for item in windows] == [item[:3] for item in documents(data)]
