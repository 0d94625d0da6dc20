"""Events that call a script's methods: in scenes, in overrides, by derived classes, and in animations."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.scripts.callers import ANIMATION, EVENT, OVERRIDE, callers_of
from assetdb.cli import main
from assetdb.query.snapshots.snapshot import open_project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot

HEAD = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
GUN, TURRET, OTHER, BUTTON = ("a" * 31 + digit for digit in "1234")
PREFAB = "b" * 32


def call(target: str, method: str, *, state: int = 2) -> str:
    return (
        f"      - m_Target: {{{target}}}\n        m_TargetAssemblyTypeName: \n        m_MethodName: {method}\n"
        f"        m_Mode: 1\n        m_CallState: {state}\n"
    )


def component(file_id: int, script: str, body: str = "", *, stripped: str = "") -> str:
    text = f"--- !u!114 &{file_id}{stripped}\nMonoBehaviour:\n"
    return text + f"  m_GameObject: {{fileID: 10}}\n  m_Script: {{fileID: 11500000, guid: {script}, type: 3}}\n{body}"


def button(file_id: int, calls: str) -> str:
    return component(file_id, BUTTON, f"  m_OnClick:\n    m_PersistentCalls:\n      m_Calls:\n{calls}")


def override(path: str, value: str, reference: str = "fileID: 0") -> str:
    return (
        f"    - target: {{fileID: 30, guid: {PREFAB}, type: 3}}\n      propertyPath: {path}\n      value: {value}\n"
        f"      objectReference: {{{reference}}}\n"
    )


OBJECT = (
    "--- !u!1 &10\nGameObject:\n  m_Component:\n  - component: {fileID: 20}\n  - component: {fileID: 30}\n"
    "  m_Name: Menu\n"
)
CALLS = "m_OnClick.m_PersistentCalls.m_Calls.Array.data[{}].{}"
FILES = {
    "Assets/Gun.cs": (
        GUN,
        "using UnityEngine;\npublic class Gun : MonoBehaviour { public void Fire() {} public void Stop() {} }\n",
    ),
    "Assets/Turret.cs": (TURRET, "public class Turret : Gun { }\n"),
    "Assets/Other.cs": (OTHER, "using UnityEngine;\npublic class Other : MonoBehaviour { public void Fire() {} }\n"),
    "Assets/Menu.prefab": (
        PREFAB,
        HEAD
        + OBJECT
        + component(20, GUN)
        + component(21, OTHER)
        + button(30, call("fileID: 20", "Fire") + call("fileID: 21", "Fire") + call("fileID: 20", "Fire", state=0)),
    ),
    "Assets/Level.unity": (
        "c" * 32,
        HEAD
        + OBJECT
        + component(20, TURRET)
        + button(30, call("fileID: 20", "Fire") + call("fileID: 20", "Stop"))
        + "--- !u!1001 &40\nPrefabInstance:\n  m_Modification:\n    m_Modifications:\n"
        # The prefab's first call is to the gun and its second to the other script; a third one is new here.
        + override(CALLS.format(0, "m_MethodName"), "Stop")
        + override(CALLS.format(1, "m_MethodName"), "Stop")
        + override(CALLS.format(2, "m_MethodName"), "Stop")
        + override(CALLS.format(2, "m_Target"), "", "fileID: 50")
        + override(CALLS.format(3, "m_MethodName"), "Stop")
        + override(CALLS.format(3, "m_TargetAssemblyTypeName"), "Other, Assembly-CSharp")
        + component(50, GUN, stripped=" stripped"),
    ),
    "Assets/Shoot.anim": (
        "d" * 32,
        HEAD
        + "--- !u!74 &7400000\nAnimationClip:\n  m_Name: Shoot\n  m_Events:\n  - time: 1\n    functionName: Fire\n",
    ),
}


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Snapshot]:
    root = tmp_path / "P"
    (root / "ProjectSettings").mkdir(parents=True)
    for path, (guid, text) in FILES.items():
        file = root / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        (root / f"{path}.meta").write_text(f"fileFormatVersion: 2\nguid: {guid}\n")
    opened = open_project(str(root), str(tmp_path / "out"))
    yield opened
    opened.close()


def line_of(path: str, text: str, number: int = 0) -> int:
    lines = FILES[path][1].split("\n")
    return [place for place, line in enumerate(lines, 1) if line.strip() == text][number]


def found(project: Snapshot, script: str, method: str = "") -> list[tuple[str, int, str, str]]:
    return [(row.path, row.line, row.method, row.kind) for row in callers_of(project, script, method)]


def test_a_method_is_called_by_events_of_components_of_the_class_and_of_derived_ones(project: Snapshot) -> None:
    assert found(project, "Assets/Gun.cs", "Fire") == [
        ("Assets/Level.unity", line_of("Assets/Level.unity", "m_MethodName: Fire"), "Fire", EVENT),
        ("Assets/Menu.prefab", line_of("Assets/Menu.prefab", "m_MethodName: Fire"), "Fire", EVENT),
        ("Assets/Shoot.anim", line_of("Assets/Shoot.anim", "functionName: Fire"), "Fire", ANIMATION),
    ]
    assert found(project, "Assets/Turret.cs", "Fire")[0][0] == "Assets/Level.unity"


def test_an_override_calls_what_its_target_is_there_or_in_the_prefab(project: Snapshot) -> None:
    stops = [f"propertyPath: {CALLS.format(number, 'm_MethodName')}" for number in range(4)]
    lines = [line_of("Assets/Level.unity", stop) for stop in stops]
    rows = [(line, kind) for _, line, _, kind in found(project, "Assets/Gun.cs", "Stop") if kind == OVERRIDE]
    assert rows == [(lines[0], OVERRIDE), (lines[2], OVERRIDE)]
    rows = [(line, kind) for _, line, _, kind in found(project, "Assets/Other.cs", "Stop") if kind == OVERRIDE]
    assert rows == [(lines[1], OVERRIDE), (lines[3], OVERRIDE)]


def test_the_command_lists_them_and_refuses_other_assets(
    project: Snapshot, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["usages", "--project", project.root, "--out-dir", str(tmp_path / "out"), "-q"]
    line = line_of("Assets/Menu.prefab", "m_MethodName: Fire", 1)
    assert main([*words, "Assets/Other.cs", "--event"]) == 0
    shown = capsys.readouterr().out.split("\n")
    assert f"Assets/Menu.prefab:{line}  Menu  m_OnClick.m_PersistentCalls.m_Calls[1].m_MethodName  calls Fire" in shown
    assert main([*words, "Assets/Gun.cs", "--method", "Fire", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["total"], answer["callers"][0]["hierarchy"]) == (3, "Menu")
    assert main([*words, "Assets/Gun.cs", "--method", "Reload"]) == 1
    assert "no event calls Reload" in capsys.readouterr().err
    assert main([*words, "Assets/Menu.prefab", "--method", "Fire"]) == 2
    assert main([*words, "Assets/Gun.cs", "--event", "--deep"]) == 2


def found_anew(root: Path, tmp_path: Path) -> list[tuple[str, int, str, str]]:
    opened = open_project(str(root), str(tmp_path / "other"))
    rows = found(opened, "Assets/Gun.cs", "Fire")
    opened.close()
    return rows


@pytest.mark.parametrize("path", ["Assets/Run.fbx", "Assets/Run.FBX", "Assets/Run.blend"])
@pytest.mark.usefixtures("project")
def test_clips_of_models_have_their_events_in_the_meta(tmp_path: Path, path: str) -> None:
    root = tmp_path / "P"
    (root / path).write_text("")
    event = "    clipAnimations:\n    - name: Run\n      events:\n      - time: 0\n        functionName: Fire\n"
    meta = f"fileFormatVersion: 2\nguid: {'e' * 32}\nModelImporter:\n  animations:\n{event}"
    (root / f"{path}.meta").write_text(meta)
    line = meta.split("\n").index("        functionName: Fire") + 1
    assert (f"{path}.meta", line, "Fire", ANIMATION) in found_anew(root, tmp_path)


@pytest.mark.usefixtures("project")
def test_clips_of_buttons_are_in_their_controllers(tmp_path: Path) -> None:
    root = tmp_path / "P"
    clip = "--- !u!74 &7400000\nAnimationClip:\n  m_Name: Press\n  m_Events:\n  - time: 1\n    functionName: Fire\n"
    (root / "Assets/Menu.controller").write_text(HEAD + clip)
    (root / "Assets/Menu.controller.meta").write_text(f"fileFormatVersion: 2\nguid: {'f' * 32}\n")
    assert ("Assets/Menu.controller", 8, "Fire", ANIMATION) in found_anew(root, tmp_path)
