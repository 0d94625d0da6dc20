"""Command lines of a shell that stands in a folder which somebody has removed."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.assetdb.unity_project import make_project
from tests.needs import needs_removable_folders

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = needs_removable_folders

GONE = "is gone: change to one that exists (cd), or give the project and all files as absolute paths"


def run(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command line in a folder that is removed before."""
    folder.mkdir(exist_ok=True)
    program = [sys.executable, "-P", "-m", "assetdb", *words]
    return subprocess.run(
        ["sh", "-c", 'cd "$0" && rmdir "$0" && exec "$@"', str(folder), *program],
        env=os.environ | more,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("project") / "project")


@pytest.mark.parametrize(
    "words", [["name", "x"], ["bake"], ["bake", "--project", "x"], ["mv", "a", "b"], ["git-setup"]]
)
def test_what_needs_it_says_which_it_is_and_what_to_do(tmp_path: Path, words: list[str]) -> None:
    found = run(tmp_path / "gone", *words)
    assert found.returncode == 2
    assert found.stderr.startswith(f"assetdb: error: the working directory {tmp_path / 'gone'} {GONE}")
    assert found.stderr.count("\n") == 1


def test_what_needs_none_works(tmp_path: Path, project: Path) -> None:
    gone = tmp_path / "gone"
    assert run(gone, "--version").stdout.startswith("assetdb ")
    assert run(gone, "--help").returncode == run(gone, "bake", "--help").returncode == 0
    own = ["--project", str(project)]
    assert run(gone, "bake", *own).returncode == 0
    assert run(gone, *own, "path", "Player.prefab").stdout == run(gone, "path", "Player.prefab", *own).stdout != ""
    assert run(gone, "check", "--exit-zero", *own).returncode == 0
    assert run(gone, "check", "Assets", *own, "--exit-zero").returncode == 0


def test_nothing_is_written_to_a_place_that_nobody_named(tmp_path: Path, project: Path) -> None:
    gone, own = tmp_path / "gone", ["--project", str(project)]
    refused = {
        "--out-dir out is relative": run(gone, "bake", "--out-dir", "out", *own),
        "ASSETDB_OUT_DIR out is relative": run(gone, "bake", *own, ASSETDB_OUT_DIR="out"),
        "--output out is relative": run(gone, "check", "--output", "out", *own),
        "--baseline out is relative": run(gone, "check", "--write-baseline", "--baseline", "out", *own),
    }
    for said, found in refused.items():
        assert (found.returncode, said in found.stderr, GONE in found.stderr) == (2, True, True), found.stderr
    assert not (project / "out").exists()
