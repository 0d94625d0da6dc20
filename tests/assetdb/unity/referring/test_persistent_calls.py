"""The calls of UnityEvents are found as each version of Unity writes them, with the script of their target."""

from __future__ import annotations

import pytest

from assetdb.unity.referring.persistent_calls import PersistentCall, script_uses
from tests.assetdb.unity_project import HEAD, component, game_object

SCRIPT, OTHER = "ab" * 16, "cd" * 16
ARGUMENTS = """        m_Mode: 5
        m_Arguments:
          m_ObjectArgument: {fileID: 0}
          m_ObjectArgumentAssemblyTypeName: UnityEngine.Object, UnityEngine
          m_StringArgument: m_MethodName
          m_BoolArgument: 0
"""


def call(target: str, method: str = "Open", kind: str = "Door, Game", state: int = 2) -> str:
    named = f"        m_TargetAssemblyTypeName: {kind}\n" if kind else ""
    return (
        f"      - m_Target: {target}\n{named}        m_MethodName: {method}\n{ARGUMENTS}        m_CallState: {state}\n"
    )


def scene(*calls: str) -> bytes:
    door = component(114, 30, 10, "MonoBehaviour", f"  m_Script: {{fileID: 11500000, guid: {SCRIPT}, type: 3}}\n")
    event = "  onClick:\n    m_PersistentCalls:\n      m_Calls:\n" + "".join(calls)
    return (HEAD + game_object(10, "Button") + door + component(114, 31, 10, "MonoBehaviour", event)).encode()


def calls_of(*calls: str) -> list[tuple[str, str, str, int]]:
    return [item[1:5] for item in script_uses(scene(*calls)).calls]


def test_a_call_has_the_script_of_its_target() -> None:
    data = scene(call("{fileID: 30}"))
    found = script_uses(data)
    assert found.scripts == (SCRIPT,)
    (one,) = found.calls
    assert one == PersistentCall(data.index(b"m_MethodName: Open"), "Open", SCRIPT, "", 30, 5)


def test_a_method_may_have_letters_that_unity_escapes() -> None:
    assert [row[0] for row in calls_of(call("{fileID: 30}", '"\\xD6ffnen"'))] == ["Öffnen"]


@pytest.mark.parametrize(
    "kind",
    ["", "Door, Game, Version=0.0.0.0, Culture=neutral,\n          PublicKeyToken=null", "Door"],
    ids=["until 2020", "wrapped", "short"],
)
def test_the_name_of_the_type_may_be_absent_or_wrapped(kind: str) -> None:
    assert calls_of(call("{fileID: 30}", kind=kind)) == [("Open", SCRIPT, "", 30)]


def test_a_target_in_another_asset() -> None:
    far = f"{{fileID: 11400000, guid: {OTHER}, type: 2}}"
    wrapped = far.replace(", type", ",\n          type")
    assert calls_of(call(far), call(wrapped)) == [("Open", "", OTHER, 11400000)] * 2


def test_targets_that_are_no_component_with_a_script() -> None:
    assert calls_of(call("{fileID: 10}"), call("{fileID: 0}"), call("{fileID: 31}")) == [
        *(("Open", "", "", 10), ("Open", "", "", 0), ("Open", "", "", 31)),
    ]


def test_what_calls_nothing() -> None:
    assert calls_of(call("{fileID: 30}", method=""), call("{fileID: 30}", state=0)) == []


def test_line_ends_of_windows() -> None:
    data = scene(call("{fileID: 30}")).replace(b"\n", b"\r\n")
    assert [item.method for item in script_uses(data).calls] == ["Open"]


@pytest.mark.parametrize("data", [b"", b"\0" * 9, b"- m_Target: {fileID: 1}\n" * 9, b"m_MethodName: " * 50_000])
def test_any_bytes_have_an_answer(data: bytes) -> None:
    assert script_uses(data).calls == ()


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("Game Studio.Quests.KillGoal", [("KillGoal", "Studio.Quests", "Game")]),
        ("Assembly-CSharp Goal", [("Goal", "", "Assembly-CSharp")]),
        ("Game Studio.Quest/Goal", [("Quest/Goal", "Studio", "Game")]),
        ("", []),  # of a field that is None
        ("5", []),
    ],
)
def test_types_of_managed_references_in_overrides(value: str, found: list[tuple[str, str, str]]) -> None:
    text = (
        "--- !u!1001 &1\nPrefabInstance:\n  m_Modification:\n    m_Modifications:\n    - target: {fileID: 2}\n"
        f"      propertyPath: 'managedReferences[4611686018427387904]'\n      value: {value}\n"
        "      objectReference: {fileID: 0}\n"
        "    - target: {fileID: 2}\n      propertyPath: managedReferences[5].count\n      value: A B.C\n"
    )
    managed = script_uses(text.encode()).managed
    assert [(each.name, each.namespace, each.assembly) for each in managed] == found
