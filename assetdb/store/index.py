"""``asset-db.index``: where each GUID's entry starts, folders, who refers to whom; mapped, never read whole.

Its end is the supplement (:mod:`assetdb.store.supplement`), which in most projects is empty.
Made beside every database and tied to it by a hash of its bytes. Whoever opens a database whose index is
absent or does not match (the Rust crate wrote it) gets one made from the database itself; that one has no
folders and no references, which are not in a database.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from itertools import pairwise
from struct import Struct

from assetdb.errors import DatabaseError
from assetdb.store import graph
from assetdb.store.files import INDEX_NAME
from assetdb.store.graph import find_row, halves
from assetdb.store.schema import read_entry, read_header
from formats.binary import FormatError
from formats.codecs import bincode
from formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Final

    from assetdb.store.supplement import Supplement

FILE_NAME: Final = INDEX_NAME
_MAGIC: Final = b"UADINDEX"
_VERSION: Final = 3
_TAIL: Final = 8  # bytes of the supplement's size, which are the last
_HEADER: Final = Struct("<8sII16s6Q")


class Index:
    """Looks GUIDs up in a mapped index."""

    def __init__(self, data: memoryview) -> None:
        """Take the bytes of an index.

        Raises:
            DatabaseError: they are no index of this version and this machine's byte order.
        """
        if len(data) < _HEADER.size:
            raise DatabaseError("the index is cut short")
        magic, version, order, self.digest, self.database_size, count, folder_count, *graph_sizes = _HEADER.unpack(
            data[: _HEADER.size]
        )
        if (magic, version, order) != (_MAGIC, _VERSION, _byte_order()):
            raise DatabaseError("the index is of another version")
        starts = [_HEADER.size]
        for size in (count * 8, count * 8, count * 8, folder_count * 8, folder_count * 8, folder_count * 8 + 8):
            starts.append(starts[-1] + size)
        if starts[-1] > len(data):
            raise DatabaseError("the index is cut short")
        self.count = int(count)
        self._high = data[starts[0] : starts[1]].cast("Q")
        self._low = data[starts[1] : starts[2]].cast("Q")
        self.offsets = data[starts[2] : starts[3]].cast("Q")
        self._folder_high = data[starts[3] : starts[4]].cast("Q")
        self._folder_low = data[starts[4] : starts[5]].cast("Q")
        self._folder_ends = data[starts[5] : starts[6]].cast("Q")
        paths_end = starts[6] + (self._folder_ends[-1] if folder_count else 0)
        self._paths = data[starts[6] : paths_end]
        has_graph, external_count, edge_count = graph_sizes
        end = paths_end + (graph.size(self.count, external_count, edge_count) if has_graph else 0)
        behind = end + int.from_bytes(data[-_TAIL:], sys.byteorder)
        if behind + _TAIL != len(data):
            raise DatabaseError("the index is cut short")
        part = data[paths_end:end]
        self.graph = graph.Graph(part, self._high, self._low, external_count, edge_count) if has_graph else None
        self._supplement_bytes = data[end:behind]
        self._supplement: Supplement | None = None

    def release(self) -> None:
        """Give the mapped file back; lookups after this fail."""
        for part in (self._high, self._low, self.offsets, self._folder_high, self._folder_low, self._folder_ends):
            part.release()
        self._paths.release()
        self._supplement_bytes.release()
        if self.graph is not None:
            self.graph.release()

    @property
    def supplement(self) -> Supplement:
        """What the database has no place for.

        Raises:
            DatabaseError: it is damaged.
        """
        if self._supplement is None:
            from assetdb.store.supplement import Supplement  # noqa: PLC0415 - naming a GUID does without

            self._supplement = Supplement(bytes(self._supplement_bytes))
        return self._supplement

    def span(self, high: int, low: int) -> tuple[int, int] | None:
        """Return where in the database the entry of a GUID, given as its halves, starts and ends, or None."""
        column, count = self._high, self.count
        row = bisect_left(column, high)
        if row == count or column[row] != high or self._low[row] != low:
            found = find_row(column, self._low, high << 64 | low)  # another of the same first half, or none
            if found is None:
                return None
            row = found
        offsets = self.offsets
        return offsets[row], offsets[row + 1] if row + 1 < count else self.database_size

    def folder(self, guid: int) -> str | None:
        """Return the path of the folder with a GUID, or None."""
        row = find_row(self._folder_high, self._folder_low, guid)
        if row is None:
            return None
        return bytes(self._paths[self._folder_ends[row] : self._folder_ends[row + 1]]).decode("utf-8", "replace")

    def folders(self) -> Iterable[tuple[str, str]]:
        """Return GUID and path of every folder, by GUID."""
        for row, (high, low) in enumerate(zip(self._folder_high, self._folder_low, strict=True)):
            path = bytes(self._paths[self._folder_ends[row] : self._folder_ends[row + 1]])
            yield f"{high << 64 | low:032x}", path.decode("utf-8", "replace")


def encode(
    digest: bytes,
    database_size: int,
    guids: Sequence[bytes],
    offsets: Sequence[int],
    folders: Iterable[tuple[bytes, bytes]],
    edges: graph.Edges | None = None,
    supplement: bytes = b"",
) -> list[bytes]:
    """Encode an index.

    Args:
        digest: 16 bytes, :func:`digest_of` the database.
        database_size: bytes.
        guids: 16 bytes each, in order.
        offsets: where the entry of each starts.
        folders: GUID (16 bytes) and path (UTF-8) of each folder, in any order.
        edges: the encoded graph of these GUIDs; None where references are not known.
        supplement: encoded, see :mod:`assetdb.store.supplement`.
    """
    columns = [*halves(guids), array("Q", offsets).tobytes()]
    return assembled(digest, database_size, columns, folder_columns(folders), edges, supplement)


class FolderColumns(NamedTuple):
    """Folders as they are written."""

    folder_count: int
    parts: list[bytes]


def folder_columns(folders: Iterable[tuple[bytes, bytes]]) -> FolderColumns:
    """Lay out GUID (16 bytes) and path (UTF-8) of each folder; of those that share a GUID the first path stays."""
    by_guid = sorted(dict(sorted(folders, reverse=True)).items())
    ends = array("Q", [0])
    for _, path in by_guid:
        ends.append(ends[-1] + len(path))
    parts = [*halves([guid for guid, _ in by_guid]), ends.tobytes(), b"".join([path for _, path in by_guid])]
    return FolderColumns(len(by_guid), parts)


def assembled(
    digest: bytes,
    database_size: int,
    columns: Sequence[bytes],
    folders: FolderColumns,
    edges: graph.Edges | None,
    supplement: bytes,
) -> list[bytes]:
    """Put an index together; ``columns`` are the halves of the GUIDs and where each entry starts, uint64."""
    sizes = (1, edges.external_count, edges.edge_count) if edges is not None else (0, 0, 0)
    count = len(columns[0]) // 8
    return [
        _HEADER.pack(_MAGIC, _VERSION, _byte_order(), digest, database_size, count, folders.folder_count, *sizes),
        *columns,
        *folders.parts,
        *(edges.parts if edges is not None else ()),
        supplement,
        len(supplement).to_bytes(_TAIL, sys.byteorder),
    ]


def from_database(data: bytes | memoryview) -> list[bytes]:
    """Make the index of a database that has none, by decoding it once; folders are then not known.

    Raises:
        DatabaseError: the database is damaged.
    """
    header = read_header(data)
    decoder = bincode.Decoder(data, header.start)
    guids = []
    offsets = []
    try:
        for _ in range(header.entry_count):
            offsets.append(decoder.position)
            guids.append(bytes.fromhex(read_entry(decoder, header.scripts).guid))
    except (FormatError, ValueError) as error:
        raise DatabaseError(str(error)) from error
    if decoder.position != len(data):
        raise DatabaseError(f"{len(data) - decoder.position} bytes follow the last entry, at offset {decoder.position}")
    if any(first >= second for first, second in pairwise(guids)):
        raise DatabaseError("the entries are not in the order of their GUIDs")
    return encode(digest_of([data]), len(data), guids, offsets, ())


def digest_of(parts: Iterable[bytes | memoryview]) -> bytes:
    """Return the hash that ties an index to its database: XXH3-128, 10 MB in 1 ms."""
    from xxhash import xxh3_128  # noqa: PLC0415 - a lookup whose index matches does without

    state = xxh3_128()
    for part in parts:
        state.update(part)
    return state.digest()


def _byte_order() -> int:
    return 0 if sys.byteorder == "little" else 1
