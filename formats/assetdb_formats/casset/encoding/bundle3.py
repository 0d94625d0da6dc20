"""Reading bundles of format 3: header, schema table, object table, values.

All integers are little-endian and nothing is aligned; a string is its bytes and one zero byte. "3.0.0" was written with
two encodings of values and 3.1.0 with two of the schema table, so both are distinguished by their structure: where the
object table ends, and what kinds of schema entries there are.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.casset.encoding.scalars import named_string
from assetdb_formats.casset.encoding.schema import read_schema
from assetdb_formats.casset.encoding.schema_values import read_values
from assetdb_formats.casset.encoding.sized import read_sized_values
from assetdb_formats.casset.errors import CassetError
from assetdb_formats.casset.model import Bundle, BundleObject, Format, Layout

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb_formats.casset.encoding.schema import Schema
    from assetdb_formats.casset.model import Data, Values

MAGIC: Final = b"\0BUNDLE\0"
HEADER: Final = Struct("<8sIIIIQQ16s")
TABLE: Final = Struct("<QI")
OBJECT: Final = Struct("<QI16sBI")
END_SIZE: Final = 5
"""Bytes that tell the four zeros behind the last object from more than them."""
_U64: Final = Struct("<Q")
_NO_LAYOUT: Final = Layout(0, "")
_SMALLEST_OBJECT: Final = OBJECT.size + 2 + 8


class Header(NamedTuple):
    """The header of a format 3 bundle, with its known fields' end."""

    version: tuple[int, int, int]
    checksum: int
    schema_offset: int
    data_offset: int
    uuid: bytes
    name: str
    dependencies: tuple[bytes, ...]
    cooked: int
    source: str | None
    end: int


class ObjectHeader(NamedTuple):
    """The header of an object's entry, with its values' offset."""

    uuid: bytes
    is_asset: int
    schema: int
    path: str
    name: str
    extra: bytes
    fields: int


def read_bundle3(data: Data) -> Bundle:
    """Read a whole bundle of format 3.

    Objects that cannot be read are in their place with a ``problem``, and their problems are the bundle's too; a file
    whose header or tables are wrong raises :class:`CassetError`.
    """
    header = read_header(data, len(data))
    schema, schema_end = read_schema(data, header.schema_offset, header.data_offset)
    start, stop, count = data_bounds(data, header.data_offset, len(data))
    entries, is_sized = entry_bounds(data, start, stop, count)
    if data[len(data) - 8 :] != bytes(8):
        raise CassetError("the file does not end with 8 zero bytes", offset=len(data) - 8, field="end")
    problems = []
    if header.checksum:
        what = f"the checksum is {header.checksum:08x}: the engine refuses every bundle where it is not 0"
        problems.append(CassetError(what, offset=8, field="checksum"))
    for number, layout in enumerate(schema.layouts):
        if layout.problem:
            problems.append(CassetError(layout.problem, offset=header.schema_offset, field=f"schema[{number}]"))
    read: _ReadValues = read_sized_values if is_sized else read_values
    objects = []
    for number, (position, entry_stop) in enumerate(entries):
        found = _read_object(data, position, entry_stop, schema, read)
        if found.problem is not None:
            problems.append(found.problem.inside(f"objects[{number}]"))
        objects.append(found)
    return Bundle(
        format=Format.SIZED_3 if is_sized else Format.BUNDLE_3,
        version=header.version,
        uuid=header.uuid,
        name=header.name,
        objects=tuple(objects),
        dependencies=header.dependencies,
        schema=schema.layouts,
        source=header.source,
        cooked=header.cooked,
        checksum=header.checksum,
        header_extra=data[header.end : header.schema_offset],
        gap=data[schema_end : header.data_offset],
        problems=tuple(problems),
    )


if TYPE_CHECKING:
    _ReadValues = Callable[[Data, int, int, Schema, int], tuple[Values, int, CassetError | None]]


def read_header(data: Data, size: int) -> Header:
    """Read the header of a file by its beginning, ``data``."""
    end = len(data)
    if end < HEADER.size:
        raise CassetError(f"needs {HEADER.size} bytes, {end} are left", offset=0, field="header")
    magic, checksum, major, minor, patch, schema_offset, data_offset, uuid = HEADER.unpack_from(data)
    if magic != MAGIC:
        raise CassetError("is not a bundle", offset=0, field="magic")
    if major != 3:
        raise CassetError(f"version {major}.{minor}.{patch} is not one of 2.0, 3.0 and 3.1", offset=12, field="version")
    end = min(end, schema_offset)
    name, position = named_string(data, HEADER.size, end, "name")
    if end - position < 5:
        raise CassetError(f"needs 5 bytes, {end - position} are left", offset=position, field="dependencies")
    count = int.from_bytes(data[position : position + 4], "little")
    position += 4
    if count * 16 > end - position:
        what = f"counts {count} items of 16 bytes, {end - position} bytes are left"
        raise CassetError(what, offset=position - 4, field="dependencies")
    stop = position + 16 * count
    dependencies = tuple([data[at : at + 16] for at in range(position, stop, 16)])
    if stop >= end:
        raise CassetError("needs 1 byte, 0 are left", offset=stop, field="cooked")
    cooked = data[stop]
    position = stop + 1
    source = None
    if minor:
        source, position = named_string(data, position, end, "source")
    if not position <= schema_offset <= data_offset <= size - 20:
        what = f"schema table at {schema_offset}, data at {data_offset}, in {size} bytes with a header of {position}"
        raise CassetError(what, offset=24, field="offsets")
    return Header(
        (major, minor, patch),
        checksum,
        schema_offset,
        data_offset,
        uuid,
        name,
        dependencies,
        cooked,
        source,
        position,
    )


