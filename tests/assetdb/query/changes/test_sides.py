"""Changes of assets whose metas have names in another case, or with other bytes for the same letters."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from assetdb.query.changes.sides import Metas, Side
from assetdb.query.differences import MOVED, RENAMED, compared_projects, compared_revisions, within
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.history.git_project import commit, git, make_repository
from tests.assetdb.unity_project import guid, write
from tests.needs import ignores_case

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.query.differences import AssetChange, Comparison
    from assetdb.query.snapshots.snapshot import Snapshot

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


def sides(root: Path, *lacking: str) -> tuple[Snapshot, Snapshot]:
    """Open a copy that lacks files, as git does of a partial clone, and the whole project."""
    whole = open_project(str(root), str(root.parent / "whole"))
    copy = root.parent / "copy"
    shutil.copytree(root, copy, ignore=shutil.ignore_patterns(".git"))
    for path in lacking:
        (copy / path).unlink()
    partial = open_project(str(copy), str(root.parent / "partial"))
    partial.absent = lacking
    return partial, whole


def test_a_guid_that_one_side_does_not_know_is_taken_from_the_other(root: Path) -> None:
    name = META.removesuffix(".meta")
    partial, whole = sides(root, META, FOLDER_META)
    mine, other = Side(partial, {BOAT, name}), Side(whole, {BOAT, name, f"{FOLDER}/thing.txt"})
    assert (mine.guids, mine.assets) == ({}, {})
    assert mine.unknown == {name, "Assets/models"}
    mine.assume(other)
    assert mine.guids == {BOAT: guid(70)}  # the other file's meta is here
    assert mine.assets == {guid(70): other.assets[guid(70)]}
    assert mine.meta_of(BOAT) == META
    assert mine.unknown == {"Assets/models"}
    other.assume(mine)
    assert other.guids == {BOAT: guid(70), f"{FOLDER}/thing.txt": guid(72)}
    partial.close()
    whole.close()


def test_an_asset_that_this_side_has_elsewhere_is_its_own(root: Path) -> None:
    moved = "Assets/Other.cs"
    partial, whole = sides(root, META)
    place = root.parent / "copy"
    (place / BOAT).rename(place / moved)
    (place / f"{moved}.meta").write_bytes((root / META).read_bytes())
    partial.expire(0)
    mine, other = Side(partial, {moved}), Side(whole, {BOAT})
    mine.assume(other)
    assert mine.guids == {moved: guid(70), BOAT: guid(70)}
    assert mine.assets[guid(70)].path == moved
    assert (mine.meta_of(moved), mine.meta_of(BOAT), mine.meta_of("Assets/x")) == (
        *(f"{moved}.meta", META),
        "Assets/x.meta",
    )
    partial.close()
    whole.close()


@pytest.mark.parametrize("is_absent", [False, True])
def test_a_meta_without_its_file_is_an_asset_if_git_has_the_file_elsewhere(root: Path, *, is_absent: bool) -> None:
    thing = f"{FOLDER}/thing.txt"
    partial, whole = sides(root, thing)
    if not is_absent:
        partial.absent = ()
    side = Side(partial, {thing, "Assets/None.txt"})
    assert side.guids == ({thing: guid(72)} if is_absent else {})
    assert [(each.guid, each.name, each.type, each.path) for each in side.assets.values()] == (
        [(guid(72), "thing.txt", "", thing)] if is_absent else []
    )
    assert not side.unknown
    partial.close()
    whole.close()


def test_a_guid_that_two_metas_have_is_of_the_asset_that_the_database_has(root: Path) -> None:
    write(root, "Assets/Boat/Twin.cs", 70, "class Twin {}\n")
    project = open_project(str(root))
    side = Side(project, {BOAT, "Assets/Boat/Twin.cs"})
    assert side.guids == {BOAT: guid(70), "Assets/Boat/Twin.cs": guid(70)}
    assert side.assets[guid(70)].path == BOAT
    project.close()
