"""Differences of revisions, beside two bakes of real checkouts."""

from __future__ import annotations

import hashlib
import random
from typing import TYPE_CHECKING

import pytest

from assetdb.query.differences import (
    GUID,
    MOVED,
    RENAMED,
    Comparison,
    compared_projects,
    compared_revisions,
    within,
)
from assetdb.query.graph.references import AssetGraph
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.history.git_project import commit, edit, git, make_repository, meta_of, script
from tests.assetdb.unity_project import HEAD, game_object, guid, write, write_meta
from tests.long_cases import long_after
from tests.needs import ignores_case, needs_links

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot

TOWER = "Assets/Prefabs/Tower.prefab"
WELL = "Assets/Deep/Down/Here/well.prefab"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "repository")


def changes(found: Comparison) -> set[tuple[str, str, str, str]]:
    return {(row.change, row.guid, row.old_path or row.path, row.path) for row in found.assets if row.guid}


def seen(side: Snapshot) -> tuple[dict[str, tuple[str, int]], set[tuple[str, str]]]:
    """Return the assets of a project by GUID, and its references."""
    graph = AssetGraph(side)
    assets = {asset.guid: (asset.path, asset.class_id) for asset in side.database}
    return assets, {(each, target) for each in assets for target in graph.dependencies(each)}


def hold(found: Comparison, old: Snapshot, new: Snapshot) -> None:
    """Hold a comparison against two projects that were baked whole."""
    (before, uses), (after, use) = seen(old), seen(new)
    told = {row.guid: row for row in found.assets if row.guid}
    shared = {duplicate.asset.guid for side in (old, new) for duplicate in side.duplicates}  # one of them has the entry
    for each in (before.keys() | after.keys()) - shared:
        row = told.get(each)
        if each not in before:
            assert row is not None
            assert row.change in ("added", GUID)
        elif each not in after:
            assert each in {other.old_guid for other in told.values()} or (row is not None and row.change == "removed")
        elif before[each] != after[each]:
            assert row is not None
            assert (row.old_path or row.path, row.path) == (before[each][0], after[each][0])
    uses, use = ({pair for pair in pairs if shared.isdisjoint(pair)} for pairs in (uses, use))
    came = {(row.guid, row.target_guid) for row in found.references if row.change in ("added", "dangling")}
    went = {(row.guid, row.target_guid) for row in found.references if row.change == "removed"}
    renewed = {row.old_guid: row.guid for row in told.values() if row.old_guid}
    assert {(renewed.get(one, one), other) for one, other in uses} - use <= went
    assert use - {(renewed.get(one, one), other) for one, other in uses} <= came
    dangling = {(row.guid, row.target_guid) for row in found.references if row.change == "dangling"}
    dangling = {pair for pair in dangling if shared.isdisjoint(pair)}
    gone = before.keys() - after.keys()
    assert {pair for pair in use if pair[1] in gone} <= dangling <= use
    mended = {(row.guid, row.target_guid) for row in found.references if row.change == "mended"}
    mended = {pair for pair in mended if shared.isdisjoint(pair)}
    assert mended == {pair for pair in uses & use if pair[1] in after.keys() - before.keys()}


