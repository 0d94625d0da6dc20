from __future__ import annotations

import struct
import time

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.casset.encoding.read import is_casset, read_bundle
from assetdb_formats.casset.encoding.write import encode_bundle
from assetdb_formats.casset.model import Blob, Format, Kind, Reference, StructValue, TypedArray
from tests.assetdb_formats.casset import builder
from tests.assetdb_formats.casset.builder import (
    ALL_TYPES,
    BUNDLE_TYPE,
    OTHER,
    OWN,
    bundle3,
    bundle_object,
    object3,
    schema_entry,
    u16,
    u32,
    u64,
    z,
)


@pytest.mark.parametrize("version", [(3, 0, 0), (3, 1, 0)])
def test_every_type_is_read(version: tuple[int, int, int]) -> None:
    bundle = read_bundle(builder.all_types(version))
    assert bundle.problems == ()
    assert (bundle.format, bundle.version, bundle.name, bundle.uuid) == (Format.BUNDLE_3, version, "Bundle", OWN)
    assert bundle.format_name == f"3.{version[1]}"
    assert bundle.source == ("All.png" if version[1] else None)
    assert bundle.dependencies == (OTHER, OTHER)
    everything = bundle.objects[1]
    assert (everything.path, everything.name, everything.is_asset, everything.extra) == ("All", "All", 1, b"new")
    assert everything.class_name == "/Code/Test.T::AllTypes"
    for name, _, _, expected in ALL_TYPES:
        value = everything.value(name)
        assert value == expected, name
        assert type(value) is type(expected), name
    inner = everything.value("inner")
    assert isinstance(inner, StructValue)
    assert (inner.layout.name, inner.values) == ("/Code/Test.T::Inner", (-7, builder.REFERENCE))
    inners = everything.value("inners")
    assert isinstance(inners, tuple)
    assert [item.values for item in inners if isinstance(item, StructValue)] == [(100, None), (-7, builder.REFERENCE)]
    with pytest.raises(KeyError):
        everything.value("absent")


def test_the_opaque_kind_of_schema_entry_ends_after_its_name() -> None:
    bundle = read_bundle(builder.all_types())
    assert [layout.kind for layout in bundle.schema] == [Kind.CLASS, Kind.CLASS, Kind.STRUCT, Kind.OPAQUE]
    assert bundle.schema[3].name == "/Code/Test.T::Opaque"
    assert bundle.problems == ()


def test_a_blob_is_a_view_of_the_file() -> None:
    data = builder.all_types()
    blob = read_bundle(data).objects[1].value("blob")
    assert isinstance(blob, Blob)
    assert isinstance(blob.data, memoryview)
    assert blob.data.obj is data


def test_the_sized_format_is_told_by_its_structure() -> None:
    bundle = read_bundle(builder.sized())
    assert bundle.problems == ()
    assert (bundle.format, bundle.format_name, bundle.version) == (Format.SIZED_3, "3.0 sized", (3, 0, 0))
    thing = bundle.objects[1]
    assert thing.value("number") == 123
    assert thing.value("strings") == ("a", "b")
    assert thing.value("objects") == (None, builder.REFERENCE)
    inners = thing.value("inners")
    assert isinstance(inners, tuple)
    assert len(inners) == 2
    assert inners[0] == thing.value("inner")


