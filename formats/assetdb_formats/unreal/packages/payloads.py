"""Places of bulk data: data resources and package trailers."""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.names import TableReader
from assetdb_formats.unreal.packages.summary import PACKAGE_TAG

if TYPE_CHECKING:
    from assetdb_formats.unreal.files.package_file import Source
    from assetdb_formats.unreal.packages.summary import Summary

TRAILER_TAG: Final = 0xD1C43B2E80A5F697
FOOTER_TAG: Final = 0x29BFCA045138DE76
FIRST_TRAILER: Final = 1004  # UE5 version, as released with 5.0
ACCESS_MODES: Final = ("local", "referenced", "virtualized")

RESOURCE_ROWS: Final = {1: Struct("<IqqqqiI"), 2: Struct("<IBqqqqiI")}
_HEADER: Final = Struct("<QiIQi")
_FOOTER: Final = Struct("<QQI")
_ENTRY: Final = {0: Struct("<20sqQQ"), 1: Struct("<20sqQQB"), 2: Struct("<20sqQQHHB")}


class DataResource(NamedTuple):
    """A piece of bulk data, at an offset of the flags' file."""

    flags: int
    cooked_index: int
    serial_offset: int
    duplicate_offset: int
    serial_size: int
    raw_size: int
    outer_index: int
    legacy_flags: int


class Payload(NamedTuple):
    """A payload of the trailer: its IoHash, location and storage."""

    identifier: bytes
    offset: int
    compressed_size: int
    raw_size: int
    flags: int
    filter_flags: int
    access: str


class Trailer(NamedTuple):
    """The trailer; payloads count from ``data_offset``, ``end`` follows it."""

    version: int
    payloads: list[Payload]
    data_offset: int
    data_size: int
    end: int


def read_data_resources(data: bytes, summary: Summary) -> list[DataResource]:
    """Read the data resources (5.2 on, cooked).

    Raises:
        UnrealError: if the table does not lie within the data, or is of an unknown version.
    """
    field = "data_resources"
    if summary.data_resource_offset <= 0:
        return []
    reader = TableReader(data, summary.data_resource_offset, field)
    version = reader.u32(field)
    row = RESOURCE_ROWS.get(version)
    if row is None:
        what = f"data resources of version {version}; 1 and 2 are known"
        raise reader.error(what, field, offset=reader.position - 4)
    rows = reader.rows(row, reader.i32(field), field)
    if version == 2:
        return [DataResource(*values) for values in rows]
    return [DataResource(flags, 0, *others) for flags, *others in rows]  # version 1 has no cooked index


def starts_trailer(source: Source, offset: int) -> bool:
    """Whether a trailer's tag is at ``offset``."""
    return offset + 8 <= source.size and source.read(offset, 8) == TRAILER_TAG.to_bytes(8, "little")


def read_trailer(source: Source, offset: int) -> Trailer:
    """Read the trailer at ``offset`` of a package, without its payloads.

    Raises:
        UnrealError: it is not one, is cut off, or of an unknown version, which is named.
    """
    field = "trailer"
    left = source.size - offset
    if left < _HEADER.size:
        raise UnrealError("the trailer is cut off", offset=offset, field=field)
    tag, version, header_size, data_size, count = _HEADER.unpack(source.read(offset, _HEADER.size))
    if tag != TRAILER_TAG:
        raise UnrealError(f"starts with 0x{tag:016X}, not with a trailer's tag", offset=offset, field=field)
    row = _ENTRY.get(version)
    if row is None:
        raise UnrealError(f"a trailer of version {version}; 0 to 2 are known", offset=offset + 8, field=field)
    is_shared = version == 0  # one access mode for all payloads, a byte between header and entries
    start = _HEADER.size + 1 if is_shared else _HEADER.size
    end = start + count * row.size
    if count < 0 or end > left:
        raise UnrealError(f"counts {count} payloads", offset=offset + 24, field=field)
    if header_size != end:
        raise UnrealError(
            f"its header has {header_size} bytes, but its entries end at {end}", offset=offset + 12, field=field
        )
    if end + data_size > left - _FOOTER.size:
        raise UnrealError("the trailer is cut off", offset=offset, field=field)
    position = offset + start
    payloads = []
    access = _access(source.read(offset + _HEADER.size, 1)[0], offset + _HEADER.size) if is_shared else ""
    for values in row.iter_unpack(source.read(position, count * row.size)):
        identifier, place, compressed, raw, *rest = values
        flags, filter_flags = rest[:2] if version == 2 else (0, 0)
        if not is_shared:
            access = _access(rest[-1], position)
        payloads.append(Payload(identifier, place, compressed, raw, flags, filter_flags, access))
    position = offset + end + data_size
    footer, trailer_size, package_tag = _FOOTER.unpack(source.read(position, _FOOTER.size))
    if footer != FOOTER_TAG or package_tag != PACKAGE_TAG:
        raise UnrealError("the trailer has no footer at its end", offset=position, field=field)
    if trailer_size != position + _FOOTER.size - offset:
        raise UnrealError(
            f"the footer has a size of {trailer_size} bytes, the trailer has {position + _FOOTER.size - offset}",
            offset=position + 8,
            field=field,
        )
    return Trailer(version, payloads, offset + end, data_size, position + _FOOTER.size)


def _access(number: int, offset: int) -> str:
    if number >= len(ACCESS_MODES):
        raise UnrealError(f"access mode {number}", offset=offset, field="trailer.payloads")
    return ACCESS_MODES[number]
