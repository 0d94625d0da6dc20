"""Clones that lack files of other revisions (``git clone --filter``), and what is answered all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.findings.engine import Selection
from assetdb.checks.request import Question, answer
from assetdb.cli import main
from assetdb.errors import HistoryError
from assetdb.history.git.objects import read_blobs
from assetdb.history.git.repository import Repository
from assetdb.query.differences import compared_revisions
from assetdb.query.snapshots.revisions import bytes_of_revision, open_revision
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.history.git_project import commit, git, make_repository, script
from tests.assetdb.unity_project import HEAD, game_object, write
from tests.needs import needs_links, needs_scripts

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.checks.findings.engine import Report

needs_a_file_that_is_not_read = needs_links
"""What git lacks is shown by a link that leads nowhere; without links such a question wants ``--fetch``."""
TOWER = "Assets/Prefabs/Tower.prefab"


@pytest.fixture(params=["sha1", "sha256"])
def source(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Return a repository with a second commit, which changes a prefab and adds one."""
    root = make_repository(tmp_path / "source")
    if request.param == "sha256":
        (root / ".git").rename(tmp_path / "sha1.git")
        git(root, "init", "-q", "-b", "main", "--object-format=sha256")
        commit(root)
    git(root, "config", "uploadpack.allowFilter", "true")
    git(root, "config", "uploadpack.allowAnySHA1InWant", "true")
    (root / TOWER).write_text(HEAD + game_object(100, "Keep", 0, script(3)))
    write(root, "Assets/Prefabs/Hut.prefab", 41, "")
    commit(root)
    return root


@pytest.fixture
def partial(source: Path, tmp_path: Path) -> Path:
    """Return a clone that lacks the first version of the prefab."""
    root = tmp_path / "partial"
    git(tmp_path, "clone", "-q", "--filter=blob:none", source.as_uri(), str(root))
    return root


def reported(root: Path, **asked: str | bool) -> Report:
    project = open_project(str(root))
    try:
        return answer(project, Question(Selection(), **asked)).report  # type: ignore[arg-type]  # by name
    finally:
        project.close()


def lacking(root: Path) -> list[str]:
    """Return the objects that a clone lacks, as git says."""
    return [line for line in git(root, "rev-list", "--objects", "--all", "--missing=print").split() if "?" in line]


@needs_a_file_that_is_not_read
def test_a_revision_lacks_the_file_and_has_all_others(partial: Path, source: Path) -> None:
    whole, project = open_project(str(source)), open_project(str(partial))
    with open_revision(whole, "HEAD~1") as expected, open_revision(project, "HEAD~1") as found:
        assert found.absent == (TOWER,)
        rows = {(entry.guid, entry.path, entry.class_id) for entry in expected.database}
        assert {(entry.guid, entry.path, entry.class_id) for entry in found.database} == rows  # its meta is here
        (row,) = [row for row in found.diagnostics() if row.path == TOWER]
        assert (row.code, "--fetch" in row.message) == ("unreadable", True)
    assert lacking(partial)
    whole.close()
    project.close()


def test_fetch_brings_the_files_in_one_batch(partial: Path, source: Path) -> None:
    heads = git(partial, "for-each-ref")
    project, whole = open_project(str(partial)), open_project(str(source))
    with pytest.raises(HistoryError, match="--fetch"):
        bytes_of_revision(project, "HEAD~1")
    assert bytes_of_revision(project, "HEAD~1", fetch=True) == bytes_of_revision(whole, "HEAD~1")
    assert bytes_of_revision(project, "HEAD~1") == bytes_of_revision(whole, "HEAD~1")
    assert not lacking(partial)
    assert git(partial, "for-each-ref") == heads
    assert not (partial / ".git" / "FETCH_HEAD").exists()
    project.close()
    whole.close()


@needs_a_file_that_is_not_read
def test_what_a_change_brought_is_told_though_a_file_is_absent(partial: Path) -> None:
    found = reported(partial, since="HEAD~1")
    assert [row.path for row in found.findings] == ["Assets/Prefabs/Hut.prefab"]
    assert found.absent == (TOWER,)
    assert found.is_sure


@needs_a_file_that_is_not_read
def test_an_answer_that_depends_on_an_absent_file_is_not_sure(partial: Path) -> None:
    (partial / TOWER).write_text("")
    found = reported(partial, since="HEAD~1")
    assert {row.path for row in found.findings} == {TOWER, "Assets/Prefabs/Hut.prefab"}
    assert not found.is_sure  # what was wrong with it before is not known
    sure = reported(partial, since="HEAD~1", fetch=True)
    assert sure.is_sure
    assert not sure.absent
    assert sure.findings == found.findings


