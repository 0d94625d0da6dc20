"""Log commands of GitHub Actions: ten of each severity, or all of them."""

from __future__ import annotations

import pytest

from assetdb.checks.findings.finding import Finding
from assetdb.checks.reports.github import lines
from assetdb.diagnostics.codes import CODES

LOST = Finding("missing-meta", "error", "Assets/a.png", "has no .meta")
LATE = Finding("stale-override", "warning", "Assets/b.unity", "overrides it", 7)
REMEDY, LATE_REMEDY = CODES["missing-meta"].advice, CODES["stale-override"].advice


def test_a_command_has_level_file_line_title_message_and_advice() -> None:
    assert list(lines([LATE, LOST], "Game/")) == [
        f"::error file=Game/Assets/a.png,title=missing-meta::has no .meta ({REMEDY})",
        f"::warning file=Game/Assets/b.unity,line=7,title=stale-override::overrides it ({LATE_REMEDY})",
        f"1  error    missing-meta    {REMEDY}",
        f"1  warning  stale-override  {LATE_REMEDY}",
    ]


def test_a_note_is_a_notice() -> None:
    assert next(lines([*rows(1), rows(1)[0]._replace(severity="note")], every=True)).startswith("::error ")
    assert next(lines([rows(1)[0]._replace(severity="note")])).startswith("::notice file=")


def test_nothing_found_is_no_line() -> None:
    assert list(lines([])) == list(lines([], every=True)) == []


def rows(count: int) -> list[Finding]:
    """Return findings of as many causes."""
    return [LOST._replace(path=f"Assets/{n}.png", message=f"has no .meta {n}") for n in range(count)]


@pytest.mark.parametrize(("count", "left_out"), [(10, False), (11, True)])
def test_the_eleventh_annotation_of_a_severity_is_left_out_with_a_hint(count: int, left_out: bool) -> None:  # noqa: FBT001
    found = list(lines(rows(count)))
    assert sum(line.startswith("::error ") for line in found) == 10
    assert ("--verbose lists all findings" in found) == left_out


def test_a_hint_about_errors_is_kept_where_all_warnings_are_shown() -> None:
    assert list(lines([*rows(11), LATE]))[-1] == "--verbose lists all findings"


def test_findings_of_one_cause_are_grouped_only_if_they_are_more_than_ten() -> None:
    same = [LOST._replace(path=f"Assets/{n}.png") for n in range(11)]
    assert sum(line.startswith("::") for line in lines(same[:10])) == 10
    assert sum(line.startswith("::") for line in lines(same)) == 1
    # Together with others they are too many: then more than three of one cause are grouped.
    assert sum(line.startswith("::") for line in lines([*same[:4], *rows(7)])) == 8


def test_all_findings_have_a_line_each_where_all_are_wanted_errors_first() -> None:
    found = list(lines([LATE, *rows(11)], every=True))
    assert [line.partition(" ")[0] for line in found] == ["::error"] * 11 + ["::warning"]


def test_percent_signs_and_line_ends_of_a_message_and_separators_of_a_property_are_escaped() -> None:
    odd = LOST._replace(path="Assets/a%,b:c\r.png", message="50 %\r\nand\ron\x1b")
    (line,) = lines([odd], every=True)
    expected = "::error file=Assets/a%25%2Cb%3Ac\\r.png,title=missing-meta::50 %25%0Aand%0Aon\\x1b ("
    assert line.startswith(expected)
