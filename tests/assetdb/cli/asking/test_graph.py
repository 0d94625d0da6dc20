"""``assetdb graph``: formats by the name of the file, what is refused, what is left out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.unity_project import guid, make_project
from tests.needs import needs_links

if TYPE_CHECKING:
    from pathlib import Path

LEVEL = "Assets/Prefabs/Level.prefab"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = make_project(tmp_path / "P")
    monkeypatch.chdir(made)
    return made


@pytest.mark.parametrize(
    ("name", "beginning"),
    [("a.svg", "<svg "), ("a.dot", "digraph "), ("a.gv", "digraph "), ("a.mmd", "flowchart "), ("A.SVG", "<svg ")],
)
def test_the_name_of_the_file_chooses_the_format(
    root: Path, capsys: pytest.CaptureFixture[str], name: str, beginning: str
) -> None:
    assert main(["graph", LEVEL, "-o", name]) == 0
    assert (root / name).read_text().startswith(beginning)
    out, err = capsys.readouterr()
    assert out == ""
    assert f"references (in {name})" in err


def test_edges_are_those_of_deps_and_usages(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = set()
    assert main(["deps", "--json", "-q", LEVEL]) == 0
    expected |= {(LEVEL, row["path"]) for row in json.loads(capsys.readouterr().out)["dependencies"]}
    assert main(["usages", "--json", "-q", LEVEL]) == 0
    expected |= {(row["path"], LEVEL) for row in json.loads(capsys.readouterr().out)["usages"]}
    assert main(["graph", "--json", "-q", LEVEL]) == 0
    found = json.loads(capsys.readouterr().out)
    paths = [node["path"] for node in found["nodes"]]
    assert {(paths[user], paths[needed]) for user, needed in found["edges"]} == expected
    assert len(expected) == 2


def test_only_one_direction(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    layers = {}
    for only in ("users", "deps"):
        assert main(["graph", "--json", "-q", LEVEL, "--only", only]) == 0
        layers[only] = {node["layer"] for node in json.loads(capsys.readouterr().out)["nodes"]}
    assert layers == {"users": {-1, 0}, "deps": {0, 1}}


def test_chains_to_another_asset(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["graph", "Assets/Main.unity", "--to", guid(1), "-q"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("digraph references {\n")
    assert all(name in out for name in ("Main.unity", "Level.prefab", "Player.prefab"))


def test_what_is_left_out_is_said(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["graph", "Assets/Main.unity", "--most", "1", "-o", "a.svg"]) == 0
    assert "left out: " in capsys.readouterr().err
    assert "left out: " in (root / "a.svg").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-o", "a.png"], "a picture is .svg, .dot or .mmd"),
        (["-o", "Assets/a.svg"], "becomes an asset of the project"),
        (["-o", "."], "a picture is .svg"),
        (["-o", ".", "--format", "svg"], "is a folder"),
        (["--hops", "5"], "--hops is 1 to 4"),
        (["--most", "0"], "--most is 1 to 2000"),
        (["--to", LEVEL], "itself"),
    ],
)
def test_what_is_refused(root: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    assert main(["graph", LEVEL, *words]) == 2
    assert said in capsys.readouterr().err
    assert not list(root.rglob("*.svg"))


@needs_links
def test_a_link_to_an_asset_is_no_way_into_the_project(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "link").symlink_to(root / "Assets", target_is_directory=True)
    assert main(["graph", LEVEL, "-o", "link/a.svg"]) == 2
    assert "becomes an asset" in capsys.readouterr().err


def test_an_asset_without_references_has_no_picture(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "Assets/alone.txt").write_text("x")
    (root / "Assets/alone.txt.meta").write_text(f"fileFormatVersion: 2\nguid: {guid(9977)}\n")
    assert main(["graph", "Assets/alone.txt", "-q"]) == 1
    assert "n0 [" in capsys.readouterr().out
    assert main(["graph", "nothing", "-q"]) == 1
