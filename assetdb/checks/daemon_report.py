"""The report of a daemon, updated when its inputs change.

>>> import os
>>> from assetdb.query.snapshots.snapshot import open_project
>>> before = cached_report(open_project("Orchard")).findings
>>> os.remove("Orchard/Assets/Mat.mat.meta")
>>> added, removed = difference(before, cached_report(open_project("Orchard")).findings)
>>> [(finding.code, finding.path) for finding in added if finding.path.startswith("Assets/Mat")], removed
([('missing-meta', 'Assets/Mat.mat')], [])
"""

from __future__ import annotations

from _thread import allocate_lock
from collections import Counter
from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.engine import answers_of, check_project
from assetdb.checks.findings.selection import selection_of
from assetdb.errors import AssetdbError
from assetdb.memo.inputs import SETTINGS, SNAPSHOT, TREE
from assetdb.memo.memo import memo_of
from assetdb.query.snapshots.snapshot import REPORTS
from assetdb.system.cancelling import check_cancelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from assetdb.checks.findings.engine import Report
    from assetdb.checks.findings.finding import Finding
    from assetdb.checks.findings.selection import Selection
    from assetdb.memo.view import View
    from assetdb.query.snapshots.snapshot import Snapshot

_WAIT: Final = 0.05  # seconds between two checks whether another request has the answer
_REPORT: Final = "report: "
_MOST_KEPT: Final = 4  # reports, each of one selection; an editor asks for one


class _Question:
    """A request for a report, which another request may answer."""

    def __init__(self, project: Snapshot, selection: Selection) -> None:
        self.project = project
        self.selection = selection
        self.key = f"{_REPORT}{selection!r}"
        self.report: Report | None = None


class _Reports:
    """The reports of one daemon, made one at a time.

    Attributes:
        questions: those without an answer.
    """

    def __init__(self) -> None:
        self.questions: list[_Question] = []
        self._lock = allocate_lock()

    def answer(self, project: Snapshot, selection: Selection) -> Report:
        """Return the report of this snapshot or a later, shared one."""
        question = _Question(project, selection)
        self.questions.append(question)
        try:
            while question.report is None:
                if self._lock.acquire(timeout=_WAIT):
                    try:
                        if question.report is None:
                            self._find(question)
                    finally:
                        self._lock.release()
                check_cancelled()
            return question.report
        finally:
            self.questions.remove(question)

    def _find(self, question: _Question) -> None:
        """Make the reports for a request and all others that wait.

        All reports are of the newest snapshot that a request has: judging a snapshot begins anew where the one before
        was another, also where it was newer. Requests for other codes are answered here, too: everything is judged by
        then, and they could wait for the lock any number of times.
        """
        waiting = [question, *list(self.questions)]
        project = max(waiting, key=lambda other: other.project.number).project
        for key, selection in {other.key: other.selection for other in waiting}.items():
            try:
                found = self._derive(project, key, selection)
            except (AssetdbError, OSError):
                if key == question.key:
                    raise
                continue  # the request that asked for this report finds the error again, in its own thread
            for other in waiting:
                if other.key == key:
                    other.report = found

    def _derive(self, project: Snapshot, key: str, selection: Selection) -> Report:
        """Return a known report of a snapshot, or make it."""
        memo = memo_of(project)

        def report(view: View) -> Report:
            for kind in (SNAPSHOT, SETTINGS, TREE):
                view.note(kind)
            made = check_project(project, selection)
            # No event tells of some files: a journal that a user removes, files of packages outside the project, and
            # text without a meta, which many events at once may change while rules are asked.
            view.inherit(memo.uncovered(answers_of(selection.codes())))
            return made

        found = memo.derive(memo.inputs(project), key, "", report)
        memo.forget(list(memo.held(_REPORT))[:-_MOST_KEPT])
        return found


def find_after_updates(project: Snapshot) -> None:
    """Have a daemon check after every update, before it is asked."""
    project.memory.setdefault(REPORTS, _Reports())


def is_awaited(memory: Mapping[str, object]) -> bool:
    """Whether somebody waits for a report of a daemon."""
    reports = memory.get(REPORTS)
    return isinstance(reports, _Reports) and bool(reports.questions)


def cached_report(project: Snapshot, select: Sequence[str] = (), ignore: Sequence[str] = ()) -> Report:
    """Return all findings as configured; a daemon usually has them.

    Args:
        project: in a daemon, or in a process of its own.
        select: codes to check instead of the configured ones.
        ignore: codes to leave out, too.

    Raises:
        AssetdbError, OSError: the project cannot be read, or its configuration.
    """
    reports = project.memory.setdefault(REPORTS, _Reports())
    if not isinstance(reports, _Reports):
        raise TypeError("no place for reports")
    return reports.answer(project, selection_of(project.root, (), tuple(select), tuple(ignore)))


def difference(before: Iterable[Finding], after: Iterable[Finding]) -> tuple[list[Finding], list[Finding]]:
    """Return the findings that came and went, duplicates counted."""
    old, new = Counter(before), Counter(after)
    return sorted((new - old).elements()), sorted((old - new).elements())
