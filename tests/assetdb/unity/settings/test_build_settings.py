"""Scenes of the build settings, and where packages keep their settings."""

from __future__ import annotations

import pytest

from assetdb.unity.settings.build_settings import BuildScene, build_scenes, settings_object

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
