"""Names of what a report has as numbers."""

from __future__ import annotations

import pytest

from assetdb.builds.reports.described import described
from assetdb_formats.unityfs.build_report import read_build_report
from tests.assetdb_formats.unityfs.reports import report


def test_a_report_is_described_by_unitys_names() -> None:
    steps = (("Build player", 25_000_000, 0, ((2, "old"), (0, "broken"), (9, "?"))), ("Inner", 1, 2, ()))
    data = report({}, steps=steps, options=1 | 8 | 1 << 24, kept={"Audio": ["AudioSource"]})
    found = described("x.buildreport", read_build_report(data))
    assert (found.kind, found.result, found.platform, found.seconds) == ("player", "succeeded", "Win64", 19.7107333)
    assert found.started == "2021-10-07T04:38:54"
    assert found.options == ("Development", "ShowBuiltPlayer", "bit 24")
    assert [(row["kind"], row["text"]) for row in found.messages] == [
        ("warning", "old"),
        ("error", "broken"),
        ("kind 9", "?"),
    ]
    assert found.steps == (
        {"name": "Build player", "depth": 0, "seconds": 2.5},
        {"name": "Inner", "depth": 2, "seconds": 1e-7},
    )
    assert found.kept == ({"name": "Audio", "reasons": ["AudioSource"]},)


@pytest.mark.parametrize("ticks", [0, -1, (1 << 63) - 1])
def test_a_time_that_is_none_is_left_out(ticks: int) -> None:
    assert described("", read_build_report(report({}, started=ticks))).started == ""


def test_numbers_beyond_unitys_are_shown_as_numbers() -> None:
    facts = read_build_report(report({}))._replace(result=7, kind=9, options=-(1 << 31))
    found = described("", facts)
    assert (found.result, found.kind) == ("result 7", "kind 9")
    assert found.options == ("bit 31",)
