"""Every figure of a build in a page is the one that the commands on builds and ``trace`` print as JSON."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from assetdb.cli import main
from tests.assetdb.builds import making
from tests.assetdb.builds.making import Material, Texture
from tests.report_page import Page, read_page
from tests.system.graph.project import HEAD, add

APPLE, SCENE = "Assets/apple.png", "Assets/Main.unity"
BARK = Texture(7, "bark", b"brown" * 90)


def synthetic(root: Path, corpus: Path | None) -> tuple[str, str]:
    """A player, and two bundles that both have a texture; in the older ones it is another."""
    assert corpus is None
    (root / "ProjectSettings").mkdir(parents=True)
    add(root, APPLE, "x", "TextureImporter")
    add(root, SCENE, f"{HEAD}--- !u!104 &1\nRenderSettings:\n", "DefaultImporter")
    for name, pixels in (("Game_Data", BARK.pixels), ("Old_Data", b"green" * 90)):
        folder = making.player(root / name)
        (folder / "boot.config").write_bytes(b"x" * 33)
        for part in ("a", "b"):
            assets: list[Texture | Material] = [BARK._replace(pixels=pixels), Material(8, f"tree {part}", ((0, 7),))]
            file = folder / f"trees_assets_{part}_{'0' * 32}.bundle"
            file.write_bytes(making.bundle("CAB-" + part * 32, f"trees {part}", assets))
    (root / "Old_Data" / "extra.dll").write_bytes(b"x")
    return "Game_Data", "Old_Data"


def arkanoid(root: Path, corpus: Path | None) -> tuple[str, str]:
    assert corpus is not None
    shutil.copytree(corpus / "builds/Arkanoid", root)
    return "Library/PlayerDataCache/Win64/Data", "xd/Arkanoid_Data"


def pixel_adventure(root: Path, corpus: Path | None) -> tuple[str, str]:
    assert corpus is not None
    shutil.copytree(corpus / "builds/pixel-adventure", root)
    return "Build/My project_Data", "Build/My project_Data"


ARKANOID = pytest.param(arkanoid, marks=[pytest.mark.corpus("buildreports"), pytest.mark.long])
PIXEL = pytest.param(pixel_adventure, marks=[pytest.mark.corpus("players"), pytest.mark.long])


@pytest.fixture(params=[synthetic, ARKANOID, PIXEL])
def builds(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    marker = request.node.get_closest_marker("corpus")
    corpus = request.getfixturevalue("corpus") if marker is not None else None
    found: tuple[str, str] = request.param(tmp_path / "P", corpus)
    monkeypatch.chdir(tmp_path / "P")
    return found


def page_of(builds: tuple[str, str]) -> Page:
    assert main(["report", "-q", "--in", builds[0], "--against", builds[1], "-o", "../page.html"]) == 0
    return read_page(Path("../page.html"))


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> list[Any]:
    capsys.readouterr()
    assert main([*words, "--json"]) in (0, 1)
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def rows(columns: dict[str, list[Any]]) -> list[dict[str, Any]]:
    lists = {name: values for name, values in columns.items() if isinstance(values, list)}
    return [dict(zip(lists, values, strict=True)) for values in zip(*lists.values(), strict=True)]


@pytest.mark.parametrize(
    ("name", "key"),
    [("classes", "class"), ("bundles", "bundle"), ("groups", "group"), ("assemblies", "assembly"), ("assets", "asset")],
)
def test_sizes_are_those_of_build_size(
    builds: tuple[str, str], capsys: pytest.CaptureFixture[str], name: str, key: str
) -> None:
    found = rows(page_of(builds).facts["build"][name])
    for row in found:
        row.pop("group", None)
        row.pop("kind", None)
    assert [{"by": key, **row} for row in found] == printed(capsys, "build", "size", builds[0], "--by", key)


def test_trees_are_those_of_build_size(builds: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    build = page_of(builds).facts["build"]
    assert rows(build["files"]) == printed(capsys, "build", "size", builds[0], "--tree")
    scripts = rows(build["scripts"])
    tops = [row for row in scripts if row.pop("depth") == 0]
    assert tops == rows(build["assemblies"])
    by_group: dict[str, int] = {}
    for row in rows(build["bundles"]):
        group = row["group"] or ("(no group)" if row["kind"] else row["name"])
        by_group[group] = by_group.get(group, 0) + row["disk"]
    assert by_group == {row["name"]: row["disk"] for row in rows(build["groups"])}


def test_places_are_those_of_trace(builds: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    page = page_of(builds)
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows(page.facts["build"]["shipped"]):
        found.setdefault(row.pop("guid"), []).append(row)
    expected = {}
    for answer in printed(capsys, "trace", "Assets", "--in", builds[0]):
        parts = answer["parts"]
        for part in parts:
            part["objects"] = len(part["objects"])
        if parts:
            expected[answer["guid"]] = parts
    assert expected
    assert found == expected


def test_duplicates_are_those_of_build_size_with_the_way_to_each_copy(
    builds: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = rows(page_of(builds).facts["build"]["duplicates"])
    for row in found:
        row.pop("asset")
        assert len(row["objects"]) > 1
        for copy in row["objects"]:
            assert copy.pop("way")
            assert {copy.pop("why"), copy.pop("root")}
    assert found == printed(capsys, "build", "size", builds[0], "--duplicates")


def test_the_change_is_that_of_build_diff(builds: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    change = page_of(builds).facts["build"]["against"]
    expected = printed(capsys, "build", "diff", builds[1], builds[0])
    objects = [{"part": part["name"], **item} for part in expected for item in part.pop("objects")]
    assert rows(change["parts"]) == expected
    assert change["download"] == sum(part["download"] for part in expected)
    found = rows(change["objects"])
    for row in found:
        row.pop("asset")
    for row in objects:
        del row["file_before"], row["path_id_before"]
    assert found == objects


def test_the_summary_is_that_of_build_info(builds: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    found = page_of(builds).facts["build"]["summary"]
    (expected,) = printed(capsys, "build", "info", builds[0])
    assert found == {name: expected[name] for name in found}


def test_against_needs_a_newer_build(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    synthetic(tmp_path, None)
    assert main(["report", "--project", str(tmp_path), "--against", str(tmp_path / "Old_Data")]) == 2
    assert "--in" in capsys.readouterr().err


def test_what_is_no_build_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    synthetic(tmp_path, None)
    output = tmp_path / "page.html"
    for name in ("ProjectSettings", "nowhere"):
        words = ["report", "--project", str(tmp_path), "--in", str(tmp_path / name), "-o", str(output)]
        assert main(words) == 2
        assert name in capsys.readouterr().err
        assert not output.exists()


def test_a_part_that_cannot_be_read_is_said_and_the_page_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    synthetic(tmp_path, None)
    level = tmp_path / "Game_Data" / "level0"
    level.write_bytes(level.read_bytes()[:60])
    output = tmp_path / "page.html"
    words = ["report", "--project", str(tmp_path), "--in", str(tmp_path / "Game_Data"), "-o", str(output)]
    assert main(words) == 2
    assert "level0" in capsys.readouterr().err
    facts = read_page(output).facts
    assert any("level0" in text for text in facts["build"]["problems"])
    assert str(tmp_path) not in json.dumps(facts)


@pytest.mark.parametrize("path", [".", "../Game_Data/", "../Game_Data"])
def test_problems_have_the_names_of_their_files_by_whatever_path_the_build_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], path: str
) -> None:
    synthetic(tmp_path, None)
    folder = tmp_path / "Game_Data"
    (folder / "level0.v2.bundle").write_bytes(b"UnityFS\0cut")
    monkeypatch.chdir(folder)
    output = tmp_path / "page.html"
    assert main(["report", "--project", str(tmp_path), "--in", path, "-o", str(output)]) == 2
    assert "level0.v2.bundle: " in capsys.readouterr().err
    (said,) = read_page(output).facts["build"]["problems"]
    assert said.startswith("level0.v2.bundle: ")
