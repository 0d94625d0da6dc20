"""Imports and exports: the layout of each version, names, and the paths that outers make."""

from __future__ import annotations

from struct import calcsize, pack

import pytest

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.objects import (
    Export,
    ExportTable,
    Import,
    ImportTable,
    ObjectPaths,
    Rows,
    export_size,
    import_size,
    pack_export,
    pack_import,
)
from assetdb_formats.unreal.versions import PackageVersion

NAMES = ["A", "B", "C", "Package", "D"]
START = 6


def import_row(
    *, version: tuple[int, int], owned: bool, outer: int = -5, name: tuple[int, int] = (2, 3), optional: int = 1
) -> bytes:
    row = pack("<iiiii", 0, 0, 1, 2, outer) + pack("<ii", *name)
    return row + (pack("<ii", 4, 0) if owned else b"") + (pack("<i", optional) if version[1] >= 1003 else b"")


@pytest.mark.parametrize(
    ("version", "editor", "owned"),
    [
        ((519, 0), True, False),
        ((520, 0), True, True),
        ((520, 0), False, False),
        ((522, 1002), True, True),
        ((522, 1003), True, True),
        ((522, 1003), False, False),
    ],
)
def test_an_import_has_its_package_in_the_editor_from_4_26_on(
    version: tuple[int, int],
    editor: bool,  # noqa: FBT001 - a row of the table
    owned: bool,  # noqa: FBT001 - a row of the table
) -> None:
    data = bytes(START) + import_row(version=version, owned=owned) * 2 + b"more"
    table = ImportTable(data, START, 2, NAMES, PackageVersion(*version), editor=editor, end=0)
    expected = Import("A", "B_1", -5, "C_2", "D" if owned else "", version[1] >= 1003)
    assert (len(table), table.records()) == (2, [expected, expected])
    assert table.end == len(data) - 4
    table.check()
    size = import_size(PackageVersion(*version), editor=owned)
    assert size == (len(data) - START - 4) // 2
    values = {
        "class_package": 0,
        "class_name": 1,
        "class_name_number": 2,
        "outer_index": -5,
        "object_name": 2,
        "object_name_number": 3,
        "package_name": 4,
        "optional": 1,
    }
    if not owned:  # packages are written as cooked ones, without owners
        assert pack_import(PackageVersion(*version), values=values) == data[START : START + size]


@pytest.mark.parametrize(
    ("version", "count", "gap", "owned"),
    [(1018, 2, 0, True), (1017, 2, 0, False), (1018, 2, 1, False), (1018, 0, 0, False)],
)
def test_where_a_cooked_table_ends_tells_of_the_packages_of_5_8(
    version: int,
    count: int,
    gap: int,
    owned: bool,  # noqa: FBT001 - a row of the table
) -> None:
    end = START + 40 * count
    data = bytes(end + 8)
    table = ImportTable(data, START, count, NAMES, PackageVersion(522, version), editor=False, end=end + gap)
    assert ("package_name" in table.layout.columns) == owned


def export_row(version: tuple[int, int], *, unversioned: bool = False, size: int = 100, name: int = 2) -> bytes:
    ue4, ue5 = version
    row = pack("<ii", -1, -2) + (pack("<i", -3) if ue4 >= 508 else b"") + pack("<iiiI", 4, name, 1, 9)
    row += pack("<qq" if ue4 >= 511 else "<ii", size, 50) + pack("<iii", 1, 0, 1)
    row += bytes(range(16)) if ue5 < 1005 else b""
    row += pack("<i", 1) if ue5 >= 1006 else b""
    row += pack("<I", 77)
    row += pack("<i", 1) if ue4 >= 365 else b""
    row += pack("<i", 1) if ue4 >= 485 else b""
    row += pack("<i", 1) if ue5 >= 1003 else b""
    row += pack("<5i", 1, 2, 3, 4, 5) if ue4 >= 507 else b""
    return row + (pack("<qq", 7, 8) if ue5 >= 1010 and not unversioned else b"")


