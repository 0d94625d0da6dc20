"""Every table in every version, on synthetic packages."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.unreal.packages.package import TABLES, Package
from assetdb_formats.unreal.properties.decoded import ObjectReference, Opaque
from assetdb_formats.unreal.properties.exports import PropertyReader
from assetdb_formats.unreal.scanning.records import HARD, IN_GAME, SOFT, make_record
from assetdb_formats.unreal.versions import PackageVersion
from tests.assetdb_formats.unreal.package_writer import COOKED, EDITOR, VERSIONS, Writer, full

EACH_VERSION = pytest.mark.parametrize("version", VERSIONS, ids=lambda version: "/".join(map(str, version)))


@EACH_VERSION
@pytest.mark.parametrize("flags", [EDITOR, COOKED], ids=["editor", "cooked"])
def test_every_table_is_read(version: tuple[int, int, int], flags: int) -> None:
    legacy, ue4, ue5 = version
    writer = full(legacy, ue4, ue5, flags)
    package = Package(writer.data())
    assert package.damage() == []
    summary = package.summary
    assert (summary.legacy_version, summary.version) == (legacy, PackageVersion(ue4, ue5))
    assert str(summary.saved_by) == "4.27.2-12345+++UE4+Release"
    assert summary.generations == [(2, len(writer.names))]
    assert summary.package_source == 77
    assert package.names == writer.names
    assert [record.object_name for record in package.imports.records()] == [row[3] for row in writer.imports]
    exports = package.exports.records()
    assert [record.object_name for record in exports] == ["Thing", "Inner_0"]
    assert [record.serial_size for record in exports] == [len(row[3]) for row in writer.exports]
    assert package.paths.path(2) == "Thing:Inner_0"
    assert package.paths.path(1) == "Thing"
    assert package.paths.path(-4) == "/Game/Folder/Other_3.Other_3"
    assert package.class_name(exports[0].class_index) == "Blueprint"
    assert list(package.depends) == [(1,), (2,)]
    assert package.soft_packages == (writer.soft_packages if ue4 >= 384 else [])
    assert [str(path) for path in package.soft_object_paths] == (
        ["/Game/Soft/Target.Target:Sub.Path"] if ue5 >= 1008 else []
    )
    assert [(asset.object_path, asset.tags) for asset in package.registry.assets] == [
        ("Thing", {"Key": "Välue", "Wide": "語"})
    ]
    if flags == EDITOR:
        assert [(found.image_format, found.size) for found in package.thumbnails] == [("", 0), ("jpeg", 8)]
        assert package.thumbnails[1].image(package.data).endswith(b"jpeg")
        assert package.thumbnails[1].height == 2
        assert [found.names for found in package.searchable_names] == ([("Row_5", "Row")] if ue4 >= 510 else [])
        if ue4 >= 521:
            assert package.registry.imports_used_in_game == writer.imports_in_game
            assert package.registry.soft_packages_used_in_game == [False]
        else:
            assert package.registry.imports_used_in_game is None
        assert [(found.namespace, found.source) for found in package.gatherable_text] == (
            [("Space", "Hello")] if ue4 >= 459 else []
        )
        assert bool(package.metadata.objects) == (ue5 >= 1014)
        trailer = package.trailer
        if ue5 >= 1002:
            assert trailer is not None
            assert [payload.raw_size for payload in trailer.payloads] == [7, 4]
            assert package.data[trailer.data_offset :][:7] == b"payload"
        else:
            assert trailer is None
    else:
        assert [found.raw_size for found in package.data_resources] == ([4] if ue5 >= 1009 else [])
    if ue4 >= 329:
        assert package.world_tile is not None
        assert (package.world_tile.layer, package.world_tile.streaming_distance) == ("Layer", 50000)
        assert (package.world_tile.parent, package.world_tile.z_order) == ("/Game/Parent", 4)


@EACH_VERSION
def test_properties_are_walked_to_the_native_tail(version: tuple[int, int, int]) -> None:
    legacy, ue4, ue5 = version
    package = Package(full(legacy, ue4, ue5).data())
    reader = PropertyReader(package)
    for number in range(len(reader)):
        found = reader.read(number)
        values = {prop.name: prop.value for prop in found.properties}
        assert values["Count"] == 7
        assert values["Flag"] is True
        assert values["Label"] == "text"
        assert values["Where"] == (1.0, 2.0, 3.0)
        assert values["Parent"] == ObjectReference(-4)
        assert values["Mode"] == "EMode::On"
        assert values["List"] == ["Entry"]
        assert str(values["Soft"]).startswith("/Game/Soft/Target.Target")
        assert isinstance(values["Unknown"], Opaque)
        if ue4 >= 509:
            assert values["Map"] == [("A", 5)]
        assert found.tail.size == len(b"native tail")
        assert found.references.objects == [-4]
        assert [path.package_name for path in found.references.soft] == ["/Game/Soft/Target"]


@EACH_VERSION
def test_the_record_says_what_is_needed_and_how(version: tuple[int, int, int]) -> None:
    legacy, ue4, ue5 = version
    record = make_record(full(legacy, ue4, ue5).data())
    assert record.error == ""
    assert record.class_name == "Blueprint"
    found = dict(record.dependencies)
    assert found["/Game/Folder/Other_3"] & HARD
    assert bool(found["/Game/Folder/Other_3"] & IN_GAME) == (ue4 < 521)
    if ue4 >= 384:
        assert found["/Game/Soft/Target"] & SOFT


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ((0, pack("<I", 0xC1832A9E)), "big-endian"),
        ((0, b"ACE7"), "starts with 0x37454341"),
        ((4, pack("<i", -10)), "LegacyFileVersion -10 is newer than -9"),
        ((4, pack("<i", 3)), "LegacyFileVersion 3: a package of Unreal 3"),
        ((12, pack("<i", 523)), "UE4 523, UE5 1018 is newer"),
        ((16, pack("<i", 1019)), "UE4 522, UE5 1019 is newer"),
    ],
)
def test_what_is_newer_or_no_package_is_refused_with_the_number(change: tuple[int, bytes], message: str) -> None:
    place, patch = change
    data = bytearray(full(-9, 522, 1018).data())
    data[place : place + len(patch)] = patch
    with pytest.raises(FormatError, match=message) as caught:
        Package(bytes(data))
    assert caught.value.offset is not None
    assert caught.value.field


@pytest.mark.parametrize("more", [{}, {"cooked_owners": True}], ids=["5.7", "5.8"])
def test_cooked_imports_that_name_their_package(more: dict[str, bool]) -> None:
    data = full(-9, 522, 1018, COOKED, **more).data()
    package = Package(data)
    assert package.damage() == []
    assert package.paths.path(-4) == "/Game/Folder/Other_3.Other_3"
    assert [name for _, name in package.imports.packages()] == ["/Script/Engine", "/Game/Folder/Other_3"]


def test_one_damaged_table_leaves_the_others() -> None:
    writer = full(-8, 522, 1009)
    data = bytearray(writer.data())
    offset = Package(bytes(data)).summary.thumbnail_table_offset
    data[offset : offset + 4] = pack("<i", 2**30)
    package = Package(bytes(data))
    assert [error.field for error in package.damage()] == ["thumbnails"]
    assert [table for table in TABLES if table != "thumbnails" and getattr(package, table) is not None]
    assert package.names == writer.names


def test_a_ring_of_outers_is_an_error_and_no_loop() -> None:
    writer = Writer(imports=[("/Script/CoreUObject", "Object", -2, "A"), ("/Script/CoreUObject", "Object", -1, "B")])
    package = Package(writer.data())
    with pytest.raises(FormatError, match="comes back to itself"):
        package.paths.path(-1)
    assert package.damage()


def test_paths_are_in_proportion() -> None:
    names = [f"{'x' * 1000}{number}" for number in range(5)]
    imports = [("/Script/CoreUObject", "Object", -number, name) for number, name in enumerate(names)]
    package = Package(Writer(imports=imports).data())
    assert len(package.paths.path(-4)) > 4000
    with pytest.raises(FormatError, match="path of over 4096 characters"):
        package.paths.path(-5)


@pytest.mark.parametrize("text", ["x" * 254, "x" * 255, "x" * 1023, "with space", "Ünï", "語", "語" * 300, "a.b:c"])
@pytest.mark.parametrize("ue4", [498, 522])
def test_names_of_every_length_and_width(text: str, ue4: int) -> None:
    writer = Writer(-7 if ue4 == 522 else -6, ue4, 0, extra_names=["First", text, "Last"])
    assert Package(writer.data()).names == ["First", text, "Last"]


def test_names_are_no_longer_than_an_engine_makes_them() -> None:
    with pytest.raises(FormatError, match="a name of 1024 characters"):
        _ = Package(Writer(extra_names=["First", "x" * 1024]).data()).names


def test_names_whose_hashes_look_like_lengths() -> None:
    data = Writer(extra_names=["A", "B", "C"]).data()
    for filler in (b"\0\0\0\0", b"\2\0\0\0", b"\xff\xff\xff\xff"):
        changed = data.replace(pack("<HH", 7, 9), filler)
        assert Package(changed).names == ["A", "B", "C"]


def test_one_byte_of_a_length_is_enough_to_be_refused() -> None:
    data = Writer(extra_names=["Alpha", "Beta", "Gamma"]).data()
    place = data.index(b"\5\0\0\0Beta")
    for wrong in (0, 4, 6, 9, 250):
        changed = data[:place] + bytes([wrong]) + data[place + 1 :]
        try:
            names = Package(changed).names
        except FormatError as error:
            assert error.field.startswith("names")  # noqa: PT017 - either this, or an empty name
        else:
            assert wrong == 0
            assert names != ["Alpha", "Beta", "Gamma"]


def test_thumbnails_that_lie_in_each_other_are_damage() -> None:
    writer = full(-8, 522, 1009)
    writer.thumbnails = [("Blueprint", f"Thing{number}", 2, 2, b"\x89PNG" * 500) for number in range(40)]
    data = bytearray(writer.data())
    sound = Package(bytes(data)).thumbnails
    assert len(sound) == 40
    for found in sound:  # each image is made to hold all that follow
        data[found.offset - 4 : found.offset] = pack("<i", sound[-1].offset + 2000 - found.offset)
    package = Package(bytes(data))
    with pytest.raises(FormatError, match="overlap") as caught:
        _ = package.thumbnails
    assert caught.value.field.startswith("thumbnails[")
    assert caught.value.offset is not None
    assert [error.field for error in package.damage()] == [caught.value.field]
