"""Values of every type, each with its bytes; texts within texts are bounded, and of known histories alone."""

from __future__ import annotations

from functools import cache
from struct import error, pack
from typing import TYPE_CHECKING, Any

import pytest

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.package import Package
from assetdb_formats.unreal.packages.references import SoftObjectPath
from assetdb_formats.unreal.properties import value_decoder as values
from assetdb_formats.unreal.properties.decoded import ObjectReference, Opaque, Property
from assetdb_formats.unreal.properties.tags import TypeName
from assetdb_formats.unreal.properties.value_decoder import ValueDecoder
from assetdb_formats.unreal.versions import PackageVersion
from tests.assetdb_formats.unreal.package_writer import COOKED, EDITOR, fstring, full

if TYPE_CHECKING:
    from collections.abc import Sequence

PLAIN = pack("<iB", 0, 0) + fstring("") + fstring("key") + fstring("Hello")
UPPER = 10

NAMES: tuple[str, ...] = (
    "GameplayTags",
    "None",
    "A",
    "B",
    "IntProperty",
    "StructProperty",
    "Inner",
    "ArrayProperty",
    "ObjectProperty",
)
NAMES += ("Expression", "OutputIndex", "/Game/T.T", "/Game/T", "Guid", "NameProperty", "Vector", "Tags", "/Game/Text")
START = 3  # bytes before every value, so that an offset is not taken for a size


@cache
def plain_package() -> bytes:
    return full(-8, 522, 1009).data()


def decoder(
    data: bytes,
    version: tuple[int, int] = (522, 1009),
    *,
    flags: int = EDITOR,
    unversioned: bool = False,
    paths: Sequence[SoftObjectPath] = (),
) -> ValueDecoder:
    package = Package(plain_package())
    package.summary = package.summary._replace(
        version=PackageVersion(*version), package_flags=flags, soft_object_path_count=len(paths)
    )
    package.names = list(NAMES)
    package.soft_object_paths = list(paths)
    made = ValueDecoder(package, data, unversioned=unversioned)
    made.budget = 1000
    return made


def kind(name: str, *parameters: str | TypeName) -> TypeName:
    return TypeName(name, tuple(TypeName(each) if isinstance(each, str) else each for each in parameters))


def name(text: str, number: int = 0) -> bytes:
    return pack("<Ii", NAMES.index(text), number)


def tag(label: str, type_name: str, value: bytes, extra: bytes = b"", *, guid: bool = True) -> bytes:
    """Return a property as it was written up to 5.3, with or without room for a GUID."""
    return name(label) + name(type_name) + pack("<ii", len(value), 0) + extra + b"\0" * guid + value


def value_of(
    type_name: TypeName,
    data: bytes,
    version: tuple[int, int] = (522, 1009),
    *,
    flags: int = EDITOR,
    unversioned: bool = False,
    paths: Sequence[SoftObjectPath] = (),
) -> Any:  # noqa: ANN401 - a value of any type
    """Return the value that lies between other bytes, after a look at where it ends."""
    whole = b"\xee" * START + data + b"\xee" * 40
    made = decoder(whole, version, flags=flags, unversioned=unversioned, paths=paths)
    value, after = made.value(type_name, START, START + len(data))
    assert (after, made.depth) == (START + len(data), 0)
    return value


def references_of(
    type_name: TypeName, data: bytes, version: tuple[int, int] = (522, 1009), *, flags: int = EDITOR
) -> tuple[list[int], list[str]]:
    made = decoder(data, version, flags=flags)
    made.value(type_name, 0, len(data))
    return made.references.objects, list(map(str, made.references.soft))