@pytest.mark.parametrize("seed", long_after(2, range(6)))
def test_random_revisions(root: Path, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(4):
        for _ in range(chance.randrange(1, 4)):
            edit(root, chance)
        commit(root)
        sides = []
        for number, revision in enumerate(("HEAD~1", "HEAD")):
            place = tmp_path / f"side{number}"
            git(root, "worktree", "add", "-qf", "--detach", str(place), revision)
            sides.append(open_project(str(place), str(tmp_path / f"out{number}")))
        project = open_project(str(root))
        with compared_revisions(project, "HEAD~1..") as found:
            hold(found, *sides)
        by_folder = compared_projects(*sides)
        hold(by_folder, *sides)
        for side in sides:
            side.close()
        project.close()
        for number in range(2):
            git(root, "worktree", "remove", "--force", str(tmp_path / f"side{number}"))


def test_two_folders_differ_in_folders_and_in_files_that_share_a_guid_as_two_revisions_do(
    root: Path, tmp_path: Path
) -> None:
    write(root, "Assets/One.prefab", 80, HEAD + game_object(100, "One"))
    write(root, "Assets/Two.prefab", 80, HEAD + game_object(100, "Two"))
    write_meta(root, "Assets/Kept", 81, "folderAsset: yes\nDefaultImporter:\n  userData: \n")
    (root / "Assets/Kept").mkdir()
    commit(root)
    before = tmp_path / "before"
    git(root, "worktree", "add", "-qf", "--detach", str(before), "HEAD")
    (before / "Assets/Kept").mkdir(exist_ok=True)
    write(root, "Assets/Two.prefab", 80, HEAD + game_object(100, "Three"))
    write_meta(root, "Assets/Kept", 82, "folderAsset: yes\nDefaultImporter:\n  userData: \n")
    sides = open_project(str(before), str(tmp_path / "out")), open_project(str(root))
    expected = {(GUID, guid(82), "Assets/Kept", "Assets/Kept"), ("changed", guid(80), *["Assets/Two.prefab"] * 2)}
    with compared_revisions(sides[1], "HEAD") as found:
        assert changes(found) == expected
    assert changes(compared_projects(*sides)) == expected
    for side in sides:
        side.close()


def test_the_objects_of_a_file_that_shares_its_guid_have_their_own_names(root: Path) -> None:
    for name, child in (("One", "Head"), ("Two", "Wheel")):
        write(root, f"Assets/{name}.prefab", 80, HEAD + game_object(100, name) + game_object(200, child))
    commit(root)
    write(root, "Assets/Two.prefab", 80, HEAD + game_object(100, "Two") + game_object(200, "Tyre"))
    opened = open_project(str(root))
    with compared_revisions(opened, "HEAD") as found:
        names = [item.name for row in found.assets for item in found.objects(row)]
    opened.close()
    assert names == ["Two.prefab / Tyre (GameObject)"]


def test_each_file_of_one_guid_that_differs_is_told(root: Path) -> None:
    for name in ("One", "Two", "Gone", "Lost"):
        write(root, f"Assets/{name}.prefab", 80, HEAD + game_object(100, name))
    commit(root)
    for name in ("One", "Two", "New"):
        write(root, f"Assets/{name}.prefab", 80, HEAD + game_object(100, f"Another {name}"))
    for name in ("Gone.prefab", "Gone.prefab.meta", "Lost.prefab", "Lost.prefab.meta"):
        (root / "Assets" / name).unlink()
    project = open_project(str(root))
    with compared_revisions(project, "HEAD") as found:
        told = {(row.change, row.path, row.type) for row in found.assets if row.guid}
        assert told == {
            ("removed", "Assets/Gone.prefab", "Prefab"),
            ("removed", "Assets/Lost.prefab", "Prefab"),
            ("added", "Assets/New.prefab", "Prefab"),
            ("changed", "Assets/One.prefab", "Prefab"),
            ("changed", "Assets/Two.prefab", "Prefab"),
        }
        (two,) = [row for row in found.assets if row.path == "Assets/Two.prefab"]
        (item,) = found.objects(two)
        assert [(value.path, value.new and value.new.text) for value in item.values] == [("m_Name", "Another Two")]
    project.close()


def test_references_of_each_file_of_one_guid_are_told(root: Path) -> None:
    def using(number: int) -> str:
        return HEAD + game_object(100, "It", components=f"  m_A: {{fileID: 100, guid: {guid(number)}, type: 3}}\n")

    for number in (81, 82, 83):
        write(root, f"Assets/Used{number}.prefab", number, HEAD + game_object(100, "Used"))
    write(root, "Assets/One.prefab", 80, using(81))
    write(root, "Assets/Two.prefab", 80, using(82))
    commit(root)
    write(root, "Assets/Earlier.prefab", 80, using(83))
    write(root, "Assets/Two.prefab", 80, using(83))
    for name in ("Used81.prefab", "Used81.prefab.meta"):
        (root / "Assets" / name).unlink()
    project = open_project(str(root))
    with compared_revisions(project, "HEAD") as found:
        assert {(row.change, row.path, row.target) for row in found.references} == {
            ("dangling", "Assets/One.prefab", "Assets/Used81.prefab"),
            ("removed", "Assets/Two.prefab", "Assets/Used82.prefab"),
            ("added", "Assets/Two.prefab", "Assets/Used83.prefab"),
            ("added", "Assets/Earlier.prefab", "Assets/Used83.prefab"),
        }
    project.close()


def test_a_file_that_was_moved_and_edited(root: Path) -> None:
    target = root / "Assets/Forts/Tower.prefab"
    target.parent.mkdir()
    for path in (root / TOWER, meta_of(root / TOWER)):
        path.rename(target.parent / path.name)
    target.write_text(target.read_text().replace("m_Name: Tower", "m_Name: Keep"))
    project = open_project(str(root))
    with compared_revisions(project, "HEAD") as found:
        assert changes(found) == {(MOVED, guid(20), TOWER, "Assets/Forts/Tower.prefab")}
        (row,) = [row for row in found.assets if row.guid]
        (item,) = found.objects(row)
        assert item.name == "Tower.prefab / Keep (GameObject)"
        assert [(value.path, value.old and value.old.text, value.new and value.new.text) for value in item.values] == [
            ("m_Name", "Tower", "Keep")
        ]
        assert not found.references
    project.close()


@pytest.mark.parametrize("asked", ["HEAD", "HEAD~1..HEAD"])
def test_a_file_renamed_in_case_beside_its_meta(root: Path, asked: str) -> None:
    if ignores_case(root):
        pytest.skip("its meta is found in any case here")
    lower = "Assets/Prefabs/tower.prefab"
    (root / TOWER).rename(root / lower)
    if ".." in asked:
        commit(root)
    project = open_project(str(root))
    with compared_revisions(project, asked) as found:
        assert changes(found) == {(RENAMED, guid(20), TOWER, lower)}
        assert [(row.file, row.meta) for row in found.assets] == [(False, False)]
        assert not list(found.objects(found.assets[0]))
        assert not found.references
    project.close()


def test_a_file_that_got_another_guid_and_name(root: Path) -> None:
    meta = meta_of(root / "Assets/Scripts/Health.cs")
    meta.write_text(meta.read_text().replace(guid(3), guid(30)))
    (root / TOWER).rename(root / "Assets/Prefabs/Keep.prefab")
    meta_of(root / TOWER).rename(root / "Assets/Prefabs/Keep.prefab.meta")
    project = open_project(str(root))
    with compared_revisions(project, "HEAD") as found:
        assert changes(found) == {
            (GUID, guid(30), "Assets/Scripts/Health.cs", "Assets/Scripts/Health.cs"),
            (RENAMED, guid(20), TOWER, "Assets/Prefabs/Keep.prefab"),
        }
        dangling = {row.path for row in found.references if row.change == "dangling"}
        assert {"Assets/Prefabs/Keep.prefab", "Assets/Main.unity"} <= dangling
    commit(root)
    meta.write_text(meta.read_text().replace(guid(30), guid(3)))
    project.expire(0)
    with compared_revisions(project, "HEAD") as found:
        assert {row.path for row in found.references if row.change == "mended"} == dangling
    project.close()


def test_an_asset_that_moved_and_another_in_its_place(root: Path) -> None:
    (root / TOWER).rename(root / "Assets/Keep.prefab")
    meta_of(root / TOWER).rename(root / "Assets/Keep.prefab.meta")
    write(root, TOWER, 91, HEAD + game_object(100, "Tower", 0, script(3)))
    write(root, "Assets/copy.cs", 3, "class Copy {}")  # it shares the GUID of a script that is there
    project = open_project(str(root))
    with compared_revisions(project, "HEAD") as found:
        assert changes(found) == {
            (MOVED, guid(20), TOWER, "Assets/Keep.prefab"),
            ("added", guid(91), TOWER, TOWER),
            ("added", guid(3), "Assets/copy.cs", "Assets/copy.cs"),
        }
        assert {row.change for row in found.references} == {"added"}
    project.close()


def test_importer_and_settings(root: Path) -> None:
    meta = root / "Assets/Art/tiles.png.meta"
    meta.write_text(meta.read_text().replace("spriteMode: 2", "spriteMode: 1"))
    settings = root / "ProjectSettings" / "Time.asset"
    settings.write_text(HEAD + "--- !u!5 &1\nTimeManager:\n  Fixed Timestep: 0.02\n")
    commit(root)
    settings.write_text(HEAD + "--- !u!5 &1\nTimeManager:\n  Fixed Timestep: 0.01\n")
    project = open_project(str(root))
    with compared_revisions(project, "HEAD~1") as found:
        rows = {row.path: list(found.objects(row)) for row in found.assets}
        (importer,) = rows["Assets/Art/tiles.png"]
        assert (importer.type, [value.path for value in importer.values]) == ("TextureImporter", ["spriteMode"])
        assert rows["ProjectSettings/Time.asset"] == []  # it was added
    with compared_revisions(project, "HEAD") as found:
        (change,) = found.assets
        (item,) = found.objects(change)
        assert (item.type, item.values[0].path) == ("TimeManager", "Fixed Timestep")
    project.close()


def test_what_reaches_a_change(root: Path) -> None:
    (root / "Assets/Scripts/Health.cs").write_text("class Health { int a; }\n")
    project = open_project(str(root))
    with compared_revisions(project, "HEAD") as found:
        paths = [info.path for info in found.reached]
        assert {"Assets/Main.unity", TOWER} <= set(paths)
        assert paths == sorted(paths)
        assert not within(found, ["Assets/Prefabs"]).assets
        assert [row.path for row in within(found, ["Assets/Scripts"]).assets] == ["Assets/Scripts/Health.cs"]
    project.close()


def test_a_side_without_the_file_is_named(root: Path) -> None:
    write(root, "Assets/Huge.bytes", 60, b"\0" * 5000)
    commit(root)
    (root / "Assets/Huge.bytes").write_bytes(b"\1" * 6000)
    project = open_project(str(root))
    with compared_revisions(project, "HEAD") as found:
        (change,) = found.assets
        (item,) = found.objects(change)
        assert item.note == "5,000 bytes, 6,000 bytes"
    write(root, TOWER, 20, HEAD + game_object(100, "Tower", 0, script(3)) + "<<<<<<< ours\n")
    project.expire(0)
    with compared_revisions(project, "HEAD") as found:
        for change in found.assets:
            assert list(found.objects(change))
    project.close()


POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize {}\n"


def test_pointers_of_git_lfs(root: Path) -> None:
    tower = root / TOWER
    contents = [tower.read_bytes(), tower.read_bytes().replace(b"m_Name: Tower", b"m_Name: Keep")]
    digests = [hashlib.sha256(content).hexdigest() for content in contents]
    for digest, content in zip(digests, contents, strict=True):
        tower.write_text(POINTER.format(digest, len(content)))
        commit(root)
    project = open_project(str(root))
    with compared_revisions(project, "HEAD~1..HEAD") as found:
        (change,) = found.assets
        assert [item.note for item in found.objects(change)] == ["a pointer of Git LFS"]
    with compared_revisions(project, "HEAD~2..HEAD") as found:
        assert [row.path for row in found.assets] == [TOWER]
        assert not found.references  # nobody knows those of the content
    for digest, content in zip(digests, contents, strict=True):
        place = root / ".git" / "lfs" / "objects" / digest[:2] / digest[2:4] / digest
        place.parent.mkdir(parents=True)
        place.write_bytes(content)
    with compared_revisions(project, "HEAD~1..HEAD") as found:  # the disk still has a pointer
        (item,) = found.objects(found.assets[0])
        assert [value.path for value in item.values] == ["m_Name"]
        assert not found.references
    project.close()


@needs_links  # one that leads nowhere stands for a file that git lacks; without them the question is refused
@pytest.mark.parametrize("asked", ["HEAD~1..HEAD", "HEAD..HEAD~1"], ids=["older", "newer"])
def test_contents_that_one_side_of_a_partial_clone_lacks_are_said_to_differ(
    root: Path, tmp_path: Path, asked: str
) -> None:
    """Only the newest commit was checked out, so that git has the other one's trees alone."""
    settings = root / "ProjectSettings" / "Time.asset"
    settings.write_text(HEAD + "--- !u!5 &1\nTimeManager:\n  Fixed Timestep: 0.02\n")
    commit(root)
    for path in (root / TOWER, root / f"{TOWER}.meta", settings):
        path.write_bytes(path.read_bytes().replace(b"Tower", b"Keep").replace(b"0.02", b"0.01") + b"\n")
    # Its meta stays, and is in the clone. The references that one side has may be those of the other.
    (root / WELL).write_text(HEAD + game_object(100, "Dry Well", 0, script(3)))
    commit(root)
    git(root, "config", "uploadpack.allowFilter", "true")
    partial = tmp_path / "partial"
    git(tmp_path, "clone", "-q", "--filter=blob:none", root.as_uri(), str(partial))
    project = open_project(str(partial))
    with compared_revisions(project, asked) as found:
        assert TOWER in found.absent
        rows = {row.path: row for row in found.assets}
        assert set(rows) == {TOWER, WELL, "ProjectSettings/Time.asset"}
        assert (rows[TOWER].change, rows[TOWER].file, rows[TOWER].meta) == ("changed", True, True)
        items = list(found.objects(rows[TOWER]))
        assert [(item.name, item.note) for item in items] == [
            ("Tower.prefab.meta", "not in this clone"),
            ("Tower.prefab", "not in this clone"),
        ]
        assert rows["ProjectSettings/Time.asset"].change == "changed"
        assert not found.references  # nobody knows those of the missing side
    project.close()


def test_a_submodule_that_was_moved(root: Path, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    git(inner, "init", "-q", "-b", "main")
    write(inner, "thing.prefab", 95, HEAD + game_object(100, "Thing", 0, script(3)))
    commit(inner)
    write_meta(root, "Assets/Sub", 96, "folderAsset: yes\nDefaultImporter:\n  userData: \n")
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "Assets/Sub")
    commit(root)
    git(root, "mv", "Assets/Sub", "Assets/Moved")
    meta_of(root / "Assets/Sub").rename(meta_of(root / "Assets/Moved"))
    commit(root)
    project = open_project(str(root))
    for asked in ("HEAD~1..HEAD", "HEAD~1"):
        with compared_revisions(project, asked) as found:
            assert changes(found) == {
                (RENAMED, guid(96), "Assets/Sub", "Assets/Moved"),
                (MOVED, guid(95), "Assets/Sub/thing.prefab", "Assets/Moved/thing.prefab"),
            }
            assert not found.references
    project.close()


def test_submodules_that_are_not_here_are_named_with_their_commits(root: Path) -> None:
    one, other, folder = "1" * 40, "2" * 40, "Assets/Sub"
    git(root, "commit", "-q", "--allow-empty", "-m", "without it")
    for oid in (one, other):
        for place in (folder, "tools/sub"):  # the second is no part of the project
            git(root, "update-index", "--add", "--cacheinfo", f"160000,{oid},{place}")
        git(root, "commit", "-q", "-m", oid)
    project = open_project(str(root))
    for asked, change, note in (
        ("HEAD~1..HEAD", "changed", "commit 1111111111 to commit 2222222222, not in this clone"),
        ("HEAD~1", "changed", "commit 1111111111 to commit 2222222222, not in this clone"),
        ("HEAD~2..HEAD", "added", "commit 2222222222, not in this clone"),
        ("HEAD~2", "added", "commit 2222222222, not in this clone"),
        ("HEAD~1..HEAD~2", "removed", "commit 1111111111, not in this clone"),
    ):
        with compared_revisions(project, asked) as found:
            (row,) = found.assets
            assert (row.change, row.path, row.guid, row.type) == (change, folder, "", "submodule")
            assert [(item.name, item.note) for item in found.objects(row)] == [("Sub", note)]
            assert not found.references
            assert not within(found, ["Assets/Prefabs"]).assets
            assert within(found, [folder]).assets == [row]
    with compared_revisions(project, "HEAD..HEAD") as found:
        assert not found.assets
    project.close()


def test_a_submodule_that_is_here_is_compared_by_its_files(root: Path, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    git(inner, "init", "-q", "-b", "main")
    commit(inner)
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "Assets/Sub")
    commit(root)
    git(root / "Assets/Sub", "commit", "-q", "--allow-empty", "-m", "no other files")
    commit(root)
    project = open_project(str(root))
    for asked in ("HEAD~1..HEAD", "HEAD~1", "HEAD~2..HEAD"):
        with compared_revisions(project, asked) as found:
            assert not found.assets
    project.close()
