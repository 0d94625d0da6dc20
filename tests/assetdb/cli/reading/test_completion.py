"""TAB completes assets, codes and projects, and prints nothing where there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.cli.reading.completion import codes_beginning, projects_beginning
from assetdb.diagnostics.codes import CODES
from tests.architecture.imports import PYTHONPATH
from tests.assetdb.unity_project import guid

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = (sys.executable, "-m", "assetdb")


def make_project(root: Path) -> Path:
    (root / "ProjectSettings").mkdir(parents=True)
    names = ("Prefabs/Base.prefab", "Prefabs/Basket.prefab", "My Folder/a (1).txt", "Umläute.txt")
    for number, name in enumerate(names, 1):
        path = root / "Assets" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
        path.with_name(f"{path.name}.meta").write_text(f"fileFormatVersion: 2\nguid: {guid(number)}\n")
    assert main(["bake", "--project", str(root), "--quiet"]) == 0
    return root


def completed(line: str, cwd: Path) -> list[str]:
    words = line.split(" ")
    more = {"_ASSETDB_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    environment = {**os.environ, **more, "PYTHONPATH": PYTHONPATH, "PYTHONUTF8": "1"}
    done = subprocess.run(PROGRAM, cwd=cwd, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("assetdb name Bas", ["Base.prefab", "Basket.prefab"]),
        ("assetdb usages --deep Base.p", ["Base.prefab"]),
        ("assetdb deps Um", ["Umläute.txt"]),
        ("assetdb guid As", ["Assets/My\\ Folder/", "Assets/Prefabs/", "Assets/Umläute.txt"]),
        ("assetdb trace Assets/Prefabs", ["Assets/Prefabs/Base.prefab", "Assets/Prefabs/Basket.prefab"]),
        ("assetdb name Assets/My", ["Assets/My\\ Folder/a\\ \\(1\\).txt"]),
        ("assetdb name Assets/../ProjectSettings/", [""]),
        ("assetdb name Assets/None/", [""]),
        ("assetdb rule duplicate-g", ["duplicate-guid"]),
        ("assetdb check --select missing-script,duplicate-g", ["missing-script,duplicate-guid"]),
    ],
)
def test_assets_and_codes_are_completed(line: str, expected: list[str], tmp_path: Path) -> None:
    assert completed(line, make_project(tmp_path / "Game")) == expected


def test_the_project_that_is_named_is_asked(tmp_path: Path) -> None:
    make_project(tmp_path / "work" / "Game")
    quoted = os.path.join("work", "Game").replace("\\", "\\\\")  # bash takes each second one away
    assert completed("assetdb --project wo", tmp_path) == [quoted]
    assert completed("assetdb --project work/Game usages Base", tmp_path) == ["Base.prefab"]
    assert completed("assetdb usages --project work/Game Assets/P", tmp_path) == [
        "Assets/Prefabs/Base.prefab",
        "Assets/Prefabs/Basket.prefab",
    ]
    assert completed("assetdb usages Base", tmp_path) == [""]


def test_without_a_database_files_alone_are_offered_and_nothing_is_baked(tmp_path: Path) -> None:
    root = make_project(tmp_path / "Game")
    shutil.rmtree(root / "Library")
    assert completed("assetdb name Base", root) == [""]
    assert completed("assetdb name Assets/Prefabs/Base", root) == ["Assets/Prefabs/Base.prefab"]
    assert not (root / "Library").exists()


def test_each_code_is_offered_once() -> None:
    assert codes_beginning("") == ["all", *CODES]
    assert "missing-script,missing-script" not in codes_beginning("missing-script,")
    assert len(codes_beginning("missing-script,")) == len(CODES) - 1


def test_projects_are_looked_for_below_and_not_inside_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("One", "more/Two", "more/deep/Three", "more/very/deep/Four", "One/Assets/Inside", ".hidden/Five"):
        (tmp_path / name / "Assets").mkdir(parents=True)
        (tmp_path / name / "ProjectSettings").mkdir()
    three = os.path.join("more", "deep", "Three")
    assert projects_beginning("") == ["One", os.path.join("more", "Two"), three]
    assert projects_beginning("more/d") == [three]
    assert projects_beginning(str(tmp_path / "O")) == [str(tmp_path / "One")]
    assert projects_beginning("none/") == []