@pytest.mark.parametrize(
    ("type_name", "data", "value"),
    [
        (kind("Int8Property"), b"\xfe", -2),
        (kind("Int16Property"), pack("<h", -300), -300),
        (kind("UInt16Property"), pack("<H", 65000), 65000),
        (kind("IntProperty"), pack("<i", -70000), -70000),
        (kind("Int32Property"), pack("<i", -70000), -70000),
        (kind("UInt32Property"), pack("<I", 4_000_000_000), 4_000_000_000),
        (kind("Int64Property"), pack("<q", -(2**40)), -(2**40)),
        (kind("UInt64Property"), pack("<Q", 2**63), 2**63),
        (kind("FloatProperty"), pack("<f", 0.5), 0.5),
        (kind("DoubleProperty"), pack("<d", 0.1), 0.1),
        (kind("ObjectProperty"), pack("<i", -4), ObjectReference(-4)),
        (kind("ClassProperty"), pack("<i", 3), ObjectReference(3)),
        (kind("InterfaceProperty"), pack("<i", 0), ObjectReference(0)),
        (kind("WeakObjectProperty"), pack("<i", 1), ObjectReference(1)),
        (kind("NameProperty"), name("A", 6), "A_5"),
        (kind("StrProperty"), fstring("語"), "語"),
        (kind("BoolProperty"), b"\0", False),
        (kind("BoolProperty"), b"\2", True),
        (kind("EnumProperty", "EMode"), name("B"), "B"),
        (kind("ByteProperty", "EMode"), name("B"), "B"),
        (kind("ByteProperty"), b"\7", 7),
        (kind("ByteProperty", "EMode"), b"\7", 7),
        (kind("AssetObjectProperty"), fstring("/Game/T.T:In"), SoftObjectPath("/Game/T", "T", "In")),
        (kind("AssetClassProperty"), fstring(""), SoftObjectPath("", "", "")),
        (kind("Utf8StrProperty"), pack("<i", 3) + "語".encode(), "語"),
        (kind("AnsiStrProperty"), pack("<i", 2) + b"ab", "ab"),
        (kind("LazyObjectProperty"), bytes(range(16)), bytes(range(16))),
        (kind("DelegateProperty"), pack("<i", 2) + name("A"), (2, "A")),
        (kind("MulticastDelegateProperty"), pack("<i", 0), []),
        (kind("MulticastInlineDelegateProperty"), pack("<ii", 1, 2) + name("A"), [(2, "A")]),
        (
            kind("MulticastSparseDelegateProperty"),
            pack("<ii", 2, 2) + name("A") + pack("<i", 0) + name("B"),
            [(2, "A"), (0, "B")],
        ),
        (kind("FieldPathProperty"), pack("<i", 2) + name("A") + name("B") + pack("<i", 5), ["A", "B"]),
        (kind("FieldPathProperty"), pack("<i", 1) + name("A"), ["A"]),
        (kind("OptionalProperty", "IntProperty"), b"\0", None),
        (kind("OptionalProperty", "IntProperty"), b"\1" + pack("<i", 9), 9),
        (kind("OptionalProperty", kind("ByteProperty", "EMode")), b"\1\7", 7),
        (kind("ArrayProperty", "IntProperty"), pack("<iii", 2, 5, -6), [5, -6]),
        (kind("ArrayProperty", "BoolProperty"), pack("<i", 2) + b"\0\1", [False, True]),
        (kind("ArrayProperty", "NameProperty"), pack("<i", 1) + name("B"), ["B"]),
        (kind("ArrayProperty", "ByteProperty"), pack("<i", 3) + b"abc", b"abc"),
        (kind("ArrayProperty", "ByteProperty"), pack("<i", 2) + name("A") + name("B"), ["A", "B"]),
        (kind("SetProperty", "IntProperty"), pack("<iiii", 0, 2, 7, 8), [7, 8]),
        (kind("SetProperty", "IntProperty"), pack("<iiii", 1, 6, 1, 8), [8]),
        (kind("SetProperty", "ByteProperty"), pack("<ii", 0, 2) + b"\3\4", [3, 4]),
        (kind("SetProperty", "ByteProperty"), pack("<ii", 0, 250) + bytes(range(250)), [*range(250)]),
        (kind("SetProperty", "ByteProperty"), pack("<ii", 0, 2) + name("A") + name("B"), ["A", "B"]),
        (kind("SetProperty", "StructProperty"), pack("<ii", 0, 1) + bytes(range(16)), [bytes(range(16))]),
        (kind("MapProperty", "NameProperty", "IntProperty"), pack("<ii", 0, 1) + name("A") + pack("<i", 5), [("A", 5)]),
        (
            kind("MapProperty", "NameProperty", "IntProperty"),
            pack("<i", 1) + name("B") + pack("<i", 1) + name("A") + pack("<i", 5),
            [("A", 5)],
        ),
        (
            kind("MapProperty", "ByteProperty", "IntProperty"),
            pack("<ii", 0, 2) + name("A") + pack("<i", 1) + name("B") + pack("<i", 2),
            [("A", 1), ("B", 2)],
        ),
        (
            kind("MapProperty", "IntProperty", "StructProperty"),
            pack("<iii", 0, 1, 4) + tag("A", "IntProperty", pack("<i", 5)) + name("None"),
            [(4, [Property("A", kind("IntProperty"), 0, 5, START + 12 + 25, 4)])],
        ),
    ],
    ids=str,
)
def test_a_value_is_its_bytes(type_name: TypeName, data: bytes, value: object) -> None:
    found = value_of(type_name, data)
    assert found == value
    assert type(found) is type(value)


REALS = {"Vector": 3, "Vector2D": 2, "Vector4": 4, "Rotator": 3, "Quat": 4, "Plane": 4, "Sphere": 4, "Matrix": 16}
REALS |= {"TwoVectors": 6}
FIXED = {
    "Box2f": ("<4fB", 5),
    "Box3f": ("<6fB", 7),
    "Color": ("<4B", 4),
    "DeprecateSlateVector2D": ("<2f", 2),
    "Int32Point": ("<2i", 2),
    "IntPoint": ("<2i", 2),
    "IntVector": ("<3i", 3),
    "IntVector2": ("<2i", 2),
    "IntVector4": ("<4i", 4),
    "LinearColor": ("<4f", 4),
    "Matrix44f": ("<16f", 16),
    "MovieSceneFrameRange": ("<BiBi", 4),
    "Plane4f": ("<4f", 4),
    "Quat4d": ("<4d", 4),
    "Quat4f": ("<4f", 4),
    "RichCurveKey": ("<3B6f", 9),
    "Rotator3d": ("<3d", 3),
    "Rotator3f": ("<3f", 3),
    "SimpleCurveKey": ("<2f", 2),
    "Sphere3f": ("<4f", 4),
    "Vector2f": ("<2f", 2),
    "Vector3d": ("<3d", 3),
    "Vector3f": ("<3f", 3),
    "Vector4d": ("<4d", 4),
    "Vector4f": ("<4f", 4),
}


