"""Damaged messages and texts; scripts/fuzz/lsp.py does more of the same."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from scripts.fuzz.lsp import run
from tests.assetdb.lsp.conftest import FIXTURE

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(("count", "seed"), [(300, 5), pytest.param(5000, 6, marks=pytest.mark.long)])
def test_damage_is_answered(tmp_path: Path, count: int, seed: int) -> None:
    root = tmp_path / "project"
    shutil.copytree(FIXTURE, root, symlinks=True)
    assert run(root, count, seed) < count // 20
