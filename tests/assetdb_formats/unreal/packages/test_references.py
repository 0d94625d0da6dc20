"""Tables of references: what each export depends on, soft references, searchable names."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.references import (
    SearchableNames,
    SoftObjectPath,
    read_depends,
    read_preload_dependencies,
    read_searchable_names,
    read_soft_object_paths,
    read_soft_packages,
    utf8_sub_paths,
)
from tests.assetdb_formats.unreal.package_writer import fstring
from tests.assetdb_formats.unreal.summaries import summary_with

NAMES = ["A", "/Game/A", "B", "/Game/B"]
START = 8
FORTNITE = pack("<4I", 0x601D1886, 0xAC644F84, 0xAA16D3DE, 0x0DEAC7D6)


def test_a_path_is_package_asset_and_what_is_within() -> None:
    assert str(SoftObjectPath("/Game/A", "A", "In")) == "/Game/A.A:In"
    assert str(SoftObjectPath("/Game/A", "A", "")) == "/Game/A.A"
    assert str(SoftObjectPath("/Game/A", "", "")) == "/Game/A"


def test_each_export_has_a_list_of_what_it_depends_on() -> None:
    data = bytes(START) + pack("<iiiii", 2, 7, -8, 0, 1) + pack("<i", 9)
    found = read_depends(data, summary_with(export_count=3, depends_offset=START), 0)
    assert (len(found), list(found), found[1], found[2]) == (3, [(7, -8), (), (9,)], (), (9,))


@pytest.mark.parametrize("ue4", [507, 508, 510, 511])
def test_4_14_and_4_15_put_the_dependencies_behind_the_exports(ue4: int) -> None:
    data = bytes(START) + pack("<ii", 1, 7)
    found = read_depends(data, summary_with((ue4, 0), export_count=1, depends_offset=0), START)
    assert list(found) == ([(7,)] if ue4 in {508, 510} else [])
    assert list(read_depends(data, summary_with((508, 0), export_count=1, depends_offset=0), 0)) == []


@pytest.mark.parametrize("row", [pack("<i", -1), pack("<ii", 2, 7), b"\0\0\0"])
def test_dependencies_lie_in_the_data(row: bytes) -> None:
    data = bytes(START) + pack("<ii", 1, 7) + row
    with pytest.raises(UnrealError, match="indices do not lie in the data") as caught:
        read_depends(data, summary_with(export_count=2, depends_offset=START), 0)
    assert (caught.value.offset, caught.value.field) == (START + 8, "depends[1]")


def test_preload_dependencies_are_one_list() -> None:
    data = bytes(START) + pack("<iii", 1, -2, 3)
    fields = {"preload_dependency_count": 3, "preload_dependency_offset": START}
    assert list(read_preload_dependencies(data, summary_with(**fields))) == [1, -2, 3]
    assert list(read_preload_dependencies(data + b"more", summary_with(**fields))) == [1, -2, 3]
    for count in (0, -1):
        assert list(read_preload_dependencies(data, summary_with(preload_dependency_count=count))) == []
    for count, offset in ((3, 0), (3, -4), (4, START), (3, START + 1)):
        fields = {"preload_dependency_count": count, "preload_dependency_offset": offset}
        with pytest.raises(UnrealError, match=f"{count} indices at {offset} do not lie in the data") as caught:
            read_preload_dependencies(data, summary_with(**fields))
        assert (caught.value.offset, caught.value.field) == (offset, "preload")


def test_soft_packages_are_texts_up_to_4_17_and_names_from_4_18_on() -> None:
    fields = {"soft_package_reference_count": 2, "soft_package_reference_offset": START}
    texts = bytes(START) + fstring("/Game/A.A") + fstring("")
    names = bytes(START) + pack("<iiii", 1, 0, 3, 2)
    assert read_soft_packages(texts, summary_with((513, 0), **fields), NAMES) == ["/Game/A.A", ""]
    assert read_soft_packages(names, summary_with((514, 0), **fields), NAMES) == ["/Game/A", "/Game/B_1"]
    for version, data, size, short in (((513, 0), texts, 4, 7), ((514, 0), names, 8, 15)):
        with pytest.raises(UnrealError, match=f"counts 2 items of {size} bytes, {short} bytes are left") as caught:
            read_soft_packages(data[: START + short], summary_with(version, **fields), NAMES)
        assert (caught.value.offset, caught.value.field) == (START, "soft_package_references")
    with pytest.raises(UnrealError, match="counts -1 items"):
        read_soft_packages(names, summary_with(soft_package_reference_count=-1, soft_package_reference_offset=8), NAMES)


@pytest.mark.parametrize(("count", "offset"), [(0, 8), (1, 0), (1, -1), (0, 0)])
def test_there_are_no_soft_packages_without_a_table(count: int, offset: int) -> None:
    fields = {"soft_package_reference_count": count, "soft_package_reference_offset": offset}
    assert read_soft_packages(b"", summary_with(**fields), NAMES) == []


@pytest.mark.parametrize(
    ("ue5", "stated", "unversioned", "utf8"),
    [
        (1012, 192, False, False),
        (1013, 192, False, True),
        (1013, 191, False, False),
        (1017, 0, True, False),
        (1017, -1, False, False),
        (1015, -1, True, False),
        (1016, -1, True, True),
        (1016, 192, True, True),
    ],
)
def test_a_custom_version_tells_of_utf_8_and_the_file_version_where_there_is_none(
    ue5: int,
    stated: int,
    unversioned: bool,  # noqa: FBT001 - a row of the table
    utf8: bool,  # noqa: FBT001 - a row of the table
) -> None:
    custom = FORTNITE + pack("<i", stated) if stated >= 0 else b""
    summary = summary_with((522, ue5), unversioned=unversioned, custom_version_data=custom)
    assert utf8_sub_paths(summary) == utf8


@pytest.mark.parametrize("utf8", [False, True])
def test_soft_object_paths_are_names_and_a_text(utf8: bool) -> None:  # noqa: FBT001 - a parameter
    def text(value: str) -> bytes:
        return pack("<i", len(value)) + value.encode() if utf8 else fstring(value)

    rows = pack("<iiii", 1, 0, 0, 0) + text("In") + pack("<iiii", 3, 0, 2, 1) + text("Deeper")
    custom = FORTNITE + pack("<i", 192) if utf8 else b""
    fields = {"soft_object_path_count": 2, "soft_object_path_offset": START, "custom_version_data": custom}
    found = read_soft_object_paths(bytes(START) + rows, summary_with((522, 1017), **fields), NAMES)
    assert found == [SoftObjectPath("/Game/A", "A", "In"), SoftObjectPath("/Game/B", "B_0", "Deeper")]
    with pytest.raises(UnrealError) as caught:
        read_soft_object_paths(bytes(START) + rows[:-1], summary_with((522, 1017), **fields), NAMES)
    assert caught.value.field == "soft_object_paths[1]"
    with pytest.raises(UnrealError, match="counts 2 items of 20 bytes, 39 bytes are left"):
        read_soft_object_paths(bytes(START + 39), summary_with((522, 1017), **fields), NAMES)
    assert read_soft_object_paths(b"", summary_with(soft_object_path_count=0), NAMES) == []


def test_searchable_names_are_those_of_an_object() -> None:
    data = bytes(START) + pack("<i", 2) + pack("<iiii", -4, 1, 2, 0) + pack("<ii", 5, 0)
    summary = summary_with(searchable_names_offset=START)
    assert read_searchable_names(data, summary, NAMES) == [SearchableNames(-4, ("B",)), SearchableNames(5, ())]
    for offset in (0, -1):
        assert read_searchable_names(data, summary_with(searchable_names_offset=offset), NAMES) == []
    with pytest.raises(UnrealError, match="counts 1 items of 8 bytes, 7 bytes are left") as caught:
        read_searchable_names(bytes(START) + pack("<iii", 1, -4, 1)[:12] + bytes(7), summary, NAMES)
    assert caught.value.field == "searchable_names[0]"
    with pytest.raises(UnrealError, match="counts 2 items of 8 bytes, 15 bytes are left") as caught:
        read_searchable_names(bytes(START) + pack("<i", 2) + bytes(15), summary, NAMES)
    assert caught.value.field == "searchable_names"
