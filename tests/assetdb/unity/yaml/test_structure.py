"""Structural faults of text assets, each at the byte that is to blame."""

from __future__ import annotations

import pytest

from assetdb.unity.yaml.judging.refusals import Judge
from assetdb.unity.yaml.structure import (
    BROKEN_ASSET,
    BROKEN_HIERARCHY,
    DUPLICATE_OBJECT,
    DUPLICATE_OVERRIDE,
    INVALID_TRANSFORM,
    MISSING_OBJECT,
    MISSING_SCRIPT,
    NO_HEADER,
    Fault,
    find_contradictions,
    find_faults,
    missing_objects,
)
from tests.assetdb.unity_project import HEAD, component, game_object

CHILDREN = "  m_Children:\n"


def transform(number: int, father: int, *children: int, owner: int = 0) -> str:
    rows = "".join(f"  - {{fileID: {child}}}\n" for child in children)
    listed = f"{CHILDREN}{rows}" if children else "  m_Children: []\n"
    own = f"  m_GameObject: {{fileID: {owner}}}\n"
    return f"--- !u!4 &{number}\nTransform:\n{own}{listed}  m_Father: {{fileID: {father}}}\n"


def judge() -> Judge:
    return Judge(libyaml=False)


def faults(text: str | bytes) -> list[tuple[str, str, int]]:
    """Return code, the text at the fault, and the object of each."""
    data = text if isinstance(text, bytes) else (HEAD + text).encode()
    return [
        (code, data[offset : offset + 12].decode(), file_id) for code, offset, file_id, _ in find_faults(data, judge())
    ]


@pytest.mark.parametrize(
    "text",
    [
        game_object(10, "a", components=component(108, 20, 10, "Light")),
        transform(1, 0, 2) + transform(2, 1),
        "--- !u!114 &1\nM:\n  a: {fileID: 0}\n  b: {fileID: 1}\n  c: {fileID: 9, guid: 0, type: 3}\n",
        "--- !u!114 &1\nM:\n  text: '{0} and {1'\n",
        "--- !u!1001 &1\nP:\n  m_Added:\n  - addedObject: {fileID: 77}\n",
        "--- !u!4 &1 stripped\nTransform:\n  m_Father: {fileID: 1}\n",
    ],
)
def test_a_sound_file_has_no_faults(text: str) -> None:
    assert faults(text) == []


@pytest.mark.parametrize(
    ("data", "is_damaged"),
    [
        *((b"", False), (b"version https://git-lfs.github.com/spec/v1\n", False), (b'{"a": 1}', False)),
        *((b"<xml>", False), (b"[1]", False), (b"# text", False), (b"// text", False), (b" \n{", False)),
        *((b"hello", True), (b"\0\1\2 binary", True)),
        *((HEAD.encode(), True), (b"\xef\xbb\xbf" + HEAD.encode(), True)),
    ],
)
def test_a_file_without_documents_may_be_damaged(data: bytes, is_damaged: bool) -> None:  # noqa: FBT001 - a row
    assert find_faults(data, judge()) == ([Fault(BROKEN_ASSET, 0, 0)] if is_damaged else [])


@pytest.mark.parametrize("header", ["x", "!u!x &1", "!u!114 &", " !u!114 &1"])
def test_a_file_of_headers_that_are_none_is_damaged(header: str) -> None:
    """Of 223,918 objects in 40,441 files of public projects none has such a header."""
    data = f"{HEAD}--- {header}\nMonoBehaviour:\n  m_Name: A\n".encode()
    assert find_faults(data, judge()) == [Fault(BROKEN_ASSET, len(HEAD), 0, NO_HEADER)]


def test_an_object_that_is_there_twice_is_told_at_the_second() -> None:
    first, second = "--- !u!1 &5\nGameObject:\n  m_Name: a\n", "--- !u!1 &5\nGameObject:\n  m_Name: b\n"
    (fault,) = find_faults((HEAD + first + second).encode(), judge())
    assert (fault.code, fault.file_id) == (DUPLICATE_OBJECT, 5)
    assert fault.offset > len(HEAD + first)


def test_a_reference_to_no_object_is_told_at_its_place() -> None:
    text = "--- !u!114 &1\nM:\n  a: {fileID: 9}\n  b: {fileID: 1}\n  c: {fileID: -9}\n"
    assert faults(text) == [(MISSING_OBJECT, "{fileID: 9}\n", 9), (MISSING_OBJECT, "{fileID: -9}", -9)]


