"""The facts of a change."""

from __future__ import annotations

from itertools import groupby, islice
from typing import TYPE_CHECKING, Final

from assetdb.checks.changes.differences import as_json
from assetdb.query.differences import compared_revisions
from assetdb.report.columns import table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.query.snapshots.snapshot import Snapshot

MOST_ROWS: Final = 50_000
"""Rows of a page's change: a page has to open."""

_ASSET: Final = ("change", "path", "guid", "type", "old_path", "old_type", "old_guid", "file", "meta")
_VALUE: Final = ("change", "path", "guid", "file_id", "name", "type", "property", "old", "new", "note")
_REFERENCE: Final = ("change", "path", "guid", "target", "target_guid")
_REACHED: Final = ("path", "guid", "type")


def change_facts(project: Snapshot, revision: str, most: int = MOST_ROWS) -> dict[str, object]:
    """Return the differences from a revision, as columns.

    Args:
        project: as it is on the disk.
        revision: as ``diff`` takes it.
        most: rows of all kinds; what follows is left out.

    Raises:
        HistoryError: there is no such revision, no repository, or no git.
        AssetdbError, OSError: the project cannot be read.
    """
    with compared_revisions(project, revision) as found:
        every = as_json(found)
        rows = list(islice(every, most))
        is_cut = next(every, None) is not None
    kinds = {kind: list(these) for kind, these in groupby(sorted(rows, key=_kind), _kind)}
    return {
        "revision": revision,
        "assets": table(kinds.get("asset", ()), _ASSET),
        "values": table([value for row in kinds.get("object", ()) for value in _values(row)], _VALUE),
        "references": table(kinds.get("reference", ()), _REFERENCE),
        "reached": table(kinds.get("reached", ()), _REACHED),
        "cut": is_cut,
    }


def _kind(row: dict[str, object]) -> str:
    return str(row["kind"])


def _values(row: dict[str, object]) -> Iterator[dict[str, object]]:
    """Yield the changed values of an object, itself if there are none."""
    values = row["values"]
    if not isinstance(values, list) or not values:
        yield {**row, "property": "", "old": None, "new": None}
        return
    for value in values:
        yield {**row, "property": value["path"], "old": value["old"], "new": value["new"]}