@pytest.mark.parametrize("unversioned", [False, True])
@pytest.mark.parametrize(
    "version",
    [
        *((364, 0), (365, 0), (484, 0), (485, 0), (506, 0), (507, 0), (508, 0), (510, 0), (511, 0)),
        *((522, 1002), (522, 1003), (522, 1004), (522, 1005), (522, 1006), (522, 1009), (522, 1010)),
    ],
)
def test_an_export_has_what_its_version_brought(
    version: tuple[int, int],
    unversioned: bool,  # noqa: FBT001 - a parameter
) -> None:
    ue4, ue5 = version
    row = export_row(version, unversioned=unversioned)
    table = ExportTable(
        bytes(START) + row * 2, START, 2, NAMES, PackageVersion(*version), unversioned_properties=unversioned
    )
    expected = Export(
        class_index=-1,
        super_index=-2,
        template_index=-3 if ue4 >= 508 else 0,
        outer_index=4,
        object_name="C_0",
        object_flags=9,
        serial_size=100,
        serial_offset=50,
        forced=True,
        not_for_client=False,
        not_for_server=True,
        package_guid=bytes(range(16)) if ue5 < 1005 else b"",
        inherited_instance=ue5 >= 1006,
        package_flags=77,
        not_always_loaded_for_editor_game=ue4 >= 365,
        asset=ue4 >= 485,
        public_hash=ue5 >= 1003,
        dependencies=(1, 2, 3, 4, 5) if ue4 >= 507 else (0, 0, 0, 0, 0),
        script=(7, 8) if ue5 >= 1010 and not unversioned else (0, 0),
    )
    assert table.records() == [expected, expected]
    assert table.record(1) == expected
    assert export_size(PackageVersion(*version), unversioned_properties=unversioned) == len(row)


def test_an_export_is_packed_as_it_is_read() -> None:
    values: dict[str, int] = {"class_index": -1, "super_index": -2, "template_index": -3, "outer_index": 4}
    values |= {"object_name": 2, "object_name_number": 1, "object_flags": 9, "serial_size": 100, "serial_offset": 50}
    values |= {"forced": 1, "not_for_server": 1, "inherited_instance": 1, "package_flags": 77, "asset": 1}
    values |= {"not_always_loaded_for_editor_game": 1, "public_hash": 1, "script_start": 7, "script_end": 8}
    names = ("first_dependency", "serialize_before_serialize", "create_before_serialize", "serialize_before_create")
    values |= {name: number for number, name in enumerate((*names, "create_before_create"), 1)}
    version = PackageVersion(522, 1010)
    assert pack_export(version, unversioned_properties=False, values=values) == export_row((522, 1010))
    old = pack_export(PackageVersion(522, 1004), unversioned_properties=True, values=values)
    assert old == export_row((522, 1004)).replace(bytes(range(16)), bytes(16))


@pytest.mark.parametrize(("offset", "count"), [(START + 1, 2), (START, 3), (-1, 1), (0, -1)])
def test_a_table_lies_in_the_data(offset: int, count: int) -> None:
    data = bytes(START + 2 * 28)
    ImportTable(data, START, 2, NAMES, PackageVersion(500), editor=False, end=0)
    with pytest.raises(UnrealError, match=f"{count} of 28 bytes at {offset} do not lie in 62 bytes") as caught:
        ImportTable(data, offset, count, NAMES, PackageVersion(500), editor=False, end=0)
    assert (caught.value.offset, caught.value.field) == (offset, "imports")
    assert len(ImportTable(b"", 999, 0, NAMES, PackageVersion(500), editor=False, end=0)) == 0


def test_rows_are_counted_from_zero() -> None:
    import struct  # noqa: PLC0415 - the one test that makes a layout

    rows = Rows(struct.Struct("<i"), memoryview(pack("<ii", 5, 6)))
    assert (len(rows), rows[0], rows[1], list(rows)) == (2, (5,), (6,), [(5,), (6,)])
    for number in (-1, 2):
        with pytest.raises(IndexError):
            rows[number]


def imports_of(
    *rows: tuple[int, tuple[int, int]], kind: tuple[int, int] = (3, 0), names: list[str] = NAMES
) -> ImportTable:
    data = b"".join(pack("<iiiii", 0, 0, *kind, outer) + pack("<ii", *name) for outer, name in rows)
    return ImportTable(data, 0, len(rows), names, PackageVersion(500), editor=False, end=0)


