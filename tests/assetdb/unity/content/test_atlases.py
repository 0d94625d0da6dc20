"""Rows of sprite atlases, as files of any age have them."""

from __future__ import annotations

import json

import pytest

from assetdb.unity.content.atlases import Atlas, Packed, atlas_of, read_atlas
from tests.assetdb.unity_project import HEAD

ROWS = "".join(f"    - {{fileID: {number}, guid: {number:032x}, type: 3}}\n" for number in (2800000, 102900000))
OLD = f"{HEAD}--- !u!687078895 &4\nSpriteAtlas:\n  m_EditorData:\n    packables:\n{ROWS}    bindAsDefault: 1\n"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_atlas_has_its_rows_each_with_its_place(end: str) -> None:
    data = OLD.replace("\n", end).encode()
    found = read_atlas(data)
    assert [(row.file_id, int(row.guid, 16)) for row in found.packed] == [(2800000, 2800000), (102900000, 102900000)]
    assert all(data.startswith(b"{fileID: %d" % row.file_id, row.place) for row in found.packed)
    assert atlas_of(json.loads(json.dumps(found))) == found
    assert found.is_built


def test_a_row_of_nothing_is_none() -> None:
    rows = f"    - {{fileID: 0}}\n{ROWS}"
    assert read_atlas(OLD.replace(ROWS, rows).encode()).packed[0].file_id == 2800000


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (OLD.replace("Default: 1", "Default: 0"), False),
        ("fileFormatVersion: 2\nSpriteAtlasImporter:\n  bindAsDefault: 0\n", False),
        ("fileFormatVersion: 2\nSpriteAtlasImporter:\n  bindAsDefault: 1\n", True),
        ("fileFormatVersion: 2\nNativeFormatImporter:\n", True),
        ("", True),
    ],
)
def test_builds_have_an_atlas_unless_it_says_otherwise(text: str, expected: bool) -> None:  # noqa: FBT001 - a row
    assert read_atlas(text.encode()).is_built is expected


def test_a_variant_has_no_rows_of_its_own() -> None:
    assert read_atlas(f"{OLD}  m_IsVariant: 1\n".encode()).packed == ()


@pytest.mark.parametrize("rows", [[1], [1, [[1, 2]]], [1, [["x", 1, "a"]]]])
def test_another_form_is_refused(rows: list[object]) -> None:
    with pytest.raises((ValueError, TypeError)):
        atlas_of(rows)
    assert Atlas(True, (Packed(1, 2, "3"),)) == atlas_of([1, [[1, 2, "3"]]])  # noqa: FBT003 - as JSON has it
