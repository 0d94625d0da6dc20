"""Counts of events and assets for each member of a script."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.scripts.members import CalledMethod, SetField, members_of
from assetdb.client.engine import Engine
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.checks.scripts.test_callers import FILES as CALLS
from tests.assetdb.checks.scripts.test_callers import HEAD, component

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot

DOOR = "e" * 32
CODE = """using UnityEngine;
public class Door : MonoBehaviour {
  public int speed, hidden;
  [field: SerializeField] public int Size { get; set; }
  public static int count;
}
"""
FILES = CALLS | {
    "Assets/Door.cs": (DOOR, CODE),
    "Assets/Door.prefab": ("6" * 32, HEAD + component(1, DOOR, "  speed: 3\n  hidden: 0\n  count: 9\n")),
    "Assets/Gate.prefab": ("7" * 32, HEAD + component(1, DOOR, "  speed: 4\n  hidden: 0\n")),
    "Assets/Hall.unity": ("8" * 32, HEAD + component(1, DOOR, "  speed: 5\n  <Size>k__BackingField: 2\n")),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "P"
    (root / "ProjectSettings").mkdir(parents=True)
    for path, (guid, text) in FILES.items():
        file = root / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        (root / f"{path}.meta").write_text(f"fileFormatVersion: 2\nguid: {guid}\n")
    return root


@pytest.fixture
def project(root: Path, tmp_path: Path) -> Iterator[Snapshot]:
    opened = open_project(str(root), str(tmp_path / "out"))
    yield opened
    opened.close()


def test_methods_have_the_number_of_their_calls_and_the_first_caller(project: Snapshot) -> None:
    # Fire: of a component of Gun, of one of Turret, which derives from it, and by a clip. Stop: of the scene's
    # component and two overrides.
    methods = members_of(project, "Assets/Gun.cs").methods
    assert methods == [CalledMethod("Fire", 3, "Level / Menu"), CalledMethod("Stop", 3, "Level / Menu")]


def test_fields_have_the_number_of_assets_that_set_them(project: Snapshot) -> None:
    fields = members_of(project, "Assets/Door.cs").fields
    assert fields == [SetField("Door", "Size", 0, 1, 0), SetField("Door", "speed", 2, 1, 0)]


def test_nothing_is_said_of_members_that_no_asset_uses(project: Snapshot) -> None:
    assert members_of(project, "Assets/Turret.cs").fields == []


def test_the_method_answers_as_the_file_is_now(root: Path) -> None:
    engine = Engine(str(root), fresh_for=0.0)
    try:
        assert json.loads(bytes(engine.ask("members", {"query": DOOR})))["fields"][1]["prefabs"] == 2
        (root / "Assets/Gate.prefab").write_text(HEAD + component(1, DOOR, "  speed: 0\n"))
        engine.expire()
        assert json.loads(bytes(engine.ask("members", {"query": DOOR})))["fields"][1]["prefabs"] == 1
    finally:
        engine.close()
