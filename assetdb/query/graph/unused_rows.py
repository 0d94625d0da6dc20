"""Rows of a report of unused assets, with bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from assetdb.query.graph.relations import type_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from assetdb.query.graph.unused import Kept, Unused, UsageReport


class KeptAlone(NamedTuple):
    """A root, and how many assets would be unused without it."""

    root: str
    reason: str
    assets: int
    bytes: int


def unused_fields(rows: Iterable[Kept | Unused], sizes: Mapping[str, int]) -> list[dict[str, object]]:
    """Return assets for JSON, with their bytes if there are sizes."""
    return [
        {**row._asdict(), "type": type_text(row.type), **({"bytes": sizes.get(row.path)} if sizes else {})}
        for row in rows
    ]


def kept_alone(report: UsageReport, sizes: Mapping[str, int]) -> list[KeptAlone]:
    """Return how much each root keeps alone, largest first."""
    reasons = {row.path: row.reason for row in report.kept}
    rows = (
        KeptAlone(root, reasons.get(root, ""), len(paths), sum(sizes.get(path, 0) for path in set(paths)))
        for root, paths in report.alone.items()
    )
    return sorted(rows, key=lambda row: (-row.bytes, row.root))
