"""Ten real projects beside Unity's own asset database."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from assetdb.doctor.library.comparison import NO_NAME, OTHER_PARENTS

if sys.platform != "linux":
    pytest.skip("some scripts are for Linux alone", allow_module_level=True)

from scripts.oracle.unity_says import judge, read_word

if TYPE_CHECKING:
    from pathlib import Path

# The rows that differ, by project, kind and the editor's class, and why. The list may only shrink.
LEFT: dict[str, dict[tuple[str, str], int]] = {
    "AudioNoScript": {},
    # SpeedTrees, empty in the corpus: how many colliders they have is in the files alone.
    "DUEL": {(NO_NAME, "GameObject"): 32},
    "House": {},
    "Iso": {},
    "Platformer2D": {},
    # The corpus has these DLLs empty.
    "SoloAdventurer": {(NO_NAME, "MonoScript"): 12},
    "SpaceShooter": {},
    "Sunny": {},
    # Lighting data that are empty in the corpus.
    "TanksAI": {(NO_NAME, "LightingDataAsset"): 2},
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
