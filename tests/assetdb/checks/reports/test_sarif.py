"""SARIF: rules, results with their places, and how many results a run has."""

from __future__ import annotations

import importlib.metadata
import json
from email.message import Message
from typing import Any

import pytest

from assetdb.checks.findings.finding import Finding, fingerprint
from assetdb.checks.reports.sarif import lines, title
from assetdb.diagnostics.codes import CODES
from assetdb.diagnostics.pages import PAGES

LOST = Finding("missing-meta", "error", "Assets/a b.png", "has no .meta")
LATE = Finding("stale-override", "warning", "Assets/b.unity", "overrides it", 7, "Door", "m_X")
ODD = LATE._replace(severity="note")


def run_of(findings: list[Finding], codes: tuple[str, ...] = (), prefix: str = "", most: int = 100) -> dict[str, Any]:
    report = json.loads("\n".join(lines(findings, codes, prefix, most)))
    assert report["version"] == "2.1.0"
    (run,) = report["runs"]
    return dict(run)


def test_rules_are_the_checked_codes_and_those_of_other_findings_once_each() -> None:
    rules = run_of([LATE, LOST, LATE], ("dangling", "missing-meta"))["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["dangling", "missing-meta", "stale-override"]
    row, page = CODES["dangling"], PAGES["dangling"]
    assert rules[0] == {
        "id": "dangling",
        "name": "Dangling",
        "shortDescription": {"text": "Dangling: the asset exists, the object does not (any more)"},
        "fullDescription": {"text": page.why},
        "help": {"text": f"{page.why}\n\nHow to fix it: {page.mend}"},
        "defaultConfiguration": {"level": "error"},
    }
    assert row.meaning == "the asset exists, the object does not (any more)"
    assert rules[1]["name"] == "MissingMeta"
    assert rules[1]["shortDescription"] == {"text": "Missing meta"}  # the problem, where a list shows titles alone
    assert rules[2]["defaultConfiguration"] == {"level": "warning"}


def test_a_title_names_the_problem() -> None:
    assert [title(code) for code in ("duplicate-guid", "lfs-pointer", "ui-path", "missing-script")] == [
        *("Duplicate GUID", "Git LFS pointer", "UI path", "Missing script")
    ]
    assert all(title(code)[:1].isupper() for code in CODES)


def test_help_leads_to_the_page_of_the_code_where_its_address_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def known(*urls: str) -> list[Any]:
        message = Message()
        for url in urls:
            message["Project-URL"] = url
        monkeypatch.setattr(importlib.metadata, "metadata", lambda _: message)
        rules = run_of([], ("dangling", "missing-meta"))["tool"]["driver"]["rules"]
        return [rule.get("helpUri") for rule in rules]

    pages = "https://example.org/assetdb/blob/v1/docs"
    assert known("Source, https://example.org", f"Documentation, {pages}/index.md") == [
        *(f"{pages}/diagnostics.md#dangling", f"{pages}/diagnostics.md#missing-meta")
    ]
    assert known() == [None, None]
    assert known("Documentation, file:///etc/passwd", "nonsense") == [None, None]


def test_a_result_has_its_place_as_a_uri_its_object_and_its_fingerprint() -> None:
    first, second, third = run_of([LOST, LATE, LATE], prefix="Game ü/")["results"]
    assert first == {
        "ruleId": "missing-meta",
        "ruleIndex": 0,
        "level": "error",
        "message": {"text": f"has no .meta ({CODES['missing-meta'].advice})"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "Game%20%C3%BC/Assets/a%20b.png", "uriBaseId": "%SRCROOT%"}
                }
            }
        ],
        "partialFingerprints": {"assetdbIdentity/v1": fingerprint(LOST, 0)},
    }
    (place,) = second["locations"]
    assert place["physicalLocation"]["region"] == {"startLine": 7}
    assert place["logicalLocations"] == [{"fullyQualifiedName": "Door: m_X"}]
    assert second["message"]["text"].startswith("Door: m_X: overrides it (")
    assert (second["ruleIndex"], second["level"]) == (1, "warning")
    assert third["partialFingerprints"] == {"assetdbIdentity/v1": fingerprint(LATE, 1)}


def test_a_note_is_a_note() -> None:
    assert run_of([ODD])["results"][0]["level"] == "note"


@pytest.mark.parametrize("most", [3, 4])
def test_as_many_results_as_are_accepted_stay_in_their_order(most: int) -> None:
    run = run_of([LATE, LOST, ODD], most=most)
    assert [row["ruleId"] for row in run["results"]] == ["stale-override", "missing-meta", "stale-override"]
    assert run["invocations"] == [{"executionSuccessful": True}]


def test_of_too_many_results_the_errors_are_kept_and_the_rest_is_counted() -> None:
    run = run_of([LATE, ODD, LOST], most=2)
    assert [row["ruleId"] for row in run["results"]] == ["missing-meta", "stale-override"]
    said = "1 findings are left out: a report has at most 2"
    assert run["invocations"][0]["toolExecutionNotifications"] == [{"level": "warning", "message": {"text": said}}]


def test_each_result_is_a_line_and_none_is_a_valid_report() -> None:
    assert [line[-1] for line in lines([LOST, LATE], []) if line.startswith('{"ruleId"')] == [",", "}"]
    assert run_of([])["results"] == []
