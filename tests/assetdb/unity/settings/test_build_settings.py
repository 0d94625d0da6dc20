"""Scenes of the build settings, and where packages keep their settings."""

from __future__ import annotations

import time

import pytest

from assetdb.unity.settings.build_settings import BuildScene, build_scenes, settings_object, with_paths

GUID = "0123456789abcdef" * 2
HEAD = "--- !u!1045 &1\nEditorBuildSettings:\n  m_ObjectHideFlags: 0\n  m_Scenes:\n"


def test_scenes_of_every_era() -> None:
    data = (
        f"{HEAD}  - enabled: 1\n    path: Assets/A b.unity\n    guid: {GUID}\n  - enabled: 0\n"
        "    path: 'Assets/It''s.unity'\n  - enabled: 1\n    path: \n    guid: " + GUID + "\n"
    )
    assert build_scenes(data.encode()) == [
        BuildScene(enabled=True, path="Assets/A b.unity", guid=GUID, line=6),
        BuildScene(enabled=False, path="Assets/It's.unity", guid="", line=9),
        BuildScene(enabled=True, path="", guid=GUID, line=11),
    ]


@pytest.mark.parametrize("data", [b"", b"\0" * 50, b"- enabled: x\n path: y", b"- enabled: 1\n"])
def test_what_has_none(data: bytes) -> None:
    assert build_scenes(data) == []


def test_paths_are_texts_of_unity() -> None:
    long = "Assets/" + "a" * 60 + "/b"
    data = (
        f"{HEAD}  - enabled: 1\n    path: {long}\n      - Bouncy #1.unity\n    guid: {GUID.upper()}\n"
        f'  - enabled: 1\n    path: "Assets/\\u0421: a.unity"\n    guid: {GUID}\n'
    )
    expected = [(f"{long} - Bouncy #1.unity", GUID), ("Assets/\u0421: a.unity", GUID)]
    assert [(scene.path, scene.guid) for scene in build_scenes(data.encode())] == expected


def test_settings_of_packages() -> None:
    objects = f"  m_configObjects:\n    com.a.b: {{fileID: 11400000, guid: {GUID.upper()}, type: 2}}\n"
    assert settings_object((HEAD + objects).encode(), "com.a.b") == GUID
    assert settings_object((HEAD + objects).encode(), "com.aXb") == ""
    assert settings_object((HEAD + objects).encode(), "a.b") == ""


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ("Assets/Scenes/Hall 2.unity", "Assets/Scenes/Hall 2.unity"),
        ("Assets/It's.unity", "'Assets/It''s.unity'"),
        ("Assets/a #1: b.unity", "'Assets/a #1: b.unity'"),
        ("Assets/\u0421\u00e9.unity", '"Assets/\\u0421\\u00e9.unity"'),
    ],
)
def test_a_scene_gets_another_path(path: str, written: str) -> None:
    long = "Assets/" + "a" * 70
    data = (
        f"{HEAD}  - enabled: 1\n    path: {long}\n      b.unity\n    guid: {GUID}\n"
        f"  - enabled: 0\n    path: 'Assets/B.unity'\n    guid: {GUID}\n  m_configObjects: {{}}\n"
    )
    first = with_paths(data.encode(), {f"{long} b.unity": path})
    assert first == data.replace(f"{long}\n      b.unity", written).encode()
    assert [scene.path for scene in build_scenes(first or b"")] == [path, "Assets/B.unity"]
    second = with_paths(data.encode(), {"Assets/B.unity": path})
    assert second == data.replace("'Assets/B.unity'", written).encode()
    assert with_paths(data.encode(), {"Assets/C.unity": path}) == data.encode()


def test_an_empty_path_and_binary_settings_stay() -> None:
    data = f"{HEAD}  - enabled: 1\n    path: \n    guid: {GUID}\n".encode()
    assert with_paths(data, {"Assets/A.unity": "Assets/B.unity"}) == data
    assert with_paths(b"", {"a": "b"}) == b""


def test_scenes_are_read_in_proportion_to_their_number() -> None:
    data = b"EditorBuildSettings:\n  m_Scenes:" + b"\n  - enabled: 1\n    path: Assets/A.unity" * 40_000
    began = time.process_time()
    scenes = build_scenes(data)
    assert time.process_time() - began < 3
    assert (len(scenes), scenes[0].line, scenes[-1].line) == (40_000, 4, 80_002)
