"""Lists of a database: by parts of names, endings, scripts and folders; and its bytes."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.errors import DatabaseError
from assetdb.store.database import open_bytes
from assetdb.store.files import INDEX_NAME
from scripts.fixture import GOLDEN
from tests.assetdb.unity_project import guid, make_project, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.store.database import Database


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = make_project(tmp_path_factory.mktemp("lists") / "Game")
    write(made, "Assets/LOUD.MAT", 60, "", "NativeFormatImporter:\n")
    write(made, "Assets/quiet.mat", 61, "", "NativeFormatImporter:\n")
    write(made, "Assets/plain", 62, "")
    write(made, "Assets/\xe4.txt", 63, "")
    return made


@pytest.fixture(scope="module")
def database(root: Path) -> Iterator[Database]:
    with assetdb.open_database(assetdb.bake(root).database) as opened:
        yield opened


def test_every_asset_with_a_text_is_among_those_that_may_have_it(database: Database) -> None:
    every = list(database)
    for text in ("Assets/", "tiles", "Scripts", "\xe4", "prefab", "Assets/plain"):
        found = list(database.containing(text.encode()))
        assert len({asset.guid for asset in found}) == len(found)
        assert [asset for asset in found if text in asset.path] == [asset for asset in every if text in asset.path]
    assert list(database.containing(b"nowhere")) == list(database.containing(b"")) == []


@pytest.mark.parametrize(
    ("ending", "names"),
    [
        (".mat", {"Assets/quiet.mat", "Assets/Art/lost.mat", "Assets/LOUD.MAT"}),
        (".MAT", {"Assets/quiet.mat", "Assets/Art/lost.mat", "Assets/LOUD.MAT"}),
        ("/quiet.mat", {"Assets/quiet.mat"}),
        ("/loud.mat", {"Assets/LOUD.MAT"}),
        (".wav", set()),
    ],
)
def test_assets_are_listed_by_their_ending(database: Database, ending: str, names: set[str]) -> None:
    assert {asset.path for asset in database.ending(ending)} == names


def test_assets_are_listed_by_their_script(database: Database) -> None:
    assert [asset.path for asset in database.of_script(guid(3))] == ["Assets/data.asset"]
    assert list(database.of_script(guid(1))) == []


def test_a_type_is_the_script_or_the_class(database: Database) -> None:
    types = {asset.path: database.type_name(asset) for asset in database}
    assert types["Assets/data.asset"] == "Health"
    assert types["Assets/Main.unity"] == "SceneAsset"
    assert types["Assets/Scripts/Health.cs"] == "MonoScript"


def test_folders_are_found_by_their_guids(database: Database) -> None:
    assert database.folder(guid(10)) == "Assets/Art"
    assert database.folder(guid(1)) is None
    assert list(database.folders()) == [(guid(10), "Assets/Art")]


def test_bytes_are_a_database_as_the_files_are(root: Path, database: Database) -> None:
    index = (root / "Library/assetdb" / INDEX_NAME).read_bytes()
    made = open_bytes("in memory", database.contents(), index)
    assert list(made) == list(database)
    assert made.contents() == (root / "Library/assetdb/asset-db.bin").read_bytes()
    assert made.graph.node_count == database.graph.node_count
    for data, damaged in ((database.contents(), b"none"), (b"none", index)):
        with pytest.raises(DatabaseError, match="in memory: "):
            open_bytes("in memory", data, damaged)


def test_a_database_of_the_crate_has_no_references(tmp_path: Path) -> None:
    path = shutil.copyfile(GOLDEN / "asset-db.bin", tmp_path / "asset-db.bin")
    with assetdb.open_database(path) as opened, pytest.raises(DatabaseError, match="was written without references"):
        _ = opened.graph
