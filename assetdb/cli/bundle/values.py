"""The values of a ``.casset`` object for people and for programs: flat, one path a value, however deep they nest."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from formats.casset.identity import uuid_text
from formats.casset.model import (
    Blob,
    Delegate,
    Field,
    FieldType,
    Reference,
    StructValue,
    TypedArray,
    is_array,
    type_name,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from formats.casset.model import BundleObject, Value

_SHOWN_ELEMENTS: Final = 12
_SHOWN_CHARACTERS: Final = 100


class Leaf(NamedTuple):
    """A value that is shown as one: its path (``inners[0].obj``), its type for people, and itself."""

    path: str
    type: str
    value: Value


def leaves(entry: BundleObject) -> Iterator[Leaf]:
    """Yield the values of an object in their order, structs and arrays of structs taken apart."""
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


def plain(value: Value, kind: str = "") -> Any:  # noqa: ANN401 - what json takes
    """Return a leaf's value as JSON has it; bytes are hexadecimal, except UUIDs."""
    if is_array(value):
        return [plain(item, kind) for item in value]
    match value:
        case float() if not math.isfinite(value):
            return str(value)
        case str():
            return value.encode("utf-8", "backslashreplace").decode() if not value.isascii() else value
        case bytes():
            return uuid_text(value) if kind.startswith(type_name(FieldType.UUID)) else value.hex()
        case Blob():
            return {"size": len(value.data), "flags": value.flags}
        case Delegate():
            return {**_target(value.object, value.bundle), "function": plain(value.function)}
        case Reference():
            return _target(value.object, value.bundle)
        case StructValue():
            return {}
        case TypedArray():
            return [plain(item, element.type_name) for element, item in zip(value.elements, value.values, strict=True)]
        case _:
            return value


def _target(found: bytes, bundle: bytes) -> dict[str, str]:
    return {"object": uuid_text(found), "bundle": uuid_text(bundle)}


def shown(value: Value, kind: str, name_of: Callable[[bytes, bytes], str]) -> str:
    """Return a leaf's value for people; ``name_of`` names the target of a reference (object, bundle)."""
    if is_array(value):
        return _listed(value, [kind] * len(value), name_of)
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case str():
            text = json.dumps(plain(value), ensure_ascii=False)
            return (
                text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}... ({len(value)} characters)"
            )
        case float():
            return f"{value:.9g}"
        case Blob():
            return f"{len(value.data):,} bytes" + (f", flags {value.flags:#x}" if value.flags else "")
        case Delegate():
            return f"{name_of(value.object, value.bundle)} {value.function}()"
        case Reference():
            return name_of(value.object, value.bundle)
        case bytes():
            text = plain(value, kind)
            return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}... ({len(value)} bytes)"
        case StructValue():
            return "{}"
        case TypedArray():
            kinds = [element.type_name for element in value.elements]
            return _listed(value.values, kinds, name_of)
        case _:
            return str(value)


def _listed(values: tuple[Value, ...], kinds: list[str], name_of: Callable[[bytes, bytes], str]) -> str:
    items = [shown(item, kind, name_of) for item, kind in zip(values[:_SHOWN_ELEMENTS], kinds, strict=False)]
    more = f", ... ({len(values)} in all)" if len(values) > _SHOWN_ELEMENTS else ""
    return f"[{', '.join(items)}{more}]"


def differences(
    old: BundleObject, new: BundleObject, same: Mapping[bytes, bytes]
) -> list[tuple[str, Leaf | None, Leaf | None]]:
    """Return the paths whose values differ, with both leaves; None where an object has no such value.

    ``same`` leads from UUIDs of the old bundle to those of the new: in a copy with UUIDs of its own, a reference to the
    object of the same path is the same.
    """
    before = {leaf.path: leaf for leaf in leaves(old)}
    after = {leaf.path: leaf for leaf in leaves(new)}
    return [
        (path, left, right)
        for path in dict.fromkeys((*before, *after))
        if _key(left := before.get(path), same) != _key(right := after.get(path), {})
    ]


def _key(leaf: Leaf | None, same: Mapping[bytes, bytes]) -> object:
    """Return what a leaf is compared by."""
    return None if leaf is None else (leaf.type, _value_key(leaf.value, same))


def _value_key(value: Value, same: Mapping[bytes, bytes]) -> object:
    if is_array(value):
        return [_value_key(item, same) for item in value]
    match value:
        case float():
            return repr(value)  # NaN is NaN here, and -0 is not 0
        case Reference() | Delegate():
            target = (same.get(value.object, value.object), same.get(value.bundle, value.bundle))
            return (*target, value.function) if isinstance(value, Delegate) else target
        case TypedArray():
            return [_value_key(item, same) for item in value.values]
        case _:
            return value


def fields_of(entry: BundleObject) -> Mapping[str, Any]:
    """Return the values of an object for JSON: path to value."""
    return {leaf.path: plain(leaf.value, leaf.type) for leaf in leaves(entry)}
