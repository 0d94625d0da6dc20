"""Judgements on budgets in every format, with names that could break them."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

from assetdb.builds.budgets.reports import FORMATS, fields, github, junit, markdown, summary, text
from assetdb.builds.budgets.verdicts import Cause, Judgement, Verdict
from assetdb.settings.budgets import read_budgets

HOSTILE = "a|b<c>&\"'\n\x1b[1m%"
BUNDLE, DUPLICATES = read_budgets({"bundle": {"*": "+10 %"}, "duplicates": 1})
CAUSES = (Cause(f"Assets/{HOSTILE}.png", 90, 50, "pulled in by Assets/b.mat"), Cause("Mesh new", 20, None, ""))
FOUND = Judgement(
    (
        Verdict(BUNDLE, HOSTILE, 1200, 1000, 1100, CAUSES),
        Verdict(BUNDLE, "small.bundle", 10, 10, 11),
        Verdict(DUPLICATES, "", 3, None, 1),
    ),
    ("budget.group.'Gone': the build has no group of this name",),
)
GOOD = Judgement((FOUND.verdicts[1],), ())


def test_text() -> None:
    lines = list(text(FOUND))
    assert lines[0].startswith("budget.bundle.'*'  a|b<c>&")
    assert lines[0].endswith("1,200 bytes (1,000 before), and 1,100 (+10 %) are allowed: 100 too many")
    assert lines[1].endswith(".png  50 -> 90 bytes  pulled in by Assets/b.mat")
    assert lines[2:] == [
        "    Mesh new  20 bytes, new",
        "budget.duplicates: 3 objects, and 1 are allowed: 2 too many",
        "2 of 3 limits are exceeded",
    ]
    assert list(text(GOOD)) == [summary(GOOD)] == ["1 limit holds"]
    assert list(text(Judgement((), FOUND.problems))) == ["no limit was judged"]


def test_no_name_breaks_a_line_or_steers_a_terminal() -> None:
    for name, lines in FORMATS.items():
        for line in lines(FOUND):
            assert "\x1b" not in line, name
            assert "\n" not in line or name == "junit", name


def test_json() -> None:
    rows = [json.loads(json.dumps(row)) for row in fields(FOUND)]
    assert [row.get("over") for row in rows] == [100, 2, 0, None]
    assert rows[0]["name"] == HOSTILE
    assert (rows[0]["budget"], rows[0]["limit"], rows[0]["size"], rows[0]["before"], rows[0]["allowed"]) == (
        *("budget.bundle.'*'", "+10 %", 1200, 1000, 1100),
    )
    assert rows[0]["causes"][1] == {"name": "Mesh new", "size": 20, "before": None, "by": ""}
    assert rows[3] == {"problem": FOUND.problems[0]}


def test_github() -> None:
    lines = list(github(FOUND))
    assert [line.startswith("::error file=assetdb.toml,title=budget::") for line in lines] == [True, True, True, False]
    assert "(+10 %25)" in lines[0]
    assert lines[0].count("%0A") == 2


def test_markdown() -> None:
    lines = list(markdown(FOUND))
    assert lines[0] == "<!-- assetdb build check: exceeded=2 problems=1 -->"
    (row,) = (line for line in lines if line.startswith("| budget.duplicates"))
    assert row == "| budget.duplicates | the whole | 3 | 1 | 2 |"
    (hostile,) = (line for line in lines if line.startswith("| budget.bundle"))
    assert r"a\|b\<c\>" in hostile
    assert lines[-1].startswith("- budget.group.")


def test_junit_is_xml() -> None:
    found = ET.fromstring("\n".join(junit(FOUND)))  # noqa: S314 - made here
    assert dict(found.items()) == {"tests": "4", "failures": "2", "errors": "1"}
    cases = found.findall("testsuite/testcase")
    assert [[child.tag for child in case] for case in cases] == [["failure"], [], ["failure"], ["error"]]
    failure = cases[0][0]
    assert "100 too many" in failure.get("message", "")
    assert "50 -> 90 bytes" in (failure.text or "")
