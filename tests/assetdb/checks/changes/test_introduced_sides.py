"""Which findings of a change are sure where git lacks files, and of which changes a daemon tells."""

from __future__ import annotations

import os
import time
from contextlib import closing
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.checks.changes.introduced import TreeFindings, beyond, brought, check_since, check_staged, of_change
from assetdb.checks.daemon_report import REPORTS
from assetdb.checks.findings.engine import report_of
from assetdb.checks.findings.finding import Finding
from assetdb.checks.findings.selection import Selection
from assetdb.errors import DaemonError
from assetdb.history.lost_guids import Holder
from assetdb.query.snapshots.snapshot import NEWEST, open_project
from tests.assetdb.history.git_project import commit, git, make_repository
from tests.assetdb.unity_project import SETTLED, guid

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot

GONE, USER, OTHER = "Assets/gone.mat", "Assets/user.prefab", "Assets/other.prefab"
PROJECT: Any = SimpleNamespace(
    database=[SimpleNamespace(guid=guid(1), path=GONE), SimpleNamespace(guid=guid(2), path=OTHER)]
)


def finding(path: str, number: int = 0, code: str = "missing-asset") -> Finding:
    return Finding.of(code, path, "of a test", target=f"{guid(number)}:2100000" if number else "")


def change(
    before: TreeFindings, *after: Finding, is_sure: bool = True, removed: dict[str, Holder] | None = None
) -> TreeFindings:
    report = report_of(after, ())._replace(is_sure=is_sure)
    return of_change(PROJECT, before, report, [], removed or {})


def older(*findings: Finding, absent: tuple[str, ...] = ()) -> TreeFindings:
    return TreeFindings(findings, {}, {}, absent)


HOLDER = Holder(f"{GONE}.meta".encode(), GONE, "1" * 40)


@pytest.mark.parametrize(
    ("absent", "old", "new", "removed", "is_sure"),
    [
        ((), [], [finding(GONE)], {}, True),  # nothing is absent
        ((GONE,), [], [], {}, True),
        ((GONE,), [], [finding(USER)], {}, True),
        # The file may have had the finding before.
        ((GONE,), [], [finding(GONE)], {}, False),
        ((f"{GONE}.meta",), [], [finding(GONE)], {}, False),
        ((GONE,), [], [finding(f"{GONE}.meta")], {}, False),
        # A reference to it counted as missing, and so as old.
        ((GONE,), [finding(USER, 1)], [finding(USER, 1)], {}, False),
        ((GONE,), [finding(USER, 2)], [finding(USER, 2)], {}, True),  # to a file that is there
        ((GONE,), [finding(USER, 3)], [finding(USER, 3)], {}, True),
        ((GONE,), [finding(USER, 3)], [finding(USER, 3)], {guid(3): HOLDER}, False),
        ((OTHER,), [finding(USER, 3)], [finding(USER, 3)], {guid(3): HOLDER}, True),
        ((GONE,), [], [finding(USER, 1)], {}, True),  # it is told anyway
        # Nobody knows the GUID of an absent meta.
        ((f"{OTHER}.meta",), [finding(USER, 3)], [finding(USER, 3)], {}, False),
        ((f"{OTHER}.meta",), [], [finding(USER, 3)], {}, True),
        ((f"{OTHER}.meta",), [finding(USER)], [finding(USER)], {}, True),  # it has no target
    ],
)
def test_a_change_is_sure_unless_it_rests_on_absent_files(
    absent: tuple[str, ...], old: list[Finding], new: list[Finding], removed: dict[str, Holder], *, is_sure: bool
) -> None:
    found = change(older(*old, absent=absent), *new, removed=removed)
    assert found.is_sure is is_sure
    assert found.absent == absent
    assert not change(older(*old, absent=absent), *new, removed=removed, is_sure=False).is_sure


