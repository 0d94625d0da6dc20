"""Reading plans of types: steps over fields of fixed size."""

from __future__ import annotations

from functools import lru_cache
from struct import Struct
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from assetdb_formats.casset.encoding.scalars import ARRAY_DECODERS, DECODERS, FIXED_CODES
from assetdb_formats.casset.model import FieldType, Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb_formats.casset.model import Field, Layout

FIXED: Final = 0
"""Several numbers or UUIDs with one unpacking: argument = unpack_from, size = bytes."""
STRING: Final = 1
REFERENCE: Final = 2
CALL: Final = 3
"""Argument = a decoder of :mod:`assetdb_formats.casset.encoding.scalars`."""
STRUCT: Final = 4
"""Argument = index of the schema entry, also of the next one."""
STRUCT_ARRAY: Final = 5
UNKNOWN: Final = 6
"""Argument = why the values from here on cannot be read."""

# kind, argument, size in bytes, fields
Step: TypeAlias = "tuple[int, Any, int, tuple[Field, ...]]"
Plan: TypeAlias = "tuple[Step, ...]"


def make_plan(layout: Layout) -> Plan:
    """Return the steps that read the values of ``layout``."""
    steps: list[Step] = []
    run: list[Field] = []

    def end_run() -> None:
        if run:
            unpack, size = _fixed("<" + "".join(FIXED_CODES[field.type] for field in run))
            steps.append((FIXED, unpack, size, tuple(run)))
            run.clear()

    for field in layout.fields:
        if field.type in FIXED_CODES:
            run.append(field)
            continue
        end_run()
        steps.append(_step(field))
    end_run()
    if layout.kind >= Kind.OPAQUE:
        steps.append((UNKNOWN, "the schema entry describes no fields", 0, ()))
    elif layout.problem and not (steps and steps[-1][0] == UNKNOWN):
        steps.append((UNKNOWN, f"of the schema entry {layout.problem}", 0, ()))
    return tuple(steps)


def _step(field: Field) -> Step:
    fields = (field,)
    match field.type:
        case FieldType.STRING:
            return STRING, None, 0, fields
        case FieldType.REFERENCE:
            return REFERENCE, None, 0, fields
        case FieldType.STRUCT:
            return STRUCT, field.schema, 0, fields
        case FieldType.STRUCT_ARRAY:
            return STRUCT_ARRAY, field.schema, 0, fields
        case FieldType.ARRAY:
            decode = ARRAY_DECODERS.get(field.element)
            if decode is None:
                return UNKNOWN, f"an array of the unknown type {field.element:02X}", 0, fields
            return CALL, decode, 0, fields
        case _:
            decode = DECODERS.get(field.type)
            if decode is None:
                return UNKNOWN, f"unknown type {field.type:02X}", 0, fields
            return CALL, decode, 0, fields


@lru_cache(maxsize=1024)
def _fixed(code: str) -> tuple[Callable[..., tuple[Any, ...]], int]:
    layout = Struct(code)
    return layout.unpack_from, layout.size
