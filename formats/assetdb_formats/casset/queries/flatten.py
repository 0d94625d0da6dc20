"""Values of a ``.casset`` object, flat, one path each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from assetdb_formats.casset.model import Field, FieldType, StructValue, TypedArray, is_array

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assetdb_formats.casset.model import BundleObject, Value


class Leaf(NamedTuple):
    """A value shown in one line, with its path (``inners[0].obj``) and type."""

    path: str
    type: str
    value: Value


def leaves(entry: BundleObject) -> Iterator[Leaf]:
    """Yield an object's values in order, taking structs apart."""
    stack = [_members("", zip(entry.layout.fields, entry.values, strict=False))]
    while stack:
        for path, field, value in stack[-1]:
            if isinstance(value, StructValue) and value.values:
                stack.append(_members(f"{path}.", zip(value.layout.fields, value.values, strict=True)))
                break
            if isinstance(value, TypedArray) and _holds_values(value.values):
                stack.append(_elements(path, zip(value.elements, value.values, strict=True)))
                break
            if field.type == FieldType.STRUCT_ARRAY and is_array(value) and value:
                inner = Field("", FieldType.STRUCT, field.schema)
                stack.append(_elements(path, ((inner, item) for item in value)))
                break
            yield Leaf(path, field.type_name, value)
        else:
            stack.pop()


def _members(prefix: str, pairs: Iterable[tuple[Field, Value]]) -> Iterator[tuple[str, Field, Value]]:
    return ((f"{prefix}{field.name}", field, value) for field, value in pairs)


def _elements(path: str, pairs: Iterable[tuple[Field, Value]]) -> Iterator[tuple[str, Field, Value]]:
    return ((f"{path}[{number}]", field, value) for number, (field, value) in enumerate(pairs))


def _holds_values(values: Iterable[Value]) -> bool:
    return any(isinstance(value, StructValue | TypedArray) for value in values)
