r"""The types of a managed DLL, and the fileID by which Unity refers to a script inside one.

A script in a DLL has no meta of its own: assets say ``m_Script: {fileID: -765806418, guid: <the DLL>}``, where the
fileID is the first int32 of ``MD4("s\0\0\0" + namespace + class name)``. So the names are found by hashing every type
that the DLL defines. Layout: ECMA-335, part II, chapters 24 (metadata) and 25 (the PE file around it).
"""

from __future__ import annotations

from assetdb.unity.kinds import is_lfs_pointer
from formats.binary import FormatError, Reader
from formats.codecs.md4 import md4
from formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

_CLI_DIRECTORY: Final = 14
_METADATA_SIGNATURE: Final = 0x424A5342
_MODULE: Final = 0x00
_TYPE_REF: Final = 0x01
_TYPE_DEF: Final = 0x02
_FIELD_POINTER: Final = 0x03
_FIELD: Final = 0x04
_METHOD_POINTER: Final = 0x05
_METHOD: Final = 0x06
_MODULE_REF: Final = 0x1A
_TYPE_SPEC: Final = 0x1B
_ASSEMBLY_REF: Final = 0x23
_VISIBILITY: Final = 0x7
_FIRST_NESTED: Final = 2
_NAME_LIMIT: Final = 1024  # ECMA-335 leaves it open; the runtimes refuse longer names


class ManagedType(NamedTuple):
    """A type of a DLL that is not nested in another: its namespace (may be ``""``) and its name."""

    namespace: str
    name: str


class NotManaged(NamedTuple):
    """The bytes are no managed DLL, without being damaged: ``native``, ``empty``, ``lfs-pointer`` or ``other``."""

    kind: str


def script_file_id(namespace: str, name: str) -> int:
    """Return the fileID that Unity gives to the script of this class in a DLL: an int32."""
    return int.from_bytes(md4(b"s\0\0\0" + namespace.encode() + name.encode())[:4], "little", signed=True)


def read_types(data: bytes) -> tuple[ManagedType, ...] | NotManaged:
    """Return the types that a DLL defines, in the order of its table, without nested ones and ``<Module>``.

    Raises:
        FormatError: the file starts as a PE file and is damaged.
    """
    if data[:2] != b"MZ":
        return NotManaged(_what_else(data))
    reader = Reader(data)
    reader.seek(0x3C, "dos.e_lfanew")
    reader.seek(reader.u32("dos.e_lfanew"), "dos.e_lfanew")
    if reader.take(4, "pe.signature") != b"PE\0\0":
        return NotManaged("other")  # a program for DOS
    sections, cli = _read_pe(reader)
    if not cli:
        return NotManaged("native")
    reader.seek(_file_offset(sections, cli, "pe.cli"), "pe.cli")
    reader.need(8, "cli.header")
    root = _file_offset(sections, reader.u32("cli.metadata"), "cli.metadata")
    size = reader.u32("cli.metadata_size")
    reader.seek(root, "cli.metadata")
    reader.need(size, "cli.metadata_size")
    metadata = Reader(data, root, root + size)
    streams = _read_streams(metadata, root)
    tables = streams.get(b"#~") or streams.get(b"#-")
    strings = streams.get(b"#Strings")
    if tables is None or strings is None:
        raise FormatError("has no tables or no strings", offset=root, field="metadata.streams")
    return tuple(_read_type_table(data, tables, strings))


def _what_else(data: bytes) -> str:
    if not data.strip():
        return "empty"
    return "lfs-pointer" if is_lfs_pointer(data) else "other"


class _Section(NamedTuple):
    address: int
    size: int
    offset: int


def _read_pe(reader: Reader) -> tuple[list[_Section], int]:
    """Return the sections and the address of the CLI header (0 where there is none)."""
    reader.need(2, "pe.machine")
    section_count = reader.u16("pe.sections")
    reader.need(12, "pe.symbols")
    optional_size = reader.u16("pe.optional_size")
    reader.need(2, "pe.characteristics")
    optional = reader.position
    reader.need(optional_size, "pe.optional_size")
    behind = reader.position
    cli = 0
    if optional_size >= 2:
        reader.seek(optional)
        magic = reader.u16("pe.magic")
        if magic not in {0x10B, 0x20B}:
            raise reader.error(f"has magic {magic:#x}", "pe.magic", offset=optional)
        directories = optional + (96 if magic == 0x10B else 112)
        if behind >= directories:
            reader.seek(directories - 4)
            at = directories + 8 * _CLI_DIRECTORY
            if reader.u32("pe.directories") > _CLI_DIRECTORY and at + 8 <= behind:
                reader.seek(at)
                cli = reader.u32("pe.cli")
    reader.seek(behind)
    sections = []
    for index in range(reader.count(section_count, 40, "pe.sections")):
        field = f"pe.sections[{index}]"
        reader.need(8, field)
        virtual_size = reader.u32(field)
        address = reader.u32(field)
        raw_size = reader.u32(field)
        offset = reader.u32(field)
        reader.need(16, field)
        sections.append(_Section(address, min(virtual_size or raw_size, raw_size), offset))
    return sections, cli


