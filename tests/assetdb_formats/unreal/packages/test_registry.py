"""The asset registry section of a package: assets with tags, and bits of use in the game."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.registry import (
    RegistryData,
    TaggedAsset,
    read_first_asset,
    read_registry,
    read_registry_bits,
)
from tests.assetdb_formats.unreal.package_writer import COOKED, EDITOR, fstring
from tests.assetdb_formats.unreal.summaries import summary_with

START = 8
NAMES = ["A", "/Game/A"]
ASSET = fstring("Thing") + fstring("Class") + pack("<i", 1) + fstring("Key") + fstring("Value")
OTHER = fstring("Other") + fstring("Class") + pack("<i", 0)
ASSETS = [TaggedAsset("Thing", "Class", {"Key": "Value"}), TaggedAsset("Other", "Class", {})]


@pytest.mark.parametrize(
    ("version", "flags", "flagged"),
    [((520, 0), EDITOR, False), ((521, 0), EDITOR, True), ((521, 0), COOKED, False), ((522, 1013), EDITOR, True)],
)
def test_assets_follow_the_place_of_the_bits_from_4_26_on_in_the_editor(
    version: tuple[int, int],
    flags: int,
    flagged: bool,  # noqa: FBT001 - a row of the table
) -> None:
    rows = pack("<i", 2) + ASSET + OTHER
    bits = pack("<iI", 2, 0b10) + pack("<i", 0) + pack("<i", 0)
    data = bytes(START) + (pack("<q", START + 8 + len(rows)) if flagged else b"") + rows + bits
    summary = summary_with(version, flags, asset_registry_offset=START)
    found = read_registry(data, summary, NAMES)
    assert found.assets == ASSETS
    assert found == RegistryData(ASSETS, *(([False, True], []) if flagged else (None, None)), [])
    assert read_first_asset(data, summary) == ("Thing", "Class")


def test_a_package_without_a_section_has_no_assets() -> None:
    for offset in (0, -1):
        summary = summary_with(asset_registry_offset=offset)
        assert read_registry(b"", summary, NAMES) == RegistryData([], None, None, [])
        assert read_first_asset(b"", summary) == ("", "")
        assert read_registry_bits(b"", summary, NAMES) == (None, None, [])
    empty = summary_with((520, 0), asset_registry_offset=START)
    assert read_first_asset(bytes(START + 4), empty) == ("", "")


@pytest.mark.parametrize("count", [0, 1, 31, 32, 33, 64, 65])
def test_bits_are_packed_into_words(count: int) -> None:
    used = [number % 3 == 0 for number in range(count)]
    words = [0] * ((count + 31) // 32)
    for number, each in enumerate(used):
        words[number // 32] |= each << number % 32
    bits = pack(f"<i{len(words)}I", count, *words) + pack("<iI", 1, 1)
    summary = summary_with((522, 1012), asset_registry_offset=START)
    data = bytes(START) + pack("<q", START + 8) + bits
    assert read_registry_bits(data, summary, NAMES) == (used, [True], [])
    with pytest.raises(UnrealError) as caught:
        read_registry_bits(data[:-1], summary, NAMES)
    assert caught.value.field == "asset_registry.soft_packages_used_in_game"


@pytest.mark.parametrize("ue5", [1012, 1013])
def test_extra_dependencies_are_names_with_flags_from_5_5_on(ue5: int) -> None:
    data = bytes(START) + pack("<qii", START + 8, 0, 0) + pack("<iiiI", 1, 1, 3, 7)
    summary = summary_with((522, ue5), asset_registry_offset=START)
    extra = [("/Game/A_2", 7)] if ue5 >= 1013 else []
    assert read_registry_bits(data, summary, NAMES) == ([], [], extra)


@pytest.mark.parametrize("place", [0, -1])
def test_bits_without_a_place_are_not_there(place: int) -> None:
    data = bytes(START) + pack("<q", place)
    assert read_registry_bits(data, summary_with(asset_registry_offset=START), NAMES) == (None, None, [])


def test_a_place_of_bits_outside_the_data_is_an_error() -> None:
    data = bytes(START) + pack("<q", 17)
    with pytest.raises(UnrealError, match=r"points to 17, outside 0\.\.16") as caught:
        read_registry_bits(data, summary_with(asset_registry_offset=START), NAMES)
    assert caught.value.field == "asset_registry.dependency_data_offset"
    with pytest.raises(UnrealError, match="counts 2 items of 12 bytes, 23 bytes are left") as caught:
        read_registry(bytes(START) + pack("<i", 2) + bytes(23), summary_with((520, 0), asset_registry_offset=START), [])
    assert caught.value.field == "asset_registry"
