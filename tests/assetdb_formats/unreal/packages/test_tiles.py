"""Tiles of World Composition, by the versions that brought their fields."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.tiles import TileDetail, WorldTile, read_world_tile
from tests.assetdb_formats.unreal.package_writer import fstring
from tests.assetdb_formats.unreal.summaries import summary_with

START = 8
FORTNITE = pack("<4I", 0x601D1886, 0xAC644F84, 0xAA16D3DE, 0x0DEAC7D6)
CORNERS = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)


def tile(version: tuple[int, int], *, deep: bool, valid: int = 1) -> bytes:
    ue4, ue5 = version
    out = pack("<ii", -1, 2) + (pack("<i", 3) if deep else b"")
    out += pack("<6d" if ue5 >= 1004 else "<6f", *CORNERS) + pack("<B", valid)
    out += fstring("Layer") + pack("<iii", 4, 5, 6)
    if ue4 >= 268:
        out += pack("<i", 50000)
    if ue4 >= 329:
        out += pack("<i", 2)
    if ue4 >= 268:
        out += pack("<i", 1) + fstring("/Game/Parent")
    if ue4 >= 316:
        out += pack("<i", 1) + pack("<iffii", 700, 0.5, 1.5, 8, 9)
    if ue4 >= 319:
        out += pack("<i", 7)
    return out


@pytest.mark.parametrize(
    "version",
    [(267, 0), (268, 0), (315, 0), (316, 0), (318, 0), (319, 0), (328, 0), (329, 0), (522, 1003), (522, 1004)],
)
def test_a_tile_has_what_its_version_brought(version: tuple[int, int]) -> None:
    ue4, _ = version
    data = bytes(START) + tile(version, deep=False)
    assert read_world_tile(data, summary_with(version, world_tile_offset=START)) == WorldTile(
        (-1, 2, 0),
        (CORNERS[:3], CORNERS[3:]),
        "Layer",
        (4, 5, 6),
        50000 if ue4 >= 268 else 0,
        ue4 >= 329,
        ue4 >= 268,
        "/Game/Parent" if ue4 >= 268 else "",
        [TileDetail(700, (0.5, 1.5, 8, 9))] if ue4 >= 316 else [],
        7 if ue4 >= 319 else 0,
    )
    with pytest.raises(UnrealError) as caught:
        read_world_tile(data[:-1], summary_with(version, world_tile_offset=START))
    assert caught.value.field == "world_tile"


@pytest.mark.parametrize(
    ("stated", "unversioned", "ue4", "deep"),
    [
        (0, False, 522, False),
        (1, False, 522, True),
        (-1, False, 522, False),
        (0, True, 522, False),
        (1, True, 516, True),
        (-1, True, 516, False),
        (-1, True, 517, True),
    ],
)
def test_a_position_has_a_height_from_4_20_on(
    stated: int,
    unversioned: bool,  # noqa: FBT001 - a row of the table
    ue4: int,
    deep: bool,  # noqa: FBT001 - a row of the table
) -> None:
    custom = FORTNITE + pack("<i", stated) if stated >= 0 else b""
    summary = summary_with((ue4, 0), world_tile_offset=START, unversioned=unversioned, custom_version_data=custom)
    found = read_world_tile(bytes(START) + tile((ue4, 0), deep=deep), summary)
    assert found is not None
    assert found.position == (-1, 2, 3 if deep else 0)
    assert found.z_order == 7


def test_a_level_that_is_no_tile_has_none() -> None:
    for offset in (0, -1):
        assert read_world_tile(b"", summary_with(world_tile_offset=offset)) is None
    found = read_world_tile(
        bytes(START) + tile((522, 0), deep=False, valid=0), summary_with((522, 0), world_tile_offset=START)
    )
    assert found is not None
    assert found.bounds is None
