"""The index after an edit that changed nothing but references.

It is the most common edit: a field of a scene or a prefab gets another target. The database and all columns of the
index but the graph stay as they are, so that no facts of other directories are needed. The result is byte for byte what
:class:`~assetdb.state.project_state.ProjectState` makes of all directories. Pure.
"""

from __future__ import annotations

from assetdb.scan.directory import reference_columns
from assetdb.state.edges import GraphUpdate
from assetdb.state.guid_columns import GuidColumns
from assetdb.store.indexes import writer
from assetdb.store.indexes.graph import edges_in
from assetdb.store.indexes.reader import Index

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assetdb.scan.directory import DirectoryFacts


def index_after(data: bytes, changes: Iterable[tuple[DirectoryFacts, DirectoryFacts]]) -> bytes | None:
    """Return the index after an edit, the same object if unchanged.

    Args:
        data: the index before, which is known to be undamaged.
        changes: the changed directories, before and after, with facts that are equal but for the references.

    Returns:
        None if an asset with other references shares its GUID, or has no entry.
    """
    links: dict[bytes, tuple[bytes, bytes]] = {}
    for old, new in changes:
        for row, (former, current) in enumerate(zip(reference_columns(old), reference_columns(new), strict=True)):
            if former != current:
                links[new.guids[16 * row : 16 * row + 16]] = current
    found = Index(memoryview(data))
    supplement = found.supplement_bytes
    guids = GuidColumns(*found.halves)
    # The supplement has the references of all but one of the assets that share a GUID.
    if found.graph_parts is None or any(guid in supplement or guid not in guids for guid in links):
        return None
    before = edges_in(found.graph_parts[0], found.count, *found.graph_parts[3:])
    edges = GraphUpdate(before, guids).updated(guids, (), (), links, {}, _Folders(found))
    if edges is before:
        return data
    columns_of_assets = [*guids.parts, found.offsets.cast("B")]
    folders = writer.FolderColumns(found.folder_count, [found.folder_columns()])
    return b"".join(writer.assembled(found.digest, found.database_size, columns_of_assets, folders, edges, supplement))


class _Folders:
    """The GUIDs of the folders of an index."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def __contains__(self, guid: object) -> bool:
        return isinstance(guid, bytes) and self._index.folder_row(int.from_bytes(guid, "big")) >= 0