def test_format_2_names_its_own_fields() -> None:
    bundle = read_bundle(builder.bundle2())
    assert bundle.problems == ()
    assert (bundle.format_name, bundle.name, bundle.dependencies) == ("2.0", "/Game/Old", ("/Game/Other",))
    thing = bundle.objects[1]
    assert (thing.path, thing.class_name, thing.source, thing.is_asset) == ("Thing", "/Code/T", "Thing.png", 1)
    assert thing.value("target") == Reference(b"OLDOBJCT", b"OLDBUNDL")
    assert thing.value("outer") is None
    assert thing.value("raw") == Blob(0, b"abc")
    assert thing.value("position") == (1.0, 2.0, 3.0)
    assert thing.value("matrix") == tuple(map(float, range(16)))
    mapped = thing.value("map")
    assert isinstance(mapped, StructValue)
    assert mapped.values == (0.5,)
    listed = thing.value("list")
    assert isinstance(listed, TypedArray)
    assert listed.values == ("a", 4, TypedArray((), ()))


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("lists", [False, True])
def test_text_bundles_are_read(line_end: str, *, lists: bool) -> None:
    bundle = read_bundle(builder.text(line_end, lists=lists))
    assert bundle.format is Format.TEXT
    assert bundle.uuid == (8385831137116481649).to_bytes(8, "little")
    assert bundle.name == ("Texture" if lists else "Cracks 10")
    entry = bundle.objects[0]
    assert entry.class_name == "CE::TextureAsset"
    assert entry.value("textureType") == "2"
    if lists:
        assert entry.value("assetObjectStore") == ("[]",)
        assert entry.value("childAssets") == ("CE::Asset",)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        (b"uuid: 8385831137116481649", b"uuid: 18446744073709551616", "64-bit"),
        (b"uuid: 8385831137116481649", b"uuid: -1", "64-bit"),
        (b"name: Texture\r\n", b"", "missing"),
        (b"name: Texture\r\n", b"name: Texture\n", "line ends"),
        (b"name: Texture\r\n", b"name: a\r\nname: b\r\n", "duplicate key"),
        (b"textureType: 2", b"  - lost", "key"),
        (b"textureType: 2", b"tags:\r\n  - []", "item of a list"),
        (b"textureType: 2", b"text\0ure: 2", "zero byte"),
    ],
)
def test_text_that_is_none_is_refused(old: bytes, new: bytes, what: str) -> None:
    with pytest.raises(FormatError, match=what):
        read_bundle(builder.text().replace(old, new))


@pytest.mark.parametrize("lines", [b"list:\n" + b"  - a\n" * 100_000, b"".join(b"k%d:\n" % n for n in range(60_000))])
def test_text_is_read_in_proportion_to_its_size(lines: bytes) -> None:
    began = time.process_time()
    read_bundle(b"_TypeId: T\nname: n\nuuid: 1\n" + lines[:-1] + b"\0")
    assert time.process_time() - began < 4


def test_a_wrong_uuid_is_told_where_it_is() -> None:
    with pytest.raises(FormatError) as caught:
        read_bundle(b"_TypeId: uuid\nname: n\nuuid: x\0")
    assert caught.value.offset == 22


@pytest.mark.parametrize(("start", "name"), [(b"\0CPAK\0\0\n", "CPAK"), (b"\0PACK\0\0\n", "PACK")])
def test_older_packages_are_refused_by_name(start: bytes, name: str) -> None:
    assert is_casset(start)
    with pytest.raises(FormatError, match=name):
        read_bundle(start + bytes(100))


def test_other_files_are_refused() -> None:
    assert not is_casset(b"UnityFS\0" + bytes(8))
    with pytest.raises(FormatError, match=r"not a \.casset"):
        read_bundle(b"UnityFS\0" + bytes(100))
    with pytest.raises(FormatError, match=r"4\.0\.0"):
        read_bundle(bundle3([], [], version=(4, 0, 0)))


THING = schema_entry(0, "/Code/T::Thing", [("name", b"\x0c"), ("size", b"\x03")])
GOOD = z("Good") + u32(5)


