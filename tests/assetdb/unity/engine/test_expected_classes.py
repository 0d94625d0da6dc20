"""Properties whose class is known, and what of them is Unity's own."""

from __future__ import annotations

import pytest

from assetdb.unity.engine.expected_classes import is_certain, is_other_kind, typed_references, written_materials

GUID = "8f57b4a070f7b43bbb3925467e6752ab"


@pytest.mark.parametrize(
    ("name", "class_id", "script", "certain"),
    [
        ("m_Mesh", 33, "", True),
        ("m_Sprite", 212, "", True),
        ("m_Sprite", 114, "fe87c0e1cc204ed48ad3b37840f39efc", True),
        ("m_Sprite", 114, "f5f67c52d1564df4a8936ccd202a3bd8", True),
        ("m_Sprite", 114, "f70555f144d8491a825f0804e09c671c", True),
        ("m_Sprite", 114, GUID, False),
        ("m_Script", 114, GUID, True),
    ],
)
def test_of_scripts_only_images_have_a_sprite_for_certain(
    name: str, class_id: int, script: str, *, certain: bool
) -> None:
    assert is_certain(name, class_id, script) is certain


@pytest.mark.parametrize(
    ("name", "file_id", "path", "other"),
    [
        ("m_Sprite", 2100000, "Assets/Red.mat", True),
        ("m_Sprite", 21300000, "Assets/Red.png", False),
        ("m_Material", 2100000, "Assets/Red.mat", False),
        ("m_Mesh", 2100000, "Assets/Red.mat", True),
        ("m_Mesh", 4300000, "Assets/Tree.fbx", False),
        ("m_Script", 11500000, "Assets/Door.cs", False),
        ("m_Script", 2100000, "Assets/Red.mat", True),
        ("m_Mesh", 4300000, "Assets/Data.asset", False),
    ],
)
def test_another_kind_is_told_by_extension_and_file_id(name: str, file_id: int, path: str, *, other: bool) -> None:
    assert is_other_kind(name, file_id, path) is other
    assert is_other_kind(name, file_id, "Assets/Folder", folder=True)


def test_references_in_lists_of_materials_are_read_too() -> None:
    data = (
        f"Renderer:\n  m_Materials:\n  - {{fileID: 2100000, guid: {GUID}, type: 2}}\n  - {{fileID: 0}}\n"
        f"  - {{fileID: 1,\n    guid: {GUID.upper()}, type: 2}}\n  m_Mesh: {{fileID: 3, guid: {GUID}, type: 2}}\n"
    ).encode()
    found = [(item.name, item.file_id, item.guid.decode()) for item in typed_references(data)]
    assert sorted(found) == [("m_Materials", 1, GUID), ("m_Materials", 2100000, GUID), ("m_Mesh", 3, GUID)]


def test_rows_of_materials_are_told_as_they_are_written() -> None:
    rows = f"\n  - {{fileID: 2100000, guid: {GUID}, type: 2}}\n  - {{fileID: 0}}"
    rows += f"\n  - {{fileID: -1, guid: {GUID.upper()}, type: 3}}"
    data = f"Renderer:\n  m_Materials:{rows}\n  m_Mesh: {{fileID: 3, guid: {GUID}, type: 2}}\n".encode()
    assert list(written_materials(data)) == [(b"2100000", GUID.encode()), (b"-1", GUID.upper().encode())]
    assert list(written_materials(data.replace(b"m_Materials", b"m_Others"))) == []


@pytest.mark.parametrize(
    ("name", "file_id", "path", "other"),
    [
        ("m_Mesh", 11500000, "Assets/Door.cs", True),
        ("m_Mesh", 1, "Assets/Door.cs", True),  # a script has no other objects
        ("m_Script", 1, "Assets/Door.dll", False),
        ("m_Mesh", 2100001, "Assets/Red.mat", False),  # not its main object
        ("m_Mesh", 4300000, "Assets.mat/Tree", False),
    ],
)
def test_only_a_main_object_or_a_script_is_certainly_of_another_kind(
    name: str, file_id: int, path: str, *, other: bool
) -> None:
    assert is_other_kind(name, file_id, path) is other
