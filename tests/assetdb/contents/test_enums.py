"""Names of enum values in Unity's own classes."""

from __future__ import annotations

import pytest

from assetdb.contents.enums import enum_name


@pytest.mark.parametrize(
    ("class_name", "path", "value", "name"),
    [
        ("Light", "m_Type", "0", "Spot"),
        ("Light", "m_Type", "1", "Directional"),
        ("Light", "m_Type", "4", "Disc"),
        ("Light", "m_Type", "5", ""),
        ("Light", "m_Type", "01", "Directional"),
        ("Light", "m_Type", "001", ""),
        ("Light", "m_Type", "-1", ""),
        ("Light", "m_Type", "", ""),
        ("Light", "m_Type", "1.0", ""),
        ("Light", "m_Lightmapping", "0", ""),
        ("Light", "m_Lightmapping", "4", "Realtime"),
        ("Camera", "m_ClearFlags", "4", "Nothing"),
        ("MeshRenderer", "m_CastShadows", "3", "ShadowsOnly"),
        ("Light", "m_Intensity", "1", ""),
        ("Nothing", "m_Type", "1", ""),
    ],
)
def test_a_value_has_the_name_of_its_number(class_name: str, path: str, value: str, name: str) -> None:
    assert enum_name(class_name, path, value) == name
