"""Overrides in all ways in which Unity writes a scalar."""

from __future__ import annotations

import pytest

from assetdb.contents.overrides import Reference, overrides_of, placed_overrides, removed_by
from assetdb.unity.yaml.objects import PREFAB_INSTANCE, TextObject

GUID = "0123456789abcdef0123456789abcdef"
ROW = (
    f"\n    - target: {{fileID: -12, guid: {GUID}, type: 3}}\n      propertyPath: %s\n      value:%s\n"
    "      objectReference: %s"
)
WRAPPED = f"\n    - target: {{fileID: -12, guid: {GUID},\n        type: 3}}\n      propertyPath: m_A\n      value: 1\n"


def made(path: str, value: str, reference: str = "{fileID: 0}") -> TextObject:
    body = "\nPrefabInstance:\n  m_Modification:\n    m_Modifications:" + ROW % (path, value, reference)
    return TextObject(PREFAB_INSTANCE, 1, stripped=False, body=body.encode())


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("", ""),
        (" 1.5e-07", "1.5e-07"),
        (" a b ", "a b"),
        (" 'it''s'", "it's"),
        (' "\\u00e9"', "é"),
        (" a\n        b", "a b"),
        (" a #comment", "a #comment"),
        (" one \n        two", "one  two"),
        (" (a/b)", "(a/b)"),
        (" é", "é"),
    ],
)
def test_a_value_is_the_same_however_it_is_written(written: str, value: str) -> None:
    (found,) = overrides_of(made("m_Items.Array.data[2].m_Text", written))
    assert found == (-12, "m_Items[2].m_Text", value, Reference(0, ""))


def test_a_reference_is_read_with_its_guid() -> None:
    (found,) = overrides_of(made("m_Material", "", f"{{fileID: 2100000, guid: {GUID.upper()}, type: 2}}"))
    assert found.reference == Reference(2100000, GUID)


def test_places_are_those_of_the_lines() -> None:
    one, other = made("m_A", " 1"), made("m_B", ' "2"')
    body = one.body + WRAPPED.encode() + other.body
    both = TextObject(PREFAB_INSTANCE, 1, stripped=False, body=body)
    found = [(body[start:].split(b"\n")[0].strip(), row.value) for start, row in placed_overrides(both)]
    assert found == [(b"propertyPath: m_A", "1"), (b"propertyPath: m_A", "1"), (b"propertyPath: m_B", "2")]


def test_what_is_no_list_of_removed_objects_removes_nothing() -> None:
    for body in (b"", b"\n    m_RemovedComponents:", b"\n    m_RemovedComponents:\n    - {fileID: x}\n", b"\n - 1"):
        assert removed_by(TextObject(PREFAB_INSTANCE, 1, stripped=False, body=body)) == frozenset()
