"""The editor's Library of a project: what is read, and what is left out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.doctor.library.comparison import INNER, MAIN, SUB
from assetdb.doctor.library.reading import DATABASE, METADATA, Library
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.doctor.library.editor_files import (
    Import,
    Node,
    Shown,
    imported,
    info,
    write_artifact_db,
    write_metadata,
)
from tests.assetdb.unity_project import guid, make_project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.doctor.library.reading import EditorAsset
    from assetdb.query.snapshots.snapshot import Snapshot

TILES = Shown("tiles", 2800000, 28)
SPRITES = [Shown("tiles_first", 555, 213), Shown("tiles_second", -666, 213)]
BOAT = imported([Node("boat", 100000, 400000), Node("Hull", 100002, 400002, 400000)], targets=[(guid(7), "lost.mat")])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = make_project(tmp_path / "Game")
    for path in [root, *root.rglob("*")]:
        os.utime(path, (1000, 1000))
    return root


@pytest.fixture
def project(root: Path) -> Iterator[Snapshot]:
    found = open_project(str(root))
    yield found
    found.close()


def parts(asset: EditorAsset) -> list[tuple[str, int, str]]:
    return [(item.part, item.file_id, item.name) for item in asset.objects]


def test_a_project_without_a_library(project: Snapshot) -> None:
    library = Library(project)
    assert (library.source, list(library.assets())) == ("", [])


def test_metadata_of_the_same_state_are_read_and_others_counted(root: Path, project: Snapshot) -> None:
    write_metadata(root, guid(4), info("Assets/Art/tiles.png", TILES, SPRITES), b"not read for a texture")
    write_metadata(root, guid(6), info("Assets/Art/boat.fbx", Shown("boat", 100000, 1)), BOAT)
    write_metadata(root, guid(10), info("Assets/Art", Shown("Art", 102900000, 1029)))
    write_metadata(root, guid(3), info("Assets/Old/Health.cs", Shown("Health", 11500000, 115, "Health")))
    write_metadata(root, guid(5), info("Assets/Art/icon.png", Shown("icon", 2800000, 28)))
    os.utime(root / "Assets" / "Art" / "icon.png.meta")  # after the import
    write_metadata(root, guid(500), info("Assets/Other.png", TILES))
    write_metadata(root, f"{'0' * 16}1{'0' * 15}", info("ProjectSettings/InputManager.asset", TILES))
    cut = write_metadata(root, guid(9), info("Assets/data.asset", Shown("data", 11400000, 114))[:-90])
    broken = write_metadata(root, guid(1), info("Assets/Prefabs/Player.prefab", Shown("Player", 100, 1)), BOAT[:-1])
    now = os.stat(root / "Assets" / "Art" / "icon.png.meta").st_mtime
    for path in (root / METADATA).rglob("*"):
        os.utime(path, (now - 1, now - 1))
    library = Library(project)
    found = {asset.objects[0].guid: asset for asset in library.assets()}
    assert library.source == METADATA
    assert set(found) == {guid(1), guid(4), guid(6), guid(10)}
    assert parts(found[guid(4)]) == [
        (MAIN, 2800000, "tiles"),
        (SUB, 555, "tiles_first"),
        (SUB, -666, "tiles_second"),
    ]
    assert [item[0] for item in parts(found[guid(6)])] == [MAIN, *[INNER] * 4]
    assert [item.target for item in found[guid(6)].references] == [guid(7)]
    assert (library.changed, library.gone, library.several) == (2, 1, 0)
    unread = dict(library.unread)
    assert set(unread) == {f"{METADATA}/{cut.parent.name}/{cut.name}", f"{METADATA}/{broken.parent.name}/{guid(1)}"}


def test_a_prefab_that_only_its_own_file_has_is_not_taken_as_empty(root: Path, project: Snapshot) -> None:
    """Up to 2018.2 the file beside has no GameObjects, and it does not have what the prefab refers to."""
    beside = imported(named=[(1, 1041, "importer")], targets=[(guid(7), "lost.mat")])
    write_metadata(root, guid(1), info("Assets/Prefabs/Player.prefab", Shown("Player", 100, 1)), beside)
    asset = next(Library(project).assets())
    assert (parts(asset), asset.references) == ([(MAIN, 100, "Player")], [])


def test_links_and_folders_in_place_of_files_are_said(root: Path, project: Snapshot) -> None:
    (root / METADATA / "aa").mkdir(parents=True)
    folder = root / METADATA / guid(4)[:2] / f"{guid(4)}.info"
    folder.mkdir(parents=True)
    library = Library(project)
    assert list(library.assets()) == []
    assert [path for path, _ in library.unread] == [f"{METADATA}/{guid(4)[:2]}/{guid(4)}.info"]


def test_the_artifact_database_is_preferred(root: Path, project: Snapshot) -> None:
    pytest.importorskip("lmdb", reason="ArtifactDB is written with the wheel lmdb")
    write_metadata(root, guid(4), info("Assets/Art/tiles.png", TILES, SPRITES))
    preview = imported(named=[(2800000, 28, "Preview")])
    write_artifact_db(
        root,
        [
            Import(guid(4), 2800000, imported(named=[(2800000, 28, "tiles"), (555, 213, "tiles_first")])),
            Import(guid(6), 100000, BOAT, stored=True),
            Import(guid(6), 2800000, preview),
            Import(guid(3), 11500000, imported(named=[(11500000, 115, "Health")])),
            Import(guid(3), 4900000, imported(named=[(4900000, 49, "Health")])),
            Import(guid(9), 11400000, imported(named=[(1, 49, "no main object")])),
            Import(guid(5), 2800000, preview[:-8]),
            Import(guid(500), 2800000, preview),
        ],
    )
    library = Library(project)
    found = {asset.objects[0].guid: asset for asset in library.assets()}
    assert library.source == DATABASE
    assert parts(found[guid(4)]) == [(MAIN, 2800000, "tiles"), (SUB, 555, "tiles_first")]
    assert (MAIN, 100000, "boat") in parts(found[guid(6)])
    assert (INNER, 100002, "Hull") in parts(found[guid(6)])
    assert [item.target for item in found[guid(6)].references] == [guid(7)]
    assert set(found) == {guid(4), guid(6)}
    assert (library.changed, library.gone, library.several, library.hollow) == (0, 1, 1, 2)
    assert library.unread == []


def test_a_damaged_database_is_said(root: Path, project: Snapshot) -> None:
    (root / DATABASE).parent.mkdir(exist_ok=True)
    (root / DATABASE).write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    library = Library(project)
    assert list(library.assets()) == []
    assert [path for path, _ in library.unread] == [DATABASE]
