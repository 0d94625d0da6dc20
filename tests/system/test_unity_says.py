"""The judge: Unity's rows as tables beside a project."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from assetdb.doctor.library.comparison import WRONG_NAME, EditorObject, EditorReference
from tests.assetdb.unity_project import guid, make_project

if sys.platform != "linux":
    pytest.skip("some scripts are for Linux alone", allow_module_level=True)

from scripts.oracle.unity_says import judge, read_word

if TYPE_CHECKING:
    from pathlib import Path


def test_tables_beside_a_project_are_compared_with_it(tmp_path: Path) -> None:
    root = make_project(tmp_path / "Game")
    (tmp_path / "Game.tsv").write_text(
        f"# guid\tpath\n{guid(1)}\tA.prefab\tdeep\t200\tGameObject\t\tBody\tPlayer/Body\n"
        f"{guid(1)}\tA.prefab\tdeep\t400\tGameObject\t\tHead\\t#1\\\\t\tPlayer/Body\n",
        "utf-8",
    )
    (tmp_path / "Game.refs.tsv").write_text(f"# guid\n{guid(1)}\tA.prefab\t{guid(3)}\tHealth.cs\n", "utf-8")
    word = read_word(root)
    assert word.objects == [
        EditorObject(guid(1), "A.prefab", "deep", 200, "GameObject", "", "Body", ("Player", "Body")),
        EditorObject(guid(1), "A.prefab", "deep", 400, "GameObject", "", "Head\t#1\\t", ("Player", "Body")),
    ]
    assert word.references == [EditorReference(guid(1), "A.prefab", guid(3), "Health.cs")]
    judged = judge(root, word)
    assert [(found.kind, found.file_id) for found in judged.objects] == [(WRONG_NAME, 400)]
    assert judged.references == []
    assert len(judged.lists) == 5  # the objects of the prefab that the table does not have
    assert not (root / "Library" / "assetdb").exists()
