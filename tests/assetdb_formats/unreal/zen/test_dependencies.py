"""The load order in a zen package: bundles and arcs, or lists."""

from __future__ import annotations

from struct import pack, pack_into

import pytest

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.zen.dependencies import (
    Arc,
    Bundle,
    ExportDependencies,
    ImportArc,
    PackageArcs,
    ZenDependencies,
    read_dependencies,
)
from assetdb_formats.unreal.zen.package import Tables, ZenForm, ZenPackage, parse_zen_package
from tests.assetdb_formats.unreal.iostore.writer import zen_package

START = 16
PLAIN = parse_zen_package(zen_package(2, "/Game/A", [("A", b"")], [], []))


def package(
    form: ZenForm, table: bytes, entries: int = 0, *, dependencies: int = 0, exports: int = 2, imports: int = 3
) -> tuple[bytes, ZenPackage]:
    """Return a package with these bytes as its tables of dependencies; ``dependencies`` are those before the graph."""
    data = bytes(START) + table
    tables = Tables(0, 0, 0, 0, 0, START, START + dependencies, dependency_entries=0, imported_names=0)
    made = PLAIN._replace(
        form=form,
        header_size=len(data),
        tables=tables,
        bundle=((0, 0),) * entries,
        exports=PLAIN.exports * exports,
        imports=(0,) * imports,
    )
    return data + b"the exports", made


def test_engine_4_has_bundles_and_packages_to_wait_for() -> None:
    bundles = pack("<IIII", 0, 2, 2, 1)
    entries = bytes(8 * 3)
    graph = pack("<I", 2) + pack("<QI", 77, 2) + pack("<iiii", 1, 2, 3, 4) + pack("<QI", 78, 0)
    data, made = package(ZenForm.ENGINE_4, bundles + entries + graph, 3, dependencies=len(bundles + entries))
    assert read_dependencies(data, made) == ZenDependencies(
        (Bundle(0, 2), Bundle(2, 1)), (), (PackageArcs(77, (Arc(1, 2), Arc(3, 4))), PackageArcs(78, ())), ()
    )


def test_graph_data_have_bundles_arcs_and_imports_to_wait_for() -> None:
    bundles = pack("<QIIQII", 0, 0, 2, 9, 2, 1)
    table = bundles + pack("<Iii", 1, 5, 6) + pack("<I", 2) + pack("<iBiiBi", 1, 1, 2, 3, 0, 4) + pack("<I", 0)
    data, made = package(ZenForm.GRAPH_DATA, table, 3)
    assert read_dependencies(data, made) == ZenDependencies(
        (Bundle(0, 2), Bundle(2, 1)),
        (Arc(5, 6),),
        (PackageArcs(None, (ImportArc(1, 1, 2), ImportArc(3, 0, 4))), PackageArcs(None, ())),
        (),
    )
    with pytest.raises(UnrealError) as caught:
        read_dependencies(*package(ZenForm.GRAPH_DATA, table + b"\0", 3))
    assert caught.value.field == "graph.imported[2]"


@pytest.mark.parametrize(
    ("first", "size", "number"), [(0, 0, 0), (1, 1, 0), (0, 4, 0), (1, 3, 1), (2, 0, 1), (3, 1, 1), (2, 2, 1)]
)
def test_bundles_have_each_entry_once(first: int, size: int, number: int) -> None:
    rows = [(0, 2), (2, 1)]
    rows[number] = (first, size)
    table = b"".join(pack("<QII", 0, *row) for row in rows) + bytes(4)
    data, made = package(ZenForm.GRAPH_DATA, table, 3)
    left = 3 - 2 * number
    with pytest.raises(
        UnrealError, match=f"{size} entries from {first} on, where {left} from {2 * number} on are left"
    ) as caught:
        read_dependencies(data, made)
    assert (caught.value.offset, caught.value.field) == (START + 16 * number, f"export_bundles[{number}]")


def lists(headers: list[tuple[int, int, int, int, int]], entries: list[int]) -> tuple[bytes, ZenPackage]:
    table = b"".join(pack("<i4I", *row) for row in headers)
    data, made = package(ZenForm.CELLS, table + pack(f"<{len(entries)}i", *entries))
    end = START + len(table)
    tables = made.tables._replace(dependency_entries=end, imported_names=end + 4 * len(entries))
    return data, made._replace(tables=tables)


def test_later_forms_have_four_lists_for_each_export() -> None:
    data, made = lists([(0, 1, 2, 0, 1), (-1, 0, 0, 0, 0), (4, 0, 0, 1, 0)], [1, -1, 2, -3, -2])
    assert read_dependencies(data, made).exports == (
        ExportDependencies((1,), (-1, 2), (), (-3,)),
        ExportDependencies((), (), (), ()),
        ExportDependencies((), (), (-2,), ()),
    )
    data, made = lists([(0, 0, 0, 0, 0)], [])
    assert read_dependencies(data, made) == ZenDependencies((), (), (), (ExportDependencies((), (), (), ()),))


@pytest.mark.parametrize(
    ("header", "total"),
    [((-1, 1, 0, 0, 0), 1), ((-2, 0, 0, 0, 0), 0), ((1, 1, 1, 0, 0), 2), ((3, 0, 0, 0, 0), 0), ((0, 0, 0, 1, 2), 3)],
)
def test_a_list_lies_among_the_entries(header: tuple[int, int, int, int, int], total: int) -> None:
    data, made = lists([(0, 0, 0, 0, 0), header], [1, 1])
    with pytest.raises(UnrealError, match=f"{total} entries from {header[0]} on, of 2") as caught:
        read_dependencies(data, made)
    assert (caught.value.offset, caught.value.field) == (START + 20, "dependency_bundle_headers[1]")


def test_lists_share_no_entries() -> None:
    read_dependencies(*lists([(0, 1, 0, 0, 0), (0, 0, 1, 0, 0)], [1, 1]))  # as many as there are
    with pytest.raises(UnrealError, match="1 entries from 0 on, of 2") as caught:
        read_dependencies(*lists([(0, 1, 1, 0, 0), (0, 1, 0, 0, 0)], [1, 1]))
    assert caught.value.field == "dependency_bundle_headers[1]"


@pytest.mark.parametrize("entry", [3, -4])
def test_an_entry_means_an_object_of_the_package(entry: int) -> None:
    read_dependencies(*lists([(0, 1, 1, 0, 0)], [2, -3]))
    data, made = lists([(0, 1, 1, 0, 0)], [1, entry])
    with pytest.raises(UnrealError, match=r"mean objects .* of 3 imports and 2 exports") as caught:
        read_dependencies(data, made)
    assert (caught.value.offset, caught.value.field) == (START + 20, "dependency_bundle_entries")


def test_nothing_is_read_behind_the_header() -> None:
    data = bytearray(package(ZenForm.GRAPH_DATA, pack("<QII", 0, 0, 1) + pack("<I", 1), 1)[0])
    pack_into("<I", data, START + 16, 1)
    _, made = package(ZenForm.GRAPH_DATA, pack("<QII", 0, 0, 1) + pack("<I", 1), 1)
    with pytest.raises(UnrealError, match="counts 1 items of 8 bytes, 0 bytes are left") as caught:
        read_dependencies(bytes(data), made)
    assert caught.value.field == "graph.arcs"
