"""Objects are found by name and component, in one asset or in all."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.client.engine import Engine
from assetdb.errors import UsageError
from assetdb.mcp.answers import TOOLS
from assetdb.query.graph.references import AssetGraph, sites
from assetdb.query.graph.relations import class_text, place_fields
from assetdb.query.objects import ObjectMatch, find_components, find_in
from assetdb.query.selecting.selector import Subject
from assetdb.query.snapshots.snapshot import Snapshot, open_project
from tests.assetdb.unity_project import HEAD, component, game_object, guid, make_project, write

if TYPE_CHECKING:
    from collections.abc import Iterator

SCENE = Subject(guid(8), None)
UI_DLL = "f70555f144d8491a825f0804e09c671c"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Snapshot]:
    root = make_project(tmp_path / "P")
    lamp = component(108, 300, 100, "Light") + component(108, 301, 100, "Light")
    write(root, "Assets/Lamp.prefab", 50, HEAD + game_object(100, "Lamp", components=lamp), "PrefabImporter:\n")
    opened = open_project(str(root), str(tmp_path / "out"))
    yield opened
    opened.close()


def behaviour(file_id: int, script: str) -> str:
    return (
        f"--- !u!114 &{file_id}\nMonoBehaviour:\n  m_GameObject: {{fileID: 100}}\n  m_Enabled: 1\n"
        f"  m_Script: {{{script}, type: 3}}\n"
    )


def test_components_of_packages_and_dlls_that_are_not_here_are_found_by_name(tmp_path: Path) -> None:
    # TextMeshProUGUI is a script of com.unity.textmeshpro, Button a class of the DLL that Unity had until 2019.1.
    scripts = "fileID: 11500000, guid: f4688fdb7df04437aeb418b961361dc5", "fileID: 1392445389, guid: " + UI_DLL
    root = make_project(tmp_path / "P")
    extra = behaviour(300, scripts[0]) + behaviour(301, scripts[1])
    write(root, "Assets/Menu.prefab", 50, HEAD + game_object(100, "Menu", components=extra), "PrefabImporter:\n")
    project = open_project(str(root), str(tmp_path / "out"))
    try:
        for name, file_id in (("TextMeshProUGUI", 300), (scripts[0][-32:], 300), ("Button", 301), (UI_DLL, 301)):
            (found,) = components(project, name)
            assert (found.path, found.file_id, found.name) == ("Assets/Menu.prefab", file_id, "Menu"), name
        (place,) = [site for _, site in sites(project.root, "Assets/Menu.prefab", [UI_DLL]) if site.object_id == 301]
        assert class_text(place, project) == "Button"
        assert place_fields(place, project).keys() == {*place._fields, "class"} - {"script_id"}
        for name in ("TextMeshPro", "Toggle", "Buttn", "0" * 31 + "1"):
            with (
                pytest.raises(UsageError, match="neither a class of Unity nor a script")
                if len(name) < 32
                else nullcontext()
            ):
                assert components(project, name) == []
    finally:
        project.close()


def test_components_of_the_engine_that_are_scripts_are_found_by_name(tmp_path: Path) -> None:
    """As the UIDocument of Pinpoint."""
    root = make_project(tmp_path / "P")
    document = behaviour(300, "fileID: 19102, guid: 0000000000000000e000000000000000")
    write(root, "Assets/Menu.prefab", 50, HEAD + game_object(100, "Menu", components=document), "PrefabImporter:\n")
    project = open_project(str(root), str(tmp_path / "out"))
    try:
        (found,) = components(project, "UIDocument")
        assert (found.path, found.file_id, found.name) == ("Assets/Menu.prefab", 300, "Menu")
        with pytest.raises(UsageError, match="neither a class of Unity nor a script"):
            components(project, "PanelSettings")
    finally:
        project.close()


def components(project: Snapshot, name: str, pattern: str = "") -> list[ObjectMatch]:
    return list(find_components(name, project, AssetGraph(project), project.root, pattern))


def in_scene(project: Snapshot, pattern: str = "", name: str = "") -> list[str]:
    return [row.name for row in find_in(SCENE, "Assets/Main.unity", project, pattern, name).rows]


def test_objects_of_a_scene_are_found_in_nested_prefabs(project: Snapshot) -> None:
    assert in_scene(project, "head") == ["Level / Hero / Body / Head #1"]
    assert in_scene(project, "h*") == ["Level / Hero", "Level / Hero / Body / Head #1"]
    assert in_scene(project, "nothing") == []


def test_objects_beyond_those_that_are_looked_at_are_told_of(
    project: Snapshot, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("assetdb.contents.hierarchy._MOST_STEPS", 3)
    assert find_in(SCENE, "Assets/Main.unity", project).truncated
    assert not find_in(Subject(guid(50), None), "Assets/Lamp.prefab", project).truncated
    main(["find", "--project", project.root, "--out-dir", project.folder, "--in", "Main.unity", "Head*"])
    assert "not all objects were looked at" in capsys.readouterr().err
    engine = Engine(project.root, out_dir=project.folder)
    assert b'"truncated":true' in bytes(engine.ask("objects", {"inside": "Main.unity"}))
    assert "more objects than are looked at" in TOOLS["find"]({"inside": "Main.unity"}, engine).summary
    engine.close()


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


@pytest.mark.parametrize("name", [guid(3), guid(3).upper(), "Assets/Scripts/Health.cs"])
def test_a_script_in_a_scene_has_a_guid_and_a_path_too(project: Snapshot, name: str) -> None:
    assert in_scene(project, name=name) == in_scene(project, name="Health")
    with pytest.raises(UsageError, match="neither a class of Unity nor a script"):
        in_scene(project, name="Assets/Scripts/Helth.cs")


def test_components_of_files_that_share_their_guid_are_found(project: Snapshot) -> None:
    health = behaviour(300, f"fileID: 11500000, guid: {guid(3)}") + component(108, 301, 100, "Light")
    write(Path(project.root), "Assets/Second.prefab", 50, HEAD + game_object(100, "Second", components=health))
    project.expire(0)
    second = ("Assets/Second.prefab", "Second")
    for name in ("Light", "Health"):
        assert second in [(row.path, row.name) for row in components(project, name)]


@pytest.mark.parametrize("name", ["Nonsense", "Nonsense.cs", "GameObject", ""])
def test_a_component_that_is_none_is_said(project: Snapshot, name: str) -> None:
    with pytest.raises(UsageError, match="neither a class of Unity nor a script"):
        components(project, name)


def test_components_are_found_in_files_with_extensions_in_capitals(tmp_path: Path) -> None:
    root = make_project(tmp_path / "P")
    hall = HEAD + game_object(100, "Hall", components=component(108, 300, 100, "Light"))
    for number, path in ((50, "Assets/Hall.UNITY"), (51, "Assets/Hall.Prefab")):
        write(root, path, number, hall, "DefaultImporter:\n")
    project = open_project(str(root), str(tmp_path / "out"))
    try:
        assert [found.path for found in components(project, "Light")] == ["Assets/Hall.Prefab", "Assets/Hall.UNITY"]
    finally:
        project.close()


def test_scripts_of_one_name_are_told_apart_by_their_paths(project: Snapshot) -> None:
    write(Path(project.root), "Assets/Other/Health.cs", 51, "class Health {}\n")
    again = open_project(project.root, project.folder)
    with pytest.raises(UsageError, match=r"Assets/Other/Health\.cs, Assets/Scripts/Health\.cs"):
        components(again, "Health")
    assert len(components(again, "Assets/Scripts/Health.cs")) == 2
    assert components(again, "Assets/Other/Health.cs") == []
    again.close()
