"""Ten real projects beside Unity's own asset database."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from assetdb.doctor.library.comparison import INVENTED, NO_NAME, NOT_LISTED, OTHER_PARENTS

if sys.platform != "linux":
    pytest.skip("some scripts are for Linux alone", allow_module_level=True)

from scripts.oracle.unity_says import is_there, judge, read_word

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.doctor.library.comparison import Difference

Counts = dict[tuple[str, str], int]

# The rows that differ, by project, kind and the editor's class, and why. The list may only shrink. All are of files
# that the corpus has not or has empty, so that nothing can tell; of those whose files are there, none differs.
LEFT: dict[str, Counts] = {
    "AudioNoScript": {},
    # SpeedTrees: how many colliders they have is in the files alone.
    "DUEL": {(NO_NAME, "GameObject"): 32},
    "House": {},
    "Iso": {},
    "Platformer2D": {},
    # Classes of DLLs.
    "SoloAdventurer": {(NO_NAME, "MonoScript"): 12},
    "SpaceShooter": {},
    "Sunny": {},
    # Lighting data.
    "TanksAI": {(NO_NAME, "LightingDataAsset"): 2},
    # Objects of a model with hashed fileIDs.
    "VRGame": {(NO_NAME, kind): 5 for kind in ("GameObject", "Transform", "MeshRenderer", "MeshFilter", "Mesh")},
}
# A package.json among the assets is a text up to 2019.2, and a PackageManifest in later versions, which assetdb lists.
MANIFEST = "Assets/AstarPathfindingProject/package.json"
_STALE: Counts = {
    **{(INVENTED, kind): 8 for kind in ("GameObject", "Transform")},
    **{(INVENTED, kind): 2 for kind in ("MeshFilter", "MeshRenderer")},
    (INVENTED, "Mesh"): 6,
    (INVENTED, "SkinnedMeshRenderer"): 4,
}
# What ls lists otherwise of files that the corpus has not or has empty: rows of the meta's table of a model that a
# reader of the file would leave out (HumanoidCrouch.fbx, two of Oculus), a model without any table, colliders of
# SpeedTrees, and a picture of which the editor made no sprite (the last of EnemyTurnLeft).
LISTED: dict[str, Counts] = {
    "AudioNoScript": _STALE,
    "DUEL": {**_STALE, (NOT_LISTED, "GameObject"): 4},
    "SpaceShooter": {(INVENTED, "Sprite"): 1},
    "Sunny": {(INVENTED, ""): 1, (NOT_LISTED, "TextAsset"): 1},
    "VRGame": {
        **{(NOT_LISTED, kind): 5 for kind in ("GameObject", "Transform", "MeshRenderer", "MeshFilter", "Mesh")},
        **{(INVENTED, kind): 2 for kind in ("GameObject", "Transform", "MeshRenderer", "MeshFilter", "Mesh")},
        (INVENTED, "SkinnedMeshRenderer"): 2,
    },
}


def counted(found: list[Difference]) -> Counter[tuple[str, str]]:
    return Counter((row.kind, row.type) for row in found if row.kind != OTHER_PARENTS)


@pytest.mark.long
@pytest.mark.corpus("unity-says")
@pytest.mark.parametrize("name", LEFT)
def test_every_answer_is_unitys_or_in_a_list(corpus: Path, name: str) -> None:
    project = corpus / "unity-says" / name
    word = read_word(project)
    assert len(word.objects) > 50
    found = judge(project, word)
    assert counted(found.objects) == Counter(LEFT[name])
    assert counted(found.lists) == Counter(LISTED.get(name, {}))
    for row in (*found.objects, *found.lists):
        assert row.kind == OTHER_PARENTS or row.path == MANIFEST or not is_there(project, row.path), row
    assert found.references == []
