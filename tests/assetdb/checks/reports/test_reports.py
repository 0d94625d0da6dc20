"""Reports are what the services that read them expect, whatever stands in a name."""

from __future__ import annotations

import json
import os
import re
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assetdb.checks import reports
from assetdb.checks.findings.finding import Finding
from assetdb.checks.reports import github, gitlab, junit, markdown, sarif, text
from assetdb.diagnostics.codes import CODES

if TYPE_CHECKING:
    from collections.abc import Sequence

GUID = "8f57b4a070f7b43bbb3925467e6752ab"
FOUND = [
    Finding("missing-meta", "error", "Assets/a, b:c%.png", "has no .meta", fixable=True),
    Finding("dangling", "error", "Assets/ä b.prefab", "refers to <gone> & 'x'", 12, "Body", "m_Mesh", GUID, 33, "g:1"),
    Finding("stale-override", "warning", "Assets/Main.unity", "two\nlines", 7, "Door", "m_X", GUID, 5, "g:2"),
]
LOOKED_FOR = ["missing-meta", "dangling", "stale-override", "duplicate-guid"]
FINDINGS = st.lists(
    st.builds(
        Finding,
        code=st.sampled_from(sorted(CODES)),
        severity=st.sampled_from(["error", "warning"]),
        path=st.text(st.characters(), min_size=1),
        message=st.text(st.characters()),
        line=st.integers(0, 10_000),
        object_path=st.text(st.characters()),
        property_path=st.text(st.characters()),
    ),
    max_size=6,
)


def sarif_of(findings: Sequence[Finding], most: int = sarif.MOST_RESULTS) -> dict[str, Any]:
    report: dict[str, Any] = json.loads("\n".join(sarif.lines(findings, LOOKED_FOR, most=most)))
    return report


def test_github_escapes_what_ends_a_property_or_a_line() -> None:
    assert next(github.lines(FOUND, "Game/")).startswith(
        "::error file=Game/Assets/a%2C b%3Ac%25.png,title=missing-meta::has no .meta ("
    )
    last = list(github.lines(FOUND))[2]
    assert last.startswith("::warning file=Assets/Main.unity,line=7,title=stale-override::Door: m_X: two%0Alines (")


@given(FINDINGS)
def test_a_line_of_github_is_one_command(findings: list[Finding]) -> None:
    grammar = re.compile(r"::(error|warning) file=[^,:\r\n]*(,line=\d+)?,title=[a-z-]+::[^\r\n]*")
    for line in github.lines(findings, every=True):
        assert grammar.fullmatch(line)
    for line in github.lines(findings):
        assert grammar.fullmatch(line) or re.fullmatch(r"\d+  (error|warning) .*|--verbose lists all findings", line)


def test_github_gets_ten_of_each_kind_and_no_code_is_hidden() -> None:
    many = [FOUND[1]._replace(path=f"Assets/{n}.mat", target=f"{n}:1") for n in range(300)]
    found = list(github.lines([FOUND[2], *many, FOUND[0]]))
    annotations = [line for line in found if line.startswith("::")]
    assert [line.partition(" ")[0] for line in annotations] == ["::error"] * 10 + ["::warning"]
    assert any("title=missing-meta" in line for line in annotations)
    assert any(line.startswith("300  error") for line in found)
    assert len(list(github.lines(many, every=True))) == 300


HOSTILE = "a\x1b]0;x\x07b\x9bc\u202ed\x00e\udce9f"


@pytest.mark.parametrize(
    "form", sorted({module.name for module in iter_modules(reports.__path__)} - {"grouping", "kept"})
)
def test_no_report_steers_a_terminal(form: str) -> None:
    finding = Finding("dangling", "error", HOSTILE, HOSTILE, 3, HOSTILE, HOSTILE, GUID, 5, HOSTILE)
    made = {
        "text": lambda: [*text.lines([finding]), *text.lines([finding], text.Layout(60, every=True))],
        "github": lambda: [*github.lines([finding], HOSTILE), *github.lines([finding], every=True)],
        "gitlab": lambda: gitlab.lines([finding], HOSTILE),
        "junit": lambda: [*junit.lines([finding], LOOKED_FOR), *junit.lines([finding], LOOKED_FOR, "warning")],
        "markdown": lambda: markdown.lines([finding], HOSTILE),
        "sarif": lambda: sarif.lines([finding], LOOKED_FOR, HOSTILE),
    }
    lines = list(made[form]())
    assert lines
    for line in lines:
        assert line.isprintable()


