"""Bytes by asset: each object counts once, and the rows add up to the folder."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.reports.tying import reports_of
from assetdb.builds.trace.sizes import ENGINE, SCRIPTS, SETTINGS, SPLASH, asset_sizes
from assetdb.builds.trace.tracer import Tracer
from assetdb.cli import main
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.builds.making import TEXTURE, fill, player
from tests.assetdb_formats.unityfs import builder
from tests.assetdb_formats.unityfs.builder import Kind, Thing
from tests.assetdb_formats.unityfs.reports import Row, report
from tests.system.graph.project import HEAD, add, guid_of

if TYPE_CHECKING:
    from pathlib import Path

APPLE, SCENE, PACKAGED = "Assets/apple.png", "Assets/Main.unity", "Packages/com.orchard.fruit/again.png"
LOGO = "UnitySplash-cube"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    found = tmp_path / "project"
    (found / "ProjectSettings").mkdir(parents=True)
    add(found, APPLE, "x", "TextureImporter")
    add(found, SCENE, f"{HEAD}--- !u!104 &1\nRenderSettings:\n", "DefaultImporter")
    folder = player(found / "Game_Data")
    (folder / "Resources").mkdir()
    things = [Thing(5, TEXTURE, fill(TEXTURE, LOGO)), Thing(6, TEXTURE, fill(TEXTURE, "Soft"))]
    data = builder.serialized_file(things, [Kind(TEXTURE, ())], trees=False)
    (folder / "Resources/unity default resources").write_bytes(data)
    (folder / "boot.config").write_bytes(b"x" * 33)
    return found


def bytes_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_rows_add_up_to_the_folder(root: Path) -> None:
    build, project = open_build(root / "Game_Data", remember=False), open_project(str(root))
    project.refresh()
    rows = {row.name: row for row in asset_sizes(Tracer(build, project))}
    assert sum(row.disk for row in rows.values()) == bytes_of(root / "Game_Data")
    assert sum(row.objects for row in rows.values()) == len(build)
    assert rows[APPLE].objects == 1
    assert rows[SCENE].objects == 4
    assert rows["(code)"].disk == (root / "Game_Data/Managed/Assembly-CSharp.dll").stat().st_size
    assert rows["(other)"].disk == 33
    assert (rows[SPLASH].objects, rows[ENGINE].objects, rows[SETTINGS].objects) == (1, 1, 3)
    assert rows[SCRIPTS].objects == 1


def test_assets_of_packages_are_a_row_of_each_package(root: Path) -> None:
    build, project = open_build(root / "Game_Data", remember=False), open_project(str(root))
    project.refresh()
    (file,) = (file for file in build.files if file.facts.name == "sharedassets0.assets")
    sources = [(guid_of(APPLE), APPLE), (guid_of("other"), PACKAGED)]
    packed = [
        Row(build.path_ids[number], 28, build.sizes[number], *source)
        for number, source in zip(file.numbers, sources, strict=True)
    ]
    (root / "x.buildreport").write_bytes(report({"sharedassets0.assets": packed}))
    reports = reports_of(build, [str(root / "Game_Data")])
    rows = {row.name: row for row in asset_sizes(Tracer(build, project, reports=reports))}
    assert rows["(package com.orchard.fruit)"].objects == 1
    assert sum(row.disk for row in rows.values()) == bytes_of(root / "Game_Data")


def test_the_command_prints_assets_of_the_project_around_the_build(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["build", "size", str(root / "Game_Data"), "--by", "asset"]) == 0
    shown = capsys.readouterr()
    lines = [line.split() for line in shown.out.splitlines()]
    assert lines[-1] == ["all", "12", *lines[-1][2:]]
    assert lines[-1][-1].replace(",", "") == str(bytes_of(root / "Game_Data"))
    assert any(line[0] == APPLE for line in lines)
    assert "objects have no certain source" in shown.err
    shutil.move(root / "Game_Data", tmp_path / "Game_Data")
    assert main(["build", "size", str(tmp_path / "Game_Data"), "--by", "asset"]) == 2
    assert "neither this folder nor the build lies in a project" in capsys.readouterr().err


@pytest.mark.corpus("buildreports")
def test_rows_of_a_real_player_add_up_to_the_byte(corpus: Path, tmp_path: Path) -> None:
    copy = tmp_path / "project"
    shutil.copytree(corpus / "builds/Pong", copy, copy_function=shutil.copy)
    folder = copy / "Build/Pong_Data"
    build, project = open_build(folder, remember=False), open_project(str(copy))
    project.refresh()
    rows = {
        row.name: row
        for row in asset_sizes(Tracer(build, project, reports=reports_of(build, [str(folder)], str(copy))))
    }
    assert sum(row.disk for row in rows.values()) == bytes_of(folder)
    by_report = {"Assets/Ball.png": 140 + 884 + 34596, "Assets/racket.jpg": 144 + 588 + 18000}
    assert {name: rows[name].disk for name in by_report} == by_report
    assert rows["(package com.unity.ugui)"].objects == 85
