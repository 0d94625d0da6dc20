"""The report that stands in a daemon: found once, and again where something that it rests on is another.

>>> before = standing_report(project)  # doctest: +SKIP
>>> difference(before, standing_report(later))  # doctest: +SKIP
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.engine import check_project
from assetdb.checks.selection import configured
from assetdb.checks.verdicts import judge_project
from assetdb.query.beside import files_beside
from assetdb.query.snapshot import REPORTS
from assetdb.settings.checking import CheckConfiguration
from assetdb.settings.configuration import read_configuration

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assetdb.checks.engine import Report
    from assetdb.checks.finding import Finding
    from assetdb.query.snapshot import Snapshot

_MOST_KEPT: Final = 4  # selections; an editor asks for one


class _Standing(NamedTuple):
    """A report, and what it rests on: tree and database, verdicts, and files that no scan tells of."""

    project: Snapshot
    judged: object
    beside: tuple[tuple[str, int], ...]
    report: Report


def standing_report(project: Snapshot, select: Sequence[str] = (), ignore: Sequence[str] = ()) -> Report:
    """Return all findings of a project, as its ``assetdb.toml`` has it; in a daemon most often those of before.

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
    kept = project.memory.setdefault(REPORTS, {})
    if not isinstance(kept, dict):
        raise TypeError("no place for reports")
    key = repr(selection)
    beside = files_beside(project.root)
    judged = judge_project(project)
    known = kept.get(key)
    if isinstance(known, _Standing) and known.project is project and known.judged is judged and known.beside == beside:
        return known.report
    report = check_project(project, selection)
    kept.pop(key, None)
    while len(kept) >= _MOST_KEPT:
        del kept[next(iter(kept))]
    kept[key] = _Standing(project, judged, beside, report)
    return report


def difference(before: Iterable[Finding], after: Iterable[Finding]) -> tuple[list[Finding], list[Finding]]:
    """Return the findings that came, and those that went, each as often as it did."""
    old, new = Counter(before), Counter(after)
    return sorted((new - old).elements()), sorted((old - new).elements())
