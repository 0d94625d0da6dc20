"""Properties without tags: the header, the zeros, and the values of a schema."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.properties.decoded import Property
from assetdb_formats.unreal.properties.tags import TypeName
from assetdb_formats.unreal.properties.unversioned import UnversionedReader
from assetdb_formats.unreal.properties.usmap import Mappings, Schema, SchemaProperty
from tests.assetdb_formats.unreal.properties.test_value_decoder import decoder, name

if TYPE_CHECKING:
    from assetdb_formats.unreal.properties.value_decoder import ValueDecoder

INTEGER = TypeName("IntProperty")
ENUM = TypeName("EnumProperty", (TypeName("EMode"), TypeName("ByteProperty")))
START = 3
LAST, ZEROS = 0x100, 0x80


def fragment(skip: int, values: int, flags: int = 0) -> bytes:
    return pack("<H", skip | flags | values << 9)


def reader(
    data: bytes, types: list[TypeName], *, more: dict[str, Schema] | None = None, slots: int = 0
) -> tuple[UnversionedReader, ValueDecoder]:
    properties = [SchemaProperty(f"P{number}", number, 1, each) for number, each in enumerate(types)]
    schemas = {"S": Schema("S", "", slots or len(types), properties)} | (more or {})
    made = decoder(data, unversioned=True)
    return UnversionedReader(made, Mappings(schemas, {"EMode": {7: "On"}, "EState": {0: "Idle", 1: "Running"}})), made


def test_a_header_says_which_properties_follow() -> None:
    data = fragment(1, 2) + fragment(2, 1, LAST) + pack("<iii", 5, 6, 7)
    found, after = reader(bytes(START) + data, [INTEGER] * 7)[0].read("S", START, START + len(data))
    assert found == [
        Property("P1", INTEGER, 0, 5, START + 4, 4),
        Property("P2", INTEGER, 0, 6, START + 8, 4),
        Property("P5", INTEGER, 0, 7, START + 12, 4),
    ]
    assert after == START + len(data)


def test_a_fragment_without_values_only_skips() -> None:
    data = fragment(127, 0) + fragment(3, 1, LAST) + pack("<i", 5)
    assert [each.name for each in reader(data, [INTEGER] * 131)[0].read("S", 0, len(data))[0]] == ["P130"]


@pytest.mark.parametrize(
    ("count", "size"), [(1, 1), (8, 1), (9, 2), (16, 2), (17, 4), (32, 4), (33, 8), (64, 8), (65, 12)]
)
def test_a_mask_says_which_properties_are_zero(count: int, size: int) -> None:
    mask = (1 << count) - 1 - (1 << (count - 1))  # all but the last
    data = fragment(0, count, ZEROS | LAST) + mask.to_bytes(size, "little") + pack("<i", 9)
    found, after = reader(data, [INTEGER] * count)[0].read("S", 0, len(data))
    assert [each.value for each in found] == [0] * (count - 1) + [9]
    assert (after, found[-1].offset, found[-1].size) == (len(data), 2 + size, 4)
    with pytest.raises(UnrealError, match="the zero mask is cut off") as caught:
        reader(data, [INTEGER] * count)[0].read("S", 0, 1 + size)
    assert (caught.value.offset, caught.value.field) == (2, "properties")


def test_only_runs_with_zeros_have_bits_of_the_mask() -> None:
    data = fragment(0, 1) + fragment(0, 2, ZEROS) + fragment(1, 1, ZEROS | LAST) + b"\6" + pack("<ii", 5, 6)
    found = reader(data, [INTEGER] * 5)[0].read("S", 0, len(data))[0]
    assert [(each.name, each.value) for each in found] == [("P0", 5), ("P1", 6), ("P2", 0), ("P4", 0)]
    assert [each.size for each in found] == [4, 4, 0, 0]
    assert found[2].offset == found[3].offset == len(data)


@pytest.mark.parametrize(
    ("kind", "zero"),
    [
        ("BoolProperty", False),
        ("StrProperty", ""),
        ("NameProperty", "None"),
        ("ArrayProperty", []),
        ("IntProperty", 0),
        ("StructProperty", 0),
    ],
)
def test_a_zero_is_that_of_its_type(kind: str, zero: object) -> None:
    data = fragment(0, 1, ZEROS | LAST) + b"\1"
    ((prop,), _) = reader(data, [TypeName(kind)])[0].read("S", 0, len(data))
    assert prop.value == zero
    assert type(prop.value) is type(zero)


def test_an_enumeration_is_the_name_of_its_number() -> None:
    data = fragment(0, 3, LAST) + b"\7\6\7"
    other = TypeName("EnumProperty", (TypeName("EOther"), TypeName("ByteProperty")))
    found = reader(data, [ENUM, ENUM, other])[0].read("S", 0, len(data))[0]
    assert [each.value for each in found] == ["On", 6, 7]


def test_a_zero_of_an_enumeration_is_a_name_too() -> None:
    kind = TypeName("EnumProperty", (TypeName("EState"), TypeName("ByteProperty")))
    data = fragment(0, 2, ZEROS | LAST) + b"\1" + b"\1"
    found = reader(data, [kind, kind])[0].read("S", 0, len(data))[0]
    assert [(each.value, each.size) for each in found] == [("Idle", 0), ("Running", 1)]


def test_a_struct_within_is_read_by_its_schema() -> None:
    inner = Schema("Inner", "", 1, [SchemaProperty("Deep", 0, 1, INTEGER)])
    within = fragment(0, 1, LAST) + pack("<i", 5)
    data = fragment(0, 1, LAST) + within
    kind = TypeName("StructProperty", (TypeName("Inner"),))
    opened, made = reader(data, [kind], more={"Inner": inner})
    found = opened.read("S", 0, len(data))[0]
    assert found == [Property("P0", kind, 0, [Property("Deep", INTEGER, 0, 5, 4, 4)], 2, 6)]
    assert (made.depth, made.budget) == (0, 998)


def test_structs_nest_as_deep_as_the_bound() -> None:
    kind = TypeName("StructProperty", (TypeName("S"),))
    for depth in (47, 48):
        data = fragment(0, 1, LAST) * depth + fragment(0, 0, LAST)
        opened, made = reader(data, [kind])
        if depth == 47:
            assert opened.read("S", 0, len(data))[1] == len(data)
        else:
            with pytest.raises(UnrealError, match="structs nest too deep") as caught:
                opened.read("S", 0, len(data))
            assert (caught.value.offset, caught.value.field) == (len(data), "S")
        assert made.depth == 0


@pytest.mark.parametrize(
    ("data", "message", "offset", "field"),
    [
        (fragment(0, 1, LAST) + pack("<i", 5)[:3], "P0 goes past the end", 2, "S"),
        (fragment(0, 4, LAST), "property 4 of 3", 0, "properties"),
        (fragment(3, 1, LAST), "property 4 of 3", 0, "properties"),
        (fragment(2, 1, LAST) + bytes(4), "property 2 has no type in the mappings", 0, "S"),
        (fragment(0, 1), "the header is cut off", 0, "properties"),
        (b"\0", "the header is cut off", 0, "properties"),
        (fragment(0, 0) * 12, "a header without an end", 0, "properties"),
        (fragment(0, 0) * 10, "the header is cut off", 0, "properties"),
    ],
)
def test_what_leaves_the_schema_or_the_data_is_an_error(data: bytes, message: str, offset: int, field: str) -> None:
    opened, made = reader(bytes(START) + data + bytes(9), [INTEGER, INTEGER], slots=3)
    with pytest.raises(UnrealError, match=message) as caught:
        opened.read("S", START, START + len(data))
    assert (caught.value.offset, caught.value.field) == (START + offset, field)
    assert made.depth == 0


def test_a_name_takes_eight_bytes() -> None:
    data = fragment(0, 2, LAST) + name("A") + name("B", 1)
    found = reader(data, [TypeName("NameProperty")] * 2)[0].read("S", 0, len(data))[0]
    assert [each.value for each in found] == ["A", "B_0"]
