"""The tables of a zen package, in the four forms that it has had."""

from __future__ import annotations

from struct import pack, pack_into, unpack_from
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.codecs.city_hash import package_id
from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.zen.package import (
    BulkData,
    Export,
    Tables,
    Versioning,
    ZenForm,
    ZenPackage,
    header_size,
    parse_zen_package,
)
from tests.assetdb_formats.unreal.iostore.writer import name_batch, zen_package

if TYPE_CHECKING:
    from collections.abc import Callable

NONE = (1 << 64) - 1
EXPORTS = [("A", b"first"), ("B", b"second")]
IMPORTS = [1 << 62 | 5, NONE]
OFFSETS = {ZenForm.GRAPH_DATA: 1, ZenForm.DEPENDENCY_BUNDLES: 3, ZenForm.CELLS: 3}
ENGINE_5 = list(OFFSETS)
EACH_FORM = pytest.mark.parametrize("form", list(ZenForm))
EACH_5 = pytest.mark.parametrize("form", ENGINE_5)


def parsed(data: bytes | bytearray) -> ZenPackage:
    return parse_zen_package(bytes(data))


def sized(data: bytes | bytearray) -> int:
    return header_size(bytes(data))


def made(form: ZenForm, *, versioned: bool = False, bulk: int = 2) -> bytearray:
    names = ["/Game/B", "/Game/C"]
    return bytearray(zen_package(form, "/Game/A", EXPORTS, IMPORTS, names, versioned=versioned, bulk=bulk))


def names_at(form: ZenForm, *, versioned: bool = False) -> int:
    return 40 + 4 * OFFSETS[form] + (40 if versioned else 0) + (8 if form is ZenForm.CELLS else 0)


@EACH_5
@pytest.mark.parametrize("versioned", [False, True])
def test_every_field_of_engine_5(form: ZenForm, versioned: bool) -> None:  # noqa: FBT001 - a parameter
    data = made(form, versioned=versioned)
    found = parsed(data)
    size = unpack_from("<I", data, 4)[0]
    start = names_at(form, versioned=versioned)
    assert data[start:].startswith(name_batch(["/Game/A", "A", "B"]))
    hashes, imports, exports, bundles = unpack_from("<4i", data, 24)
    later = unpack_from(f"<{OFFSETS[form]}i", data, 40)
    assert (found.name, found.source_name, found.form) == ("/Game/A", "", form)
    assert (found.header_size, found.cooked_header_size, found.flags) == (size, 5000, 7)
    assert found.versioning == (Versioning(2, 522, 1009, 0, ((b"custom-version!!", 7),)) if versioned else None)
    assert found.imports == tuple(IMPORTS)
    first = 0 if form is ZenForm.CELLS else 5000
    assert found.exports == (
        Export("A", first, 5, NONE, 1 << 62, NONE, NONE, package_id("A"), 1, 0),
        Export("B", first + 5, 6, NONE, 1 << 62, NONE, NONE, package_id("B"), 1, 0),
    )
    assert found.imported_hashes == (0xFEED,)
    assert found.bulk_data == (BulkData(0, -1, 77, 1),) * 2
    order = [1, 0] if form is ZenForm.GRAPH_DATA else [0, 1]
    assert found.bundle == tuple((number, step) for number in order for step in (0, 1))
    assert found.graph == ()
    assert found.imported_names == (() if form is ZenForm.GRAPH_DATA else ("/Game/B", "/Game/C"))
    cells = (bundles, bundles) if form is ZenForm.CELLS else (-1, -1)
    later = (*later, -1, -1)[:3]
    assert found.tables == Tables(start, -1, hashes, imports, exports, bundles, *later, *cells)
    assert sized(data) == size
    assert parsed(data[:size]).header_size == size
    assert found.bundle_ordered == (form is ZenForm.GRAPH_DATA)


