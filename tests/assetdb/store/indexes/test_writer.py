"""An index of a database, by its entries or from its bytes."""

from __future__ import annotations

import pytest

from assetdb.errors import DatabaseError
from assetdb.scan.content_id import content_id
from assetdb.store import schema
from assetdb.store.indexes.reader import Index
from assetdb.store.indexes.writer import FolderColumns, encode, folder_columns, from_database
from assetdb_formats.codecs.bincode import string

GUIDS = [bytes([number]) * 16 for number in (1, 2, 3)]


def database(guids: list[bytes]) -> tuple[bytes, list[int]]:
    """Return the bytes of a database of some GUIDs, and where its entries start."""
    bodies = [string(b"n%d" % number) + b"\0" + string(b"Assets/n%d.txt" % number) for number in range(len(guids))]
    made = schema.encode(guids, [b"49"] * len(guids), bodies)
    return made[0], list(made[1])[1:-1]


def test_a_database_has_the_index_of_its_entries() -> None:
    data, starts = database(GUIDS)
    found = b"".join(from_database(data))
    assert found == b"".join(encode(content_id(data), len(data), GUIDS, starts, ()))
    read = Index(memoryview(found))
    assert [read.guid(row) for row in range(3)] == GUIDS
    assert [read.span(row)[0] for row in range(3)] == starts
    assert (read.database_size, read.graph_parts, read.folder_count) == (len(data), None, 0)


def test_a_database_of_nothing_has_an_index() -> None:
    data, _ = database([])
    assert Index(memoryview(b"".join(from_database(data)))).count == 0


@pytest.mark.parametrize("guids", [[GUIDS[1], GUIDS[0]], [GUIDS[0], GUIDS[0]]])
def test_entries_out_of_order_are_damage(guids: list[bytes]) -> None:
    with pytest.raises(DatabaseError, match=r"^the entries are not in the order of their GUIDs$"):
        from_database(database(guids)[0])


def test_a_damaged_database_has_no_index() -> None:
    data, _ = database(GUIDS)
    for broken in (data[:-1], b"", data + b"\0"):
        with pytest.raises(DatabaseError):
            from_database(broken)


def test_a_folder_guid_has_its_first_path() -> None:
    rows = [(b"b" * 16, b"Assets/Z"), (b"a" * 16, b"Assets/A"), (b"b" * 16, b"Assets/B")]
    assert folder_columns(rows) == folder_columns(reversed(rows)) == folder_columns([rows[1], rows[2]])
    assert folder_columns(rows).folder_count == 2
    assert b"".join(folder_columns(rows).parts).endswith(b"Assets/AAssets/B")
    assert folder_columns([]) == FolderColumns(0, [b"", b"", bytes(8), b""])
