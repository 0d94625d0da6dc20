"""The index of a bundle: header, type names and object table.

The size of an entry tells where the next one begins: a few kB are read of a bundle with a blob of 2 GB.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from assetdb_formats.casset.encoding import bundle3, schema
from assetdb_formats.casset.errors import CassetError
from assetdb_formats.casset.model import Bundle, BundleIndex, Format, ObjectIndex

if TYPE_CHECKING:
    from collections.abc import Callable

    Read: TypeAlias = "Callable[[int, int], bytes]"
    """Offset and size, to the bytes there (fewer at the end of the file)."""

START_SIZE: Final = 16_384
"""Bytes of the start of a file that :func:`read_index` wants, or the whole file if it is smaller."""
_WINDOW: Final = 4096
_LARGEST_HEADER: Final = 16 << 20  # bytes before the data; the largest seen has 645


def read_index(start: bytes, size: int, read: Read) -> BundleIndex:
    """Read the index of a bundle of format 3.

    The bundle has ``size`` bytes and begins with ``start``; ``read`` returns bytes beyond. CassetError if header or
    tables are wrong; the values of the objects are not looked at.
    """
    if len(start) < size and len(start) >= bundle3.HEADER.size:
        data_offset: int = bundle3.HEADER.unpack_from(start)[6]
        if data_offset + 12 > len(start):
            if data_offset > _LARGEST_HEADER:
                what = f"{data_offset} bytes of header and schema; a few hundred are usual"
                raise CassetError(what, offset=32, field="data offset")
            start = read(0, data_offset + 12)
    header = bundle3.read_header(start, size)
    if header.data_offset + 12 > len(start):
        raise CassetError("the file ends before its data", offset=header.data_offset, field="data")
    bounds = schema.entry_bounds(start, header.schema_offset, header.data_offset)
    names = [schema.entry_name(start, position, stop) for position, stop in bounds]
    position, stop, count = bundle3.data_bounds(start, header.data_offset, size)
    data, base = start, 0
    objects = []
    for number in range(count):
        # The fixed part of the entry, then the header's declared size; each is read only if it is not there yet.
        if not base <= position <= base + len(data) - bundle3.OBJECT.size:
            data, base = read(position, _WINDOW), position
        if len(data) - (position - base) < bundle3.OBJECT.size:
            raise CassetError("needs 33 bytes", offset=position, field=f"objects[{number}]")
        entry_size, header_size, *_ = bundle3.OBJECT.unpack_from(data, position - base)
        bundle3.check_entry_size(entry_size, stop, position, number)
        if header_size + 20 > entry_size:
            what = f"declares {header_size} bytes, {entry_size - 20} are left"
            raise CassetError(what, offset=position + 8, field=f"objects[{number}].header size")
        if header_size > _LARGEST_HEADER:
            what = f"declares {header_size} bytes; a few dozen are usual"
            raise CassetError(what, offset=position + 8, field=f"objects[{number}].header size")
        if position + 20 + header_size > base + len(data):
            data, base = read(position, 20 + header_size), position
        found = bundle3.read_object_header(data, position, min(position + entry_size, base + len(data)), base)
        class_name = names[found.schema] if found.schema < len(names) else ""
        objects.append(ObjectIndex(found.uuid, found.is_asset, class_name, found.path, found.name))
        position += entry_size
    end_size = min(stop - position, bundle3.END_SIZE)
    if not base <= position <= base + len(data) - end_size:
        data, base = read(position, end_size), position
    is_sized = bundle3.is_sized_end(data[position - base : position - base + end_size], position)
    return BundleIndex(
        Format.SIZED_3 if is_sized else Format.BUNDLE_3,
        header.version,
        header.uuid,
        header.name,
        header.dependencies,
        header.source,
        tuple(objects),
    )


def index_of(bundle: Bundle) -> BundleIndex:
    """Return the index of a bundle that was read whole."""
    objects = [
        ObjectIndex(entry.uuid, entry.is_asset, entry.class_name, entry.path, entry.name) for entry in bundle.objects
    ]
    source = bundle.source
    if source is None:
        source = next((entry.source for entry in bundle.objects if entry.source), None)
    return BundleIndex(
        bundle.format, bundle.version, bundle.uuid, bundle.name, bundle.dependencies, source, tuple(objects)
    )