@pytest.mark.parametrize(
    ("version", "real", "count", "name_of_struct"),
    [(version, real, count, each) for version, real in ((1003, "f"), (1004, "d")) for each, count in REALS.items()],
)
def test_a_struct_of_reals_has_doubles_from_large_worlds_on(
    version: int, real: str, count: int, name_of_struct: str
) -> None:
    data = pack(f"<{count}{real}", *range(count))
    assert value_of(kind("StructProperty", name_of_struct), data, (522, version)) == tuple(range(count))


@pytest.mark.parametrize(("version", "real"), [(1003, "f"), (1004, "d")])
def test_a_box_is_its_corners_and_whether_it_is_valid(version: int, real: str) -> None:
    data = pack(f"<6{real}B", 1, 2, 3, 4, 5, 6, 1)
    assert value_of(kind("StructProperty", "Box"), data, (522, version)) == (1, 2, 3, 4, 5, 6, 1)
    data = pack(f"<4{real}B", 1, 2, 3, 4, 1)
    assert value_of(kind("StructProperty", "Box2D"), data, (522, version)) == (1, 2, 3, 4, 1)


@pytest.mark.parametrize("name_of_struct", FIXED)
@pytest.mark.parametrize("version", [0, 1009])
def test_a_struct_of_a_fixed_layout_is_the_same_in_every_version(version: int, name_of_struct: str) -> None:
    layout, count = FIXED[name_of_struct]
    numbers = tuple(range(1, count + 1))
    data = pack(layout, *numbers)
    assert value_of(kind("StructProperty", name_of_struct), data, (522, version)) == numbers


@pytest.mark.parametrize(
    ("name_of_struct", "data", "value"),
    [
        ("DateTime", pack("<q", 2**40), 2**40),
        ("Timespan", pack("<q", -5), -5),
        ("FrameNumber", pack("<i", -5), -5),
        ("Guid", bytes(range(16)), bytes(range(16))),
        ("SoftClassPath", name("/Game/T") + name("A") + fstring("In"), SoftObjectPath("/Game/T", "A", "In")),
        ("StringAssetReference", name("/Game/T") + name("A") + fstring(""), SoftObjectPath("/Game/T", "A", "")),
        ("GameplayTagContainer", pack("<i", 2) + name("A") + name("B", 1), ["A", "B_0"]),
        ("GameplayTagContainer", pack("<i", 0), []),
        ("PerPlatformBool", pack("<iii", 1, 1, 0)[:8], (1, {})),
        ("PerPlatformInt", pack("<iii", 0, 7, 1) + name("A") + pack("<i", 9), (7, {"A": 9})),
        ("PerPlatformFloat", pack("<ifi", 0, 0.5, 1) + name("B") + pack("<f", 1.5), (0.5, {"B": 1.5})),
        (
            "PerPlatformFrameRate",
            pack("<iiii", 0, 30, 1, 2) + name("A") + pack("<ii", 24, 2) + name("B") + pack("<ii", 60, 3),
            ((30, 1), {"A": (24, 2), "B": (60, 3)}),
        ),
        ("PerPlatformFrameRate", pack("<iii", 1, 30, 1), ((30, 1), {})),
        ("PerQualityLevelInt", pack("<iiiiiii", 1, 7, 2, 0, 8, 3, 9), (7, {0: 8, 3: 9})),
        ("PerQualityLevelFloat", pack("<ifiif", 0, 0.5, 1, 2, 1.5), (0.5, {2: 1.5})),
    ],
)
def test_a_struct_that_writes_itself_is_its_bytes(name_of_struct: str, data: bytes, value: object) -> None:
    assert value_of(kind("StructProperty", name_of_struct), data) == value


@pytest.mark.parametrize("flag", [-1, 2])
def test_a_value_for_each_platform_has_a_flag_of_zero_or_one(flag: int) -> None:
    with pytest.raises(UnrealError, match=f"a flag of {flag}") as caught:
        value_of(kind("StructProperty", "PerPlatformInt"), pack("<iii", flag, 7, 0))
    assert (caught.value.offset, caught.value.field) == (START, "value")


def test_tags_are_properties_up_to_4_5_where_they_start_as_such() -> None:
    listed = kind("ArrayProperty", "NameProperty")
    for label in ("GameplayTags", "Tags"):
        value = pack("<i", 1) + name("A")
        data = tag(label, "ArrayProperty", value, name("NameProperty"), guid=False) + name("None")
        (found,) = value_of(kind("StructProperty", "GameplayTagContainer"), data, (375, 0))
        assert found == Property(label, listed, 0, ["A"], START + 32, 12)
    container = kind("StructProperty", "GameplayTagContainer")
    assert value_of(container, pack("<i", 2) + name("A") + name("B"), (375, 0)) == ["A", "B"]
    assert value_of(container, pack("<i", 0), (376, 0)) == []  # the name of that number is GameplayTags
    many = pack("<i", len(NAMES)) + name("A") * len(NAMES)
    assert value_of(container, many, (375, 0)) == ["A"] * len(NAMES)
    with pytest.raises(UnrealError, match="counts -2 items"):
        value_of(container, pack("<i", -2), (375, 0))  # NAMES[-2] is Tags


