"""Layouts of UnityEngine's value types at the releases that changed them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb_formats.unityfs.serialized_files.tree_values import make_plan
from assetdb_formats.unityfs.types.engine_types import DOUBTFUL, engine_layout
from assetdb_formats.unityfs.types.typetree import parse_lines

if TYPE_CHECKING:
    from assetdb_formats.unityfs.types.layouts import Release

NEW: Release = (2022, 3, 1, "f", 1)


def smallest(name: str, release: Release = NEW) -> tuple[str, int]:
    """Return Unity's name of a type and the bytes of its fields."""
    layout = engine_layout(f"UnityEngine.{name}", release)
    assert layout is not None
    plan = make_plan(tuple(parse_lines(("Base Base", *(f" {line}" for line in layout[1])))))
    return layout[0], plan.smallest


def test_a_struct_has_the_bytes_of_its_numbers() -> None:
    for name, expected in (
        ("Vector2", ("Vector2f", 8)),
        ("Vector3", ("Vector3f", 12)),
        ("Vector4", ("Vector4f", 16)),
        ("Quaternion", ("Quaternionf", 16)),
        ("Matrix4x4", ("Matrix4x4f", 64)),
        ("Vector2Int", ("Vector2Int", 8)),
        ("Vector3Int", ("Vector3Int", 12)),
        ("Rect", ("Rectf", 16)),
        ("RectInt", ("RectInt", 16)),
        ("Bounds", ("AABB", 24)),
        ("BoundsInt", ("BoundsInt", 24)),
        ("Color", ("ColorRGBA", 16)),
        ("Color32", ("ColorRGBA", 4)),
        ("LayerMask", ("BitField", 4)),
        ("RectOffset", ("RectOffset", 16)),
    ):
        assert smallest(name) == expected


def test_only_types_of_unity_engine_itself_have_a_layout() -> None:
    for name in ("UnityEngine.Nothing", "Game.Vector3", "Vector3", "UnityEngine.UI.Vector3", *DOUBTFUL):
        assert engine_layout(name, NEW) is None


def fields(name: str, release: Release) -> tuple[str, ...]:
    layout = engine_layout(f"UnityEngine.{name}", release)
    assert layout is not None
    return layout[1]


def test_a_curve_grew_with_the_releases() -> None:
    def parts(*release: int | str) -> tuple[bool, bool, bool]:
        lines = fields("AnimationCurve", release)  # type: ignore[arg-type]
        return "int m_RotationOrder" in lines, " Array Array!" in lines, "   int weightedMode" in lines

    assert parts(5, 2, 9, "f", 9) == (False, False, False)
    assert parts(5, 3, 0, "a", 1) == (True, False, False)
    assert parts(2017, 1, 0, "a", 9) == (True, False, False)
    assert parts(2017, 1, 0, "b", 1) == (True, True, False)
    assert parts(2018, 1, 0, "b", 1) == (True, True, False)
    assert parts(2018, 1, 0, "b", 2) == (True, True, True)
    assert sum(line.startswith("   float") for line in fields("AnimationCurve", NEW)) == 6


def test_a_gradient_changed_with_the_releases() -> None:
    def parts(*release: int | str) -> tuple[str, int, tuple[str, ...]]:
        layout = engine_layout("UnityEngine.Gradient", release)  # type: ignore[arg-type]
        assert layout is not None
        return (
            layout[0],
            layout[1].count(" float r"),
            tuple(line for line in layout[1] if "Mode" in line or "Sp" in line),
        )

    assert parts(5, 5, 0, "f", 2) == ("GradientNEW", 0, ())
    assert parts(5, 5, 0, "f", 3) == ("Gradient", 0, ("int m_Mode",))
    assert parts(5, 6, 0, "a", 9) == ("Gradient", 0, ("int m_Mode",))
    assert parts(5, 6, 0, "b", 1) == ("Gradient", 8, ("int m_Mode",))
    assert parts(2022, 2, 0, "a", 12) == ("Gradient", 8, ("int m_Mode",))
    assert parts(2022, 2, 0, "a", 13) == ("Gradient", 8, ("UInt8 m_Mode", "SInt8 m_ColorSpace"))
    # Eight keys of four floats, eight times of two sorts, mode, color space and two counts.
    assert smallest("Gradient") == ("Gradient", 8 * 16 + 16 * 2 + 4)