@pytest.mark.parametrize(
    ("entry", "field", "what"),
    [
        (object3(1, 1, "Bad", "Bad", z("Bad") + b"\1"), "size", "needs 4 bytes"),
        (object3(1, 1, "Bad", "Bad", b"no end"), "name", "does not end"),
        (object3(1, 1, "Bad", "Bad", GOOD + b"??"), "fields", "2 bytes are left"),
        (object3(1, 9, "Bad", "Bad", GOOD), "schema", "names schema entry 9 of 3"),
        (object3(1, 2, "Bad", "Bad", GOOD), "odd", "unknown type 2A"),
        (object3(1, 1, "Bad", "Bad", GOOD).replace(u64(17), u64(18)), "fields", "the fields say 18 bytes"),
    ],
)
def test_a_bad_object_is_passed_over_and_reported(entry: bytes, field: str, what: str) -> None:
    odd = schema_entry(0, "/Code/T::Odd", [("name", b"\x0c"), ("odd", b"\x2a")])
    good = object3(2, 1, "Good", "Good", GOOD)
    bundle = read_bundle(bundle3([BUNDLE_TYPE, THING, odd], [bundle_object(), entry, good]))
    assert [found.problem is None for found in bundle.objects] == [True, False, True]
    bad = bundle.objects[1]
    assert bad.raw == entry
    assert bad.path == "Bad"
    assert bundle.objects[2].values == ("Good", 5)
    problem = bundle.problems[-1]
    assert problem.field == f"objects[1].{field}"
    assert what in problem.what
    assert problem.offset is not None
    assert bad.offset <= problem.offset <= bad.offset + bad.size


def test_what_could_be_read_of_a_bad_object_is_kept() -> None:
    entry = object3(1, 1, "Bad", "Bad", z("Its name"))
    bundle = read_bundle(bundle3([BUNDLE_TYPE, THING], [bundle_object(), entry]))
    assert bundle.objects[1].values == ("Its name",)


def test_an_error_names_the_path_to_the_value() -> None:
    inner = schema_entry(1, "/Code/T::Inner", [("texts", b"\x15\x0c"), ("flag", b"\x0b")])
    outer = schema_entry(0, "/Code/T::Outer", [("a", b"\x01"), ("inners", b"\x14" + u32(2))])
    values = b"\1" + u32(2) + u32(1) + z("x") + b"\1" + u32(3) + z("y") + z("z") + b"no end"
    bundle = read_bundle(bundle3([BUNDLE_TYPE, outer, inner], [bundle_object(), object3(1, 1, "O", "O", values)]))
    assert [problem.field for problem in bundle.problems] == ["objects[1].inners[1].texts[2]"]
    values = b"\1" + u32(1) + u32(0) + b"\7"
    bundle = read_bundle(bundle3([BUNDLE_TYPE, outer, inner], [bundle_object(), object3(1, 1, "O", "O", values)]))
    assert [problem.field for problem in bundle.problems] == ["objects[1].inners[0].flag"]
    assert "0 or 1, not 7" in bundle.problems[0].what


def test_extra_bytes_of_headers_are_kept() -> None:
    bundle = read_bundle(bundle3([BUNDLE_TYPE], [bundle_object()], header_extra=b"later", gap=b"gap"))
    assert (bundle.header_extra, bundle.gap, bundle.problems) == (b"later", b"gap", ())


def test_a_data_crc_of_format_2_is_compared() -> None:
    data = bytearray(builder.bundle2())
    assert read_bundle(bytes(data)).problems == ()
    last = data.index(b"\0OBJECT\0", 100) - 4
    without = data[:last] + bytes(4) + data[last + 4 :]
    assert read_bundle(bytes(without)).problems == ()  # 0 says that there is none
    data[last - 1] ^= 1  # the matrix's last byte
    bundle = read_bundle(bytes(data))
    assert [problem.field for problem in bundle.problems] == ["objects[0].crc"]
    assert "the CRC-32 of the data is" in bundle.problems[0].what
    assert bundle.problems[0].offset == last
    assert encode_bundle(bundle) == bytes(data)


def test_a_header_checksum_of_format_2_is_reported() -> None:
    data = bytearray(builder.bundle2())
    data[16] = 9
    (problem,) = read_bundle(bytes(data)).problems
    assert (problem.offset, problem.field) == (16, "checksum")


def test_a_checksum_is_reported_because_the_engine_refuses_it() -> None:
    bundle = read_bundle(bundle3([BUNDLE_TYPE], [bundle_object()], checksum=7))
    assert bundle.checksum == 7
    assert ["00000007" in problem.what for problem in bundle.problems] == [True]


