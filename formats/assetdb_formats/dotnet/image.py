"""A PE file and its metadata streams (ECMA-335, II.24.2, II.25)."""

from __future__ import annotations

from assetdb_formats.binary import FormatError, Reader
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

_CLI_DIRECTORY: Final = 14
_METADATA_SIGNATURE: Final = 0x424A5342


class Stream(NamedTuple):
    """A metadata stream's bounds in the file."""

    start: int
    end: int


class Image(NamedTuple):
    """The metadata streams of a DLL: ``#~`` or ``#-``, ``#Strings``, ..."""

    streams: dict[bytes, Stream]
    tables: Stream
    strings: Stream


class _Section(NamedTuple):
    address: int
    size: int
    offset: int


def read_image(data: bytes) -> Image | None:
    """Return the streams of a PE file; None if it has none."""
    reader = Reader(data)
    if not _seek_pe(reader):
        return None
    sections, cli = _read_pe(reader)
    if not cli:
        return None
    reader.seek(_file_offset(sections, cli, "pe.cli"), "pe.cli")
    reader.need(8, "cli.header")
    root = _file_offset(sections, reader.u32("cli.metadata"), "cli.metadata")
    size = reader.u32("cli.metadata_size")
    reader.seek(root, "cli.metadata")
    reader.need(size, "cli.metadata_size")
    streams = _read_streams(Reader(data, root, root + size), root)
    tables = streams.get(b"#~") or streams.get(b"#-")
    strings = streams.get(b"#Strings")
    if tables is None or strings is None:
        raise FormatError("has no tables or no strings", offset=root, field="metadata.streams")
    return Image(streams, tables, strings)


def is_portable_executable(data: bytes) -> bool:
    """Whether bytes are a PE file, native or managed."""
    return data[:2] == b"MZ" and _seek_pe(Reader(data))


def _seek_pe(reader: Reader) -> bool:
    """Skip the signature of a PE file; False where there is none."""
    reader.seek(0x3C, "dos.e_lfanew")
    reader.seek(reader.u32("dos.e_lfanew"), "dos.e_lfanew")
    return reader.take(4, "pe.signature") == b"PE\0\0"


def _read_pe(reader: Reader) -> tuple[list[_Section], int]:
    """Return the sections and the CLI header's address (0 without one)."""
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
    raise FormatError(f"address {address:#x} is outside all sections", field=field)


def _read_streams(metadata: Reader, root: int) -> dict[bytes, Stream]:
    if metadata.u32("metadata.signature") != _METADATA_SIGNATURE:
        raise metadata.error("does not start with BSJB", "metadata.signature", offset=root)
    metadata.need(8, "metadata.version")
    metadata.need(metadata.u32("metadata.version"), "metadata.version")
    metadata.need(2, "metadata.flags")
    streams: dict[bytes, Stream] = {}
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
        streams.setdefault(bytes(name), Stream(start, start + size))
    return streams
