"""Bindings of input actions, beside the actions of their map."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.content.inputs import find_axes, find_bindings
from tests.assetdb.checks.healthy import put
from tests.assetdb.checks.rule_cases import actions, event_system
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


def pasted(groups: str, ids: tuple[str, str] = ("a-1", "a-2"), schemes: tuple[str, ...] = ("Keyboard&Mouse",)) -> str:
    """Return a map of two actions, with two bindings of some control schemes."""
    row = {
        "name": "Player",
        "actions": [{"name": name, "id": own} for name, own in zip(("Jump", "Run"), ids, strict=True)],
        "bindings": [{"path": f"<Gamepad>/{n}", "id": f"b-{n}", "groups": groups, "action": "Jump"} for n in (1, 2)],
    }
    listed = [{"name": name, "bindingGroup": name} for name in schemes]
    return json.dumps({"maps": [row], "controlSchemes": listed}, indent=4)


def test_a_control_scheme_that_the_file_lacks_is_told_once_for_a_map(tmp_path: Path) -> None:
    put(tmp_path / "Game", PATH, pasted(";Gamepad;Keyboard&Mouse"))
    (found,) = found_by(find_bindings, tmp_path / "Game")
    assert found.message == (
        "the binding '<Gamepad>/1' is of the control scheme 'Gamepad', which the file lacks, as are 1 more of the map"
    )
    assert (found.property_path, found.target) == ("maps[0].bindings[0].groups", "Gamepad")
    assert '"id": "b-1"' in (tmp_path / "Game" / PATH).read_text().splitlines()[found.line - 1]


@pytest.mark.parametrize(("groups", "schemes"), [(";Gamepad", ()), ("Pad", ("Pad",)), ("", ("Pad",))])
def test_groups_are_no_fault_without_schemes_or_with_theirs(
    tmp_path: Path, groups: str, schemes: tuple[str, ...]
) -> None:
    put(tmp_path / "Game", PATH, pasted(groups, schemes=schemes))
    assert found_by(find_bindings, tmp_path / "Game") == []


@pytest.mark.parametrize(("name", "said"), [("Jump", ["'Jump'"]), ("jump", ["'jump'"]), ("Jump2", []), ("", [])])
def test_two_actions_of_one_name(tmp_path: Path, name: str, said: list[str]) -> None:
    put(tmp_path / "Game", PATH, pasted("").replace('"name": "Run"', f'"name": "{name}"'))
    found = found_by(find_bindings, tmp_path / "Game")
    assert [row.message for row in found] == [f"the map has another action {each}" for each in said]
    assert {row.property_path for row in found} <= {"maps[0].actions[1].name"}


def test_two_actions_of_one_id(tmp_path: Path) -> None:
    put(tmp_path / "Game", PATH, pasted("", ("a-1", "a-1")))
    (found,) = found_by(find_bindings, tmp_path / "Game")
    assert found.message == "the action 'Run' has the id of the action 'Jump'"
    assert found.property_path == "maps[0].actions[1].id"
    lines = (tmp_path / "Game" / PATH).read_text().splitlines()
    assert '"name": "Run"' in lines[found.line - 2]


def test_many_faults_take_one_pass_over_the_file(tmp_path: Path) -> None:
    bindings = [{"path": "x", "id": f"b-{n}", "action": "None"} for n in range(20_000)]
    text = json.dumps({"maps": [{"name": "M", "actions": [], "bindings": bindings}]}, indent=1)
    put(tmp_path / "Game", PATH, text)
    found = found_by(find_bindings, tmp_path / "Game")
    assert len(found) == 20_000
    lines = text.splitlines()
    assert '"id": "b-19999"' in lines[found[-1].line - 1]


def test_an_axis_that_the_settings_lack(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    event_system(root, "Fire9")
    (found,) = found_by(find_axes, root)
    assert (found.path, found.property_path, found.anchor) == ("Assets/Scenes/Menu.unity", "m_SubmitButton", 12)
    assert found.message.startswith("names 'Fire9': ProjectSettings/InputManager.asset has no such axis or button")
    assert "m_SubmitButton" in (root / found.path).read_text().splitlines()[found.line - 1]


@pytest.mark.parametrize(("name", "handler", "enabled"), [("Submit", 0, 1), ("Fire9", 1, 1), ("Fire9", 2, 0)])
def test_an_event_system_that_asks_for_no_absent_axis(tmp_path: Path, name: str, handler: int, enabled: int) -> None:
    event_system(tmp_path / "Game", name, handler, enabled)
    assert found_by(find_axes, tmp_path / "Game") == []


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("Assets/Scenes/Menu.unity", "  m_Name: Menu\n", "  m_Name: Menu\n  m_IsActive: 0\n"),
        ("ProjectSettings/ProjectSettings.asset", "activeInputHandler: 0", "disableOldInputManagerSupport: 1"),
    ],
)
def test_an_event_system_that_is_off_and_the_former_name_of_a_setting(
    tmp_path: Path, name: str, before: str, after: str
) -> None:
    event_system(tmp_path / "Game", "Fire9")
    path = tmp_path / "Game" / name
    assert before in path.read_text()
    path.write_text(path.read_text().replace(before, after))
    assert found_by(find_axes, tmp_path / "Game") == []


@pytest.mark.parametrize("settings", [None, "", "version https://git-lfs.github.com/spec/v1\n"])
def test_axes_that_nobody_knows(tmp_path: Path, settings: str | None) -> None:
    root = tmp_path / "Game"
    event_system(root, "Fire9")
    path = root / "ProjectSettings/InputManager.asset"
    path.unlink() if settings is None else path.write_text(settings)
    assert found_by(find_axes, root) == []
