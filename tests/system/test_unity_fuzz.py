"""Mutations of files that pure readers of Unity's formats read."""

from __future__ import annotations

import pytest

from scripts.fuzz import binary_assets
from scripts.fuzz.unity_readers import PARTS, fuzz

COUNT = 20_000


@pytest.mark.long
@pytest.mark.parametrize("part", sorted(PARTS))
def test_mutations_are_read_or_refused(part: str) -> None:
    """20,000 mutations of every part; a million by the script."""
    counts = fuzz(part, COUNT, seed=20_000)
    assert sum(counts.values()) == COUNT
    assert counts["read"] > COUNT // 100
    assert counts["refused"] + counts["other"] > COUNT // 100


@pytest.mark.long
@pytest.mark.parametrize("part", sorted(binary_assets.PARTS))
def test_binary_assets_and_imports_are_read_or_refused(part: str) -> None:
    counts = binary_assets.fuzz(part, COUNT // 2, seed=20_000)
    assert sum(counts.values()) == COUNT // 2
    assert min(counts["read"], counts["refused"]) > COUNT // 100
