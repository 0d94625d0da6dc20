"""Writes managed DLLs that hold nothing but the tables that name types."""

from __future__ import annotations

from struct import pack
from typing import NamedTuple


class TypeRow(NamedTuple):
    namespace: str
    name: str
    flags: int = 1  # public; 2 and more are nested
    base: tuple[str, int] = ("def", 0)  # or "ref": a row of that table


class Layout(NamedTuple):
    """What makes rows wider: wide heaps, many rows elsewhere, 64-bit PE, or the edit-and-continue stream."""

    pe_plus: bool = False
    wide_strings: bool = False
    wide_guids: bool = False
    type_refs: int = 1
    refs: tuple[tuple[str, str], ...] = ()  # namespace and name of the first of these
    fields: int = 0
    methods: int = 0
    pointers: bool = False
    stream: bytes = b"#~"


def _pad(data: bytes, size: int = 4) -> bytes:
    return data + b"\0" * (-len(data) % size)


def dll(types: list[TypeRow], layout: Layout = Layout()) -> bytes:  # noqa: B008 - immutable
    strings = bytearray(b"\0")
    at: dict[str, int] = {"": 0}

    def text(value: str) -> bytes:
        if value not in at:
            at[value] = len(strings)
            strings.extend(value.encode() + b"\0")
        return pack("<I" if layout.wide_strings else "<H", at[value])

    def index(rows: int, tag_bits: int = 0) -> bytes:
        return b"\0" * (4 if rows >= 1 << (16 - tag_bits) else 2)

    guid = b"\0" * (4 if layout.wide_guids else 2)
    all_types = [TypeRow("", "<Module>", 0), *types]
    rows = {0: 1, 1: layout.type_refs, 2: len(all_types), 4: layout.fields, 6: layout.methods, 0x23: 1}
    if layout.pointers:
        rows |= {3: layout.fields, 5: layout.methods}
    body = b"\0\0" + text("Test.dll") + guid * 3
    for namespace, name in layout.refs:
        body += index(layout.type_refs, 2) + text(name) + text(namespace)
    body += (index(layout.type_refs, 2) + text("Object") + text("System")) * (layout.type_refs - len(layout.refs))
    extends = len(index(max(layout.type_refs, len(all_types)), 2))
    for row in all_types:
        body += pack("<I", row.flags) + text(row.name) + text(row.namespace)
        kind, number = row.base
        body += (
            (number << 2 | (kind == "ref")).to_bytes(extends, "little") + index(layout.fields) + index(layout.methods)
        )
    heaps = layout.wide_strings | layout.wide_guids << 1
    extra = b""
    if layout.stream == b"#-":
        heaps |= 0x40
        extra = b"\0\0\0\0"
    valid = sum(1 << table for table in rows)
    counts = b"".join(pack("<I", rows[table]) for table in sorted(rows))
    tables = _pad(pack("<IBBBBQQ", 0, 2, 0, heaps, 1, valid, 0) + counts + extra + body)
    heap = _pad(bytes(strings))
    version = _pad(b"v4.0.30319\0")
    names = (_pad(layout.stream + b"\0"), _pad(b"#Strings\0"))
    head = 16 + len(version) + 4 + sum(8 + len(name) for name in names)
    metadata = pack("<IHHII", 0x424A5342, 1, 1, 0, len(version)) + version + pack("<HH", 0, 2)
    metadata += pack("<II", head, len(tables)) + names[0]
    metadata += pack("<II", head + len(tables), len(heap)) + names[1]
    metadata += tables + heap
    address = 0x2000
    cli = pack("<IHHII", 72, 2, 5, address + 72, len(metadata)) + b"\0" * 56
    section = cli + metadata
    directories = bytearray(16 * 8)
    directories[14 * 8 : 15 * 8] = pack("<II", address, 72)
    optional = pack("<H", 0x20B if layout.pe_plus else 0x10B) + b"\0" * (106 if layout.pe_plus else 90)
    optional += pack("<I", 16) + bytes(directories)
    offset = 0x400
    pe = b"PE\0\0" + pack("<HHIIIHH", 0x14C, 1, 0, 0, 0, len(optional), 0x2102) + optional
    pe += b".text\0\0\0" + pack("<IIII", len(section), address, len(section), offset) + b"\0" * 16
    start = b"MZ" + b"\0" * 58 + pack("<I", 0x80) + b"\0" * 64 + pe
    return start + b"\0" * (offset - len(start)) + section
