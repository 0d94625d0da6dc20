"""Where bulk data is: the data resources of cooked packages, and the trailer of editor packages."""

from __future__ import annotations

from struct import Struct, error
from typing import TYPE_CHECKING, Final, NamedTuple

from formats.binary import FormatError
from formats.unreal.summary import PACKAGE_TAG

if TYPE_CHECKING:
    from formats.unreal.summary import Summary

TRAILER_TAG: Final = 0xD1C43B2E80A5F697
FOOTER_TAG: Final = 0x29BFCA045138DE76
ACCESS_MODES: Final = ("local", "referenced", "virtualized")

_RESOURCES: Final = Struct("<Ii")
_RESOURCE: Final = {1: Struct("<IqqqqiI"), 2: Struct("<IBqqqqiI")}
_HEADER: Final = Struct("<QiIQi")
_FOOTER: Final = Struct("<QQI")
_ENTRY: Final = {0: Struct("<20sqQQ"), 1: Struct("<20sqQQB"), 2: Struct("<20sqQQHHB")}


class DataResource(NamedTuple):
    """One piece of bulk data; offsets are relative to ``bulk_data_offset`` or the side file that the flags name."""

    flags: int
    cooked_index: int
    serial_offset: int
    duplicate_offset: int
    serial_size: int
    raw_size: int
    outer_index: int
    legacy_flags: int


class Payload(NamedTuple):
    """One payload of the trailer: its IoHash, and where and how it is kept."""

    identifier: bytes
    offset: int
    compressed_size: int
    raw_size: int
    flags: int
    filter_flags: int
    access: str


class Trailer(NamedTuple):
    """The trailer; payload offsets count from ``data_offset``, ``end`` is the offset after the footer."""

    version: int
    payloads: list[Payload]
    data_offset: int
    data_size: int
    end: int


def read_data_resources(data: bytes, summary: Summary) -> list[DataResource]:
    """Read the data resources (5.2 on, cooked).

    Raises:
        FormatError: if the table does not lie within the data, or is of an unknown version (the number is said).
    """
    position = summary.data_resource_offset
    field = "data_resources"
    if position <= 0:
        return []
    try:
        version, count = _RESOURCES.unpack_from(data, position)
    except error:
        raise FormatError("the table is cut off", offset=position, field=field) from None
    row = _RESOURCE.get(version)
    if row is None:
        raise FormatError(f"data resources of version {version}; 1 and 2 are known", offset=position, field=field)
    position += 8
    if count < 0 or count * row.size > len(data) - position:
        raise FormatError(f"counts {count} resources", offset=position - 4, field=field)
    rows = row.iter_unpack(data[position : position + count * row.size])
    if version == 2:
        return [DataResource(*values) for values in rows]
    return [DataResource(values[0], 0, *values[1:]) for values in rows]


def read_trailer(data: bytes, offset: int) -> Trailer:
    """Read the trailer at ``offset`` of ``data`` (the whole package, or its part from there with offset 0).

    Raises:
        FormatError: if it is not one, is cut off, or of an unknown version (the number is said).
    """
    field = "trailer"
    try:
        tag, version, header_size, data_size, count = _HEADER.unpack_from(data, offset)
        if tag != TRAILER_TAG:
            raise FormatError(f"starts with 0x{tag:016X}, not with a trailer's tag", offset=offset, field=field)
        row = _ENTRY.get(version)
        if row is None:
            raise FormatError(f"a trailer of version {version}; 0 to 2 are known", offset=offset + 8, field=field)
        position = offset + _HEADER.size
        access = "local"
        if version == 0:  # one access mode for all, in the header
            access = _access(data[position] if position < len(data) else 0, position)
            position += 1
        if count < 0 or count * row.size > len(data) - position:
            raise FormatError(f"counts {count} payloads", offset=offset + 24, field=field)
        end = position + count * row.size
        if header_size != end - offset:
            raise FormatError(
                f"its header says {header_size} bytes, its entries make {end - offset}", offset=offset + 12, field=field
            )
        payloads = []
        for values in row.iter_unpack(data[position:end]):
            identifier, start, compressed, raw, *rest = values
            if version == 0:
                payloads.append(Payload(identifier, start, compressed, raw, 0, 0, access))
            elif version == 1:
                payloads.append(Payload(identifier, start, compressed, raw, 0, 0, _access(rest[0], position)))
            else:
                payloads.append(
                    Payload(identifier, start, compressed, raw, rest[0], rest[1], _access(rest[2], position))
                )
        footer, trailer_size, package_tag = _FOOTER.unpack_from(data, end + data_size)
    except (error, OverflowError):  # a size near 2**64 is no offset for struct
        raise FormatError("the trailer is cut off", offset=offset, field=field) from None
    position = end + data_size
    if footer != FOOTER_TAG or package_tag != PACKAGE_TAG:
        raise FormatError("the trailer has no footer where its header says", offset=position, field=field)
    if trailer_size != position + _FOOTER.size - offset:
        raise FormatError(
            f"the footer says {trailer_size} bytes, the trailer has {position + _FOOTER.size - offset}",
            offset=position + 8,
            field=field,
        )
    return Trailer(version, payloads, end, data_size, position + _FOOTER.size)


def _access(number: int, offset: int) -> str:
    if number >= len(ACCESS_MODES):
        raise FormatError(f"access mode {number}", offset=offset, field="trailer.payloads")
    return ACCESS_MODES[number]
