"""Headers and tables of format 3, with each number at its limits."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.casset.encoding.bundle3 import (
    HEADER,
    check_entry_size,
    data_bounds,
    entry_bounds,
    is_sized_end,
    read_header,
    read_object_header,
)
from assetdb_formats.casset.encoding.read import read_bundle
from assetdb_formats.casset.errors import CassetError
from tests.assetdb_formats.casset.builder import (
    BUNDLE_TYPE,
    OTHER,
    OWN,
    bundle3,
    bundle_object,
    object3,
    schema_entry,
    u32,
    u64,
    uuid,
    z,
)

MAGIC = b"\0BUNDLE\0"


def header(rest: bytes, *, schema: int, data: int, version: tuple[int, int, int] = (3, 1, 0)) -> bytes:
    return MAGIC + u32(7) + b"".join(map(u32, version)) + u64(schema) + u64(data) + OWN + rest


def fails(data: bytes, size: int = 200) -> tuple[str, int | None, str]:
    with pytest.raises(CassetError) as caught:
        read_header(data, size)
    return caught.value.what, caught.value.offset, caught.value.field


REST = z("n") + u32(1) + OTHER + b"\5" + z("s")


def test_a_header_ends_where_the_schema_begins_and_the_data_ends_before_the_last_twenty_bytes() -> None:
    end = HEADER.size + len(REST)
    found = read_header(header(REST, schema=end, data=end), end + 20)
    assert found == ((3, 1, 0), 7, end, end, OWN, "n", (OTHER,), 5, "s", end)
    extra = header(REST + b"xy", schema=end + 2, data=end + 3)
    assert read_header(extra, end + 23).end == end
    older = header(REST[:-2], schema=end - 2, data=end, version=(3, 0, 0))
    assert (read_header(older, end + 20).source, read_header(older, end + 20).end) == (None, end - 2)
    for schema, data, size in ((end, end, end + 19), (end + 1, end, end + 20)):
        what, offset, field = fails(header(REST, schema=schema, data=data), size)
        assert what == f"schema table at {schema}, data at {data}, in {size} bytes with a header of {end}"
        assert (offset, field) == (24, "offsets")
    assert fails(header(REST, schema=end - 1, data=end)) == ("the string does not end", end - 2, "source")


def test_a_header_is_cut_nowhere() -> None:
    end = HEADER.size
    assert fails(header(b"", schema=0, data=0)[: end - 1]) == (f"needs {end} bytes, {end - 1} are left", 0, "header")
    assert fails(b"x" * end) == ("is not a bundle", 0, "magic")
    for major in (2, 4):
        what, offset, field = fails(header(REST, schema=100, data=100, version=(major, 5, 6)))
        assert (what, offset, field) == (f"version {major}.5.6 is not one of 2.0, 3.0 and 3.1", 12, "version")
    assert fails(header(b"", schema=100, data=100)) == ("the string does not end", end, "name")
    assert fails(header(b"n\0\0\0\0\0", schema=100, data=100)) == ("needs 5 bytes, 4 are left", end + 2, "dependencies")
    assert fails(header(b"n\0" + u32(1) + OTHER[1:], schema=100, data=100)) == (
        "counts 1 items of 16 bytes, 15 bytes are left", end + 2, "dependencies"
    )  # fmt: skip
    assert fails(header(b"n\0" + u32(1) + OTHER, schema=100, data=100)) == (
        "needs 1 byte, 0 are left", end + 22, "cooked"
    )  # fmt: skip


def test_the_table_of_objects_fills_the_file_and_holds_what_it_counts() -> None:
    smallest = 8 + 4 + 16 + 1 + 4 + 2 + 8
    table = u64(12 + 2 * smallest) + u32(2) + bytes(2 * smallest) + bytes(8)
    assert data_bounds(b"..." + table, 3, 3 + len(table)) == (15, 15 + 2 * smallest, 2)
    for size in (len(table) + 2, len(table) + 4):
        with pytest.raises(CassetError) as caught:
            data_bounds(b"..." + table, 3, size)
        what = f"declares {12 + 2 * smallest} bytes, but {size - 11} are between it and the end of the file"
        assert (caught.value.what, caught.value.offset, caught.value.field) == (what, 3, "data.size")
    many = table[:8] + u32(3) + table[12:]
    with pytest.raises(CassetError, match=f"counts 3 objects in {2 * smallest} bytes") as caught:
        data_bounds(many, 0, len(many))
    assert (caught.value.offset, caught.value.field) == (8, "data.count")
    check_entry_size(smallest, smallest, 0, 0)
    check_entry_size(smallest + 1, smallest + 11, 10, 0)
    for size in (smallest - 1, smallest + 2):
        with pytest.raises(CassetError, match=f"declares {size} bytes, {smallest + 1} are left") as caught:
            check_entry_size(size, smallest + 11, 10, 4)
        assert (caught.value.offset, caught.value.field) == (10, "objects[4].size")


def test_the_data_ends_with_a_mark_or_where_sizes_are_known_without() -> None:
    assert is_sized_end(b"", 5)
    assert not is_sized_end(bytes(4), 5)
    for rest in (b"\0", bytes(3), bytes(5), b"\0\0\0\1"):
        with pytest.raises(CassetError, match="does not end with 00000000") as caught:
            is_sized_end(rest, 5)
        assert (caught.value.offset, caught.value.field) == (5, "data.end")
    entry = object3(1, 0, "", "", b"")
    assert entry_bounds(entry * 2, 0, 2 * len(entry), 2) == ([(0, len(entry)), (len(entry), 2 * len(entry))], True)
    assert entry_bounds(entry + bytes(4), 0, len(entry) + 4, 1) == ([(0, len(entry))], False)
    with pytest.raises(CassetError, match="does not end"):
        entry_bounds(entry + bytes(5), 0, len(entry) + 5, 1)
    with pytest.raises(CassetError, match=r"declares 0 bytes, 7 are left"):
        entry_bounds(entry + bytes(7), 0, len(entry) + 7, 2)


def test_the_header_of_an_object_ends_before_its_values() -> None:
    entry = object3(5, 3, "path", "name", b"", extra=b"more", is_asset=1)
    found = read_object_header(entry, 0, len(entry))
    assert found == (uuid(5), 1, 3, "path", "name", b"more", len(entry) - 8)
    assert read_object_header(entry, 100, 100 + len(entry), 100) == (*found[:-1], 100 + len(entry) - 8)
    assert read_object_header(b"." * 9 + entry, 9, 9 + len(entry)).fields == 9 + len(entry) - 8
    size = int.from_bytes(entry[8:12], "little")
    longer = entry[:8] + u32(size + 1) + entry[12:]
    with pytest.raises(CassetError, match=f"declares {size + 1} bytes, {size} are left") as caught:
        read_object_header(longer, 0, len(entry))
    assert (caught.value.offset, caught.value.field) == (8, "header size")
    for text in (b"path\0name", b"pathname"):
        head = uuid(5) + b"\1" + u32(3) + text
        broken = u64(0) + u32(len(head)) + head + u64(8)
        with pytest.raises(CassetError, match="path or name does not end in the header") as caught:
            read_object_header(broken, 0, len(broken))
        assert (caught.value.offset, caught.value.field) == (33, "path")


def test_a_broken_object_is_kept_with_its_problem_and_its_bytes() -> None:
    number = schema_entry(0, "C", [("n", b"\x01")])

    def problem(entry: bytes) -> tuple[str, int, str]:
        data = bundle3([BUNDLE_TYPE, number], [bundle_object(), entry])
        found = read_bundle(data).objects[-1]
        assert found.problem is not None
        assert bytes(found.raw or b"") == entry
        assert found.uuid == uuid(7)
        assert found.problem.offset is not None
        return found.problem.what, found.problem.offset - found.offset, found.problem.field

    whole = object3(7, 1, "p", "n", b"\5")
    assert read_bundle(bundle3([BUNDLE_TYPE, number], [bundle_object(), whole])).objects[-1].problem is None
    assert problem(object3(7, 2, "p", "n", b"\5")) == ("names schema entry 2 of 2", 29, "schema")
    assert problem(object3(7, 1, "p", "n", b"\5\6")) == ("1 bytes are left after the last field", len(whole), "fields")
    wrong = whole[:-9] + pack("<Q", 8) + b"\5"
    assert problem(wrong) == ("the fields say 8 bytes, the entry has 9", len(whole) - 9, "fields")
