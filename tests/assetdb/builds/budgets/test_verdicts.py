"""Budgets of a build: what is over, by how much, and which assets did it."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.builds import open_build
from assetdb.builds.budgets.measuring import Measure
from assetdb.builds.budgets.verdicts import Cause, Judgement, judge
from assetdb.builds.query.catalogs import read_catalogs
from assetdb.settings.budgets import read_budgets
from tests.assetdb_formats.addressables.builder import make_layout

if TYPE_CHECKING:
    from pathlib import Path

SWORD, MOSS = "Assets/Art/Icons/sword.png", "Assets/Art/moss.png"


def layout_of(sword: int, moss: int = 0) -> dict[str, Any]:
    """Return the layout with a sword of other bytes, which pulls in moss, in a bundle that grows as much."""
    found = copy.deepcopy(make_layout())
    rows = {row["rid"]: row for row in found["references"]["RefIds"]}
    rows[31]["data"]["StreamedSize"] = sword - 300
    rows[21]["data"]["FileSize"] = 1000 + sword - 700 + moss
    if moss:
        file = {"rid": 41, "type": {"class": "BuildLayout/File"}, "data": {"Bundle": {"rid": 21}}}
        other = {
            "rid": 42,
            "type": {"class": "BuildLayout/DataFromOtherAsset"},
            "data": {
                "AssetGuid": "f" * 32,
                "AssetPath": MOSS,
                "SerializedSize": moss,
                "StreamedSize": 0,
                "File": {"rid": 41},
                "ReferencingAssets": [{"rid": 31}],
            },
        }
        found["references"]["RefIds"] += [file, other]
    return found


def measured(folder: Path, layout: dict[str, Any]) -> Measure:
    folder.mkdir(exist_ok=True)
    (folder / "buildlayout.json").write_text(json.dumps(layout))
    build = open_build(folder, remember=False)
    return Measure(build, read_catalogs(build), lambda: ())


def judged(tmp_path: Path, table: object, *, against: bool = True) -> Judgement:
    now = measured(tmp_path / "now", layout_of(950, 60))
    return judge(read_budgets(table), now, measured(tmp_path / "before", layout_of(700)) if against else None)


def test_an_asset_made_larger_by_hand_is_named_with_who_pulled_it_in(tmp_path: Path) -> None:
    found = judged(tmp_path, {"bundle": {"group_*": "+100"}, "group": {"Icons": "1 KiB", "Maps": "2000"}})
    assert found.problems == ()
    assert [(row.name, row.size, row.before, row.allowed, row.over) for row in found.exceeded] == [
        ("Icons", 1310, 1000, 1024, 286),
        ("group_1_assets_all.bundle", 1310, 1000, 1100, 210),
    ]
    assert len(found.verdicts) == 4
    causes = (Cause(SWORD, 950, 700, ""), Cause(MOSS, 60, None, f"pulled in by {SWORD}"))
    assert [row.causes for row in found.exceeded] == [causes, causes]
    # To the byte: what the assets grew by is what the bundle did.
    assert sum(cause.size - (cause.before or 0) for cause in causes) == 1310 - 1000


def test_without_another_build_the_largest_are_named(tmp_path: Path) -> None:
    (row,) = judged(tmp_path, {"folder": {"Assets/Art/": "1000"}}, against=False).exceeded
    assert (row.name, row.size, row.before, row.over) == ("Assets/Art", 1010, None, 10)
    assert [(cause.name, cause.size) for cause in row.causes] == [(SWORD, 950), (MOSS, 60)]


def test_what_was_too_large_before_and_has_not_grown_is_named_too(tmp_path: Path) -> None:
    now, before = measured(tmp_path / "now", layout_of(700)), measured(tmp_path / "before", layout_of(700))
    (row,) = judge(read_budgets({"group": {"Icons": "10"}}), now, before).exceeded
    assert [(cause.name, cause.size, cause.before) for cause in row.causes] == [(SWORD, 700, 700)]


@pytest.mark.parametrize("kind", ["file", "bundle", "group", "label", "folder", "type", "assembly"])
def test_a_budget_of_something_that_is_no_more_does_not_hold(tmp_path: Path, kind: str) -> None:
    found = judged(tmp_path, {kind: {"Gone": "1 GiB"}})
    assert found.verdicts == ()
    assert found.problems == (f"budget.{kind}.'Gone': the build has no {kind} of this name, so nothing holds it",)


@pytest.mark.parametrize("table", [{"bundle": {"*": "+1 MiB"}}, {"build": "+2 %"}, {"download": "5 MiB"}])
def test_a_comparison_needs_another_build(tmp_path: Path, table: dict[str, Any]) -> None:
    found = judged(tmp_path, table, against=False)
    assert found.verdicts == ()
    assert [problem.partition(": ")[2] for problem in found.problems] == [
        "needs another build to compare with (--against)"
    ]


def test_the_download_of_an_update_is_the_sum_of_its_parts(tmp_path: Path) -> None:
    now, before = measured(tmp_path / "now", layout_of(700)), measured(tmp_path / "before", layout_of(700))
    budgets = read_budgets({"download": "500"})
    assert judge(budgets, now, before, {"a.bundle": 200, "b.bundle": 300}).exceeded == []
    (row,) = judge(budgets, now, before, {"a.bundle": 200, "b.bundle": 400, "same.bundle": 0}).exceeded
    assert (row.size, row.over) == (600, 100)
    assert [(cause.name, cause.size) for cause in row.causes] == [("b.bundle", 400), ("a.bundle", 200)]


class Sizes(Measure):
    """A build of which only names and sizes are known."""

    def __init__(self, **sizes: dict[str, int]) -> None:
        self._known = sizes

    def sizes(self, kind: str) -> dict[str, int]:
        return self._known.get(kind, {})


@pytest.mark.parametrize(
    ("kind", "pattern", "names"),
    [
        ("assembly", "Assembly-CSharp.dll", ["Assembly-CSharp"]),  # as `build info` lists it
        ("assembly", "Assembly-CSharp", ["Assembly-CSharp"]),
        ("file", "a.dll", ["Data/a.dll"]),
        ("file", "Data/a.*", ["Data/a.dll"]),
        ("label", "a.dll", ["a.dll"]),
        ("label", "a", ["a"]),
    ],
)
def test_a_budget_names_what_it_limits_as_the_kind_is_listed(kind: str, pattern: str, names: list[str]) -> None:
    build = Sizes(assembly={"Assembly-CSharp": 10}, file={"Data/a.dll": 20}, label={"a": 5, "a.dll": 6})
    found = judge(read_budgets({kind: {pattern: "1 GiB"}}), build)
    assert [row.name for row in found.verdicts] == names
    assert found.problems == ()
