"""Reading of values without inner values: numbers, strings, blobs.

Every decoder takes the data, an offset and the offset where the values of the object end; it returns the value and
where it ends, and raises :class:`CassetError` without a field name, which the caller knows.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Final, TypeAlias

from assetdb_formats.casset.errors import CassetError
from assetdb_formats.casset.model import Blob, Delegate, FieldType, Reference

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from assetdb_formats.casset.model import Data, Value

Decoder: TypeAlias = "Callable[[Data, int, int], tuple[Value, int]]"

# What has a fixed size and is one Python value; a run of such values is read with one unpacking.
FIXED_CODES: Final[Mapping[int, str]] = {
    FieldType.U8: "B",
    FieldType.U16: "H",
    FieldType.U32: "I",
    FieldType.U64: "Q",
    FieldType.S8: "b",
    FieldType.S16: "h",
    FieldType.S32: "i",
    FieldType.S64: "q",
    FieldType.F32: "f",
    FieldType.F64: "d",
    FieldType.UUID: "16s",
}
VECTOR_CODES: Final[Mapping[int, str]] = {
    FieldType.VEC2: "2f",
    FieldType.VEC3: "3f",
    FieldType.VEC4: "4f",
    FieldType.VEC2I: "2i",
    FieldType.VEC3I: "3i",
    FieldType.VEC4I: "4i",
    FieldType.MATRIX4: "16f",
}
NULL: Final = bytes(16)
_U16: Final = Struct("<H")
_U32: Final = Struct("<I")
_BLOB: Final = Struct("<qQ")


def short(size: int, position: int, end: int) -> CassetError:
    """Return the error of a value that exceeds the remaining bytes."""
    return CassetError(f"needs {size} bytes, {max(end - position, 0)} are left", offset=position)


def need(size: int, position: int, end: int) -> None:
    """Raise the error of a value that exceeds the remaining bytes."""
    if end - position < size:
        raise short(size, position, end)


def count_of(data: Data, position: int, end: int, size: int) -> tuple[int, int]:
    """Return a count of elements, checked against the remaining bytes."""
    if end - position < 4:
        raise short(4, position, end)
    count: int = _U32.unpack_from(data, position)[0]
    position += 4
    if count * size > end - position:
        raise CassetError(
            f"counts {count} elements of at least {size} bytes, {end - position} bytes are left", offset=position - 4
        )
    return count, position


def null(_data: Data, position: int, _end: int) -> tuple[Value, int]:
    """Read the value that takes no bytes."""
    return None, position


def boolean(data: Data, position: int, end: int) -> tuple[Value, int]:
    """Read a byte that is 0 or 1."""
    if position >= end:
        raise short(1, position, end)
    byte = data[position]
    if byte > 1:
        raise CassetError(f"a boolean is 0 or 1, not {byte}", offset=position)
    return byte == 1, position + 1


def string(data: Data, position: int, end: int) -> tuple[str, int]:
    """Read a zero-terminated string."""
    stop = data.find(b"\0", position, end)
    if stop < 0:
        raise CassetError("the string does not end", offset=position)
    return str(data[position:stop], "utf-8", "surrogateescape"), stop + 1


def named_string(data: Data, position: int, end: int, field: str) -> tuple[str, int]:
    """Read a zero-terminated string, naming its field in an error."""
    try:
        return string(data, position, end)
    except CassetError as error:
        raise error.inside(field) from None


def reference(data: Data, position: int, end: int) -> tuple[Reference | None, int]:
    """Read a reference: the object's UUID and the bundle's, or zeros."""
    found = data[position : position + 16]
    if found == NULL and end - position >= 16:
        return None, position + 16
    if end - position < 32:
        raise short(32, position, end)
    return Reference(found, data[position + 16 : position + 32]), position + 32


def delegate(data: Data, position: int, end: int) -> tuple[Delegate | None, int]:
    """Read a function binding: a reference and the function's name."""
    found, position = reference(data, position, end)
    if found is None:
        return None, position
    function, position = string(data, position, end)
    return Delegate(found.object, found.bundle, function), position


def object_map(data: Data, position: int, end: int) -> tuple[tuple[Reference, ...], int]:
    """Read an object map: a count and references that are never short."""
    count, position = count_of(data, position, end, 32)
    stop = position + 32 * count
    items = [Reference(data[at : at + 16], data[at + 16 : at + 32]) for at in range(position, stop, 32)]
    return tuple(items), stop


