"""Findings as GitLab's Code Quality report."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.finding import fingerprint, numbered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assetdb.checks.findings.finding import Finding

_SEVERITIES: Final = {"error": "major", "warning": "minor"}


def lines(findings: Iterable[Finding], prefix: str = "") -> Iterator[str]:
    """Yield the report's lines, one a finding; ``prefix`` precedes paths."""
    separator = "["
    for finding, number in numbered(findings):
        row = {
            "description": f"{finding.text} ({finding.advice})",
            "check_name": finding.code,
            "fingerprint": fingerprint(finding, number),
            "severity": _SEVERITIES.get(finding.severity, "info"),
            "location": {"path": prefix + finding.path, "lines": {"begin": max(1, finding.line)}},
        }
        yield separator + json.dumps(row)
        separator = ","
    yield "[]" if separator == "[" else "]"
