"""GUIDs of the files that findings are in: from a scan and from the database, and where only the path identifies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.findings.finding import Finding
from assetdb.checks.findings.guid_owners import guids_of, with_owners
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import guid, make_project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot

SCENE = "Assets/Main.unity"
PATHS = {SCENE: guid(8), "Assets/Art": guid(10), "Assets/Art/tiles.png": guid(4), "Assets/Art/boat.fbx": guid(6)}


@pytest.fixture(params=["scanned", "as of the last bake"])
def project(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Snapshot]:
    """Open a project whose tree was scanned for the question, and one that answers from its files."""
    root = make_project(tmp_path / "Game")
    opened = open_project(str(root), str(tmp_path / "out"))
    if request.param != "scanned":
        opened.close()
        opened = open_project(str(root), str(tmp_path / "out"), refresh=False)
    yield opened
    opened.close()


def test_files_and_folders_have_their_guids_and_other_paths_none(project: Snapshot) -> None:
    others = ["Assets/None.mat", "Assets/None/None.mat", "Assets", "ProjectSettings/A.asset", "Assets/gone.mat"]
    assert guids_of(project, [*PATHS, *others]) == PATHS
    assert guids_of(project, ["Assets/Art"]) == {"Assets/Art": guid(10)}
    assert guids_of(project, [SCENE]) == {SCENE: guid(8)}


def test_no_path_is_no_question(project: Snapshot) -> None:
    assert guids_of(project, []) == {}


def test_a_finding_gets_the_guid_of_its_file_or_keeps_its_own(project: Snapshot) -> None:
    rows = [
        Finding("dangling", "error", SCENE, "a"),
        Finding("dangling", "error", "Assets/Art/tiles.png", "b", asset="own"),
        Finding("dangling", "error", "Assets/None.mat", "c"),
    ]
    found = list(with_owners(project, rows))
    assert [(row.message, row.asset, row.target) for row in found] == [
        ("a", guid(8), ""),
        ("b", "own", ""),
        ("c", "", ""),
    ]


@pytest.mark.parametrize("code", ["duplicate-guid", "guid-in-package", "placeholder-guid", "orphan-meta", "no-guid"])
def test_where_a_guid_does_not_identify_a_file_it_is_the_target(project: Snapshot, code: str) -> None:
    (found,) = with_owners(project, [Finding(code, "error", SCENE, "a")])
    assert (found.asset, found.target) == ("", guid(8))
    (found,) = with_owners(project, [Finding(code, "error", SCENE, "a", target="other")])
    assert (found.asset, found.target) == ("", "other")
