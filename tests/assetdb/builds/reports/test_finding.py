"""Where reports of builds lie."""

from __future__ import annotations

from pathlib import Path

from assetdb.builds.reports.finding import MOST_REPORTS, reports_near


def write(path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x")
    return str(path)


def test_reports_lie_beside_builds_and_in_the_library(tmp_path: Path) -> None:
    root = tmp_path / "project"
    build = tmp_path / "Out/Game_Data"
    build.mkdir(parents=True)
    beside = write(tmp_path / "Out/kept.BuildReport")
    inside = write(build / "my.buildreport")
    last = write(root / "Library/LastBuild.buildreport")
    old = write(root / "Library/BuildHistory/20260504-153855Z-7aff42f4/7aff42f4.buildreport")
    new = write(root / "Library/BuildHistory/20260504-153912Z-2dd7642e/2dd7642e.buildreport")
    write(root / "Library/BuildHistory/20260504-153912Z-2dd7642e/BuildLog.jsonl")
    assert reports_near([str(build)], str(root)) == [inside, beside, last, new, old]
    assert reports_near([str(build)]) == [inside, beside]
    single = write(tmp_path / "Out/data.unity3d")
    assert reports_near([single]) == [beside]
    assert reports_near([str(tmp_path / "nowhere/x")], str(tmp_path)) == []


def test_a_history_of_many_builds_is_tried_from_the_newest_on(tmp_path: Path) -> None:
    for number in range(MOST_REPORTS + 5):
        write(tmp_path / f"Library/BuildHistory/20260504-1539{number:02}Z-0/{number:02}.buildreport")
    found = reports_near([], str(tmp_path))
    assert [Path(path).stem for path in found] == [f"{number:02}" for number in range(MOST_REPORTS + 4, 4, -1)]
