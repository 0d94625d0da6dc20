"""Objects that Unity's own report names: exact, package assets too, and nothing else changes."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build, trace_answers
from assetdb.builds.trace.traced import BUILT_IN, EXACT, NONE
from assetdb.cli import main
from assetdb.query.snapshots.snapshot import open_project
from scripts.oracle.build_reports import compared
from tests.assetdb.builds.making import player
from tests.assetdb_formats.unityfs.reports import Row, report
from tests.system.graph.project import add, guid_of

if TYPE_CHECKING:
    from pathlib import Path

APPLE, PACKAGED, MOVED = "Assets/apple.png", "Packages/com.orchard.fruit/again.png", "Assets/Moved.png"
OF_UNITY = "0000000000000000f000000000000000"


def write_project(root: Path) -> Path:
    (root / "ProjectSettings").mkdir(parents=True)
    for path in (APPLE, MOVED):
        add(root, path, "x", "TextureImporter")
    return root


def write(tmp_path: Path, first: tuple[str, str], second: tuple[str, str]) -> tuple[Path, Path]:
    """Write a project, a player, and a report of GUID and path of its two textures."""
    root, folder = write_project(tmp_path / "project"), player(tmp_path / "Out/Game_Data")
    build = open_build(folder, remember=False)
    (file,) = (file for file in build.files if file.facts.name == "sharedassets0.assets")
    rows = [
        Row(build.path_ids[number], 28, build.sizes[number], *source)
        for number, source in zip(file.numbers, (first, second), strict=True)
    ]
    (root / "Library").mkdir()
    (root / "Library/LastBuild.buildreport").write_bytes(report({"sharedassets0.assets": rows}))
    return root, folder


def traced(root: Path, folder: Path, *queries: str, given: str = "") -> list[dict[str, object]]:
    project = open_project(str(root))
    project.refresh()
    return trace_answers([str(folder)], project, queries, report=given)["rows"]


def test_rows_of_a_report_are_exact_and_keep_the_file_id(tmp_path: Path) -> None:
    package = guid_of("package")
    root, folder = write(tmp_path, (guid_of(APPLE), APPLE), (package, PACKAGED))
    found = traced(root, folder, "sharedassets0.assets")
    assert [(row["certainty"], row["by"], row["sources"]) for row in found] == [
        (EXACT, "build report", [{"guid": guid_of(APPLE), "file_id": 2800000, "path": APPLE}]),
        (EXACT, "build report", [{"guid": package, "file_id": None, "path": PACKAGED}]),
    ]
    (answer,) = traced(root, folder, package)
    assert answer["path"] == PACKAGED
    (part,) = answer["parts"]  # type: ignore[misc]
    assert [item["path_id"] for item in part["objects"]] == [4]
    (answer,) = traced(root, folder, APPLE)
    (part,) = answer["parts"]  # type: ignore[misc]
    assert [item["path_id"] for item in part["objects"]] == [3]


def test_the_report_is_right_where_a_name_says_otherwise(tmp_path: Path) -> None:
    """The texture was called apple when it was built, and another one is called so today."""
    root, folder = write(
        tmp_path, (guid_of(MOVED), "Assets/Old/apple.png"), (OF_UNITY, "Resources/unity_builtin_extra")
    )
    found = traced(root, folder, "sharedassets0.assets")
    assert [(row["certainty"], row["sources"]) for row in found] == [
        (EXACT, [{"guid": guid_of(MOVED), "file_id": None, "path": MOVED}]),
        (BUILT_IN, [{"guid": OF_UNITY, "file_id": None, "path": "Resources/unity_builtin_extra"}]),
    ]
    (answer,) = traced(root, folder, APPLE)
    assert answer["parts"] == []
    (answer,) = traced(root, folder, MOVED)
    assert len(answer["parts"]) == 1  # type: ignore[arg-type]


def test_what_the_build_made_has_no_source(tmp_path: Path) -> None:
    root, folder = write(tmp_path, ("0" * 32, ""), (guid_of(APPLE), APPLE))
    found = traced(root, folder, "sharedassets0.assets")
    assert [(row["certainty"], row["by"]) for row in found] == [(NONE, "made by the build"), (EXACT, "build report")]


def test_a_report_of_another_build_is_said_and_not_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root, folder = write(tmp_path, (guid_of(MOVED), MOVED), (guid_of(MOVED), MOVED))
    monkeypatch.chdir(root)
    library = root / "Library/LastBuild.buildreport"
    other = report({"sharedassets0.assets": [Row(3, 28, 1, guid_of(MOVED), MOVED)]})
    shutil.move(library, tmp_path / "right.buildreport")
    library.write_bytes(other)
    ask = ["trace", "sharedassets0.assets#3", "--in", str(folder), "--json"]
    assert main(ask) == 0
    shown = capsys.readouterr()
    (row,) = map(json.loads, shown.out.splitlines())
    assert row["sources"][0]["path"] == APPLE
    assert f"{library}: the build report is not used: it is of another build: " in shown.err
    assert main([*ask, "--report", str(library)]) == 2
    assert main([*ask, "-q"]) == 0
    assert "not used" in capsys.readouterr().err
    assert main([*ask, "--report", str(tmp_path / "right.buildreport")]) == 0
    (row,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (row["certainty"], row["sources"][0]["path"]) == (EXACT, MOVED)
    library.write_bytes(other[:100])
    assert main([*ask, "--report", str(library)]) == 2
    shown = capsys.readouterr()
    assert "Traceback" not in shown.err
    assert "declares" in shown.err


def test_a_kept_answer_follows_the_report(tmp_path: Path) -> None:
    root, folder = write(tmp_path, (guid_of(MOVED), MOVED), (guid_of(MOVED), MOVED))
    project = open_project(str(root))
    project.refresh()

    def path() -> object:
        (row,) = trace_answers([str(folder)], project, ["sharedassets0.assets#3"])["rows"]
        return row["sources"][0]["path"]

    assert path() == MOVED
    (root / "Library/LastBuild.buildreport").unlink()
    assert path() == APPLE


@pytest.mark.corpus("buildreports")
@pytest.mark.parametrize(
    ("project", "data", "rows"),
    [("Pong", "Build/Pong_Data", 570), ("Arkanoid", "Library/PlayerDataCache/Win64/Data", 249)],
)
def test_trace_is_as_unitys_report_of_each_player(
    corpus: Path, tmp_path: Path, project: str, data: str, rows: int
) -> None:
    root = corpus / "builds" / project
    copy = tmp_path / "project"
    shutil.copytree(root, copy, ignore=shutil.ignore_patterns("Library", "*_Data"), copy_function=shutil.copy)
    found = compared(copy, root / data, str(root / "Library/LastBuild.buildreport"))
    assert not isinstance(found, str)
    assert (found.rows, found.wrong, found.contradictions) == (rows, [], [])
