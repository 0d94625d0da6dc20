"""Findings as Markdown, for job summaries and comments.

The first line is a comment with the numbers for scripts:
``<!-- assetdb check: errors=2 warnings=0 notes=0 not-judged=1 -->``.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.codes import ABSENT_PACKAGES
from assetdb.checks.reports.grouping import grouped, ranked
from assetdb.checks.reports.text import fixable, statistics, summary
from assetdb.diagnostics.codes import ERROR, NOTE, SEVERITIES, WARNING
from assetdb.system.escaping import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from assetdb.checks.findings.finding import Finding

MOST_GROUPS: Final = 20
_LONGEST: Final = 300  # characters of one finding; a comment on GitHub has at most 65,536
_NOT_JUDGED: Final = frozenset((ABSENT_PACKAGES, "lfs-pointer", "package-too-large", "too-large", "unreadable"))
"""Codes of unread files: their contents, and references to them, have no findings."""


def lines(findings: Iterable[Finding], prefix: str = "") -> Iterator[str]:
    """Yield the lines of the report.

    Args:
        findings: what was found.
        prefix: the project's folder within the repository, with ``/`` at its end, or ``""``.
    """
    found = list(findings)
    judged = [finding for finding in found if finding.code not in _NOT_JUDGED]
    gaps = [finding for finding in found if finding.code in _NOT_JUDGED]
    of = Counter(finding.severity for finding in found)
    counts = f"errors={of[ERROR]} warnings={of[WARNING]} notes={of[NOTE]} not-judged={len(gaps)}"
    yield f"<!-- assetdb check: {counts} -->"
    yield f"### assetdb check: {summary(found)}"
    if found:
        yield ""
        yield from _table(found)
    if judged:
        yield from _section("Worst findings", judged, prefix)
    if gaps:
        yield from _section("Not judged", gaps, prefix)
    mended = fixable(found)
    if mended:
        yield ""
        yield f"{mended[0].upper()}{mended[1:].replace('--fix', '`assetdb check --fix`')}."


def _table(findings: Sequence[Finding]) -> Iterator[str]:
    yield "| findings | severity | code | what to do |"
    yield "|--:|---|---|---|"
    for row in sorted(statistics(findings), key=lambda row: SEVERITIES.index(str(row["severity"]))):
        advice = str(row["advice"]).replace("|", r"\|")
        yield f"| {row['count']:,} | {row['severity']} | `{row['code']}` | {advice} |"


def _section(title: str, findings: Sequence[Finding], prefix: str) -> Iterator[str]:
    yield ""
    yield f"**{title}**"
    yield ""
    groups = grouped(findings)
    order = ranked(groups)
    for number in order[:MOST_GROUPS]:
        finding = groups[number].first
        place = f"{prefix}{finding.path}" + (f":{finding.line}" if finding.line else "")
        yield f"- {finding.severity} `{finding.code}` {code_span(place)}: {code_span(groups[number].text)}"
    if len(order) > MOST_GROUPS:
        left = sum(len(groups[number].findings) for number in order[MOST_GROUPS:])
        yield f"- and {left:,} more: `assetdb check --verbose` lists all"


def code_span(text: str) -> str:
    """Return a text as a code span, which contains no markup."""
    shown = printable(re.sub(r"\s*[\r\n]+\s*", " ", text)) or " "
    if len(shown) > _LONGEST:
        shown = f"{shown[:_LONGEST]}..."
    fence = "`" * (max(map(len, re.findall("`+", shown)), default=0) + 1)
    room = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{room}{shown}{room}{fence}"
