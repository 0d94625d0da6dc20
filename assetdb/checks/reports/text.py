"""Findings for people: those of a file together, what to do about each code once, and a summary."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from assetdb.diagnostics.codes import CODES, ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assetdb.checks.finding import Finding

_SURELY: Final = ("missing-meta",)


def lines(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the findings, in their order, and then what to do about each of their codes."""
    for path, group in groupby(findings, key=attrgetter("path")):
        rows = [(str(finding.line or ""), finding.severity, finding.code, finding) for finding in group]
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        yield path
        for line, severity, code, finding in rows:
            said = f"{finding.where}: {finding.message}" if finding.where else finding.message
            place = f"  {line.rjust(widths[0])}" if widths[0] else ""
            yield f"{place}  {severity.ljust(widths[1])}  {code.ljust(widths[2])}  {said}"
        yield ""
    codes = sorted({finding.code for finding in findings})
    width = max(map(len, codes), default=0)
    for code in codes:
        yield f"{code.ljust(width)}  {CODES[code].advice}"
    if codes:
        yield ""


def summary(findings: Sequence[Finding]) -> str:
    """Return how many findings there are, and how many of them ``--fix`` mends."""
    errors = sum(finding.severity == ERROR for finding in findings)
    warnings = len(findings) - errors
    counts = [_counted(count, word) for count, word in ((errors, "error"), (warnings, "warning")) if count]
    return f"found {' and '.join(counts)}" if counts else "all checks passed"


def fixable(findings: Sequence[Finding]) -> str:
    """Return how many findings ``--fix`` mends; ``""`` where it mends none.

    Of some codes it mends only what nothing refers to, or what is surely the younger: that is told by ``--dry-run``.
    """
    count = sum(finding.fixable for finding in findings)
    surely = all(finding.code in _SURELY for finding in findings if finding.fixable)
    return f"{'' if surely else 'up to '}{count:,} fixable with --fix" if count else ""


def statistics(findings: Sequence[Finding]) -> list[dict[str, object]]:
    """Return how many findings there are of each code, the most first."""
    by_code: dict[str, list[Finding]] = {}
    for finding in findings:
        by_code.setdefault(finding.code, []).append(finding)
    return [
        {
            "code": code,
            "severity": found[0].severity,
            "count": len(found),
            "fixable": sum(finding.fixable for finding in found),
            "advice": CODES[code].advice,
        }
        for code, found in sorted(by_code.items(), key=lambda item: (-len(item[1]), item[0]))
    ]


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word}{'s' * (count != 1)}"
