"""The version of an unversioned package, by the layouts in which its tables close."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.unreal.errors import UnversionedPackageError
from assetdb_formats.unreal.files.inference import infer_version, open_inferred
from assetdb_formats.unreal.packages.package import Package
from assetdb_formats.unreal.properties.exports import PropertyReader
from assetdb_formats.unreal.versions import RELEASES, PackageVersion
from tests.assetdb_formats.unreal.package_writer import COOKED, UNVERSIONED_PROPERTIES, VERSIONS, Writer, full


@pytest.mark.parametrize(
    "version",
    [(-3, ue4, 0) for ue4 in (342, 352, 367, 382, 385, 401, 413, 434)] + VERSIONS[1:],
    ids=lambda version: "/".join(map(str, version)),
)
def test_the_version_of_an_unversioned_package_is_inferred(
    version: tuple[int, int, int],
) -> None:
    legacy, ue4, ue5 = version
    if PackageVersion(ue4, ue5) not in RELEASES.values() or (legacy, ue4) == (-5, 482):
        pytest.skip("no release wrote this pair")
    writer = full(legacy, ue4, ue5, COOKED | UNVERSIONED_PROPERTIES, unversioned=True, resources=[], tile_layer="")
    data = writer.data()
    with pytest.raises(UnversionedPackageError):
        Package(data)
    inferred = infer_version(data)
    assert PackageVersion(ue4, ue5) in inferred.alike
    assert open_inferred(data).names == writer.names
    with pytest.raises(FormatError, match="usmap is needed"):
        PropertyReader(open_inferred(data))


def test_no_version_is_inferred_where_a_table_has_a_gap() -> None:
    data = bytearray(full(-8, 522, 1009, COOKED, unversioned=True, resources=[]).data())
    package = Package(bytes(data), PackageVersion(522, 1009))
    place = data.index(pack("<ii", package.summary.export_count, package.summary.export_offset))
    data[place + 4 : place + 8] = pack("<i", package.summary.export_offset + 4)
    with pytest.raises(FormatError, match="closes its tables"):
        infer_version(bytes(data))


def test_a_version_that_is_carried_is_not_inferred() -> None:
    with pytest.raises(FormatError, match="carries its version"):
        infer_version(full(-8, 522, 1009).data())


def cooked(legacy: int, ue4: int, ue5: int = 0) -> Writer:
    """A package with a table of each kind that cooked packages of all versions have."""
    writer = Writer(legacy, ue4, ue5, COOKED | UNVERSIONED_PROPERTIES, unversioned=True)
    writer.imports = [
        ("/Script/CoreUObject", "Package", 0, "/Script/Engine"),
        ("/Script/CoreUObject", "Class", -1, "Blueprint"),
    ]
    writer.exports = [(-2, 0, "Thing", bytes(9), True), (-2, 1, "Inner", bytes(7), False)]
    writer.soft_packages = ["/Game/Soft"]
    return writer


@pytest.mark.parametrize(
    ("legacy", "ue4", "ue5", "releases"),
    [
        (-5, 342, 0, "4.0 to 4.1"),
        (-2, 352, 0, "4.0 to 4.1"),
        (-3, 367, 0, "4.2 to 4.3"),
        (-5, 401, 0, "4.4 to 4.7"),
        (-5, 434, 0, "4.4 to 4.7"),
        (-5, 451, 0, "4.8"),
        (-6, 482, 0, "4.9 to 4.10"),
        (-6, 498, 0, "4.11"),
        (-6, 505, 0, "4.12 to 4.13"),
        (-7, 508, 0, "4.14"),
        (-7, 510, 0, "4.15"),
        (-7, 513, 0, "4.16 to 4.17"),  # from 4.18 on, soft references are names
        (-7, 522, 0, "4.16 to 4.27"),
        (-8, 522, 1004, "5.0"),
        (-8, 522, 1008, "5.1"),
        (-8, 522, 1012, "5.2 to 5.5"),
        (-9, 522, 1017, "5.6"),
        (-9, 522, 1018, "5.7"),
    ],
)
def test_versions_of_one_layout_are_told_together_and_the_newest_is_taken(
    legacy: int, ue4: int, ue5: int, releases: str
) -> None:
    data = cooked(legacy, ue4, ue5).data()
    first, _, last = releases.partition(" to ")
    inferred = infer_version(data)
    assert str(inferred) == releases
    assert inferred.version == RELEASES[last or first] == open_inferred(data).summary.version
    assert inferred.alike == sorted(set(inferred.alike))
    assert inferred.alike[0] == RELEASES[first]


@pytest.mark.parametrize(("legacy", "ue4", "ue5"), [(-6, 451, 0), (-4, 498, 0), (-6, 508, 0), (-9, 522, 1013)])
def test_a_legacy_version_belongs_to_few_releases(legacy: int, ue4: int, ue5: int) -> None:
    """The layout is of the second number, but no release wrote it with the first."""
    data = cooked(legacy, ue4, ue5).data()
    try:
        found = infer_version(data).alike
    except FormatError as error:
        assert "closes its tables" in str(error)  # noqa: PT017 - either is right
    else:
        assert PackageVersion(ue4, ue5) not in found


def moved(field: str, by: int) -> bytes:
    """A package of 5.3 in which the header states another place of a table."""
    data = bytearray(cooked(-8, 522, 1009).data())
    summary = Package(bytes(data), PackageVersion(522, 1009)).summary
    count, offset = getattr(summary, f"{field}_count"), getattr(summary, f"{field}_offset")
    place = data.index(pack("<ii", count, offset))
    data[place + 4 : place + 8] = pack("<i", offset + by)
    return bytes(data)


@pytest.mark.parametrize(("field", "by"), [("name", 4), ("import", 4), ("import", -4), ("export", 4), ("export", -4)])
def test_tables_follow_each_other_without_a_gap(field: str, by: int) -> None:
    with pytest.raises(
        FormatError, match=r"no version from 4\.0 to 5\.7 closes its tables; with the newest: "
    ) as caught:
        infer_version(moved(field, by))
    assert (caught.value.offset, caught.value.field) == (8, "version")


@pytest.mark.parametrize(("place", "value"), [("size", -1), ("size", 10), ("offset", -1)])
def test_the_data_of_exports_follow_the_header_without_overlap(place: str, value: int) -> None:
    writer = cooked(-8, 522, 1009)
    data = bytearray(writer.data())
    record = Package(bytes(data), PackageVersion(522, 1009)).exports.records()[0]
    row = data.index(pack("<qq", record.serial_size, record.serial_offset))
    size = value if place == "size" else record.serial_size
    offset = record.serial_offset + (value if place == "offset" else 0)
    data[row : row + 16] = pack("<qq", size, offset)
    with pytest.raises(FormatError, match="closes its tables"):
        infer_version(bytes(data))


def test_something_else_is_told_by_its_own_error() -> None:
    with pytest.raises(FormatError, match="starts with 0x"):
        infer_version(b"something else " * 9)
