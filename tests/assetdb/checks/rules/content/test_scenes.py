"""Scenes with two listeners or event systems, of their own and of prefabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.rules.content.scenes import find_singletons
from tests.assetdb.checks.healthy import PREFAB, guid_of, placed, put
from tests.assetdb.checks.rule_cases import listener
from tests.assetdb.checks.rules.views import found_by
from tests.assetdb.unity_project import HEAD

if TYPE_CHECKING:
    from pathlib import Path

SCENE = "Assets/Level.unity"
RIG = "Assets/Rig.prefab"


def said(root: Path, text: str) -> list[tuple[int, int, str]]:
    put(root, SCENE, HEAD + text)
    return [(row.line, row.anchor, row.message) for row in found_by(find_singletons, root)]


def test_two_listeners_of_a_scene_are_told_at_the_second(tmp_path: Path) -> None:
    text = listener(10) + listener(20)
    line = (HEAD + text).split("\n").index("--- !u!81 &22") + 1
    message = "2 active objects have an AudioListener, 'Camera 10', 'Camera 20'"
    assert said(tmp_path, text) == [(line, 22, f"{message}: Unity hears one of them and warns in each frame")]


def test_one_listener_and_one_that_is_off_are_well(tmp_path: Path) -> None:
    assert said(tmp_path, listener(10) + listener(20, enabled=0)) == []
    assert said(tmp_path, listener(10)) == []


def test_a_prefab_at_the_root_counts(tmp_path: Path) -> None:
    put(tmp_path, RIG, HEAD + listener(10), PREFAB)
    (row,) = said(tmp_path, listener(10) + placed(50, RIG, 10, "Rig"))
    assert row[1:2] == (50,)
    assert "'Camera 10', 'Camera 10'" in row[2]
    assert len(said(tmp_path, placed(50, RIG, 10, "Rig") + placed(60, RIG, 10, "Rig"))) == 1
    assert said(tmp_path, placed(50, RIG, 10, "Rig")) == []


def test_extensions_are_taken_in_any_case(tmp_path: Path) -> None:
    put(tmp_path, "Assets/Rig.PREFAB", HEAD + listener(10), PREFAB)
    put(tmp_path, "Assets/Old.UNITY", HEAD + listener(10) + placed(50, "Assets/Rig.PREFAB", 10, "Rig"))
    assert [row.path for row in found_by(find_singletons, tmp_path)] == ["Assets/Old.UNITY"]


def test_a_prefab_that_is_changed_or_absent_does_not_count(tmp_path: Path) -> None:
    put(tmp_path, RIG, HEAD + listener(10, enabled=0), PREFAB)
    assert said(tmp_path, listener(10) + placed(50, RIG, 10, "Rig")) == []
    (tmp_path / RIG).unlink()
    (tmp_path / f"{RIG}.meta").unlink()
    assert guid_of(RIG) in placed(50, RIG, 10, "Rig")
    assert said(tmp_path, listener(10) + placed(50, RIG, 10, "Rig")) == []


def test_each_scene_is_judged_by_itself(tmp_path: Path) -> None:
    put(tmp_path, "Assets/Menu.unity", HEAD + listener(10))
    assert said(tmp_path, listener(10)) == []
