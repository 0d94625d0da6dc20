"""Changes of assets between two databases of one project."""

from __future__ import annotations

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

    from assetdb.store.database import Database
    from assetdb.store.entry import Asset

ADDED: Final = "added"
REMOVED: Final = "removed"
RENAMED: Final = "renamed"
MOVED: Final = "moved"
CHANGED: Final = "changed"


class Change(NamedTuple):
    """The change of one asset.

    Attributes:
        kind: ``added``, ``removed``, ``renamed`` (another name), ``moved`` (another path, the same name) or
            ``changed`` (its type, its sub-assets, what it refers to).
        guid: 32 hex digits.
        name: now; of a removed asset the last one, as for ``path`` and ``type``.
        old_name: ``""`` for an added asset, as ``old_path``.
    """

    kind: str
    guid: str
    name: str
    path: str
    type: str
    old_name: str
    old_path: str


def changes_between(before: Database, after: Database, touched: set[bytes] | None = None) -> tuple[Change, ...]:
    """Return changes of entries with some GUIDs (16 bytes), None for all."""
    if touched is None:
        old_entries = {asset.guid: asset for asset in before}
        new_entries = {asset.guid: asset for asset in after}
        guids = {guid for guid, _ in old_entries.items() ^ new_entries.items()}
    else:
        guids = {guid.hex() for guid in touched}
    found = []
    for guid in sorted(guids):
        old = before.by_guid(guid)
        new = after.by_guid(guid)
        asset = new or old
        if asset is None:
            continue
        database = after if new is not None else before
        found.append(
            Change(
                _kind(old, new),
                asset.guid,
                asset.name,
                asset.path,
                database.type_name(asset),
                old.name if old else "",
                old.path if old else "",
            )
        )
    return tuple(found)


def _kind(old: Asset | None, new: Asset | None) -> str:
    if old is None:
        return ADDED
    if new is None:
        return REMOVED
    if old.name != new.name:
        return RENAMED
    return MOVED if old.path != new.path else CHANGED
