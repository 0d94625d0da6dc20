"""Values of properties by name: of objects, of items of lists, of metas and of overrides."""

from __future__ import annotations

import pytest

from assetdb.contents.named_values import PropertyValue, property_values

EVENT = b"""%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1 &100
GameObject:
  m_Name: 'Play: #1'
--- !u!114 &200
MonoBehaviour:
  m_GameObject: {fileID: 100}
  m_Name:\x20
  m_OnClick:
    m_PersistentCalls:
      m_Calls:
      - m_Target: {fileID: 200}
        m_MethodName: OnPlay
        m_Mode: 1
      - m_Target: {fileID: 200}
        m_MethodName: OnPlay #2
--- !u!1001 &300
PrefabInstance:
  m_Modification:
    m_Modifications:
    - target: {fileID: 5, guid: 0123456789abcdef0123456789abcdef, type: 3}
      propertyPath: m_OnClick.m_PersistentCalls.m_Calls.Array.data[0].m_MethodName
      value: OnPlay
      objectReference: {fileID: 0}
    - target: {fileID: 5, guid: 0123456789abcdef0123456789abcdef, type: 3}
      propertyPath: m_Name
      value: A very long name that Unity has written
        over two lines
      objectReference: {fileID: 0}
"""
META = b"""fileFormatVersion: 2
guid: 0123456789abcdef0123456789abcdef
TextureImporter:
  mipmaps:
    enableMipMap: 0
  isReadable: 1
  platformSettings:
  - serializedVersion: 3
    maxTextureSize: 8192
"""


def rows(data: bytes, name: str, value: str | None = None) -> list[tuple[int, int, str, str]]:
    found = property_values(data, name, lambda text: value is None or text == value)
    return [(row.place.line, row.place.file_id, row.path, row.value) for row in found]


def test_a_value_is_found_in_lists_and_in_overrides() -> None:
    assert rows(EVENT, "m_MethodName", "OnPlay") == [
        (14, 200, "m_OnClick.m_PersistentCalls.m_Calls[0].m_MethodName", "OnPlay"),
        (23, 300, "m_OnClick.m_PersistentCalls.m_Calls.Array.data[0].m_MethodName", "OnPlay"),
    ]
    assert [row[3] for row in rows(EVENT, "m_MethodName")] == ["OnPlay", "OnPlay #2", "OnPlay"]


def test_a_value_is_read_as_unity_reads_it() -> None:
    assert rows(EVENT, "m_Name") == [
        (5, 100, "m_Name", "Play: #1"),
        (9, 200, "m_Name", ""),
        (27, 300, "m_Name", "A very long name that Unity has written over two lines"),
    ]
    assert rows(EVENT, "m_Target") == [
        (13, 200, "m_OnClick.m_PersistentCalls.m_Calls[0].m_Target", "{fileID: 200}"),
        (16, 200, "m_OnClick.m_PersistentCalls.m_Calls[1].m_Target", "{fileID: 200}"),
    ]


@pytest.mark.parametrize("name", ["m_Calls.m_MethodName", "m_OnClick.m_PersistentCalls.m_Calls.m_MethodName"])
def test_names_around_a_property_count_where_they_are_given(name: str) -> None:
    assert len(rows(EVENT, name)) == 3
    assert rows(EVENT, name.replace("Calls.m_M", "Others.m_M")) == []


def test_settings_of_an_importer_are_properties_of_a_meta() -> None:
    assert rows(META, "isReadable", "1") == [(6, 0, "isReadable", "1")]
    assert rows(META, "maxTextureSize") == [(9, 0, "platformSettings[0].maxTextureSize", "8192")]


@pytest.mark.parametrize(
    "data", [b"", b"m_Name", b"m_Name:", b"\nm_Name:\n", b"\xff\nm_Name: \xff", b"propertyPath:\nvalue:"]
)
def test_damaged_text_ends_in_values_or_none(data: bytes) -> None:
    assert all(isinstance(row, PropertyValue) for row in property_values(data, "m_Name", bool))
