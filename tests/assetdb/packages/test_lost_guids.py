"""GUIDs that a project had and lost, by git's history and by the files that refer to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.packages.lost_guids import Losses
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.history.git_project import commit, git
from tests.assetdb.packages.packages_project import make_root, put
from tests.assetdb.unity_project import HEAD, guid, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot


def user(root: Path, number: int, target: int, assembly: str) -> None:
    text = (
        f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  m_Script: {{fileID: 11500000, guid: {guid(target)}, type: 3}}\n"
    )
    text += f"  m_Name: n\n  m_EditorClassIdentifier: {assembly}::Door\n"
    write(root, f"Assets/u{number}.asset", number, text, "NativeFormatImporter:\n")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_root(tmp_path / "P")


@pytest.fixture
def project(root: Path) -> Iterator[Snapshot]:
    put(root, "Assets/kept.asset", 1)
    user(root, 2, 50, "Assembly-CSharp")
    user(root, 3, 51, "Acme.Tools")
    user(root, 4, 52, "Own.Code")
    user(root, 5, 53, "Assembly-CSharp")
    user(root, 6, 53, "Acme.Tools")
    put(root, "Assets/plain.asset", 7, 54)
    write(root, "Assets/Own.asmdef", 8, '{"name": "Own.Code"}', "AssemblyDefinitionImporter:\n")
    opened = open_project(str(root), str(root / "out"))
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("number", "lost"), [(50, True), (51, False), (52, True), (53, False), (54, False), (99, False)]
)
def test_a_script_of_an_own_assembly_was_lost(project: Snapshot, number: int, lost: bool) -> None:  # noqa: FBT001 - a row
    losses = Losses(project.root, project.folder, lambda: project.database)
    assert losses.has(guid(number)) is lost
    assert losses.has(guid(number)) is lost  # as it is known now
    assert losses.held(guid(number)) is None


def test_without_a_repository_there_is_no_history(project: Snapshot) -> None:
    losses = Losses(project.root, project.folder, lambda: project.database)
    assert (losses.stamp, losses.is_shallow, losses.is_complete) == ("git ", False, False)


def test_an_answer_holds_until_it_expires(project: Snapshot, root: Path) -> None:
    losses = Losses(project.root, project.folder, lambda: project.database)
    assert losses.has(guid(52))
    (root / "Assets/Own.asmdef").write_text('{"name": "Other.Code"}')
    assert losses.has(guid(52))
    losses.expire()
    assert not losses.has(guid(52))


def test_a_guid_that_git_removed_was_lost(root: Path) -> None:
    put(root, "Assets/old.asset", 60)
    put(root, "Assets/kept.asset", 1)
    git(root, "init", "-q", "-b", "main")
    commit(root, "both")
    for end in ("", ".meta"):
        (root / f"Assets/old.asset{end}").unlink()
    removing = commit(root, "one")
    (root / "out").mkdir()
    losses = Losses(str(root), str(root / "out"), lambda: pytest.fail("the history says it"))
    assert losses.stamp.startswith("git ")
    assert losses.stamp != "git "
    found = losses.held(guid(60))
    assert found is not None
    assert found.path == "Assets/old.asset"
    assert removing.startswith(found.commit)
    assert losses.has(guid(60))
    assert losses.held(guid(1)) is None
    assert (losses.is_shallow, losses.is_complete) == (False, True)


def test_a_file_that_was_removed_since_the_last_commit_was_lost(root: Path) -> None:
    put(root, "Assets/old.asset", 60)
    git(root, "init", "-q", "-b", "main")
    commit(root, "one")
    (root / "out").mkdir()
    losses = Losses(str(root), str(root / "out"), lambda: pytest.fail("the index says it"))
    before = losses.stamp
    for end in ("", ".meta"):
        (root / f"Assets/old.asset{end}").unlink()
    found = losses.held(guid(60))
    assert found is not None
    assert found.path == "Assets/old.asset"
    assert losses.stamp == before
    commit(root, "two")
    assert losses.stamp != before
    assert losses.held(guid(60)) is not None