def data_bounds(data: Data, offset: int, size: int) -> tuple[int, int, int]:
    """Return start, end (with its mark) and count of data entries."""
    table_size, count = TABLE.unpack_from(data, offset)
    if offset + table_size + 8 != size:
        what = f"declares {table_size} bytes, but {size - offset - 8} are between it and the end of the file"
        raise CassetError(what, offset=offset, field="data.size")
    start, stop = offset + 12, offset + table_size
    if count * _SMALLEST_OBJECT > stop - start:
        raise CassetError(f"counts {count} objects in {stop - start} bytes", offset=offset + 8, field="data.count")
    return start, stop, count


def entry_bounds(data: Data, start: int, stop: int, count: int) -> tuple[list[tuple[int, int]], bool]:
    """Return the bounds of all entries, and whether the format is "sized"."""
    entries = []
    position = start
    for number in range(count):
        size = _U64.unpack_from(data, position)[0] if stop - position >= 8 else 0
        check_entry_size(size, stop, position, number)
        entries.append((position, position + size))
        position += size
    return entries, is_sized_end(data[position : min(stop, position + END_SIZE)], position)


def check_entry_size(size: int, stop: int, position: int, number: int) -> None:
    """Raise for an impossible entry size, which hides all later objects."""
    if not _SMALLEST_OBJECT <= size <= stop - position:
        what = f"declares {size} bytes, {stop - position} are left"
        raise CassetError(what, offset=position, field=f"objects[{number}].size")


def is_sized_end(rest: bytes, position: int) -> bool:
    """Whether nothing follows the last object, as in the "sized" format.

    Args:
        rest: the first :data:`END_SIZE` bytes behind the object, or all that there are.
        position: where they are in the file.
    """
    if rest and rest != b"\0\0\0\0":
        raise CassetError(
            "the data does not end with 00000000 after the last object", offset=position, field="data.end"
        )
    return not rest


def read_object_header(data: Data, position: int, stop: int, base: int = 0) -> ObjectHeader:
    """Read the header of the entry between two file offsets.

    ``data`` begins at the file's offset ``base``.
    """
    at = position - base
    _, header_size, uuid, is_asset, schema = OBJECT.unpack_from(data, at)
    end = at + 16 - 4 + header_size
    if end + 8 > stop - base:
        what = f"declares {header_size} bytes, {stop - position - 20} are left"
        raise CassetError(what, offset=position + 8, field="header size")
    path_end = data.find(b"\0", at + OBJECT.size, end)
    name_end = data.find(b"\0", path_end + 1, end)
    if path_end < 0 or name_end < 0:
        raise CassetError("path or name does not end in the header", offset=position + OBJECT.size, field="path")
    return ObjectHeader(
        uuid,
        is_asset,
        schema,
        str(data[at + OBJECT.size : path_end], "utf-8", "surrogateescape"),
        str(data[path_end + 1 : name_end], "utf-8", "surrogateescape"),
        data[name_end + 1 : end],
        end + base,
    )


def _read_object(data: Data, position: int, stop: int, schema: Schema, read: _ReadValues) -> BundleObject:
    size = stop - position
    try:
        header = read_object_header(data, position, stop)
    except CassetError as error:
        uuid = data[position + 12 : position + 28]
        whole = memoryview(data)[position:stop]
        return BundleObject(uuid, 0, 0, "", "", _NO_LAYOUT, (), position, size, raw=whole, problem=error)
    uuid, is_asset, index, path, name, extra, fields = header
    layout = schema.layouts[index] if index < len(schema.layouts) else _NO_LAYOUT
    values: Values = ()
    problem: CassetError | None = None
    if _U64.unpack_from(data, fields)[0] != stop - fields:
        what = f"the fields say {_U64.unpack_from(data, fields)[0]} bytes, the entry has {stop - fields}"
        problem = CassetError(what, offset=fields, field="fields")
    elif index >= len(schema.layouts):
        what = f"names schema entry {index} of {len(schema.layouts)}"
        problem = CassetError(what, offset=position + 29, field="schema")
    else:
        values, end, problem = read(data, fields + 8, stop, schema, index)
        if problem is None and end != stop:
            problem = CassetError(f"{stop - end} bytes are left after the last field", offset=end, field="fields")
    raw = memoryview(data)[position:stop] if problem is not None else None
    return BundleObject(
        uuid, is_asset, index, path, name, layout, values, position, size, extra=extra, raw=raw, problem=problem
    )
