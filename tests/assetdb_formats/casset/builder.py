"""Bundles made byte by byte, without the writer that is under test."""

from __future__ import annotations

import struct
from zlib import crc32

from assetdb_formats.casset.model import Blob, Delegate, Reference

MAGIC = b"\0BUNDLE\0"
OBJECT_MAGIC = b"\0OBJECT\0"
OWN = bytes(range(16))
OTHER = bytes(range(100, 116))
TRANSIENT = bytes(range(200, 216))
BUNDLE_CLASS = "/Code/Core.CE::Bundle"


def u8(value: int) -> bytes:
    return struct.pack("<B", value)


def u16(value: int) -> bytes:
    return struct.pack("<H", value)


def u32(value: int) -> bytes:
    return struct.pack("<I", value)


def u64(value: int) -> bytes:
    return struct.pack("<Q", value)


def z(text: str | bytes) -> bytes:
    return (text if isinstance(text, bytes) else text.encode()) + b"\0"


def uuid(number: int) -> bytes:
    return number.to_bytes(16, "little")


def schema_entry(kind: int, name: str, fields: list[tuple[str, bytes]] | None) -> bytes:
    """Fields are a name and the type bytes with what follows them; None for an entry that ends after its name."""
    body = u8(kind) + z(name)
    if fields is not None:
        body += u32(0) + u32(len(fields)) + b"".join(z(field) + code for field, code in fields)
    return body


def object3(
    number: int, schema: int, path: str, name: str, fields: bytes, *, extra: bytes = b"", is_asset: int = 0
) -> bytes:
    header = uuid(number) + u8(is_asset) + u32(schema) + z(path) + z(name) + extra
    body = u32(len(header)) + header + u64(len(fields) + 8) + fields
    return u64(len(body) + 8) + body


def bundle3(
    types: list[bytes],
    objects: list[bytes],
    *,
    version: tuple[int, int, int] = (3, 1, 0),
    own: bytes = OWN,
    name: str = "Bundle",
    dependencies: tuple[bytes, ...] = (),
    source: str | None = "",
    checksum: int = 0,
    header_extra: bytes = b"",
    gap: bytes = b"",
    is_sized: bool = False,
) -> bytes:
    rest = z(name) + u32(len(dependencies)) + b"".join(dependencies) + u8(0)
    if source is not None:
        rest += z(source)
    rest += header_extra
    entries = b"".join(u32(len(entry) + 4) + entry for entry in types)
    table = u64(len(entries) + 16) + u32(len(types)) + entries + u32(0)
    schema_offset = 0x38 + len(rest)
    data_offset = schema_offset + len(table) + len(gap)
    content = b"".join(objects) + (b"" if is_sized else u32(0))
    data = u64(len(content) + 12) + u32(len(objects)) + content
    header = MAGIC + u32(checksum) + b"".join(map(u32, version)) + u64(schema_offset) + u64(data_offset) + own
    return header + rest + table + gap + data + u64(0)


CLASS_FIELDS = [("name", b"\x0c"), ("uuid", b"\x1b"), ("attachedObjects", b"\x1c"), ("outer", b"\x17")]
BUNDLE_TYPE = schema_entry(0, BUNDLE_CLASS, CLASS_FIELDS)


def bundle_object(own: bytes = OWN, name: str = "Bundle", attached: tuple[int, ...] = ()) -> bytes:
    """Object 0 of every bundle: itself, in a bundle of the engine's memory."""
    fields = z(name) + own + u32(len(attached)) + b"".join(uuid(number) + own for number in attached)
    return object3(int.from_bytes(own, "little"), 0, "", name, fields + TRANSIENT + TRANSIENT)


A_REFERENCE = uuid(77) + OTHER
REFERENCE = Reference(uuid(77), OTHER)

