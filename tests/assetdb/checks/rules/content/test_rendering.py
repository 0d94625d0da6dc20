"""Renderers of pipeline assets and cameras, and parents of materials."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.content.rendering import find_recursive, find_renderers, find_without_shader
from tests.assetdb.checks.healthy import NATIVE, material, put
from tests.assetdb.checks.rule_cases import pipeline, variants
from tests.assetdb.checks.rules.views import found_by

if TYPE_CHECKING:
    from pathlib import Path


def test_a_renderer_that_is_none_is_found_at_its_row(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    (root / "Packages").mkdir(parents=True)
    pipeline(root, (0, 1, 0), -1)
    found = [(finding.line, finding.property_path, finding.message) for finding in found_by(find_renderers, root)]
    assert found == [
        (8, "m_RendererDataList[0]", "the renderer 0 of the pipeline is None: nothing is drawn with the default one"),
        (10, "m_RendererDataList[2]", "the renderer 2 of the pipeline is None: no camera can use it"),
    ]


@pytest.mark.parametrize(("index", "is_found"), [(-1, False), (0, False), (1, False), (2, True), (9999, True)])
def test_a_camera_has_a_renderer_of_some_pipeline(tmp_path: Path, index: int, is_found: bool) -> None:  # noqa: FBT001 - a row
    root = tmp_path / "Game"
    (root / "Packages").mkdir(parents=True)
    pipeline(root, (1, 1), index)
    found = [(finding.path, finding.property_path, finding.object_path) for finding in found_by(find_renderers, root)]
    camera = "Assets/Scenes/Seen.unity", "m_RendererIndex", "Camera (UniversalAdditionalCameraData)"
    assert found == ([camera] if is_found else [])


def test_materials_that_derive_from_themselves(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    variants(root, A="B", B="A", C="C", D="A", E="Nowhere")
    found = {finding.path[11:12]: finding.message for finding in found_by(find_recursive, root)}
    assert found == {
        "A": "is a variant of itself through Assets/Art/B.mat: Unity gives the material no parent",
        "B": "is a variant of itself through Assets/Art/A.mat: Unity gives the material no parent",
        "C": "is a variant of itself: Unity gives the material no parent",
    }


@pytest.mark.parametrize("ending", ["mat", "MAT"])
@pytest.mark.parametrize(
    ("shader", "more", "count"),
    [
        ("{fileID: 0}", "", 1),
        ("{fileID: 0}", "  m_Parent: {fileID: 0}\n", 1),
        ("{fileID: 0}", f"  m_Parent: {{fileID: 2100000, guid: {7:032x}, type: 2}}\n", 0),
        (f"{{fileID: 4800000, guid: {8:032x}, type: 3}}", "", 0),
        ("{fileID: 46, guid: 0000000000000000f000000000000000, type: 0}", "  m_Other: {fileID: 0}\n", 0),
    ],
)
def test_a_material_without_a_shader(tmp_path: Path, ending: str, shader: str, more: str, count: int) -> None:
    text = material("Red").partition("  m_Shader:")[0] + f"  m_Shader: {shader}\n{more}"
    put(tmp_path / "Game", f"Assets/Art/Red.{ending}", text, NATIVE)
    found = [(row.line, row.property_path, row.anchor) for row in found_by(find_without_shader, tmp_path / "Game")]
    assert found == [(6, "m_Shader", 2100000)] * count
