"""Two versions of a text asset, each a file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import FileError
from assetdb.query.compared_files import ComparedFiles
from assetdb.query.snapshots.snapshot import open_project
from assetdb.resolve import sizes
from tests.assetdb.unity_project import HEAD, game_object, guid, make_project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot

REFERRING = (
    "--- !u!114 &300\nMonoBehaviour:\n  m_GameObject: {fileID: 100}\n"
    "  m_Script: {fileID: 11500000, guid: %s, type: 3}\n  friend: {fileID: %d}\n"
)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Snapshot]:
    found = open_project(str(make_project(tmp_path / "project")))
    yield found
    found.close()


def text(name: str, friend: int, more: str = "") -> str:
    return HEAD + game_object(100, name, 0, REFERRING % (guid(3), friend)) + more


def compared(project: Snapshot, folder: Path, old: str, new: str) -> list[tuple[str, int, str, str, list[str]]]:
    (folder / "old.prefab").write_text(old)
    (folder / "new.prefab").write_text(new)
    found = ComparedFiles(project, str(folder / "old.prefab"), str(folder / "new.prefab"))
    shown = [(change, item) for change in found.assets for item in found.objects(change)]
    return [
        (item.change, item.file_id, item.name, item.type, [f"{row.path}: {row.old} {row.new}" for row in item.values])
        for _, item in shown
    ]


def test_values_and_names_are_of_the_two_files(project: Snapshot, tmp_path: Path) -> None:
    more = game_object(500, "Arm", 101)
    rows = compared(project, tmp_path, text("Body", 100), text("Trunk", 500, more))
    assert [row[:4] for row in rows] == [
        ("changed", 100, "new.prefab / Trunk (GameObject)", "GameObject"),
        ("changed", 300, "new.prefab / Trunk (Health)", "Health"),
        ("added", 500, "new.prefab / Trunk / Arm (GameObject)", "GameObject"),
        ("added", 501, "new.prefab / Trunk / Arm (Transform)", "Transform"),
    ]
    assert "old.prefab / Body (GameObject)" in rows[1][4][0]
    assert "new.prefab / Trunk / Arm (GameObject)" in rows[1][4][0]


def test_what_the_inspector_does_not_show_is_no_difference(project: Snapshot, tmp_path: Path) -> None:
    body = text("Body", 100)
    assert compared(project, tmp_path, body, body.replace("m_Name:", "m_ObjectHideFlags: 1\n  m_Name:")) == []
    assert compared(project, tmp_path, body, body.replace("\n", "\r\n")) == []


def test_an_absent_side_is_empty(project: Snapshot, tmp_path: Path) -> None:
    (tmp_path / "new.prefab").write_text(text("Body", 100))
    found = ComparedFiles(project, os.devnull, str(tmp_path / "new.prefab"))
    assert [item.change for item in found.objects(found.assets[0])] == ["added"] * 3


def test_other_files_are_refused(project: Snapshot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = str(tmp_path / "some")
    with pytest.raises(FileError, match="cannot be read"):
        ComparedFiles(project, place, place)
    (tmp_path / "some").write_bytes(b"\0\1\2 no YAML")
    with pytest.raises(FileError, match="not a text asset of Unity"):
        ComparedFiles(project, place, place)
    monkeypatch.setattr(sizes, "LARGEST", 5)
    with pytest.raises(FileError, match="too large to be compared"):
        ComparedFiles(project, place, place)
