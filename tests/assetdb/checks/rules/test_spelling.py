"""Paths beside a GUID in another normal form than the file's."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from assetdb.checks.findings.engine import Selection, check_project
from assetdb.checks.rules.spelling import BUILD_SETTINGS, differ, written_paths
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.checks.healthy import guid_of, make_healthy, put

if TYPE_CHECKING:
    from pathlib import Path

SCENE = "Assets/Caf\u00e9.unity"
DECOMPOSED = "Assets/Cafe\u0301.unity"


def scenes(path: str, guid: str) -> bytes:
    return f"EditorBuildSettings:\n  m_Scenes:\n  - enabled: 1\n    path: {path}\n    guid: {guid}\n".encode()


def test_paths_of_scenes_and_documents() -> None:
    guid = guid_of("x")
    assert written_paths(scenes(SCENE, guid), is_document=False) == [(SCENE, guid, 4)]
    quoted = scenes('"Assets/Cafe\\u0301.unity"', guid)
    assert written_paths(quoted, is_document=False) == [(DECOMPOSED, guid, 4)]
    assert written_paths(scenes('"Assets/Caf\\u00e9', guid), is_document=False) == []  # no quote at its end: plain
    assert written_paths(scenes("Assets/Plain.unity", guid), is_document=False) == []
    url = f'<a src="project://database/{quote(DECOMPOSED)}?fileID=7&amp;guid={guid}&amp;type=3#x"/>'
    assert written_paths(b"\n" + url.encode(), is_document=True) == [(DECOMPOSED, guid, 2)]


def test_only_the_normal_form_differs() -> None:
    assert differ(SCENE, DECOMPOSED)
    assert not differ(SCENE, SCENE)
    assert not differ(SCENE, "Assets/Cafe.unity")


def test_a_scene_of_the_build_in_another_form(tmp_path: Path) -> None:
    root = make_healthy(tmp_path / "Game", 1)
    put(root, SCENE, "%YAML 1.1\n--- !u!29 &1\nOcclusionCullingSettings:\n  m_X: 1\n")
    for written, count in ((DECOMPOSED, 1), (SCENE, 0), ("Assets/Elsewhere/Caf\u00e9.unity", 0)):
        (root / BUILD_SETTINGS).write_bytes(scenes(written, guid_of(SCENE)))
        project = open_project(str(root), str(tmp_path / "out"))
        report = check_project(project, Selection(select=("unicode-mismatch",)))
        project.close()
        assert [row.path for row in report.findings] == [BUILD_SETTINGS] * count
