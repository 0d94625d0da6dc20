# ruff: noqa: TRY301 - an error anywhere in the walk gets its path from the stack, in one place
"""A walk through the values of an object of format 3.

No value has a size of its own, so all are read in the schema's order.

The data decides how deep structs nest, so the walk has its own stack instead of recursion.
"""

from __future__ import annotations

from struct import calcsize
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from assetdb_formats.casset.encoding.field_steps import CALL, FIXED, REFERENCE, STRING, STRUCT_ARRAY, UNKNOWN
from assetdb_formats.casset.encoding.scalars import FIXED_CODES, NULL, count_of, short
from assetdb_formats.casset.encoding.scalars import reference as read_reference
from assetdb_formats.casset.errors import CassetError
from assetdb_formats.casset.model import StructValue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb_formats.casset.encoding.field_steps import Step
    from assetdb_formats.casset.encoding.schema import Schema
    from assetdb_formats.casset.model import Data, Field, Value, Values

# A struct without fields takes no bytes, and a struct can name itself as a field, so the bytes that are left do not
# bound the number of structs. A file with more than this many beyond its bytes is refused.
_STRUCTS_OF_NO_BYTES: Final = 4_096


class _Frame(NamedTuple):
    """A struct (or object) that waits for a struct in it."""

    steps: Iterator[Step]
    values: list[Value]
    entry: int
    elements: list[Value] | None
    wanted: int
    fields: tuple[Field, ...]


def read_values(
    data: Data, position: int, end: int, schema: Schema, index: int
) -> tuple[Values, int, CassetError | None]:
    """Read the values of the schema entry ``index`` between two offsets.

    Returns the values, where they end, and what ended them before their time, if anything did: then they are
    the values of the fields that could be read.
    """
    layouts, plans = schema
    structs_left = _STRUCTS_OF_NO_BYTES + 4 * (end - position)
    find = data.find
    values: list[Any] = []
    stack: list[_Frame] = []
    # What is being read: the schema entry; in an array of structs also the elements before this one, and how many.
    current = index
    elements: list[Value] | None = None
    count = 0
    steps = iter(plans[index])
    fields: tuple[Field, ...] = ()
    try:
        while True:
            for kind, argument, size, fields in steps:
                if kind == FIXED:
                    if size > end - position:
                        fields, position, size = _first_short(fields, position, end)  # noqa: PLW2901 - for the error
                        raise short(size, position, end)
                    values += argument(data, position)
                    position += size
                elif kind == STRING:
                    stop = find(b"\0", position, end)
                    if stop < 0:
                        raise CassetError("the string does not end", offset=position)
                    values.append(str(data[position:stop], "utf-8", "surrogateescape"))
                    position = stop + 1
                elif kind == REFERENCE:
                    if data[position : position + 16] == NULL and end - position >= 16:
                        values.append(None)
                        position += 16
                    else:
                        value, position = read_reference(data, position, end)
                        values.append(value)
                elif kind == CALL:
                    value, position = argument(data, position, end)
                    values.append(value)
                elif kind != UNKNOWN:
                    if argument >= len(plans):
                        raise CassetError(f"names schema entry {argument} of {len(plans)}", offset=position)
                    wanted = 1
                    if kind == STRUCT_ARRAY:
                        wanted, position = count_of(data, position, end, 0)
                        if not wanted:
                            values.append(())
                            continue
                    structs_left -= 1
                    if structs_left < 0:
                        raise CassetError("more structs than its bytes can hold", offset=position)
                    stack.append(_Frame(steps, values, current, elements, count, fields))
                    elements = [] if kind == STRUCT_ARRAY else None
                    current, count, values = argument, wanted, []
                    steps = iter(plans[current])
                    break
                else:
                    raise CassetError(argument, offset=position)
            else:
                if not stack:
                    return tuple(values), position, None
                done: Value = StructValue(layouts[current], tuple(values))
                if elements is not None:
                    elements.append(done)
                    if len(elements) < count:
                        structs_left -= 1
                        if structs_left < 0:
                            fields = ()
                            raise CassetError("more structs than its bytes can hold", offset=position)
                        values = []
                        steps = iter(plans[current])
                        continue
                    done = tuple(elements)
                steps, values, current, elements, count, _ = stack.pop()
                values.append(done)
    except CassetError as error:
        counts = [*(frame.elements for frame in stack[1:]), elements]
        names = [_name(frame.fields, before) for frame, before in zip(stack, counts, strict=False)]
        if fields:
            names.append(fields[0].name + error.field)
        problem = CassetError(error.what, offset=error.offset, field=".".join(names))
        return tuple(stack[0].values if stack else values), position, problem


def _name(fields: tuple[Field, ...], elements: list[Value] | None) -> str:
    return fields[0].name if elements is None else f"{fields[0].name}[{len(elements)}]"


def _first_short(fields: tuple[Field, ...], position: int, end: int) -> tuple[tuple[Field, ...], int, int]:
    """Return the first of several neighbours that does not fit."""
    for field in fields:
        size = calcsize(f"<{FIXED_CODES[field.type]}")
        if size > end - position:
            return (field,), position, size
        position += size
    raise AssertionError("neighbours that fit are read, not searched")
