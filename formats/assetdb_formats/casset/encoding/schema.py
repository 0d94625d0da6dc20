"""The schema table of format 3: types and their fields."""

from __future__ import annotations

from functools import lru_cache
from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.casset.encoding.field_steps import make_steps
from assetdb_formats.casset.encoding.scalars import named_string
from assetdb_formats.casset.errors import CassetError
from assetdb_formats.casset.model import Field, FieldType, Kind, Layout

if TYPE_CHECKING:
    from assetdb_formats.casset.encoding.field_steps import FieldSteps
    from assetdb_formats.casset.model import Data

_TABLE: Final = Struct("<QI")
_U32: Final = Struct("<I")
_VERSION: Final = Struct("<II")  # version, number of fields
_INDEXED: Final = frozenset((FieldType.STRUCT_ARRAY, FieldType.STRUCT))
_LAST_TYPE: Final = FieldType.OPAQUE
_CACHED_SIZE: Final = 4096  # bytes; a class of 44 fields takes 333


class Schema(NamedTuple):
    """The layouts of a bundle's schema table, with a reader for each."""

    layouts: tuple[Layout, ...]
    plans: tuple[FieldSteps, ...]


EMPTY: Final = Schema((), ())


def read_schema(data: Data, offset: int, end: int) -> tuple[Schema, int]:
    """Read the schema table at ``offset``; return it and its end."""
    layouts: list[Layout] = []
    plans: list[FieldSteps] = []
    for position, stop in entry_bounds(data, offset, end):
        entry = data[position:stop]
        try:
            layout, plan = _known_entry(entry) if stop - position <= _CACHED_SIZE else _read_entry(entry)
        except CassetError as error:
            raise CassetError(
                error.what, offset=position + (error.offset or 0), field=f"schema[{len(layouts)}].{error.field}"
            ) from None
        layouts.append(layout)
        plans.append(plan)
    size: int = _TABLE.unpack_from(data, offset)[0]
    return Schema(tuple(layouts), tuple(plans)), offset + size


def entry_bounds(data: Data, offset: int, end: int) -> list[tuple[int, int]]:
    """Check the sizes of all entries; return their bounds."""
    if end - offset < 16:
        raise CassetError(f"needs 16 bytes, {max(end - offset, 0)} are left", offset=offset, field="schema")
    size, count = _TABLE.unpack_from(data, offset)
    if size < 16 or size > end - offset:
        raise CassetError(f"declares {size} bytes, {end - offset} are left", offset=offset, field="schema.size")
    stop = offset + size - 4
    position = offset + 12
    if count > (stop - position) // 6:
        raise CassetError(f"counts {count} entries in {size} bytes", offset=offset + 8, field="schema.count")
    bounds = []
    for number in range(count):
        entry_size = _U32.unpack_from(data, position)[0] if position + 4 <= stop else 0
        if entry_size < 6 or entry_size > stop - position:
            raise CassetError(
                f"declares {entry_size} bytes, {stop - position} are left",
                offset=position,
                field=f"schema[{number}].size",
            )
        bounds.append((position + 4, position + entry_size))
        position += entry_size
    if position != stop:
        raise CassetError(f"{stop - position} bytes are left after the last entry", offset=position, field="schema")
    if data[stop : stop + 4] != b"\0\0\0\0":
        raise CassetError("does not end with 00000000", offset=stop, field="schema.end")
    return bounds


def entry_name(data: Data, position: int, stop: int) -> str:
    """Return the type name of the entry between two offsets."""
    return named_string(data, position + 1, stop, "schema.name")[0]


def _read_entry(entry: bytes) -> tuple[Layout, FieldSteps]:
    layout = _layout(entry)
    return layout, make_steps(layout)


# A project's files share a few dozen classes: remembering them makes a full read of a small file 2.2 times as fast
# (scripts/bench/casset.py).
_known_entry = lru_cache(maxsize=1024)(_read_entry)


def _layout(entry: bytes) -> Layout:
    """Read one entry, given without its size."""
    kind = entry[0]
    name, position = named_string(entry, 1, len(entry), "name")
    if kind == Kind.OPAQUE and position == len(entry):
        return Layout(kind, name)
    if kind > Kind.STRUCT:
        what = f"{len(entry) - position} bytes after the name" if kind == Kind.OPAQUE else f"unknown kind {kind}"
        return Layout(kind, name, raw=entry, problem=what)
    if len(entry) - position < 8:
        raise CassetError(f"needs 8 bytes, {len(entry) - position} are left", offset=position, field="version")
    version, count = _VERSION.unpack_from(entry, position)
    position += 8
    if count * 2 > len(entry) - position:
        raise CassetError(f"counts {count} fields in {len(entry) - position} bytes", offset=position - 4, field="count")
    fields: list[Field] = []
    for number in range(count):
        field_name, position = named_string(entry, position, len(entry), f"fields[{number}].name")
        if position == len(entry):
            raise CassetError("needs 1 byte, 0 are left", offset=position, field=f"fields[{number}].type")
        code = entry[position]
        position += 1
        index, element = -1, 0
        if code in _INDEXED:
            if len(entry) - position < 4:
                raise CassetError("needs 4 bytes", offset=position, field=f"fields[{number}].schema")
            index = _U32.unpack_from(entry, position)[0]
            position += 4
        elif code == FieldType.ARRAY:
            if position == len(entry):
                raise CassetError("needs 1 byte, 0 are left", offset=position, field=f"fields[{number}].element")
            element = entry[position]
            position += 1
        fields.append(Field(field_name, code, index, element))
        if code > _LAST_TYPE:  # what follows it is unknown too
            problem = f"field {field_name!r} has the unknown type {code:02X}"
            return Layout(kind, name, version, tuple(fields), raw=entry, problem=problem)
    if position != len(entry):
        problem = f"{len(entry) - position} bytes are left after the last field"
        return Layout(kind, name, version, tuple(fields), raw=entry, problem=problem)
    return Layout(kind, name, version, tuple(fields))
