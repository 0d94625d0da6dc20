"""What a merge would break, and neither side has broken."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.changes.introduced import check_merge
from assetdb.checks.findings.engine import Selection, check_project
from assetdb.cli import main
from assetdb.errors import HistoryError
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.history.git_project import commit, edit, git, make_repository, meta_of, script
from tests.assetdb.unity_project import HEAD, game_object, guid, write

if TYPE_CHECKING:
    from pathlib import Path

USER = "Assets/Prefabs/user.prefab"
PACKAGES = "Library/PackageCache"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a project with a branch ``feature``, which is checked out."""
    root = make_repository(tmp_path / "repository")
    git(root, "checkout", "-qb", "feature")
    return root


def add_user(root: Path, number: int = 70) -> None:
    """Add a prefab that uses the script 3."""
    write(root, USER, number, HEAD + game_object(100, "User", 0, script(3)))


def add_on_both(root: Path, number: int) -> None:
    """Commit a prefab on one side, and an asset with a GUID on the other."""
    add_user(root)
    commit(root)
    git(root, "checkout", "-q", "main")
    write(root, "Assets/Other.asset", number, HEAD)
    commit(root)


def rename_on_both(root: Path) -> None:
    """Change one line of a prefab on both sides."""
    path = root / "Assets/Prefabs/Tower.prefab"
    for branch, name in (("feature", "Keep"), ("main", "Fort")):
        git(root, "checkout", "-q", branch)
        path.write_text(path.read_text().replace("m_Name: Tower", f"m_Name: {name}"))
        commit(root)


def delete_script(root: Path) -> None:
    """Delete the script 3, and those that use it."""
    for path in ("Assets/Prefabs/Tower.prefab", "Assets/Deep/Down/Here/well.prefab"):
        (root / path).unlink()
        meta_of(root / path).unlink()
    found = next(path for path in root.rglob("*.meta") if guid(3) in path.read_text())
    found.unlink()
    found.with_suffix("").unlink()


def broken(root: Path, merge: str, selection: Selection = Selection()) -> list[tuple[str, str]]:  # noqa: B008 - frozen
    project = open_project(str(root))
    try:
        return [(row.code, row.path) for row in check_merge(project, merge, selection).findings]
    finally:
        project.close()


def test_what_one_side_deletes_and_the_other_begins_to_use(root: Path) -> None:
    delete_script(root)
    commit(root)
    git(root, "checkout", "-q", "main")
    add_user(root)
    commit(root)
    assert ("missing-script", USER) in broken(root, "feature")
    assert broken(root, "feature") == broken(root, "main...feature")
    assert ("missing-script", USER) in broken(root, "feature...main")
    assert {path for _, path in broken(root, "feature")} == {USER}
    assert broken(root, "HEAD") == []


def test_a_guid_that_both_sides_drew(root: Path) -> None:
    add_on_both(root, 70)
    assert {code for code, _ in broken(root, "feature")} == {"duplicate-guid"}


def test_a_file_that_both_sides_changed(root: Path) -> None:
    rename_on_both(root)
    assert "conflict-markers" in {code for code, _ in broken(root, "feature")}


def test_a_clean_merge_breaks_nothing(root: Path) -> None:
    add_on_both(root, 71)
    assert broken(root, "feature") == []


def test_nothing_is_written_and_no_driver_is_run(root: Path, tmp_path: Path) -> None:
    (root / ".gitattributes").write_text("*.prefab merge=unity\n")
    commit(root)
    git(root, "checkout", "-q", "main")
    git(root, "merge", "-q", "--ff-only", "feature")
    git(root, "config", "merge.unity.driver", f"touch {tmp_path / 'run'}; false")
    rename_on_both(root)
    before = git(root, "count-objects", "-v"), git(root, "status", "--porcelain"), git(root, "for-each-ref")
    assert "conflict-markers" in {code for code, _ in broken(root, "feature")}
    assert (git(root, "count-objects", "-v"), git(root, "status", "--porcelain"), git(root, "for-each-ref")) == before
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("seed", range(8))
def test_it_is_what_a_merge_has_and_neither_side(root: Path, tmp_path: Path, seed: int) -> None:
    edit_both(root, random.Random(seed))
    hold_merge(root, tmp_path)


