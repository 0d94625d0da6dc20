"""Ten real projects beside Unity's own asset database."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from assetdb.doctor.library.comparison import NO_NAME, OTHER_PARENTS, WRONG_ASSET_TYPE, WRONG_NAME

if sys.platform != "linux":
    pytest.skip("some scripts are for Linux alone", allow_module_level=True)

from scripts.oracle.unity_says import judge, read_word

if TYPE_CHECKING:
    from pathlib import Path

# The rows that differ, by project, kind and the editor's class, and why. The list may only shrink.
LEFT: dict[str, dict[tuple[str, str], int]] = {
    "AudioNoScript": {},
    # SpeedTree: their metas have no table, and no reader knows the files.
    "DUEL": {
        (NO_NAME, "GameObject"): 42,
        (NO_NAME, "Mesh"): 12,
        (NO_NAME, "BillboardAsset"): 4,
        (WRONG_NAME, "GameObject"): 2,
    },
    # Cubemaps are class 28 in the database: their metas tell it in settings that the scan does not read.
    # README.md, up to Unity 5.6, is a DefaultAsset.
    "House": {(NO_NAME, "DefaultAsset"): 1, (WRONG_ASSET_TYPE, "Cubemap"): 2},
    "Iso": {},
    "Platformer2D": {},
    # The corpus has these DLLs empty; files in StreamingAssets are DefaultAssets whatever their extension.
    "SoloAdventurer": {(NO_NAME, "DefaultAsset"): 4, (NO_NAME, "MonoScript"): 12},
    "SpaceShooter": {},
    "Sunny": {},
    # As in House, and lighting data that are empty in the corpus.
    "TanksAI": {(NO_NAME, "DefaultAsset"): 1, (WRONG_ASSET_TYPE, "Cubemap"): 2, (NO_NAME, "LightingDataAsset"): 2},
    # A model that is empty in the corpus.
    "VRGame": {(NO_NAME, kind): 5 for kind in ("GameObject", "Transform", "MeshRenderer", "MeshFilter", "Mesh")},
}


@pytest.mark.long
@pytest.mark.corpus("unity-says")
@pytest.mark.parametrize("name", LEFT)
def test_every_row_is_right_or_in_the_list(corpus: Path, name: str) -> None:
    project = corpus / "unity-says" / name
    word = read_word(project)
    assert len(word.objects) > 50
    found = judge(project, word).objects
    differences = Counter((row.kind, row.type) for row in found if row.kind != OTHER_PARENTS)
    assert differences == Counter(LEFT[name])