KEYS = pack("<H", 0xABCD) + pack("<ii", 4, 2) + b"t" * 8 + pack("<ii", 8, 2) + b"k" * 16


@pytest.mark.parametrize("shown", [b"", b"\1\0\0\0"])
@pytest.mark.parametrize(("channel", "real"), [("MovieSceneFloatChannel", "f"), ("MovieSceneDoubleChannel", "d")])
def test_a_channel_is_times_keys_and_default(channel: str, real: str, shown: bytes) -> None:
    data = KEYS + pack(f"<{real}", 0.5) + bytes(12) + shown
    assert value_of(kind("StructProperty", channel), data) == (b"t" * 8, b"k" * 16, 0.5)
    if shown:
        made = decoder(data + bytes(99), unversioned=True)
        assert made.value(kind("StructProperty", channel), 0, len(data) + 99)[1] == len(data)


@pytest.mark.parametrize(
    ("head", "message", "offset"),
    [
        ((-1, 2), "2 keys of -1 bytes", 2),
        ((4, -1), "-1 keys of 4 bytes", 2),
        ((0, 60), "60 keys of 0 bytes", 2),
        ((1, 51), "51 keys of 1 bytes", 2),
        ((1, 50), "0 keys of 0 bytes", 60),
        ((0, 0), "the channel is cut off", 0),
    ],
)
def test_a_channel_has_no_more_keys_than_bytes(head: tuple[int, int], message: str, offset: int) -> None:
    data = bytes(START + 2) + pack("<ii", *head) + bytes(100)
    end = START + 2 + 8 + (50 if head[1] else 15)
    with pytest.raises(UnrealError, match=message) as caught:
        decoder(data).value(kind("StructProperty", "MovieSceneFloatChannel"), START, end)
    assert (caught.value.offset, caught.value.field) == (START + offset, "value")


MASK = pack("<5i", 1, 2, 3, 4, 5)
INPUTS: list[tuple[str, bytes, object]] = [
    ("ExpressionInput", b"", None),
    ("MaterialAttributesInput", b"", None),
    ("ColorMaterialInput", pack("<i4B", 1, 2, 3, 4, 5), (1, 2, 3, 4, 5)),
    ("ScalarMaterialInput", pack("<if", 1, 0.5), (1, 0.5)),
    ("ShadingModelMaterialInput", pack("<ii", 1, 2), (1, 2)),
    ("Vector2MaterialInput", pack("<i2f", 1, 2, 3), (1, 2, 3)),
    ("VectorMaterialInput", pack("<i3f", 1, 2, 3, 4), (1, 2, 3, 4)),
]


@pytest.mark.parametrize("stored", [(name("A"), "A"), (fstring("abcdef"), "abcdef"), (fstring("abc"), "abc")])
@pytest.mark.parametrize(("name_of_struct", "constant", "value"), INPUTS)
def test_the_input_of_a_material_is_expression_output_name_mask_and_constant(
    name_of_struct: str, constant: bytes, value: object, stored: tuple[bytes, str]
) -> None:
    data = pack("<ii", -7, 9) + stored[0] + MASK + constant
    type_name = kind("StructProperty", name_of_struct)
    assert value_of(type_name, data) == (-7, 9, stored[1], (1, 2, 3, 4, 5), value)
    assert references_of(type_name, data)[0] == [-7]
    assert references_of(type_name, pack("<i", 0) + data[4:])[0] == []


@pytest.mark.parametrize("stored", [(name("A"), "A"), (fstring("abcdef"), "abcdef"), (fstring("abc"), "abc")])
@pytest.mark.parametrize(("name_of_struct", "constant", "value"), INPUTS)
def test_a_cooked_input_has_no_expression(
    name_of_struct: str, constant: bytes, value: object, stored: tuple[bytes, str]
) -> None:
    data = pack("<i", 2) + stored[0] + MASK + bytes(8) + constant
    type_name = kind("StructProperty", name_of_struct)
    assert value_of(type_name, data, flags=COOKED) == (0, 2, stored[1], (1, 2, 3, 4, 5), value)
    assert references_of(type_name, data, flags=COOKED)[0] == []


def test_the_input_of_an_old_material_is_properties() -> None:
    data = b"".join(tag(each, "ObjectProperty", pack("<i", 5), guid=False) for each in ("Expression", "OutputIndex"))
    found = value_of(kind("StructProperty", "ExpressionInput"), data + name("None"), (451, 0))
    assert [(each.name, each.value) for each in found] == [
        ("Expression", ObjectReference(5)),
        ("OutputIndex", ObjectReference(5)),
    ]
    short = tag("Expression", "ObjectProperty", pack("<i", 5), guid=False) + name("None")
    # too small for properties and a constant: this is an input, whose expression has the number of that name
    found = value_of(kind("StructProperty", "ExpressionInput"), short, (451, 0))
    assert found == (NAMES.index("Expression"), 0, "ObjectProperty", (4, 0, 5, NAMES.index("None"), 0), None)


