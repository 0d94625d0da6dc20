"""Bindings of input actions, beside the actions of their map."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.content.inputs import find_bindings
from tests.assetdb.checks.healthy import put
from tests.assetdb.checks.rule_cases import actions
from tests.assetdb.checks.rules.views import found_by

if TYPE_CHECKING:
    from pathlib import Path

PATH = "Assets/Data/Game.inputactions"


def test_a_binding_of_no_action(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    actions(root, "Jmp")
    (found,) = found_by(find_bindings, root)
    assert found.message == "the binding '<Keyboard>/space' is of the action 'Jmp', which the map 'Player' lacks"
    assert (found.path, found.property_path, found.target) == (PATH, "maps[0].bindings[0].action", "Jmp")
    assert '"id": "b-1"' in (root / PATH).read_text().splitlines()[found.line - 1]


@pytest.mark.parametrize("name", ["Jump", "a-1"])
def test_a_binding_by_name_or_id(tmp_path: Path, name: str) -> None:
    root = tmp_path / "Game"
    actions(root, name)
    assert found_by(find_bindings, root) == []


@pytest.mark.parametrize(
    "text",
    [
        *("", "[", "[]", '{"maps": 5}', '{"maps": [5, {"bindings": {}}]}', "[" * 100_000),
        '{"maps": [{"actions": [{"name": [], "id": {}}]}]}',
    ],
)
def test_files_of_another_form_say_nothing(tmp_path: Path, text: str) -> None:
    put(tmp_path / "Game", PATH, text)
    assert found_by(find_bindings, tmp_path / "Game") == []


def test_a_composite_without_an_action(tmp_path: Path) -> None:
    row = {
        "name": "Player",
        "actions": [],
        "bindings": [{"name": "WASD", "action": "", "isComposite": True}],
    }
    put(tmp_path / "Game", PATH, json.dumps({"maps": [row]}))
    (found,) = found_by(find_bindings, tmp_path / "Game")
    assert found.message == "the composite 'WASD' is of no action"