@pytest.mark.parametrize(
    ("rest", "place"),
    [
        ("  a: {fileID: 1\n  b: 2\n", "{fileID: 1\n"),
        ("  a: {fileID: 1, guid: 0\n--- !u!1 &2\nG:\n", "{fileID: 1, "),
        ("  a: {fileID: 1\n  - {fileID: 1}\n", "{fileID: 1\n"),
        ("  a: {x: 1, y", "{x: 1, y"),
    ],
)
def test_a_reference_that_is_not_closed_is_damage(rest: str, place: str) -> None:
    (first, *_) = faults(f"--- !u!114 &1\nM:\n{rest}")
    assert first[0] == BROKEN_ASSET
    assert first[1].startswith(place)


def test_a_component_whose_game_object_does_not_list_it_is_told() -> None:
    text = game_object(10, "a") + component(108, 20, 10, "Light")
    assert faults(text) == [(BROKEN_HIERARCHY, "10}\n", 10)]
    light = component(108, 20, 40, "Light")
    other = game_object(40, "b", components=light).replace("  - component: {fileID: 20}\n", "")
    wrong = game_object(10, "a").replace("  m_Name: a\n", "  - component: {fileID: 20}\n  m_Name: a\n")
    found = faults(wrong + other)
    assert found == [(BROKEN_HIERARCHY, "40}\n", 40)]


def test_children_and_fathers_must_agree() -> None:
    assert faults(transform(1, 0) + transform(2, 1)) == [(BROKEN_HIERARCHY, "1}\n", 1)]
    (one,) = faults(transform(1, 0, 2, 3) + transform(2, 1) + transform(3, 0))
    assert (one[0], one[2]) == (BROKEN_HIERARCHY, 3)
    without = transform(1, 0).replace("  m_Children: []\n", "")
    assert faults(without + transform(2, 1)) == []  # tools may write no list


def test_a_circle_of_fathers_is_told_once() -> None:
    assert faults(transform(1, 3, 2) + transform(2, 1, 3) + transform(3, 2, 1)) == [
        (BROKEN_HIERARCHY, "3}\n--- !u!4 ", 1)
    ]
    alone = transform(1, 1, 1)
    assert faults(alone) == [(BROKEN_HIERARCHY, "1}\n", 1)]


def details(text: str) -> list[tuple[str, str, int, str]]:
    """Return code, the text at the fault, the object and the detail of each."""
    data = (HEAD + text).encode()
    return [
        (code, data[offset : offset + 3].decode(), file_id, said)
        for code, offset, file_id, said in find_faults(data, judge())
    ]


def test_a_component_or_child_that_is_listed_twice_is_told_at_the_second() -> None:
    text = game_object(10, "a", components=component(108, 20, 10, "Light"))
    row = "  - component: {fileID: 20}\n"
    assert faults(text.replace(row, row)) == []
    assert details(text.replace(row, row + row)) == [(BROKEN_HIERARCHY, "20}", 20, "lists its component 20 twice")]
    found = details(transform(1, 0, 2, 3, 2) + transform(2, 1) + transform(3, 1))
    assert found == [(BROKEN_HIERARCHY, "2}\n", 2, "lists its child 2 twice")]


def test_a_game_object_has_one_transform() -> None:
    text = game_object(10, "a")
    own = text.partition("component: {fileID: ")[2].partition("}")[0]
    row = f"  - component: {{fileID: {own}}}\n"
    second = transform(77, 0, owner=10)
    found = details(text.replace(row, f"{row}  - component: {{fileID: 77}}\n") + second)
    assert found == [(BROKEN_HIERARCHY, "77}", 77, f"has two Transforms, {own} and 77")]
    rect = second.replace("!u!4 ", "!u!224 ").replace("Transform:", "RectTransform:")
    found = details(text.replace(row, f"{row}  - component: {{fileID: 77}}\n") + rect)
    assert [fault[0] for fault in found] == [BROKEN_HIERARCHY]


