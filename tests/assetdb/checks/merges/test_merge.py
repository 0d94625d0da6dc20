"""What a merge would break, and neither side has broken."""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.checks.changes import introduced
from assetdb.checks.changes.introduced import CheckOptions
from assetdb.checks.findings.engine import Selection, answers_of, check_project
from assetdb.checks.merges.merge import check_merge
from assetdb.cli import main
from assetdb.errors import HistoryError
from assetdb.history.configuration.merge_driver import KEY
from assetdb.history.configuration.setup import set_up
from assetdb.memo.memo import Memo, memo_of
from assetdb.query.snapshots.snapshot import open_project
from assetdb.unity.scripts import marks
from assetdb.unity.scripts.marks import read_marks
from tests.assetdb.history.git_project import commit, edit, git, make_repository, meta_of, script
from tests.assetdb.unity_project import HEAD, SETTLED, game_object, guid, write

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.checks.findings.engine import Report

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


def delete_and_use(root: Path) -> None:
    """Delete a script on one side, and use it on the other."""
    delete_script(root)
    commit(root)
    git(root, "checkout", "-q", "main")
    add_user(root)
    commit(root)


def broken(root: Path, merge: str, selection: Selection = Selection()) -> list[tuple[str, str]]:  # noqa: B008 - frozen
    project = open_project(str(root))
    try:
        return [(row.code, row.path) for row in check_merge(project, merge, selection).findings]
    finally:
        project.close()


def test_what_one_side_deletes_and_the_other_begins_to_use(root: Path) -> None:
    delete_and_use(root)
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


@pytest.mark.parametrize("is_kept", [False, True])
def test_a_baseline_forgets_what_either_side_has(root: Path, *, is_kept: bool) -> None:
    """... as often as the side with more has it, whether or not the answer is known."""
    write(root, "Assets/both.prefab", 72, HEAD + game_object(100, "Both", 0, script(77)))
    commit(root)
    git(root, "checkout", "-q", "-B", "main")
    for branch, number in (("feature", 70), ("main", 71)):
        git(root, "checkout", "-q", branch)
        write(root, f"Assets/{branch}.prefab", number, HEAD + game_object(100, "Own", 0, script(77)))
        commit(root)
    if is_kept:
        time.sleep(SETTLED)
        assert broken(root, "main...feature") == []
    sides = []
    for branch in ("feature", "main"):
        git(root, "checkout", "-q", branch)
        with closing(open_project(str(root))) as project:
            sides.append(Counter(row.identity() for row in check_project(project, Selection()).findings))
    own = [{asset for code, asset, *_ in side if code == "missing-script"} for side in sides]
    assert own == [{guid(70), guid(72)}, {guid(71), guid(72)}]
    unrelated = ("missing-script", guid(99), "", "", "")
    known = (sides[0] | sides[1]) + Counter([unrelated])
    with closing(open_project(str(root))) as project:
        report = check_merge(project, "main...feature", Selection(), CheckOptions(known=known))
    assert report.findings == ()
    assert +known == Counter([unrelated])
    assert min(known.values()) == 0


@pytest.mark.parametrize("ours", ["feature", "main"])
def test_where_nothing_is_kept_all_references_are_judged(root: Path, ours: str) -> None:
    """Files of submodules are in no tree of the repository."""
    (root / ".gitmodules").write_text("")
    commit(root)
    git(root, "checkout", "-q", "-B", "main")
    git(root, "checkout", "-q", "feature")
    delete_and_use(root)
    theirs = "main" if ours == "feature" else "feature"
    for _ in range(2):
        assert broken(root, f"{ours}...{theirs}") == [("missing-script", USER)]


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


NEIGHBOURS = HEAD + "--- !u!114 &100\nMonoBehaviour:\n  a: {a}\n  b: {b}\n"
SCENE = "Assets/Both.unity"


def change_neighbours(root: Path, attributes: str = "") -> None:
    """Change two neighbouring lines of a scene, one on each side: git has a conflict, a merge by object has none."""
    (root / ".gitattributes").write_text(attributes)
    write(root, SCENE, 60, NEIGHBOURS.format(a=0, b=0))
    commit(root)
    git(root, "checkout", "-q", "main")
    git(root, "merge", "-q", "--ff-only", "feature")
    for branch, values in (("feature", {"a": 0, "b": 2}), ("main", {"a": 1, "b": 0})):
        git(root, "checkout", "-q", branch)
        (root / SCENE).write_text(NEIGHBOURS.format(**values))
        commit(root)


