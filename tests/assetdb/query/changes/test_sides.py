"""Changes of assets whose metas have names in another case, or with other bytes for the same letters."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from assetdb.query.changes.sides import Metas
from assetdb.query.differences import MOVED, RENAMED, compared_projects, compared_revisions, within
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.history.git_project import commit, git, make_repository
from tests.assetdb.unity_project import guid, write
from tests.needs import ignores_case

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.query.differences import AssetChange, Comparison

BOAT, META = "Assets/Boat/AiController.cs", "Assets/Boat/AIcontroller.cs.meta"  # as in BoatAttack
FOLDER, FOLDER_META = "Assets/Models", "Assets/models.meta"
SIDES = pytest.mark.parametrize("side", ["disk", "revisions", "folders"])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = make_repository(tmp_path / "repository")
    if ignores_case(root):
        pytest.skip("a meta is found in any case here")
    write(root, BOAT, 70, "class AiController {}\n")
    (root / f"{BOAT}.meta").rename(root / META)
    write(root, f"{FOLDER}/thing.txt", 72, "thing\n")
    (root / FOLDER_META).write_text(f"fileFormatVersion: 2\nguid: {guid(71)}\nfolderAsset: yes\n")
    commit(root)
    return root


@contextmanager
def compared(root: Path, side: str) -> Iterator[Comparison]:
    """Compare the last commit with the edited disk, as a commit of it, or as a folder."""
    if side == "folders":
        place = root.parent / "older"
        git(root, "worktree", "add", "-qf", "--detach", str(place), "HEAD")
        old, new = open_project(str(place), str(root.parent / "out")), open_project(str(root))
        yield compared_projects(old, new)
        old.close()
        new.close()
        return
    if side == "revisions":
        commit(root)
    project = open_project(str(root))
    with compared_revisions(project, "HEAD" if side == "disk" else "HEAD~1..HEAD") as found:
        yield found
    project.close()


def seen(row: AssetChange) -> tuple[str, str, str, str, bool, bool]:
    return row.change, row.guid, row.old_path, row.path, row.file, row.meta


@SIDES
def test_an_edit_of_the_asset_alone(root: Path, side: str) -> None:
    (root / BOAT).write_text("class AiController { int speed; }\n")
    with compared(root, side) as found:
        assert [seen(row) for row in found.assets] == [("changed", guid(70), "", BOAT, True, False)]
        assert [row.path for row in within(found, [META]).assets] == [BOAT]


@SIDES
def test_an_edit_of_the_meta_alone(root: Path, side: str) -> None:
    meta = root / META
    text = meta.read_text()
    meta.write_text(f"{text.rstrip()}\nMonoImporter:\n  executionOrder: 0\n")
    commit(root)
    meta.write_text(f"{text.rstrip()}\nMonoImporter:\n  executionOrder: 5\n")
    with compared(root, side) as found:
        (row,) = found.assets
        assert seen(row) == ("changed", guid(70), "", BOAT, False, True)
        (item,) = found.objects(row)
        assert item.name == "AIcontroller.cs.meta"
        assert [value.path for value in item.values] == ["executionOrder"]


@SIDES
def test_the_asset_is_removed_with_or_without_its_meta(root: Path, side: str) -> None:
    (root / BOAT).unlink()
    with compared(root, side) as found:
        assert [(row.change, row.path) for row in found.assets] == [("removed", BOAT)]


@SIDES
def test_both_are_removed_and_added_again(root: Path, side: str) -> None:
    kept = {path: (root / path).read_bytes() for path in (BOAT, META)}
    for path in kept:
        (root / path).unlink()
    if side == "disk":
        with compared(root, side) as found:
            assert [seen(row) for row in found.assets] == [("removed", guid(70), "", BOAT, True, True)]
    commit(root)
    for path, data in kept.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_bytes(data)
    with compared(root, side) as found:
        assert [seen(row) for row in found.assets] == [("added", guid(70), "", BOAT, True, True)]


@SIDES
def test_an_asset_beside_an_orphaned_meta_is_added(root: Path, side: str) -> None:
    data = (root / BOAT).read_bytes()
    (root / BOAT).unlink()
    commit(root)
    (root / BOAT).write_bytes(data)
    with compared(root, side) as found:
        assert [(row.change, row.path) for row in found.assets] == [("added", BOAT)]


@SIDES
@pytest.mark.parametrize("is_edited", [False, True], ids=["unchanged", "edited"])
def test_both_move(root: Path, side: str, *, is_edited: bool) -> None:
    for path in (BOAT, META):
        (root / path).rename(root / "Assets" / path.rpartition("/")[2])
    moved = root / "Assets/AiController.cs"
    if is_edited:
        moved.write_text("class AiController { int speed; }\n")
    with compared(root, side) as found:
        expected = (MOVED, guid(70), BOAT, "Assets/AiController.cs", is_edited, False)
        assert [seen(row) for row in found.assets] == [expected]


@SIDES
def test_the_asset_gets_the_name_of_its_meta(root: Path, side: str) -> None:
    (root / BOAT).rename(root / META.removesuffix(".meta"))
    with compared(root, side) as found:
        expected = (RENAMED, guid(70), BOAT, META.removesuffix(".meta"), False, False)
        assert [seen(row) for row in found.assets] == [expected]


@SIDES
def test_the_meta_gets_the_name_of_its_asset(root: Path, side: str) -> None:
    text = (root / META).read_text()
    (root / META).write_text(f"{text.rstrip()}\nMonoImporter:\n  executionOrder: 0\n")
    commit(root)
    (root / META).rename(root / f"{BOAT}.meta")
    with compared(root, side) as found:
        (row,) = found.assets
        assert seen(row) == ("changed", guid(70), "", BOAT, False, True)
        assert [(item.name, item.note) for item in found.objects(row)] == [
            ("AiController.cs.meta", "was AIcontroller.cs.meta")
        ]


@pytest.mark.parametrize("side", ["disk", "revisions"])
def test_the_meta_of_a_folder(root: Path, side: str) -> None:
    (root / FOLDER_META).write_text((root / FOLDER_META).read_text() + "labels:\n- one\n")
    with compared(root, side) as found:
        assert [seen(row) for row in found.assets] == [("changed", guid(71), "", FOLDER, False, True)]


@SIDES
def test_accents_that_macos_decomposed(root: Path, side: str) -> None:
    path = "Assets/Boat/Caf\u00e9.txt"
    write(root, path, 73, "one\n")
    (root / f"{path}.meta").rename(root / "Assets/Boat/Cafe\u0301.txt.meta")
    commit(root)
    (root / path).write_text("two\n")
    with compared(root, side) as found:
        assert [seen(row) for row in found.assets] == [("changed", guid(73), "", path, True, False)]


def test_of_names_that_differ_in_case_alone_each_has_its_own_meta(root: Path) -> None:
    other = "Assets/Boat/aicontroller.cs"
    (root / other).write_text("class Other {}\n")  # AiController.cs comes first, and has the meta
    project = open_project(str(root))
    with compared_revisions(project, "HEAD") as found:
        assert not found.assets
    shutil.copy(root / META, root / f"{other}.meta")
    (root / f"{other}.meta").write_text((root / META).read_text().replace(guid(70), guid(74)))
    project.expire(0)
    metas = Metas(project)
    assert [metas.of(path) for path in (BOAT, other, "Assets/None.cs")] == [
        META,
        f"{other}.meta",
        "Assets/None.cs.meta",
    ]
    project.close()
