"""Files that a sparse checkout leaves out, in checks of the project and of changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.changes.introduced import check_since, check_staged
from assetdb.checks.findings.engine import Report, Selection, check_project
from assetdb.checks.left_out import with_left_out
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.checks.asking import findings_of
from tests.assetdb.history.git_project import commit, git, make_repository, script
from tests.assetdb.unity_project import HEAD, game_object, guid, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot

ONLY = Selection(select=("missing-script", "unknown-guid", "missing-directory"))
CODE = "Assets/Code/Aim.cs"
SAID = f"git has {CODE}, which this sparse checkout leaves out"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A clone without one folder, of which two prefabs use a script."""
    folder = make_repository(tmp_path / "whole")
    (folder / "Packages").mkdir(exist_ok=True)
    for name in ("manifest.json", "packages-lock.json"):  # nothing but the project can have a GUID
        (folder / "Packages" / name).write_text('{"dependencies": {}}')
    write(folder, CODE, 80, "class Aim : UnityEngine.MonoBehaviour {}")
    text = f"fileFormatVersion: 2\nguid: {guid(81)}\nfolderAsset: yes\nDefaultImporter:\n  userData: \n"
    (folder / "Assets/Code.meta").write_text(text)
    use(folder, "One", 82)
    commit(folder)
    use(folder, "Two", 83)
    commit(folder)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--no-checkout", str(folder), str(clone))
    git(clone, "config", "core.sparseCheckout", "true")
    (clone / ".git/info").mkdir(exist_ok=True)
    (clone / ".git/info/sparse-checkout").write_text("/*\n!/Assets/Code/\n")
    git(clone, "checkout", "-q")
    assert not (clone / "Assets/Code").exists()
    return clone


def use(root: Path, name: str, number: int) -> None:
    write(root, f"Assets/Prefabs/{name}.prefab", number, HEAD + game_object(100, name, 0, script(80)))


def ask(root: Path, question: Callable[[Snapshot], Report]) -> list[tuple[str, str, str]]:
    return [(row.severity, row.path, row.message) for row in findings_of(root, question)]


def test_files_that_are_left_out_are_notes_that_name_them(root: Path) -> None:
    assert ask(root, lambda project: check_project(project, ONLY)) == [
        ("note", "Assets/Code.meta", "git has its asset, which this sparse checkout leaves out"),
        ("note", "Assets/Prefabs/One.prefab", SAID),
        ("note", "Assets/Prefabs/Two.prefab", SAID),
    ]
    (root / ".git/info/sparse-checkout").unlink()  # git goes by what its index says
    assert {row[0] for row in ask(root, lambda project: check_project(project, ONLY))} == {"note"}
    (root / ".git/info/sparse-checkout").write_text("/*\n!/Assets/Code/\n")
    git(root, "sparse-checkout", "disable")
    assert ask(root, lambda project: check_project(project, ONLY)) == []


def test_a_change_may_use_a_file_that_is_left_out(root: Path) -> None:
    assert ask(root, lambda project: check_since(project, "HEAD~1", ONLY)) == [
        ("note", "Assets/Prefabs/Two.prefab", SAID)
    ]
    use(root, "Three", 84)
    git(root, "add", "Assets/Prefabs")
    assert ask(root, lambda project: check_staged(project, ONLY)) == [("note", "Assets/Prefabs/Three.prefab", SAID)]


def test_what_git_does_not_have_stays_lost(root: Path) -> None:
    write(root, "Assets/Prefabs/Bad.prefab", 85, HEAD + game_object(100, "Bad", 0, script(86)))
    git(root, "add", "Assets/Prefabs")
    found = ask(root, lambda project: check_staged(project, ONLY))
    assert [row[:2] for row in found] == [("error", "Assets/Prefabs/Bad.prefab")]


def test_without_a_repository_findings_stay(root: Path) -> None:
    (root / ".git").rename(root.parent / "git_of_before")  # its objects are read-only: nobody removes them on Windows
    project = open_project(str(root))
    try:
        found = check_project(project, ONLY).findings
        assert [row.severity for row in found] == ["warning", "error", "error"]
        assert with_left_out(str(root), found) == list(found)
    finally:
        project.close()
