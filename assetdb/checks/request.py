"""The question of one check: the whole project, or one change.

The counts of the last check of the whole project are kept, for ``info``.
"""

from __future__ import annotations

import json
from collections import Counter
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from assetdb.checks.findings.engine import check_project, report_of
from assetdb.checks.findings.selection import selection_of
from assetdb.checks.reports.kept import LAST_SUMMARY
from assetdb.diagnostics.codes import ERROR, NOTE, WARNING
from assetdb.memo.memo import memo_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from assetdb.checks.findings.baseline import Baseline
    from assetdb.checks.findings.engine import Report, Selection
    from assetdb.query.snapshots.snapshot import Snapshot


class Question(NamedTuple):
    """The question of one check.

    Attributes:
        selection: which codes, where.
        staged: only findings of the next commit.
        since: only findings introduced since this revision; None: all.
        merge: only what this merge would break, or None.
        known: a baseline, whose findings are left out, or None.
        fetch: whether git may fetch blobs that a partial clone lacks.
    """

    selection: Selection
    staged: bool = False
    since: str | None = None
    merge: str | None = None
    known: Baseline | None = None
    fetch: bool = False

    @property
    def is_of_change(self) -> bool:
        """Whether it is about a change."""
        return self.staged or self.since is not None or self.merge is not None


class CheckAnswer(NamedTuple):
    """The findings of one check.

    Attributes:
        report: without what the baseline has.
        known: how many findings the baseline has left out.
        mended: how many of the baseline's no longer occur.
        unrecorded: codes in the report that were not checked when the baseline was written, with their numbers.
        unchecked: codes in the baseline that were not checked now, with their numbers.
    """

    report: Report
    known: int = 0
    mended: int = 0
    unrecorded: Mapping[str, int] = MappingProxyType({})
    unchecked: Mapping[str, int] = MappingProxyType({})


class CheckSummary(NamedTuple):
    """The counts of the whole project's last check, by code too."""

    errors: int
    warnings: int
    notes: int
    codes: dict[str, int]


def answer(
    project: Snapshot,
    question: Question,
    *,
    workers: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
    in_daemon: bool = False,
) -> CheckAnswer:
    """Return the requested findings.

    Raises:
        DaemonError: with ``in_daemon``, if only another process can answer.
        HistoryError: git cannot compare the sides of the change.
        AssetdbError, OSError: the project cannot be read.
    """
    known = Counter(question.known.known) if question.known is not None else None
    selection = question.selection
    if question.is_of_change:
        from assetdb.checks.changes import introduced  # noqa: PLC0415 - most checks ask git nothing

        options = introduced.CheckOptions(known, workers, on_progress, fetch=question.fetch)
        if question.merge is not None:
            from assetdb.checks.merges.merge import check_merge  # noqa: PLC0415 - the same

            report = check_merge(project, question.merge, selection, options)
        elif question.since is None:
            report = introduced.check_staged(project, selection, options, in_daemon=in_daemon)
        else:
            report = introduced.check_since(project, question.since, selection, options)
    else:
        report = check_project(project, selection, workers=workers, on_progress=on_progress)
        if not selection.paths:
            _keep_summary(project, report, in_daemon=in_daemon)
    if question.known is None or known is None:
        return CheckAnswer(report)
    from assetdb.checks.findings.baseline import sift  # noqa: PLC0415 - most projects have none

    sifted = sift(report.findings, question.known._replace(known=known), report.codes)
    found = report_of(sifted.new, report.codes)
    report = report._replace(findings=found.findings, statistics=found.statistics)
    return CheckAnswer(report, sifted.known, sifted.mended, sifted.unrecorded, sifted.unchecked)


def _keep_summary(project: Snapshot, report: Report, *, in_daemon: bool) -> None:
    """Keep the counts of a check of all codes, for :func:`last_summary`.

    A daemon has its answers in memory, and writes the counts alone.
    """
    if report.codes != selection_of(project.root).codes():
        return
    severities = Counter(map(attrgetter("severity"), report.findings))
    summary = CheckSummary(severities[ERROR], severities[WARNING], severities[NOTE], report.statistics)
    packed = json.dumps(summary).encode()
    memo = memo_of(project)
    if memo.get(LAST_SUMMARY) != packed:
        memo.put(LAST_SUMMARY, packed)
        memo.write(answers=not in_daemon)


def last_summary(project: Snapshot) -> CheckSummary | None:
    """Return the counts of the last whole check, or None."""
    try:
        errors, warnings, notes, codes = json.loads(memo_of(project).get(LAST_SUMMARY) or b"null")
    except (TypeError, ValueError):
        return None
    return CheckSummary(errors, warnings, notes, codes) if _are_counts(errors, warnings, notes, codes) else None


def _are_counts(errors: object, warnings: object, notes: object, codes: object) -> bool:
    counts = [errors, warnings, notes, *codes.values()] if isinstance(codes, dict) else [None]
    return all(isinstance(count, int) for count in counts)
