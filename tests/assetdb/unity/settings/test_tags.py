"""Tags, layers and axes as the settings of Unity 4 to 6 have them."""

from __future__ import annotations

import pytest

from assetdb.unity.settings.tags import BUILT_IN_TAGS, read_axes, read_tags

HEAD = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!78 &1\nTagManager:\n"
NEW = HEAD + (
    "  serializedVersion: 2\n  tags:\n  - Boss\n  - 'it''s'\n  layers:\n  - Default\n  - TransparentFX\n"
    "  - Ignore Raycast\n  - \n  - Water\n  - UI\n  - \n  - \n  - Ground\n"
    "  m_SortingLayers:\n  - name: Default\n    uniqueID: 0\n    locked: 0\n"
    "  - name: Far\n    uniqueID: 4270805871\n    locked: 0\n  m_RenderingLayers:\n  - Default\n"
)
OLD = HEAD + (
    "  tags:\n  - Boss\n  Builtin Layer 0: Default\n  Builtin Layer 1: TransparentFX\n  Builtin Layer 4: Water\n"
    "  User Layer 8: Ground\n  User Layer 9: \n  m_SortingLayers:\n  - name: Far\n    userID: 1\n    uniqueID: 7\n"
)


@pytest.mark.parametrize("text", [NEW, NEW.replace("\n", "\r\n"), OLD])
def test_layers_have_their_numbers(text: str) -> None:
    tags = read_tags(text.encode())
    assert tags is not None
    assert tags.tags >= {*BUILT_IN_TAGS, "Boss"}
    assert len(tags.layers) == 32
    assert {number: name for number, name in enumerate(tags.layers) if name and number not in (2, 5)} == {
        0: "Default",
        1: "TransparentFX",
        4: "Water",
        8: "Ground",
    }
    assert tags.sorting == ({0, 7} if text == OLD else {0, 4270805871} if text == NEW else tags.sorting)


def test_a_layer_over_31_is_none() -> None:
    tags = read_tags(OLD.replace("Layer 9: ", "Layer 32: Ghost\n  User Layer 72: Ghost").encode())
    known = read_tags(OLD.encode())
    assert tags is not None
    assert known is not None
    assert tags.layers == known.layers


def test_a_file_that_tells_nothing_is_none() -> None:
    for text in ("", "garbage", HEAD, f"{HEAD}  tags:\n  - A\n"):
        assert read_tags(text.encode()) is None


def test_an_empty_list_of_tags_has_the_built_in_ones() -> None:
    tags = read_tags((HEAD + "  tags: []\n  layers:\n  - Default\n  m_SortingLayers: []\n").encode())
    assert tags is not None
    assert (tags.tags, tags.sorting) == (frozenset(BUILT_IN_TAGS), frozenset({0}))
    assert tags.layers[:6] == ("Default", "TransparentFX", "Ignore Raycast", "", "Water", "UI")


def test_axes_are_named() -> None:
    text = (
        "--- !u!13 &1\nInputManager:\n  m_Axes:\n  - serializedVersion: 3\n    m_Name: Horizontal\n    gravity: 3\n"
        "  - serializedVersion: 3\n    m_Name: Mouse X\n    gravity: 0\n"
    )
    assert read_axes(text.encode()) == {"Horizontal", "Mouse X"}
    assert read_axes(b"") == frozenset()
