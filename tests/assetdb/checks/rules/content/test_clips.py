"""Animation events call functions that scripts of the project declare."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.content.clips import find_events
from tests.assetdb.checks.healthy import put
from tests.assetdb.checks.rule_cases import CLIP, clip, code
from tests.assetdb.checks.rules.views import found_by

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "Game"
    require(folder, "com.unity.timeline")
    body = "public void Step() {} protected void\n  Land (int a) {} public void Swing<T>() {} int Jump { get; set; }"
    code(folder, "Assets/Scripts/Hero.cs", f"class Hero : UnityEngine.MonoBehaviour {{ {body} }}")
    return folder


def require(root: Path, *names: str) -> None:
    (root / "Packages").mkdir(parents=True, exist_ok=True)
    versions = dict.fromkeys(names, "1.6.4")
    (root / "Packages/manifest.json").write_text(json.dumps({"dependencies": versions}))


def found(root: Path) -> list[tuple[str, int, str, str]]:
    return [(row.path, row.line, row.property_path, row.message) for row in found_by(find_events, root)]


def test_a_function_of_no_script_is_told_at_its_event(root: Path) -> None:
    clip(root, "Step", "Stomp", "Land")
    said = "calls Stomp, which no script declares"
    line = (root / CLIP).read_text().splitlines().index("    functionName: Stomp") + 1
    assert found(root) == [(CLIP, line, "m_Events[1].functionName", said)]


def test_an_event_without_a_function_calls_nothing(root: Path) -> None:
    clip(root, "")
    assert [row[3] for row in found(root)] == ["calls no function"]


@pytest.mark.parametrize("name", ["Step", "Land", "SendMessage"])
def test_a_function_of_a_script_or_of_the_engine_is_found(root: Path, name: str) -> None:
    clip(root, name)
    assert found(root) == []


def test_an_event_that_needs_no_receiver_is_not_judged(root: Path) -> None:
    clip(root, "Stomp", options=1)
    assert found(root) == []


def test_a_library_may_have_the_function(root: Path) -> None:
    clip(root, "Stomp")
    put(root, "Assets/Plugins/Lib.dll", "MZ\0Stamp\0Stomp\0", "PluginImporter:\n")
    assert found(root) == []


@pytest.mark.parametrize("name", ["com.acme.steps", "jp.keijiro.steps"])
def test_packages_of_others_may_have_the_function(root: Path, name: str) -> None:
    clip(root, "Stomp")
    require(root, "com.unity.timeline", name)
    assert found(root) == []


def test_events_of_models_are_in_their_metas(root: Path) -> None:
    event = "      - time: 0.3\n        functionName: Stomp\n        data: FootDown\n        messageOptions: 0\n"
    put(
        root,
        "Assets/Run.fbx",
        "",
        f"ModelImporter:\n  animations:\n    clipAnimations:\n    - name: Run\n      events:\n{event}",
    )
    assert [(row[0], row[3]) for row in found(root)] == [
        ("Assets/Run.fbx.meta", "calls Stomp, which no script declares")
    ]