def test_a_niagara_variable_is_its_name_its_type_and_its_bytes() -> None:
    definition = tag("Inner", "IntProperty", pack("<i", 4)) + name("None")
    found = value_of(kind("StructProperty", "NiagaraVariable"), name("A") + definition + pack("<i", 3) + b"abc")
    assert found == ("A", [Property("Inner", kind("IntProperty"), 0, 4, START + 8 + 25, 4)], b"abc")
    found = value_of(kind("StructProperty", "NiagaraVariableBase"), name("B") + definition)
    assert found == ("B", [Property("Inner", kind("IntProperty"), 0, 4, START + 8 + 25, 4)])


@pytest.mark.parametrize("name_of_struct", ["NiagaraVariable", "NiagaraVariableBase", "ExpressionInput"])
def test_without_tags_such_structs_have_the_properties_of_their_schema(name_of_struct: str) -> None:
    made = decoder(b"ab", unversioned=True)
    asked = []

    def read_struct(struct: str, position: int, end: int) -> tuple[list[Property], int]:
        asked.append((struct, position, end))
        return [], 2

    made.read_struct = read_struct
    assert made.value(kind("StructProperty", name_of_struct), 0, 2) == ([], 2)
    assert asked == [(name_of_struct, 0, 2)]


UTF8 = pack("<i", 3) + b"Sub"


@pytest.mark.parametrize(
    ("version", "data", "value"),
    [
        ((513, 0), fstring("/Game/T.A:Sub"), SoftObjectPath("/Game/T", "A", "Sub")),
        ((514, 0), name("/Game/T.T") + fstring(""), SoftObjectPath("/Game/T", "T", "")),
        ((522, 1006), name("/Game/T.T") + fstring("Sub"), SoftObjectPath("/Game/T", "T", "Sub")),
        ((522, 1007), name("/Game/T") + name("A") + fstring("Sub"), SoftObjectPath("/Game/T", "A", "Sub")),
        ((522, 1017), name("/Game/T") + name("A") + fstring("Sub"), SoftObjectPath("/Game/T", "A", "Sub")),
    ],
)
@pytest.mark.parametrize("type_name", ["SoftObjectProperty", "SoftClassProperty"])
def test_a_soft_object_path_in_each_layout(
    version: tuple[int, int], data: bytes, value: SoftObjectPath, type_name: str
) -> None:
    assert value_of(kind(type_name), data, version) == value
    assert references_of(kind(type_name), data, version)[1] == [str(value)]


def test_a_sub_path_of_5_6_is_utf_8() -> None:
    made = decoder(name("/Game/T") + name("A") + UTF8)
    made._utf8_sub_paths = True
    assert made.soft_object(0) == (SoftObjectPath("/Game/T", "A", "Sub"), 23)


@pytest.mark.parametrize("package", ["", "None"])
def test_a_soft_object_path_without_a_package_is_no_reference(package: str) -> None:
    data = fstring(package)
    assert value_of(kind("SoftObjectProperty"), data, (513, 0)) == SoftObjectPath(package, "", "")
    assert references_of(kind("SoftObjectProperty"), data, (513, 0)) == ([], [])
    assert references_of(kind("AssetObjectProperty"), fstring("")) == ([], [])
    assert references_of(kind("AssetObjectProperty"), fstring("/Game/T.T")) == ([], ["/Game/T.T"])


PATHS = (SoftObjectPath("/Game/A", "A", ""), SoftObjectPath("/Game/B", "B", ""))


def test_a_soft_object_path_is_a_number_where_the_package_lists_them() -> None:
    for number, path in enumerate(PATHS):
        assert value_of(kind("SoftObjectProperty"), pack("<i", number), (522, 1008), paths=PATHS) == path
    for number in (-1, 2):
        with pytest.raises(UnrealError, match=f"soft object path {number} of 2") as caught:
            value_of(kind("SoftObjectProperty"), pack("<i", number), (522, 1008), paths=PATHS)
        assert (caught.value.offset, caught.value.field) == (START, "value")
    data = name("/Game/T") + name("A") + fstring("")
    assert value_of(kind("SoftObjectProperty"), data, (522, 1007), paths=PATHS) == SoftObjectPath("/Game/T", "A", "")


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (PLAIN, ("", "key", "Hello")),
        (pack("<iB", 0, 255), ""),
        (pack("<iBI", 0, 255, 0), ""),
        (pack("<iBI", 0, 255, 1) + fstring("same everywhere"), "same everywhere"),
        (pack("<iB", 0, 11) + name("A") + fstring("key"), ("A", "key")),
        (pack("<iB", 0, 10) + PLAIN + b"\1", (("", "key", "Hello"), 1)),
        (
            pack("<iB", 0, 1) + PLAIN + pack("<i", 1) + fstring("n") + b"\0" + pack("<q", -(2**40)),
            (("", "key", "Hello"), {"n": -(2**40)}),
        ),
        (
            pack("<iB", 0, 2)
            + PLAIN
            + pack("<i", 4)
            + (b"\1" + pack("<Q", 2**63))
            + (b"\2" + pack("<f", 0.5))
            + (b"\3" + pack("<d", 0.1))
            + (b"\4" + PLAIN),
            (("", "key", "Hello"), {0: 2**63, 1: 0.5, 2: 0.1, 3: ("", "key", "Hello")}),
        ),
        (pack("<iB", 0, 3) + PLAIN + pack("<i", 0), (("", "key", "Hello"), {})),
    ],
)
def test_a_text_is_what_its_history_has(data: bytes, value: object) -> None:
    made = decoder(bytes(START) + data, (368, 0))
    assert made.text(START) == (value, START + len(data))
    assert made.depth == 0
    assert value_of(kind("TextProperty"), data) == value if data[4] != 255 else True