def test_every_field_of_engine_4() -> None:
    data = made(ZenForm.ENGINE_4)
    pack_into("<II", data, 8, 1, 3)
    found = parsed(data)
    names_size, hashes_at, hashes_size, imports, exports, bundles, graph, graph_size = unpack_from("<8i", data, 28)[:8]
    assert hashes_at >= 64 + names_size
    assert hashes_size == 32
    assert (found.name, found.source_name, found.form) == ("/Game/A", "A_2", ZenForm.ENGINE_4)
    assert (found.header_size, found.cooked_header_size, found.flags) == (graph + graph_size, 5000, 7)
    assert (found.versioning, found.imported_hashes, found.imported_names, found.bulk_data) == (None, (), (), ())
    assert found.imports == tuple(IMPORTS)
    assert [(each.name, each.offset, each.size) for each in found.exports] == [("A", 5000, 5), ("B", 5005, 6)]
    assert found.bundle == ((1, 0), (1, 1), (0, 0), (0, 1))
    assert found.graph == (package_id("/Game/B"), package_id("/Game/C"))
    assert found.tables == Tables(64, hashes_at, -1, imports, exports, bundles, graph)
    assert found.bundle_ordered
    assert sized(data) == found.header_size


@EACH_FORM
def test_a_header_size_is_known_before_the_tables_are_there(form: ZenForm) -> None:
    data = made(form)
    size = parsed(data).header_size
    assert sized(data[:size]) == size
    assert sized(data[:63]) == 0
    if form is ZenForm.ENGINE_4:
        assert sized(data[:64]) == size


def test_what_is_no_zen_package_has_no_header() -> None:
    assert sized(b"") == 0
    assert sized(bytes.fromhex("c1832a9e") + bytes(100)) == 0
    assert sized(bytes(100)) == 0
    data = made(ZenForm.ENGINE_4)
    size = parsed(data).header_size
    for place, number in ((32, 0), (36, 1 << 20), (40, 0), (44, 0), (48, 0), (52, 0), (24, 65)):
        changed = bytearray(data)
        pack_into("<i", changed, place, number)
        assert sized(changed) == 0, place
    changed = bytearray(data)
    pack_into("<i", changed, 52, unpack_from("<i", data, 52)[0] + 8)  # the graph may lie further behind
    assert sized(changed) == size + 8
    for place in (40, 44, 48):
        changed = bytearray(data)
        changed[place : place + 4] = data[place - 4 if place > 40 else 44 :][:4]
        assert sized(changed) == size, place
    pack_into("<i", data, 56, 3)
    assert sized(data) == 0
    pack_into("<i", data, 56, 4)
    assert sized(data) == unpack_from("<i", data, 52)[0] + 4


@pytest.mark.parametrize("size", [0, 51])
def test_fewer_bytes_than_a_summary_are_none(size: int) -> None:
    with pytest.raises(UnrealError, match=f"{size} bytes are not a zen package") as caught:
        parsed(bytes(size))
    assert caught.value.field == "summary"


@pytest.mark.parametrize("size", [52, 63, 64, 200])
def test_zeros_are_no_package_of_a_known_engine(size: int) -> None:
    with pytest.raises(UnrealError, match="is not a zen package of a known engine") as caught:
        parsed(bytes(size))
    assert caught.value.field == "summary"


def test_the_version_of_a_package_is_one_of_engine_4s() -> None:
    for ue4, sound in ((213, False), (214, True), (999, True), (1000, False)):
        data = made(ZenForm.DEPENDENCY_BUNDLES, versioned=True)
        pack_into("<i", data, 56, ue4)
        if sound:
            assert parsed(data).versioning == Versioning(2, ue4, 1009, 0, ((b"custom-version!!", 7),))
        else:
            with pytest.raises(UnrealError):
                parsed(data)
    data = made(ZenForm.DEPENDENCY_BUNDLES)
    pack_into("<I", data, 0, 2)
    with pytest.raises(UnrealError, match="known engine"):
        parsed(data)


