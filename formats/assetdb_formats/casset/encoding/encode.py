# ruff: noqa: TRY301 - an error anywhere in a walk gets its path from the stack, in one place
"""Values to bytes, the reverse of ``scalars``, ``values`` and ``sized``."""

from __future__ import annotations

from struct import Struct, error
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.casset.encoding.scalars import FIXED_CODES, VECTOR_CODES
from assetdb_formats.casset.errors import CassetError
from assetdb_formats.casset.model import (
    Blob,
    Delegate,
    Field,
    FieldType,
    Reference,
    StructValue,
    element_type,
    is_array,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from assetdb_formats.casset.model import Layout, Value

_U32: Final = Struct("<I")
_U64: Final = Struct("<Q")
_BLOB: Final = Struct("<qQ")


class Output:
    """The pieces of a file being written; blobs stay views."""

    __slots__ = ("pieces", "size")

    def __init__(self) -> None:
        self.pieces: list[bytes | memoryview] = []
        self.size = 0

    def add(self, piece: bytes | memoryview) -> None:
        """Append a piece."""
        self.pieces.append(piece)
        self.size += len(piece)

    def reserve(self, layout: Struct) -> Hole:
        """Leave room for numbers that are known only later."""
        hole = Hole(len(self.pieces), self.size, layout)
        self.add(bytes(layout.size))
        return hole

    def fill(self, hole: Hole, *numbers: object) -> None:
        """Write the numbers that a hole was left for."""
        self.pieces[hole.piece] = hole.layout.pack(*numbers)


class Hole(NamedTuple):
    """Reserved space for numbers that are known later."""

    piece: int
    offset: int
    layout: Struct


class _Frame(NamedTuple):
    """A struct or an array being written, with its size's hole."""

    name: str
    items: Iterator[tuple[Field, Value]]
    hole: Hole | None


def encode_string(text: object, field: str = "") -> bytes:
    """Return a string with its zero byte; raises CassetError."""
    if not isinstance(text, str):
        raise CassetError(f"a string is wanted, not {type(text).__name__}", field=field)
    try:
        raw = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as failure:
        raise CassetError(f"the string cannot be written: {failure.reason}", field=field) from None
    if b"\0" in raw:
        raise CassetError("the string contains a zero byte, which would end it", field=field)
    return raw + b"\0"


def encode_value(field: Field, value: Value) -> Iterable[bytes | memoryview]:
    """Return the pieces of a value that holds no struct."""
    try:
        if field.type == FieldType.ARRAY:
            return _array(field.element, value)
        return _ENCODERS[field.type](value)
    except KeyError:
        raise CassetError(f"no value of type {field.type_name} can be written") from None
    except (error, TypeError, AttributeError):
        raise CassetError(f"{_shown(value)} is not a value of type {field.type_name}") from None


def put_values(
    output: Output, layout: Layout, values: Sequence[Value], layouts: Sequence[Layout], *, sized: bool = False
) -> None:
    """Append the values of an object of format 3.

    ``sized`` is the format of one day, where each value has its size. CassetError names the field whose value does not
    fit its type.
    """
    stack = [_Frame("", _pairs(layout, values), None)]
    try:
        while stack:
            _, items, hole = stack[-1]
            for field, value in items:
                mark = output.reserve(_U64) if sized else None
                if field.type == FieldType.STRUCT:
                    if not isinstance(value, StructValue) or value.layout != _entry(layouts, field.schema):
                        raise CassetError(f"{_shown(value)} is not the struct of the schema", field=field.name)
                    stack.append(_Frame(field.name, _pairs(value.layout, value.values), mark))
                    break
                if field.type == FieldType.STRUCT_ARRAY or (sized and field.type in _SIZED_ARRAYS):
                    elements = _elements_of(value, field.name)
                    output.add(_U32.pack(len(elements)))
                    stack.append(_Frame(field.name, _elements(field, elements), mark))
                    break
                try:
                    for piece in encode_value(field, value):
                        output.add(piece)
                except CassetError as failure:
                    raise CassetError(failure.what, field=field.name) from None
                if mark is not None:
                    output.fill(mark, output.size - mark.offset)
            else:
                stack.pop()
                if hole is not None:
                    output.fill(hole, output.size - hole.offset)
    except CassetError as failure:
        names = [frame.name for frame in stack if frame.name]
        raise CassetError(
            failure.what, field=".".join(filter(None, (*names, failure.field))).replace(".[", "[")
        ) from None


def _pairs(layout: Layout, values: Sequence[Value]) -> Iterator[tuple[Field, Value]]:
    if len(values) != len(layout.fields):
        raise CassetError(f"{len(values)} values for the {len(layout.fields)} fields of {layout.name}")
    return zip(layout.fields, values, strict=True)


def _elements(array: Field, values: Sequence[Value]) -> Iterator[tuple[Field, Value]]:
    code = element_type(array.type, array.element)
    return ((Field(f"[{number}]", code, array.schema), value) for number, value in enumerate(values))


def _elements_of(value: Value, name: str = "") -> Sequence[Value]:
    """Return the elements of an array."""
    if not is_array(value):
        raise CassetError(f"{_shown(value)} is not a tuple of values", field=name)
    return value


def _entry(layouts: Sequence[Layout], index: int) -> Layout | None:
    return layouts[index] if 0 <= index < len(layouts) else None


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


_SIZED_ARRAYS: Final = frozenset((FieldType.OBJECT_ARRAY, FieldType.ARRAY))


def _number(code: str) -> Callable[[Value], Iterable[bytes | memoryview]]:
    layout = Struct(f"<{code}")
    return lambda value: (layout.pack(value),)


def _vector(code: str) -> Callable[[Value], Iterable[bytes | memoryview]]:
    layout = Struct(f"<{code}")

    def encode(value: Value) -> Iterable[bytes | memoryview]:
        return (layout.pack(*_elements_of(value)),)

    return encode


def _null(value: Value) -> Iterable[bytes | memoryview]:
    if value is not None:
        raise TypeError
    return ()


def _boolean(value: Value) -> Iterable[bytes | memoryview]:
    if not isinstance(value, bool):
        raise TypeError
    return (b"\1" if value else b"\0",)


def _string(value: Value) -> Iterable[bytes | memoryview]:
    return (encode_string(value),)


def _uuid(value: Value) -> Iterable[bytes | memoryview]:
    if not isinstance(value, bytes) or len(value) != 16:
        raise TypeError
    return (value,)


def _reference(value: Value) -> Iterable[bytes | memoryview]:
    if value is None:
        return (bytes(16),)
    if not isinstance(value, Reference):
        raise TypeError
    if not any(value.object):
        raise CassetError("a reference to no object is None")
    return (*_uuid(value.object), *_uuid(value.bundle))


def _delegate(value: Value) -> Iterable[bytes | memoryview]:
    if value is None:
        return (bytes(16),)
    if not isinstance(value, Delegate):
        raise TypeError
    return (*_reference(Reference(value.object, value.bundle)), encode_string(value.function))


def _object_map(value: Value) -> Iterable[bytes | memoryview]:
    items = _elements_of(value)
    pieces: list[bytes | memoryview] = [_U32.pack(len(items))]
    for item in items:
        if not isinstance(item, Reference):
            raise TypeError
        pieces += (*_uuid(item.object), *_uuid(item.bundle))
    return pieces


def _blob(value: Value) -> Iterable[bytes | memoryview]:
    if not isinstance(value, Blob):
        raise TypeError
    return _BLOB.pack(len(value.data), value.flags), value.data


def _opaque(value: Value) -> Iterable[bytes | memoryview]:
    if not isinstance(value, bytes):
        raise TypeError
    return Struct("<H").pack(len(value) + 2), value


def _array(element: int, value: Value) -> Iterable[bytes | memoryview]:
    items = _elements_of(value)
    encode = _ENCODERS[element]
    pieces: list[bytes | memoryview] = [_U32.pack(len(items))]
    for item in items:
        pieces += encode(item)
    return pieces


_ENCODERS: Final[Mapping[int, Callable[[Value], Iterable[bytes | memoryview]]]] = {
    FieldType.NULL: _null,
    **{code: _number(format_code) for code, format_code in FIXED_CODES.items()},
    FieldType.UUID: _uuid,
    FieldType.BOOL: _boolean,
    FieldType.STRING: _string,
    **{code: _vector(format_code) for code, format_code in VECTOR_CODES.items()},
    FieldType.OBJECT_ARRAY: lambda value: _array(FieldType.REFERENCE, value),
    FieldType.BLOB: _blob,
    FieldType.REFERENCE: _reference,
    FieldType.DELEGATE: _delegate,
    FieldType.EVENT: lambda value: _array(FieldType.DELEGATE, value),
    FieldType.OBJECT_MAP: _object_map,
    FieldType.OPAQUE: _opaque,
}
