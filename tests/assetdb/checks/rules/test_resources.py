"""Assets that one call of ``Resources.Load`` may mean: one path below any ``Resources``, and one type."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.resources import find_duplicates
from tests.assetdb.checks.healthy import NATIVE, PREFAB, guid_of, material, put
from tests.assetdb.checks.rules.views import found_by
from tests.assetdb.unity_project import HEAD, game_object

if TYPE_CHECKING:
    from pathlib import Path

MODEL = "ModelImporter:\n  userData: \n"


def write(root: Path, *paths: str) -> Path:
    for path in paths:
        if path.endswith(".mat"):
            put(root, path, material("X"), NATIVE)
        elif path.endswith(".prefab"):
            put(root, path, HEAD + game_object(100, "X"), PREFAB)
        else:
            put(root, path, b"x", MODEL if path.endswith(".fbx") else "TextureImporter:\n  userData: \n")
    return root


@pytest.mark.parametrize(
    ("one", "other", "is_one"),
    [
        ("Assets/Resources/a.mat", "Assets/X/Resources/a.mat", True),
        ("Assets/Resources/a.mat", "Assets/X/Resources/A.mat", True),
        ("Assets/Resources/a.mat", "Assets/X/Resources/b.mat", False),
        ("Assets/Resources/Sub/a.mat", "Assets/X/Resources/a.mat", False),
        ("Assets/Resources/Resources/a.mat", "Assets/X/Resources/a.mat", True),  # the last one counts
        ("Assets/Resources/a.mat", "Assets/X/a.mat", False),
        ("Assets/Resources/a.mat", "Assets/Editor/Resources/a.mat", False),  # in the editor alone
        ("Assets/Resources/a.mat", "Assets/X/Resources/a.png", False),
        ("Assets/Resources/a.prefab", "Assets/X/Resources/a.fbx", True),  # both are a GameObject
        ("Assets/Resources/a.png", "Assets/X/Resources/a.prefab", False),
    ],
)
def test_a_path_and_a_type_are_one_asset(tmp_path: Path, one: str, other: str, *, is_one: bool) -> None:
    found = found_by(find_duplicates, write(tmp_path / "Game", one, other))
    assert {row.path for row in found} == ({one, other} if is_one else set())


def test_each_of_several_names_the_others_and_the_path_to_load(tmp_path: Path) -> None:
    paths = [f"Assets/{folder}/Resources/Sub/a.mat" for folder in "CAB"]
    found = {row.path: row for row in found_by(find_duplicates, write(tmp_path / "Game", *paths))}
    row = found[paths[0]]
    said = f"Resources.Load('sub/a') may mean this or {paths[1]}, {paths[2]}"
    assert (row.code, row.message, row.asset) == ("resources-duplicate", said, guid_of(paths[0]))
    assert {row.target for row in found.values()} == {"sub/a"}