@EACH_5
def test_a_header_lies_between_the_names_and_the_end(form: ZenForm) -> None:
    data = made(form)
    for size in (names_at(form) - 1, len(data) + 1):
        pack_into("<I", data, 4, size)
        with pytest.raises(UnrealError, match=f"header of {size} bytes in {len(data)}") as caught:
            parsed(data)
        assert (caught.value.offset, caught.value.field) == (4, "summary.header_size")


@pytest.mark.parametrize(
    ("place", "move", "message", "offset", "field"),
    [
        (24, -4, r"\d+ bytes, but \d+ are stored", None, "bulk_data.size"),
        (28, -4, "4 bytes are not whole items of 8", 24, "imported_public_export_hashes"),
        (32, -4, "12 bytes are not whole items of 8", 28, "imports"),
        (36, -8, "136 bytes are not whole items of 72", 32, "exports"),
        (40, -4, "28 bytes are not whole items of 8", 36, "export_bundle_entries"),
        (44, -2, "6 bytes are not whole items of 4", 44, "dependency_bundle_entries"),
        (44, -4, "36 bytes", 40, "dependency_bundle_headers"),
        (48, 1 << 20, r"lies at \d+ to \d+ of \d+", None, "dependency_bundle_entries"),
        (28, -9, r"lies at \d+ to \d+ of \d+", None, "imported_public_export_hashes"),
    ],
)
def test_a_table_ends_where_the_next_begins(
    place: int, move: int, message: str, offset: int | None, field: str
) -> None:
    data = made(ZenForm.DEPENDENCY_BUNDLES)
    pack_into("<i", data, place, unpack_from("<i", data, place)[0] + move)
    with pytest.raises(UnrealError, match=message) as caught:
        parsed(data)
    assert caught.value.field == field
    if offset is not None:
        assert caught.value.offset == unpack_from("<i", data, offset)[0]


def test_names_are_references_into_the_batch() -> None:
    data = made(ZenForm.DEPENDENCY_BUNDLES)
    exports = unpack_from("<i", data, 32)[0]
    for place, field in ((8, "summary.name"), (exports + 16, "exports[0].name"), (exports + 88, "exports[1].name")):
        changed = bytearray(data)
        pack_into("<I", changed, place, 3)
        with pytest.raises(UnrealError, match="refers to name 3 of 3") as caught:
            parsed(changed)
        assert (caught.value.offset, caught.value.field) == (place, field)
    pack_into("<II", data, 8, 1, 1)
    assert parsed(data).name == "A_0"
    data = made(ZenForm.ENGINE_4)
    for place, field in ((0, "summary.name"), (8, "summary.source_name")):
        changed = bytearray(data)
        pack_into("<I", changed, place, 3)
        with pytest.raises(UnrealError, match="refers to name 3 of 3") as caught:
            parsed(changed)
        assert (caught.value.offset, caught.value.field) == (place, field)


def with_bulk(form: ZenForm, change: Callable[[bytearray, int], None]) -> bytearray:
    data = made(form, bulk=1)
    change(data, names_at(form) + len(name_batch(["/Game/A", "A", "B"])))
    return data


@pytest.mark.parametrize(
    ("size", "message"),
    [(8, "8 bytes, but 45 are stored"), (-1, "-1 bytes, but 45"), (1 << 40, "bytes, but 45 are stored")],
)
def test_bulk_data_fill_the_gap_behind_the_names(size: int, message: str) -> None:
    def change(data: bytearray, place: int) -> None:
        pack_into("<q", data, place, size)

    with pytest.raises(UnrealError, match=message) as caught:
        parsed(with_bulk(ZenForm.GRAPH_DATA, change))
    start = names_at(ZenForm.GRAPH_DATA) + len(name_batch(["/Game/A", "A", "B"]))
    assert (caught.value.offset, caught.value.field) == (start, "bulk_data.size")


