"""Animator controllers, as Unity 4 to 6 write them."""

from __future__ import annotations

import json

import pytest

from assetdb.unity.content.animators import NO_ANIMATOR, animator_of, read_animator
from tests.assetdb.unity_project import HEAD

CONTROLLER = (
    "--- !u!91 &9100000\nAnimatorController:\n  m_Name: A\n  serializedVersion: 5\n  m_AnimatorParameters:\n"
    "  - m_Name: Speed\n    m_Type: 1\n    m_DefaultFloat: 0\n    m_Controller: {fileID: 9100000}\n"
    "  - m_Name: 'Is: up'\n    m_Type: 4\n    m_DefaultFloat: 0\n    m_Controller: {fileID: 9100000}\n"
    "  m_AnimatorLayers:\n  - serializedVersion: 5\n    m_Name: Base Layer\n    m_StateMachine: {fileID: 2}\n"
)
MACHINE = (
    "--- !u!1107 &2\nAnimatorStateMachine:\n  m_Name: Base Layer\n  m_ChildStates:\n  - serializedVersion: 1\n"
    "    m_State: {fileID: 3}\n  m_DefaultState: {fileID: 3}\n"
)
STATE = (
    "--- !u!1102 &3\nAnimatorState:\n  m_Name: Run\n  m_Transitions:\n  - {fileID: -4}\n"
    "  m_Motion: {fileID: 7400000, guid: 0123456789abcdef0123456789abcdef, type: 2}\n"
)


def transition(number: int, *events: tuple[int, str]) -> str:
    rows = "".join(
        f"  - m_ConditionMode: {mode}\n    m_ConditionEvent: {name}\n    m_EventTreshold: 0\n" for mode, name in events
    )
    return f"--- !u!1101 &{number}\nAnimatorStateTransition:\n  m_Conditions:\n{rows}  m_DstState: {{fileID: 0}}\n"


def test_parameters_and_conditions_are_read() -> None:
    data = (HEAD + CONTROLLER + MACHINE + STATE + transition(-4, (1, "Speed"), (4, "'Is: up'"), (3, "Gone"))).encode()
    animator = read_animator(data)
    assert animator.parameters == ("Speed", "Is: up")
    assert [name for name, _ in animator.conditions] == ["Speed", "Is: up", "Gone"]
    assert [data[place : place + 16] for _, place in animator.conditions] == [b"m_ConditionEvent"] * 3
    assert (animator.without_default, animator.without_motion) == ((), ())
    assert animator_of(json.loads(json.dumps(animator))) == animator


def test_what_the_controller_does_not_reach_does_not_count() -> None:
    text = HEAD + CONTROLLER + MACHINE + STATE + transition(-4) + transition(9, (1, "Gone"))
    text += STATE.replace("&3", "&8").replace(
        "{fileID: 7400000, guid: 0123456789abcdef0123456789abcdef, type: 2}", "{fileID: 0}"
    )
    assert read_animator(text.encode())[1:] == ((), (), (), ("Run",), ())


def test_the_exit_time_of_old_files_is_no_parameter() -> None:
    assert read_animator((HEAD + CONTROLLER + MACHINE + STATE + transition(-4, (5, ""))).encode()).conditions == ()


def test_a_machine_without_a_default_and_a_state_without_a_motion() -> None:
    machine = MACHINE.replace("m_DefaultState: {fileID: 3}", "m_DefaultState: {fileID: 0}")
    state = STATE.replace("{fileID: 7400000, guid: 0123456789abcdef0123456789abcdef, type: 2}", "{fileID: 0}")
    data = (HEAD + CONTROLLER + machine + state).encode()
    animator = read_animator(data)
    assert [data[place:].split(b":")[0] for place in animator.without_default] == [b"m_DefaultState"]
    assert [data[place:].split(b":")[0] for place in animator.without_motion] == [b"m_Motion"]
    empty = machine.replace("  - serializedVersion: 1\n    m_State: {fileID: 3}\n", "")
    assert read_animator((HEAD + CONTROLLER + empty).encode()).without_default == ()


OF_UNITY_4 = (
    "--- !u!1102 &3\nState:\n  m_Name: flames\n  m_Motions:\n"
    "  - {fileID: 7400000, guid: 0123456789abcdef0123456789abcdef, type: 2}\n  m_ParentStateMachine: {fileID: 2}\n"
    "--- !u!1107 &2\nStateMachine:\n  m_Name: Base Layer\n  m_DefaultState: {fileID: 3}\n  m_States:\n  - {fileID: 3}\n"
    "  m_ChildStateMachine: []\n  m_OrderedTransitions: {}\n  m_MotionSetCount: 1\n"
)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_controllers_of_unity_4_list_states_and_motions(end: str) -> None:
    clip = "{fileID: 7400000, guid: 0123456789abcdef0123456789abcdef, type: 2}"

    def read(text: str) -> tuple[list[bytes], list[bytes]]:
        data = (HEAD + CONTROLLER + text).replace("\n", end).encode()
        found = read_animator(data)
        rows = (found.without_default, found.without_motion)
        first, second = ([data[place:].split(b":")[0] for place in places] for places in rows)
        return first, second

    assert read(OF_UNITY_4) == ([], [])
    without = OF_UNITY_4.replace("DefaultState: {fileID: 3}", "DefaultState: {fileID: 0}")
    assert read(without)[0] == [b"m_DefaultState"]
    assert read(without.replace("m_States:\n  - {fileID: 3}", "m_States: []"))[0] == []
    assert read(OF_UNITY_4.replace(clip, "{fileID: 0}"))[1] == [b"m_Motions"]
    assert read(OF_UNITY_4.replace(f"  - {clip}", f"  - {{fileID: 0}}\n  - {clip}"))[1] == []


def test_a_file_without_a_controller_has_none() -> None:
    for text in ("", "garbage", HEAD + MACHINE + STATE):
        assert read_animator(text.encode()) == NO_ANIMATOR
