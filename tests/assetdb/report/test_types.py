"""The types that the page's modules declare in comments hold."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
COMPILER = HERE.parents[2] / "editor" / "vscode" / "node_modules" / "typescript" / "bin" / "tsc"


@pytest.mark.long
def test_types_hold() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node: https://nodejs.org, version 20 or later")
    if not COMPILER.is_file():
        pytest.skip("the packages of the VS Code extension are not here: npm ci in editor/vscode")
    done = subprocess.run(
        [node, COMPILER, "-p", HERE / "tsconfig.json"], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.stdout == ""
    assert done.returncode == 0
