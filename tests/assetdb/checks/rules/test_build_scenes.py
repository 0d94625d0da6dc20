"""The scenes of a build: found by their path, by their GUID, by neither, or by both and not as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.build_scenes import find_empty_list, find_scenes, find_twice
from tests.assetdb.checks.healthy import guid_of, put
from tests.assetdb.checks.rules.views import found_by
from tests.assetdb.unity_project import HEAD

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS = "ProjectSettings/EditorBuildSettings.asset"
LIST = HEAD + "--- !u!1045 &1\nEditorBuildSettings:\n  m_Scenes:\n"
HALL, ROOM = "Assets/Hall.unity", "Assets/Room.unity"
NOBODY = "8f57b4a070f7b43bbb3925467e6752ab"
NO_GUID = "0" * 32


def scene(path: str, guid: str = NO_GUID, *, enabled: bool = True) -> str:
    return f"  - enabled: {int(enabled)}\n    path: {path}\n    guid: {guid}\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "Game"
    for path in (HALL, ROOM):
        put(made, path, HEAD)
    return made


def settle(root: Path, text: str | bytes) -> Path:
    (root / "ProjectSettings").mkdir(exist_ok=True)
    (root / SETTINGS).write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


@pytest.mark.parametrize(
    "row",
    [
        scene(HALL, guid_of(HALL)),
        scene(HALL),
        scene(HALL, NOBODY),  # Unity corrects the GUID by the path
        scene("Assets/Former.unity", guid_of(HALL)),  # and the path by the GUID
        scene("Assets/Gone.unity", NOBODY, enabled=False),
        scene("", NOBODY),
        scene("Packages/com.acme.levels/One.unity", NOBODY),
        scene("Assets/Unlisted/One.unity", NOBODY),
    ],
)
def test_a_scene_that_a_build_finds_or_may_find_is_no_finding(root: Path, row: str) -> None:
    (root / "Assets/Unlisted").mkdir()
    (root / "Assets/Unlisted/One.unity").write_text(HEAD)  # it is there, and has no meta
    assert found_by(find_scenes, settle(root, LIST + row)) == []


@pytest.mark.parametrize("guid", [NOBODY, NO_GUID])
def test_an_enabled_scene_that_neither_path_nor_guid_finds_is_named_with_its_row(root: Path, guid: str) -> None:
    (found,) = found_by(find_scenes, settle(root, LIST + scene(HALL) + scene("Assets/Gone.unity", guid)))
    assert found.code == "build-scene"
    assert (found.path, found.line, found.property_path, found.target) == (SETTINGS, 10, "m_Scenes[1].path", guid)
    assert found.message == "the scene Assets/Gone.unity is not there: a build fails or leaves it out"


@pytest.mark.parametrize("enabled", [True, False])
def test_a_path_and_a_guid_of_two_scenes_disagree(root: Path, enabled: bool) -> None:  # noqa: FBT001
    (found,) = found_by(find_scenes, settle(root, LIST + scene(HALL, guid_of(ROOM), enabled=enabled)))
    assert (found.line, found.property_path) == (7, "m_Scenes[0].path")
    assert found.message == f"path and GUID name two scenes: {HALL} and {ROOM}"


def test_settings_that_are_absent_empty_or_no_yaml_have_no_scenes_to_look_for(root: Path) -> None:
    assert found_by(find_scenes, root) == []
    assert found_by(find_empty_list, root) == []
    assert found_by(find_scenes, settle(root, b"")) == []
    assert found_by(find_scenes, settle(root, "{}\n" + scene("Assets/Gone.unity"))) == []


@pytest.mark.parametrize(
    ("rows", "count"),
    [("", 0), (scene(HALL, enabled=False), 1), (scene(HALL, enabled=False) + scene(ROOM, enabled=False), 2)],
)
def test_a_list_of_which_nothing_is_enabled_is_one_finding_at_its_first_scene(
    root: Path, rows: str, count: int
) -> None:
    found = found_by(find_empty_list, settle(root, LIST + rows))
    expected = f"none of its {count} scenes is enabled: a build takes the scene that is open"
    assert [row.message for row in found] == [expected] * bool(count)
    assert all((row.code, row.line, row.property_path) == ("no-build-scene", 7, "m_Scenes") for row in found)


def test_one_enabled_scene_is_enough(root: Path) -> None:
    assert found_by(find_empty_list, settle(root, LIST + scene(HALL, enabled=False) + scene(ROOM))) == []


def test_a_scene_twice_and_one_in_another_case(root: Path) -> None:
    found = found_by(find_twice, settle(root, LIST + scene(HALL) + scene(ROOM) + scene(HALL) + scene(ROOM.upper())))
    assert [(row.property_path, row.message.partition(":")[0]) for row in found] == [
        ("m_Scenes[2].path", f"{HALL} is the scene 0 of the list, too"),
        ("m_Scenes[3].path", f"{ROOM.upper()} is the scene 1 of the list, too"),
    ]
    (found_once,) = found_by(find_twice, settle(root, LIST + scene(HALL.lower())))
    assert found_once.message == f"the scene's file is called {HALL}: LoadScene and other systems see another name"
    assert found_by(find_twice, settle(root, LIST + scene(HALL) + scene(ROOM))) == []