def test_a_change_has_what_is_new_in_order_with_its_former_owners() -> None:
    lost = finding("Assets/a.prefab", 3)
    unknown = finding(USER, 3, "package-not-present")
    report = report_of((finding(USER, 2), finding(OTHER, 2), unknown), ())._replace(absent=("b",))
    before = older(finding(USER, 2), absent=("c", "a"))
    found = of_change(PROJECT, before, report, [lost], {guid(3): HOLDER, guid(4): HOLDER})
    assert found.findings == (lost, finding(OTHER, 2))  # where it is certainly gone, no package is told of
    assert found.removed == {guid(3): HOLDER}
    assert found.absent == ("a", "b", "c")
    kept = of_change(PROJECT, before, report, [], {})
    assert kept.findings == (finding(OTHER, 2), unknown)
    assert kept.removed == {}


def test_each_finding_counts_as_often_as_it_is_there() -> None:
    one, other = finding(USER, 1), finding(OTHER, 1)
    assert beyond([], [one, one]) == (one, one)
    assert beyond([one], [one, other, one]) == (other, one)
    assert beyond([one, one], [one]) == ()
    after = report_of((one, other), ("missing-asset",))
    assert brought(report_of((one,), ()), after) == report_of((other,), ("missing-asset",))


# --- in a daemon


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = make_repository(tmp_path / "repository")
    commit(root)
    return root


@pytest.fixture
def opened(root: Path) -> Iterator[Snapshot]:
    """Return the newest snapshot of a daemon, where the findings of the last commit are known."""
    settle(root)
    with closing(open_project(str(root))) as before:
        check_since(before, "HEAD", Selection())
    invent(root)
    with closing(open_project(str(root))) as project:
        project.memory[NEWEST] = project.number
        yield project


def settle(root: Path) -> None:
    """Let all files be older than any look at them."""
    before = time.time() - 100
    for folder, _, names in os.walk(root):
        if ".git" not in folder:
            for name in names:
                os.utime(os.path.join(folder, name), (before, before))
    time.sleep(SETTLED)


TOWER = "Assets/Prefabs/Tower.prefab"


def invent(root: Path, number: int = 78) -> None:
    """Stage a reference to a GUID that nothing has."""
    tower = root / TOWER
    tower.write_text(tower.read_text().replace(guid(3), guid(number)))
    git(root, "add", "-A")
    time.sleep(SETTLED)


def test_a_daemon_tells_of_what_is_staged_as_the_command_does(opened: Snapshot) -> None:
    found = check_staged(opened, Selection(), in_daemon=True)
    assert [(row.code, row.path) for row in found.findings] == [("unknown-guid", TOWER)]
    assert REPORTS in opened.memory  # it checks after each update from now on
    with closing(open_project(opened.root)) as project:
        assert check_staged(project, Selection()) == found
        assert REPORTS not in project.memory


def test_a_daemon_leaves_what_it_would_have_to_read(root: Path, opened: Snapshot) -> None:
    tower = root / TOWER
    tower.write_text(tower.read_text() + "# more\n")
    with pytest.raises(DaemonError, match="the index is not what is on the disk"):
        check_staged(opened, Selection(), in_daemon=True)
    assert [row.path for row in check_staged(opened, Selection()).findings] == [TOWER]


def test_a_daemon_leaves_a_commit_that_was_not_checked(opened: Snapshot) -> None:
    scripts = Selection(select=("missing-script",))
    with pytest.raises(DaemonError, match="the findings of the last commit are not known"):
        check_staged(opened, scripts, in_daemon=True)
    assert [row.path for row in check_staged(opened, scripts).findings] == [TOWER]


def test_a_daemon_that_saw_a_change_meanwhile_answers_nothing(opened: Snapshot) -> None:
    opened.memory[NEWEST] = opened.number + 1
    with pytest.raises(DaemonError, match="files changed meanwhile"):
        check_staged(opened, Selection(), in_daemon=True)


def test_nothing_staged_has_no_findings(root: Path, opened: Snapshot) -> None:
    git(root, "reset", "-q")
    assert check_staged(opened, Selection(), in_daemon=True) == report_of((), Selection().codes())
