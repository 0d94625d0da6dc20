"""Properties of exports: what is in front of them, behind them, and in another file."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.package import Package
from assetdb_formats.unreal.properties.decoded import ObjectReference, Opaque
from assetdb_formats.unreal.properties.exports import ExportProperties, PropertyReader
from assetdb_formats.unreal.properties.tags import TypeName
from assetdb_formats.unreal.properties.usmap import Mappings, Schema, SchemaProperty
from tests.assetdb_formats.unreal.package_writer import (
    COOKED,
    EDITOR,
    UNVERSIONED_PROPERTIES,
    Writer,
    fstring,
)

if TYPE_CHECKING:
    from collections.abc import Callable

GUID = bytes(range(16))
DEFAULT_OBJECT = 0x10


def package_of(
    make: Callable[[Writer], bytes],
    class_name: str = "Thing",
    *,
    ue4: int = 522,
    ue5: int = 1009,
    flags: int = EDITOR,
    object_flags: int = 1,
) -> Package:
    writer = Writer(-8 if ue5 else -7 if ue4 > 504 else -5, ue4, ue5, flags)
    writer.imports = [
        ("/Script/CoreUObject", "Package", 0, "/Script/Engine"),
        ("/Script/CoreUObject", "Class", -1, class_name),
        ("/Script/CoreUObject", "ScriptStruct", -1, "RowStructName"),
    ]
    writer.exports = [(-2, 0, "Export", make(writer), True)]
    data = bytearray(writer.data())
    place = Package(bytes(data)).summary.export_offset + (24 if ue4 >= 508 else 20)
    assert data[place : place + 4] == pack("<I", 1)
    data[place : place + 4] = pack("<I", object_flags)
    return Package(bytes(data))


def none(writer: Writer) -> bytes:
    return writer.name("None")


def tag(writer: Writer, name: str, kind: str, value: bytes) -> bytes:
    guid = b"\0" if writer.ue4 >= 503 else b""
    extensions = b"\0" if writer.ue5 >= 1011 else b""
    return writer.name(name) + writer.name(kind) + pack("<ii", len(value), 0) + guid + extensions + value


def read(make: Callable[[Writer], bytes], class_name: str = "Thing", **more: int) -> tuple[ExportProperties, int]:
    """Return the properties of the export that is made, and where it lies."""
    package = package_of(make, class_name, **more)
    return PropertyReader(package).read(0), package.exports.record(0).serial_offset


@pytest.mark.parametrize(
    ("behind", "guid", "tail"),
    [
        (b"", b"", 0),
        (b"\0\0\0", b"", 3),
        (pack("<i", 0), b"", 0),
        (pack("<i", 0) + b"rest", b"", 4),
        (pack("<i", 1) + GUID, GUID, 0),
        (pack("<i", 1) + GUID + b"rest", GUID, 4),
        (pack("<i", 1) + GUID[:15], b"", 19),
        (pack("<i", 2) + GUID, b"", 20),
    ],
)
def test_a_guid_may_follow_the_properties(behind: bytes, guid: bytes, tail: int) -> None:
    found, start = read(lambda writer: none(writer) + behind)
    assert (found.properties, found.guid) == ([], guid)
    end = start + 8 + len(behind) - tail
    assert (found.end, found.tail) == (end, Opaque(end, tail))
    assert not found.writes_itself


def test_a_default_object_has_no_guid() -> None:
    found, start = read(lambda writer: none(writer) + pack("<i", 0), object_flags=DEFAULT_OBJECT)
    assert (found.end, found.tail.size) == (start + 8, 4)
    assert read(lambda writer: none(writer) + pack("<i", 0), object_flags=8)[0].tail.size == 0


def test_offsets_are_those_of_the_package() -> None:
    def make(writer: Writer) -> bytes:
        return tag(writer, "Odd", "MysteryProperty", b"odd") + none(writer)

    found, start = read(make)
    assert found.opaque == [Opaque(start + 25, 3)]
    assert found.end == start + 36


@pytest.mark.parametrize("ue5", [1010, 1011])
@pytest.mark.parametrize(("head", "ends"), [(b"\0", True), (b"\1", True), (b"\2\0", True), (b"\3\7", True)])
def test_from_5_4_on_a_byte_says_what_is_in_front(ue5: int, head: bytes, ends: bool) -> None:  # noqa: FBT001 - a row
    found, start = read(lambda writer: (head if ue5 >= 1011 else b"") + none(writer), ue5=ue5)
    assert found.end == start + 8 + (len(head) if ue5 >= 1011 else 0)
    assert ends


def test_an_export_without_bytes_has_no_properties() -> None:
    for ue5 in (1009, 1011):
        found, start = read(lambda _: b"", ue5=ue5)
        assert (found.properties, found.end, found.tail) == ([], start, Opaque(start, 0))


JSON = '[{"RelativeFilename": "a.fbx"}]'


@pytest.mark.parametrize(
    ("text", "class_name", "more", "expected"),
    [
        (JSON, "FbxStaticMeshImportData", {}, JSON),
        (JSON, "AssetImportData", {"ue4": 464, "ue5": 0}, JSON),
    ],
)
def test_import_data_has_its_files_in_front(text: str, class_name: str, more: dict[str, int], expected: str) -> None:
    found, start = read(lambda writer: fstring(text) + none(writer), class_name, **more)
    assert (found.source_files, found.end) == (expected, start + len(fstring(text)) + 8)


@pytest.mark.parametrize(
    ("class_name", "more"),
    [
        ("AssetImportData", {}),
        ("AssetImportData", {"ue4": 463, "ue5": 0}),
        ("AssetImportData", {"flags": COOKED}),
        ("Thing", {}),
    ],
)
def test_import_data_may_have_no_files(class_name: str, more: dict[str, int]) -> None:
    found, start = read(none, class_name, **more)
    assert (found.source_files, found.end) == ("", start + 8)


def test_a_text_in_front_of_other_classes_is_damage() -> None:
    for class_name, more in (("Thing", {}), ("AssetImportData", {"ue4": 463, "ue5": 0}), ("ImportDatas", {})):
        with pytest.raises(UnrealError):
            read(lambda writer: fstring(JSON) + none(writer), class_name, **more)


def test_an_export_lies_in_the_file() -> None:
    package = package_of(none)
    offset = package.exports.record(0).serial_offset
    place = package.summary.export_offset + 28
    for size, start in ((-1, offset), (8, len(package.data) - 7), (8, -1)):
        data = bytearray(package.data)
        data[place : place + 16] = pack("<qq", size, start)
        with pytest.raises(UnrealError, match=f"{size} bytes at {start} do not lie in the file") as caught:
            PropertyReader(Package(bytes(data))).read(0)
        assert (caught.value.offset, caught.value.field) == (start, "exports[0] Export")
    data = bytearray(package.data[:-4])  # an export may end with the file
    data[place : place + 16] = pack("<qq", 8, len(data) - 8)
    data[-8:] = package.data[offset : offset + 8]
    assert PropertyReader(Package(bytes(data))).read(0).properties == []


def test_an_error_has_the_place_in_the_package() -> None:
    def make(writer: Writer) -> bytes:
        return tag(writer, "A", "IntProperty", pack("<i", 5)) + pack("<ii", 9999, 0)

    package = package_of(make)
    with pytest.raises(UnrealError, match="names number 9999") as caught:
        PropertyReader(package).read(0)
    assert caught.value.offset == package.exports.record(0).serial_offset + 29
    assert caught.value.field == "exports[0] Export: tag"
    package = package_of(lambda _: b"\0", ue5=1011)
    with pytest.raises(UnrealError, match="the tag is cut off"):
        PropertyReader(package).read(0)


def test_properties_may_lie_in_another_file() -> None:
    package = package_of(lambda writer: tag(writer, "A", "IntProperty", pack("<i", 5)) + none(writer))
    header = package.summary.total_header_size
    split = Package(package.data[:header])
    reader = PropertyReader(split, package.data[header:])
    assert len(reader) == 1
    found = reader.read(0)
    assert [(each.name, each.value) for each in found.properties] == [("A", 5)]
    assert found.end == header + 37


def table(writer: Writer, rows: dict[str, int], *, struct: int | None = -3, count: int | None = None) -> bytes:
    out = b"" if struct is None else tag(writer, "RowStruct", "ObjectProperty", pack("<i", struct))
    out += none(writer) + pack("<i", 0) + pack("<i", len(rows) if count is None else count)
    for name, value in rows.items():
        out += writer.name(name) + tag(writer, "Value", "IntProperty", pack("<i", value))
        out += (
            tag(writer, "Link", "ObjectProperty", pack("<i", -1)) + tag(writer, "Odd", "Mystery", b"?") + none(writer)
        )
    return out


@pytest.mark.parametrize("class_name", ["DataTable", "CompositeDataTable"])
def test_a_data_table_has_rows(class_name: str) -> None:
    found, _ = read(lambda writer: table(writer, {"First": 5, "Second_4": 6}) + b"rest", class_name)
    assert len(found.rows) == 2
    assert [(name, row[0].value) for name, row in found.rows] == [("First", 5), ("Second_4", 6)]
    assert [name for name, _ in found.rows[::-1]] == ["Second_4", "First"]
    assert found.tail.size == 4
    assert found.references.objects == [-3, -1, -1]
    assert len(found.opaque) == 2
    assert found.references.objects == [-3, -1, -1], "reading rows again finds nothing new"


def test_other_classes_have_none() -> None:
    for class_name in ("CurveTable", "Thing"):
        found, _ = read(lambda writer: table(writer, {"First": 5}), class_name)
        assert (len(found.rows), found.tail.size > 0) == (0, True)


@pytest.mark.parametrize("count", [-1, 2])
def test_rows_are_counted(count: int) -> None:
    def make(writer: Writer) -> bytes:
        return table(writer, {}, struct=None, count=count) + bytes(27)

    package = package_of(make, "DataTable")
    with pytest.raises(UnrealError, match=f"counts {count} rows") as caught:
        PropertyReader(package).read(0)
    assert caught.value.offset == package.exports.record(0).serial_offset + 12
    assert caught.value.field == "exports[0] Export: rows"


def fragment(count: int) -> bytes:
    return pack("<H", 0x100 | count << 9)


INTEGER = TypeName("IntProperty")
MAPPINGS = Mappings(
    {
        "DataTable": Schema("DataTable", "", 1, [SchemaProperty("RowStruct", 0, 1, TypeName("ObjectProperty"))]),
        "RowStructName": Schema("RowStructName", "", 1, [SchemaProperty("Value", 0, 1, INTEGER)]),
    },
    {},
)


def test_without_tags_rows_have_the_schema_of_their_struct() -> None:
    def make(writer: Writer) -> bytes:
        return fragment(1) + pack("<iii", -3, 0, 1) + writer.name("First") + fragment(1) + pack("<i", 7)

    package = package_of(make, "DataTable", flags=COOKED | UNVERSIONED_PROPERTIES)
    found = PropertyReader(package, mappings=MAPPINGS).read(0)
    assert [(each.name, each.value) for each in found.properties] == [("RowStruct", ObjectReference(-3))]
    assert [(name, [each.value for each in row]) for name, row in found.rows] == [("First", [7])]
    assert found.tail.size == 0
    with pytest.raises(UnrealError, match=r"a \.usmap is needed") as caught:
        PropertyReader(package)
    assert caught.value.field == "properties"


def test_rows_of_no_struct_cannot_be_read_without_tags() -> None:
    def make(writer: Writer) -> bytes:
        return fragment(1) + pack("<iii", 0, 0, 1) + writer.name("First") + fragment(1) + pack("<i", 7)

    package = package_of(make, "DataTable", flags=COOKED | UNVERSIONED_PROPERTIES)
    with pytest.raises(UnrealError):
        PropertyReader(package, mappings=MAPPINGS).read(0)


def test_another_object_is_not_the_struct_of_rows() -> None:
    schema = Schema(
        "DataTable",
        "",
        2,
        [SchemaProperty(name, at, 1, TypeName("ObjectProperty")) for at, name in ((0, "Parent"), (1, "RowStruct"))],
    )

    def make(writer: Writer) -> bytes:
        return fragment(2) + pack("<iiii", -1, -3, 0, 1) + writer.name("First") + fragment(1) + pack("<i", 7)

    package = package_of(make, "DataTable", flags=COOKED | UNVERSIONED_PROPERTIES)
    row = Schema("RowStructName", "", 1, [SchemaProperty("Value", 0, 1, INTEGER)])
    mappings = Mappings({"DataTable": schema, "RowStructName": row}, {})
    found = PropertyReader(package, mappings=mappings).read(0)
    assert [(name, [each.value for each in row]) for name, row in found.rows] == [("First", [7])]
