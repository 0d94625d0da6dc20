"""GUIDs of the files that findings are in, by which a finding is known again where its file was moved."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from assetdb.checks.finding import Finding
    from assetdb.query.snapshot import Snapshot

# Two files have the GUID, or the meta is what is wrong: the path alone tells which is meant.
_BY_PATH: Final = frozenset(("duplicate-guid", "guid-in-package", "placeholder-guid", "orphan-meta", "no-guid"))


def with_owners(project: Snapshot, findings: Iterable[Finding]) -> list[Finding]:
    """Return findings, each with the GUID of the file that it is in, where that has one and tells it from others."""
    rows = list(findings)
    guids = guids_of(project, {row.path for row in rows if not row.asset})
    return [_owned(row, guids.get(row.path, "")) for row in rows]


def _owned(row: Finding, guid: str) -> Finding:
    if row.asset or not guid:
        return row
    if row.code not in _BY_PATH:
        return row._replace(asset=guid)
    return row if row.target else row._replace(target=guid)


def guids_of(project: Snapshot, paths: Collection[str]) -> dict[str, str]:
    """Return the GUID of each of some paths that has one: assets, and folders."""
    if not paths:
        return {}
    database = project.database
    assets = chain(database, (rival.asset for rival in database.rivals))
    found = {asset.path: asset.guid for asset in assets if asset.path in paths}
    if len(found) < len(paths):
        found.update((path, guid) for guid, path in database.folders() if path in paths)
    return found
