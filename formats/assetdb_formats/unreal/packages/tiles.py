"""World tile information: where a level of a World Composition map lies."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from assetdb_formats.unreal.packages.names import TableReader
from assetdb_formats.unreal.packages.references import FORTNITE_MAIN_BRANCH

if TYPE_CHECKING:
    from assetdb_formats.unreal.packages.summary import Summary

_THREE_DIMENSIONS = 1  # FFortniteMainBranchObjectVersion from which the position has a Z: 4.20


class TileDetail(NamedTuple):
    """One level of detail of a tile."""

    streaming_distance: int
    reserved: tuple[float, float, int, int]


class WorldTile(NamedTuple):
    """The tile of one level; ``bounds`` is (minimum, maximum) or None."""

    position: tuple[int, int, int]
    bounds: tuple[tuple[float, ...], tuple[float, ...]] | None
    layer: str
    layer_reserved: tuple[int, int, int]
    streaming_distance: int
    distance_streaming: bool
    hidden: bool
    parent: str
    details: list[TileDetail]
    z_order: int


def read_world_tile(data: bytes, summary: Summary) -> WorldTile | None:
    """Read the tile that ``world_tile_offset`` points to; None where there is none."""
    if summary.world_tile_offset <= 0:
        return None
    field = "world_tile"
    ue4, ue5 = summary.version
    reader = TableReader(data, summary.world_tile_offset, field)
    stated = summary.custom_version(FORTNITE_MAIN_BRANCH)
    deep = stated >= _THREE_DIMENSIONS if stated >= 0 or not summary.unversioned else ue4 >= 517
    x, y = reader.i32(field), reader.i32(field)
    z = reader.i32(field) if deep else 0
    number = reader.f64 if ue5 >= 1004 else reader.f32  # large world coordinates
    corners = tuple(number(field) for _ in range(6))
    bounds = (corners[:3], corners[3:]) if reader.u8(field) else None
    layer = reader.string(field)
    layer_reserved = (reader.i32(field), reader.i32(field), reader.i32(field))
    streaming_distance = reader.i32(field) if ue4 >= 268 else 0
    distance_streaming = reader.i32(field) != 0 if ue4 >= 329 else False
    hidden, parent = False, ""
    if ue4 >= 268:
        hidden = reader.i32(field) != 0
        parent = reader.string(field)
    details = []
    if ue4 >= 316:
        for _ in reader.items(20, field):
            distance = reader.i32(field)
            details.append(
                TileDetail(distance, (reader.f32(field), reader.f32(field), reader.i32(field), reader.i32(field)))
            )
    z_order = reader.i32(field) if ue4 >= 319 else 0
    return WorldTile(
        (x, y, z),
        bounds,
        layer,
        layer_reserved,
        streaming_distance,
        distance_streaming,
        hidden,
        parent,
        details,
        z_order,
    )
