"""Types in signatures of fields and generics (ECMA-335, II.23.2)."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

from assetdb_formats.binary import FormatError, Reader
from assetdb_formats.dotnet.tables import TYPE_DEF, TYPE_REF, TYPE_SPEC, compressed

_FIELD: Final = 0x06
_DEEPEST: Final = 16  # of generic types in one another, arrays of arrays: real ones have three
_MOST_ARGUMENTS: Final = 64
_MODIFIERS: Final = (0x1F, 0x20)
_PINNED: Final = 0x45
_SENTINELS: Final = (0x41, _PINNED)
_TAGS: Final = (TYPE_DEF, TYPE_REF, TYPE_SPEC)


class Element(IntEnum):
    """The element types of signatures (ECMA-335, II.23.1.16)."""

    VOID = 0x01
    BOOLEAN = 0x02
    CHAR = 0x03
    I1 = 0x04
    U1 = 0x05
    I2 = 0x06
    U2 = 0x07
    I4 = 0x08
    U4 = 0x09
    I8 = 0x0A
    U8 = 0x0B
    R4 = 0x0C
    R8 = 0x0D
    STRING = 0x0E
    POINTER = 0x0F
    REFERENCE = 0x10
    VALUE_TYPE = 0x11
    CLASS = 0x12
    VARIABLE = 0x13
    ARRAY = 0x14
    GENERIC = 0x15
    TYPED_REFERENCE = 0x16
    NATIVE = 0x18
    UNSIGNED_NATIVE = 0x19
    FUNCTION = 0x1B
    OBJECT = 0x1C
    VECTOR = 0x1D
    METHOD_VARIABLE = 0x1E


_WITH_A_TYPE: Final = (Element.POINTER, Element.REFERENCE, Element.ARRAY)


class Signature(NamedTuple):
    """A type.

    Attributes:
        element: what it is.
        table: of VALUE_TYPE, CLASS and GENERIC: the table of the type that is meant.
        row: its row there; of VARIABLE the number of the parameter.
        arguments: of GENERIC what it is made with; of VECTOR its one element.
    """

    element: Element
    table: int = 0
    row: int = 0
    arguments: tuple[Signature, ...] = ()


def read_field(blob: bytes) -> Signature:
    """Return the type of a field.

    The parts of pointers, functions and arrays of several dimensions are left out.

    Raises:
        FormatError: it is not the signature of a field, or is nested deeper than any type.
    """
    reader = Reader(blob)
    if reader.u8("signature") != _FIELD:
        raise FormatError("is not the signature of a field", offset=0, field="signature")
    return _type(reader, 0)


def read_type(blob: bytes) -> Signature:
    """Return the type of a TypeSpec. Raises FormatError."""
    return _type(Reader(blob), 0)


def _type(reader: Reader, depth: int, *, to_end: bool = False) -> Signature:
    """Read a type; ``to_end`` also over parts that are left out."""
    if depth > _DEEPEST:
        raise reader.error(f"a type deeper than {_DEEPEST}", "signature")
    code = reader.u8("signature")
    while code in _MODIFIERS or code in _SENTINELS:
        if code in _MODIFIERS:
            compressed(reader, "signature")
        code = reader.u8("signature")
    try:
        element = Element(code)
    except ValueError:
        raise reader.error(f"no type has the code {code:#x}", "signature") from None
    if element in (Element.VALUE_TYPE, Element.CLASS):
        return Signature(element, *_token(reader))
    if element in (Element.VARIABLE, Element.METHOD_VARIABLE):
        return Signature(element, row=compressed(reader, "signature"))
    if element is Element.VECTOR:
        return Signature(element, arguments=(_type(reader, depth + 1, to_end=to_end),))
    if element is Element.GENERIC:
        reader.need(1, "signature")  # a class or a value
        table, row = _token(reader)
        count = compressed(reader, "signature")
        if count > _MOST_ARGUMENTS:
            raise reader.error(f"{count} arguments of a generic type", "signature")
        return Signature(element, table, row, tuple(_type(reader, depth + 1, to_end=True) for _ in range(count)))
    if to_end and element in _WITH_A_TYPE:
        _type(reader, depth + 1, to_end=True)
        if element is Element.ARRAY:
            compressed(reader, "signature")  # how many dimensions
            for _ in ("sizes", "lower bounds"):
                for _ in range(compressed(reader, "signature")):
                    compressed(reader, "signature")
    return Signature(element)


def _token(reader: Reader) -> tuple[int, int]:
    coded = compressed(reader, "signature")
    if coded & 3 == 3:
        raise reader.error("a type of no table", "signature")
    return _TAGS[coded & 3], coded >> 2
