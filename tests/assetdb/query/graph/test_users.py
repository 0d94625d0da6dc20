"""Who would break if assets were gone."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from assetdb.query.graph import references
from assetdb.query.graph.users import users_of
from assetdb.query.snapshots.snapshot import open_project
from assetdb.system.reading import read_file
from tests.assetdb.unity_project import guid, make_project, write

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.query.graph.users import User


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path)


def users(root: Path, *paths: str) -> list[User]:
    snapshot = open_project(str(root))
    try:
        return users_of(snapshot, paths)
    finally:
        snapshot.close()


def test_objects_and_properties(project: Path) -> None:
    found = users(project, "Assets/data.asset", "Assets/Art/tiles.png")
    assert [tuple(user) for user in found] == [
        ("Assets/Main.unity", 26, "Camera (Health)", "sprite", "Assets/Art/tiles.png")
    ]


def test_what_goes_along_is_no_user(project: Path) -> None:
    assert {user.path for user in users(project, "Assets/Prefabs/Player.prefab")} == {
        *("Assets/Main.unity", "Assets/Prefabs/Level.prefab"),
    }
    assert {user.path for user in users(project, "Assets/Prefabs")} == {"Assets/Main.unity"}
    assert users(project, "Assets") == []


def test_settings_and_folders(project: Path) -> None:
    (project / "ProjectSettings/A.asset").write_text(f"%YAML 1.1\n  a: {{fileID: 1, guid: {guid(9)}, type: 2}}\n")
    entry = f"%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n  m_GUID: {guid(10)}\n"
    write(project, "Assets/group.asset", 20, entry, "NativeFormatImporter:\n  userData: \n")
    found = users(project, "Assets/data.asset", "Assets/Art")
    assert {(user.path, user.target) for user in found} == {
        ("ProjectSettings/A.asset", "Assets/data.asset"),
        ("Assets/group.asset", "Assets/Art"),
        ("Assets/Main.unity", "Assets/Art/tiles.png"),
        ("Assets/Main.unity", "Assets/Art/lost.mat"),
    }


def test_a_guid_that_another_has_too_breaks_nobody(project: Path) -> None:
    for name in ("data.asset", "data.asset.meta"):
        shutil.copy(project / "Assets" / name, project / "Assets/Scripts" / name)
    (project / "ProjectSettings/A.asset").write_text(f"%YAML 1.1\n  a: {{fileID: 1, guid: {guid(9)}, type: 2}}\n")
    assert users(project, "Assets/data.asset") == []
    assert users(project, "Assets/Scripts/data.asset") == []
    assert [user.path for user in users(project, "Assets/data.asset", "Assets/Scripts")][
        -1
    ] == "ProjectSettings/A.asset"


def test_a_file_is_read_once_for_all_that_it_refers_to(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counted(path: str) -> bytes | None:
        read.append(path)
        return read_file(path)

    monkeypatch.setattr(references, "read_file", counted)
    found = users(project, "Assets/Art", "Assets/Scripts", "Assets/data.asset")
    assert len({user.target for user in found if user.path == "Assets/Main.unity"}) > 2
    assert read.count(str(project / "Assets/Main.unity")) == 1
    assert len(read) == len(set(read))
    assert not [path for path in read if path.startswith(str(project / "Assets/Art"))]


def test_what_has_no_guid_has_no_users(project: Path) -> None:
    (project / "Assets/new.txt").write_text("")
    assert users(project, "Assets/new.txt") == []
    assert users(project, "Assets/none.txt") == []
