# ruff: noqa: TRY301 - an error anywhere in a walk gets its path from the stack, in one place
"""Values of the format that gives each its size.

It was written for one day (2024-11-18 to 19).

Every field of an object or struct and every element of an array starts with a 64-bit size that includes itself.
It was written as "3.0.0" like its successor; :mod:`assetdb_formats.casset.encoding.bundle3` tells them apart by the
object table.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.casset.encoding.scalars import DECODERS, count_of, need
from assetdb_formats.casset.errors import CassetError
from assetdb_formats.casset.model import Field, FieldType, Kind, StructValue, element_type

if TYPE_CHECKING:
    from assetdb_formats.casset.encoding.schema import Schema
    from assetdb_formats.casset.model import Data, Layout, Value, Values

_U64: Final = Struct("<Q")
_NO_FIELD: Final = Field("", FieldType.NULL)


class _Frame(NamedTuple):
    """A struct, an array or the object that is being read."""

    fields: tuple[Field, ...] | None
    """None in an array, whose elements are all alike."""
    element: Field
    wanted: int
    end: int
    layout: Layout | None
    values: list[Value]


def read_sized_values(
    data: Data, position: int, end: int, schema: Schema, index: int
) -> tuple[Values, int, CassetError | None]:
    """Read the values of the schema entry ``index``, as ``read_values`` does."""
    layouts = schema.layouts
    stack = [_struct_frame(layouts[index], end)]
    try:
        while True:
            frame = stack[-1]
            number = len(frame.values)
            if number == frame.wanted:
                if frame.layout is not None and frame.layout.problem:
                    raise CassetError(f"of the schema entry {frame.layout.problem}", offset=position)
                if len(stack) == 1:
                    return tuple(frame.values), position, None
                if position != frame.end:
                    raise CassetError(f"{frame.end - position} bytes are left after the last value", offset=position)
                stack.pop()
                done = tuple(frame.values)
                stack[-1].values.append(done if frame.layout is None else StructValue(frame.layout, done))
                continue
            _, code, place, element = frame.fields[number] if frame.fields is not None else frame.element
            need(8, position, frame.end)
            size: int = _U64.unpack_from(data, position)[0]
            if not 8 <= size <= frame.end - position:
                raise CassetError(f"declares {size} bytes, {frame.end - position} are left", offset=position)
            stop = position + size
            position += 8
            if code == FieldType.STRUCT:
                stack.append(_struct_frame(_layout(layouts, place, position), stop))
            elif code in (FieldType.OBJECT_ARRAY, FieldType.STRUCT_ARRAY, FieldType.ARRAY):
                count, position = count_of(data, position, stop, 8)
                one = Field("", element_type(code, element), place)
                stack.append(_Frame(None, one, count, stop, None, []))
            else:
                decode = DECODERS.get(code)
                if decode is None:
                    raise CassetError(f"unknown type {code:02X}", offset=position)
                value, position = decode(data, position, stop)
                if position != stop:
                    raise CassetError(f"{stop - position} bytes are left after the value", offset=position)
                frame.values.append(value)
    except CassetError as error:
        problem = CassetError(error.what, offset=error.offset, field=_path(stack) + error.field)
        return tuple(stack[0].values), position, problem


def _struct_frame(layout: Layout, end: int) -> _Frame:
    return _Frame(layout.fields, _NO_FIELD, len(layout.fields), end, layout, [])


def _layout(layouts: tuple[Layout, ...], index: int, position: int) -> Layout:
    if not 0 <= index < len(layouts) or layouts[index].kind >= Kind.OPAQUE:
        raise CassetError(f"names schema entry {index} of {len(layouts)}, which describes no fields", offset=position)
    return layouts[index]


def _path(stack: list[_Frame]) -> str:
    path = ""
    for frame in stack:
        number = len(frame.values)
        if frame.fields is None:
            path += f"[{number}]"
        elif number < len(frame.fields):
            path += f".{frame.fields[number].name}" if path else frame.fields[number].name
    return path
