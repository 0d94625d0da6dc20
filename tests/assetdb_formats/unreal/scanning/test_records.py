"""The record of a package: class, what it depends on and how, where it leads."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.files.package_file import BytesSource
from assetdb_formats.unreal.packages.package import Package
from assetdb_formats.unreal.scanning.records import (
    BUILD,
    COOKED,
    DAMAGED,
    HARD,
    IN_GAME,
    MAP,
    NAMED,
    REDIRECTOR,
    SEARCHABLE,
    SOFT,
    PackageRecord,
    damaged_record,
    make_record,
)
from tests.assetdb_formats.unreal import package_writer
from tests.assetdb_formats.unreal.package_writer import UNVERSIONED_PROPERTIES, Writer, fstring, full

if TYPE_CHECKING:
    from collections.abc import Sequence

CORE = "/Script/CoreUObject"


def writer_of(
    packages: Sequence[str] = (), *, ue4: int = 522, ue5: int = 1009, flags: int = package_writer.EDITOR
) -> Writer:
    writer = Writer(-8 if ue5 else -7, ue4, ue5, flags)
    writer.imports = [(CORE, "Package", 0, name) for name in packages]
    writer.exports = [(0, 0, "Main", b"", True)]
    return writer


def record_of(writer: Writer, *, whole: bool = True) -> PackageRecord:
    record = make_record(writer.data(), whole=whole)
    assert record.error == ""
    return record


def test_an_import_is_a_hard_dependency() -> None:
    record = record_of(writer_of(["/Game/A", "/Game/B"]))
    assert record.dependencies == [("/Game/A", HARD | IN_GAME), ("/Game/B", HARD | IN_GAME)]


def test_bits_say_which_imports_and_soft_packages_the_game_needs() -> None:
    writer = writer_of(["/Game/A", "/Game/B", "/Game/C"])
    writer.imports_in_game = [False, True]
    writer.soft_packages = ["/Game/B", "/Game/D", "/Game/E"]
    writer.soft_in_game = [False, True]
    assert dict(record_of(writer).dependencies) == {
        "/Game/A": HARD,
        "/Game/B": HARD | IN_GAME | SOFT,
        "/Game/C": HARD | IN_GAME,
        "/Game/D": SOFT | IN_GAME,
        "/Game/E": SOFT | IN_GAME,
    }
    writer.imports_in_game = [False, False, False]
    writer.soft_in_game = [False, False, False]
    assert not any(kinds & IN_GAME for _, kinds in record_of(writer).dependencies)


def test_an_old_soft_package_is_that_of_an_object_path() -> None:
    writer = Writer(-5, 482, 0, soft_packages=["/Game/A.A", "/Game/A.B", "None", ""])
    writer.exports = [(0, 0, "Main", b"", True)]
    assert record_of(writer).dependencies == [("/Game/A", SOFT | IN_GAME)]


def test_extra_dependencies_are_needed_to_build() -> None:
    writer = writer_of(["/Game/A"], ue5=1013)
    writer.extra_names = ["/Game/B"]
    data = writer.data()
    package = Package(data)
    names = package.names
    bits = pack("<iI", 1, 1) + pack("<i", 0) + pack("<i", 0)
    assert data.count(bits) == 1
    changed = data + bits[:-4] + pack("<i", 2)
    changed += pack("<iiI", names.index("/Game/B"), 0, 0) + pack("<iiI", names.index("/Game/A"), 0, 0)
    place = package.summary.asset_registry_offset
    changed = changed[:place] + pack("<q", len(data)) + changed[place + 8 :]
    assert dict(make_record(changed).dependencies) == {"/Game/A": HARD | IN_GAME | BUILD, "/Game/B": BUILD}


def test_the_package_of_an_import_that_lies_elsewhere_is_needed() -> None:
    writer = writer_of(["/Game/A", "/Game/B"])
    writer.owner = "/Game/Actors/Own"
    assert dict(record_of(writer).dependencies)["/Game/Actors/Own"] == HARD | IN_GAME
    writer.owner = "NoPackage"
    assert set(dict(record_of(writer).dependencies)) == {"/Game/A", "/Game/B"}
    writer.owner = "/Game/A"
    writer.imports_in_game = [False, False]
    assert record_of(writer).dependencies == [("/Game/A", HARD), ("/Game/B", HARD)]


def test_a_package_does_not_depend_on_itself() -> None:
    record = record_of(writer_of(["/Game/Own", "/Game/A"], ue5=1008))
    assert set(dict(record.dependencies)) == {"/Game/Own", "/Game/A"}
    writer = writer_of(["/Game/Own", "/Game/A"], ue5=1008)
    writer.package_name = "/Game/Own"
    record = record_of(writer)
    assert (record.own_name, record.dependencies) == ("/Game/Own", [("/Game/A", HARD | IN_GAME)])
    writer.package_name = "Own"
    assert record_of(writer).own_name == ""


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (0, 0),
        (0x20000, MAP),
        (0x200, COOKED),
        (0x10000, 0),
        (0x1, 0),
        (0x20200, MAP | COOKED),
    ],
)
def test_flags_are_those_of_the_package(flags: int, expected: int) -> None:
    assert record_of(writer_of(flags=flags)).flags == expected


def test_a_cooked_package_needs_what_its_names_and_paths_mention() -> None:
    writer = writer_of(["/Game/A"], flags=package_writer.COOKED)
    writer.extra_names = ["/Game/A", "/Game/B.B", "/Script/Engine.Actor", "/Single", "Game/C/D", "/Game/Soft"]
    writer.soft_paths = [("/Game/Soft", "Soft", ""), ("/Game/A", "A", "")]
    found = dict(record_of(writer).dependencies)
    assert found == {"/Game/A": HARD | SOFT | IN_GAME, "/Game/Soft": SOFT | IN_GAME, "/Game/B": NAMED | IN_GAME}
    writer.flags = package_writer.EDITOR
    assert dict(record_of(writer).dependencies) == {"/Game/A": HARD | IN_GAME}


def test_searchable_names_are_kept_with_the_object_that_has_them() -> None:
    writer = writer_of(["/Game/Tags", "/Script/Module", "/Game/Editor"])
    writer.imports_in_game = [True, True, False]
    writer.imports += [(CORE, "Object", -1, "Table"), (CORE, "Object", -3, "Other")]
    writer.searchable = [(-4, ["A", "B"]), (-2, ["C"]), (-5, ["D"]), (1, ["E"])]
    record = record_of(writer)
    assert record.searchable == [
        ("/Game/Tags.Table", "A"),
        ("/Game/Tags.Table", "B"),
        ("/Script/Module", "C"),
        ("/Game/Editor.Other", "D"),
        ("Main", "E"),
    ]
    assert dict(record.dependencies) == {
        "/Game/Tags": HARD | IN_GAME | SEARCHABLE,
        "/Script/Module": HARD | IN_GAME,
        "/Game/Editor": HARD | SEARCHABLE,
    }


@pytest.mark.parametrize("assets", [[], [("Main", "", {})]])
def test_without_an_asset_the_class_is_that_of_the_export_that_is_one(
    assets: list[tuple[str, str, dict[str, str]]],
) -> None:
    def class_of(*exports: tuple[int, int, bool]) -> str:
        writer = writer_of(["/Script/Engine"])
        writer.imports += [(CORE, "Class", -1, name) for name in ("First", "Second", "Third")]
        writer.exports = [(kind, outer, f"Export{kind}", b"", asset) for kind, outer, asset in exports]
        writer.assets = assets
        return record_of(writer).class_name

    assert class_of((-2, 0, False), (-3, 0, True), (-4, 0, True)) == "Second"
    assert class_of((-2, 0, False), (-3, 0, False)) == "First"
    assert class_of((-2, 2, True), (-3, 0, False)) == "Second"
    assert class_of((-2, 2, False), (-3, 0, False), (-4, 0, False)) == "Second"
    assert class_of() == ""


def test_a_class_is_short() -> None:
    writer = writer_of()
    for stored in ("/Script/Engine.Texture2D", "Texture2D"):
        writer.assets = [("Main", stored, {})]
        assert record_of(writer).class_name == "Texture2D"


def test_a_redirector_leads_to_the_package_of_its_first_object() -> None:
    writer = writer_of(["/Script/Engine", "/Game/Target"])
    writer.imports += [
        (CORE, "Class", -1, "ObjectRedirector"),
        (CORE, "Object", 0, "NoOuter"),
        ("/Script/Engine", "Texture2D", -2, "Target"),
        ("/Script/Engine", "Texture2D", -2, "Other"),
    ]
    writer.assets = [("Main", "ObjectRedirector", {})]
    record = record_of(writer)
    assert (record.redirects_to, record.flags) == ("/Game/Target", REDIRECTOR)
    writer.imports = writer.imports[:3]
    assert record_of(writer).redirects_to == ""
    writer.assets = [("Main", "Texture2D", {})]
    assert (record_of(writer).redirects_to, record_of(writer).flags) == ("", 0)


def table_writer(class_name: str = "DataTable", flags: int = package_writer.EDITOR) -> Writer:
    writer = Writer(-7, 517, 0, flags)
    writer.imports = [(CORE, "Package", 0, "/Script/Engine"), (CORE, "Class", -1, class_name)]
    soft = writer.name("/Game/Icon.Icon") + fstring("")
    row = writer.name("Icon") + writer.name("SoftObjectProperty") + pack("<iiB", len(soft), 0, 0) + soft
    none = writer.name("None")
    rows = pack("<i", 1) + writer.name("First") + row + none
    writer.exports = [(-2, 0, "Table", none + pack("<i", 0) + rows, True)]
    writer.assets = [("Table", class_name, {})]
    return writer


@pytest.mark.parametrize("class_name", ["DataTable", "CompositeDataTable"])
def test_the_rows_of_an_old_table_are_read_for_their_soft_references(class_name: str) -> None:
    writer = table_writer(class_name)
    assert dict(record_of(writer).dependencies)["/Game/Icon"] == SOFT | IN_GAME
    assert "/Game/Icon" not in dict(record_of(writer, whole=False).dependencies)
    writer.soft_packages = ["/Game/Listed"]
    assert "/Game/Icon" not in dict(record_of(writer).dependencies)


def test_rows_that_cannot_be_read_are_left_out() -> None:
    assert "/Game/Icon" not in dict(record_of(table_writer("Texture2D")).dependencies)
    writer = table_writer(flags=UNVERSIONED_PROPERTIES)
    assert "/Game/Icon" not in dict(record_of(writer).dependencies)
    writer = table_writer()
    kind, outer, name, payload, asset = writer.exports[0]
    writer.exports = [(kind, outer, name, payload[:-8] + b"\xff" * 8, asset)]
    assert "/Game/Icon" not in dict(record_of(writer).dependencies)
    data = table_writer().data()
    assert "/Game/Icon" not in dict(make_record(data[: Package(data).summary.total_header_size]).dependencies)


def test_what_cannot_be_opened_has_the_reason_alone() -> None:
    record = make_record(b"no package")
    assert record == PackageRecord("", "", DAMAGED, [], [], "", record.error)
    assert "not with the package tag" in record.error
    assert damaged_record(UnrealError("why")).error == "why"


def test_damage_leaves_what_was_read_before() -> None:
    writer = writer_of(["/Game/A"])
    writer.searchable = [(-9, ["A"])]
    record = make_record(writer.data())
    assert record.flags == DAMAGED
    assert "index -9 is outside" in record.error
    assert record.dependencies == [("/Game/A", HARD | IN_GAME)]


def test_with_its_source_every_table_of_a_package_is_checked() -> None:
    writer = full(-8, 522, 1009)
    data = bytearray(writer.data())
    assert make_record(bytes(data), source=BytesSource(bytes(data))).error == ""
    summary = Package(bytes(data)).summary
    place = summary.thumbnail_table_offset
    data[place : place + 4] = pack("<i", 2**30)
    assert make_record(bytes(data)).error == ""
    record = make_record(bytes(data), source=BytesSource(bytes(data)))
    assert record.flags & DAMAGED
    assert "thumbnails" in record.error
    assert "more)" not in record.error
    place = summary.searchable_names_offset
    data[place : place + 4] = pack("<i", 2**30)
    assert make_record(bytes(data), source=BytesSource(bytes(data))).error.endswith(" (and 1 more)")


def test_an_unversioned_package_gets_the_version_that_fits() -> None:
    data = full(-8, 522, 1008, package_writer.COOKED, unversioned=True, resources=[]).data()
    assert make_record(data).class_name == "Blueprint"