def test_a_game_object_without_a_transform_is_told() -> None:
    light = component(108, 20, 10, "Light")
    text = game_object(10, "a", components=light)
    bare = f"--- !u!1 &10\nGameObject:\n  m_Component:\n  - component: {{fileID: 20}}\n  m_Name: a\n{light}"
    said = "has no Transform: Unity adds one, at the origin"
    assert details(text) == []
    assert details(bare) == [(BROKEN_HIERARCHY, "\nGa", 10, said)]
    assert details("--- !u!1 &10\nGameObject:\n  m_Component: []\n") == [(BROKEN_HIERARCHY, "\nGa", 10, said)]
    assert details("--- !u!1 &10 stripped\nGameObject:\n  m_PrefabInstance: {fileID: 0}\n") == []
    of_old = "--- !u!1 &10\nGameObject:\n  m_Component:\n  - 224: {fileID: 11}\n"
    assert details(of_old + "--- !u!224 &11\nRectTransform:\n  m_GameObject: {fileID: 10}\n") == []
    lost = details(bare.replace("fileID: 20}", "fileID: 21}"))  # the object that is absent may be its Transform
    assert said not in [fault[-1] for fault in lost]


def test_a_component_without_a_script_is_told() -> None:
    empty = "  m_Script: {fileID: 0}\n  m_Name: \n"
    text = game_object(10, "a", components=component(114, 20, 10, "MonoBehaviour", empty))
    assert details(text) == [(MISSING_SCRIPT, "0}\n", 0, "the component has no script: the reference is empty")]
    assert details(text.replace("&20", "&20 stripped")) == []
    assert details(text.replace("m_Script: {fileID: 0}", f"m_Script: {{fileID: 11500000, guid: {'a' * 32}}}")) == []
    asset = f"--- !u!114 &11400000\nMonoBehaviour:\n  m_GameObject: {{fileID: 0}}\n{empty}"
    assert details(asset + "  m_EditorClassIdentifier: UnityEditor.dll:UnityEditor:Kept\n") == []


def test_an_instance_of_no_prefab_is_told() -> None:
    text = overriding((4, "m_Name", "A"))
    assert details(text + f"  m_SourcePrefab: {{fileID: 100100000, guid: {'a' * 32}, type: 3}}\n") == []
    said = "is an instance of no prefab: its objects are lost"
    assert details(text + "  m_SourcePrefab: {fileID: 0}\n") == [(BROKEN_HIERARCHY, "0}\n", 5, said)]
    assert details(text + "  m_SourcePrefab: {fileID: 0}\n  m_IsPrefabAsset: 1\n") == []  # of Unity 2018.2


def overriding(*rows: tuple[int, str, str], parent: int = 0, number: int = 5) -> str:
    listed = "".join(
        f"    - target: {{fileID: {target}, guid: {'a' * 32},\n        type: 3}}\n      propertyPath: {path}\n"
        f"      value: {value}\n      objectReference: {{fileID: 0}}\n"
        for target, path, value in rows
    )
    return (
        f"--- !u!1001 &{number}\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {{fileID: {parent}}}\n"
        f"    m_Modifications:\n{listed}    m_RemovedComponents: []\n"
    )


def test_a_property_that_an_instance_overrides_twice_is_told_once() -> None:
    rows = [(4, "m_Name", "A"), (4, "m_Layer", "1"), (5, "m_Name", "A")]
    assert details(overriding(*rows)) == []
    found = details(overriding(*rows, (4, "m_Name", "B")))
    assert found == [(DUPLICATE_OVERRIDE, "m_N", 4, "overrides m_Name of object 4 2 times")]
    found = details(overriding(*rows, *rows, (4, "m_Name", "A")))
    said = "overrides m_Name of object 4 3 times, and 2 more of its rows"
    assert found == [(DUPLICATE_OVERRIDE, "m_N", 4, said)]
    assert details(overriding(*rows) + overriding(*rows, number=6)) == []


def scene(*roots: int) -> str:
    listed = "".join(f"  - {{fileID: {root}}}\n" for root in roots)
    return f"--- !u!1660057539 &9223372036854775807\nSceneRoots:\n  m_Roots:\n{listed}"


def test_a_scene_lists_each_root_once() -> None:
    text = transform(1, 0, 2) + transform(2, 1) + overriding(number=5) + overriding(number=6, parent=2)
    stand_in = "--- !u!4 &8 stripped\nTransform:\n  m_PrefabInstance: {fileID: 5}\n"
    assert details(text) == []  # before Unity 2022.2
    assert details(text + scene(1, 5)) == []
    assert details(text + stand_in + scene(1, 8)) == []
    assert details(text + scene(1, 5, 1)) == [(BROKEN_HIERARCHY, "1}\n", 1, "lists its root 1 twice")]
    below = "lists its root 2, which has a parent"
    assert details(text + scene(1, 5, 2)) == [(BROKEN_HIERARCHY, "2}\n", 2, below)]
    unlisted = "is a root that the scene does not list"
    assert details(text + scene(5)) == [(BROKEN_HIERARCHY, "0}\n", 1, unlisted)]
    assert details(text + stand_in + scene(1)) == [(BROKEN_HIERARCHY, "0}\n", 5, unlisted)]
    assert [fault[2] for fault in details(text + scene().replace("m_Roots:", "m_Roots: []"))] == [1, 5]


