"""Names of open values."""

from __future__ import annotations

import pytest

from assetdb.unity.merging.names import Names
from assetdb.unity.merging.pieces import BOTH_CHANGED, Conflict
from tests.assetdb.cli.merging.guide import BASE
from tests.assetdb.unity.merging.texts import GUID

INSTANCE = f"""--- !u!1001 &60
PrefabInstance:
  m_Modification:
    m_TransformParent: {{fileID: 40}}
    m_Modifications:
    - target: {{fileID: 7, guid: {GUID}, type: 3}}
      propertyPath: m_Name
      value: Sword
--- !u!4 &61 stripped
Transform:
  m_PrefabInstance: {{fileID: 60}}
--- !u!21 &70
Material:
  m_Name: Gold
"""
NAMES = Names([(BASE + INSTANCE).encode()])


@pytest.mark.parametrize(
    ("file_id", "expected"),
    [
        (10, "Player"),
        (30, "Player / Body"),
        (40, "Player / Body (Transform)"),
        (60, "Player / Body / Sword (PrefabInstance)"),
        (61, "Player / Body / Sword (Transform)"),
        (70, "Gold (Material)"),
        (999, "fileID 999"),
        (0, ""),
    ],
)
def test_objects(file_id: int, expected: str) -> None:
    assert NAMES.of_object(file_id) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"", "nothing"),
        (b"  a: 5\n", "5"),
        (b"  a:\n", "empty"),
        (b"  a: {x: 1, y: 2}\n", "(1, 2)"),
        (b"  a: {fileID: 0}\n", "none"),
        (b"  a: {fileID: 40}\n", "Player / Body (Transform)"),
        (f"  a: {{fileID: 2, guid: {GUID}, type: 3}}\n".encode(), f"{GUID}:2"),
        (b"  a:\n  - 1\n  - 2\n", "2 rows"),
        (b"  - 1\n  - 2\n  - 3\n", "3 rows"),
        (b"  a: 1\n  b: 2\n", "2 lines"),
        (b"  a:\n    b: 1\n", "2 lines"),
        (b"  - component: {fileID: 40}\n", "Player / Body (Transform)"),
        (b"    - target: {fileID: 7}\n      propertyPath: m_Name\n      value: Axe\n", "Axe"),
        (b"--- !u!4 &1\nTransform:\n  a: 1\n", "the object (3 lines)"),
        (b"  a: 'x\n", "1 lines"),
        (b"  a: " + b"x" * 80 + b"\n", "x" * 57 + "..."),
    ],
)
def test_values(text: bytes, expected: str) -> None:
    assert NAMES.of_value(text) == expected


def test_rows_are_named_by_path_and_target() -> None:
    row = f"fileID:7\1guid:{GUID}\1type:3\0m_Name"
    place = ("PrefabInstance", "m_Modification", "m_Modifications", row, "value")
    conflict = Conflict(BOTH_CHANGED, 60, place, b"  value: a\n", b"  value: b\n", b"  value: c\n")
    assert NAMES.line(conflict) == (
        "Player / Body / Sword (PrefabInstance) m_Modification.m_Modifications.[m_Name of fileID 7].value:"
        " a -> ours b, theirs c"
    )


def test_a_circle_of_fathers_ends() -> None:
    text = BASE.replace("  m_Father: {fileID: 0}", "  m_Father: {fileID: 40}")
    assert Names([text.encode()]).of_object(30).startswith("Player / Body / ")


def test_versions_that_cannot_be_read_name_nothing() -> None:
    assert Names([b"\0", BASE.encode()]).of_object(10) == "Player"


def test_long_rows_that_unity_does_not_read_have_their_lines() -> None:
    text = b"  - a: 1\n" + b"    b: 1\n" * 300 + b"    c: x\n      y:\n"
    assert NAMES.of_value(text) == "303 lines"
