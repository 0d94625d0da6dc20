"""The question of one check: of the whole project or of a change, without what a baseline has, with its counts kept."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.findings.baseline import Baseline
from assetdb.checks.findings.engine import Selection
from assetdb.checks.request import CheckSummary, Question, answer, last_summary
from assetdb.memo.memo import memo_of
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.checks.healthy import make_healthy, material, put

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot

EVERYTHING = Question(Selection())
KEY = "summary of the last check"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two errors and a warning: a pair without metas, and a pointer."""
    made = make_healthy(tmp_path / "Game", 1)
    for name in ("One", "Two"):
        (made / f"Assets/Art/{name}.mat").write_text(material(name))
    put(made, "Assets/Art/Pointer.asset", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    return made


@pytest.fixture
def project(root: Path) -> Iterator[Snapshot]:
    opened = open_project(str(root), str(root.parent / "out"))
    yield opened
    opened.close()


def test_the_whole_project_is_answered_and_its_counts_are_kept(project: Snapshot) -> None:
    assert last_summary(project) is None
    found = answer(project, EVERYTHING)
    assert (found.known, found.mended) == (0, 0)
    counts = found.report.statistics
    assert counts["missing-meta"] == 2
    errors = sum(row.severity == "error" for row in found.report.findings)
    assert errors >= 2
    assert last_summary(project) == CheckSummary(errors, len(found.report.findings) - errors, 0, counts)


@pytest.mark.parametrize(
    "selection",
    [Selection(("Assets/Art",)), Selection(select=("missing-meta",)), Selection(ignore=("missing-meta",))],
)
@pytest.mark.parametrize("in_daemon", [False, True])
def test_the_counts_of_a_part_are_not_kept(project: Snapshot, selection: Selection, *, in_daemon: bool) -> None:
    answer(project, Question(selection), in_daemon=in_daemon)
    assert last_summary(project) is None


def test_the_counts_in_a_daemon_are_kept_for_other_processes(root: Path, project: Snapshot) -> None:
    found = answer(project, EVERYTHING, in_daemon=True)
    assert last_summary(project) is not None
    other = open_project(str(root), project.folder)
    try:
        summary = last_summary(other)
        assert summary is not None
        assert summary.codes == found.report.statistics
    finally:
        other.close()


def test_the_codes_of_the_projects_settings_are_the_whole_project(root: Path, project: Snapshot) -> None:
    (root / "assetdb.toml").write_text('[check]\nignore = ["missing-meta"]\n')
    answer(project, EVERYTHING)
    assert last_summary(project) is None
    found = answer(project, Question(Selection(ignore=("missing-meta",))))
    assert last_summary(project) == CheckSummary(0, len(found.report.findings), 0, found.report.statistics)


@pytest.mark.parametrize(
    "kept",
    [
        b"",
        b"null",
        b"{",
        b"[1, 2]",
        b"[1, 2, {}]",
        b"[1, 2, 3, 4]",
        b'[1, "2", 3, {}]',
        b'["1", 2, 3, {}]',
        b'[1, 2, "3", {}]',
        b'[1, 2, 3, {"a": "3"}]',
        b"[1, 2, 3, {}, 4]",
        b"5",
    ],
)
def test_counts_that_are_none_are_forgotten(project: Snapshot, kept: bytes) -> None:
    memo_of(project).put(KEY, kept)
    assert last_summary(project) is None


def test_counts_are_read_as_they_were_kept(project: Snapshot) -> None:
    memo_of(project).put(KEY, json.dumps([0, 1, 1, {"dangling": 2}]).encode())
    assert last_summary(project) == CheckSummary(0, 1, 1, {"dangling": 2})
    memo_of(project).put(KEY, b"[0, 0, 0, {}]")
    assert last_summary(project) == CheckSummary(0, 0, 0, {})


def test_a_baseline_leaves_out_what_it_has_and_counts_what_is_gone(project: Snapshot) -> None:
    every = answer(project, EVERYTHING).report
    lost = [row for row in every.findings if row.code == "missing-meta"]
    gone = ("dangling", "gone", "", "", "")
    known = Baseline(Counter({lost[0].identity(): 1, gone: 2}), None)
    found = answer(project, EVERYTHING._replace(known=known))
    assert (found.known, found.mended) == (1, 2)
    assert found.report.findings == tuple(row for row in every.findings if row != lost[0])
    assert found.report.statistics == {**every.statistics, "missing-meta": 1}
    assert found.report.codes == every.codes
    assert known.known == {lost[0].identity(): 1, gone: 2}  # the question stays as it is
    nothing = answer(project, EVERYTHING._replace(known=Baseline(Counter(), None)))
    assert (nothing.known, nothing.mended, nothing.report.findings) == (0, 0, every.findings)
