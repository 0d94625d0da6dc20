"""The schema table of format 3, cut and stretched at each number, and the steps made of its entries."""

from __future__ import annotations

import pytest

from assetdb_formats.casset.encoding.field_steps import (
    CALL,
    FIXED,
    REFERENCE,
    STRING,
    STRUCT,
    STRUCT_ARRAY,
    UNKNOWN,
    make_steps,
)
from assetdb_formats.casset.encoding.schema import entry_bounds, entry_name, read_schema
from assetdb_formats.casset.errors import CassetError
from assetdb_formats.casset.model import Field, FieldType, Kind, Layout
from tests.assetdb_formats.casset.builder import schema_entry, u8, u32, u64, z


def table(*entries: bytes, size: int = 0, count: int = 0, mark: bytes = bytes(4)) -> bytes:
    """Return a table; size and count are added to the right ones."""
    body = b"".join(u32(len(entry) + 4) + entry for entry in entries)
    return u64(len(body) + 16 + size) + u32(len(entries) + count) + body + mark


def fails(data: bytes, end: int | None = None) -> tuple[str, int | None, str]:
    """Return the error of a table that begins at 3."""
    with pytest.raises(CassetError) as caught:
        read_schema(b"..." + data, 3, 3 + (len(data) if end is None else end))
    return caught.value.what, caught.value.offset, caught.value.field


def one(entry: bytes) -> Layout:
    (found,) = read_schema(table(entry), 0, len(table(entry)))[0].layouts
    return found


PLAIN = schema_entry(1, "S", [("n", u8(FieldType.U8)), ("a", u8(FieldType.ARRAY) + u8(FieldType.U16)),
                              ("s", u8(FieldType.STRUCT) + u32(7))])  # fmt: skip


def test_a_table_is_read_to_its_end_and_not_beyond() -> None:
    data = b"..." + table(PLAIN, schema_entry(0, "C", [])) + b"more"
    schema, end = read_schema(data, 3, len(data))
    assert end == len(data) - 4
    assert schema.layouts == (
        Layout(1, "S", 0, (
            Field("n", FieldType.U8, -1, 0), Field("a", FieldType.ARRAY, -1, FieldType.U16),
            Field("s", FieldType.STRUCT, 7, 0),
        )),
        Layout(0, "C", 0, ()),
    )  # fmt: skip
    bounds = entry_bounds(data, 3, end)
    assert [entry_name(data, *each) for each in bounds] == ["S", "C"]
    assert read_schema(table(), 0, 16) == (((), ()), 16)


def test_sizes_and_counts_of_the_table_are_its_own() -> None:
    good = table(PLAIN)
    whole = len(good)
    assert fails(good, 15) == ("needs 16 bytes, 15 are left", 3, "schema")
    assert fails(good, -1) == ("needs 16 bytes, 0 are left", 3, "schema")
    assert fails(table(PLAIN, size=1)) == (f"declares {whole + 1} bytes, {whole} are left", 3, "schema.size")
    assert fails(u64(15) + bytes(8)) == ("declares 15 bytes, 16 are left", 3, "schema.size")
    many = (len(good) - 16) // 6
    assert fails(table(PLAIN, count=many)) == (f"counts {many + 1} entries in {whole} bytes", 11, "schema.count")
    assert fails(table(PLAIN, count=1)) == ("declares 0 bytes, 0 are left", whole - 1, "schema[1].size")
    assert fails(table(PLAIN, count=-1)) == (f"{whole - 16} bytes are left after the last entry", 15, "schema")
    assert fails(table(PLAIN, mark=b"\0\0\0\1")) == ("does not end with 00000000", whole - 1, "schema.end")
    entry = len(PLAIN) + 4
    for size in (5, entry + 1):
        wrong = good[:12] + u32(size) + good[16:]
        assert fails(wrong) == (f"declares {size} bytes, {entry} are left", 15, "schema[0].size")
    assert one(b"\2\0").name == ""  # six bytes: the smallest