def test_the_driver_is_used_where_it_is_set_up(root: Path) -> None:
    change_neighbours(root)
    assert ("conflict-markers", SCENE) in broken(root, "feature")
    list(set_up(str(root), hook=False, merge=True))
    assert broken(root, "feature") == []


def test_a_driver_is_ours_only_as_git_setup_writes_it(root: Path, tmp_path: Path) -> None:
    change_neighbours(root, "*.unity merge=assetdb\n")
    git(root, "config", KEY, f"touch {tmp_path / 'run'}; false")
    assert ("conflict-markers", SCENE) in broken(root, "feature")
    assert not (tmp_path / "run").exists()


def test_the_driver_takes_sides_as_the_settings_say(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repository", "my game")
    git(root, "checkout", "-qb", "feature")
    list(set_up(str(root), hook=False, merge=True))
    (root / "assetdb.toml").write_text('[merge]\nours = ["Assets/Both.unity"]\n')
    change_neighbours(root, (root / ".gitattributes").read_text())
    git(root, "checkout", "-q", "feature")
    (root / SCENE).write_text(NEIGHBOURS.format(a=5, b=0))
    commit(root)
    git(root, "checkout", "-q", "main")
    assert broken(root, "feature") == []
    (root / "assetdb.toml").unlink()
    assert ("conflict-markers", SCENE) in broken(root, "feature")


def test_references_that_lead_nowhere_come_first(root: Path) -> None:
    path = root / "Assets/Audio.prefab"  # by its name it would be before the user of the script
    path.write_text(HEAD + game_object(100, "Tower", 0))
    path.with_name("Audio.prefab.meta").write_text(f"fileFormatVersion: 2\nguid: {guid(71)}\n")
    commit(root)
    git(root, "checkout", "-q", "main")
    git(root, "merge", "-q", "--ff-only", "feature")
    git(root, "checkout", "-q", "feature")
    delete_script(root)
    path.write_text(HEAD + game_object(100, "Keep", 0))
    commit(root)
    git(root, "checkout", "-q", "main")
    path.write_text(HEAD + game_object(100, "Fort", 0))
    add_user(root)
    commit(root)
    assert [code for code, _ in broken(root, "feature")] == ["missing-script", "conflict-markers"]


def test_a_first_question_reads_scripts_once_for_all_sides(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_on_both(root, 71)
    time.sleep(SETTLED)
    read: list[bytes] = []
    monkeypatch.setattr(marks, "read_marks", lambda data: read.append(data) or read_marks(data))
    assert broken(root, "feature") == []
    assert len(read) == len({*read}) > 0


def test_the_second_question_judges_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    delete_script(root)
    deleted = commit(root)
    git(root, "checkout", "-q", "main")
    add_user(root)
    commit(root)
    time.sleep(SETTLED)
    first = checked(root)
    assert [finding.code for finding in first.findings] == ["missing-script"]

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("judged again")

    with monkeypatch.context() as patched:
        patched.setattr(introduced, "check_project", refuse)
        assert checked(root) == first
    assert first.held[guid(3)].commit == deleted[:10]
    git(root, "checkout", "-q", "feature")
    (root / "Assets/more.txt").write_text("more")
    commit(root)
    assert [finding.code for finding in checked(root).findings] == ["missing-script"]


class JudgedAgainError(Exception):
    """All rules were asked again."""


def rejudged(root: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether another question judges the merge again."""

    def refuse(*_: object, **__: object) -> None:
        raise JudgedAgainError

    with monkeypatch.context() as patched:
        patched.setattr(introduced, "check_project", refuse)
        try:
            checked(root)
        except JudgedAgainError:
            return True
    return False


def delete_and_use_before(root: Path) -> None:
    """Have both sides so long ago that identities tell of later changes."""
    delete_and_use(root)
    time.sleep(SETTLED)


def test_an_answer_counts_where_the_next_question_finds_the_same_disk(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    delete_and_use_before(root)
    first = checked(root)
    (root / "Assets/more.txt").write_text("more")  # nobody looked at the disk between the answer and this
    time.sleep(SETTLED)
    assert rejudged(root, monkeypatch)
    assert checked(root) == first
    assert not rejudged(root, monkeypatch)  # this question proves the answer for good
    (root / "Assets/more.txt").write_text("most")
    time.sleep(SETTLED)
    assert not rejudged(root, monkeypatch)
    assert checked(root) == first


def test_a_later_answer_proves_earlier_ones(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    delete_and_use_before(root)
    git(root, "branch", "another", "feature")
    checked(root)
    project = open_project(str(root))
    check_merge(project, "another...main", Selection())
    project.close()
    (root / "Assets/more.txt").write_text("more")
    time.sleep(SETTLED)
    assert not rejudged(root, monkeypatch)


def test_an_answer_is_not_kept_where_a_file_changed_meanwhile(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    delete_and_use_before(root)
    user = root / USER
    right = user.read_text()
    real = introduced.open_entries

    def saving(*words: Any, **options: Any) -> Any:  # noqa: ANN401 - as it is called
        user.write_text(HEAD + game_object(100, "User", 0))  # without its script, for git and the scan as before
        return real(*words, **options)

    with monkeypatch.context() as patched:
        patched.setattr(introduced, "open_entries", saving)
        checked(root)
    user.write_text(right)
    time.sleep(SETTLED)
    assert [finding.code for finding in checked(root).findings] == ["missing-script"]


def test_an_answer_that_came_after_the_look_at_the_disk_proves_nothing(root: Path) -> None:
    delete_and_use_before(root)
    checked(root)
    project = open_project(str(root))
    try:
        assert introduced.kept_before(project)
        project.refresh()
        assert introduced.kept_before(project) == {}
    finally:
        project.close()


def checked(root: Path) -> Report:
    project = open_project(str(root))
    try:
        return check_merge(project, "main...feature", Selection())
    finally:
        project.close()


def edit_both(root: Path, chosen: random.Random) -> None:
    """Make some random changes on both branches."""
    for branch in ("feature", "main"):
        git(root, "checkout", "-q", branch)
        for _ in range(3):
            edit(root, chosen)
        commit(root)


def hold_merge(root: Path, scratch: Path, *, is_exact: bool = False) -> int:
    """Hold the findings of a merge against checks of checkouts; return how many there are.

    Unless ``is_exact``, the merge may say for certain what a check cannot: a package that is not here might have it.
    """

    rows: dict[str, set[tuple[str, tuple[str, ...]]]] = {}

    def findings(revision: str) -> Counter[tuple[str, ...]]:
        place = scratch / revision.replace("/", "-")
        git(root, "worktree", "add", "-q", "--detach", str(place), revision)
        shutil.copytree(root / PACKAGES, place / PACKAGES)  # git ignores it: it is on all sides
        project = open_project(str(place), out_dir=str(scratch / f"out-{revision}"))
        try:
            found = check_project(project, Selection()).findings
        finally:
            project.close()
        rows[revision] = {(row.path, row.identity()) for row in found}
        return Counter(row.identity() for row in found)

    tree = git_tree(root, "main", "feature")
    made = git(root, "commit-tree", tree, "-p", "main", "-p", "feature", "-m", "merge").strip()
    expected = findings(made) - (findings("main") | findings("feature"))
    project = open_project(str(root))
    try:
        found = Counter(row.identity() for row in check_merge(project, "main...feature", Selection()).findings)
    finally:
        project.close()
    # Where each side added a file with one GUID, a finding of both files has one identity: twice in the merge, not new.
    unmoved = {identity for _, identity in rows[made]} - {
        identity for _, identity in rows[made] - rows["main"] - rows["feature"]
    }
    for identity in unmoved & expected.keys():
        del expected[identity]
        found.pop(identity, None)
    assert not expected - found
    assert not (is_exact and found - expected)
    for _, path, *_, target in found - expected:
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


def test_answers_about_a_disk_that_is_the_merge_are_kept(root: Path) -> None:
    delete_script(root)
    commit(root)
    git(root, "checkout", "-q", "main")
    add_user(root)
    commit(root)
    git(root, "merge", "-q", "--no-commit", "--no-ff", "feature")
    time.sleep(SETTLED)
    project = open_project(str(root))
    try:
        assert check_merge(project, "feature", Selection()).findings
        assert not memo_of(project).is_fleeting
    finally:
        project.close()
    memo = Memo(str(root / "Library/assetdb"))
    assert all(memo.is_known(*answer) for answer in answers_of(["missing-asset"])[:-1])


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
