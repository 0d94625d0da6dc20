"""Values of fields in assets written by hand, by the names of the fields."""

from __future__ import annotations

from assetdb.unity.yaml.stored_values import stored_values
from tests.assetdb.unity_project import HEAD, guid

SCRIPT = f"  m_Script: {{fileID: 11500000, guid: {guid(5)}, type: 3}}\n"


def behaviour(body: str) -> bytes:
    return f"{HEAD}--- !u!114 &300\nMonoBehaviour:\n{SCRIPT}{body}".encode()


def found(body: str, *names: str) -> list[tuple[str, tuple[str, ...], bool]]:
    return [(row.name, row.parents, row.is_default) for row in stored_values(behaviour(body), names)]


def test_direct_values_and_those_in_lists_and_maps() -> None:
    body = "  speed: 3\n  all:\n  - speed: 0\n    other: 1\n  - speed: 2\n"
    body += "  one:\n    speed: 5\n    deep:\n      speed: 6\n"
    assert found(body, "speed") == [
        ("speed", (), False),
        ("speed", ("all",), True),
        ("speed", ("all",), False),
        ("speed", ("one",), False),
        ("speed", ("one", "deep"), False),
    ]


def test_zero_and_empty_values_are_defaults() -> None:
    for text in ("0", "", "[]", "{}", "{fileID: 0}", "{x: 0, y: 0, z: 0}", "{r: 0, g: 0, b: 0, a: 0}", "-0"):
        is_zero = text != "-0"
        assert found(f"  a: {text}\n  b: 1\n", "a") == [("a", (), is_zero)], text
    for text in ("1", "0.5", "x", "{fileID: 3}", "{x: 0, y: 1}", "\n  - 1", "\n    x: 0", "folded\n    text"):
        assert found(f"  a: {text}\n  b: 1\n", "a") == [("a", (), False)], text


def test_names_are_whole_and_of_behaviours_alone() -> None:
    assert found("  speedy: 1\n  m_speed: 1\n", "speed") == []
    assert stored_values(f"{HEAD}--- !u!4 &1\nTransform:\n  speed: 1\n".encode(), ["speed"]) == []
    assert (
        stored_values(f"{HEAD}--- !u!114 &1 stripped\nMonoBehaviour:\n{SCRIPT}  speed: 1\n".encode(), ["speed"]) == []
    )


def test_overrides_have_their_target_and_the_fields_around() -> None:
    rows = "".join(
        f"    - target: {{fileID: 7, guid: {guid(9)}, type: 3}}\n      propertyPath: {path}\n      value: {value}\n"
        f"      objectReference: {{fileID: {reference}}}\n"
        for path, value, reference in (("speed", "2", 0), ("all.Array.data[1].speed", "0", 0), ("one.speed.x", "", 4))
    )
    data = f"{HEAD}--- !u!1001 &1\nPrefabInstance:\n  m_Modification:\n    m_Modifications:\n{rows}".encode()
    assert [(row.parents, row.target, row.is_default) for row in stored_values(data, ["speed"])] == [
        ((), (guid(9), 7), False),
        (("all",), (guid(9), 7), True),
        (("one",), (guid(9), 7), False),
    ]


def test_a_serialized_reference_names_its_class() -> None:
    body = (
        "  field:\n    rid: 1\n  references:\n    version: 2\n    RefIds:\n    - rid: 1\n"
        "      type: {class: Outer/Sword, ns: Game, asm: Assembly-CSharp}\n      data:\n        damage: 4\n"
    )
    (row,) = stored_values(behaviour(body), ["damage"])
    assert (row.reference, row.parents[-1]) == ("Outer/Sword", "data")


def test_names_with_signs_and_other_bytes_are_plain_text() -> None:
    assert found("  <Rank>k__BackingField: 2\n", "<Rank>k__BackingField") == [("<Rank>k__BackingField", (), False)]
    assert stored_values(b"\xff\x00\n  a: 1\n", ["a"]) == []
    assert stored_values(b"", ["a"]) == []
