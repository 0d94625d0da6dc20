"""Values read with a type tree: what each kind of field takes, where zeros follow, and where it ends too early."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.unityfs.errors import UnityFSError
from assetdb_formats.unityfs.serialized_files.tree_values import (
    Kind,
    PPtr,
    ValuePlan,
    leaves,
    make_plan,
    name_plan,
    read_value,
    references,
)
from assetdb_formats.unityfs.types.typetree import parse_lines
from tests.assetdb_formats.unityfs import builder

if TYPE_CHECKING:
    from assetdb_formats.unityfs.serialized_files.tree_values import Value

STRING = builder.STRING
PADDED = (" Array Array!", *STRING[1:])


def plan(*lines: str) -> ValuePlan:
    return make_plan(tuple(parse_lines(("Thing Base", *lines))))


def array(name: str, *element: str, mark: str = "") -> tuple[str, ...]:
    return (f" vector {name}", f"  Array Array{mark}", "   int size", *(f"   {line}" for line in element))


def fields(data: bytes, *lines: str, order: str = "<") -> tuple[Value, int]:
    return read_value(plan(*lines), data, order=order)


NUMBERS = [
    ("SInt8", "b", -1),
    ("UInt8", "B", 255),
    ("char", "B", 65),
    ("bool", "?", True),
    ("short", "h", -2),
    ("SInt16", "h", -2),
    ("unsigned short", "H", 65535),
    ("UInt16", "H", 65535),
    ("int", "i", -3),
    ("SInt32", "i", -3),
    ("unsigned int", "I", 1 << 31),
    ("UInt32", "I", 1 << 31),
    ("Type*", "I", 7),
    ("long long", "q", -4),
    ("SInt64", "q", -4),
    ("unsigned long long", "Q", 1 << 63),
    ("UInt64", "Q", 1 << 63),
    ("FileSize", "Q", 1 << 63),
    ("float", "f", 0.5),
    ("double", "d", 0.1),
]


@pytest.mark.parametrize("order", ["<", ">"])
def test_each_number_has_its_width_and_sign_in_either_byte_order(order: str) -> None:
    for type_name, code, value in NUMBERS:
        data = pack(order + code, value)
        assert fields(data + b"more", f" {type_name} x", order=order) == ({"x": value}, len(data))
        with pytest.raises(UnityFSError, match=f"needs {len(data)} bytes, {len(data) - 1} are left") as caught:
            fields(data[:-1], f" {type_name} x", order=order)
        assert (caught.value.offset, caught.value.field) == (0, "Base.x")
        listed = pack(order + "i" + code, 1, value)
        found = fields(listed, *array("xs", f"{type_name} data"), order=order)
        assert found == ({"xs": pack("B", value & 255) if code in "bB" else [value]}, len(listed))  # type: ignore[operator]


def test_the_smallest_size_of_each_kind_bounds_a_count() -> None:
    kinds = {
        plan(" string s", *builder.within(1, STRING)).children[0]: (Kind.TEXT, 4),
        plan(" TypelessData b", "  int size", "  UInt8 data").children[0]: (Kind.BYTES, 4),
        plan(" PPtr<Object> p", *builder.within(1, builder.POINTER)).children[0]: (Kind.POINTER, 12),
        plan(" PPtr<Object> p", "  int m_FileID", "  int m_PathID").children[0]: (Kind.POINTER, 8),
        plan(*array("a", "int data")).children[0]: (Kind.NUMBERS, 4),
        plan(*array("a", "UInt8 data")).children[0]: (Kind.BYTES, 4),
        plan(*array("a", "Pair data", " int x", " SInt64 y")).children[0]: (Kind.LIST, 4),
        plan(" Pair p", "  int x", "  SInt64 y").children[0]: (Kind.FIELDS, 12),
        plan(" Empty e").children[0]: (Kind.FIELDS, 1),
        plan(" ReferencedObject r", "  SInt64 rid").children[0]: (Kind.REFERENCED, 8),
    }
    assert [(found.kind, found.smallest) for found in kinds] == list(kinds.values())


def test_a_tree_that_contradicts_itself_is_refused() -> None:
    for lines, message in (
        ((" int x", "  int y"), "int x has fields"),
        ((" PPtr<Object> x", "  SInt64 m_FileID", "  SInt64 m_PathID"), "PPtr<Object> x has no numbers"),
        ((" PPtr<Object> x", "  int m_FileID", "  float m_PathID"), "PPtr<Object> x has no numbers"),
        ((" vector x", "  Array Array", "   int size"), "the array in x has 1 parts"),
        ((" vector x", "  Array Array", "   int size", "   int a", "   int b"), "the array in x has 3 parts"),
    ):
        with pytest.raises(UnityFSError) as caught:
            plan(*lines)
        assert (caught.value.what, caught.value.field) == (message, "tree")


def test_a_pointer_without_its_two_numbers_is_an_ordinary_class() -> None:
    assert fields(pack("<iq", 1, 2), " PPtr<Object> p", *builder.within(1, builder.POINTER)) == ({"p": PPtr(1, 2)}, 12)
    assert fields(pack("<ii", 1, 2), " PPtr<Object> p", "  int m_FileID", "  int m_PathID") == ({"p": PPtr(1, 2)}, 8)
    assert fields(pack("<i", 1), " PPtr<Object> p", "  int m_FileID") == ({"p": {"m_FileID": 1}}, 4)
    assert fields(pack("<iq", 1, 2), " Pair p", *builder.within(1, builder.POINTER))[0] == {
        "p": {"m_FileID": 1, "m_PathID": 2}
    }


def test_zeros_follow_what_is_aligned_and_may_be_cut_off_at_the_end() -> None:
    assert fields(b"\1\0\0\0\2", " UInt8 a!", " UInt8 b!") == ({"a": 1, "b": 2}, 5)
    assert fields(b"\1\2\0\0\0", " UInt8 a", " UInt8 b!") == ({"a": 1, "b": 2}, 4)
    assert fields(pack("<i", 2) + b"ab\0\0\3", *array("s", "UInt8 data", mark="!"), " UInt8 c")[0] == {
        "s": b"ab",
        "c": 3,
    }
    # An aligned number in an array: zeros follow the last one alone. So of a string, whose array is aligned.
    assert fields(pack("<ihhhH", 3, 1, 2, 3, 0) + b"\7", *array("n", "short data!"), " UInt8 c") == (
        {"n": [1, 2, 3], "c": 7},
        13,
    )
    assert fields(
        pack("<i", 1) + b"x\0\0\0\7", " string s", "  Array Array!", "   int size", "   char data", " UInt8 c"
    )[0] == {"s": "x", "c": 7}
    assert fields(pack("<i", 1) + b"x\7", " string s", *builder.within(1, STRING), " UInt8 c") == (
        {"s": "x", "c": 7},
        6,
    )
    assert fields(b"\1\0\0\0\2", " Inner i!", "  UInt8 a", " UInt8 b") == ({"i": {"a": 1}, "b": 2}, 5)


def test_text_that_is_not_utf_8_is_kept() -> None:
    data = pack("<i", 2) + b"\xff\xfe"
    assert fields(data, " string s", *builder.within(1, STRING))[0] == {"s": "\udcff\udcfe"}


def test_counts_are_of_items_that_fit() -> None:
    for lines, size, count in (
        (array("xs", "int data"), 4, 3),
        (array("xs", "UInt8 data"), 1, 12),
        ((" string xs", *builder.within(1, STRING)), 1, 12),
        (array("xs", "Pair data", " short x", " int y"), 6, 2),
    ):
        read_value(plan(*lines), pack("<i", count) + bytes(12))
        for wrong in (count + 1, -1):
            what = f"counts {wrong} items of {size} bytes, 12 bytes are left"
            with pytest.raises(UnityFSError) as caught:
                read_value(plan(*lines), pack("<i", wrong) + bytes(12), base=100)
            assert (caught.value.what, caught.value.offset, caught.value.field) == (what, 104, "Base.xs")


def test_lists_and_classes_lie_in_each_other() -> None:
    lines = array("rows", "Row data", " vector cells", "  Array Array", "   int size", "   Cell data", "    int x")
    data = pack("<i", 3) + pack("<iii", 2, 1, 2) + pack("<i", 0) + pack("<ii", 1, 3)
    assert fields(data + pack("<i", 9), *lines, " int last") == (
        {"rows": [{"cells": [{"x": 1}, {"x": 2}]}, {"cells": []}, {"cells": [{"x": 3}]}], "last": 9},
        len(data) + 4,
    )
    with pytest.raises(UnityFSError) as caught:
        fields(data[:-4], *lines)
    assert caught.value.field == "Base.rows.data.cells"


def test_an_error_names_the_last_eight_fields_down_to_it() -> None:
    lines = [" " * level + f"Deep f{level}" for level in range(1, 10)]
    with pytest.raises(UnityFSError) as caught:
        read_value(plan(*lines, " " * 10 + "int x"), b"", base=7)
    assert (caught.value.offset, caught.value.field) == (7, "f3.f4.f5.f6.f7.f8.f9.x")


REGISTRY = (
    " ManagedReferencesRegistry refs",
    "  int version",
    "  ReferencedObject 00000000",
    "   ReferencedManagedType type",
    *("    string class", *builder.within(4, PADDED)),
    *("    string ns", *builder.within(4, PADDED)),
    *("    string asm", *builder.within(4, PADDED)),
    "   ReferencedObjectData data",
)
P = builder.Packer()


def named(name: bytes, space: bytes = b"Fruit", assembly: bytes = b"Game") -> bytes:
    return P.string(name) + P.string(space) + P.string(assembly)


APPLE = make_plan(tuple(parse_lines(("Apple Base", " int weight", *REGISTRY))))
KNOWN = {("Fruit", "Apple", "Game"): APPLE}


def test_a_registry_goes_on_until_a_class_that_does_not_exist() -> None:
    data = P("i", 1) + named(b"Apple") + P("i", 5) + named(b"Terminus", b"UnityEngine.DMAT", b"FAKE_ASM") + b"rest"
    value, end = read_value(plan(*REGISTRY), data, referenced=KNOWN)
    assert end == len(data) - 4
    assert isinstance(value, dict)
    registry = value["refs"]
    assert isinstance(registry, dict)
    assert list(registry) == ["version", "00000000", "00000001"]
    # An object has one registry: that of what is in it is not stored.
    assert registry["00000000"] == {
        "type": {"class": "Apple", "ns": "Fruit", "asm": "Game"},
        "data": {"weight": 5, "refs": {}},
    }
    # Two registries after each other are both read.
    twice = plan(*REGISTRY, *(line.replace("refs", "more") for line in REGISTRY))
    value, end = read_value(twice, data[:-4] * 2, referenced=KNOWN)
    assert isinstance(value, dict)
    assert value["refs"] == value["more"] == registry


def test_a_referenced_object_is_of_a_class_of_the_file() -> None:
    with pytest.raises(UnityFSError) as caught:
        read_value(plan(*REGISTRY), P("i", 1) + named(b"Pear"), referenced=KNOWN)
    assert caught.value.what == "the file has no reference type Fruit.Pear"
    assert caught.value.field == "Base.refs.00000000.data"
    untyped = (" ReferencedObject r", "  ReferencedObjectData data")
    with pytest.raises(UnityFSError, match="a referenced object without a type") as missing:
        read_value(plan(*untyped), b"")
    assert missing.value.field == "Base.r.data"


def test_a_class_without_fields_is_an_empty_dictionary() -> None:
    assert read_value(plan(), b"x") == ({}, 0)
    assert fields(b"\1", " Empty e", " UInt8 x") == ({"e": {}, "x": 1}, 1)


def test_the_plan_of_a_name_ends_with_it() -> None:
    whole = plan(" int before", " string m_Name", *builder.within(1, PADDED), " int after")
    short = name_plan(whole)
    assert short is not None
    assert read_value(short, P("i", 3) + P.string(b"elm")).value == {"before": 3, "m_Name": "elm"}
    assert name_plan(plan(" int m_Name")) is None
    assert name_plan(plan(" string other", *builder.within(1, STRING))) is None
    # Zeros behind the whole object are not behind its name.
    aligned = make_plan(tuple(parse_lines(("Thing Base!", " string m_Name", *builder.within(1, STRING)))))
    short = name_plan(aligned)
    assert short is not None
    assert read_value(short, pack("<i", 1) + b"x\0\0\0") == ({"m_Name": "x"}, 5)


TREE: Value = {
    "a": PPtr(0, 0),
    "b": PPtr(1, 2),
    "c": [{"d": PPtr(0, 3), "e": 1}, {"d": PPtr(0, 0), "e": 2}],
    "f": [1, 2],
    "g": ["x", "y"],
    "h": [],
    "i": {},
    "j": b"z",
    "k": [PPtr(0, 4), PPtr(2, 0)],
}


def test_references_are_those_that_are_not_null_in_their_order() -> None:
    assert list(references(TREE)) == [("b", PPtr(1, 2)), ("c[0].d", PPtr(0, 3)), ("k[0]", PPtr(0, 4))]
    assert list(references(PPtr(0, 1))) == [("", PPtr(0, 1))]
    assert list(references(5)) == []


def test_leaves_are_what_one_line_shows() -> None:
    assert list(leaves(TREE)) == [
        ("a", PPtr(0, 0)),
        ("b", PPtr(1, 2)),
        ("c[0].d", PPtr(0, 3)),
        ("c[0].e", 1),
        ("c[1].d", PPtr(0, 0)),
        ("c[1].e", 2),
        ("f", [1, 2]),
        ("g[0]", "x"),
        ("g[1]", "y"),
        ("h", []),
        ("i", {}),
        ("j", b"z"),
        ("k[0]", PPtr(0, 4)),
        ("k[1]", PPtr(2, 0)),
    ]
    assert list(leaves(7)) == [("", 7)]
