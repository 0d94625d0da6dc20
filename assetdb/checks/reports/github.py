"""Findings as GitHub Actions' log commands: ``::error file=Assets/a.prefab,line=3,title=dangling::...``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.checks.reports.grouping import Group, by_severity, grouped, ranked, worst_first
from assetdb.checks.reports.text import code_counts
from assetdb.diagnostics.codes import NOTE
from assetdb.system.escaping import printable, printable_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assetdb.checks.findings.finding import Finding

MOST_ANNOTATIONS: Final = 10
"""How many errors, warnings and notes each GitHub shows of a step."""
_LEVELS: Final = {NOTE: "notice"}


def lines(findings: Iterable[Finding], prefix: str = "", *, every: bool = False) -> Iterator[str]:
    """Yield ten errors, warnings and notes each, then counts.

    Args:
        findings: what was found.
        prefix: the project's folder within the repository, with ``/`` at its end, or ``""``.
        every: whether to yield a line for each finding instead, the errors first.
    """
    found = list(findings)
    if every:
        for finding in worst_first(found):
            yield _line(Group((finding,), is_instance=False), prefix)
        return
    left_out = False
    for rows in by_severity(found):
        groups = grouped(rows, few=MOST_ANNOTATIONS)
        if len(groups) > MOST_ANNOTATIONS:
            groups = grouped(rows)
        left_out = left_out or len(groups) > MOST_ANNOTATIONS
        for number in ranked(groups)[:MOST_ANNOTATIONS]:
            yield _line(groups[number], prefix)
    if found:
        yield from code_counts(found)
        if left_out:
            yield "--verbose lists all findings"


def _line(group: Group, prefix: str) -> str:
    finding = group.first
    level = _LEVELS.get(finding.severity, finding.severity)
    place = [("file", prefix + finding.path)]
    if finding.line:
        place.append(("line", str(finding.line)))
    place.append(("title", finding.code))
    properties = ",".join(f"{key}={_property(value)}" for key, value in place)
    return f"::{level} {properties}::{_data(f'{group.text} ({finding.advice})')}"


def _data(text: str) -> str:
    whole = printable_lines(text.replace("\r\n", "\n").replace("\r", "\n"))
    return whole.replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return printable(text).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
