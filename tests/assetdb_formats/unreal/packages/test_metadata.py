"""Metadata of objects, and super types of imported types."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.metadata import (
    PackageMetadata,
    TypeResource,
    read_import_type_hierarchies,
    read_metadata,
)
from assetdb_formats.unreal.packages.references import SoftObjectPath
from tests.assetdb_formats.unreal.package_writer import fstring
from tests.assetdb_formats.unreal.summaries import summary_with

NAMES = ["Category", "Tip", "A", "B"]
PATHS = [SoftObjectPath("/Game/A", "A", ""), SoftObjectPath("/Game/B", "B", "")]
START = 8


def pair(key: int, value: str) -> bytes:
    return pack("<ii", key, 0) + fstring(value)


def test_metadata_belongs_to_objects_and_to_the_package() -> None:
    first = pack("<ii", 1, 2) + pair(0, "Default") + pair(1, "")
    second = pack("<ii", 0, 0)
    data = bytes(START) + pack("<ii", 2, 1) + first + second + pair(1, "Whole")
    found = read_metadata(data, summary_with(metadata_offset=START), NAMES, PATHS)
    assert found == PackageMetadata([(PATHS[1], {"Category": "Default", "Tip": ""}), (PATHS[0], {})], {"Tip": "Whole"})
    for offset in (0, -1):
        assert read_metadata(data, summary_with(metadata_offset=offset), NAMES, PATHS) == PackageMetadata([], {})


@pytest.mark.parametrize(
    ("data", "message", "offset", "field"),
    [
        (pack("<iiii", 1, 0, 2, 0), "names soft object path 2 of 2", 8, "metadata[0]"),
        (pack("<iiii", 1, 0, -1, 0), "names soft object path -1 of 2", 8, "metadata[0]"),
        (pack("<iiii", 1, 0, 0, 1) + bytes(11), "counts 1 items of 12 bytes, 11 bytes are left", 16, "metadata[0]"),
        (pack("<ii", 1, 0) + bytes(7), "counts 1 items of 8 bytes, 7 bytes are left", 8, "metadata"),
        (pack("<ii", 0, 1) + bytes(11), "counts 1 items of 12 bytes, 11 bytes are left", 8, "metadata.package"),
    ],
)
def test_metadata_that_is_damaged_is_an_error(data: bytes, message: str, offset: int, field: str) -> None:
    with pytest.raises(UnrealError, match=message) as caught:
        read_metadata(bytes(START) + data, summary_with(metadata_offset=START), NAMES, PATHS)
    assert (caught.value.offset, caught.value.field) == (START + offset, field)


def test_the_super_types_of_an_import_are_four_names_each() -> None:
    kinds = pack("<8i", 2, 0, 3, 0, 0, 0, 1, 2)
    data = bytes(START) + pack("<ii", -4, 1) + kinds + pack("<ii", -5, 0)
    fields = {"import_type_hierarchy_count": 2, "import_type_hierarchy_offset": START}
    assert read_import_type_hierarchies(data, summary_with(**fields), NAMES) == [
        (-4, (TypeResource("A", "B", "Category", "Tip_1"),)),
        (-5, ()),
    ]
    assert read_import_type_hierarchies(b"", summary_with(), NAMES) == []
    with pytest.raises(UnrealError, match="counts 2 items of 8 bytes, 15 bytes are left") as caught:
        read_import_type_hierarchies(bytes(START + 15), summary_with(**fields), NAMES)
    assert caught.value.field == "import_type_hierarchies"
    with pytest.raises(UnrealError, match="counts 1 items of 32 bytes, 31 bytes are left"):
        read_import_type_hierarchies(bytes(START) + pack("<ii", -4, 1) + bytes(31), summary_with(**fields), NAMES)
