"""Assets and their references in the graph, without reading files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.export.tables import ReferenceRow

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.store.entry import Asset


def assets_of(project: Snapshot, number: int = 0, parts: int = 1) -> Iterator[tuple[Asset, Collection[str]]]:
    """Yield assets with the GUIDs that they refer to.

    Of ``parts`` processes each takes every so many.
    """
    graph, database = project.graph, project.database
    for row in range(number, len(database), parts):
        yield database.at(row), graph.guids(graph.outgoing(row))
    for rival in project.rivals[number::parts]:
        yield rival.asset, [guid for guid in rival.targets if guid != rival.asset.guid]


def asset_references(project: Snapshot) -> Iterator[ReferenceRow]:
    """Yield the references of assets as the graph has them, without places."""
    for asset, targets in assets_of(project):
        for guid in targets:
            yield without_place(asset, guid)


def without_place(asset: Asset, guid: str) -> ReferenceRow:
    """Return a reference of an asset without its place."""
    return ReferenceRow(asset.guid, asset.path, 0, 0, "", "", guid, None)
