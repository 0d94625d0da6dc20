"""Names of assets and folders that a clone on another system cannot have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.repository.portability import find_names
from assetdb.memo.memo import memo_of
from assetdb.memo.view import View
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.checks.rules.views import found_by
from tests.assetdb.history.git_project import git
from tests.assetdb.unity_project import make_project, write
from tests.needs import needs_any_name

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_project(tmp_path / "Game")


def test_a_healthy_project_has_none(root: Path) -> None:
    assert found_by(find_names, root) == []


@needs_any_name
def test_characters_devices_and_ends_are_errors(root: Path) -> None:
    for number, name in enumerate(("a:b.txt", "aux.png", "end.", "plain.txt")):
        write(root, f"Assets/Odd/{name}", 500 + number, "x")
    found = found_by(find_names, root)
    assert [(row.severity, row.path) for row in found] == [
        ("error", f"Assets/Odd/{name}") for name in ("a:b.txt", "aux.png", "end.")
    ]


@needs_any_name
def test_folders_count_as_files_do(root: Path) -> None:
    write(root, "Assets/con/a.txt", 500, "x")
    (root / "Assets/con.meta").write_text(f"fileFormatVersion: 2\nguid: {'b' * 31}1\nfolderAsset: yes\n")
    assert [row.path for row in found_by(find_names, root)] == ["Assets/con"]


def test_names_that_differ_in_case_alone(root: Path) -> None:
    write(root, "Assets/Two/Door.txt", 500, "x")
    write(root, "Assets/Two/door.txt", 501, "x")
    if len(list((root / "Assets/Two").iterdir())) < 4:
        pytest.skip("this file system ignores case")
    (found,) = found_by(find_names, root)
    assert (found.severity, found.path) == ("error", "Assets/Two/door.txt")
    assert "Assets" not in found.message
    assert "Door.txt" in found.message


def test_a_long_path_is_a_warning_counted_from_the_repository(root: Path, tmp_path: Path) -> None:
    room = 259 - len("C:\\Users\\firstname.lastname\\source\\repos\\my-great-project\\") - len(".meta")
    folder = "Assets/" + "/".join(["d" * 20] * 4)
    name = "n" * (room - len(folder) - 1)
    write(root, f"{folder}/{name}", 500, "x")
    assert found_by(find_names, root) == []
    git(tmp_path, "init", "-q", ".")  # the project is now in the folder Game/ of a repository
    (found,) = found_by(find_names, root)
    assert found.severity == "warning"
    assert "264 characters" in found.message


@needs_any_name
def test_without_a_scan_the_database_has_the_names(root: Path, tmp_path: Path) -> None:
    write(root, "Assets/Odd/aux.png", 500, "x")
    assert len(found_by(find_names, root)) == 1
    project = open_project(str(root), str(tmp_path / "Game output"), refresh=False)
    try:
        inputs = memo_of(project).inputs(project)
        inputs.listing = None
        assert [row.path for row in find_names(View(inputs))] == ["Assets/Odd/aux.png"]
    finally:
        project.close()
