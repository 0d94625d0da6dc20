"""Sources of objects in content directories: by the layout's paths and GUIDs, and only by them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.builds import open_build, trace_answers
from assetdb.builds.trace.sizes import SEVERAL, asset_sizes, content_sizes
from assetdb.builds.trace.traced import BUILT_IN, CANDIDATES, EXACT, UNIQUE
from assetdb.builds.trace.tracer import Tracer
from assetdb.cli import main
from assetdb.query.snapshots.snapshot import Snapshot, open_project
from tests.assetdb.builds.content_directories import GREEN, A, rows, write_content, write_layout
from tests.assetdb.builds.making import KINDS, TEXTURE, text
from tests.assetdb_formats.unityfs import builder
from tests.assetdb_formats.unityfs.builder import Thing
from tests.system.graph.project import add, guid_of

if TYPE_CHECKING:
    from pathlib import Path

PICTURE, LEAF, BARK, MOSS = "Assets/Green.png", "Assets/Leaf.mat", "Assets/Bark.png", "Assets/Moss.png"
MIXED = "c1" * 16
HISTORY = "Library/BuildHistory/20260504-153912Z-2dd7642e"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a project whose directory has a file of two textures, Bark and one without a namesake."""
    found = tmp_path / "project"
    (found / "ProjectSettings").mkdir(parents=True)
    for path in (PICTURE, BARK, MOSS):
        add(found, path, "x", "TextureImporter")
    add(found, LEAF, "%YAML 1.1\n--- !u!21 &2100000\nMaterial:\n  m_Name: Leaf\n")
    content = write_content(found / "Content")
    pixels = bytes(16) + text("")
    things = [Thing(5, TEXTURE, text("Bark") + pixels), Thing(6, TEXTURE, text("Baked") + pixels)]
    (content / f"{MIXED}.cf").write_bytes(builder.serialized_file(things, KINDS[:1]))
    (found / HISTORY).mkdir(parents=True)
    lay_out(found)
    return found


def lay_out(root: Path, **changes: object) -> None:
    """Write the layout: of the material's file the sources are given, or a path that the project has."""
    files: list[dict[str, Any]] = rows(SourceAssets=[PICTURE])
    files[2]["SourceAssets"] = [LEAF]
    files.append({"ID": "5.cfid", "ContentHash": MIXED, "SourceAssets": [BARK, MOSS]})
    write_layout(root / HISTORY, {}, **{"SerializedFiles": files, **changes})


def opened(root: Path) -> Snapshot:
    project = open_project(str(root))
    project.refresh()
    return project


def traced(root: Path, *queries: str) -> list[dict[str, Any]]:
    return trace_answers([str(root / "Content")], opened(root), queries)["rows"]


def test_files_are_of_the_assets_that_the_layout_names(root: Path) -> None:
    found = {row["name"]: row for row in traced(root, str(root / "Content"))}
    assert [(found[name]["certainty"], found[name]["by"]) for name in ("Green", "Leaf", "Bark", "Baked")] == [
        (UNIQUE, "content layout"),
        (UNIQUE, "content layout"),
        (UNIQUE, "content layout, class and name"),
        (CANDIDATES, "content layout"),
    ]
    assert found["Green"]["sources"] == [{"guid": guid_of(PICTURE), "file_id": 2800000, "path": PICTURE}]
    assert [source["path"] for source in found["Baked"]["sources"]] == [BARK, MOSS]


def test_the_layout_is_right_where_a_name_says_otherwise(root: Path) -> None:
    """The texture is called Green, and was made of another asset; Green.png is not in the build."""
    files: list[dict[str, Any]] = rows(SourceAssets=[MOSS])
    lay_out(root, SerializedFiles=files)
    (green,) = (row for row in traced(root, str(root / "Content")) if row["name"] == "Green")
    assert [source["path"] for source in green["sources"]] == [MOSS]
    answers = {row["query"]: row for row in traced(root, PICTURE, MOSS)}
    assert answers[PICTURE]["parts"] == []
    assert [item["path_id"] for part in answers[MOSS]["parts"] for item in part["objects"]] == [GREEN]


