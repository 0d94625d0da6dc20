"""Facts of a text asset for a bake: content, class, script and sub-assets."""

from __future__ import annotations

import pytest

from assetdb.unity.yaml.text_asset import conflict_line, name_of_document, read_text_asset
from tests.assetdb.unity_project import HEAD

GUID = "0123456789abcdef0123456789ABCDEF"
SCRIPT = f"  m_Script: {{fileID: 11500000, guid: {GUID}, type: 3}}\n"
ITEM = f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n{SCRIPT}  m_Name: item\n"
MATERIAL = "--- !u!21 &7\nMaterial:\n  m_Name: inner\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ITEM, ("yaml", 114, GUID.lower().encode(), [])),
        (HEAD + MATERIAL, ("yaml", 21, b"", [])),
        (MATERIAL, ("yaml", 21, b"", [])),
        (ITEM.replace("\n", "\r\n"), ("yaml", 114, GUID.lower().encode(), [])),
        (f"{HEAD}--- !u!114 &1\nM:\n  x: 1\n--- !u!114 &2\nM:\n{SCRIPT}", ("yaml", 114, b"", [])),
        (f"{HEAD}--- !u!114 &1\nM:\n  x: {'y' * 2000}\n{SCRIPT}", ("yaml", 114, GUID.lower().encode(), [])),
        ("", ("empty", 0, b"", [])),
        ("text", ("text", 0, b"", [])),
    ],
)
def test_the_first_document_tells_class_and_script(text: str, expected: tuple[str, int, bytes, list[object]]) -> None:
    assert read_text_asset(text.encode(), rows=False) == expected


def test_other_documents_with_names_are_sub_assets() -> None:
    rest = MATERIAL + "--- !u!1 &8\nGameObject:\n  m_Name: g\n--- !u!4 &9\nTransform:\n  m_Name: t\n"
    rest += "--- !u!224 &10\nRectTransform:\n  m_Name: r\n--- !u!74 &-11\nAnimationClip:\n  m_Name: ''\n"
    rest += "--- !u!114 &12\nMonoBehaviour:\n  m_Name: 'it''s'\n--- !u!28 &13\nTexture2D:\n  x: 1\n"
    assert read_text_asset((ITEM + rest).encode(), rows=True)[3] == [(7, 21, b"inner"), (12, 114, b"it's")]
    assert read_text_asset((ITEM + rest).encode(), rows=False)[3] == []


def test_components_of_a_prefab_are_no_sub_assets() -> None:
    text = f"{HEAD}--- !u!1 &1\nGameObject:\n  m_Name: root\n--- !u!114 &2\nMonoBehaviour:\n  m_Name: m\n{MATERIAL}"
    assert read_text_asset(text.encode(), rows=True, prefab=True) == ("yaml", 1, b"", [(7, 21, b"inner")])
    first = f"{HEAD}{MATERIAL}--- !u!1 &1\nGameObject:\n"
    assert read_text_asset(first.encode(), rows=True, prefab=True)[3] == [(7, 21, b"inner")]


@pytest.mark.parametrize(
    ("main", "class_id", "rows"),
    [
        ((), 21, [(5, 74, b"clip")]),
        ((7,), 21, [(5, 74, b"clip")]),
        ((5,), 74, [(7, 21, b"inner")]),
        ((99, 5), 74, [(7, 21, b"inner")]),
        ((99, 7), 21, [(5, 74, b"clip")]),
        ((99,), 21, [(5, 74, b"clip")]),
        ((55,), 21, [(5, 74, b"clip")]),
    ],
)
def test_the_main_object_is_the_first_of_some_that_is_there(
    main: tuple[int, ...], class_id: int, rows: list[tuple[int, int, bytes]]
) -> None:
    text = f"{HEAD}{MATERIAL}  note: a &55 b\n--- !u!74 &5\nAnimationClip:\n  m_Name: clip\n".encode()
    kind, found, _, subs = read_text_asset(text, rows=True, main=main)
    assert (kind, found, subs) == ("yaml", class_id, rows)


@pytest.mark.parametrize(
    ("class_id", "file_id", "kept"),
    [
        ((1 << 32) - 1, 5, True),
        (1 << 32, 5, False),
        (21, (1 << 63) - 1, True),
        (21, 1 << 63, False),
        (21, -(1 << 63), True),
        (21, -(1 << 63) - 1, False),
    ],
)
def test_numbers_beyond_their_bounds_are_no_sub_assets(class_id: int, file_id: int, kept: bool) -> None:  # noqa: FBT001 - a row
    text = f"{ITEM}--- !u!{class_id} &{file_id}\nX:\n  m_Name: n\n"
    assert read_text_asset(text.encode(), rows=True)[3] == ([(file_id, class_id, b"n")] if kept else [])


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"<<<<<<< HEAD\n", 1),
        (b"a\nb\n<<<<<<< HEAD\n", 3),
        (b"a\n<<<<<<<< HEAD\n", 2),
        (b"a\n<<<<<<< x\n<<<<<<< y\n", 2),
        (b"a <<<<<<< HEAD\n<<<<<<< HEAD\n", 2),
        (b"<<<<<< HEAD\n", 0),
        (b"<<<<<<<HEAD\n", 0),
        (b"<<<<<<<<< HEAD\n", 0),
        (b" <<<<<<< HEAD\n", 0),
        (b"a <<<<<<< HEAD", 0),
        (b"", 0),
    ],
)
def test_the_line_of_a_merge_that_is_not_resolved(data: bytes, line: int) -> None:
    assert conflict_line(data) == line


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("\n  m_Name: Door\n", b"Door"),
        ("\n  m_Name: Door 1.x (a), b/c+d-e  \n", b"Door 1.x (a), b/c+d-e"),
        ("\n  m_Name: \n  m_Other: x\n", b""),
        ("\n  m_Name: one\n    two\n", b"one two"),
        ("\n  m_Name: 'a: b'\n", b"a: b"),
        ("\n  m_Name: Door", b"Door"),
        ("\n  m_Other: x\n", b""),
        ("\n    m_Name: deep\n", b""),
    ],
)
def test_the_name_of_a_document(body: str, name: bytes) -> None:
    data = body.encode()
    assert name_of_document(data, 0, len(data)) == name
    assert name_of_document(b"xx" + data + b"\n  m_Name: next\n", 2, 2 + len(data)) == name


@pytest.mark.parametrize(
    ("class_id", "file_id", "is_row"),
    [
        (21, 2**63 - 1, True),
        (21, 2**63, False),
        (21, -(2**63), True),
        (21, -(2**63) - 1, False),
        (2**32 - 1, 7, True),
        (2**32, 7, False),
    ],
)
def test_a_sub_asset_has_numbers_of_unity(class_id: int, file_id: int, *, is_row: bool) -> None:
    text = f"{ITEM}--- !u!{class_id} &{file_id}\nMaterial:\n  m_Name: inner\n"
    expected = [(file_id, class_id, b"inner")] if is_row else []
    assert read_text_asset(text.encode(), rows=True)[3] == expected
