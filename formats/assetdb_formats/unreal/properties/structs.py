"""Structs of a fixed native layout, by engine name.

A struct that is not here is read as a list of properties if that consumes exactly its size, and is kept as bytes
otherwise: nothing but its own inside depends on knowing it.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

# From UE5 1004 (large world coordinates) on these are doubles, before they are floats: the number of components.
_REALS: Final = {
    "Vector": 3,
    "Vector2D": 2,
    "Vector4": 4,
    "Rotator": 3,
    "Quat": 4,
    "Plane": 4,
    "Sphere": 4,
    "Matrix": 16,
    "TwoVectors": 6,
}
_FIXED: Final = {
    "Box2f": Struct("<4fB"),
    "Box3f": Struct("<6fB"),
    "Color": Struct("<4B"),
    "DateTime": Struct("<q"),
    "DeprecateSlateVector2D": Struct("<2f"),
    "FrameNumber": Struct("<i"),
    "Guid": Struct("<16s"),
    "Int32Point": Struct("<2i"),
    "IntPoint": Struct("<2i"),
    "IntVector": Struct("<3i"),
    "IntVector2": Struct("<2i"),
    "IntVector4": Struct("<4i"),
    "LinearColor": Struct("<4f"),
    "Matrix44f": Struct("<16f"),
    "MovieSceneFrameRange": Struct("<BiBi"),  # lower and upper bound: kind (exclusive, inclusive, open) and frame
    "Plane4f": Struct("<4f"),
    "Quat4d": Struct("<4d"),
    "Quat4f": Struct("<4f"),
    "RichCurveKey": Struct("<3B6f"),
    "Rotator3d": Struct("<3d"),
    "Rotator3f": Struct("<3f"),
    "SimpleCurveKey": Struct("<2f"),
    "Sphere3f": Struct("<4f"),
    "Timespan": Struct("<q"),
    "Vector2f": Struct("<2f"),
    "Vector3d": Struct("<3d"),
    "Vector3f": Struct("<3f"),
    "Vector4d": Struct("<4d"),
    "Vector4f": Struct("<4f"),
}
_FLOATS: Final = {
    **_FIXED,
    **{name: Struct(f"<{count}f") for name, count in _REALS.items()},
    "Box": Struct("<6fB"),
    "Box2D": Struct("<4fB"),
}
_DOUBLES: Final = {
    **_FIXED,
    **{name: Struct(f"<{count}d") for name, count in _REALS.items()},
    "Box": Struct("<6dB"),
    "Box2D": Struct("<4dB"),
}
SOFT_PATH_STRUCTS: Final = frozenset(
    {"SoftObjectPath", "SoftClassPath", "StringAssetReference", "StringClassReference"}
)


def fixed_structs(*, large_world: bool) -> dict[str, Struct]:
    """Return the layouts of structs of one fixed size, with doubles from UE5 1004 on."""
    return _DOUBLES if large_world else _FLOATS
