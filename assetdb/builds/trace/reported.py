"""Ties of objects that Unity's own report names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.builds.trace.sources import Source
from assetdb.builds.trace.traced import BUILT_IN, EXACT, NONE, REPORT, Traced
from assetdb.unity.engine.builtin import built_in_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb_formats.unityfs.build_report import PackedObject

MADE: Final = "made by the build"


def as_reported(found: Traced, row: PackedObject, project: Snapshot) -> Traced:
    """Return the source that a report gives, with a fileID that fits.

    A report has only the asset; the fileID is taken from ``found``, the tie without a report, if it is of this asset.
    """
    if not row.guid:
        return Traced(found.number, NONE, MADE, ())
    if built_in_file(bytes.fromhex(row.guid)):
        return Traced(found.number, BUILT_IN, REPORT, (Source(row.guid, None, row.path),))
    asset = project.assets.by_guid(row.guid)
    file_ids = {source.file_id for source in found.sources if source.guid == row.guid}
    file_id = file_ids.pop() if len(file_ids) == 1 else None
    path = asset.path if asset is not None else row.path
    return Traced(found.number, EXACT, REPORT, (Source(row.guid, file_id, path),))


def by_guid(rows: Mapping[int, PackedObject]) -> dict[str, list[int]]:
    """Return GUID -> objects of an asset, by a report's rows."""
    found: dict[str, list[int]] = {}
    for number, row in rows.items():
        found.setdefault(row.guid, []).append(number)
    return found