def test_loadable_objects_have_guid_and_file_id(root: Path) -> None:
    """The asset is called otherwise today, and its GUID still leads to it."""
    row = {"GUID": guid_of(MOSS), "AssetPath": "Assets/Old.png", "LFID": 21300000, "SerializedFile": 1}
    lay_out(root, LoadableObjectIds=[{**row, "OutputLFID": GREEN}])
    (green,) = (row for row in traced(root, str(root / "Content")) if row["name"] == "Green")
    assert (green["certainty"], green["sources"]) == (
        EXACT,
        [{"guid": guid_of(MOSS), "file_id": 21300000, "path": MOSS}],
    )


def test_assets_that_the_project_lacks_are_named_by_their_path(root: Path) -> None:
    files: list[dict[str, Any]] = rows(SourceAssets=["Packages/com.orchard.fruit/Green.png"])
    files[2]["SourceAssets"] = ["Resources/unity_builtin_extra"]
    lay_out(root, SerializedFiles=files)
    found = {row["name"]: row for row in traced(root, str(root / "Content"))}
    assert [source["path"] for source in found["Green"]["sources"]] == ["Packages/com.orchard.fruit/Green.png"]
    assert found["Leaf"]["certainty"] == BUILT_IN


def test_bytes_of_assets_add_up_with_a_project_and_without(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = root / "Content"
    whole = sum(path.stat().st_size for path in folder.iterdir())
    build = open_build(folder, remember=False)
    by_project = {row.name: row for row in asset_sizes(Tracer(build, opened(root)))}
    alone = {row.name: row for row in content_sizes(build)}
    for found in (by_project, alone):
        assert sum(row.disk for row in found.values()) == whole
        assert (found[PICTURE].objects, found[PICTURE].streamed, found[LEAF].objects) == (1, 48, 1)
    assert (by_project[BARK].objects, by_project[SEVERAL].objects) == (1, 1)
    assert (alone[SEVERAL].objects, BARK in alone) == (2, False)
    assert main(["build", "size", str(folder), "--by", "asset", "--json", "--all", "--no-cache"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert sum(line["disk"] for line in lines) == whole


def test_without_a_project_the_layout_can_be_given(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_content(tmp_path / "Content")
    assert main(["build", "size", str(folder), "--by", "asset", "--no-cache"]) == 2
    assert "ContentLayout.json" in capsys.readouterr().err
    layout = root / HISTORY / "ContentLayout.json"
    assert main(["build", "size", str(folder), str(layout), "--by", "asset", "--json", "--no-cache"]) == 0
    found = {row["name"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    whole = sum(path.stat().st_size for path in (*folder.iterdir(), layout))
    assert sum(row["disk"] for row in found.values()) == whole
    assert found["(content layout)"]["disk"] == layout.stat().st_size


def test_the_daemon_finds_a_layout_that_is_written_later(root: Path) -> None:
    layout = root / HISTORY / "ContentLayout.json"
    kept = layout.read_text()
    layout.unlink()
    layout.parent.rmdir()
    project = opened(root)
    green = f"{A}.cf#{GREEN}"
    (row,) = trace_answers([str(root / "Content")], project, [green])["rows"]
    assert row["by"] == "class and name"
    layout.parent.mkdir()
    layout.write_text(kept)
    (row,) = trace_answers([str(root / "Content")], project, [green])["rows"]
    assert row["by"] == "content layout"


def test_the_layout_of_another_manifest_is_not_used(root: Path) -> None:
    lay_out(root, BuildManifestHash="9" * 32)
    assert {row["by"] for row in traced(root, str(root / "Content"))} == {"class and name", ""}


def test_objects_of_one_file_share_their_candidates(root: Path) -> None:
    """A layout of 50,000 assets for one file took that many for each object."""
    files: list[dict[str, Any]] = rows(SourceAssets=[""])
    files.append({"ID": "5.cfid", "ContentHash": MIXED, "SourceAssets": [f"Assets/{place}.png" for place in range(99)]})
    lay_out(root, SerializedFiles=files)
    tracer = Tracer(open_build(root / "Content", remember=False), opened(root))
    found = {tracer.build.name(row.number): row for row in tracer.all()}
    assert found["Bark"].sources is found["Baked"].sources
    assert len(found["Bark"].sources) == 99
    assert found["Green"].by == "class and name"  # an empty path says nothing
