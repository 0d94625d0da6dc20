from __future__ import annotations

import contextlib
import os
import random
import sys
from typing import TYPE_CHECKING

import pytest

from assetdb.baking import bake
from assetdb.diagnostics.codes import REASONS
from assetdb.errors import DatabaseError
from assetdb.query.checked import CheckedAssets
from assetdb.query.references import AssetGraph
from assetdb.query.selector import find
from assetdb.query.snapshot import open_project
from assetdb.resolve.resolver import Resolver
from assetdb.store.database import open_database
from assetdb.store.pocket import DoubtError, PocketDatabase
from tests.assetdb.unity_project import guid, make_project

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def database(tmp_path: Path) -> Path:
    make_project(tmp_path)
    return tmp_path.joinpath(bake(tmp_path).database)


def test_it_says_what_the_database_says(database: Path) -> None:
    pocket = PocketDatabase(str(database))
    with open_database(database) as whole:
        for asset in whole:
            assert pocket.by_guid(asset.guid) == asset
        for text in (b"Player", b"a", b"Assets/", b"tiles_second", b"no such", b"", b"\xff"):
            assert list(pocket.containing(text)) == list(whole.containing(text))
        for number in range(20):
            assert pocket.folder(guid(number)) == whole.folder(guid(number))
            assert (pocket.by_guid(guid(number)) is None) == (whole.by_guid(guid(number)) is None)
    pocket.close()


@pytest.mark.corpus("unity/BoatAttack", "unity/UnityPlayground")
@pytest.mark.parametrize("name", ["BoatAttack", "UnityPlayground"])
def test_it_says_what_the_database_says_of_real_projects(corpus: Path, tmp_path: Path, name: str) -> None:
    path = bake(corpus / "unity" / name, tmp_path / "out", keep_going=True).database
    pocket = PocketDatabase(str(path))
    with open_database(path) as whole:
        graphs = AssetGraph(pocket), AssetGraph(whole)
        for text in (b"Water", b"Assets", b"e", b"Main"):
            assert list(pocket.containing(text)) == list(whole.containing(text))
        externals = {target for asset in whole for target in graphs[1].dependencies(asset.guid)}
        for number in externals.union(asset.guid for asset in whole):
            assert pocket.by_guid(number) == whole.by_guid(number)
            assert pocket.folder(number) == whole.folder(number)
            for deep in (False, True):
                assert graphs[0].usages(number, deep=deep) == graphs[1].usages(number, deep=deep)
                assert graphs[0].dependencies(number, deep=deep) == graphs[1].dependencies(number, deep=deep)
    pocket.close()


def test_a_fresh_bake_is_read_by_it(database: Path) -> None:
    project = open_project(str(database.parents[2]))
    assert project.resolver.name(guid(1), 100).name == "Player.prefab (GameObject)"
    assert isinstance(project.assets, CheckedAssets)
    assert isinstance(project.assets._inner, PocketDatabase)
    project.close()


def test_on_doubt_the_database_is_asked(database: Path) -> None:
    index = database.with_name("asset-db.index")
    index.unlink()
    with pytest.raises(DoubtError):
        PocketDatabase(str(database))
    project = open_project(str(database.parents[2]))
    assert project.resolver.name(guid(1), 100).name == "Player.prefab (GameObject)"
    project.close()
    database.unlink()
    bake(database.parents[2])
    PocketDatabase(str(database)).close()
    os.utime(index, ns=(0, 0))
    with pytest.raises(DoubtError):
        PocketDatabase(str(database))


def test_damaged_files_are_an_error_and_nothing_else(database: Path) -> None:
    numbers = random.Random(3)
    index = database.with_name("asset-db.index")
    for path in (database, index):
        whole = path.read_bytes()
        for _ in range(1500):
            data = bytearray(whole)
            for _ in range(numbers.randint(1, 3)):
                data[numbers.randrange(len(data))] = numbers.randrange(256)
            path.write_bytes(data[: numbers.randint(0, len(data))] if numbers.random() < 0.2 else data)
            index.touch()
            try:
                pocket = PocketDatabase(str(database))
            except DatabaseError:
                continue
            for number in (1, 4, 9, 10, 77):
                try:
                    pocket.by_guid(guid(number))
                    pocket.folder(guid(number))
                    list(pocket.containing(b"Assets"))
                    AssetGraph(pocket).usages(guid(number), deep=True)
                    AssetGraph(pocket).dependencies(guid(number), deep=True)
                except DatabaseError:
                    pass
            pocket.close()
        path.write_bytes(whole)


@pytest.mark.parametrize("offset", [0, 9, 1 << 63, (1 << 64) - 1])
def test_a_search_over_damaged_offsets_ends(database: Path, offset: int) -> None:
    index = database.with_name("asset-db.index")
    whole = index.read_bytes()
    with open_database(database) as opened:
        count = len(opened)
    for row in range(count):
        data = bytearray(whole)
        place = 80 + 16 * count + 8 * row
        data[place : place + 8] = offset.to_bytes(8, sys.byteorder)
        index.write_bytes(data)
        index.touch()
        pocket = PocketDatabase(str(database))
        with open_database(database) as opened:
            for either in (pocket, opened):
                with contextlib.suppress(DatabaseError):
                    assert len(list(either.containing(b"Assets"))) <= count
        pocket.close()


def test_damaged_assets_have_a_name_or_a_reason(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    numbers = random.Random(5)
    targets = [("Assets/Prefabs/Level.prefab", 2, 7000 ^ 300), ("Assets/Art/tiles.png.meta", 4, -666)]
    targets += [("Assets/Art/boat.fbx.meta", 6, 4300000), ("Assets/Prefabs/Player.prefab", 2, 501)]
    for path, number, file_id in targets:
        whole = (root / path).read_bytes()
        for _ in range(250):
            data = bytearray(whole)
            for _ in range(numbers.randint(1, 8)):
                data[numbers.randrange(len(data))] = numbers.choice(b"\n -&{}:0z\xff")
            (root / path).write_bytes(data)
            found = Resolver(str(root), None).name(guid(number), file_id)
            assert found.reason in REASONS or found.name
        (root / path).write_bytes(whole)


def test_what_has_a_text_in_any_case_is_among_the_candidates(tmp_path: Path) -> None:
    names = ("Other", "Kelvin \u212a", "Stra\u00dfe", "\ufb02ame", "PLAYER", "plain", "\u017fharp", "\u0130stanbul")
    for number, name in enumerate(names):
        path = tmp_path / "Assets" / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
        small = "0" * 20 + "f" * 12 if number == 5 else f"{number + 1:x}" * 32
        path.with_name(path.name + ".meta").write_text(f"fileFormatVersion: 2\nguid: {small}\n")
    (tmp_path / "ProjectSettings").mkdir()
    path = bake(tmp_path).database
    pocket = PocketDatabase(str(path))
    with open_database(path) as whole:
        assert list(pocket.candidates("")) == list(whole)
        for text in ("kelvin k", "strasse", "flame", "lame", "player", "plain", "sharp", "stanbul", "\u00df"):
            expected = list(find(text, whole))
            assert list(find(text, pocket)) == expected
            assert expected, text
        assert len(list(pocket.candidates("player"))) < len(names)
    pocket.close()
