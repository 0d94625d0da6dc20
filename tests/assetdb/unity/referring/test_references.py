from __future__ import annotations

import random
import re

import pytest

from assetdb.unity.facts import NO_REFERENCES
from assetdb.unity.referring.references import exact_runs, joined, meta_references, occurrences, references
from assetdb.unity.yaml.property_path import places

A, B, C = ("a1" * 16, "b2" * 16, "c3" * 16)


def certain(text: str, extension: str = "asset") -> set[str]:
    return {guid.decode() for guid in references(text.encode(), extension.encode()).certain}


def candidates(text: str, extension: str = "asset") -> set[str]:
    return {guid.decode() for guid in references(text.encode(), extension.encode()).candidates}


@pytest.mark.parametrize(
    ("text", "extension"),
    [
        (f"  m_Mesh: {{fileID: 1, guid: {A}, type: 3}}", "prefab"),
        (f"  m_Mesh: {{fileID: 1, guid: {A.upper()}, type: 3}}", "prefab"),
        (f"  m_Mesh: {{fileID: 1, guid: {A},\r\n    type: 3}}", "prefab"),
        (f"  m_Mesh: {{fileID: 1, guid:\n      {A}, type: 3}}", "prefab"),
        (f"  m_TableCollectionName: GUID:{A}\n", "asset"),
        (f"""  x: '{{"obj":{{"fileID":10202,"guid":"{A}","type":0}}}}'\n""", "vfx"),
        (f'{{"references": ["GUID:{A}"]}}', "asmdef"),
        (f'"{{\\"texture\\":{{\\"fileID\\":2800000,\\"guid\\":\\"{A}\\",\\"type\\":3}}}}"', "shadergraph"),
        (f'src="project://database/Assets/a.uss?fileID=7&amp;guid={A}&amp;type=3#a"', "uxml"),
    ],
)
def test_forms_without_doubt(text: str, extension: str) -> None:
    assert certain(text, extension) == {A}
    assert candidates(text, extension) == set()


@pytest.mark.parametrize(
    ("text", "extension"),
    [
        (f"  m_AssetGUID: {A}\n", "asset"),
        (f"  m_AssetGUID: {A}\r\n", "asset"),
        (f"  m_AssetGUID: {A}", "asset"),
        (f"  - {A}\n", "asset"),
        (f"      propertyPath: m_AssetId\n      value: {A}\n", "unity"),
        (f'  "m_FunctionSource": "{A}",\n', "shadersubgraph"),
    ],
)
def test_scalars_are_candidates(text: str, extension: str) -> None:
    assert (certain(text, extension), candidates(text, extension)) == (set(), {A})


@pytest.mark.parametrize(
    "text",
    [
        f"  m_Mesh: {{fileID: 1, guid: {'0' * 32}, type: 3}}",
        f"  hash: {A}a\n",
        f"  data: {A * 3000}\n",
        f'  "m_ObjectId": "{A}"',
        "",
        "\0" * 100,
    ],
)
def test_what_is_no_reference(text: str) -> None:
    assert references(text.encode(), b"asset") == NO_REFERENCES


def test_blobs_hide_nothing() -> None:
    blob = "0123456789abcdef" * 9000
    text = (
        f"  one: {{fileID: 1, guid: {A}, type: 3}}\n  _typelessdata: {blob}\n  two: {{fileID: 1, guid: {B}, type: 3}}\n"
    )
    text += f"  text: {'long words of a text ' * 9000}\n  three: {C}\n"
    assert (certain(text), candidates(text)) == ({A, B}, {C})


def test_a_large_file_refers_to_what_a_small_one_does() -> None:
    curve = "    - time: 0.0333\n      value: -1.7320508\n      inSlope: Infinity\n" * 3000
    for last in (f"  hash: {A}\n", f"  hash: {A}", f"  a: {{fileID: 1, guid: {A}, type: 2}}\n", "  hash: none\n"):
        assert references((curve + last).encode(), b"anim") == references(last.encode(), b"anim")


def test_certainty_wins() -> None:
    both = f"  a: {{fileID: 1, guid: {A}, type: 3}}\n  b: {A}\n"
    assert (certain(both), candidates(both)) == ({A}, set())
    one, other = references(f"x: {A}\n".encode(), b"asset"), references(f"guid: {A}, ".encode(), b"asset")
    assert joined(one, other) == other


def test_a_meta_refers_but_not_to_itself() -> None:
    text = f"fileFormatVersion: 2\nguid: {A}\nModelImporter:\n  x: {{fileID: 1, guid: {B}, type: 2}}\n".encode()
    assert meta_references(text, 60, scalars=False).certain == {B.encode()}
    layered = f'guid: {A}\nNativeFormatImporter:\n  userData: \'{{"layers":["{B}",""]}}\'\n'.encode()
    assert meta_references(layered, 38, scalars=True).candidates == {B.encode()}


