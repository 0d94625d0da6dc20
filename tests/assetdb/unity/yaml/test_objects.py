"""Objects of a text asset: the few lines that naming needs."""

from __future__ import annotations

import pytest

from assetdb.unity.yaml.objects import NOTHING, Target, TextObject, TextObjects

GUID = "0123456789abcdef0123456789ABCDEF"


def text(body: str, class_id: int = 114) -> TextObject:
    return TextObject(class_id, 5, stripped=False, body=body.encode())


@pytest.mark.parametrize(
    ("value", "target"),
    [
        (f"{{fileID: 7, guid: {GUID}, type: 3}}", Target(7, GUID.lower())),
        (f"{{fileID: -7, guid: {GUID},\n    type: 3}}", Target(-7, GUID.lower())),
        (f"{{fileID: 7,\n    guid: {GUID}}}", Target(7, GUID.lower())),
        (f"{{fileID: -7, guid: {GUID.lower()}, type: 3}}", Target(-7, GUID.lower())),
        (f"{{fileID: 7, guid: {GUID.lower()} , type: 3}}", Target(7, GUID.lower())),
        (f"{{fileID: 7, guid: {GUID.lower()}g, type: 3}}", NOTHING),
        (f"{{fileID: 7x, guid: {GUID.lower()}, type: 3}}", Target(0, GUID.lower())),
        (f"{{fileID: 7, type: 3, guid: {GUID.lower()}, x: 1}}", Target(7, GUID.lower())),
        ("{fileID: 7}", Target(7, "")),
        ("{fileID: 7, type: 3}", Target(7, "")),
        (f"{{fileID: 7, guid: {GUID[:31]}, type: 3}}", NOTHING),
        (f"{{fileID: 7, guid: {GUID}00, type: 3}}", NOTHING),
        (f"{{fileID: 7, guid: {'0' * 32}, type: 3}}", NOTHING),
        (f"{{fileID: 7, guid: {GUID[:31]}g, type: 3}}", NOTHING),
        ("{fileID: x}", NOTHING),
        ("{fileID: 123456789012345678901}", NOTHING),
        ("{fileID: 12345678901234567890}", Target(12345678901234567890, "")),
        ("", NOTHING),
        ("\n  other: {fileID: 7}", NOTHING),
        ("{fileID: 7", Target(7, "")),
    ],
)
def test_a_reference_is_a_file_id_and_perhaps_a_guid(value: str, target: Target) -> None:
    assert text(f"\n  m_Script: {value}").script == target
    assert text(f"\n  m_Other: {value}").script == NOTHING


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (" Door", "Door"),
        (" Door  ", "Door"),
        ("", ""),
        (" 'It''s'", "It's"),
        (' "a\\tb"', "a\tb"),
        (" a # b", "a # b"),
        (" a\n\n    b", "a\nb"),
        (" one\n    two", "one two"),
        (" one\n  m_Other: x", "one"),
        (" \xe4", "\xe4"),
    ],
)
def test_a_name_is_a_scalar(value: str, name: str) -> None:
    assert text(f"\n  m_X: 1\n  m_Name:{value}").name == name


def test_fields_of_both_eras_are_read() -> None:
    new = text(
        f"\n  m_CorrespondingSourceObject: {{fileID: 8, guid: {GUID}, type: 3}}\n  m_PrefabInstance: {{fileID: 9}}"
        f"\n  m_GameObject: {{fileID: 10}}\n  m_Father: {{fileID: 11}}\n  m_SourcePrefab: {{fileID: 1, guid: {GUID}}}"
        "\n    m_TransformParent: {fileID: 12}"
    )
    assert (new.source, new.instance, new.game_object, new.father) == (Target(8, GUID.lower()), 9, 10, 11)
    assert (new.source_prefab, new.transform_parent) == (GUID.lower(), 12)
    old = text(
        f"\n  m_PrefabParentObject: {{fileID: 8, guid: {GUID}}}\n  m_PrefabInternal: {{fileID: 9}}"
        f"\n  m_ParentPrefab: {{fileID: 1, guid: {GUID}}}"
    )
    assert (old.source, old.instance, old.source_prefab) == (Target(8, GUID.lower()), 9, GUID.lower())
    both = text("\n  m_PrefabInstance: {fileID: 0}\n  m_PrefabInternal: {fileID: 9}")
    assert (both.instance, both.source, both.source_prefab, both.transform_parent) == (9, NOTHING, "", 0)


@pytest.mark.parametrize(
    ("rows", "transform"),
    [
        ("\n  - component: {fileID: 11}\n  - component: {fileID: 12}", 11),
        ("\n  - 4: {fileID: 400000}", 400000),
        (" []", 0),
    ],
)
def test_the_first_component_is_the_transform(rows: str, transform: int) -> None:
    assert text(f"\n  m_Icon: {{fileID: 3}}\n  m_Component:{rows}", 1).transform == transform
    assert text("\n  m_Icon: {fileID: 3}", 1).transform == 0


def override(target: str, path: str, value: str) -> str:
    head = f"\n    - target: {target}\n      propertyPath: {path}"
    return f"{head}\n      value:{value}\n      objectReference: {{fileID: 0}}"


def test_names_that_an_instance_overrides() -> None:
    body = override("{fileID: 4, guid: x,\n        type: 3}", "m_Name", " One") + override("{fileID: 5}", "m_X", " 5")
    body += override("{fileID: 6}", "m_Name", "") + override("{fileID: 7}", "m_Name", " 'it''s'")
    body += "\n    - target: {fileID: 8}\n      propertyPath: m_Name\n      other: x"
    assert text(body, 1001).overridden_names() == {4: "One", 6: "", 7: "it's"}
    assert text("\n      propertyPath: m_Name\n      value: lost", 1001).overridden_names() == {}


def test_objects_are_found_by_their_file_ids() -> None:
    head = "--- !u!1 &5\nGameObject:\n  m_Name: a\n--- !u!4 &-6 stripped\nTransform:\n"
    head += "--- !u!1 &5\nGameObject:\n  m_Name: b\n"
    big = f"--- !u!{1 << 32} &7\nA:\n--- !u!1 &{1 << 63}\nB:\n"
    big += f"--- !u!{(1 << 32) - 1} &{(1 << 63) - 1}\nC:\n--- !u!1 &{-(1 << 63)}\nD:\n"
    found = TextObjects((head + big).encode())
    assert list(found.objects) == [5, -6, (1 << 63) - 1, -(1 << 63)]
    assert (found.objects[5].name, found.objects[-6].stripped, found.kind) == ("a", True, "yaml")
    assert found.main is found.objects[5]
    windows = TextObjects(head.replace("\n", "\r\n").encode())
    assert windows.objects[5] == found.objects[5]


@pytest.mark.parametrize(("data", "kind"), [(b"", "empty"), (b"text", "text"), (b"\0x", "binary")])
def test_a_file_without_documents_has_no_objects(data: bytes, kind: str) -> None:
    found = TextObjects(data)
    assert (found.kind, found.objects, found.instances, found.main) == (kind, {}, [], None)


def test_instances_have_a_source() -> None:
    one = f"--- !u!1001 &5\nPrefabInstance:\n  m_SourcePrefab: {{fileID: 1, guid: {GUID}, type: 3}}\n"
    found = TextObjects((one + "--- !u!1001 &6\nPrefab:\n  m_ParentPrefab: {fileID: 0}\n").encode())
    assert found.instances == found.instances == [(5, GUID.lower())]
