"""The question of one check: the whole project, or one change."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from assetdb.checks.findings.engine import check_project, report_of
from assetdb.checks.overview import keep_summary

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from assetdb.checks.findings.baseline import Identity
    from assetdb.checks.findings.engine import Report, Selection
    from assetdb.query.snapshots.snapshot import Snapshot


class Question(NamedTuple):
    """The question of one check.

    Attributes:
        selection: which codes, where.
        staged: only findings of the next commit.
        since: only findings introduced since this revision; None: all.
        merge: only what this merge would break, or None.
        known: findings of a baseline by identity, which are left out, or None.
        fetch: whether git may fetch blobs that a partial clone lacks.
    """

    selection: Selection
    staged: bool = False
    since: str | None = None
    merge: str | None = None
    known: Mapping[Identity, int] | None = None
    fetch: bool = False


class Answer(NamedTuple):
    """The findings of one check.

    Attributes:
        report: without what the baseline has.
        known: how many findings the baseline has left out.
        mended: how many of the baseline's no longer occur.
    """

    report: Report
    known: int = 0
    mended: int = 0


def answer(
    project: Snapshot,
    question: Question,
    *,
    workers: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
    in_daemon: bool = False,
) -> Answer:
    """Return the requested findings.

    Raises:
        DaemonError: ``in_daemon``, and a process of its own has to find the answer.
        HistoryError: git does not tell of the change.
        AssetdbError: the project cannot be read.
        OSError: likewise.
    """
    known = Counter(question.known) if question.known is not None else None
    report = _report(project, question, known, workers, on_progress, in_daemon=in_daemon)
    if known is None:
        return Answer(report)
    from assetdb.checks.findings.baseline import sift  # noqa: PLC0415 - most projects have none

    sifted = sift(report.findings, known)
    found = report_of(sifted.new, report.codes)
    return Answer(report._replace(findings=found.findings, statistics=found.statistics), sifted.known, sifted.mended)


def _report(
    project: Snapshot,
    question: Question,
    known: Counter[Identity] | None,
    workers: int,
    on_progress: Callable[[int, int], None] | None,
    *,
    in_daemon: bool,
) -> Report:
    selection = question.selection
    if not question.staged and question.since is None and question.merge is None:
        report = check_project(project, selection, workers=workers, on_progress=on_progress)
        if not (selection.paths or in_daemon):
            keep_summary(project, report)
        return report
    from assetdb.checks.changes import introduced  # noqa: PLC0415 - most checks ask git nothing

    look = introduced.Look(known, workers, on_progress, fetch=question.fetch)
    if question.merge is not None:
        return introduced.check_merge(project, question.merge, selection, look)
    if question.since is None:
        return introduced.check_staged(project, selection, look, in_daemon=in_daemon)
    return introduced.check_since(project, question.since, selection, look)
