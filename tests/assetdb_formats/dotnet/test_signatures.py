"""Types in signatures, byte by byte as ECMA-335 has them."""

from __future__ import annotations

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.dotnet.signatures import Element, Signature, read_field, read_type
from assetdb_formats.dotnet.tables import TYPE_DEF, TYPE_REF, TYPE_SPEC

INT = Signature(Element.I4)


def test_each_simple_type_is_one_byte() -> None:
    for code in (*range(0x01, 0x0F), 0x0F, 0x10, 0x14, 0x16, 0x18, 0x19, 0x1B, 0x1C):
        assert read_type(bytes([code, 0xFF])) == Signature(Element(code))
    for code in (0x00, 0x17, 0x1A, 0x21, 0x40, 0xFF):
        with pytest.raises(FormatError, match=f"no type has the code {code:#x}") as caught:
            read_type(bytes([code]))
        assert (caught.value.offset, caught.value.field) == (1, "signature")


def test_a_named_type_is_a_row_of_one_of_three_tables() -> None:
    assert read_type(b"\x11\x0c") == Signature(Element.VALUE_TYPE, TYPE_DEF, 3)
    assert read_type(b"\x12\x0d") == Signature(Element.CLASS, TYPE_REF, 3)
    assert read_type(b"\x12\x81\x02") == Signature(Element.CLASS, TYPE_SPEC, 0x40)
    with pytest.raises(FormatError, match="a type of no table") as caught:
        read_type(b"\x12\x0f")
    assert (caught.value.offset, caught.value.field) == (2, "signature")


def test_variables_vectors_and_generic_types_have_parts() -> None:
    assert read_type(b"\x13\x02") == Signature(Element.VARIABLE, row=2)
    assert read_type(b"\x1e\x01") == Signature(Element.METHOD_VARIABLE, row=1)
    assert read_type(b"\x1d\x1d\x08") == Signature(
        Element.VECTOR, arguments=(Signature(Element.VECTOR, arguments=(INT,)),)
    )
    assert read_type(b"\x15\x12\x05\x02\x08\x0e") == Signature(
        Element.GENERIC, TYPE_REF, 1, (INT, Signature(Element.STRING))
    )


def test_an_argument_behind_an_array_of_several_dimensions_is_the_next_one() -> None:
    array, text = Signature(Element.ARRAY), Signature(Element.STRING)
    assert read_type(b"\x15\x12\x05\x02\x14\x08\x02\x00\x00\x0e").arguments == (array, text)  # Pair<int[,], string>
    assert read_type(b"\x15\x12\x05\x02\x14\x12\x05\x02\x02\x03\x81\x02\x01\x00\x0e").arguments == (array, text)
    nested = read_type(b"\x15\x12\x05\x02\x1d\x14\x08\x02\x00\x00\x0e").arguments
    assert nested == (Signature(Element.VECTOR, arguments=(array,)), text)
    assert read_type(b"\x15\x12\x05\x02\x0f\x08\x0e").arguments == (Signature(Element.POINTER), text)


def test_modifiers_and_pins_before_a_type_are_stepped_over() -> None:
    assert read_type(b"\x1f\x81\x02\x20\x05\x45\x41\x08") == INT
    with pytest.raises(FormatError, match="needs 1 bytes, 0 are left"):
        read_type(b"\x1f")


def test_a_field_begins_with_its_mark() -> None:
    assert read_field(b"\x06\x08") == INT
    for blob in (b"\x07\x08", b"\x08"):
        with pytest.raises(FormatError, match="is not the signature of a field") as caught:
            read_field(blob)
        assert (caught.value.offset, caught.value.field) == (0, "signature")


def test_types_lie_in_each_other_at_most_sixteen_deep() -> None:
    vectors = read_type(b"\x1d" * 16 + b"\x08")
    for _ in range(16):
        (vectors,) = vectors.arguments
    assert vectors == INT
    generic = b"\x15\x12\x05\x01"
    assert read_type(generic * 16 + b"\x08").element is Element.GENERIC
    assert read_field(b"\x06" + b"\x1d" * 16 + b"\x08").element is Element.VECTOR
    for deeper in (b"\x1d" * 17 + b"\x08", generic * 17 + b"\x08"):
        with pytest.raises(FormatError, match="a type deeper than 16") as caught:
            read_type(deeper)
        assert caught.value.field == "signature"


def test_a_generic_type_has_at_most_64_arguments() -> None:
    assert len(read_type(b"\x15\x12\x05\x40" + b"\x08" * 64).arguments) == 64
    with pytest.raises(FormatError, match="65 arguments of a generic type") as caught:
        read_type(b"\x15\x12\x05\x41" + b"\x08" * 65)
    assert (caught.value.offset, caught.value.field) == (4, "signature")
