"""``assetdb coverage``: each count with its reason, and the share of references with a name."""

from __future__ import annotations

import json
import re

import pytest

from assetdb.cli import main

pytestmark = pytest.mark.usefixtures("project")
REASONS = {"dangling": 1, "apart: lfs-pointer": 1, "missing-asset": 1}
OTHERS = {"in packages on this machine": 0, "in public packages not here": 0, "outside": 0}


def test_counts_add_up_and_have_a_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage"]) == 0
    out, err = capsys.readouterr()
    rows = [re.split(r"\s{2,}", line) for line in out.splitlines()]
    counts = {row[0]: int(row[1]) for row in rows}
    named, own = counts["named"], counts["of this project or built in"]
    assert counts == {"references": 14, "of this project or built in": 12, "named": 11, **REASONS, **OTHERS}
    assert (named + counts["dangling"], own + 2) == (own, counts["references"])
    assert next(row[2] for row in rows if row[0] == "named") == f"{100 * named / own:.2f} %"
    assert all(len(row) == 3 for row in rows[3:] if row[0] in REASONS)
    assert "1 file could not be read" in err


def test_json_is_one_object_and_quiet_says_nothing_beside(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", "--json", "-q"]) == 0
    out, err = capsys.readouterr()
    fields = json.loads(out)
    assert err == ""
    assert (fields["total"], fields["in_tree"], fields["named"], fields["unread_files"]) == (14, 12, 11, 1)
    assert fields["share"] == round(1100 / 12, 3)