def test_clips_that_a_model_is_imported_with_are_no_references() -> None:
    head = f"guid: {A}\nModelImporter:\n  animations:\n    clipAnimations: []\n"
    listed = f"  referencedClips:\n  - {B}\n  - {'c' * 32}\n  importAnimation: 1\n  userData: {'d' * 32}\n"
    assert meta_references((head + listed).encode(), 38, scalars=True).candidates == {b"d" * 32}
    empty = f"  referencedClips: []\n  userData: {B}\n"
    assert meta_references((head + empty).encode(), 38, scalars=True).candidates == {B.encode()}


def test_where_and_what() -> None:
    data = (
        f"--- !u!1 &7\nGameObject:\n  m_Name: Head\n--- !u!114 &-8\nMonoBehaviour:\n  m_GameObject: {{fileID: 7}}\n"
        f"  m_Script: {{fileID: 11500000, guid: {C}, type: 3}}\n"
        f"  rows:\n  - name: x\n    parts:\n    - {{fileID: 3, guid: {A}, type: 2}}\n"
        f"    - {{fileID: 4, guid: {A},\n        type: 2}}\n"
        f"  - name: y\n    parts:\n    - {{fileID: 5, guid: {A}, type: 2}}\n  asset: {A}\n"
    ).encode()
    found = occurrences(data, b"asset", [A.encode()])
    assert [item.file_id for item in found] == [3, 4, 5, None]
    where = places(data, [item.offset for item in found])
    assert [place.path for place in where] == ["rows[0].parts[0]", "rows[0].parts[1]", "rows[1].parts[0]", "asset"]
    assert [place.line for place in where] == [11, 12, 16, 17]
    assert {(place.class_id, place.file_id, place.name, place.script) for place in where} == {(114, -8, "Head", C)}


def test_overrides_of_prefabs() -> None:
    data = (
        f"--- !u!1001 &1\nPrefabInstance:\n  m_Modification:\n    m_Modifications:\n"
        f"    - target: {{fileID: 5, guid: {A}, type: 3}}\n      propertyPath: m_Name\n      value: {A}\n"
        f"      objectReference: {{fileID: 0}}\n    - target: {{fileID: 5, guid: {B},\n        type: 3}}\n"
        f"      propertyPath: m_Mesh\n      value: \n      objectReference: {{fileID: 2, guid: {A}, type: 2}}\n"
        f"  m_Source: {A}\n"
    ).encode()
    where = places(data, [item.offset for item in occurrences(data, b"unity", [A.encode(), B.encode()])])
    start = "m_Modification.m_Modifications"
    assert [(place.path, place.override) for place in where] == [
        (f"{start}[0].target", "m_Name"),
        (f"{start}[0].value", "m_Name"),
        (f"{start}[1].target", "m_Mesh"),
        (f"{start}[1].objectReference", "m_Mesh"),
        ("m_Source", ""),
    ]


def test_where_nothing_refers() -> None:
    data = b"--- !u!1 &7\nGameObject:\n  m_Name: Head\n--- !u!4 &8\nTransform:\n  m_X: 1"
    header = data.index(b"!u!4")
    found = places(data, [0, data.index(b"Head"), header, len(data), len(data) + 9])
    assert [(place.line, place.path) for place in found] == [(1, ""), (3, "m_Name"), (4, ""), (6, "m_X"), (6, "")]


def test_a_deep_nest_makes_no_long_path() -> None:
    depth = 900
    lines = [" " * column + "k" * 500 + ":\n" for column in range(depth)]
    data = "".join(["--- !u!1 &7\n", *lines, " " * depth + f"x: {A}\n"]).encode()
    (place,) = places(data, [data.index(A.encode())])
    assert place.path.startswith("kkk")
    assert len(place.path) < 3000


def test_runs_of_exactly_32_digits_are_those_of_a_plain_pattern() -> None:
    chance = random.Random(7)
    plain = re.compile(rb"(?<![0-9a-fA-F])[0-9a-fA-F]{32}(?![0-9a-fA-F])")
    lengths = (0, 1, 5, 31, 32, 32, 32, 33, 64, 96)
    found = 0
    for _ in range(500):
        words = [bytes(chance.choices(b"0123456789abcdefABCDEF", k=chance.choice(lengths))) for _ in range(12)]
        data = b"".join(word + chance.choice((b"", b"-", b"h", b" ", b"\n", b"\xff")) for word in words)
        expected = [match.start() for match in plain.finditer(data)]
        assert list(exact_runs(data)) == expected
        found += len(expected)
    assert found > 500


@pytest.mark.parametrize("behind", ["", f"  hash: {A}{A}\n", f"  m_GUID: {C}\n", f"  cut: {{fileID: x, guid: {A}}}\n"])
def test_any_other_run_of_digits_changes_nothing_in_the_usual_references(behind: str) -> None:
    upper = A.upper()
    usual = (
        f"--- !u!1 &7\nA:\n  a: {{fileID: -3, guid: {upper}, type: 2}}\n  b: {{fileID: 4, guid: {B},\n    type: 2}}\n"
    )
    found = occurrences((usual + behind).encode(), b"asset", [A.encode()])
    assert found[0] == (usual.index(upper), A.encode(), -3)
    assert [(row.file_id, row.guid) for row in found[1:]] == ([(None, A.encode())] if "cut" in behind else [])