@given(FINDINGS)
def test_gitlab_gets_its_fields_and_unlike_fingerprints(findings: list[Finding]) -> None:
    rows = json.loads("\n".join(gitlab.lines(findings)))
    assert len(rows) == len(findings)
    assert len({row["fingerprint"] for row in rows}) == len(rows)
    for row in rows:
        assert row.keys() == {"description", "check_name", "fingerprint", "severity", "location"}
        assert row["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert row["location"]["lines"]["begin"] >= 1


@given(FINDINGS)
def test_junit_is_xml_whatever_a_name_holds(findings: list[Finding]) -> None:
    text = "\n".join(junit.lines(findings, LOOKED_FOR))
    suites = ET.fromstring(text.encode("utf-8"))  # noqa: S314 - our own output
    failures = suites.findall("testsuite/testcase/failure")
    assert len(failures) == sum(finding.severity == "error" for finding in findings)
    assert len(suites.findall("testsuite/testcase/system-out")) == len(findings) - len(failures)
    counts = {suite.get("name"): suite for suite in suites}
    assert counts.keys() >= {f"assetdb.{code}" for code in LOOKED_FOR}
    for suite in suites:
        assert int(suite.get("tests", "")) == len(suite.findall("testcase"))
        assert int(suite.get("failures", "")) == len(suite.findall("testcase/failure"))


def test_junit_fails_warnings_where_they_fail() -> None:
    suites = ET.fromstring("\n".join(junit.lines(FOUND, LOOKED_FOR, "warning")))  # noqa: S314 - our own output
    assert suites.get("failures") == "3"
    assert len(suites.findall("testsuite/testcase/failure")) == 3
    assert not suites.findall("testsuite/testcase/system-out")


@given(FINDINGS)
def test_sarif_has_a_rule_for_each_result(findings: list[Finding]) -> None:
    run = sarif_of(findings)["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert len(run["results"]) == len(findings)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    prints = [result["partialFingerprints"]["assetdbIdentity/v1"] for result in run["results"]]
    assert len(set(prints)) == len(prints)


def test_sarif_keeps_errors_where_there_are_too_many() -> None:
    run = sarif_of([FOUND[2], FOUND[2], FOUND[0], FOUND[2], FOUND[1]], most=3)["runs"][0]
    assert [result["ruleId"] for result in run["results"]] == ["missing-meta", "dangling", "stale-override"]
    said = run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]
    assert said == "2 findings are left out: a report has at most 3"


def test_paths_in_sarif_are_uris() -> None:
    places = [
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for result in sarif_of(FOUND)["runs"][0]["results"]
    ]
    assert places[:2] == ["Assets/a%2C%20b%3Ac%25.png", "Assets/%C3%A4%20b.prefab"]


def test_sarif_is_valid_by_its_schema() -> None:
    schema = os.environ.get("ASSETDB_SARIF_SCHEMA", "")
    if not schema:
        pytest.skip("ASSETDB_SARIF_SCHEMA does not name the schema of SARIF 2.1.0")
    jsonschema = pytest.importorskip("jsonschema")
    with open(schema, encoding="utf-8") as file:
        validator = jsonschema.Draft7Validator(json.load(file))
    assert list(validator.iter_errors(sarif_of(FOUND))) == []
    assert list(validator.iter_errors(sarif_of([]))) == []


def test_junit_is_valid_by_its_schema() -> None:
    schema = os.environ.get("ASSETDB_JUNIT_SCHEMA", "")
    if not schema:
        pytest.skip("ASSETDB_JUNIT_SCHEMA does not name pytest's junit-10.xsd")
    xmlschema = pytest.importorskip("xmlschema")
    xmlschema.XMLSchema(schema).validate("\n".join(junit.lines(FOUND, LOOKED_FOR)))