def edit_both(root: Path, chosen: random.Random) -> None:
    """Make some random changes on both branches."""
    for branch in ("feature", "main"):
        git(root, "checkout", "-q", branch)
        for _ in range(3):
            edit(root, chosen)
        commit(root)


def hold_merge(root: Path, scratch: Path) -> int:
    """Hold the findings of a merge against checks of checkouts; return how many there are."""

    def findings(revision: str) -> Counter[tuple[str, ...]]:
        place = scratch / revision.replace("/", "-")
        git(root, "worktree", "add", "-q", "--detach", str(place), revision)
        shutil.copytree(root / PACKAGES, place / PACKAGES)  # git ignores it: it is on all sides
        project = open_project(str(place), out_dir=str(scratch / f"out-{revision}"))
        try:
            return Counter(row.identity() for row in check_project(project, Selection()).findings)
        finally:
            project.close()

    tree = git_tree(root, "main", "feature")
    made = git(root, "commit-tree", tree, "-p", "main", "-p", "feature", "-m", "merge").strip()
    expected = findings(made) - (findings("main") | findings("feature"))
    project = open_project(str(root))
    try:
        found = Counter(row.identity() for row in check_merge(project, "main...feature", Selection()).findings)
    finally:
        project.close()
    assert not expected - found
    for _, path, *_, target in found - expected:  # said for certain, where a package that is not here could have it
        missing = target.partition(":")[0]
        assert not holds(root, made, missing, "*.meta")
        lacking = [side for side in ("main", "feature") if not holds(root, side, missing, "*.meta")]
        assert len(lacking) == 1
        assert not holds(root, lacking[0], missing, path)
    return found.total()


def holds(root: Path, revision: str, text: str, pattern: str) -> bool:
    """Whether a file of a revision has a text, by git's own search."""
    try:
        return bool(git(root, "grep", "-l", text, revision, "--", pattern))
    except subprocess.CalledProcessError:
        return False


def git_tree(root: Path, ours: str, theirs: str) -> str:
    """Return the tree of a merge, with conflict markers where there are conflicts."""
    try:
        return git(root, "merge-tree", "--write-tree", "--no-messages", "--name-only", ours, theirs).split("\n")[0]
    except subprocess.CalledProcessError as error:  # git exits with 1 where there are conflicts
        return str(error.stdout).split("\n")[0]


def test_the_command(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    delete_script(root)
    commit(root)
    git(root, "checkout", "-q", "main")
    add_user(root)
    commit(root)
    monkeypatch.chdir(root)
    assert main(["check", "--merge", "feature", "--json"]) == 1
    assert '"missing-script"' in capsys.readouterr().out
    assert main(["check", "--merge", "nowhere"]) == 2
    assert "git knows no revision 'nowhere'" in capsys.readouterr().err
    assert main(["check", "--merge", "feature", "--staged"]) == 2
    assert "--staged and --merge cannot be combined" in capsys.readouterr().err
    assert main(["check", "--merge", "feature", "--fix"]) == 2
    project = open_project(str(root))
    with pytest.raises(HistoryError):
        check_merge(project, "--output=x", Selection())
    project.close()


def test_two_sides_without_a_common_commit(root: Path) -> None:
    git(root, "checkout", "-q", "--orphan", "another")
    commit(root)
    project = open_project(str(root))
    with pytest.raises(HistoryError, match="have no commit in common here; name a commit instead"):
        check_merge(project, "main", Selection())
    project.close()


def test_who_deleted_is_the_other_side(root: Path) -> None:
    delete_script(root)
    deleted = commit(root)
    git(root, "checkout", "-q", "main")
    add_user(root)
    commit(root)
    project = open_project(str(root))
    held = check_merge(project, "feature", Selection()).held
    assert held[guid(3)] == ("Assets/Scripts/Health.cs", deleted[:10])
    project.close()
