"""Tags of properties in every layout that they had."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.properties.tags import PropertyTag, TagReader, TypeName
from assetdb_formats.unreal.versions import PackageVersion

NAMES = ["None", "A", "IntProperty", "StructProperty", "BoolProperty", "ByteProperty", "EnumProperty", "ArrayProperty"]
NAMES += ["SetProperty", "OptionalProperty", "MapProperty", "EMode", "Vector", "NameProperty", "Last"]
START = 3
GUID = bytes(range(16))


def name(text: str, number: int = 0) -> bytes:
    return pack("<Ii", NAMES.index(text), number)


def kind(text: str, *parameters: str) -> TypeName:
    return TypeName(text, tuple(map(TypeName, parameters)))


def read(data: bytes, version: tuple[int, int], *, left: int = 5) -> PropertyTag | None:
    """Return the tag between other bytes, of which ``left`` are before the end."""
    whole = b"\xee" * START + data + b"\xee" * left
    return TagReader(whole, NAMES, PackageVersion(*version)).tag(START, len(whole))


def old(type_name: str, extra: bytes = b"", *, guid: bytes = b"") -> bytes:
    return name("A", 6) + name(type_name) + pack("<ii", 5, 2) + extra + guid


@pytest.mark.parametrize("version", [(281, 0), (282, 0), (502, 0), (503, 0), (522, 1010), (522, 1011)])
@pytest.mark.parametrize("guid", [b"\0", b"\1" + GUID])
def test_a_tag_has_a_guid_from_4_12_and_extensions_from_5_4_on(version: tuple[int, int], guid: bytes) -> None:
    more = (guid if version[0] >= 503 else b"") + (b"\0" if version[1] >= 1011 else b"")
    found = read(old("IntProperty", more), version)
    stored = guid[1:] if version[0] >= 503 else b""
    assert found == PropertyTag(
        "A_5", kind("IntProperty"), 5, 2, true=False, guid=stored, binary=False, value_offset=START + 24 + len(more)
    )


@pytest.mark.parametrize(
    ("version", "type_name", "extra", "parameters"),
    [
        ((440, 0), "StructProperty", name("Vector"), ["Vector"]),
        ((441, 0), "StructProperty", name("Vector") + GUID, ["Vector"]),
        ((502, 0), "ByteProperty", name("EMode"), ["EMode"]),
        ((502, 0), "ByteProperty", name("None"), []),
        ((502, 0), "EnumProperty", name("EMode"), ["EMode"]),
        ((281, 0), "ArrayProperty", b"", []),
        ((282, 0), "ArrayProperty", name("NameProperty"), ["NameProperty"]),
        ((502, 0), "SetProperty", b"", []),
        ((509, 0), "SetProperty", name("NameProperty"), ["NameProperty"]),
        ((502, 0), "OptionalProperty", b"", []),
        ((509, 0), "OptionalProperty", name("NameProperty"), ["NameProperty"]),
        ((502, 0), "MapProperty", b"", []),
        ((508, 0), "MapProperty", b"", []),
        ((509, 0), "MapProperty", name("NameProperty") + name("IntProperty"), ["NameProperty", "IntProperty"]),
    ],
)
def test_a_type_is_followed_by_its_parameters(
    version: tuple[int, int], type_name: str, extra: bytes, parameters: list[str]
) -> None:
    guid = b"\0" if version[0] >= 503 else b""
    found = read(old(type_name, extra, guid=guid), version)
    end = START + 24 + len(extra) + len(guid)
    assert found == PropertyTag(
        "A_5", kind(type_name, *parameters), 5, 2, true=False, guid=b"", binary=False, value_offset=end
    )


@pytest.mark.parametrize(("byte", "true"), [(b"\0", False), (b"\1", True), (b"\2", True)])
def test_a_bool_is_in_its_tag(byte: bytes, true: bool) -> None:  # noqa: FBT001 - a row of the table
    found = read(old("BoolProperty", byte), (502, 0))
    assert found == PropertyTag(
        "A_5", kind("BoolProperty"), 5, 2, true=true, guid=b"", binary=False, value_offset=START + 25
    )


@pytest.mark.parametrize(("first", "size"), [(b"\0", 1), (b"\1", 1), (b"\2", 6), (b"\3", 6)])
def test_extensions_have_the_operation_that_overrode_the_value(first: bytes, size: int) -> None:
    data = old("IntProperty", b"\0" + first + bytes(size - 1))
    found = read(data, (522, 1011))
    assert found is not None
    assert found.value_offset == START + len(data)


def node(text: str, children: int = 0) -> bytes:
    return name(text) + pack("<i", children)


@pytest.mark.parametrize(
    ("flags", "more", "expected"),
    [
        (0, b"", (0, False, b"", False)),
        (1, pack("<i", 7), (7, False, b"", False)),
        (2, GUID, (0, False, GUID, False)),
        (4, b"\0", (0, False, b"", False)),
        (4, b"\2" + bytes(5), (0, False, b"", False)),
        (8, b"", (0, False, b"", True)),
        (16, b"", (0, True, b"", False)),
        (63, pack("<i", 7) + GUID + b"\1", (7, True, GUID, True)),
    ],
)
def test_from_5_4_on_flags_say_what_a_tag_has(flags: int, more: bytes, expected: tuple[int, bool, bytes, bool]) -> None:
    data = name("A") + node("IntProperty") + pack("<iB", 5, flags) + more
    index, true, guid, binary = expected
    found = read(data, (522, 1012))
    assert found == PropertyTag("A", kind("IntProperty"), 5, index, true, guid, binary, START + len(data))


def test_a_flag_that_is_not_known_is_an_error() -> None:
    with pytest.raises(UnrealError, match="flags 0x40") as caught:
        read(name("A") + node("IntProperty") + pack("<iB", 5, 64), (522, 1012))
    assert (caught.value.offset, caught.value.field) == (START + 25, "tag A")


def test_a_type_is_a_tree_of_names() -> None:
    tree = node("MapProperty", 2) + node("NameProperty") + node("ArrayProperty", 1) + node("StructProperty", 1)
    found = read(name("A") + tree + node("Vector") + pack("<iB", 5, 0), (522, 1012))
    assert found is not None
    inner = TypeName("ArrayProperty", (kind("StructProperty", "Vector"),))
    assert found.type == TypeName("MapProperty", (TypeName("NameProperty"), inner))
    assert str(found.type) == "MapProperty(NameProperty, ArrayProperty(StructProperty(Vector)))"
    assert [found.type.parameter(), TypeName("IntProperty").parameter()] == ["NameProperty", ""]


def test_a_type_has_at_most_64_nodes() -> None:
    tree = node("ArrayProperty", 1) * 63 + node("IntProperty")
    found = read(name("A") + tree + pack("<iB", 5, 0), (522, 1012))
    assert found is not None
    assert str(found.type).count("ArrayProperty") == 63
    wide = node("MapProperty", 63) + node("IntProperty") * 63
    assert read(name("A") + wide + pack("<iB", 5, 0), (522, 1012)) is not None
    for damaged, children, offset in (
        (node("ArrayProperty", 1) + tree, 0, 64 * 12),
        (node("MapProperty", 64) + node("IntProperty") * 64, 0, 64 * 12),
        (node("MapProperty", 65), 65, 0),
        (node("MapProperty", -1), -1, 0),
    ):
        with pytest.raises(UnrealError, match=f"a type with {children} parameters") as caught:
            read(name("A") + damaged + pack("<iB", 5, 0), (522, 1012))
        assert (caught.value.offset, caught.value.field) == (START + 8 + offset, "tag type")


def test_the_same_type_is_kept_once() -> None:
    for version, data in (
        ((522, 1009), name("A") + name("ArrayProperty") + pack("<ii", 0, 0) + name("NameProperty") + b"\0"),
        ((522, 1012), name("A") + node("ArrayProperty", 1) + node("NameProperty") + pack("<iB", 0, 0)),
    ):
        reader = TagReader(data * 2, NAMES, PackageVersion(*version))
        first, second = reader.tag(0, 999), reader.tag(len(data), 999)
        assert first is not None
        assert second is not None
        assert first.type is second.type


def test_a_list_ends_with_none() -> None:
    assert read(name("None"), (522, 0), left=0) is None
    assert read(name("None"), (522, 1012), left=0) is None
    reader = TagReader(name("None"), NAMES, PackageVersion(522))
    with pytest.raises(UnrealError, match="the list's end is cut off") as caught:
        reader.tag(0, 7)
    assert (caught.value.offset, caught.value.field) == (0, "tag")


@pytest.mark.parametrize("size", [-1, 6])
def test_a_value_lies_before_the_end(size: int) -> None:
    data = name("A") + name("IntProperty") + pack("<ii", size, 0) + b"\0"
    with pytest.raises(UnrealError, match=f"a value of {size} bytes, 5 are left") as caught:
        read(data, (522, 0))
    assert (caught.value.offset, caught.value.field) == (START, "tag A")
    exact = read(name("A") + name("IntProperty") + pack("<ii", 5, 0) + b"\0", (522, 0))
    assert exact is not None
    assert exact.size == 5


@pytest.mark.parametrize(
    ("data", "version"),
    [
        (old("IntProperty", b"\1" + GUID + b"\1"), (522, 1011)),
        (old("BoolProperty", b"\1\0"), (522, 0)),
        (old("MapProperty", name("A") * 2 + b"\0"), (522, 0)),
        (name("A") + node("IntProperty") + pack("<iB", 5, 1) + bytes(4), (522, 1012)),
        (name("A") + node("IntProperty") + pack("<iB", 5, 4) + b"\0", (522, 1012)),
    ],
)
def test_a_tag_that_is_cut_off_is_an_error_at_its_start(data: bytes, version: tuple[int, int]) -> None:
    for size in range(len(data)):
        whole = b"\xee" * START + data[:size]
        with pytest.raises(UnrealError) as caught:
            TagReader(whole, NAMES, PackageVersion(*version)).tag(START, len(whole) + 5)
        assert caught.value.what in {"the tag is cut off", f"a value of 5 bytes, {5 - 1} are left"}
        assert (caught.value.offset, caught.value.field) == (START, "tag")


def test_a_name_is_an_index_and_a_number() -> None:
    reader = TagReader(name("A") + name("Last", 1) + pack("<Ii", len(NAMES), 0), NAMES, PackageVersion(522))
    assert (reader.name(0), reader.name(8)) == ("A", "Last_0")
    with pytest.raises(UnrealError, match=f"names number {len(NAMES)} of {len(NAMES)}") as caught:
        reader.name(16)
    assert (caught.value.offset, caught.value.field) == (16, "tag")