@needs_a_file_that_is_not_read
def test_a_finding_that_an_absent_target_hides_is_not_missed(source: Path, tmp_path: Path) -> None:
    write(source, "Assets/Prefabs/Uses.prefab", 42, HEAD + game_object(100, "Uses", 0, script(3)))
    commit(source)
    (source / "Assets/Prefabs/Hut.prefab.meta").write_text("fileFormatVersion: 2\nguid: " + "d" * 32 + "\n")
    commit(source)
    partial = tmp_path / "second"
    git(tmp_path, "clone", "-q", "--filter=blob:none", source.as_uri(), str(partial))
    found = reported(partial, since="HEAD~1")
    whole = reported(source, since="HEAD~1")
    assert found.findings == whole.findings or not found.is_sure


@needs_a_file_that_is_not_read
def test_what_is_kept_does_not_outlive_a_fetch(partial: Path, source: Path) -> None:
    (partial / TOWER).write_text("")
    (source / TOWER).write_text("")
    first = reported(partial, since="HEAD~1")
    reported(partial, since="HEAD~1", fetch=True)
    again = reported(partial, since="HEAD~1")
    assert (first.is_sure, again.is_sure, again.absent) == (False, True, ())
    assert again.findings == reported(source, since="HEAD~1").findings


@needs_a_file_that_is_not_read
def test_the_command_line(partial: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--project", str(partial))
    assert main(["usages", "Tower.prefab", "--rev", "HEAD~1", *words]) == 2
    assert f"not in this clone: {TOWER}" in capsys.readouterr().err
    assert main(["find", "Well", "--rev", "HEAD~1", *words]) == 0
    assert "--fetch" in capsys.readouterr().err
    assert main(["check", "--rev", "HEAD~1", *words]) == 2
    assert main(["check", "--since", "HEAD~1", "--fail-on", "warning", *words]) == 1
    assert main(["check", "--since", "HEAD~1", "--exit-zero", *words]) == 0
    capsys.readouterr()
    assert main(["bake", "--rev", "HEAD~1", "--to", str(partial / "old.bin"), *words]) == 2
    assert "--fetch" in capsys.readouterr().err
    assert main(["deps", "Tower.prefab", "--rev", "HEAD~1", "--fetch", *words]) == 0
    assert "not in this clone" not in capsys.readouterr().err


def test_a_merge_of_revisions_that_are_not_here(source: Path, tmp_path: Path) -> None:
    git(source, "checkout", "-qb", "feature", "HEAD~1")
    tower = source / TOWER
    tower.write_text(tower.read_text().replace("m_Name: Tower", "m_Name: Fort"))
    write(source, "Assets/Prefabs/User.prefab", 43, HEAD + game_object(100, "User", 0, script(3)))
    commit(source)
    git(source, "checkout", "-q", "main")
    for name in ("Health.cs", "Health.cs.meta"):
        (source / "Assets/Scripts" / name).unlink()
    commit(source)
    partial = tmp_path / "second"
    git(tmp_path, "clone", "-q", "--filter=blob:none", source.as_uri(), str(partial))
    with pytest.raises(HistoryError, match="--fetch"):
        reported(partial, merge="origin/feature")
    found = reported(partial, merge="origin/feature", fetch=True)
    assert found.is_sure
    assert found.findings == reported(source, merge="feature").findings
    assert {row.path for row in found.findings} == {TOWER, "Assets/Prefabs/User.prefab"}


@needs_a_file_that_is_not_read
def test_an_absent_meta_makes_no_references(source: Path, tmp_path: Path) -> None:
    meta = source / f"{TOWER}.meta"
    meta.write_text(meta.read_text() + "  # another\n")
    commit(source)
    root = tmp_path / "second"
    git(tmp_path, "clone", "-q", "--filter=blob:none", source.as_uri(), str(root))
    project = open_project(str(root))
    with compared_revisions(project, "HEAD~1..HEAD") as found:
        assert found.absent == (f"{TOWER}.meta",)
        assert [row.path for row in found.assets] == [TOWER]
        assert not found.references
    project.close()


@needs_a_file_that_is_not_read
def test_a_server_that_is_gone(partial: Path, source: Path) -> None:
    source.rename(source.with_name("gone"))
    project = open_project(str(partial))
    with pytest.raises(HistoryError, match="git fetch"), open_revision(project, "HEAD~1", fetch=True):
        pass
    with open_revision(project, "HEAD~1") as found:
        assert found.absent == (TOWER,)
    project.close()


@needs_a_file_that_is_not_read
def test_nothing_is_fetched_without_being_asked(partial: Path) -> None:
    before = lacking(partial)
    reported(partial, since="HEAD~1")
    assert main(["find", "Tower", "--rev", "HEAD~1", "--project", str(partial)]) in (0, 2)
    assert lacking(partial) == before != []


def test_fetching_without_a_remote_is_not_advised_again(partial: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(partial, "remote", "remove", "origin")
    project = open_project(str(partial))
    with pytest.raises(HistoryError, match="git has no remote to fetch them from") as found:
        bytes_of_revision(project, "HEAD~1", fetch=True)
    assert "--fetch " not in str(found.value)
    project.close()
    words = ["--rev", "HEAD~1", "--fetch", "--project", str(partial)]
    assert main(["find", "nothing", *words]) == 2
    said = capsys.readouterr().err
    assert "git has no remote to fetch them from" in said
    assert "--fetch lets" not in said


@needs_a_file_that_is_not_read
def test_an_object_that_was_lost(source: Path) -> None:
    """A damaged repository is answered for likewise, though nobody promised the object."""
    oid = git(source, "rev-parse", f"HEAD~1:{TOWER}").strip()
    path = source / ".git" / "objects" / oid[:2] / oid[2:]
    path.chmod(0o600)
    path.unlink()
    assert list(read_blobs(Repository(str(source)), [oid])) == [None]
    project = open_project(str(source))
    with open_revision(project, "HEAD~1") as found:
        assert found.absent == (TOWER,)
    project.close()


@needs_a_file_that_is_not_read
def test_a_diff_names_what_it_lacks(partial: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = open_project(str(partial))
    for asked in ("HEAD~1", "HEAD~1..HEAD", "HEAD..HEAD~1"):
        with compared_revisions(project, asked) as found:
            change = next(row for row in found.assets if row.path == TOWER)
            assert (change.change, change.type, change.old_type) == ("changed", "Prefab", "")
            assert [item.note for item in found.objects(change)] == ["not in this clone"]
            assert {row.path for row in found.assets} == {TOWER, "Assets/Prefabs/Hut.prefab"}
            assert not found.references
    project.close()
    assert main(["diff", "HEAD~1", "--project", str(partial)]) == 0
    assert f"not in this clone: {TOWER}" in capsys.readouterr().err


@needs_a_file_that_is_not_read
def test_a_diff_without_a_meta(source: Path, tmp_path: Path) -> None:
    meta = source / f"{TOWER}.meta"
    meta.write_text(meta.read_text() + "  assetBundleName: towers\n")
    commit(source)
    git(tmp_path, "clone", "-q", "--filter=blob:none", source.as_uri(), str(tmp_path / "partial"))
    project = open_project(str(tmp_path / "partial"))
    with compared_revisions(project, "HEAD~1") as found:
        (change,) = found.assets
        assert (change.change, change.path) == ("changed", TOWER)
        assert [(item.name, item.note) for item in found.objects(change)] == [
            ("Tower.prefab.meta", "not in this clone")
        ]
    project.close()


@needs_a_file_that_is_not_read
def test_a_diff_shows_an_asset_whose_meta_is_not_here(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (source / TOWER).unlink()
    (source / f"{TOWER}.meta").unlink()
    commit(source)
    git(tmp_path, "clone", "-q", "--filter=blob:none", source.as_uri(), str(tmp_path / "partial"))
    project = open_project(str(tmp_path / "partial"))
    for asked, expected in (("HEAD~1", "removed"), ("HEAD~1..HEAD", "removed"), ("HEAD..HEAD~1", "added")):
        with compared_revisions(project, asked) as found:
            (change,) = found.assets
            assert (change.change, change.path, change.guid) == (expected, TOWER, "")
            assert [(item.name, item.note) for item in found.objects(change)] == [
                ("Tower.prefab.meta", "not in this clone")
            ]
            assert not found.references
    project.close()
    capsys.readouterr()
    assert main(["diff", "HEAD~1", "--project", str(tmp_path / "partial"), "--format", "markdown"]) == 0
    assert f"removed {TOWER}" in capsys.readouterr().out


@needs_scripts
def test_a_fetch_runs_no_program_that_the_repository_names(
    partial: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran, own = tmp_path / "ran", tmp_path / "own"
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    git(partial, "config", "remote.origin.uploadpack", f"touch '{ran}'; git-upload-pack")
    assert reported(partial, since="HEAD~1", fetch=True).absent == ()
    assert not ran.exists()
    assert lacking(partial) == []
    # Over ssh, to a host that there is not: the user's own program is run, and answers nothing.
    git(partial, "config", "remote.origin.url", "ssh://nowhere.invalid/x")
    for name, program in (
        ("core.sshCommand", f"touch '{ran}'; false"),
        ("core.askPass", f"touch '{ran}'"),
        ("credential.helper", f"!touch '{ran}'; false"),
    ):
        git(partial, "config", name, program)
    (tmp_path / ".gitconfig").write_text(f"[core]\n\tsshCommand = touch '{own}'; false\n")
    repository = Repository(str(partial), fetch=True)
    with pytest.raises(HistoryError):
        list(read_blobs(repository, ["1" * repository.digits]))
    assert not ran.exists()
    assert own.exists()
