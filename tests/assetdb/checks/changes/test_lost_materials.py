"""Materials that models find by name, renamed, moved and removed in git."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.changes.introduced import check_since, check_staged
from assetdb.checks.findings.engine import Selection
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.history.git_project import commit, git, make_repository
from tests.assetdb.unity.importers.fbx_writer import Node, model
from tests.assetdb.unity_project import HEAD, guid, write

if TYPE_CHECKING:
    from pathlib import Path

ONLY = Selection(select=("lost-material",))
CAR, RED, TREE, BARK, OTHER = range(400, 405)
CAR_FILE, RED_FILE = "Assets/Cars/car.fbx", "Assets/Materials/Red.mat"
TREE_FILE, BARK_FILE = "Assets/tree.spm", "Assets/tree Materials/Bark.mat"
NATIVE = "NativeFormatImporter:\n  userData: \n"


def material(name: str) -> str:
    return f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: {name}\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = make_repository(tmp_path)
    settings = "ModelImporter:\n  materials:\n    materialName: 1\n    materialSearch: 1\n"
    write(root, CAR_FILE, CAR, model(7400, (Node("A", "Mesh", (), ("Red",)),)), settings)
    write(root, RED_FILE, RED, material("Red"), NATIVE)
    write(root, TREE_FILE, TREE, b"", "SpeedTreeImporter:\n  userData: \n")
    write(root, BARK_FILE, BARK, material("Bark"), NATIVE)
    commit(root, "models")
    return root


def found(root: Path) -> list[tuple[str, str]]:
    """Return path and message of the findings, which are the same for the disk and the index."""
    git(root, "add", "-A")
    project = open_project(str(root))
    try:
        since = [(row.path, row.message) for row in check_since(project, "HEAD", ONLY).findings]
        assert [(row.path, row.message) for row in check_staged(project, ONLY).findings] == since
    finally:
        project.close()
    return since


def move(root: Path, source: str, target: str) -> None:
    (root / target).parent.mkdir(parents=True, exist_ok=True)
    for suffix in ("", ".meta"):
        os.rename(root / f"{source}{suffix}", root / f"{target}{suffix}")


@pytest.mark.parametrize(
    ("source", "target", "user"),
    [
        (RED_FILE, "Assets/Materials/Blue.mat", CAR_FILE),
        (RED_FILE, "Assets/Other/Red.mat", CAR_FILE),
        (RED_FILE, "Assets/Cars/Materials/Red.mat", ""),
        (RED_FILE, "Assets/Materials/RED.mat", ""),
        (BARK_FILE, "Assets/Bark.mat", TREE_FILE),
        (BARK_FILE, "Assets/tree Materials/Skin.mat", ""),
        (CAR_FILE, "Packages/own/car.fbx", ""),  # the change is of the model itself
    ],
)
def test_what_a_move_cuts_is_said(root: Path, source: str, target: str, user: str) -> None:
    move(root, source, target)
    assert found(root) == ([(user, f"found {source} by name, and it is {target} now")] if user else [])


def test_what_a_removal_cuts_is_said(root: Path) -> None:
    for suffix in ("", ".meta"):
        (root / f"{RED_FILE}{suffix}").unlink()
    assert found(root) == [(CAR_FILE, f"found {RED_FILE} by name, and it is gone")]


def test_a_kept_answer_is_of_the_places_it_was_given_for(root: Path) -> None:
    assert found(root) == []
    move(root, RED_FILE, "Assets/Materials/Blue.mat")
    assert len(found(root)) == 1
    move(root, "Assets/Materials/Blue.mat", RED_FILE)
    assert found(root) == []


def test_a_name_that_leads_elsewhere_is_none(root: Path) -> None:
    move(root, RED_FILE, "Assets/Materials/Blue.mat")
    write(root, "Assets/Cars/Materials/Red.mat", OTHER, material("Red"), NATIVE)
    assert found(root) == []


def test_a_model_that_is_changed_with_it_is_none(root: Path) -> None:
    move(root, RED_FILE, "Assets/Materials/Blue.mat")
    (root / CAR_FILE).write_bytes(model(7400, (Node("A", "Mesh", (), ("Blue",)),)))
    assert found(root) == []
    meta = root / f"{CAR_FILE}.meta"
    git(root, "checkout", "HEAD", "--", CAR_FILE)
    meta.write_text(meta.read_text().replace("    materialName: 1\n", "    importMaterials: 0\n    materialName: 1\n"))
    assert found(root) == []


def test_other_changes_say_nothing(root: Path) -> None:
    write(root, "Assets/New.mat", OTHER, material("New"), NATIVE)
    (root / RED_FILE).write_text(material("Red") + "  m_ShaderKeywords: A\n")
    assert found(root) == []
    assert guid(RED) in (root / f"{RED_FILE}.meta").read_text()