def test_a_text_that_is_not_known_to_be_the_same_everywhere_ends_after_its_history() -> None:
    for after in (pack("<I", 2), b"\1\0\0"):
        assert decoder(pack("<iB", 0, 255) + after).text(0) == ("", 5)


def test_a_text_of_before_its_history_was_kept() -> None:
    data = fstring("Hello") + fstring("key") + pack("<i", 8)
    assert value_of(kind("TextProperty"), data, (225, 0)) == ("", "key", "Hello")
    data = fstring("Hello") + fstring("space") + fstring("key") + pack("<i", 8)
    for version in (226, 367):
        assert value_of(kind("TextProperty"), data, (version, 0)) == ("space", "key", "Hello")


def test_a_text_of_a_string_table_needs_the_package_of_the_table() -> None:
    data = pack("<iB", 0, 11) + name("/Game/T.T") + fstring("key")
    assert references_of(kind("TextProperty"), data) == ([], ["/Game/T.T"])
    assert references_of(kind("TextProperty"), pack("<iB", 0, 11) + name("A") + fstring("key")) == ([], [])


@pytest.mark.parametrize("argument", [5, 9])
def test_an_argument_of_a_text_has_a_known_kind(argument: int) -> None:
    data = pack("<iB", 0, 2) + PLAIN + pack("<iB", 1, argument) + bytes(8)
    with pytest.raises(UnrealError, match=f"a text's argument of kind {argument}") as caught:
        decoder(data).text(0)
    assert (caught.value.offset, caught.value.field) == (5 + len(PLAIN) + 4, "text")


def nested(depth: int) -> bytes:
    """Return a text whose pattern is a text, so often."""
    return pack("<iB", 0, UPPER) * depth + PLAIN + bytes(depth)


def test_texts_are_read_as_deep_as_the_bound() -> None:
    data = nested(48)
    text, end = decoder(data).text(0)
    for _ in range(48):
        text, upper = text
        assert upper == 0
    assert text == ("", "key", "Hello")
    assert end == len(data)


@pytest.mark.parametrize("depth", [1, 100_000])
def test_texts_that_nest_deeper_are_an_error(depth: int) -> None:
    with pytest.raises(UnrealError, match=f"text with history {UPPER}"):
        decoder(nested(values._DEEPEST + depth)).text(0)


@pytest.mark.parametrize("history", [4, 9, 12, 200])
def test_a_text_of_an_unknown_history_is_an_error_at_its_byte(history: int) -> None:
    with pytest.raises(UnrealError, match=f"text with history {history}") as caught:
        decoder(pack("<iB", 0, history) + PLAIN).text(0)
    assert (caught.value.offset, caught.value.field) == (4, "text")


@pytest.mark.parametrize(
    ("type_name", "data", "message", "offset"),
    [
        (kind("MysteryProperty"), b"", "a value of type MysteryProperty", 0),
        (kind("OptionalProperty"), b"\0", "a value of type OptionalProperty", 0),
        (kind("OptionalProperty", "IntProperty"), b"\2" + bytes(4), r"OptionalProperty\(IntProperty\)", 0),
        (kind("ArrayProperty"), pack("<i", 0), "an array without the type of its items", 4),
        (kind("SetProperty"), bytes(8), "SetProperty without the type of its items", 0),
        (kind("MapProperty", "IntProperty"), bytes(8), "MapProperty without the type of its items", 0),
        (kind("ArrayProperty", "IntProperty"), pack("<i", -1), "counts -1 items", 0),
        (kind("ArrayProperty", "IntProperty"), pack("<i", 60), "counts 60 items", 0),
        (kind("ArrayProperty", "StrProperty"), pack("<i", 9) + bytes(8), "9 items in 8 bytes", 4),
        (kind("ArrayProperty", "IntProperty"), pack("<i", 3) + bytes(8), "3 items in 8 bytes", 4),
        (kind("MulticastDelegateProperty"), pack("<i", 5) + bytes(12), "counts 5 items", 0),
        (kind("FieldPathProperty"), pack("<i", 6), "counts 6 items", 0),
        (kind("SetProperty", "IntProperty"), pack("<ii", 0, 60), "counts 60 items", 4),
        (kind("MapProperty", "IntProperty", "StructProperty"), pack("<iii", 0, 0, 9), "a map of unknown structs", 0),
        (kind("ArrayProperty", kind("StructProperty", "Vector")), pack("<i", 0) + name("None"), "without a tag", 4),
    ],
)
def test_a_value_of_an_unknown_layout_is_an_error(type_name: TypeName, data: bytes, message: str, offset: int) -> None:
    with pytest.raises(UnrealError, match=message) as caught:
        value_of(type_name, data)
    assert (caught.value.offset, caught.value.field) == (START + offset, "value")


