"""The report in Markdown: counts, the worst findings, what could not be judged, and no markup of the project's."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from assetdb.checks.findings.finding import Finding
from assetdb.checks.reports import markdown
from assetdb.diagnostics.codes import CODES

GUID = "8f57b4a070f7b43bbb3925467e6752ab"
FOUND = [
    Finding(
        "stale-override", "warning", "Assets/Main.unity", "overrides what is gone", 7, "Door", "m_X", GUID, 5, "g:2"
    ),
    Finding("missing-meta", "error", "Assets/a.png", "has no .meta", fixable=True),
    Finding("absent-packages", "warning", "Packages/manifest.json", "12 references cannot be judged"),
]


def test_counts_come_first_then_errors_then_what_was_not_judged() -> None:
    assert list(markdown.lines(FOUND, "Game/")) == [
        "<!-- assetdb check: errors=1 warnings=2 notes=0 not-judged=1 -->",
        "### assetdb check: found 1 error and 2 warnings",
        "",
        "| findings | severity | code | what to do |",
        "|--:|---|---|---|",
        f"| 1 | error | `missing-meta` | {CODES['missing-meta'].advice} |",
        f"| 1 | warning | `absent-packages` | {CODES['absent-packages'].advice} |",
        f"| 1 | warning | `stale-override` | {CODES['stale-override'].advice} |",
        "",
        "**Worst findings**",
        "",
        "- error `missing-meta` `Game/Assets/a.png`: `has no .meta`",
        "- warning `stale-override` `Game/Assets/Main.unity:7`: `Door: m_X: overrides what is gone`",
        "",
        "**Not judged**",
        "",
        "- warning `absent-packages` `Game/Packages/manifest.json`: `12 references cannot be judged`",
        "",
        "1 fixable with `assetdb check --fix`.",
    ]


def test_a_clean_project_is_two_lines() -> None:
    assert list(markdown.lines([])) == [
        "<!-- assetdb check: errors=0 warnings=0 notes=0 not-judged=0 -->",
        "### assetdb check: all checks passed",
    ]


def test_notes_are_counted_apart_and_come_last() -> None:
    report = list(markdown.lines([FOUND[0]._replace(code="lost-value", severity="note"), FOUND[0]]))
    assert report[0] == "<!-- assetdb check: errors=0 warnings=1 notes=1 not-judged=0 -->"
    assert [line.split(" | ")[1] for line in report if line.startswith("| 1 ")] == ["warning", "note"]


def test_most_findings_are_counted_and_the_text_stays_short() -> None:
    rows = [Finding("dangling", "error", f"Assets/{n}.mat", f"refers to {n} {'x' * 500}", 3) for n in range(5_000)]
    report = "\n".join(markdown.lines(rows))
    assert "- and 4,980 more: `assetdb check --verbose` lists all" in report
    assert len(report) < 60_000


NAMES = st.text(st.sampled_from("`@*_<>[]()|#!\\\n\r\u202e\x1b ab"), min_size=1, max_size=30)


@given(NAMES, NAMES)
def test_names_are_no_markup(path: str, message: str) -> None:
    (row,) = [
        line
        for line in markdown.lines([Finding("dangling", "error", path, message)])
        if line.startswith("- error `dangling` ")
    ]
    assert row.isprintable()
    spans = re.fullmatch(
        r"(`+)(?!`)(.*?)(?<!`)\1(?!`): (`+)(?!`)(.*?)(?<!`)\3", row.removeprefix("- error `dangling` ")
    )
    assert spans is not None