def blob(data: Data, position: int, end: int) -> tuple[Blob, int]:
    """Read a blob's size and flags, and view its bytes."""
    need(16, position, end)
    size, flags = _BLOB.unpack_from(data, position)
    position += 16
    if not 0 <= size <= end - position:
        raise CassetError(f"declares {size} bytes, {end - position} are left", offset=position - 16)
    return Blob(flags, memoryview(data)[position : position + size]), position + size


def opaque(data: Data, position: int, end: int) -> tuple[bytes, int]:
    """Read a plain type's bytes after their size, itself included."""
    need(2, position, end)
    size: int = _U16.unpack_from(data, position)[0]
    if not 2 <= size <= end - position:
        raise CassetError(f"declares {size} bytes, {end - position} are left", offset=position)
    return data[position + 2 : position + size], position + size


def _numbers(code: str) -> Decoder:
    size = Struct(f"<{code}").size

    def decode(data: Data, position: int, end: int) -> tuple[Value, int]:
        count, position = count_of(data, position, end, size)
        return Struct(f"<{count}{code}").unpack_from(data, position), position + count * size

    return decode


def _vector(code: str) -> Decoder:
    layout = Struct(f"<{code}")
    unpack, size = layout.unpack_from, layout.size

    def decode(data: Data, position: int, end: int) -> tuple[Value, int]:
        if end - position < size:
            raise short(size, position, end)
        return unpack(data, position), position + size

    return decode


def _tuples(code: str) -> Decoder:
    layout = Struct(f"<{code}")

    def decode(data: Data, position: int, end: int) -> tuple[Value, int]:
        count, position = count_of(data, position, end, layout.size)
        stop = position + count * layout.size
        return tuple(layout.iter_unpack(memoryview(data)[position:stop])), stop

    return decode


def _uuids(data: Data, position: int, end: int) -> tuple[Value, int]:
    count, position = count_of(data, position, end, 16)
    stop = position + 16 * count
    return tuple([data[at : at + 16] for at in range(position, stop, 16)]), stop


def _each(decode: Decoder, smallest: int) -> Decoder:
    def decode_all(data: Data, position: int, end: int) -> tuple[Value, int]:
        count, position = count_of(data, position, end, smallest)
        values = []
        for number in range(count):
            try:
                value, position = decode(data, position, end)
            except CassetError as error:
                raise CassetError(error.what, offset=error.offset, field=f"[{number}]{error.field}") from None
            values.append(value)
        return tuple(values), position

    return decode_all


def _one(code: str) -> Decoder:
    layout = Struct(f"<{code}")

    def decode(data: Data, position: int, end: int) -> tuple[Value, int]:
        need(layout.size, position, end)
        value: Value = layout.unpack_from(data, position)[0]
        return value, position + layout.size

    return decode


_event: Final = _each(delegate, 16)

# One value each.
DECODERS: Final[Mapping[int, Decoder]] = {
    FieldType.NULL: null,
    **{code: _one(format_code) for code, format_code in FIXED_CODES.items()},
    FieldType.BOOL: boolean,
    FieldType.STRING: string,
    **{code: _vector(format_code) for code, format_code in VECTOR_CODES.items() if code != FieldType.MATRIX4},
    FieldType.OBJECT_ARRAY: _each(reference, 16),
    FieldType.BLOB: blob,
    FieldType.REFERENCE: reference,
    FieldType.DELEGATE: delegate,
    FieldType.EVENT: _event,
    FieldType.OBJECT_MAP: object_map,
    FieldType.OPAQUE: opaque,
}

# Arrays of one scalar type each.
ARRAY_DECODERS: Final[Mapping[int, Decoder]] = {
    **{code: _numbers(format_code) for code, format_code in FIXED_CODES.items() if code != FieldType.UUID},
    FieldType.UUID: _uuids,
    FieldType.BOOL: _each(boolean, 1),
    FieldType.STRING: _each(string, 1),
    **{code: _tuples(format_code) for code, format_code in VECTOR_CODES.items() if code != FieldType.MATRIX4},
    FieldType.BLOB: _each(blob, 16),
    FieldType.REFERENCE: _each(reference, 16),
    FieldType.DELEGATE: _each(delegate, 16),
    FieldType.EVENT: _each(_event, 4),
    FieldType.OBJECT_MAP: _each(object_map, 4),
    FieldType.OPAQUE: _each(opaque, 2),
}