def test_a_map_that_is_cut_off_is_an_error_at_its_start() -> None:
    data = bytes(START) + pack("<iii", 0, 1, 5)
    with pytest.raises(UnrealError, match="the map is cut off") as caught:
        decoder(data).value(kind("MapProperty", "IntProperty", "IntProperty"), START, len(data))
    assert (caught.value.offset, caught.value.field) == (START, "value")
    with pytest.raises(error):
        decoder(b"abc").value(kind("IntProperty"), 0, 3)


def test_without_tags_no_size_tells_names_from_bytes() -> None:
    assert value_of(kind("EnumProperty", "EMode", "UInt16Property"), b"\7\1", unversioned=True) == 263
    assert value_of(kind("EnumProperty", "EMode"), b"\7", unversioned=True) == 7
    made = decoder(bytes([7]) * 8, unversioned=True)
    assert made.value(kind("ByteProperty", "EMode"), 0, 8) == (7, 1)
    assert decoder(bytes([7]) * 8).value(kind("ByteProperty", "EMode"), 0, 8, item=True) == (7, 1)
    assert decoder(bytes([7]) * 8).value(kind("ByteProperty"), 0, 8) == (7, 1)
    listed = kind("ArrayProperty", "ByteProperty")
    assert decoder(pack("<i", 2) + b"ab", unversioned=True).value(listed, 0, 6) == ([97, 98], 6)
    named = pack("<i", 1) + name("B")
    assert decoder(named, unversioned=True).value(listed, 0, 12) == ([3], 5)
    assert decoder(bytes(8) + b"rest", unversioned=True).value(kind("SetProperty", "ByteProperty"), 0, 12) == ([], 8)


def test_from_5_4_on_the_tag_names_what_a_map_holds() -> None:
    guids = kind("SetProperty", kind("StructProperty", "Guid"))
    assert value_of(guids, pack("<ii", 0, 1) + bytes(16), (522, 1012)) == [bytes(16)]
    names = pack("<ii", 0, 1) + name("A")
    with pytest.raises(AssertionError):  # one byte, whatever the size
        value_of(kind("SetProperty", "ByteProperty"), names, (522, 1012))
    assert value_of(kind("SetProperty", "ByteProperty"), names, (522, 1011)) == ["A"]


def test_the_structs_of_a_map_may_be_soft_paths() -> None:
    path = name("/Game/T") + name("A") + fstring("Sub")
    data = pack("<ii", 0, 1) + path
    assert value_of(kind("SetProperty", "StructProperty"), data) == [SoftObjectPath("/Game/T", "A", "Sub")]
    assert references_of(kind("SetProperty", "StructProperty"), data) == ([], ["/Game/T.A:Sub"])


def test_what_an_attempt_found_is_dropped_with_it() -> None:
    """A struct of properties that ends too early is tried as a GUID: its reference and its bytes go with it."""
    start = tag("A", "ObjectProperty", pack("<i", 5)) + tag("B", "Inner", b"?")
    data = pack("<ii", 0, 1) + start + name("None")
    made = decoder(data + bytes(9))
    with pytest.raises(UnrealError):
        made.value(kind("SetProperty", "StructProperty"), 0, len(data) + 9)
    assert (made.references.objects, made.opaque) == ([], [])
    made = decoder(data)
    made.value(kind("SetProperty", "StructProperty"), 0, len(data))
    assert (made.references.objects, made.opaque) == ([5], [Opaque(len(data) - 9, 1)])


def test_a_value_that_does_not_end_where_it_should_stays_bytes() -> None:
    listed = kind("ArrayProperty", "ObjectProperty")
    data = pack("<iii", 1, 5, 0)
    made = decoder(data)
    assert made.bounded(listed, 0, 8) == [ObjectReference(5)]
    assert made.bounded(kind("IntProperty"), 0, 4) == 1
    assert (made.references.objects, made.opaque) == ([5], [])
    for type_name, first, end in ((listed, 0, 12), (kind("MysteryProperty"), 2, 9), (kind("IntProperty"), 9, 13)):
        made = decoder(data)
        made.opaque.append(Opaque(0, 1))
        assert made.bounded(type_name, first, end) == Opaque(first, end - first)
        assert made.opaque == [Opaque(0, 1), Opaque(first, end - first)]
        assert made.references.objects == []


def test_a_value_that_stays_bytes_takes_those_within_it_along() -> None:
    inner = tag("A", "ObjectProperty", pack("<i", 5)) + tag("B", "Inner", b"?") + name("None")
    made = decoder(inner + b"\0")
    assert made.bounded(kind("StructProperty", "Inner"), 0, len(inner) + 1) == Opaque(0, len(inner) + 1)
    assert made.opaque == [Opaque(0, len(inner) + 1)]
    assert made.references.objects == []


def test_an_array_of_structs_has_a_tag_of_its_own_from_4_12_to_5_3() -> None:
    listed = kind("ArrayProperty", "StructProperty")
    inner = tag("A", "StructProperty", b"", name("Guid") + bytes(16))
    value = pack("<i", 1) + inner[:16] + pack("<i", 16) + inner[20:] + bytes(range(16))
    for version in ((503, 0), (522, 1009)):
        assert value_of(listed, value, version) == [bytes(range(16))]
    value = pack("<i", 1) + bytes(range(16))
    assert value_of(kind("ArrayProperty", kind("StructProperty", "Guid")), value, (522, 1012)) == [bytes(range(16))]
    found = decoder(value, unversioned=True).value(kind("ArrayProperty", kind("StructProperty", "Guid")), 0, 20)
    assert found == ([bytes(range(16))], 20)


