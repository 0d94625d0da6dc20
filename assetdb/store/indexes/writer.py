"""``asset-db.index``: offsets by GUID, folders and the graph.

Mapped, never read as a whole. It ends with the supplement (:mod:`assetdb.store.indexes.supplement`), which is empty in
most projects. Written with every database and tied to it by its content id. If it is absent or does not match when
a database is opened (the Rust crate wrote it), one is made from the database itself, without folders and references,
which a database does not contain.
"""

from __future__ import annotations

import sys
from array import array
from itertools import pairwise

from assetdb.errors import DatabaseError
from assetdb.scan.content_id import content_id
from assetdb.store.indexes.graph import halves
from assetdb.store.indexes.reader import TAIL, preamble
from assetdb.store.schema import entries_with_ends, read_header
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assetdb.store.indexes.graph import Edges


def encode(
    digest: bytes,
    database_size: int,
    guids: Sequence[bytes],
    offsets: Sequence[int],
    folders: Iterable[tuple[bytes, bytes]],
    edges: Edges | None = None,
    supplement: bytes = b"",
) -> list[bytes | memoryview]:
    """Encode an index.

    Args:
        digest: the database's content id.
        database_size: bytes.
        guids: 16 bytes each, in order.
        offsets: start of each entry.
        folders: GUID (16 bytes) and path (UTF-8) of each folder, in any order.
        edges: the encoded graph of ``guids``; None if references are unknown.
        supplement: encoded, see :mod:`assetdb.store.indexes.supplement`.
    """
    columns = [*halves(guids), array("Q", offsets).tobytes()]
    return assembled(digest, database_size, columns, folder_columns(folders), edges, supplement)


class FolderColumns(NamedTuple):
    """Encoded folders."""

    folder_count: int
    parts: list[bytes]


def folder_columns(folders: Iterable[tuple[bytes, bytes]]) -> FolderColumns:
    """Encode GUID and path of each folder, the first path per GUID."""
    by_guid = sorted(dict(sorted(folders, reverse=True)).items())
    ends = array("Q", [0])
    for _, path in by_guid:
        ends.append(ends[-1] + len(path))
    parts = [*halves([guid for guid, _ in by_guid]), ends.tobytes(), b"".join([path for _, path in by_guid])]
    return FolderColumns(len(by_guid), parts)


def assembled(
    digest: bytes,
    database_size: int,
    columns: Sequence[bytes | memoryview],
    folders: FolderColumns,
    edges: Edges | None,
    supplement: bytes,
) -> list[bytes | memoryview]:
    """Put an index together; ``columns`` are GUID halves and entry starts, uint64."""
    sizes = (1, edges.external_count, edges.edge_count) if edges is not None else (0, 0, 0)
    count = len(columns[0]) // 8
    return [
        preamble() + digest,
        *(number.to_bytes(8, sys.byteorder) for number in (database_size, count, folders.folder_count, *sizes)),
        *columns,
        *folders.parts,
        *(edges.parts if edges is not None else ()),
        supplement,
        len(supplement).to_bytes(TAIL, sys.byteorder),
    ]


def from_database(data: bytes | memoryview) -> list[bytes | memoryview]:
    """Make an index by decoding a database once, without its folders.

    Raises:
        DatabaseError: the database is damaged.
    """
    header = read_header(data)
    guids = []
    offsets = [header.start]
    for asset, end in entries_with_ends(data, header):
        guids.append(bytes.fromhex(asset.guid))
        offsets.append(end)
    if any(first >= second for first, second in pairwise(guids)):
        raise DatabaseError("the entries are not in the order of their GUIDs")
    return encode(content_id(data), len(data), guids, offsets[:-1], ())
