"""Bytes of assets as cells of a table, and their sum."""

from __future__ import annotations

from assetdb.checks.counting import counted

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Mapping


def size_cells(sizes: Mapping[str, int], path: str, *, wanted: bool = True) -> list[str]:
    """Return the column of an asset's bytes, if wanted."""
    return [f"{sizes[path]:,}" if path in sizes else ""] if wanted else []


def print_total(sizes: Mapping[str, int]) -> None:
    """Print how many files there are, and their bytes."""
    print(f"{counted(len(sizes), 'file')}, {counted(sum(sizes.values()), 'byte')}")
