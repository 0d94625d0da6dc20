"""Findings as SARIF 2.1.0, with a rule for each code."""

from __future__ import annotations

import json
from itertools import chain
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from assetdb.checks.findings.finding import fingerprint, numbered
from assetdb.diagnostics.codes import CODES, OFF, SEVERITIES
from assetdb.diagnostics.pages import PAGES
from assetdb.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from assetdb.checks.findings.finding import Finding

MOST_RESULTS: Final = 25_000
"""Most results that GitHub accepts for a run."""
_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_WORDS: Final = {"guid": "GUID", "lfs": "Git LFS", "ui": "UI", "fileid": "fileID"}
_ROOT: Final = "%SRCROOT%"  # the repository's root, by convention


def lines(
    findings: Iterable[Finding], codes: Sequence[str], prefix: str = "", most: int = MOST_RESULTS
) -> Iterator[str]:
    """Yield the lines of the report, a line a result.

    Args:
        findings: the findings; of more than ``most`` the worst are written, and the run has the number left out.
        codes: all checked codes, the rules of the report.
        prefix: the project's folder within the repository, with ``/`` at its end, or ``""``.
        most: how many results to write.
    """
    chosen, omitted = _chosen(findings, most)
    rules = list(dict.fromkeys(chain(codes, (finding.code for finding, _number in chosen))))
    pages = _pages()
    index = {code: number for number, code in enumerate(rules)}
    driver = {
        "name": "assetdb",
        "version": VERSION,
        "semanticVersion": VERSION,
        "rules": [_rule(code, pages) for code in rules],
    }
    notifications = []
    if omitted:
        said = f"{omitted} findings are left out: a report has at most {most}"
        notifications.append({"level": "warning", "message": {"text": said}})
    invocation: dict[str, Any] = {"executionSuccessful": True}
    if notifications:
        invocation["toolExecutionNotifications"] = notifications
    yield "{"
    yield f'"$schema": {json.dumps(_SCHEMA)},'
    yield '"version": "2.1.0",'
    yield '"runs": [{'
    yield f'"tool": {json.dumps({"driver": driver})},'
    yield f'"invocations": {json.dumps([invocation])},'
    yield '"columnKind": "unicodeCodePoints",'
    yield '"results": ['
    last = len(chosen) - 1
    for position, (finding, number) in enumerate(chosen):
        yield json.dumps(_result(finding, number, index[finding.code], prefix)) + ("," if position < last else "")
    yield "]"
    yield "}]"
    yield "}"


def _chosen(findings: Iterable[Finding], most: int) -> tuple[list[tuple[Finding, int]], int]:
    rows = list(numbered(findings))
    if len(rows) <= most:
        return rows, 0
    worst = sorted(rows, key=lambda row: SEVERITIES.index(row[0].severity))
    return worst[:most], len(rows) - most


def title(code: str) -> str:
    """Return a code as a title that names the problem: ``Duplicate GUID``."""
    words = [_WORDS.get(word, word) for word in code.split("-")]
    return " ".join((words[0][0].upper() + words[0][1:], *words[1:]))


def _pages() -> str:
    """Return the address of the pages about codes, ``""`` if unknown."""
    from importlib.metadata import PackageNotFoundError, metadata  # noqa: PLC0415 - few reports are SARIF

    try:
        urls = metadata("assetdb").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    found = dict(url.split(", ", 1) for url in urls if ", " in url).get("Documentation", "")
    return f"{found.rpartition('/')[0]}/diagnostics.md" if found.startswith("https://") else ""


def _rule(code: str, pages: str) -> dict[str, Any]:
    row, page = CODES[code], PAGES[code]
    level = row.severity if row.severity != OFF else "note"
    named = title(code)
    address = {"helpUri": f"{pages}#{code}"} if pages else {}
    return {
        "id": code,
        "name": "".join(word.capitalize() for word in code.split("-")),
        "shortDescription": {"text": f"{named}: {row.meaning}" if row.meaning else named},
        "fullDescription": {"text": page.why},
        "help": {"text": f"{page.why}\n\nHow to fix it: {page.mend}"},
        **address,
        "defaultConfiguration": {"level": level},
    }


def _result(finding: Finding, number: int, rule: int, prefix: str) -> dict[str, Any]:
    uri = quote((prefix + finding.path).encode("utf-8", "surrogatepass"), safe="/")
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri, "uriBaseId": _ROOT}}
    if finding.line:
        physical["region"] = {"startLine": finding.line}
    location: dict[str, Any] = {"physicalLocation": physical}
    if finding.where:
        location["logicalLocations"] = [{"fullyQualifiedName": finding.where}]
    return {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": finding.severity,
        "message": {"text": f"{finding.text} ({finding.advice})"},
        "locations": [location],
        "partialFingerprints": {"assetdbIdentity/v1": fingerprint(finding, number)},
    }
