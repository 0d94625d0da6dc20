from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.verdicts.judging import judge_project
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import make_project

if TYPE_CHECKING:
    from pathlib import Path


def test_all_references_are_judged_and_problems_have_places(tmp_path: Path) -> None:
    project = open_project(str(make_project(tmp_path)), str(tmp_path / "out"))
    found = judge_project(project)
    assert found.counts == {
        ("named", ""): 11,
        ("unnamed", "dangling"): 1,
        ("apart", "lfs-pointer"): 1,
        ("missing", "missing-asset"): 1,
    }
    kinds = [item.verdict.kind for rows in found.problems.values() for item in rows]
    assert sorted(kinds) == ["apart", "missing", "unnamed"]
    assert all(item.path == path and item.line for path, rows in found.problems.items() for item in rows)
    project.close()
