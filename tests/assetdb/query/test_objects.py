"""Objects are found by name and component, in one asset or in all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import UsageError
from assetdb.query.graph.references import AssetGraph
from assetdb.query.objects import ObjectMatch, find_components, find_in
from assetdb.query.selecting.selector import Subject
from assetdb.query.snapshots.snapshot import Snapshot, open_project
from tests.assetdb.unity_project import HEAD, component, game_object, guid, make_project, write

if TYPE_CHECKING:
    from collections.abc import Iterator

SCENE = Subject(guid(8), None)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Snapshot]:
    root = make_project(tmp_path / "P")
    lamp = component(108, 300, 100, "Light") + component(108, 301, 100, "Light")
    write(root, "Assets/Lamp.prefab", 50, HEAD + game_object(100, "Lamp", components=lamp), "PrefabImporter:\n")
    opened = open_project(str(root), str(tmp_path / "out"))
    yield opened
    opened.close()


def components(project: Snapshot, name: str, pattern: str = "") -> list[ObjectMatch]:
    return list(find_components(name, project, AssetGraph(project), project.root, pattern))


def in_scene(project: Snapshot, pattern: str = "", name: str = "") -> list[str]:
    return [row.name for row in find_in(SCENE, "Assets/Main.unity", project, pattern, name).rows]


def test_objects_of_a_scene_are_found_in_nested_prefabs(project: Snapshot) -> None:
    assert in_scene(project, "head") == ["Level / Hero / Body / Head #1"]
    assert in_scene(project, "h*") == ["Level / Hero", "Level / Hero / Body / Head #1"]
    assert in_scene(project, "nothing") == []


def test_objects_of_a_scene_are_found_by_component(project: Snapshot) -> None:
    assert in_scene(project, name="Health") == ["Camera", "Level / Hero / Body"]
    assert in_scene(project, "cam", "Health.cs") == ["Camera"]
    assert in_scene(project, name="Light") == []


@pytest.mark.parametrize("name", ["Health", "Health.cs", "Assets/Scripts/Health.cs"])
def test_components_of_a_script_are_found_in_all_files(project: Snapshot, name: str) -> None:
    assert components(project, name) == [
        ObjectMatch(guid(8), 20, "Camera", "Assets/Main.unity", "Health"),
        ObjectMatch(guid(1), 300, "Player / Body", "Assets/Prefabs/Player.prefab", "Health"),
    ]
    assert [row.name for row in components(project, name, "b?dy")] == ["Player / Body"]


def test_components_of_the_engine_are_found_in_all_files(project: Snapshot) -> None:
    assert components(project, "Light") == [
        ObjectMatch(guid(50), number, "Lamp", "Assets/Lamp.prefab", "Light") for number in (300, 301)
    ]
    assert components(project, "Rigidbody") == []


@pytest.mark.parametrize("name", ["Nonsense", "Nonsense.cs", "GameObject", ""])
def test_a_component_that_is_none_is_said(project: Snapshot, name: str) -> None:
    with pytest.raises(UsageError, match="neither a class of Unity nor a script"):
        components(project, name)


def test_scripts_of_one_name_are_told_apart_by_their_paths(project: Snapshot) -> None:
    write(Path(project.root), "Assets/Other/Health.cs", 51, "class Health {}\n")
    again = open_project(project.root, project.folder)
    with pytest.raises(UsageError, match=r"Assets/Other/Health\.cs, Assets/Scripts/Health\.cs"):
        components(again, "Health")
    assert len(components(again, "Assets/Scripts/Health.cs")) == 2
    assert components(again, "Assets/Other/Health.cs") == []
    again.close()
