"""The part of ``scripts/bench/bundles.py`` that reads Unity's bundles."""

from __future__ import annotations

from scripts.bench import unityfs


def measure() -> None:
    """Read the corpus beside the peers that are here."""
    unityfs.measure([])
