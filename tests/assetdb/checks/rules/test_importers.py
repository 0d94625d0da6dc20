"""Lost references of the metas of models."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.importers import find_lost_references
from tests.assetdb.checks.healthy import guid_of, material, put
from tests.assetdb.checks.rules.views import found_by

if TYPE_CHECKING:
    from pathlib import Path

NOBODY = "8f57b4a070f7b43bbb3925467e6752ab"
MODEL = "Assets/Models/Boat.fbx"
PAINT = "Assets/Paint.mat"


def mapped(guid: str) -> str:
    return (
        "ModelImporter:\n  externalObjects:\n  - first:\n      type: UnityEngine:Material\n"
        "      assembly: UnityEngine.CoreModule\n      name: Hull\n"
        f"    second: {{fileID: 2100000, guid: {guid}, type: 2}}\n  materials:\n    importMaterials: 1\n"
    )


def copying(setup: str) -> str:
    source = f"  lastHumanDescriptionAvatarSource: {{fileID: 9000000, guid: {NOBODY},\n    type: 3}}\n"
    return f"ModelImporter:\n  externalObjects: {{}}\n{source}  animationType: 3\n{setup}  userData: \n"


def test_a_material_that_is_gone_is_told_at_its_line(tmp_path: Path) -> None:
    put(tmp_path / "Game", MODEL, "mesh", mapped(NOBODY))
    (found,) = found_by(find_lost_references, tmp_path / "Game")
    assert (found.code, found.severity, found.path, found.line) == ("missing-asset", "warning", f"{MODEL}.meta", 9)
    assert (found.property_path, found.asset) == ("externalObjects[0].second", guid_of(MODEL))
    assert (found.target, found.message) == (f"{NOBODY}:2100000", f"no asset has the GUID {NOBODY}")


def test_a_model_with_an_extension_in_capitals_is_a_model(tmp_path: Path) -> None:
    put(tmp_path / "Game", "Assets/Models/Boat.FBX", "mesh", mapped(NOBODY))
    assert [row.path for row in found_by(find_lost_references, tmp_path / "Game")] == ["Assets/Models/Boat.FBX.meta"]


def test_a_material_that_is_there_and_a_texture_are_no_finding(tmp_path: Path) -> None:
    put(tmp_path / "Game", PAINT, material("Paint"), "NativeFormatImporter:\n  userData: \n")
    put(tmp_path / "Game", MODEL, "mesh", mapped(guid_of(PAINT)))
    put(tmp_path / "Game", "Assets/Boat.png", "", mapped(NOBODY).replace("Model", "Texture"))
    assert found_by(find_lost_references, tmp_path / "Game") == []


@pytest.mark.parametrize(
    ("setup", "is_copied"),
    [
        ("  avatarSetup: 2\n", True),
        ("  avatarSetup: 1\n", False),
        ("  humanDescription:\n    copyAvatar: 1\n", False),
        ("  copyAvatar: 1\n", True),
    ],
)
def test_the_avatar_of_another_model_counts_where_it_is_copied(
    tmp_path: Path,
    setup: str,
    is_copied: bool,  # noqa: FBT001
) -> None:
    put(tmp_path / "Game", MODEL, "mesh", copying(setup))
    found = [row.property_path for row in found_by(find_lost_references, tmp_path / "Game")]
    assert found == ["lastHumanDescriptionAvatarSource"] * is_copied
