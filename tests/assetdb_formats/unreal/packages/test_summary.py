"""The summary field by field, in the versions that brought and dropped them."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.unreal.errors import UnrealError, UnversionedPackageError
from assetdb_formats.unreal.packages.summary import (
    CustomVersion,
    EngineVersion,
    guid_text,
    is_unversioned,
    pack_summary,
    package_tag,
    read_summary,
)
from assetdb_formats.unreal.versions import PackageVersion
from tests.assetdb_formats.unreal.package_writer import COOKED, EDITOR, Writer, fstring

if TYPE_CHECKING:
    from collections.abc import Sequence

TAG = 0x9E2A83C1
GUID = bytes(range(16))
GUID_TEXT = "03020100070605040B0A09080F0E0D0C"


def summary(
    legacy: int = -7,
    ue4: int = 522,
    *,
    custom: bytes = pack("<i", 0),
    flags: int = EDITOR,
    chunks: int = 0,
    additional: Sequence[str] = (),
    textures: int = 0,
    chunk_ids: Sequence[int] = (),
    generations: int = 1,
    licensee: int = 5,
) -> bytes:
    """Return the summary of a package of Unreal 4, in which every number is one of its own."""
    out = pack("<Ii", TAG, legacy) + (pack("<i", 864) if legacy != -4 else b"") + pack("<ii", ue4, licensee)
    out += bytes(8) if 138 <= ue4 <= 142 else b""
    out += custom + pack("<i", 1000) + fstring("Name") + pack("<Iii", flags, 10, 11)
    if not flags & 0x80000000 and ue4 >= 516:
        out += fstring("LOC")
    out += pack("<ii", 12, 13) if ue4 >= 459 else b""
    out += pack("<iiiii", 14, 15, 16, 17, 18)
    out += pack("<ii", 19, 20) if ue4 >= 384 else b""
    out += pack("<i", 21) if ue4 >= 510 else b""
    out += pack("<i", 22) + GUID
    if not flags & 0x80000000:
        out += bytes(range(16, 32)) if ue4 >= 518 else b""
        out += bytes(range(32, 48)) if 518 <= ue4 < 520 else b""
    out += pack("<i", generations) + (pack("<iii", 23, 24, 99) if ue4 < 196 else pack("<ii", 23, 24)) * generations
    out += pack("<HHHI", 4, 27, 2, 123) + fstring("branch") if ue4 >= 336 else pack("<I", 123)
    out += pack("<HHHI", 4, 26, 1, 0x80000007) + fstring("") if ue4 >= 444 else b""
    out += pack("<IIII", 0, chunks, 25, len(additional)) + b"".join(map(fstring, additional))
    out += pack("<i", textures) if legacy > -7 else b""
    out += pack("<i", 26)
    out += pack("<q", 27) if ue4 >= 212 else b""
    out += pack("<i", 28) if ue4 >= 224 else b""
    if 278 <= ue4 < 326:
        out += pack("<i", chunk_ids[0] if chunk_ids else -1)
    elif ue4 >= 326:
        out += pack(f"<i{len(chunk_ids)}i", len(chunk_ids), *chunk_ids)
    return out + (pack("<ii", 29, 30) if ue4 >= 507 else b"")


@pytest.mark.parametrize("flags", [EDITOR, COOKED])
@pytest.mark.parametrize(
    ("legacy", "ue4"),
    [
        *((-3, 137), (-3, 138), (-3, 142), (-3, 143), (-3, 195), (-3, 196), (-3, 211), (-3, 212), (-3, 223), (-4, 224)),
        *((-3, 277), (-3, 278), (-3, 325), (-3, 326), (-3, 335), (-3, 336), (-5, 383), (-5, 384), (-5, 443), (-5, 444)),
        *((-6, 458), (-6, 459), (-6, 506), (-6, 507), (-7, 509), (-7, 510), (-7, 515), (-7, 516), (-7, 517)),
        *((-7, 518), (-7, 519), (-7, 520), (-7, 522)),
    ],
)
def test_each_field_is_where_its_version_has_it(legacy: int, ue4: int, flags: int) -> None:
    data = summary(legacy, ue4, flags=flags, chunk_ids=[31] if ue4 >= 278 else [])
    found = read_summary(data + b"tables")
    editor = flags == EDITOR
    assert (found.legacy_version, found.version, found.licensee_version) == (legacy, PackageVersion(ue4), 5)
    assert (found.ue3_version, found.unversioned, found.saved_hash) == (0 if legacy == -4 else 864, False, b"")
    assert (found.total_header_size, found.package_name, found.package_flags) == (1000, "Name", flags)
    assert (found.name_count, found.name_offset) == (10, 11)
    assert (found.soft_object_path_count, found.soft_object_path_offset) == (0, 0)
    assert found.localization_id == ("LOC" if editor and ue4 >= 516 else "")
    texts = (12, 13) if ue4 >= 459 else (0, 0)
    assert (found.gatherable_text_count, found.gatherable_text_offset) == texts
    assert (found.export_count, found.export_offset, found.import_count, found.import_offset) == (14, 15, 16, 17)
    assert found.depends_offset == 18
    soft = (19, 20) if ue4 >= 384 else (0, 0)
    assert (found.soft_package_reference_count, found.soft_package_reference_offset) == soft
    assert found.searchable_names_offset == (21 if ue4 >= 510 else 0)
    assert (found.thumbnail_table_offset, found.guid) == (22, GUID)
    persistent = bytes(range(16, 32)) if ue4 >= 518 else GUID
    assert found.persistent_guid == (persistent if editor else b"")
    assert found.owner_persistent_guid == (bytes(range(32, 48)) if editor and 518 <= ue4 < 520 else b"")
    assert (found.generation_count, found.generations) == (1, [(23, 24)])
    saved = EngineVersion(4, 27, 2, 123, "branch") if ue4 >= 336 else EngineVersion(4, 0, 0, 123, "")
    assert found.saved_by == saved
    assert found.compatible_with == (EngineVersion(4, 26, 1, 0x80000007, "") if ue4 >= 444 else saved)
    assert (found.compression_flags, found.compressed_chunks, found.package_source) == (0, 0, 25)
    assert found.asset_registry_offset == 26
    assert found.bulk_data_offset == (27 if ue4 >= 212 else 0)
    assert found.world_tile_offset == (28 if ue4 >= 224 else 0)
    assert found.chunk_ids == ((31,) if ue4 >= 278 else ())
    preload = (29, 30) if ue4 >= 507 else (0, 0)
    assert (found.preload_dependency_count, found.preload_dependency_offset) == preload
    assert found.names_referenced_from_exports == 10
    assert (found.payload_toc_offset, found.data_resource_offset) == (-1, -1)
    assert (found.end, found.editor, found.cooked) == (len(data), editor, not editor)


@pytest.mark.parametrize(("legacy", "ue4"), [(-3, 342), (-7, 522)])
def test_a_summary_that_is_cut_off_is_an_error(legacy: int, ue4: int) -> None:
    data = summary(legacy, ue4, additional=["/Game/A"], chunk_ids=[1, 2])
    for size in range(len(data)):
        with pytest.raises(UnrealError) as caught:
            read_summary(data[:size])
        assert caught.value.field
        assert caught.value.offset is not None
        assert 0 <= caught.value.offset <= size
    assert read_summary(data).end == len(data)


@pytest.mark.parametrize(
    ("size", "field", "offset"),
    [
        (7, "tag", 0),
        (11, "version", 8),
        (19, "version", 12),
        (20, "custom_versions", 20),
        (27, "total_header_size", 24),
    ],
)
def test_the_error_names_the_field_that_is_cut_off(size: int, field: str, offset: int) -> None:
    with pytest.raises(UnrealError, match="the summary is cut off") as caught:
        read_summary(summary()[:size])
    assert (caught.value.offset, caught.value.field) == (offset, field)


def test_a_summary_may_list_more_of_everything() -> None:
    found = read_summary(summary(additional=["/Game/A", "/Game/B"], chunk_ids=[7, -8, 9], generations=3))
    assert found.additional_packages == ("/Game/A", "/Game/B")
    assert (found.chunk_ids, found.generations) == ((7, -8, 9), [(23, 24)] * 3)
    old = read_summary(summary(-3, 195, generations=2))
    assert old.generations == [(23, 24)] * 2
    assert read_summary(summary(-3, 278)).chunk_ids == ()
    assert read_summary(summary(-3, 278, chunk_ids=[0])).chunk_ids == (0,)
    assert read_summary(summary(-3, 326)).chunk_ids == ()


def patched(data: bytes, place: int, number: int) -> bytes:
    return data[:place] + pack("<i", number) + data[place + 4 :]


def test_counts_that_do_not_fit_are_errors() -> None:
    data = summary(chunk_ids=[1, 2])
    chunk_count = len(data) - 8 - 8 - 4
    for count in (-1, 5):
        with pytest.raises(UnrealError, match=f"counts {count} chunk ids") as caught:
            read_summary(patched(data, chunk_count, count))
        assert (caught.value.offset, caught.value.field) == (chunk_count, "chunk_ids")
    generations = data.index(pack("<iii", 1, 23, 24))
    for count in (-1, 1 + (len(data) - generations - 4) // 8):
        with pytest.raises(UnrealError, match=f"counts {count} generations") as caught:
            read_summary(patched(data, generations, count))
        assert (caught.value.offset, caught.value.field) == (generations, "generations")
    for count in (-1, 1 + (len(data) - 24) // 20):
        with pytest.raises(UnrealError, match=f"counts {count} custom versions, {len(data) - 24} bytes") as caught:
            read_summary(patched(data, 20, count))
        assert (caught.value.offset, caught.value.field) == (20, "custom_versions")
    additional = summary(additional=["/Game/A"])
    place = additional.index(fstring("/Game/A"))
    with pytest.raises(UnrealError, match=f"counts 99 strings, {len(additional) - place} bytes are left") as caught:
        read_summary(patched(additional, place - 4, 99))
    assert (caught.value.offset, caught.value.field) == (place, "additional_packages")


def test_what_no_package_of_unreal_4_has_is_an_error() -> None:
    with pytest.raises(UnrealError, match="2 compressed chunks; Unreal 4 has none") as caught:
        read_summary(summary(chunks=2))
    data = summary(chunks=2)
    assert (caught.value.offset, caught.value.field) == (
        data.index(pack("<IIII", 0, 2, 25, 0)) + 4,
        "compressed_chunks",
    )
    with pytest.raises(UnrealError, match="texture allocations; Unreal 4 has none") as caught:
        read_summary(summary(-6, 504, textures=1))
    data = summary(-6, 504, textures=1)
    assert (caught.value.offset, caught.value.field) == (data.index(pack("<iiq", 1, 26, 27)), "texture_allocations")


@pytest.mark.parametrize(("ue4", "ue5"), [(-1, 1009), (522, -1), (522, 999), (522, 1)])
def test_a_version_that_does_not_exist_is_an_error(ue4: int, ue5: int) -> None:
    data = bytearray(Writer(-8, 522, 1009).data())
    data[12:20] = pack("<ii", ue4, ue5)
    with pytest.raises(UnrealError, match=f"file version UE4 {ue4}, UE5 {ue5} does not exist") as caught:
        read_summary(bytes(data))
    assert (caught.value.offset, caught.value.field) == (8, "version")


@pytest.mark.parametrize(
    ("legacy", "rows", "expected"),
    [
        (-2, pack("<Ii", 0xABC, 7) + pack("<Ii", 1, 8), [("00000ABC", 7), ("00000001", 8)]),
        (
            -3,
            GUID + pack("<i", 7) + fstring("friend") + GUID + pack("<i", 8) + fstring(""),
            [(GUID_TEXT, 7), (GUID_TEXT, 8)],
        ),
        (
            -5,
            GUID + pack("<i", 7) + fstring("friend") + GUID + pack("<i", 8) + fstring(""),
            [(GUID_TEXT, 7), (GUID_TEXT, 8)],
        ),
        (
            -6,
            GUID + pack("<i", 7) + GUID[::-1] + pack("<i", 8),
            [(GUID_TEXT, 7), ("0C0D0E0F08090A0B0405060700010203", 8)],
        ),
    ],
)
def test_custom_versions_have_a_tag_then_a_friendly_name_then_neither(
    legacy: int, rows: bytes, expected: list[tuple[str, int]]
) -> None:
    found = read_summary(summary(legacy, 342 if legacy > -6 else 504, custom=pack("<i", 2) + rows))
    assert found.custom_versions == [CustomVersion(*each) for each in expected]
    assert found.custom_version_count == 2
    assert found.custom_version(expected[1][0]) in {7, 8}
    assert found.custom_version("other") == -1
    assert found.total_header_size == 1000


def test_a_guid_is_four_words() -> None:
    assert guid_text(GUID) == GUID_TEXT


def test_an_engine_says_its_changelist_without_the_licensee_bit() -> None:
    assert str(EngineVersion(5, 3, 1, 0x80000007, "++UE5")) == "5.3.1-7+++UE5"
    assert str(EngineVersion(5, 3, 1, 0, "")) == "5.3.1"


def test_the_tag_is_the_first_four_bytes() -> None:
    assert package_tag(pack("<I", TAG)) == TAG
    assert package_tag(b"\xc1\x83\x2a") == 0


@pytest.mark.parametrize(
    ("tag", "why"),
    [
        (0xC1832A9E, "the package is big-endian (saved for a console of the time)"),
        (0x12345678, "starts with 0x12345678, not with the package tag 0x9E2A83C1"),
    ],
)
def test_a_file_with_another_tag_is_refused_at_its_first_byte(tag: int, why: str) -> None:
    with pytest.raises(UnrealError) as caught:
        read_summary(pack("<I", tag) + summary()[4:])
    assert (caught.value.what, caught.value.offset, caught.value.field) == (why, 0, "tag")


@pytest.mark.parametrize(
    ("legacy", "numbers", "unversioned"),
    [
        (-3, (864, 0, 0, 1), True),
        (-4, (0, 0, 1, 1), True),
        (-7, (864, 0, 0, 1), True),
        (-8, (864, 0, 0, 0), True),
        (-9, (864, 0, 0, 0), True),
        (-7, (864, 522, 0, 0), False),
        (-7, (864, 0, 5, 0), True),
        (-8, (864, 0, 1004, 0), False),
        (-8, (864, 522, 0, 0), False),
        (-10, (864, 0, 0, 0), False),
        (0, (864, 0, 0, 0), False),
        (3, (864, 0, 0, 0), False),
    ],
)
def test_a_package_without_its_numbers_is_unversioned(
    legacy: int,
    numbers: tuple[int, int, int, int],
    unversioned: bool,  # noqa: FBT001 - a row of the table
) -> None:
    data = pack("<Ii4i", TAG, legacy, *numbers)
    assert is_unversioned(data) == unversioned
    assert not is_unversioned(data[:23])
    assert not is_unversioned(b"\0" + data[1:])


def test_an_unversioned_package_is_read_as_the_version_that_is_assumed() -> None:
    data = bytearray(summary(-7, 522))
    data[12:16] = bytes(4)
    with pytest.raises(UnversionedPackageError, match="name one") as caught:
        read_summary(bytes(data))
    assert (caught.value.offset, caught.value.field) == (8, "version")
    found = read_summary(bytes(data), PackageVersion(522))
    assert (found.unversioned, found.version, found.end) == (True, PackageVersion(522), len(data))
    assert read_summary(summary(-7, 522), PackageVersion(510)).version == PackageVersion(522)


@pytest.mark.parametrize("unversioned", [True, False])
@pytest.mark.parametrize(
    "version", [(517, 0), (522, 0), (522, 1004), (522, 1008), (522, 1012), (522, 1015), (522, 1017)]
)
def test_a_summary_is_packed_with_every_field_in_its_place(
    version: tuple[int, int],
    unversioned: bool,  # noqa: FBT001 - a parameter
) -> None:
    numbers = ["total_header_size", "package_flags", "name_count", "name_offset", "export_count", "export_offset"]
    numbers += ["import_count", "import_offset", "depends_offset", "asset_registry_offset", "bulk_data_offset"]
    numbers += ["preload_dependency_count", "preload_dependency_offset"]
    values = {name: number for number, name in enumerate(numbers, 100)}
    values["package_flags"] = COOKED
    rows = GUID + pack("<i", 7)
    packed = pack_summary(
        PackageVersion(*version),
        unversioned=unversioned,
        values={
            **values,
            "package_name": "/Game/A",
            "custom_version_data": rows,
            "generations": [(5, 6)],
            "licensee_version": 9,
        },
    )
    found = read_summary(packed, PackageVersion(*version))
    assert {name: getattr(found, name) for name in values} == values
    assert (found.package_name, found.version, found.unversioned) == ("/Game/A", PackageVersion(*version), unversioned)
    assert (found.custom_versions, found.generations) == ([CustomVersion(GUID_TEXT, 7)], [(5, 6)])
    legacy = -7 if not version[1] else -8 if version[1] < 1016 else -9
    assert (found.legacy_version, found.licensee_version, found.end) == (legacy, 9, len(packed))
    assert found.ue3_version == (0 if unversioned else 864)
    assert found.guid == (bytes(16) if version[1] < 1016 else b"")
    assert (found.soft_object_path_count, found.world_tile_offset, found.chunk_ids) == (0, 0, ())
    assert found.soft_object_path_offset == (107 if version[1] >= 1008 else 0)
    assert (found.payload_toc_offset, found.data_resource_offset) == (-1, -1)
    assert (found.saved_by, found.package_source) == (EngineVersion(0, 0, 0, 0, ""), 0)
