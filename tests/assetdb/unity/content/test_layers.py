"""Tags and layers of objects, beside those that the project declares."""

from __future__ import annotations

import pytest

from assetdb.unity.content.layers import UNKNOWN_LAYER, UNKNOWN_SORTING_LAYER, UNKNOWN_TAG, undeclared
from assetdb.unity.settings.tags import BUILT_IN_TAGS, Tags

LAYERS = ("Default", "TransparentFX", "Ignore Raycast", "", "Water", "UI", "", "", "Ground", *[""] * 23)
ALL = (1 << 32) - 1
TAGS = Tags(frozenset((*BUILT_IN_TAGS, "Boss", "it's")), LAYERS, frozenset((0, 2430975871)))


def found(text: str) -> list[tuple[str, str]]:
    """Return the code of each fault, and the line that it is in."""
    data = f"--- !u!1 &1\nGameObject:\n{text}\n".encode()
    lines = data.decode().split("\n")
    for fault in undeclared(data, TAGS):  # at the first byte of its key
        assert data[fault.offset - 1 : fault.offset + 1].strip() == data[fault.offset : fault.offset + 1].strip() != b""
    return [(fault.code, lines[data.count(b"\n", 0, fault.offset)].strip()) for fault in undeclared(data, TAGS)]


@pytest.mark.parametrize("text", [f"  m_TagString: {name}" for name in (*BUILT_IN_TAGS, "Boss", "'it''s'", '"Boss"')])
def test_declared_tags_are_sound(text: str) -> None:
    assert found(text) == []
    assert found(text + "\r") == []


@pytest.mark.parametrize(
    "text",
    ["  m_Layer: 0", "  m_Layer: 8", "  m_Layer: 31", "  m_SortingLayerID: 0", "  m_SortingLayerID: -1863991425"],
)
def test_declared_layers_are_sound(text: str) -> None:
    assert found(text) == []
    assert found(f"{text}\r\n  m_Layer: 4") == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("  m_TagString: boss", UNKNOWN_TAG),
        ("  m_TagString: Players", UNKNOWN_TAG),
        ("  m_TagString: 'Boss '", UNKNOWN_TAG),
        ("  m_Layer: 9", UNKNOWN_LAYER),
        ("  m_Layer: 3", UNKNOWN_LAYER),
        ("  m_Layer: 30", UNKNOWN_LAYER),
        ("  m_Layer: 32", UNKNOWN_LAYER),
        ("  m_Layer: 4294967295", UNKNOWN_LAYER),
        ("  m_SortingLayerID: 5", UNKNOWN_SORTING_LAYER),
        ("  m_SortingLayerID: -5", UNKNOWN_SORTING_LAYER),
    ],
)
def test_undeclared_ones_are_faults(text: str, code: str) -> None:
    assert found(f"  m_Name: A\n{text}\n  m_Name: B") == [(code, text.strip())]


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("m_TagString", "Bos", UNKNOWN_TAG),
        ("m_TagString", "Boss", ""),
        ("m_Layer", "10", UNKNOWN_LAYER),
        ("m_Layer", "4", ""),
        ("m_Layer", "31", ""),
        ("m_SortingLayerID", "7", UNKNOWN_SORTING_LAYER),
        ("m_Layer", "", ""),
        ("m_Layer", "9" * 5000, ""),  # no number that Unity or Python reads
        ("m_SortingLayerID", "-" + "9" * 5000, ""),
        ("m_Name", "10", ""),
    ],
)
def test_overrides_count_like_values(name: str, value: str, code: str) -> None:
    row = f"    - target: {{fileID: 1}}\n      propertyPath: {name}\n      value: {value}\n      objectReference: x"
    assert found(row) == ([(code, f"value: {value}")] if code else [])


@pytest.mark.parametrize(
    ("bits", "is_found"), [(4294967295, False), (0, False), (256, False), (512, True), (520, True), (1 << 31, False)]
)
def test_a_camera_that_sees_no_layer(bits: int, is_found: bool) -> None:  # noqa: FBT001 - a row
    text = f"  m_CullingMask:\n    serializedVersion: 2\n    m_Bits: {bits}"
    assert found(text) == ([(UNKNOWN_LAYER, "m_CullingMask:")] if is_found else [])