def _file_offset(sections: list[_Section], address: int, field: str) -> int:
    for section in sections:
        if section.address <= address < section.address + section.size:
            return address - section.address + section.offset
    raise FormatError(f"address {address:#x} lies in no section", field=field)


class _Stream(NamedTuple):
    start: int
    end: int


def _read_streams(metadata: Reader, root: int) -> dict[bytes, _Stream]:
    if metadata.u32("metadata.signature") != _METADATA_SIGNATURE:
        raise metadata.error("does not start with BSJB", "metadata.signature", offset=root)
    metadata.need(8, "metadata.version")
    metadata.need(metadata.u32("metadata.version"), "metadata.version")
    metadata.need(2, "metadata.flags")
    streams: dict[bytes, _Stream] = {}
    for index in range(metadata.count(metadata.u16("metadata.streams"), 12, "metadata.streams")):
        field = f"metadata.streams[{index}]"
        start = root + metadata.u32(field)
        size = metadata.u32(field)
        name = bytearray()
        while True:
            part = metadata.take(4, field)
            name += part.partition(b"\0")[0]
            if b"\0" in part:
                break
            if len(name) > 32:
                raise metadata.error("has a name of more than 32 bytes", field)
        if not root <= start <= start + size <= metadata.end:
            raise metadata.error(f"stream {start}..{start + size} lies outside the metadata", field)
        streams.setdefault(bytes(name), _Stream(start, start + size))
    return streams


def _read_type_table(data: bytes, stream: _Stream, strings: _Stream) -> list[ManagedType]:
    reader = Reader(data, stream.start, stream.end)
    reader.need(6, "tables.version")
    heaps = reader.u8("tables.heaps")
    reader.need(1, "tables.reserved")
    valid = reader.u64("tables.valid")
    reader.need(8, "tables.sorted")
    rows = {table: reader.u32(f"tables.rows[{table:#x}]") for table in range(64) if valid >> table & 1}
    if heaps & 0x40:
        reader.need(4, "tables.extra")

    def index(*tables: int, tag_bits: int = 0) -> int:
        return 4 if max(rows.get(table, 0) for table in tables) >= 1 << (16 - tag_bits) else 2

    text = 4 if heaps & 1 else 2
    guid = 4 if heaps & 2 else 2
    scope = index(_MODULE, _MODULE_REF, _ASSEMBLY_REF, _TYPE_REF, tag_bits=2)
    for table, size in ((_MODULE, 2 + text + 3 * guid), (_TYPE_REF, scope + 2 * text)):
        count = reader.count(rows.get(table, 0), size, f"tables.rows[{table:#x}]")
        reader.need(count * size, f"tables.rows[{table:#x}]")
    extends = index(_TYPE_DEF, _TYPE_REF, _TYPE_SPEC, tag_bits=2)
    fields = index(_FIELD_POINTER if _FIELD_POINTER in rows else _FIELD)
    methods = index(_METHOD_POINTER if _METHOD_POINTER in rows else _METHOD)
    rest = extends + fields + methods
    count = reader.count(rows.get(_TYPE_DEF, 0), 4 + 2 * text + rest, "tables.TypeDef")
    heap = _Strings(data, strings)
    found = []
    for row in range(count):
        flags = reader.u32("tables.TypeDef.flags")
        name_at, namespace_at = (
            (reader.u32("tables.TypeDef.name"), reader.u32("tables.TypeDef.namespace"))
            if text == 4
            else (reader.u16("tables.TypeDef.name"), reader.u16("tables.TypeDef.namespace"))
        )
        reader.need(rest, "tables.TypeDef")
        if flags & _VISIBILITY < _FIRST_NESTED and row:  # row 0 is <Module>
            found.append(ManagedType(heap.at(namespace_at), heap.at(name_at)))
    return found


class _Strings:
    """The heap of names. Rows may share names, but all of them together are no longer than a few heaps."""

    def __init__(self, data: bytes, stream: _Stream) -> None:
        self.data = data
        self.stream = stream
        self.known: dict[int, str] = {}
        self.budget = 4 * (stream.end - stream.start) + 65_536

    def at(self, index: int) -> str:
        known = self.known.get(index)
        if known is not None:
            return known
        start, end = self.stream.start + index, self.stream.end
        stop = self.data.find(b"\0", start, min(end, start + _NAME_LIMIT)) if start < end else -1
        if stop < 0:
            raise FormatError(
                f"no name at {index} of the strings", offset=self.stream.start, field="tables.TypeDef.name"
            )
        self.budget -= stop - start
        if self.budget < 0:
            raise FormatError("names overlap without end", offset=self.stream.start, field="tables.TypeDef.name")
        name = self.data[start:stop].decode(errors="replace")
        self.known[index] = name
        return name
