"""The other side of a change is what a checkout of it would be."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
from contextlib import closing
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest

from assetdb.checks.changes.introduced import brought
from assetdb.checks.findings.engine import Report, Selection, check_project
from assetdb.cli import main
from assetdb.errors import HistoryError
from assetdb.history.git import mirror
from assetdb.history.git.repository import Repository
from assetdb.query.snapshots import revisions
from assetdb.query.snapshots.revisions import entries_of, open_entries, open_revision
from assetdb.query.snapshots.snapshot import open_project
from assetdb.scan.known.cache import LOG_NAME, Facts
from assetdb.scan.walking.tree import TreeReader
from assetdb.settings.effective import read_settings
from assetdb.workspace.workspace import Options, Workspace
from tests.assetdb.history.git_project import commit, edit, git, make_repository, meta_of, open_side, script
from tests.assetdb.unity_project import HEAD, game_object, guid, write, write_meta
from tests.needs import needs_links

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.checks.findings.finding import Finding

ALL = Selection(select=("all",))


def test_a_revision_goes_on_from_the_look_of_the_question(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repository")
    (root / "Assets/Scripts/Health.cs").write_text("class Other {}")
    with patch.object(TreeReader, "scan", autospec=True, side_effect=TreeReader.scan) as scan:
        project = open_project(str(root))
        try:
            with open_revision(project, "HEAD") as before:
                assert before.read("Assets/Scripts/Health.cs") != b"class Other {}"
                assert {asset.guid for asset in before.database} == {asset.guid for asset in project.database}
        finally:
            project.close()
    assert scan.call_count == 1


def test_a_cache_that_was_replaced_is_not_gone_on_from(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repository")
    assert main(["bake", "--quiet", "--project", str(root)]) == 0
    project = open_project(str(root))
    try:
        listing = project.listing()
        assert listing is not None
        own = Workspace(project.root, lambda: read_settings(project.root, project.folder), Options(read_only=True))
        assert own.take(listing)
        assert not own.take(listing._replace(held=None))
        assert listing.held is not None
        damaged = listing.held.known._replace(facts=Facts(lambda _start, _size: b"another", b"1234"))
        assert not own.take(listing._replace(held=listing.held._replace(known=damaged)))
        own.close()
    finally:
        project.close()


def checked(root: Path) -> Report:
    project = open_project(str(root))
    try:
        return check_project(project, ALL)
    finally:
        project.close()


def other_side(root: Path, revision: str = "") -> Report:
    """Check a revision, or the index."""
    project = open_project(str(root))
    try:
        with open_side(project, revision) as other:
            return check_project(other, ALL)
    finally:
        project.close()


def compared_side(root: Path) -> Report:
    """Check HEAD as it is compared with the disk."""
    project = open_project(str(root))
    try:
        repository = Repository(project.root)
        entries = entries_of(project, repository, "HEAD")
        with open_entries(project, repository, entries, stand_ins=True) as other:
            return check_project(other, ALL)
    finally:
        project.close()


def checked_out(repository: Path, inside: str, revision: str, folder: Path) -> Report:
    """Check out a revision for real, with what git ignores, and check that."""
    git(repository, "clone", "-q", "--shared", "--no-checkout", str(repository), str(folder))
    git(folder, "checkout", "-q", revision)
    library = Path("Library") / "PackageCache"
    shutil.copytree(repository / inside / library, folder / inside / library)
    return checked(folder / inside)


def shown(report: Report) -> list[tuple[object, ...]]:
    return [(f.code, f.path, f.line, f.object_path, f.property_path, f.message, f.target) for f in report.findings]


def codes(findings: tuple[Finding, ...]) -> list[tuple[str, str]]:
    return [(finding.code, finding.path) for finding in findings]


def check_random_commits(seed: int, folder: Path) -> None:
    random = Random(seed)
    inside = random.choice(["", "Game", "a/b/Game"])
    repository = folder / "repository"
    root = make_repository(repository, inside)
    for _ in range(random.randrange(3)):
        edit(root, random)
    old = commit(repository)
    for _ in range(random.randrange(1, 6)):
        edit(root, random)
    new = commit(repository)
    for _ in range(random.randrange(4)):
        edit(root, random)
    before = other_side(root, old)
    real = checked_out(repository, inside, old, folder / "old")
    assert shown(before) == shown(real)
    after = checked(root)
    assert shown(brought(before, after)) == shown(brought(real, after))
    git(repository, "add", "-A")
    for _ in range(random.randrange(3)):  # half of it is not staged
        edit(root, random)
    index = other_side(root)
    git(repository, "commit", "-q", "--allow-empty", "-m", "staged")
    staged = git(repository, "rev-parse", "HEAD").strip()
    assert shown(index) == shown(checked_out(repository, inside, staged, folder / "staged"))
    assert shown(other_side(root, new)) == shown(checked_out(repository, inside, new, folder / "new"))


def test_a_revision_is_what_its_checkout_is_where_a_disk_makes_no_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(mirror, "_make_link", refuse)
    monkeypatch.setattr(mirror, "is_symlinked", lambda *_: False)
    monkeypatch.setattr(revisions, "is_symlinked", lambda *_: False)
    check_random_commits(0, tmp_path)


def test_packages_beside_the_project_are_there_where_a_disk_makes_no_links(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = root / "LocalPackages" / "com.acme.own"
    own.mkdir(parents=True)
    (own / "package.json").write_text('{"name": "com.acme.own", "version": "1.0.0"}')
    manifest = root / "Packages" / "manifest.json"
    manifest.write_text('{"dependencies": {"com.acme.own": "file:../LocalPackages/com.acme.own"}}')
    commit(root)
    manifest.write_text(manifest.read_text() + "\n")

    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    for is_copied in (False, True):
        with monkeypatch.context() as patch:
            if is_copied:
                patch.setattr(mirror, "_make_link", refuse)
            with closing(open_project(str(root))) as project, open_revision(project, "HEAD") as other:
                folders = {row.name: bool(row.folder) for row in other.packages.list.rows}
        assert folders["com.acme.own"], is_copied


@pytest.mark.parametrize("seed", range(3))
def test_a_revision_is_what_its_checkout_is(seed: int, tmp_path: Path) -> None:
    check_random_commits(seed, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_many_revisions_are_what_their_checkouts_are(seed: int, tmp_path: Path) -> None:
    check_random_commits(seed, tmp_path)


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    made = make_repository(tmp_path / "repository")
    left = set(os.listdir(tmp_path))
    yield made
    assert set(os.listdir(tmp_path)) >= left


def test_a_deleted_script_reports_prefabs_that_the_change_did_not_touch(root: Path) -> None:
    for path in (root / "Assets/Scripts/Health.cs", root / "Assets/Scripts/Health.cs.meta"):
        path.unlink()
    found = brought(other_side(root, "HEAD"), checked(root))
    assert ("missing-script", "Assets/Prefabs/Tower.prefab") in codes(found.findings)
    assert ("missing-script", "Assets/Deep/Down/Here/well.prefab") in codes(found.findings)


def test_old_debt_is_not_brought(root: Path) -> None:
    report = checked(root)
    assert report.findings
    assert brought(other_side(root, "HEAD"), report).findings == ()


def test_two_of_one_kind_are_counted(root: Path) -> None:
    scene = root / "Assets" / "Main.unity"
    text = scene.read_text()
    line = next(line for line in text.split("\n") if line.startswith("  gone: "))
    scene.write_text(text.replace(line, f"{line}\n{line}"))
    found = brought(other_side(root, "HEAD"), checked(root)).findings
    assert codes(found) == [("dangling", "Assets/Main.unity")]


def test_a_half_staged_file_is_judged_as_staged(root: Path) -> None:
    tower = root / "Assets/Prefabs/Tower.prefab"
    text = tower.read_text()
    tower.write_text(text.replace(guid(3), guid(78)))
    git(root, "add", str(tower))
    tower.write_text(text)
    assert ("missing-script", "Assets/Prefabs/Tower.prefab") in codes(other_side(root).findings)
    git(root, "reset", "-q")
    tower.write_text(text.replace(guid(3), guid(78)))
    assert ("missing-script", "Assets/Prefabs/Tower.prefab") not in codes(other_side(root).findings)


def test_the_index_of_a_hook_is_the_one_that_is_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tower = root / "Assets/Prefabs/Tower.prefab"
    tower.write_text(tower.read_text().replace(guid(3), guid(78)))
    own = root / ".git" / "next-index-1.lock"
    shutil.copy(root / ".git" / "index", own)
    git(root, "add", str(tower))
    assert ("missing-script", "Assets/Prefabs/Tower.prefab") in codes(other_side(root).findings)
    monkeypatch.setenv("GIT_INDEX_FILE", str(own))
    assert ("missing-script", "Assets/Prefabs/Tower.prefab") not in codes(other_side(root).findings)


def test_what_git_does_not_know_is_on_the_disk_alone_and_what_it_ignores_on_all_sides(root: Path) -> None:
    (root / "Assets" / "new.asset").write_text(HEAD)
    (root / "Assets" / "paid.ignored").write_text("x")
    assert ("missing-meta", "Assets/new.asset") in codes(checked(root).findings)
    before = codes(other_side(root, "HEAD").findings)
    assert ("missing-meta", "Assets/new.asset") not in before
    assert ("missing-meta", "Assets/paid.ignored") in before


def test_a_project_that_was_renamed_is_compared_with_what_it_was(tmp_path: Path) -> None:
    root = make_repository(tmp_path, "Old")
    (root / "Assets/Scripts/Health.cs").rename(root / "Assets/Scripts/Life.cs")
    new = root.rename(tmp_path / "New")
    commit(tmp_path)
    assert codes(other_side(new, "HEAD").findings) == codes(checked(new).findings)
    before = codes(other_side(new, "HEAD~1").findings)
    assert ("missing-meta", "Assets/Scripts/Life.cs") not in before
    assert ("dangling", "Assets/Main.unity") in before


def test_before_the_first_commit_everything_is_new(root: Path) -> None:
    git(root, "checkout", "-q", "--orphan", "another")
    report = checked(root)
    assert brought(other_side(root, "HEAD"), report).findings == report.findings


def test_a_project_that_was_not_there_had_no_findings(tmp_path: Path) -> None:
    git_folder = tmp_path
    git(git_folder, "init", "-q", "-b", "main")
    (tmp_path / "README").write_text("x")
    commit(tmp_path)
    root = make_repository(tmp_path, "Game")
    assert codes(other_side(root, "HEAD~1").findings) == []


def test_where_the_work_forked_is_the_merge_base(root: Path) -> None:
    git(root, "checkout", "-q", "-b", "work")
    write(root, "Assets/mine.prefab", 90, HEAD + game_object(100, "Mine", 0, script(78)))
    commit(root)
    git(root, "checkout", "-q", "main")
    write(root, "Assets/theirs.prefab", 91, HEAD + game_object(100, "Theirs", 0, script(78)))
    commit(root)
    git(root, "checkout", "-q", "work")
    before = codes(other_side(root, "main...").findings)
    assert ("missing-script", "Assets/theirs.prefab") not in before
    assert ("missing-script", "Assets/theirs.prefab") in codes(other_side(root, "main").findings)
    assert ("missing-script", "Assets/theirs.prefab") in codes(other_side(root, "main..").findings)
    assert codes(brought(other_side(root, "main..."), checked(root)).findings) == [
        ("missing-script", "Assets/mine.prefab")
    ]


POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize {}\n"


def test_a_pointer_of_git_lfs_stands_for_what_is_on_the_disk(root: Path) -> None:
    tower = root / "Assets/Prefabs/Tower.prefab"
    content = tower.read_text()
    tower.write_text(POINTER.format("0" * 64, len(content)))
    commit(root)
    tower.write_text(content)
    after = checked(root)
    assert brought(compared_side(root), after).findings == ()
    assert brought(after, compared_side(root)).findings == ()
    (found,) = brought(after, other_side(root, "HEAD")).findings  # a revision by itself has its pointer
    assert (found.code, found.path) == ("lfs-pointer", "Assets/Prefabs/Tower.prefab")


def test_a_pointer_on_the_disk_stands_for_what_git_has(root: Path) -> None:
    tower = root / "Assets/Prefabs/Tower.prefab"
    before = checked(root)
    tower.write_text(POINTER.format("0" * 64, 7))
    after = checked(root)
    assert brought(compared_side(root), after).findings == ()
    assert shown(other_side(root, "HEAD")) == shown(before)


def test_the_content_of_a_pointer_is_told_by_its_digest(root: Path) -> None:
    """Git LFS may keep its copies elsewhere."""
    tower = root / "Assets/Prefabs/Tower.prefab"
    content = tower.read_bytes()
    before = checked(root)
    tower.write_text(POINTER.format(hashlib.sha256(content).hexdigest(), len(content)))
    commit(root)
    tower.write_bytes(content)
    assert shown(other_side(root, "HEAD")) == shown(before)
    tower.write_bytes(content.replace(b"Tower", b"Lower"))
    assert [row.code for row in brought(before, other_side(root, "HEAD")).findings] == ["lfs-pointer"]


def test_a_pointer_whose_content_git_lfs_has_stands_for_that(root: Path) -> None:
    digest = "ab" * 32
    tower = root / "Assets/Prefabs/Tower.prefab"
    content = tower.read_text()
    tower.write_text(POINTER.format(digest, len(content)))
    commit(root)
    store = root / ".git" / "lfs" / "objects" / "ab" / "ab"
    store.mkdir(parents=True)
    (store / digest).write_text(content.replace(guid(3), guid(78)))
    tower.write_text(content)
    assert ("missing-script", "Assets/Prefabs/Tower.prefab") in codes(other_side(root, "HEAD").findings)


def test_a_submodule_is_read_at_its_own_commit(root: Path, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    git(inner, "init", "-q", "-b", "main")
    write(inner, "thing.prefab", 95, HEAD + game_object(100, "Thing", 0, script(3)))
    commit(inner)
    write_meta(root, "Assets/Sub", 96, "folderAsset: yes\nDefaultImporter:\n  userData: \n")
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "Assets/Sub")
    commit(root)
    sub = root / "Assets" / "Sub"
    thing = sub / "thing.prefab"
    thing.write_text(thing.read_text().replace(guid(3), guid(78)))
    commit(sub)
    expected = [("missing-script", "Assets/Sub/thing.prefab")]
    assert codes(brought(other_side(root, "HEAD"), checked(root)).findings) == expected
    commit(root)
    assert codes(brought(other_side(root, "HEAD~1"), checked(root)).findings) == expected
    assert codes(brought(other_side(root, "HEAD"), checked(root)).findings) == []


def test_a_sparse_checkout_is_sparse_on_all_sides(root: Path) -> None:
    git(root, "sparse-checkout", "set", "--cone", "Assets/Scripts", "Assets/Prefabs", "ProjectSettings", "Packages")
    assert not (root / "Assets" / "Deep").exists()
    assert brought(other_side(root, "HEAD"), checked(root)).findings == ()
    assert brought(checked(root), other_side(root)).findings == ()


def test_packages_of_another_manifest_are_those_of_that_side(root: Path) -> None:
    write(root, "Assets/user.prefab", 97, HEAD + game_object(100, "User", 0, script(12)))
    commit(root)
    (root / "Packages" / "manifest.json").write_text('{"dependencies": {}}')
    found = codes(brought(other_side(root, "HEAD"), checked(root)).findings)
    assert ("missing-script", "Assets/user.prefab") in found


def test_files_that_were_only_touched_or_copied_are_the_same(root: Path, tmp_path: Path) -> None:
    shutil.copytree(root, tmp_path / "copy")
    for path in (tmp_path / "copy" / "Assets").rglob("*"):
        os.utime(path)
    assert shown(other_side(tmp_path / "copy", "HEAD")) == shown(checked(tmp_path / "copy"))


@needs_links
def test_settings_and_links_to_folders_are_those_of_the_project(root: Path) -> None:
    (root / "Assets" / "Linked").symlink_to("Prefabs", target_is_directory=True)
    (root / "Shared").mkdir()
    write(root, "Shared/inner.prefab", 98, HEAD + game_object(100, "Inner", 0, script(78)))
    (root / "Assets" / "Shared").symlink_to("../Shared", target_is_directory=True)
    commit(root)
    after = shown(checked(root))
    assert shown(other_side(root, "HEAD")) == after
    assert ("missing-script", "Assets/Shared/inner.prefab") in [row[:2] for row in after]
    meta_of(root / "Assets/Prefabs/Tower.prefab").unlink()
    assert shown(other_side(root, "HEAD")) == after
    inner = root / "Shared" / "inner.prefab"
    inner.write_text(inner.read_text().replace(guid(78), guid(3)))  # changes what a link leads to, and nothing beside
    assert ("missing-script", "Assets/Shared/inner.prefab") not in codes(checked(root).findings)
    assert shown(other_side(root, "HEAD")) == after
    (root / "Assets" / "Shared").unlink()
    assert shown(other_side(root, "HEAD")) == after


@needs_links
@pytest.mark.parametrize("stand_ins", [False, True])
def test_a_link_out_of_the_project_is_left_out_of_a_folder_that_did_not_change(
    root: Path, tmp_path: Path, *, stand_ins: bool
) -> None:
    (tmp_path / "elsewhere.txt").write_text("of today")
    (root / "Assets/Prefabs/out.txt").symlink_to(tmp_path / "elsewhere.txt")
    (root / "Assets/Prefabs/own.txt").symlink_to("../Scripts/Health.cs")
    commit(root)
    (root / "Assets/Scripts/Health.cs").write_text("class Other {}")
    project = open_project(str(root))
    try:
        repository = Repository(project.root)
        entries = entries_of(project, repository, "HEAD")
        with open_entries(project, repository, entries, stand_ins=stand_ins) as other:
            assert other.outside == (() if stand_ins else ("Assets/Prefabs/out.txt",))
            assert os.path.lexists(os.path.join(other.root, "Assets/Prefabs/out.txt")) == stand_ins
            assert os.path.lexists(os.path.join(other.root, "Assets/Prefabs/own.txt"))
    finally:
        project.close()


def test_a_repository_that_is_a_package(tmp_path: Path) -> None:
    root = tmp_path / "package"
    write(root, "Runtime/Tool.cs", 50, "class Tool {}\n", "MonoImporter:\n  userData: \n")
    write(root, "Samples/sample.prefab", 51, HEAD + game_object(100, "Sample", 0, script(50)))
    (root / "package.json").write_text('{"name": "com.acme.package", "version": "1.0.0"}')
    (root / ".gitignore").write_text("/Library/\n")
    git(root, "init", "-q", "-b", "main")
    commit(root)
    before = shown(checked(root))
    meta_of(root / "Runtime/Tool.cs").unlink()
    (root / "Runtime/Tool.cs").unlink()
    write(root, "top.prefab", 52, HEAD + game_object(100, "Top", 0, script(78)))
    assert shown(other_side(root, "HEAD")) == before
    found = codes(brought(other_side(root, "HEAD"), checked(root)).findings)
    assert {code for code, path in found if path == "Packages/com.acme.package/Samples/sample.prefab"} == {
        "missing-script"
    }
    commit(root)
    (root / "new.asset").write_text(HEAD)
    assert shown(other_side(root, "HEAD~1")) == before
    (root / "package.json").write_text('{"name": "com.acme.renamed", "version": "1.0.0"}')
    assert shown(other_side(root, "HEAD~1")) == before


def test_nothing_is_left_and_nothing_is_written(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    checked(root)
    (root / "Assets/Prefabs/Tower.prefab").unlink()
    checked(root)

    def statuses() -> dict[Path, tuple[int, ...]]:
        found = {path: path.lstat() for path in sorted(root.rglob("*"))}
        return {path: (item.st_mtime_ns, item.st_ctime_ns, item.st_size, item.st_ino) for path, item in found.items()}

    before = statuses()
    other_side(root, "HEAD")
    other_side(root)
    after = statuses()
    changed = {str(path.relative_to(root)) for path in before if before[path] != after.get(path)}
    assert {name for name in changed if not name.startswith("Library")} == set()
    assert after.keys() - before.keys() <= {root / "Library/assetdb" / LOG_NAME}  # of files that were just written
    assert before.keys() <= after.keys()
    assert list(place.iterdir()) == []


def test_links_are_made_in_memory_unless_another_folder_was_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = tmp_path / "memory"
    monkeypatch.setattr(revisions, "_IN_MEMORY", str(memory))
    monkeypatch.setattr("tempfile.tempdir", revisions._USUAL)
    assert revisions._memory_folder() == ""
    memory.mkdir()
    assert revisions._memory_folder() == str(memory)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert revisions._memory_folder() == ""


@pytest.mark.parametrize(("most", "is_in_memory"), [(1 << 20, True), (10, False)])
def test_a_side_is_opened_in_memory_where_it_fits(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, *, is_in_memory: bool
) -> None:
    memory, place = tmp_path / "memory", tmp_path / "temporary"
    for folder in (memory, place):
        folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    monkeypatch.setattr(revisions, "_memory_folder", lambda: str(memory))
    monkeypatch.setattr(revisions, "_MOST_IN_MEMORY", most)
    project = open_project(str(root))
    (root / "Assets/Prefabs/Tower.prefab").unlink()
    try:
        with open_revision(project, "HEAD") as before:
            assert Path(before.root).is_relative_to(memory if is_in_memory else place)
            assert before.read("Assets/Prefabs/Tower.prefab")
            assert (list(memory.iterdir()) == []) is not is_in_memory
    finally:
        project.close()
    assert [*memory.iterdir(), *place.iterdir()] == []


@pytest.mark.parametrize(
    "revision", ["nowhere", "-x", "--all", "", "HEAD:Assets", "HEAD~99", "main...nowhere", "main..HEAD"]
)
def test_a_revision_that_is_none_is_said(root: Path, revision: str) -> None:
    project = open_project(str(root))
    with pytest.raises(HistoryError), open_revision(project, revision):
        pass
    project.close()
