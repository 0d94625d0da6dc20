"""Facts of one package as values for people: paths for objects, damage beside what could be read."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.unreal.packages.info import describe_package, read_all_properties, read_properties_of_file
from assetdb_formats.unreal.packages.package import Package
from tests.assetdb_formats.unreal.package_writer import COOKED, UNVERSIONED_PROPERTIES, Writer, full

if TYPE_CHECKING:
    from pathlib import Path


def test_every_table_is_there_with_paths() -> None:
    writer = full(-8, 522, 1009)
    data = writer.data()
    info = describe_package(Package(data))
    assert (info.damage, info.damaged_tables, info.size) == ((), (), len(data))
    assert info.names == tuple(writer.names)
    assert info.imports is not None
    assert [found.path for found in info.imports] == [
        "/Script/Engine",
        "/Script/Engine.Blueprint",
        "/Game/Folder/Other_3",
        "/Game/Folder/Other_3.Other_3",
    ]
    assert [found.record.object_name for found in info.imports] == [row[3] for row in writer.imports]
    assert info.exports is not None
    assert [(found.path, found.class_name) for found in info.exports] == [
        ("Thing", "Blueprint"),
        ("Thing:Inner_0", "Blueprint"),
    ]
    assert info.searchable_names == {"/Game/Folder/Other_3.Other_3": ("Row_5", "Row")}
    assert info.soft_packages == ("/Game/Soft/Target",)
    assert info.name_hashes == ((7, 9),) * len(writer.names)
    assert info.data_resources in (None, ())


def test_a_damaged_table_is_none_and_the_others_are_there() -> None:
    data = bytearray(full(-8, 522, 1009).data())
    place = Package(bytes(data)).summary.import_offset
    data[place : place + 4] = pack("<i", 1 << 20)  # a name that is not there
    info = describe_package(Package(bytes(data)))
    assert "imports" in info.damaged_tables
    assert info.imports is None
    assert info.names is not None
    assert any("import" in sentence for sentence in info.damage)
    sound = describe_package(Package(full(-8, 522, 1009).data()))
    assert info.names == sound.names
    assert info.soft_packages == sound.soft_packages


def test_names_before_their_hashes() -> None:
    assert describe_package(Package(full(-5, 482, 0).data())).name_hashes is None


def properties_of(writer: Writer) -> bytes:
    def tag(name: str, kind: str, value: bytes, number: int = 0, extra: bytes = b"") -> bytes:
        return writer.name(name) + writer.name(kind) + pack("<ii", len(value), number) + extra + b"\0" + value

    array = writer.name("ObjectProperty")
    return (
        tag("Count", "IntProperty", pack("<i", 7))
        + tag("Count", "IntProperty", pack("<i", 8), 1)
        + tag("Parent", "ObjectProperty", pack("<i", -4))
        + tag("None of it", "ObjectProperty", pack("<i", 0))
        + tag("Wrong", "ObjectProperty", pack("<i", 99))
        + tag("Odd", "MysteryProperty", b"mystery")
        + tag("List", "ArrayProperty", pack("<iii", 2, 1, -4), 0, array)
        + writer.name("None") + pack("<i", 0) + b"tail"
    )  # fmt: skip


def test_properties_are_plain_values_with_paths() -> None:
    writer = full(-8, 522, 1009)
    writer.exports = [(-2, 0, "Thing", properties_of(writer), True), (-2, 0, "Cut", b"\xff" * 30, False)]
    seen: list[tuple[int, int]] = []
    report = read_all_properties(Package(writer.data()), progress=lambda *counts: seen.append(counts))
    assert seen == [(0, 2), (1, 2)]
    thing, cut = report.exports
    other = "/Game/Folder/Other_3.Other_3"
    wrong = thing.properties["Wrong"]
    assert dict(thing.properties) == {
        "Count": 7,
        "Count[1]": 8,
        "Parent": other,
        "None of it": None,
        "Wrong": wrong,
        "Odd": "(7 bytes)",
        "List": ["Thing", other],
    }
    assert wrong.startswith("(")
    assert (thing.export, thing.error, thing.native_bytes, thing.writes_itself, thing.body) == (0, "", 4, False, None)
    assert (cut.export, dict(cut.properties)) == (1, {})
    assert report.damage == (cut.error,) != ("",)
    assert report.notes == ()


@pytest.mark.parametrize(("version", "soft"), [((-8, 522, 1009), True), ((-7, 522, 0), True)])
def test_soft_references_of_an_export(version: tuple[int, int, int], soft: bool) -> None:  # noqa: FBT001 - of the table
    report = read_all_properties(Package(full(*version).data()))
    assert bool(report.exports[0].soft_references) is soft
    assert report.exports[0].properties["Where"] is not None
    assert report.exports[0].properties["Mode"] == "EMode::On"
    assert report.exports[0].properties["List"] == ["Entry"]
    assert report.exports[0].properties["Map"] == [["A", 5]]  # keys may be anything
    assert report.exports[0].native_bytes == len(b"native tail")


def test_classes_that_write_themselves_are_noted() -> None:
    writer = Writer(-8, 522, 1009)
    writer.imports = [
        ("/Script/CoreUObject", "Package", 0, "/Script/RigVMDeveloper"),
        ("/Script/CoreUObject", "Class", -1, "RigVM"),
    ]
    writer.exports = [(-2, 0, "Thing", b"\xff" * 1234, True)]
    report = read_all_properties(Package(writer.data()))
    assert report.notes == ("Thing: RigVM writes itself, its 1,234 bytes are not read",)
    assert (report.damage, report.exports[0].writes_itself) == ((), True)


def test_unversioned_properties_need_mappings(tmp_path: Path) -> None:
    path = tmp_path / "A.uasset"
    path.write_bytes(full(-8, 522, 1009, COOKED | UNVERSIONED_PROPERTIES, tile_layer="").data())
    with pytest.raises(FormatError, match="usmap is needed") as caught:
        read_properties_of_file(str(path), Package(path.read_bytes()))
    assert caught.value.path == str(path)