def test_structs_nest_as_deep_as_the_data_says() -> None:
    depth = 100_000
    node = schema_entry(1, "/Code/T::Node", [("children", b"\x14" + u32(1))])
    holder = schema_entry(0, "/Code/T::Holder", [("root", b"\x1a" + u32(1))])
    entry = object3(1, 2, "H", "H", u32(1) * depth + u32(0))
    bundle = read_bundle(bundle3([BUNDLE_TYPE, node, holder], [bundle_object(), entry]))
    assert bundle.problems == ()
    value = bundle.objects[1].value("root")
    for _ in range(depth):
        assert isinstance(value, StructValue)
        (children,) = value.values
        assert isinstance(children, tuple)
        assert len(children) == 1
        value = children[0]


@pytest.mark.parametrize(
    ("types", "values"),
    [
        # a struct that contains itself
        ([schema_entry(1, "/S", [("self", b"\x1a" + u32(1))])], b""),
        # four thousand million structs of no bytes
        ([schema_entry(1, "/S", [("all", b"\x14" + u32(2))]), schema_entry(1, "/E", [])], u32(0xFFFFFFFF)),
        # two structs in each of two structs and so on, 2^60 of no bytes in all
        (
            [schema_entry(1, f"/S{n}", [("a", b"\x1a" + u32(n + 2)), ("b", b"\x1a" + u32(n + 2))]) for n in range(60)]
            + [schema_entry(1, "/E", [])],
            b"",
        ),
    ],
)
def test_structs_of_no_bytes_are_counted(types: list[bytes], values: bytes) -> None:
    entry = object3(1, 1, "S", "S", values)
    bundle = read_bundle(bundle3([BUNDLE_TYPE, *types], [bundle_object(), entry]))
    assert ["more structs" in problem.what for problem in bundle.problems] == [True]


@pytest.mark.parametrize(
    ("code", "value"),
    [
        (b"\x15\x0c", u32(0xFFFFFFFF)),
        (b"\x15\x03", u32(0x40000000)),
        (b"\x15\x1b", u32(0x10000000)),
        (b"\x15\x0f", u32(0x10000000)),
        (b"\x13", u32(0xFFFFFFFF)),
        (b"\x19", u32(0xFFFFFFFF)),
        (b"\x1c", u32(0x08000000)),
        (b"\x14" + u32(2), u32(0xFFFFFFFF)),
        (b"\x16", u64(1 << 40) + u64(0)),
        (b"\x16", struct.pack("<qQ", -1, 0)),
        (b"\x1d", u16(1)),
        (b"\x1d", u16(60000)),
    ],
)
def test_declared_sizes_are_checked_before_anything_is_allocated(code: bytes, value: bytes) -> None:
    types = [BUNDLE_TYPE, schema_entry(0, "/T", [("x", code)]), schema_entry(1, "/S", [("n", b"\x03")])]
    bundle = read_bundle(bundle3(types, [bundle_object(), object3(1, 1, "T", "T", value)]))
    assert len(bundle.problems) == 1
    assert bundle.problems[0].field.startswith("objects[1].x")


def test_an_unknown_kind_of_schema_entry_is_kept_and_its_objects_are_bad() -> None:
    strange = schema_entry(5, "/Strange", None) + b"more"
    bundle = read_bundle(bundle3([BUNDLE_TYPE, strange], [bundle_object(), object3(1, 1, "S", "S", b"")]))
    assert bundle.schema[1].raw == strange
    assert [problem.field for problem in bundle.problems] == ["schema[1]", "objects[1]"]


def test_the_primary_object_is_chosen_as_the_registry_does() -> None:
    assert (bundle := read_bundle(builder.all_types())).primary is bundle.objects[1]
    nested = object3(1, 0, "A.B", "B", b"", is_asset=1)
    bundle = read_bundle(bundle3([BUNDLE_TYPE], [bundle_object(), nested]))
    assert bundle.primary is bundle.objects[0]
    assert read_bundle(bundle3([], [])).primary is None
