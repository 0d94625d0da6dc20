"""Layouts of UnityEngine's value types, by release.

They have layouts of their own, whatever their fields in C# are (LayerMask, Color32, AnimationCurve). The tests compare
the last two below with the type trees of all releases, in classes of Unity's own that have them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from assetdb_formats.unityfs.types.layouts import Release

Layout = tuple[str, tuple[str, ...]]
"""Unity's name of the type, and a line a field: ``float x``, those in it indented, a ``!`` where zeros follow."""

_COLOR: Final = ("float r", "float g", "float b", "float a")
_XY: Final = ("float x", "float y")
_XYZ: Final = (*_XY, "float z")
_INTS: Final = ("int x", "int y", "int z")

_EDGES: Final = ("int m_Left", "int m_Right", "int m_Top", "int m_Bottom")
_STATE: Final = (
    "PPtr<Texture2D> m_Background",
    *(" int m_FileID", " SInt64 m_PathID"),
    "ColorRGBA m_TextColor",
    *(f" {line}" for line in _COLOR),
)
_STATES: Final = ("Normal", "Hover", "Active", "Focused", "OnNormal", "OnHover", "OnActive", "OnFocused")
_STYLE: Final = (  # no class of Unity's own has one: checked by the GUISkin of players of 2022.3, to its last byte
    *("string m_Name", " Array Array!", "  int size", "  char data"),
    *(line for name in _STATES for line in (f"GUIStyleState m_{name}", *(f" {line}" for line in _STATE))),
    *(
        line
        for name in ("Border", "Margin", "Padding", "Overflow")
        for line in (f"RectOffset m_{name}", *(f" {line}" for line in _EDGES))
    ),
    *("PPtr<Font> m_Font", " int m_FileID", " SInt64 m_PathID"),
    *("int m_FontSize", "int m_FontStyle", "int m_Alignment", "UInt8 m_WordWrap", "UInt8 m_RichText!"),
    *("int m_TextClipping", "int m_ImagePosition", "Vector2f m_ContentOffset", *(f" {line}" for line in _XY)),
    *("float m_FixedWidth", "float m_FixedHeight", "UInt8 m_StretchWidth", "UInt8 m_StretchHeight!"),
)

_SIMPLE: Final[dict[str, Layout]] = {
    "Vector2": ("Vector2f", _XY),
    "Vector3": ("Vector3f", _XYZ),
    "Vector4": ("Vector4f", (*_XYZ, "float w")),
    "Quaternion": ("Quaternionf", (*_XYZ, "float w")),
    "Matrix4x4": ("Matrix4x4f", tuple(f"float e{row}{column}" for row in range(4) for column in range(4))),
    "Vector2Int": ("Vector2Int", _INTS[:2]),
    "Vector3Int": ("Vector3Int", _INTS),
    "Rect": ("Rectf", (*_XY, "float width", "float height")),
    "RectInt": ("RectInt", ("int m_XMin", "int m_YMin", "int m_Width", "int m_Height")),
    "Bounds": (
        "AABB",
        ("Vector3f m_Center", *(f" {line}" for line in _XYZ), "Vector3f m_Extent", *(f" {line}" for line in _XYZ)),
    ),
    "BoundsInt": (
        "BoundsInt",
        (
            "Vector3Int m_Position",
            *(f" {line}" for line in _INTS),
            "Vector3Int m_Size",
            *(f" {line}" for line in _INTS),
        ),
    ),
    "Color": ("ColorRGBA", _COLOR),
    "Color32": ("ColorRGBA", ("unsigned int rgba",)),
    "LayerMask": ("BitField", ("unsigned int m_Bits",)),
    "RectOffset": ("RectOffset", _EDGES),
    "GUIStyle": ("GUIStyle", _STYLE),
}

DOUBTFUL: Final = frozenset(
    (
        "UnityEngine.GUIStyleState",
        "UnityEngine.PropertyName",
        "UnityEngine.Hash128",
        "UnityEngine.ExposedReference`1",
        "UnityEngine.LazyLoadReference`1",
        "UnityEngine.Rendering.SphericalHarmonicsL2",
        "UnityEngine.RenderingLayerMask",
        "UnityEngine.Pose",
        "UnityEngine.Scripting.APIUpdating.MovedFromAttributeData",
    )
)
"""Types with a layout of their own that is not known here: what has one is not read."""


def engine_layout(full_name: str, release: Release) -> Layout | None:
    """Return how a type of UnityEngine is written in a release, from 5.0 on; None for one that has no such layout."""
    namespace, _, name = full_name.rpartition(".")
    if namespace != "UnityEngine":
        return None
    if name == "AnimationCurve":
        return name, _curve(release)
    if name == "Gradient":
        return ("Gradient" if release >= (5, 5, 0, "f", 3) else "GradientNEW"), _gradient(release)
    return _SIMPLE.get(name)


def _curve(release: Release) -> tuple[str, ...]:
    weights = ("int weightedMode", "float inWeight", "float outWeight") if release >= (2018, 1, 0, "b", 2) else ()
    key = ("float time", "float value", "float inSlope", "float outSlope", *weights)
    order = ("int m_RotationOrder",) if release >= (5, 3) else ()
    return (
        *("vector m_Curve", " Array Array!" if release >= (2017, 1, 0, "b", 1) else " Array Array", "  int size"),
        *("  Keyframe data", *(f"   {line}" for line in key)),
        *("int m_PreInfinity", "int m_PostInfinity", *order),
    )


def _gradient(release: Release) -> tuple[str, ...]:
    color = _COLOR if release >= (5, 6, 0, "b", 1) else ("unsigned int rgba",)
    mode: tuple[str, ...] = ("int m_Mode",) if release >= (5, 5, 0, "f", 3) else ()
    if release >= (2022, 2, 0, "a", 13):
        mode = ("UInt8 m_Mode", "SInt8 m_ColorSpace")
    lines: list[str] = []
    for number in range(8):
        lines += [f"ColorRGBA key{number}", *(f" {line}" for line in color)]
    lines += [f"UInt16 {kind}time{number}" for kind in "ca" for number in range(8)]
    return (*lines, *mode, "UInt8 m_NumColorKeys", "UInt8 m_NumAlphaKeys!")
