"""Assets and their references in the graph, without reading files."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from assetdb.export.pieces import Piece
from assetdb.export.tables import AssetRow, ReferenceRow
from assetdb.query.graph.relations import describe_asset
from assetdb.query.sizes import size_of
from assetdb.unity.engine.classes import unity_number
from assetdb.unity.kinds import extension_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.store.entry import Asset


def assets_of(project: Snapshot, number: int = 0, parts: int = 1) -> Iterator[tuple[Asset, Collection[str]]]:
    """Yield one process's share of assets with their target GUIDs."""
    graph, database = project.graph, project.database
    for row in range(number, len(database), parts):
        yield database.at(row), graph.guids(graph.outgoing(row))
    for duplicate in project.duplicates[number::parts]:
        yield duplicate.asset, [guid for guid in duplicate.targets if guid != duplicate.asset.guid]


def write_graph(project: Snapshot, folder: str, tables: Collection[str]) -> dict[str, int]:
    """Write assets, and references without places, in one pass; count rows."""
    shared = {duplicate.asset.guid for duplicate in project.duplicates if not duplicate.prefix}
    assigned = project.assignments() if "assets" in tables else {}
    with ExitStack() as stack:
        pieces = {table: stack.enter_context(Piece(folder, table)) for table in tables}
        assets, references = pieces.get("assets"), pieces.get("references")
        for asset, targets in assets_of(project):
            if assets is not None:
                head = asset.guid, asset.path, asset.name, extension_of(asset.path)
                kind = describe_asset(asset, project).type
                labels = "\n".join(assigned[asset.path].labels) if asset.path in assigned else ""
                tail = asset.guid in shared, labels, size_of(project, asset.path)
                assets.add(AssetRow(*head, unity_number(asset.class_id), kind, asset.script, *tail))
            if references is not None:
                for guid in targets:
                    references.add(without_place(asset, guid))
    return {table: piece.count for table, piece in pieces.items()}


def without_place(asset: Asset, guid: str) -> ReferenceRow:
    """Return a reference of an asset without its place."""
    return ReferenceRow(asset.guid, asset.path, 0, 0, "", "", guid, None)