# name, type bytes, value bytes, value; struct indexes: 2 = Inner, 3 = an opaque type
ALL_TYPES: list[tuple[str, bytes, bytes, object]] = [
    ("u8", b"\x01", b"\xff", 255),
    ("u16", b"\x02", b"\xfe\xff", 65534),
    ("u32", b"\x03", b"\xfd\xff\xff\xff", 4294967293),
    ("u64", b"\x04", b"\xfc" + b"\xff" * 7, 18446744073709551612),
    ("s8", b"\x05", b"\xff", -1),
    ("s16", b"\x06", b"\xfe\xff", -2),
    ("s32", b"\x07", b"\xfd\xff\xff\xff", -3),
    ("s64", b"\x08", b"\xfc" + b"\xff" * 7, -4),
    ("f32", b"\x09", struct.pack("<f", 1.5), 1.5),
    ("f64", b"\x0a", struct.pack("<d", 2.25), 2.25),
    ("yes", b"\x0b", b"\1", True),
    ("no", b"\x0b", b"\0", False),
    ("string", b"\x0c", z("h\xe9llo"), "h\xe9llo"),
    ("latin", b"\x0c", z(b"h\xe9llo"), "h\udce9llo"),
    ("vec2", b"\x0d", struct.pack("<2f", 1, 2), (1.0, 2.0)),
    ("vec3", b"\x0e", struct.pack("<3f", 1, 2, 3), (1.0, 2.0, 3.0)),
    ("vec4", b"\x0f", struct.pack("<4f", 1, 2, 3, 4), (1.0, 2.0, 3.0, 4.0)),
    ("vec2i", b"\x10", struct.pack("<2i", 1, -2), (1, -2)),
    ("vec3i", b"\x11", struct.pack("<3i", 1, -2, 3), (1, -2, 3)),
    ("vec4i", b"\x12", struct.pack("<4i", 1, -2, 3, -4), (1, -2, 3, -4)),
    ("objects", b"\x13", u32(2) + bytes(16) + A_REFERENCE, (None, REFERENCE)),
    ("strings", b"\x15\x0c", u32(3) + z("a") + z("") + z("ccc"), ("a", "", "ccc")),
    ("numbers", b"\x15\x02", u32(2) + u16(7) + u16(9), (7, 9)),
    ("flags", b"\x15\x0b", u32(2) + b"\1\0", (True, False)),
    ("vectors", b"\x15\x0d", u32(1) + struct.pack("<2f", 5, 6), ((5.0, 6.0),)),
    ("ids", b"\x15\x1b", u32(2) + OWN + OTHER, (OWN, OTHER)),
    ("blobs", b"\x15\x16", u32(1) + u64(2) + u64(5) + b"hi", (Blob(5, b"hi"),)),
    ("nothing", b"\x15\x03", u32(0), ()),
    ("blob", b"\x16", u64(4) + u64(1) + b"\0BIN", Blob(1, b"\0BIN")),
    ("reference", b"\x17", A_REFERENCE, REFERENCE),
    ("null", b"\x17", bytes(16), None),
    ("delegate", b"\x18", A_REFERENCE + z("OnClick"), Delegate(uuid(77), OTHER, "OnClick")),
    ("unbound", b"\x18", bytes(16), None),
    ("event", b"\x19", u32(2) + A_REFERENCE + z("F") + bytes(16), (Delegate(uuid(77), OTHER, "F"), None)),
    ("id", b"\x1b", OTHER, OTHER),
    ("map", b"\x1c", u32(2) + A_REFERENCE + bytes(32), (REFERENCE, Reference(bytes(16), bytes(16)))),
    ("opaque", b"\x1d", u16(7) + b"\1\2\3\4\5", b"\1\2\3\4\5"),
    ("opaques", b"\x15\x1d", u32(2) + u16(2) + u16(3) + b"x", (b"", b"x")),
    ("void", b"\x00", b"", None),
]
INNER_FIELDS = [("number", b"\x07"), ("target", b"\x17")]
INNER_ONE = struct.pack("<i", -7) + A_REFERENCE
INNER_TWO = struct.pack("<i", 100) + bytes(16)


def all_types(version: tuple[int, int, int] = (3, 1, 0), *, with_opaque: bool = True) -> bytes:
    """A bundle with a field of every type, a struct, an array of structs and (3.1 of August 2025) an opaque kind."""
    rows = [row for row in ALL_TYPES if with_opaque or "opaque" not in row[0]]
    fields = [(name, code) for name, code, _, _ in rows]
    fields += [("inner", b"\x1a" + u32(2)), ("inners", b"\x14" + u32(2))]
    values = b"".join(value for _, _, value, _ in rows) + INNER_ONE + u32(2) + INNER_TWO + INNER_ONE
    types = [
        BUNDLE_TYPE,
        schema_entry(0, "/Code/Test.T::AllTypes", fields),
        schema_entry(1, "/Code/Test.T::Inner", INNER_FIELDS),
    ]
    if with_opaque:
        types.append(schema_entry(2, "/Code/Test.T::Opaque", None))
    objects = [bundle_object(attached=(1,)), object3(1, 1, "All", "All", values, is_asset=1, extra=b"new")]
    source = "All.png" if version[1] else None
    return bundle3(types, objects, version=version, dependencies=(OTHER, OTHER), source=source)