def test_faults_are_in_the_order_of_the_file() -> None:
    text = "--- !u!114 &1\nM:\n  a: {fileID: 9}\n--- !u!114 &1\nM:\n  b: {fileID: 8}\n"
    assert [code for code, _, _ in faults(text)] == [MISSING_OBJECT, DUPLICATE_OBJECT, MISSING_OBJECT]


def test_missing_objects_of_unreached_objects_are_found_alone() -> None:
    data = (HEAD + transform(1, 0) + "--- !u!114 &2\nM:\n  a: {fileID: 9}\n  addedObject: {fileID: 8}\n").encode()
    assert [fault.file_id for fault in missing_objects(data)] == [9]


def test_contradictions_are_found_beside_damage() -> None:
    data = (
        HEAD + transform(1, 0, 2) + transform(2, 3) + transform(3, 0) + "--- !u!114 &4\nM:\n  a: {fileID: 9\n"
    ).encode()
    assert [fault.code for fault in find_contradictions(data)][:1] == [BROKEN_HIERARCHY]


OVERRIDE = (
    "--- !u!1001 &9\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {{fileID: 0}}\n"
    "    m_Modifications:\n    - target: {{fileID: 3, guid: {guid}}}\n"
)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "-1.#IND", "1.#QNAN"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_place_that_is_no_number(number: str, end: str) -> None:
    for key in ("m_LocalPosition", "m_LocalRotation", "m_LocalScale"):
        for values in (f"{{x: {number}, y: 0, z: 0}}", f"{{x: 0, y: 1, z: {number}}}"):
            text = f"--- !u!4 &4\nTransform:\n  m_GameObject: {{fileID: 0}}\n  {key}: {values}\n"
            text = f"{text}  m_Father: {{fileID: 0}}\n".replace("\n", end)
            (fault,) = find_faults((HEAD + text).encode(), judge())
            assert fault.code == INVALID_TRANSFORM
            assert (HEAD + text).encode().startswith(key.encode(), fault.offset)
    text = OVERRIDE.format(guid="7" * 32) + f"      propertyPath: m_LocalPosition.y\n      value: {number}\n"
    text += "      objectReference: {fileID: 0}\n"
    (fault,) = find_faults((HEAD + text.replace("\n", end)).encode(), judge())
    assert (HEAD + text.replace("\n", end)).encode().startswith(b"value: ", fault.offset)


@pytest.mark.parametrize(
    "line",
    [
        "  m_LocalPosition: {x: 1e+38, y: -0, z: 0}\n  m_Name: NaN\n",
        "  m_Name: Infinity\n",
        "  m_Data: {r: NaN, g: NaN, b: 0, a: NaN}\n",  # of a tile map (Lights.prefab of unitystation)
        "  m_AnchoredPosition: {x: NaN, y: 0}\n",  # a layout sets it anew
    ],
)
def test_what_is_no_place_may_be_no_number(line: str) -> None:
    assert (
        find_faults(
            (
                f"{HEAD}--- !u!4 &4\nTransform:\n  m_GameObject: {{fileID: 0}}\n{line}  m_Father: {{fileID: 0}}\n"
            ).encode(),
            judge(),
        )
        == []
    )


def test_a_field_of_a_script_is_no_place() -> None:
    field = "MonoBehaviour:\n  m_GameObject: {fileID: 0}\n  m_LocalPosition: {x: Infinity, y: 0, z: 0}\n"
    place = "Transform:\n  m_GameObject: {fileID: 0}\n  m_LocalScale: {x: NaN, y: 0, z: 0}\n  m_Father: {fileID: 0}\n"
    data = f"{HEAD}--- !u!114 &3\n{field}--- !u!4 &4\n{place}--- !u!114 &5\n{field}".encode()
    assert [data[fault.offset :][:12] for fault in find_faults(data, judge())] == [b"m_LocalScale"]
