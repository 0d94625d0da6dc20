"""The report of a daemon, updated when its inputs change.

>>> before = standing_report(project)  # doctest: +SKIP
>>> difference(before, standing_report(later))  # doctest: +SKIP
"""

from __future__ import annotations

from _thread import allocate_lock
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.findings.engine import check_project
from assetdb.checks.findings.selection import configured
from assetdb.checks.verdicts import judge_project
from assetdb.query.snapshots.input_files import files_beside
from assetdb.query.snapshots.snapshot import REPORTS
from assetdb.settings.checking import CheckConfiguration
from assetdb.settings.configuration import read_configuration
from assetdb.system.cancelling import check_cancelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assetdb.checks.findings.engine import Report
    from assetdb.checks.findings.finding import Finding
    from assetdb.checks.findings.selection import Selection
    from assetdb.query.snapshots.snapshot import Snapshot

_LOOK: Final = 0.05  # seconds between checks for another request's answer
_MOST_KEPT: Final = 4  # cached selections; an editor uses one


class _Standing(NamedTuple):
    """A report and its inputs.

    The snapshot's number, files that no scan tells of, verdicts.
    """

    number: int
    beside: tuple[tuple[str, int], ...]
    judged: object
    report: Report


class _Question:
    """A request for a report, and its answer.

    Another request may find it.
    """

    def __init__(self, project: Snapshot, key: str) -> None:
        self.project = project
        self.key = key
        self.report: Report | None = None


class _Reports:
    """The reports of one daemon, made one at a time.

    Attributes:
        kept: the last ones, by selection.
        questions: those without an answer.
    """

    def __init__(self) -> None:
        self.kept: dict[str, _Standing] = {}
        self.questions: list[_Question] = []
        self._lock = allocate_lock()

    def answer(self, project: Snapshot, selection: Selection) -> Report:
        """Return the report of a snapshot, or of a later one.

        A later one if it is made first or for several requests.
        """
        question = _Question(project, repr(selection))
        self.questions.append(question)
        try:
            while question.report is None:
                if self._lock.acquire(timeout=_LOOK):
                    try:
                        if question.report is None:
                            self._find(question, selection)
                    finally:
                        self._lock.release()
                check_cancelled()
            return question.report
        finally:
            self.questions.remove(question)

    def _find(self, question: _Question, selection: Selection) -> None:
        """Make the report for all requests that want the same.

        Uses the newest of their snapshots, because judging several in turn would start over each time.
        """
        same = [other for other in list(self.questions) if other.key == question.key]
        project = max(same, key=lambda other: other.project.number).project
        report = self._report(project, question.key, selection)
        for other in same:
            other.report = report

    def _report(self, project: Snapshot, key: str, selection: Selection) -> Report:
        beside = files_beside(project.root)
        judged = judge_project(project)
        known = self.kept.get(key)
        if known is not None and known.judged is judged and known[:2] == (project.number, beside):
            return known.report
        report = check_project(project, selection)
        self.kept.pop(key, None)
        while len(self.kept) >= _MOST_KEPT:
            del self.kept[next(iter(self.kept))]
        self.kept[key] = _Standing(project.number, beside, judged, report)
        return report


def find_after_updates(project: Snapshot) -> None:
    """Have a daemon check after every update.

    The next request is answered from memory.
    """
    project.memory.setdefault(REPORTS, _Reports())


def standing_report(project: Snapshot, select: Sequence[str] = (), ignore: Sequence[str] = ()) -> Report:
    """Return all findings of a project, as configured.

    A daemon usually has them already.

    Args:
        project: of a session, or any other.
        select: codes that are wanted instead of those that it says.
        ignore: codes that are not.

    Raises:
        AssetdbError: the project cannot be read, or its configuration.
        OSError: likewise.
    """
    configuration = read_configuration(project.root).check or CheckConfiguration()
    selection = configured(configuration, (), tuple(select), tuple(ignore))
    reports = project.memory.setdefault(REPORTS, _Reports())
    if not isinstance(reports, _Reports):
        raise TypeError("no place for reports")
    return reports.answer(project, selection)


def difference(before: Iterable[Finding], after: Iterable[Finding]) -> tuple[list[Finding], list[Finding]]:
    """Return the findings that came, and those that went.

    Counting duplicates.
    """
    old, new = Counter(before), Counter(after)
    return sorted((new - old).elements()), sorted((old - new).elements())
