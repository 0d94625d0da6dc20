"""GUIDs of files with findings, which identify a finding after moves."""

from __future__ import annotations

import os
from itertools import chain
from typing import TYPE_CHECKING, Final

from assetdb.scan.directory import SLASH

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from assetdb.checks.findings.finding import Finding
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.workspace.workspace import Listing

_GUID: Final = 16  # bytes
# Two files have the GUID, or the meta is wrong: only the path identifies the file.
_BY_PATH: Final = frozenset(
    ("duplicate-guid", "guid-in-package", "placeholder-guid", "orphan-meta", "no-guid", "encoded-guid")
)


def with_owners(project: Snapshot, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings with the GUIDs of their files, where they are unshared."""
    rows = list(findings)
    guids = guids_of(project, {row.path for row in rows if not row.asset})
    for row in rows:
        guid = "" if row.asset else guids.get(row.path, "")
        if guid and row.code not in _BY_PATH:
            yield row._replace(asset=guid)
        else:
            yield row if row.target or not guid else row._replace(target=guid)


def guids_of(project: Snapshot, paths: Collection[str]) -> dict[str, str]:
    """Return the GUIDs of the paths that have one, folders included."""
    if not paths:
        return {}
    listing = project.listing()
    if listing is not None:
        return _guids_in(listing, paths)
    database = project.database
    assets = chain(database, (duplicate.asset for duplicate in database.duplicates))
    found = {asset.path: asset.guid for asset in assets if asset.path in paths}
    if len(found) < len(paths):
        found.update((path, guid) for guid, path in database.folders() if path in paths)
    return found


def _guids_in(listing: Listing, paths: Iterable[str]) -> dict[str, str]:
    """Return GUIDs from a scan, without reading all entries (1 s)."""
    wanted: dict[bytes, list[str]] = {}
    for path in paths:
        wanted.setdefault(os.fsencode(path.rpartition("/")[0]), []).append(path)
    found: dict[str, str] = {}
    for folder, here in wanted.items():
        directory = listing.directories.get(folder)
        if directory is None:
            continue
        directory = listing.complete(directory)
        guids = directory.guids.hex(" ", _GUID).split()
        by_name = dict(zip(directory.files.split(SLASH)[: 2 * len(guids) : 2], guids, strict=False))
        if directory.folders:
            by_name.update(
                zip(directory.folders.split(SLASH), directory.folder_guids.hex(" ", _GUID).split(), strict=True)
            )
        for path in here:
            guid = by_name.get(os.fsencode(path.rpartition("/")[2]))
            if guid is not None:
                found[path] = guid
    return found
