"""``assetdb build check``: exit codes, reports and where budgets are read."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.builds import making
from tests.assetdb.builds.making import Texture

if TYPE_CHECKING:
    from pathlib import Path

A = "CAB-" + "a" * 32
SMALL = making.bundle(A, "trees", [Texture(7, "bark", b"brown" * 9)])
MOSS = Texture(8, "moss", random.Random(1).randbytes(5000))  # bytes that cannot be packed
LARGE = making.bundle(A, "trees", [Texture(7, "bark", b"brown" * 9), MOSS])


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "Game"
    for name in ("Assets", "ProjectSettings", "Builds/old", "Builds/new"):
        (root / name).mkdir(parents=True)
    (root / "Builds/old/trees.bundle").write_bytes(SMALL)
    (root / "Builds/new/trees.bundle").write_bytes(LARGE)
    monkeypatch.chdir(root)
    return root


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str], str]:
    code = main(["build", "check", *words])
    out, err = capsys.readouterr()
    return code, out.splitlines(), err


def budgets(root: Path, text: str) -> None:
    (root / "assetdb.toml").write_text(f"[budget]\n{text}\n")


def test_a_build_that_is_too_large_ends_with_1(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    limit = len(SMALL) + 100
    budgets(root, f"build = {limit}")
    assert run(capsys, "Builds/old") == (0, ["1 limit holds"], "")
    code, lines, err = run(capsys, "Builds/new")
    assert (code, err) == (1, "")
    over = len(LARGE) - limit
    assert lines[0] == f"budget.build: {len(LARGE):,} bytes, and {limit:,} are allowed: {over:,} too many"
    assert any(line.strip().startswith("Texture2D moss  ") for line in lines)
    assert lines[-1] == "1 of 1 limits is exceeded"


@pytest.mark.parametrize("name", ["Assembly-CSharp", "Assembly-CSharp.dll", "Assembly*"])
def test_an_assembly_is_named_with_or_without_its_ending(
    root: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    making.player(root / "Game_Data")
    budgets(root, f'[budget.assembly]\n"{name}" = 1')
    code, lines, err = run(capsys, "Game_Data")
    assert (code, err) == (1, "")
    assert lines[0].startswith(f"budget.assembly.'{name}'")


def test_growth_and_download_are_of_another_build(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    budgets(root, 'download = "1 kB"\n[budget.bundle]\n"*" = "+1 KiB"\n[budget.type]\nTexture2D = "+100 %"')
    code, lines, _ = run(capsys, "Builds/new", "--against", "Builds/old", "--json")
    rows = {row["kind"]: row for row in map(json.loads, lines)}
    assert code == 1
    assert (rows["download"]["size"], rows["download"]["allowed"]) == (len(LARGE), 1000)
    assert (rows["bundle"]["before"], rows["bundle"]["over"]) == (len(SMALL), len(LARGE) - len(SMALL) - 1024)
    new = [cause for cause in rows["bundle"]["causes"] if cause["before"] is None]
    assert [cause["name"] for cause in new] == ["Texture2D moss"]
    assert rows["type"]["over"] > 0
    assert run(capsys, "Builds/old", "--against", "Builds/old")[0] == 0
    code, lines, err = run(capsys, "Builds/new")
    assert (code, lines) == (2, ["no limit was judged"])
    assert err.count("needs another build to compare with (--against)") == 3


def test_what_is_no_more_or_misspelled_is_an_error(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    budgets(root, '[budget.group]\nIcons = "1 GiB"')
    code, _, err = run(capsys, "Builds/new")
    assert (code, "budget.group.'Icons': the build has no group of this name" in err) == (2, True)
    budgets(root, 'build = "40 MibiBytes"')
    code, _, err = run(capsys, "Builds/new")
    assert (code, "budget.build is '40 MibiBytes'" in err) == (2, True)
    (root / "assetdb.toml").write_text("exclude = []\n")
    code, _, err = run(capsys, "Builds/new")
    assert (code, "has no budgets" in err) == (2, True)


def test_the_budgets_are_those_of_the_project(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    budgets(root, "build = 1")
    monkeypatch.chdir(tmp_path)
    assert run(capsys, str(root / "Builds/new"))[0] == 1  # it lies in the project
    elsewhere = tmp_path / "artifact"
    elsewhere.mkdir()
    (elsewhere / "trees.bundle").write_bytes(LARGE)
    code, _, err = run(capsys, str(elsewhere))
    assert (code, "name the project with --project" in err) == (2, True)
    assert run(capsys, str(elsewhere), "--project", str(root))[0] == 1


@pytest.mark.parametrize("shape", ["text", "json", "github", "markdown", "junit"])
def test_a_report_may_be_a_file(root: Path, capsys: pytest.CaptureFixture[str], shape: str) -> None:
    budgets(root, "build = 1")
    code, lines, _ = run(capsys, "Builds/new", "--format", shape)
    assert code == 1
    assert run(capsys, "Builds/new", "--format", shape, "--output", "report", "-q") == (1, [], "")
    assert (root / "report").read_text("utf-8").splitlines() == lines
