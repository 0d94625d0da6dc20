"""Which references a build follows, by their form and place."""

from __future__ import annotations

from assetdb.unity.referring.into_builds import Taken, taken_by

A, B, C = "a" * 32, "b" * 32, "c" * 32


def reference(guid: str, file_id: int = 11400000) -> str:
    return f"{{fileID: {file_id}, guid: {guid}, type: 2}}"


def taken(body: str, extension: str = "prefab") -> list[Taken]:
    return taken_by(f"%YAML 1.1\n--- !u!114 &1\nMonoBehaviour:\n{body}".encode(), extension)


def test_fields_and_items_of_lists() -> None:
    assert taken(f"  a: {reference(A)}\n  b:\n  - {reference(B, 5)}\n  - {reference(B, -6)}\n") == [
        Taken(A, frozenset((11400000,)), instance=False),
        Taken(B, frozenset((5, -6)), instance=False),
    ]


def test_a_wrapped_reference_in_capitals() -> None:
    assert taken(f"  a: {{fileID: 7, guid: {A.upper()},\n    type: 3}}\n") == [
        Taken(A, frozenset((7,)), instance=False)
    ]


def test_what_is_not_followed() -> None:
    body = f"  m_Script: {reference(A)}\n  m_AssetGUID: {B}\n  m_SourceFontFile_EditorRef: {reference(C)}\n"
    assert taken(body) == []


def test_an_instance_is_told_from_a_reference() -> None:
    source = f"  m_SourcePrefab: {reference(A)}\n"
    changes = f"    - target: {reference(A, 5)}\n      objectReference: {reference(B)}\n"
    removed = f"    m_RemovedComponents:\n    - {reference(A, 9)}\n"
    body = f"--- !u!1001 &2\nPrefabInstance:\n  m_Modification:\n    m_Modifications:\n{changes}{removed}{source}"
    stripped = f"--- !u!4 &3 stripped\nTransform:\n  m_CorrespondingSourceObject: {reference(A, 4)}\n"
    assert taken(body + stripped) == [
        Taken(A, frozenset(), instance=True),
        Taken(B, frozenset((11400000,)), instance=False),
    ]
    # A field that is called so elsewhere is one.
    own = f"--- !u!114 &4\nMonoBehaviour:\n  target: {reference(A, 8)}\n"
    assert taken(body + own)[0] == Taken(A, frozenset((8,)), instance=True)


def test_other_forms() -> None:
    graph = f'{{"m_Texture": "{{\\"texture\\":{{\\"fileID\\":2800000,\\"guid\\":\\"{A}\\"}}}}", "m_Function": "{B}"}}'
    assert taken_by(graph.encode(), "shadergraph") == [Taken(A, frozenset((2800000,)), instance=False)]
    url = f"project://database/Assets/a.uss?fileID=743&amp;guid={A}&amp;type=3#a"
    assert taken_by(url.encode(), "uxml") == [Taken(A, frozenset((743,)), instance=False)]
    assert taken_by(b"", "prefab") == taken_by(b"\0" * 99, "asset") == []
