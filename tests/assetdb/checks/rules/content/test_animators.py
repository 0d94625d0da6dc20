"""Findings of animator controllers are at the object and property that cannot work."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.content.animators import find_defaults, find_empty_states, find_parameters, find_transitions
from tests.assetdb.checks.rule_cases import CONTROLLER, GOING, animator
from tests.assetdb.checks.rules.views import found_by

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from assetdb.checks.findings.finding import Finding
    from assetdb.memo.view import View


def found(root: Path, rule: Callable[[View], Iterable[Finding]]) -> list[tuple[str, str, int, str]]:
    rows = found_by(rule, root)
    lines = (root / CONTROLLER).read_text().splitlines()
    assert all(row.property_path.rpartition(".")[2] in lines[row.line - 1] for row in rows)
    return [(row.path, row.property_path, row.anchor, row.target) for row in rows]


def test_a_condition_without_its_parameter(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    animator(root, tested="Jmp")
    assert found(root, find_parameters) == [(CONTROLLER, "m_Conditions[0].m_ConditionEvent", 4, "Jmp")]
    (finding,) = found_by(find_parameters, root)
    assert finding.message == "tests the parameter 'Jmp', which the controller lacks; it has Jump"


def test_a_machine_without_a_default(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    animator(root, default=0)
    assert found(root, find_defaults) == [(CONTROLLER, "m_DefaultState", 2, "")]
    assert found(root, find_parameters) == found(root, find_empty_states) == []


def test_a_state_without_a_motion(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    animator(root, motion="{fileID: 0}")
    assert found(root, find_empty_states) == [(CONTROLLER, "m_Motion", 3, "")]
    assert found(root, find_defaults) == []


NOWHERE = GOING.replace("fileID: 3", "fileID: 0")


def test_a_transition_to_nowhere(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    animator(root, going=NOWHERE)
    assert found(root, find_transitions) == [(CONTROLLER, "m_DstState", 4, "")]
    assert found(root, find_defaults) == []


@pytest.mark.parametrize(
    "going",
    [
        GOING,
        GOING.replace("fileID: 3", "fileID: 33"),  # another code tells that no object has the fileID
        NOWHERE.replace("m_IsExit: 0", "m_IsExit: 1"),
        NOWHERE.replace("m_Mute: 0", "m_Mute: 1"),
        NOWHERE.replace("m_DstStateMachine: {fileID: 0}", "m_DstStateMachine: {fileID: 2}"),
        NOWHERE.replace("  m_DstStateMachine: {fileID: 0}\n", ""),  # of Unity 4
        "",
    ],
)
def test_a_transition_to_somewhere(tmp_path: Path, going: str) -> None:
    animator(tmp_path / "Game", going=going)
    assert found(tmp_path / "Game", find_transitions) == []


def test_a_transition_that_nothing_reaches(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    animator(root, going=NOWHERE)
    path = root / CONTROLLER
    path.write_text(path.read_text().replace("  m_AnyStateTransitions:\n  - {fileID: 4}\n", ""))
    assert found(root, find_transitions) == []