def test_bulk_data_without_padding_are_those_of_5_2() -> None:
    data = zen_package(1, "/Game/A", EXPORTS, IMPORTS, [], bulk=3, padded_bulk=False)
    assert parsed(data).bulk_data == (BulkData(0, -1, 77, 1),) * 3
    assert parsed(zen_package(1, "/Game/A", EXPORTS, IMPORTS, [])).bulk_data == ()
    changed = bytearray(data)
    pack_into("<i", changed, 24, 44 + len(name_batch(["/Game/A", "A", "B"])) + 7)
    with pytest.raises(UnrealError, match=r"names end at \d+, the next table begins at \d+") as caught:
        parsed(changed)
    assert caught.value.field == "bulk_data"


@EACH_FORM
def test_the_data_of_exports_lie_behind_the_header(form: ZenForm) -> None:
    data = made(form)
    found = parsed(data)
    size = found.header_size
    second, first = ((size, 6), (size + 6, 5)) if form < ZenForm.DEPENDENCY_BUNDLES else ((size + 5, 6), (size, 5))
    assert found.export_spans() == [first, second]
    assert found._replace(exports=()).export_spans() == []
    if form < ZenForm.DEPENDENCY_BUNDLES:  # what no bundle has, or what is not there, has no place
        assert found._replace(bundle=((0, 0), (7, 1), (1, 1))).export_spans() == [(size, 0), (size, 6)]
    else:
        moved = tuple(export._replace(offset=export.offset % 5000) for export in found.exports)
        assert found._replace(exports=moved).export_spans() == [first, second]
        empty = (moved[0]._replace(size=0), moved[1]._replace(offset=5000))
        assert found._replace(exports=empty).export_spans()[1] == (size, 6)


def test_the_path_of_an_export_has_its_outers() -> None:
    found = parsed(made(ZenForm.CELLS))
    first, second = found.exports
    assert found._replace(exports=(first, second._replace(outer=0))).export_path(1) == "A.B"
    with pytest.raises(UnrealError, match="lies in more than 100 others"):
        found._replace(exports=(first._replace(outer=1), second._replace(outer=0))).export_path(1)
    assert found._replace(exports=(first, second._replace(outer=9))).export_path(1) == "B"
    assert found._replace(exports=(first, second._replace(outer=1 << 62))).export_path(1) == "B"
    assert found.export_path(7) == ""


def test_engine_4_creates_and_serializes_each_export_once() -> None:
    data = made(ZenForm.ENGINE_4)
    bundles = unpack_from("<i", data, 48)[0]
    for move, left in ((4, 36), (16, 24)):
        changed = bytearray(data)
        pack_into("<i", changed, 48, bundles + move)
        with pytest.raises(UnrealError) as caught:
            parsed(changed)
        assert caught.value.field == "exports"
        assert left
    for move in (-4, -16):
        changed = bytearray(data)
        pack_into("<i", changed, 52, unpack_from("<i", data, 52)[0] + move)
        with pytest.raises(UnrealError, match=f"{40 + move} bytes for 2 exports") as caught:
            parsed(changed)
        assert (caught.value.offset, caught.value.field) == (bundles, "export_bundles")


@pytest.mark.parametrize(("place", "number"), [(24, 65), (24, 63), (52, 63), (56, -9999), (56, 1 << 20)])
def test_the_tables_of_engine_4_follow_its_summary(place: int, number: int) -> None:
    data = made(ZenForm.ENGINE_4)
    pack_into("<i", data, place, number)
    with pytest.raises(UnrealError, match="is not a zen package of a known engine"):
        parsed(data)


def test_the_graph_of_engine_4_has_whole_rows() -> None:
    data = made(ZenForm.ENGINE_4)
    graph = unpack_from("<i", data, 52)[0]
    for place, count, message, field in (
        (graph, 9, "counts 9 items of 12 bytes", "graph"),
        (graph + 12, 9, "counts 9 items of 8 bytes", r"graph[0]"),
    ):
        changed = bytearray(data)
        changed[place : place + 4] = pack("<I", count)
        with pytest.raises(UnrealError, match=message) as caught:
            parsed(changed)
        assert caught.value.field == field