def sized() -> bytes:
    """A bundle of the format of one day: the same kinds of values, each with its size."""

    def s(value: bytes) -> bytes:
        return u64(len(value) + 8) + value

    inner = s(struct.pack("<i", -7)) + s(A_REFERENCE)
    fields = [
        ("name", b"\x0c"),
        ("number", b"\x03"),
        ("inner", b"\x1a" + u32(2)),
        ("inners", b"\x14" + u32(2)),
        ("objects", b"\x13"),
        ("strings", b"\x15\x0c"),
    ]
    values = s(z("Thing")) + s(u32(123)) + s(inner) + s(u32(2) + s(inner) + s(inner))
    values += s(u32(2) + s(bytes(16)) + s(A_REFERENCE)) + s(u32(2) + s(z("a")) + s(z("b")))
    bundle = s(z("Bundle")) + s(OWN) + s(u32(1) + uuid(1) + OWN) + s(bytes(16))
    types = [
        BUNDLE_TYPE,
        schema_entry(0, "/Code/Test.T::Thing", fields),
        schema_entry(1, "/Code/Test.T::Inner", INNER_FIELDS),
    ]
    objects = [
        object3(int.from_bytes(OWN, "little"), 0, "", "Bundle", bundle),
        object3(1, 1, "Thing", "Thing", values),
    ]
    return bundle3(types, objects, version=(3, 0, 0), source=None, is_sized=True)


def bundle2() -> bytes:
    """A bundle of format 2.0 with every type that format has."""

    def typed(code: int, value: bytes) -> bytes:
        return u8(code) + value

    def pairs(*items: tuple[str, bytes]) -> bytes:
        body = u32(len(items)) + b"".join(z(name) + value for name, value in items)
        return u64(len(body)) + body

    def array(*items: bytes) -> bytes:
        body = u32(len(items)) + b"".join(items)
        return u64(len(body)) + body

    header = z("/Game/Old") + u32(1) + z("/Game/Other") + u8(0)
    head = MAGIC + u32(2) + u32(0) + u32(0) + u64(0x24 + len(header)) + b"OLDBUNDL" + header
    values = pairs(
        ("name", typed(0x0C, z("Thing"))),
        ("uuid", typed(0x04, u64(5))),
        ("outer", typed(0x00, b"")),
        ("target", typed(0x0E, b"OLDOBJCTOLDBUNDL")),
        ("raw", typed(0x0D, u64(3) + u64(0) + b"abc")),
        ("flag", typed(0x0B, b"\1")),
        ("list", typed(0x11, array(typed(0x0C, z("a")), typed(0x03, u32(4)), typed(0x11, array())))),
        ("map", typed(0x10, pairs(("x", typed(0x09, struct.pack("<f", 0.5)))))),
        ("position", typed(0x82, struct.pack("<3f", 1, 2, 3))),
        ("matrix", typed(0x84, struct.pack("<16f", *range(16)))),
    )
    content = head
    for number, (identity, is_asset) in enumerate(((b"OLDBUNDL", 0), (b"OLDOBJCT", 1))):
        names = z("") + z(BUNDLE_CLASS) + z("/Game/Old") if not number else z("Thing") + z("/Code/T") + z("Thing")
        entry = OBJECT_MAGIC + identity + u8(is_asset) + names + (z("Thing.png") if is_asset else b"")
        data = u8(0x10) + values
        content += entry + u64(len(content) + len(entry) + 8) + data + u32(crc32(data))
    return content + u64(0)


def text(line_end: str = "\r\n", *, lists: bool = False) -> bytes:
    lines = ["_TypeId: CE::TextureAsset", "name: Texture", "uuid: 8385831137116481649", "assetExtension: png"]
    if lists:
        lines += ["assetObjectStore:", "  []", "childAssets:", "  - CE::Asset"]
    else:
        lines.insert(3, "assetName: Cracks 10")
    return line_end.join([*lines, "textureType: 2"]).encode() + b"\0"


def every_format() -> dict[str, bytes]:
    """One bundle of each way they were written."""
    return {
        "3.1": all_types(),
        "3.1 before August 2025": all_types(with_opaque=False),
        "3.0": all_types((3, 0, 0), with_opaque=False),
        "3.0 sized": sized(),
        "2.0": bundle2(),
        "text": text(),
        "text with lists": text("\n", lists=True),
    }
