"""Mappings in every version of their format."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.properties.tags import TypeName
from assetdb_formats.unreal.properties.usmap import Mappings, Schema, SchemaProperty, read_usmap, read_usmap_file

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ["Actor", "Object", "Count", "EMode", "Off", "On", "Vector", "List"]
NONE = 0xFFFFFFFF
# The types in the order of their numbers.
NUMBERED = """Byte Bool Int Float Object Name Delegate Double Array Struct Str Text Interface MulticastDelegate
WeakObject LazyObject AssetObject SoftObject UInt64 UInt32 UInt16 Int64 Int16 Int8 Map Set Enum FieldPath Optional
Utf8Str AnsiStr"""
TYPES = NUMBERED.split()
WITHIN = {"Array": b"\2", "Set": b"\2", "Optional": b"\2", "Map": b"\5\2", "Enum": b"\0", "Struct": b""}


def place(name: str) -> bytes:
    return pack("<I", NAMES.index(name))


def body(version: int, schemas: list[bytes]) -> bytes:
    out = pack("<I", len(NAMES))
    for each in NAMES:
        out += pack("<H" if version >= 2 else "<B", len(each)) + each.encode()
    values = [(4, "Off"), (9, "On")]
    out += pack("<I", 1) + place("EMode") + pack("<H" if version >= 3 else "<B", len(values))
    for value, name in values:
        out += (pack("<Q", value) if version >= 4 else b"") + place(name)
    return out + pack("<I", len(schemas)) + b"".join(schemas)


def schema(name: str, above: int, count: int, properties: list[bytes]) -> bytes:
    return place(name) + pack("<IHH", above, count, len(properties)) + b"".join(properties)


def prop(name: str, number: int, size: int, kind: bytes) -> bytes:
    return pack("<HB", number, size) + place(name) + kind


def usmap(version: int, content: bytes, *, versioning: bytes | None = None, compression: int = 0) -> bytes:
    out = pack("<HB", 0x30C4, version)
    if version >= 1:
        out += pack("<i", 0) if versioning is None else pack("<i", 1) + versioning
    return out + pack("<BII", compression, len(content), len(content)) + content


ACTOR = schema("Actor", 1, 5, [prop("Count", 1, 1, b"\2"), prop("List", 2, 2, b"\x08\3")])
OBJECT = schema("Object", NONE, 1, [])


@pytest.mark.parametrize("version", range(5))
def test_mappings_of_each_version(version: int) -> None:
    found = read_usmap(usmap(version, body(version, [ACTOR, OBJECT])))
    count = SchemaProperty("Count", 1, 1, TypeName("IntProperty"))
    listed = SchemaProperty("List", 2, 2, TypeName("ArrayProperty", (TypeName("FloatProperty"),)))
    assert found.schemas == {
        "Actor": Schema("Actor", "Object", 5, [count, listed]),
        "Object": Schema("Object", "", 1, []),
    }
    assert found.enumerations == {"EMode": {4: "Off", 9: "On"} if version >= 4 else {0: "Off", 1: "On"}}
    assert found.slots("Actor") == [None, (count, 0), (listed, 0), (listed, 1), None, None]
    assert found.slots("Actor") is found.slots("Actor")


def test_the_versions_of_the_game_are_passed_over() -> None:
    versions = bytes(8) + pack("<i", 2) + bytes(40) + bytes(4)
    assert set(read_usmap(usmap(1, body(1, [OBJECT]), versioning=versions)).schemas) == {"Object"}


@pytest.mark.parametrize("number", range(len(TYPES)))
def test_a_type_is_its_number_and_those_within_it(number: int) -> None:
    name = TYPES[number]
    kind = bytes([number]) + WITHIN.get(name, b"")
    kind += place("EMode") if name == "Enum" else place("Vector") if name == "Struct" else b""
    (found,) = read_usmap(usmap(4, body(4, [schema("Actor", NONE, 1, [prop("Count", 0, 1, kind)])]))).schemas.values()
    integer = TypeName("IntProperty")
    within = {
        "Array": (integer,),
        "Set": (integer,),
        "Optional": (integer,),
        "Map": (TypeName("NameProperty"), integer),
        "Enum": (TypeName("EMode"), TypeName("ByteProperty")),
        "Struct": (TypeName("Vector"),),
    }
    assert found.properties == [SchemaProperty("Count", 0, 1, TypeName(f"{name}Property", within.get(name, ())))]


def test_a_type_of_an_unknown_number_keeps_its_number() -> None:
    (found,) = read_usmap(
        usmap(4, body(4, [schema("Actor", NONE, 1, [prop("Count", 0, 1, b"\x1f")])]))
    ).schemas.values()
    assert str(found.properties[0].type) == "UnknownProperty31"


@pytest.mark.parametrize("code", [b"\x08", b"\x19", b"\x1c", b"\x18", b"\x1a"])
def test_types_nest_as_deep_as_the_bound(code: bytes) -> None:
    def nested(depth: int) -> bytes:
        if code == b"\x18":  # a map: its keys are nested too
            return code * depth + b"\2" * (depth + 1)
        return code * depth + b"\2" + (place("EMode") * depth if code == b"\x1a" else b"")

    read_usmap(usmap(4, body(4, [schema("Actor", NONE, 1, [prop("Count", 0, 1, nested(16))])])))
    with pytest.raises(UnrealError, match="types nest too deep") as caught:
        read_usmap(usmap(4, body(4, [schema("Actor", NONE, 1, [prop("Count", 0, 1, nested(17))])])))
    assert caught.value.field == "schemas"


def test_slots_are_those_of_the_class_and_then_of_its_supers() -> None:
    own = SchemaProperty("Own", 0, 3, TypeName("IntProperty"))
    base = SchemaProperty("Base", 1, 1, TypeName("IntProperty"))
    found = Mappings({"B": Schema("B", "A", 2, [own]), "A": Schema("A", "", 2, [base])}, {})
    assert found.slots("B") == [(own, 0), (own, 1), None, (base, 0)]


@pytest.mark.parametrize("above", ["A", "Missing"])
def test_a_chain_of_supers_ends_in_the_mappings(above: str) -> None:
    found = Mappings({"A": Schema("A", "B", 0, []), "B": Schema("B", above, 0, [])}, {})
    with pytest.raises(UnrealError, match=f"the mappings have no schema of {above}") as caught:
        found.slots("A")
    assert caught.value.field == "schema A"


SOUND = usmap(0, body(0, [OBJECT]))


@pytest.mark.parametrize(
    ("data", "message", "offset", "field"),
    [
        (b"\xc5" + SOUND[1:], "starts with 0x30C5, not with 0x30C4: not a .usmap", 0, "magic"),
        (pack("<HB", 0x30C4, 5), "a .usmap of version 5; 0 to 4 are known", 2, "version"),
        (usmap(0, b"abc", compression=4), "compressed with number 4; none to 3 are known", None, "body"),
        (
            SOUND[:8] + pack("<I", 99) + SOUND[12:],
            f"{len(SOUND) - 12} bytes, but the header has a size of 99",
            None,
            "body",
        ),
        (usmap(1, b"", versioning=bytes(8) + pack("<i", 9)), "counts 9 items of 20 bytes", 19, "custom_versions"),
        (usmap(0, pack("<I", 5) + b"abc"), "counts 5 items of 1 bytes", 4, "names"),
        (usmap(0, pack("<II", 0, 9) + bytes(9)), "counts 9 items of 5 bytes", 8, "enumerations"),
        (usmap(0, pack("<III", 0, 0, 1) + bytes(11)), "counts 1 items of 12 bytes", 12, "schemas"),
        (usmap(0, pack("<IIIIB", 0, 1, 0, 0, 0)), "names number 0 of 0", 12, "names"),
    ],
)
def test_mappings_that_are_damaged_are_an_error(data: bytes, message: str, offset: int | None, field: str) -> None:
    with pytest.raises(UnrealError, match=message) as caught:
        read_usmap(data)
    assert (caught.value.offset, caught.value.field) == (offset, field)


def test_an_error_of_a_file_has_its_path(tmp_path: Path) -> None:
    path = tmp_path / "game.usmap"
    path.write_bytes(SOUND)
    assert set(read_usmap_file(str(path)).schemas) == {"Object"}
    path.write_bytes(SOUND[:-1])
    with pytest.raises(UnrealError, match="needs") as caught:
        read_usmap_file(str(path))
    assert caught.value.path == str(path)


def test_numbers_of_the_derived_class_come_first() -> None:
    kind = TypeName("IntProperty")
    own, inherited = SchemaProperty("Own", 1, 2, kind), SchemaProperty("Inherited", 0, 1, kind)
    mappings = Mappings({"A": Schema("A", "B", 3, [own]), "B": Schema("B", "", 1, [inherited])}, {})
    assert mappings.slots("A") == [None, (own, 0), (own, 1), (inherited, 0)]


def test_schemas_cannot_count_without_end() -> None:
    # Each takes 14 bytes of the file, and counts up to 65,535 properties.
    schemas = {f"S{number}": Schema(f"S{number}", f"S{number + 1}", 0xFFFF, []) for number in range(100)}
    with pytest.raises(UnrealError, match="more than 65536 properties"):
        Mappings(schemas, {}).slots("S0")
