"""Findings as JUnit's XML: a suite for each code."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from assetdb.diagnostics.codes import ERROR, failing
from assetdb.system.escaping import printable_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assetdb.checks.findings.finding import Finding


def lines(findings: Sequence[Finding], codes: Sequence[str], fail_on: str = ERROR) -> Iterator[str]:
    """Yield the lines of the report.

    Args:
        findings: the findings; one below ``fail_on`` is a passed case with output.
        codes: all checked codes; one without a finding is a passed case.
        fail_on: the severity from which a finding fails, as for the exit code.
    """
    fails = failing(fail_on)
    by_code: dict[str, list[Finding]] = {code: [] for code in codes}
    for finding in findings:
        by_code.setdefault(finding.code, []).append(finding)
    total = sum(max(1, len(found)) for found in by_code.values())
    failed = sum(finding.severity in fails for finding in findings)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<testsuites tests="{total}" failures="{failed}" errors="0">'
    for code, found in by_code.items():
        failures = sum(finding.severity in fails for finding in found)
        yield (
            f'  <testsuite name={quoteattr(f"assetdb.{code}")} tests="{max(1, len(found))}" failures="{failures}"'
            ' errors="0" skipped="0">'
        )
        if not found:
            yield f"    <testcase classname={quoteattr(f'assetdb.{code}')} name={quoteattr(code)}/>"
        for finding in found:
            yield from _case(finding, failed=finding.severity in fails)
        yield "  </testsuite>"
    yield "</testsuites>"


def _case(finding: Finding, *, failed: bool) -> Iterator[str]:
    place = f"{finding.path}:{finding.line}" if finding.line else finding.path
    name = f"{place}: {finding.where}" if finding.where else place
    yield f"    <testcase classname={_attribute(f'assetdb.{finding.code}')} name={_attribute(name)}>"
    text = escape(_allowed(f"{place}: {finding.message} ({finding.advice})"))
    if failed:
        yield f"      <failure message={_attribute(finding.message)} type={_attribute(finding.code)}>{text}</failure>"
    else:
        yield f"      <system-out>{text}</system-out>"
    yield "    </testcase>"


def _allowed(text: str) -> str:
    """Escape characters that a terminal or XML 1.0 cannot take."""
    return printable_lines(text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " "))


def _attribute(text: str) -> str:
    return quoteattr(_allowed(text), {"\n": "&#10;"})
