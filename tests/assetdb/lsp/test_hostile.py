"""Damaged messages and texts; scripts/fuzz/lsp.py does more of the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scripts.fixture import copy_fixture
from scripts.fuzz.lsp import run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(("count", "seed"), [(300, 5), pytest.param(5000, 6, marks=pytest.mark.long)])
def test_damage_is_answered(tmp_path: Path, count: int, seed: int) -> None:
    root = tmp_path / "project"
    copy_fixture(root)
    assert run(root, count, seed) < count // 20
