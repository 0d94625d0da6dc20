"""Assets and their references in the graph, without reading files."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from assetdb.export.pieces import Piece
from assetdb.export.tables import AssetRow, ReferenceRow
from assetdb.query.graph.relations import describe_asset
from assetdb.query.sizes import size_of
from assetdb.unity.engine.classes import unity_number
from assetdb.unity.kinds import extension_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from assetdb.query.graph.assignments import Assigned
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.store.entry import Asset


class Share(NamedTuple):
    """One process's share in an export, by its number."""

    number: int = 0
    parts: int = 1


def assets_of(project: Snapshot, share: Share, *, scattered: bool = False) -> Iterator[tuple[Asset, Collection[str]]]:
    """Yield one process's share of assets with their target GUIDs.

    Args:
        project: brought up to date.
        share: of the process.
        scattered: whether large files that are beside each other go to several processes; else a process with a lower
            number has assets that come before.
    """
    graph, database, duplicates = project.graph, project.database, project.duplicates
    size, count = len(database), len(database) + len(duplicates)
    rows: Iterable[int]
    if scattered:
        rows = chain(range(share.number, size, share.parts), range(size + share.number, count, share.parts))
    else:
        rows = range(share.number * count // share.parts, (share.number + 1) * count // share.parts)
    for row in rows:
        if row < size:
            yield database.at(row), graph.guids(graph.outgoing(row))
        else:
            duplicate = duplicates[row - size]
            yield duplicate.asset, [guid for guid in duplicate.targets if guid != duplicate.asset.guid]


def write_graph(
    project: Snapshot, folder: str, tables: Collection[str], assigned: Mapping[str, Assigned], share: Share
) -> dict[str, int]:
    """Write assets, and references without places, in one pass; count rows.

    Args:
        project: brought up to date.
        folder: of the pieces.
        tables: the wanted ones.
        assigned: labels by path.
        share: of this process.
    """
    shared = {duplicate.asset.guid for duplicate in project.duplicates if not duplicate.prefix}
    with ExitStack() as stack:
        pieces = {table: stack.enter_context(Piece(folder, table, share.number)) for table in tables}
        assets, references = pieces.get("assets"), pieces.get("references")
        for asset, targets in assets_of(project, share) if pieces else ():
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