def test_an_entry_is_cut_nowhere() -> None:
    at = 3 + 12 + 4  # where the entry begins
    head = b"\0" + z("N")
    assert fails(table(b"\0N")) == ("the string does not end", at + 1, "schema[0].name")
    assert fails(table(head + bytes(7))) == ("needs 8 bytes, 7 are left", at + 3, "schema[0].version")
    head += u32(5)
    assert one(head + u32(0)) == Layout(0, "N", 5, ())
    assert fails(table(head + u32(1) + b"\0")) == ("counts 1 fields in 1 bytes", at + 7, "schema[0].count")
    start = at + 11
    assert fails(table(head + u32(1) + b"ab")) == ("the string does not end", start, "schema[0].fields[0].name")
    for text, what, offset, field in (
        (b"a\0", "needs 1 byte, 0 are left", 2, "type"),
        (b"a\0" + u8(FieldType.ARRAY), "needs 1 byte, 0 are left", 3, "element"),
        (b"a\0" + u8(FieldType.STRUCT) + bytes(3), "needs 4 bytes", 3, "schema"),
        (b"a\0" + u8(FieldType.STRUCT_ARRAY) + bytes(3), "needs 4 bytes", 3, "schema"),
    ):
        assert fails(table(head + u32(1) + text)) == (what, start + offset, f"schema[0].fields[0].{field}")
        second = head + u32(2) + b"x\0\1" + text
        assert fails(table(PLAIN, second)) == (
            what, start + offset + 3 + len(PLAIN) + 4, f"schema[1].fields[1].{field}"
        )  # fmt: skip


def test_entries_that_are_not_understood_are_kept_with_the_reason() -> None:
    opaque = b"\2" + z("O")
    assert one(opaque) == Layout(Kind.OPAQUE, "O")
    assert one(opaque + b"ab") == Layout(Kind.OPAQUE, "O", raw=opaque + b"ab", problem="2 bytes after the name")
    other = b"\3" + z("O")
    assert one(other) == Layout(3, "O", raw=other, problem="unknown kind 3")
    rest = schema_entry(0, "C", [("n", u8(FieldType.U8))]) + b"x"
    assert one(rest).problem == "1 bytes are left after the last field"
    assert one(rest).raw == rest
    last = int(FieldType.OPAQUE)
    assert one(schema_entry(0, "C", [("n", u8(last))])).problem == ""
    unknown = schema_entry(0, "C", [("n", u8(last + 1)), ("m", u8(FieldType.U8))])
    found = one(unknown)
    assert (found.problem, len(found.fields)) == (f"field 'n' has the unknown type {last + 1:02X}", 1)


def steps_of(*types: int, element: int = 0) -> list[tuple[int, int, int]]:
    fields = tuple(Field(f"f{at}", code, 9, element) for at, code in enumerate(types))
    return [(step, size, len(covered)) for step, _, size, covered in make_steps(Layout(0, "L", 0, fields))]


def test_neighbours_of_fixed_size_are_read_in_one_step() -> None:
    t = FieldType
    assert steps_of() == []
    assert steps_of(t.U8, t.F64, t.UUID) == [(FIXED, 25, 3)]
    assert steps_of(t.U8, t.STRING, t.U16, t.U32, t.REFERENCE) == [
        (FIXED, 1, 1), (STRING, 0, 1), (FIXED, 6, 2), (REFERENCE, 0, 1)
    ]  # fmt: skip
    assert steps_of(t.STRUCT, t.STRUCT_ARRAY, t.BLOB) == [(STRUCT, 0, 1), (STRUCT_ARRAY, 0, 1), (CALL, 0, 1)]
    assert steps_of(t.ARRAY, element=t.U8) == [(CALL, 0, 1)]
    assert make_steps(Layout(0, "L", 0, (Field("f", t.STRUCT, 9, 0),)))[0][1] == 9


def test_steps_end_where_values_cannot_be_read_and_say_why() -> None:
    why = [step[1] for step in make_steps(Layout(Kind.OPAQUE, "L"))]
    assert why == ["the schema entry describes no fields"]
    assert [step[1] for step in make_steps(Layout(3, "L", problem="x"))] == why
    fields = (Field("f", FieldType.STRING, -1, 0),)
    steps = make_steps(Layout(0, "L", 0, fields, problem="1 byte is left"))
    assert [(step[0], step[1]) for step in steps] == [(STRING, None), (UNKNOWN, "of the schema entry 1 byte is left")]
    assert [step[0] for step in make_steps(Layout(0, "L", 0, (), problem="x"))] == [UNKNOWN]
    odd = (Field("f", 0xFE, -1, 0),)
    steps = make_steps(Layout(0, "L", 0, odd, problem="x"))
    assert [(step[0], step[1]) for step in steps] == [(UNKNOWN, "unknown type FE")]  # said once
    steps = make_steps(Layout(0, "L", 0, (Field("f", FieldType.ARRAY, -1, 0xFD),)))
    assert [(step[0], step[1]) for step in steps] == [(UNKNOWN, "an array of the unknown type FD")]
