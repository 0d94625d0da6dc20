"""JUnit's XML: a suite for each code, a case for each finding, or one that passes."""

from __future__ import annotations

from assetdb.checks.findings.finding import Finding
from assetdb.checks.reports.junit import lines
from assetdb.diagnostics.codes import CODES

LOST = Finding("missing-meta", "error", "Assets/a.png", 'has "no"\tmeta & <gone>\r\nor\rmore')
ON_ONE_LINE = 'has "no" meta &amp; &lt;gone&gt;&#10;or&#10;more'
LATE = Finding("stale-override", "warning", "Assets/b.unity", "overrides it", 7, "Door", "m_X")
REMEDY, LATE_REMEDY = CODES["missing-meta"].advice, CODES["stale-override"].advice


def test_a_finding_fails_from_the_severity_that_fails() -> None:
    assert list(lines([LATE, LOST, LATE], ["missing-meta", "dangling"])) == [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<testsuites tests="4" failures="1" errors="0">',
        '  <testsuite name="assetdb.missing-meta" tests="1" failures="1" errors="0" skipped="0">',
        '    <testcase classname="assetdb.missing-meta" name="Assets/a.png">',
        f"      <failure message='{ON_ONE_LINE}' type=\"missing-meta\">Assets/a.png: "
        + ON_ONE_LINE.replace("&#10;", "\n")
        + f" ({REMEDY})</failure>",
        "    </testcase>",
        "  </testsuite>",
        '  <testsuite name="assetdb.dangling" tests="1" failures="0" errors="0" skipped="0">',
        '    <testcase classname="assetdb.dangling" name="dangling"/>',
        "  </testsuite>",
        '  <testsuite name="assetdb.stale-override" tests="2" failures="0" errors="0" skipped="0">',
        *[
            '    <testcase classname="assetdb.stale-override" name="Assets/b.unity:7: Door: m_X">',
            f"      <system-out>Assets/b.unity:7: overrides it ({LATE_REMEDY})</system-out>",
            "    </testcase>",
        ]
        * 2,
        "  </testsuite>",
        "</testsuites>",
    ]


def test_a_warning_fails_where_warnings_fail_and_nothing_is_an_empty_report() -> None:
    found = list(lines([LATE], [], "warning"))
    assert found[1] == '<testsuites tests="1" failures="1" errors="0">'
    assert found[2].endswith('tests="1" failures="1" errors="0" skipped="0">')
    assert list(lines([], []))[1:] == ['<testsuites tests="0" failures="0" errors="0">', "</testsuites>"]
