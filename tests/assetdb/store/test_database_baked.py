from __future__ import annotations

import contextlib
import os
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assetdb.baking import bake
from assetdb.diagnostics.codes import REASONS
from assetdb.errors import DatabaseError
from assetdb.query.graph.references import AssetGraph
from assetdb.query.selecting.selector import find
from assetdb.query.snapshots.snapshot import open_project
from assetdb.resolve.resolver import Resolver
from assetdb.store.database import open_baked, open_database
from assetdb.store.schema import read_entries
from tests.assetdb.unity_project import guid, make_project

if TYPE_CHECKING:
    from assetdb.store.entry import Asset


@pytest.fixture
def database(tmp_path: Path) -> Path:
    make_project(tmp_path)
    return tmp_path.joinpath(bake(tmp_path).database)


def test_it_says_what_a_whole_reading_says(database: Path) -> None:
    baked = open_baked(str(database))[0]
    whole = list(read_entries(database.read_bytes()))
    assert list(baked) == whole
    assert len(baked) == len(whole)
    for asset in whole:
        assert baked.by_guid(asset.guid) == asset
        assert whole[baked.row(asset.guid)] == asset
    for text in (b"Player", b"a", b"Assets/", b"tiles_second", b"no such", b"", b"\xff"):
        assert list(baked.containing(text)) == [asset for asset in whole if text and has(asset, text)]
    folders = dict(baked.folders())
    for number in range(20):
        assert baked.folder(guid(number)) == folders.get(guid(number))
        assert (baked.folder_row(guid(number)) >= 0) == (guid(number) in folders)
    baked.close()


def has(asset: Asset, text: bytes) -> bool:
    return any(text in part.encode() for part in (asset.name, asset.path, *(row.name for row in asset.sub_assets)))


@pytest.mark.corpus("unity/BoatAttack", "unity/UnityPlayground")
@pytest.mark.parametrize("name", ["BoatAttack", "UnityPlayground"])
def test_it_says_what_a_whole_reading_says_of_real_projects(corpus: Path, tmp_path: Path, name: str) -> None:
    path = bake(corpus / "unity" / name, tmp_path / "out", keep_going=True).database
    baked = open_baked(str(path))[0]
    whole = list(read_entries(Path(path).read_bytes()))
    assert list(baked) == whole
    for asset in whole:
        assert baked.by_guid(asset.guid) == asset
    for text in (b"Water", b"Assets", b"Main"):
        # What is found may be in the bytes of the GUID or of a number too, and callers look again.
        assert [asset for asset in baked.containing(text) if has(asset, text)] == [
            asset for asset in whole if has(asset, text)
        ]
    baked.close()


def test_without_an_index_that_surely_fits_the_project_is_looked_at(database: Path) -> None:
    index = database.with_name("asset-db.index")
    index.unlink()
    with pytest.raises(DatabaseError, match="bake again"):
        open_baked(str(database))
    project = open_project(str(database.parents[2]))
    assert project.resolver.name(guid(1), 100).name == "Player.prefab (GameObject)"
    project.close()
    database.unlink()
    bake(database.parents[2])
    open_baked(str(database))[0].close()
    os.utime(index, ns=(0, 0))  # as where both were restored in any order
    open_baked(str(database))[0].close()
    database.write_bytes(database.read_bytes()[:-1] + b"?")
    os.utime(index, ns=(0, 0))
    with pytest.raises(DatabaseError, match="another database"):
        open_baked(str(database))


@pytest.mark.long
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
                baked = open_baked(str(database))[0]
            except DatabaseError:
                continue
            for number in (1, 4, 9, 10, 77):
                try:
                    baked.by_guid(guid(number))
                    baked.folder(guid(number))
                    list(baked.containing(b"Assets"))
                    AssetGraph(baked).usages(guid(number), deep=True)
                    AssetGraph(baked).dependencies(guid(number), deep=True)
                except DatabaseError:
                    pass
            baked.close()
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
        baked = open_baked(str(database))[0]
        with open_database(database) as opened:
            for either in (baked, opened):
                with contextlib.suppress(DatabaseError):
                    assert len(list(either.containing(b"Assets"))) <= count
        baked.close()


@pytest.mark.long
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
    baked = open_baked(str(path))[0]
    with open_database(path) as whole:
        assert list(baked.candidates("")) == list(whole)
        for text in ("kelvin k", "strasse", "flame", "lame", "player", "plain", "sharp", "stanbul", "\u00df"):
            expected = list(find(text, whole))
            assert list(find(text, baked)) == expected
            assert expected, text
        assert len(list(baked.candidates("player"))) < len(names)
    baked.close()
