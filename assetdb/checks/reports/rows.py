"""Findings as plain values, one a finding, for JSON Lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assetdb.checks.findings.finding import Finding


def row(finding: Finding) -> dict[str, Any]:
    """Return a finding with its advice, as ``--format json`` prints it."""
    return {**finding._asdict(), "advice": finding.advice}
