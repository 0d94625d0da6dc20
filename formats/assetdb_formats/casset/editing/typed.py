"""Typed values of a field from plain data, as JSON has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb_formats.casset.encoding.scalars import VECTOR_CODES
from assetdb_formats.casset.errors import EditError
from assetdb_formats.casset.identity import uuid_from_text
from assetdb_formats.casset.model import Blob, Delegate, Field, FieldType, Reference, element_type

if TYPE_CHECKING:
    from assetdb_formats.casset.model import Value

_INTEGERS: Final = frozenset(range(FieldType.U8, FieldType.S64 + 1))
_FLOATS: Final = (FieldType.F32, FieldType.F64)
_ARRAYS: Final = (FieldType.ARRAY, FieldType.OBJECT_ARRAY, FieldType.EVENT, FieldType.OBJECT_MAP)


def typed_value(field: Field, plain: object, current: Value = None) -> Value:
    """Convert plain JSON to a value of the field's type.

    ``current`` is the value that it replaces.

    UUIDs are their text, bytes are hexadecimal, a reference is ``{"object": UUID, "bundle": UUID}`` or null, a delegate
    has a ``function`` besides. Whether a number fits is checked when it is written. Raises EditError.
    """
    code = field.type
    if code in _INTEGERS and type(plain) is int:
        return plain
    if code in _FLOATS and isinstance(plain, int | float) and not isinstance(plain, bool):
        try:
            return float(plain)
        except OverflowError:  # an integer of more than 308 digits
            raise EditError(_no_value(field)) from None
    if code in _FLOATS and plain in ("nan", "inf", "-inf"):
        return float(str(plain))
    if (code == FieldType.BOOL and isinstance(plain, bool)) or (code == FieldType.STRING and isinstance(plain, str)):
        return plain
    if code == FieldType.UUID and isinstance(plain, str):
        return uuid_from_text(plain)
    if code == FieldType.OPAQUE and isinstance(plain, str):
        return _from_hexadecimal(field, plain)
    if code == FieldType.BLOB and isinstance(plain, bytes):
        return Blob(current.flags if isinstance(current, Blob) else 0, plain)
    if code in (FieldType.REFERENCE, FieldType.DELEGATE):
        return _target(code, field, plain)
    if isinstance(plain, list):
        if code in VECTOR_CODES:
            return _vector(field, plain)
        if code in _ARRAYS:
            element = element_type(code, field.element)
            return tuple(typed_value(Field(field.name, element, field.schema), item) for item in plain)
    raise EditError(_no_value(field))


def _from_hexadecimal(field: Field, plain: str) -> bytes:
    try:
        return bytes.fromhex(plain)
    except ValueError:
        raise EditError(f"{field.name} is a {field.type_name}: hexadecimal digits") from None


def _no_value(field: Field) -> str:
    if field.type in (FieldType.STRUCT, FieldType.STRUCT_ARRAY, FieldType.TYPED_ARRAY):
        return f"{field.name} is a {field.type_name}: name a value in it, such as {field.name}.x or {field.name}[0].x"
    return f"{field.name} is a {field.type_name}; it cannot hold that value"


def _target(code: int, field: Field, plain: object) -> Reference | Delegate | None:
    if plain is None:
        return None
    names = {"object", "bundle"} | ({"function"} if code == FieldType.DELEGATE else set())
    if (
        not isinstance(plain, dict)
        or plain.keys() != names
        or not all(isinstance(text, str) for text in plain.values())
    ):
        raise EditError(f"{field.name} is a {field.type_name}: null or an object with {', '.join(sorted(names))}")
    target = Reference(uuid_from_text(plain["object"]), uuid_from_text(plain["bundle"]))
    return Delegate(*target, plain["function"]) if code == FieldType.DELEGATE else target


def _vector(field: Field, plain: list[object]) -> Value:
    form = VECTOR_CODES[field.type]
    inner = Field(field.name, FieldType.F32 if form[-1] == "f" else FieldType.S32)
    if len(plain) != int(form[:-1]):
        raise EditError(f"{field.name} is a {field.type_name}: {form[:-1]} numbers")
    return tuple(typed_value(inner, number) for number in plain)