def test_before_4_12_an_array_of_structs_is_of_properties_or_of_equal_sizes() -> None:
    listed = kind("ArrayProperty", "StructProperty")
    assert value_of(listed, pack("<i", 0), (499, 0)) == []
    item = tag("A", "ObjectProperty", pack("<i", 5), guid=False) + name("None")
    made = [
        Property("A", kind("ObjectProperty"), 0, ObjectReference(5), START + 4 + place + 24, 4) for place in (0, 36)
    ]
    assert value_of(listed, pack("<i", 2) + item * 2, (499, 0)) == [[made[0]], [made[1]]]
    assert references_of(listed, pack("<i", 2) + item * 2, (499, 0)) == ([5, 5], [])
    assert value_of(listed, pack("<i", 2) + item + item[:-8] + b"\xee" * 8, (499, 0)) == [Opaque(START + 4, 36)]
    assert references_of(listed, pack("<i", 1) + item + b"12345678", (499, 0)) == ([], [])
    for rest in (pack("<i", 2) + b"123456789", pack("<i", 1)):
        with pytest.raises(UnrealError, match="structs of an unknown layout") as caught:
            value_of(listed, rest, (499, 0))
        assert (caught.value.offset, caught.value.field) == (START + 4, "value")


def test_properties_end_with_the_name_none() -> None:
    data = tag("A", "IntProperty", pack("<i", 7)) + tag("B", "Inner", b"odd") + name("None") + b"rest"
    made = decoder(data)
    found, after = made.read_tagged("", 0, len(data))
    assert found == [
        Property("A", kind("IntProperty"), 0, 7, 25, 4),
        Property("B", kind("Inner"), 0, Opaque(54, 3), 54, 3),
    ]
    assert (after, made.depth, made.budget) == (len(data) - 4, 0, 998)


def test_structs_nest_as_deep_as_the_bound() -> None:
    def within(depth: int) -> bytes:
        data = name("None")
        for _ in range(depth - 1):
            data = tag("A", "StructProperty", data, name("Inner") + bytes(16)) + name("None")
        return data

    made = decoder(within(48))
    assert made.read_tagged("", 0, len(made.data))[1] == len(made.data)
    assert made.opaque == []
    made = decoder(within(49))
    assert made.read_tagged("", 0, len(made.data))[1] == len(made.data)
    assert [each.size for each in made.opaque] == [8]
    made.depth = 48
    with pytest.raises(UnrealError, match="structs nest too deep") as caught:
        made.read_tagged("", 0, len(made.data))
    assert (caught.value.offset, caught.value.field, made.depth) == (0, "properties", 48)


@pytest.mark.parametrize(
    ("within", "around"),
    [
        (pack("<i", 1), "ArrayProperty"),
        (b"\1", "OptionalProperty"),
        (pack("<ii", 0, 1), "SetProperty"),
        (pack("<iii", 0, 1, 9), "MapProperty"),
    ],
)
def test_containers_nest_as_deep_as_the_bound(within: bytes, around: str) -> None:
    def nested(depth: int) -> TypeName:
        made = TypeName("IntProperty")
        for _ in range(depth):
            made = TypeName(around, (TypeName("IntProperty"), made) if around == "MapProperty" else (made,))
        return made

    data = within * 48 + pack("<i", 7)
    value = value_of(nested(48), data)
    for _ in range(48):
        value = value if around == "OptionalProperty" else value[0][1] if around == "MapProperty" else value[0]
    assert value == 7
    data = within * 49 + pack("<i", 7)
    made = decoder(data)
    with pytest.raises(UnrealError, match="values nest too deep") as caught:
        made.value(nested(49), 0, len(data))
    assert (caught.value.offset, caught.value.field) == (48 * len(within), "value")
    assert made.depth == 0


@pytest.mark.parametrize(
    ("type_name", "data", "version"),
    [
        (kind("ArrayProperty", "BoolProperty"), pack("<i", 2) + bytes(2), (522, 1009)),
        (kind("MapProperty", "IntProperty", "IntProperty"), pack("<ii", 0, 2) + bytes(16), (522, 1009)),
        (kind("ArrayProperty", "StructProperty"), pack("<i", 2) + name("None") * 2, (499, 0)),
        (
            kind("TextProperty"),
            pack("<iB", 0, 2) + PLAIN + pack("<i", 2) + (b"\2" + bytes(4)) * 2,
            (522, 1009),
        ),
    ],
)
def test_every_item_counts_as_work(type_name: TypeName, data: bytes, version: tuple[int, int]) -> None:
    made = decoder(data, version)
    made.budget = 2
    made.value(type_name, 0, len(data))
    assert made.budget == 0
    with pytest.raises(UnrealError, match="nested into each other") as caught:
        made.spend(7)
    assert (caught.value.offset, caught.value.field) == (7, "properties")
