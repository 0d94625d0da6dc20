"""What people read: findings of a file together, what to do once, a summary."""

from __future__ import annotations

from assetdb.checks.finding import Finding
from assetdb.checks.reports import text
from assetdb.diagnostics.codes import CODES

ROWS = (
    Finding("empty-asset", "warning", "Assets/a.asset", "the file is empty"),
    Finding("missing-script", "error", "Assets/b.unity", "its script is nowhere", 7, "A / B (X)", "m_Script"),
    Finding("dangling", "error", "Assets/b.unity", "refers to nothing", 120),
    Finding("missing-meta", "error", "Assets/c.txt", "has no .meta", fixable=True),
)


def test_findings_of_a_file_stand_together() -> None:
    assert list(text.lines(ROWS)) == [
        "Assets/a.asset",
        "  warning  empty-asset  the file is empty",
        "",
        "Assets/b.unity",
        "    7  error  missing-script  A / B (X): m_Script: its script is nowhere",
        "  120  error  dangling        refers to nothing",
        "",
        "Assets/c.txt",
        "  error  missing-meta  has no .meta",
        "",
        f"dangling        {CODES['dangling'].advice}",
        f"empty-asset     {CODES['empty-asset'].advice}",
        f"missing-meta    {CODES['missing-meta'].advice}",
        f"missing-script  {CODES['missing-script'].advice}",
        "",
    ]
    assert list(text.lines(())) == []


def test_a_summary_counts_errors_and_warnings() -> None:
    assert text.summary(ROWS) == "found 3 errors and 1 warning"
    assert text.summary(ROWS[:1]) == "found 1 warning"
    assert text.summary(()) == "all checks passed"


def test_what_can_be_mended_is_said() -> None:
    assert text.fixable(ROWS) == "1 fixable with --fix"
    assert text.fixable([*ROWS, Finding("orphan-meta", "warning", "x", "y", fixable=True)]) == (
        "up to 2 fixable with --fix"
    )
    assert text.fixable(ROWS[:1]) == ""


def test_statistics_have_the_most_first() -> None:
    rows = [*ROWS, ROWS[3]]
    assert [(row["code"], row["count"], row["fixable"]) for row in text.statistics(rows)] == [
        ("missing-meta", 2, 2),
        ("dangling", 1, 0),
        ("empty-asset", 1, 0),
        ("missing-script", 1, 0),
    ]