def test_the_packages_among_the_imports() -> None:
    table = imports_of((0, (0, 0)), (-1, (1, 3)))
    assert table.packages() == [(0, "A"), (1, "B_2")]
    assert imports_of((0, (0, 0)), kind=(3, 1)).packages() == []  # Package_0
    assert imports_of((0, (0, 0)), kind=(2, 0)).packages() == []
    assert imports_of((0, (0, 0)), kind=(1, 0), names=["A", "B"]).packages() == []


@pytest.mark.parametrize("number", [0, 1])
def test_a_name_is_in_the_table(number: int) -> None:
    rows = [(0, (0, 0)), (0, (0, 0))]
    rows[number] = (0, (len(NAMES), 0))
    table = imports_of(*rows)
    for ask in (table.packages, table.check, table.records):
        with pytest.raises(UnrealError, match=f"names number {len(NAMES)} of {len(NAMES)}") as caught:
            ask()
        assert (caught.value.offset, caught.value.field) == (number * 28, f"imports[{number}].object_name")
    with pytest.raises(UnrealError, match="names number 5 of 5") as caught:
        imports_of((0, (0, 0)), kind=(5, 0)).check()
    assert caught.value.field == "imports[0].class_name"
    imports_of().check()


def exports_of(*rows: tuple[int, int], names: list[str] | None = None) -> ExportTable:
    layout = "<iiiIiIiiiii16sI"
    data = b"".join(pack(layout, 0, 0, outer, name, 0, 0, 0, 0, 0, 0, 0, bytes(16), 0) for outer, name in rows)
    assert calcsize(layout) == 64
    return ExportTable(data, 0, len(rows), names or NAMES, PackageVersion(300), unversioned_properties=False)


def test_a_path_is_a_package_an_object_and_those_within() -> None:
    imports = imports_of((0, (0, 0)), (-1, (1, 0)), (-2, (2, 0)), (-3, (4, 1)))
    exports = exports_of((0, 0), (1, 1), (2, 2), (-2, 4))
    paths = ObjectPaths(imports, exports)
    assert [paths.path(-number) for number in range(5)] == ["", "A", "A.B", "A.B:C", "A.B:C.D_0"]
    assert [paths.path(number) for number in range(1, 5)] == ["A", "A:B", "A:B.C", "A.B:D"]
    assert [paths.path(number) for number in (-4, 3, -4, 3)] == ["A.B:C.D_0", "A:B.C"] * 2
    paths.check()


@pytest.mark.parametrize(
    ("imports", "exports", "asked", "message"),
    [
        ([-2], [], -1, "index -2 is outside the 1 imports"),
        ([], [2], 1, "index 2 is outside the 1 exports"),
        ([1], [], -1, "index 1 is outside the 0 exports"),
        ([], [-1], 1, "index -1 is outside the 0 imports"),
        ([-1], [], -1, "the chain of outers comes back to itself"),
        ([-2, -3, -2], [], -1, "the chain of outers comes back to itself"),
        ([], [2, 1], 1, "the chain of outers comes back to itself"),
    ],
)
def test_a_chain_of_outers_ends_in_the_tables(imports: list[int], exports: list[int], asked: int, message: str) -> None:
    paths = ObjectPaths(
        imports_of(*((outer, (0, 0)) for outer in imports)), exports_of(*((each, 0) for each in exports))
    )
    for ask in (lambda: paths.path(asked), paths.check):
        with pytest.raises(UnrealError, match=message) as caught:
            ask()
        assert caught.value.field == f"object {asked}.outer_index"


@pytest.mark.parametrize("downwards", [True, False])
def test_objects_lie_in_at_most_a_hundred(downwards: bool) -> None:  # noqa: FBT001 - a parameter
    def chain(depth: int) -> ObjectPaths:
        outers = range(depth) if downwards else (*range(2, depth + 1), 0)
        return ObjectPaths(imports_of(), exports_of(*((outer, 0) for outer in outers)))

    deepest = 99 if downwards else 1
    paths = chain(99)
    paths.check()
    assert paths.path(deepest).count("A") == 99
    for depth in (101, 150):
        paths = chain(depth)
        with pytest.raises(UnrealError, match="lies in more than 100 others"):
            paths.check()
        with pytest.raises(UnrealError, match="lies in more than 100 others"):
            paths.path(depth if downwards else 1)
        if downwards:  # also where the outers are known already
            for number in range(1, 90):
                paths.path(number)
            with pytest.raises(UnrealError, match="lies in more than 100 others"):
                paths.path(depth)
