"""What is exported of a project is what is asked of it, in every format."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.builds.opening import open_build
from assetdb.builds.trace.tracer import Tracer
from assetdb.cli import main
from assetdb.errors import UsageError
from assetdb.export import contents, exporting, folder, formats, pieces
from assetdb.export.folder import Partition, escaped
from assetdb.export.tables import SCHEMA, TABLES, AssetRow, sql_columns
from assetdb.query.graph.references import AssetGraph
from assetdb.query.graph.relations import usages_of
from assetdb.query.selecting.selector import Subject
from assetdb.query.snapshots.snapshot import open_project
from scripts.fixture import copy_fixture
from tests.assetdb.builds.making import Texture, bundle
from tests.assetdb.history.git_project import commit, git, make_repository
from tests.assetdb.unity_project import HEAD, guid, make_project, write
from tests.needs import needs_byte_names, needs_links, needs_signals

if TYPE_CHECKING:
    from collections.abc import Callable

_ROOT = Path(__file__).parents[3]
Rows = list[dict[str, Any]]


def exported(place: Path, table: str, project: str = "game", revision: str = "worktree") -> Rows:
    """Return the rows of a table of an export as JSON Lines."""
    path = place / table / f"project={project}" / f"revision={revision}" / f"{table}.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def run(place: Path, root: Path, *words: str, shape: str = "jsonl") -> int:
    return main(["export", str(place), "--project", str(root), "--format", shape, "--quiet", *words])


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return make_project(tmp_path / "game")


def place_of(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("path", "line", "file_id", "property", "override", "target_file_id"))


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("name", ["made", "fixture"])
def test_references_are_those_of_usages(
    name: str, workers: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "game"
    if name == "made":
        make_project(root)
    else:
        copy_fixture(root)
    monkeypatch.setattr(exporting, "_FEW", 1)
    assert run(tmp_path / "out", root, "--workers", str(workers)) == 0
    rows = exported(tmp_path / "out", "references")
    project = open_project(str(root))
    assets = [*project.database, *(duplicate.asset for duplicate in project.duplicates)]  # whoever wrote them
    assert [row["path"] for row in exported(tmp_path / "out", "assets")] == [asset.path for asset in assets]
    graph = AssetGraph(project)
    edges = {(asset.guid, target) for asset in project.database for target in graph.dependencies(asset.guid)}
    duplicates = {(duplicate.asset.guid, target) for duplicate in project.duplicates for target in duplicate.targets}
    found = {(row["asset"], row["target"]) for row in rows if row["asset"]}
    assert found == {edge for edge in edges | duplicates if edge[0] != edge[1]}
    for target in {row["target"] for row in rows}:
        places = usages_of(Subject(target, None), project, graph, deep=False, objects=True)[1]
        expected = [(s.path, s.line, s.object_id, s.property, s.override, s.file_id) for s in places]
        own = [place_of(row) for row in rows if row["target"] == target and row["line"]]
        assert sorted(own, key=str) == sorted(expected, key=str), target
    project.close()


def test_references_of_import_settings_have_their_places(game: Path, tmp_path: Path) -> None:
    """As the icon of each script of Mirror."""
    write(game, "Assets/Icon.png", 90, "", "TextureImporter:\n")
    icon = f"MonoImporter:\n  icon: {{fileID: 2800000, guid: {guid(90)}, type: 3}}\n"
    write(game, "Assets/Marked.cs", 91, "class Marked {}", icon)
    assert run(tmp_path / "out", game, "--table", "references") == 0
    rows = [row for row in exported(tmp_path / "out", "references") if row["target"] == guid(90)]
    assert [place_of(row) for row in rows] == [("Assets/Marked.cs.meta", 4, 0, "icon", "", 2800000)]
    assert rows[0]["asset"] == guid(91)


def test_classes_and_main_objects_have_the_numbers_of_unity(game: Path, tmp_path: Path) -> None:
    write(game, "Assets/Game.asmdef", 90, '{"name": "Game"}', "AssemblyDefinitionImporter:\n")
    write(game, "Assets/Game.asmref", 91, '{"reference": "Game"}', "AssemblyDefinitionReferenceImporter:\n")
    write(game, "Assets/Keys.inputactions", 92, '{"maps": []}', "ScriptedImporter:\n")
    assert run(tmp_path / "out", game, "--table", "assets", "--table", "objects") == 0
    names = {"Assets/Game.asmdef": 1152215463, "Assets/Game.asmref": 662584278, "Assets/Keys.inputactions": 114}
    for table in ("assets", "objects"):
        rows = exported(tmp_path / "out", table)
        assert {row["path"]: row["class_id"] for row in rows if row["path"] in names} == names
    mains = {row["path"]: row["file_id"] for row in exported(tmp_path / "out", "objects")}
    assert mains["Assets/Keys.inputactions"] == -944628639613478452


def test_other_tables_are_what_commands_say(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path / "out", game) == 0
    project = open_project(str(game))
    assets = exported(tmp_path / "out", "assets")
    assert {(row["guid"], row["path"]) for row in assets} == {(asset.guid, asset.path) for asset in project.database}
    project.close()
    objects = exported(tmp_path / "out", "objects")
    body = [row for row in objects if row["path"].endswith("Player.prefab")]
    assert [(row["file_id"], row["type"], row["name"]) for row in body] == [
        (100, "GameObject", "Player"),
        (101, "Transform", "Player"),
        (200, "GameObject", "Body"),
        (201, "Transform", "Body"),
        (300, "Health", "Body"),
        (400, "GameObject", "Head #1"),
        (401, "Transform", "Head #1"),
    ]
    sprites = [row for row in objects if row["path"] == "Assets/Art/tiles.png"]
    assert {"Sprite", "Texture2D"} == {row["type"] for row in sprites}
    capsys.readouterr()
    main(["check", "--project", str(game), "--json", "--exit-zero"])
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    found = exported(tmp_path / "out", "findings")
    assert found
    assert [(row["code"], row["path"], row["line"], row["message"]) for row in found] == [
        (row["code"], row["path"], row["line"], row["message"]) for row in told
    ]
    assert len({row["identity"] for row in found}) == len(found)
    (row,) = exported(tmp_path / "out", "projects")
    assert row["schema"] == SCHEMA
    assert row["tables"].split() == ["assets", "objects", "references", "findings"]


def test_quick_has_the_graph_without_places(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(tmp_path / "whole", game) == 0
    monkeypatch.setattr(contents, "read_one", None)  # no file is read
    assert run(tmp_path / "quick", game, "--quick") == 0
    whole, quick = (exported(tmp_path / name, "references") for name in ("whole", "quick"))
    assert {(row["asset"], row["target"]) for row in whole if row["asset"]} == {
        (row["asset"], row["target"]) for row in quick
    }
    assert {row["line"] for row in quick} == {0}
    assert exported(tmp_path / "quick", "projects")[0]["places"] is False


def test_a_binary_asset_has_its_references_without_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_project(tmp_path / "game")
    monkeypatch.setattr(contents, "placed", lambda *_: [])
    assert run(tmp_path / "out", root, "--table", "references") == 0
    rows = [row for row in exported(tmp_path / "out", "references") if row["asset"]]
    assert rows
    assert {(row["line"], row["target_file_id"]) for row in rows} == {(0, None)}


def test_a_second_run_replaces_the_partition_whole(game: Path, tmp_path: Path) -> None:
    assert run(tmp_path / "out", game) == 0
    (game / "Assets" / "data.asset").unlink()
    (game / "Assets" / "data.asset.meta").unlink()
    assert run(tmp_path / "out", game, "--table", "assets") == 0
    assert guid(9) not in {row["guid"] for row in exported(tmp_path / "out", "assets")}
    assert not (tmp_path / "out" / "references" / "project=game" / "revision=worktree").exists()
    assert run(tmp_path / "out", game, "--name", "other") == 0
    assert (tmp_path / "out" / "assets" / "project=game" / "revision=worktree" / "assets.jsonl").exists()


def test_sqlite_has_the_same_rows(game: Path, tmp_path: Path) -> None:
    for _ in range(2):
        assert run(tmp_path / "lines", game) == 0
        assert run(tmp_path / "base", game, shape="sqlite") == 0
    with closing(sqlite3.connect(tmp_path / "base" / formats.DATABASE_NAME)) as connection:
        connection.row_factory = sqlite3.Row
        for table in ("projects", "assets", "objects", "references", "findings"):
            rows = [dict(row) for row in connection.execute(f'SELECT * FROM "{table}"')]  # noqa: S608 - our own names
            assert {(row.pop("project"), row.pop("revision")) for row in rows} == {("game", "worktree")}
            assert rows == exported(tmp_path / "lines", table)


def test_an_older_database_gets_new_columns(game: Path, tmp_path: Path) -> None:
    assert run(tmp_path / "base", game, shape="sqlite") == 0
    path = tmp_path / "base" / formats.DATABASE_NAME
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("ALTER TABLE assets DROP COLUMN extension")
        connection.commit()
    assert run(tmp_path / "base", game, shape="sqlite") == 0
    with closing(sqlite3.connect(path)) as connection:
        assert {row[0] for row in connection.execute("SELECT extension FROM assets")} >= {"prefab", "cs"}


def test_parquet_has_the_same_rows_and_types(game: Path, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="Parquet is written by DuckDB")
    odd = tmp_path / "it's [a] *folder*?"  # characters of globs and of SQL
    assert run(tmp_path / "lines", game) == 0
    assert run(odd, game, shape="parquet") == 0
    for table in ("projects", "assets", "objects", "references", "findings"):
        shutil.copy(next((odd / table).rglob("*.parquet")), tmp_path / "copy.parquet")
        with duckdb.connect() as connection:
            relation = connection.read_parquet(str(tmp_path / "copy.parquet"))
            assert dict(zip(relation.columns, map(str, relation.types), strict=True)) == sql_columns(table)
            rows = [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]
        assert rows == exported(tmp_path / "lines", table)


def test_without_duckdb_it_says_how_to_install_it(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    assert run(tmp_path / "out", game, shape="parquet") == 2
    assert "pip install 'assetdb[parquet]'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


# --- revisions


def test_revisions_lie_beside_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_repository(tmp_path / "game")
    monkeypatch.chdir(root)
    write(root, "Assets/new.prefab", 90, HEAD)
    commit(root)
    old, new = git(root, "rev-parse", "HEAD~1").strip(), git(root, "rev-parse", "HEAD").strip()
    for revision in ("HEAD~1", "main"):
        assert (
            main(["export", str(tmp_path / "out"), "--format", "jsonl", "--rev", revision, "--quiet", "--name", "game"])
            == 0
        )
    assert main(["export", str(tmp_path / "out"), "--format", "jsonl", "--quiet", "--name", "game"]) == 0
    counts = {
        revision: {row["guid"] for row in exported(tmp_path / "out", "assets", revision=revision)}
        for revision in (old, new, "worktree")
    }
    assert counts[new] == counts["worktree"] == counts[old] | {guid(90)}
    assert exported(tmp_path / "out", "projects", revision=old)[0]["commit"] == old
    for table in ("objects", "references", "findings"):
        assert exported(tmp_path / "out", table, revision=new) == exported(tmp_path / "out", table)
    git(root, "clone", "-q", "--bare", str(root), str(tmp_path / "game.git"))
    words = ["--project", str(tmp_path / "game.git"), "--rev", "main", "--quiet"]
    assert main(["export", str(tmp_path / "out"), "--format", "jsonl", *words, "--name", "bare"]) == 0
    assert exported(tmp_path / "out", "references", "bare", new) == exported(tmp_path / "out", "references")


@needs_links
def test_what_a_partial_clone_lacks_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = make_repository(tmp_path / "source")
    for name in ("allowFilter", "allowAnySHA1InWant"):
        git(source, "config", f"uploadpack.{name}", "true")
    (source / "Assets" / "Prefabs" / "Tower.prefab").write_text(HEAD)
    new = commit(source)
    clone = tmp_path / "game"
    git(tmp_path, "clone", "-q", "--filter=blob:none", f"file://{source}", str(clone))
    old = git(clone, "rev-parse", "HEAD~1").strip()
    assert run(tmp_path / "out", clone, "--rev", "HEAD~1") == 2
    assert exported(tmp_path / "out", "projects", revision=old)[0]["absent_files"] == 1
    assert run(tmp_path / "out", clone, "--rev", "HEAD") == 0
    assert exported(tmp_path / "out", "projects", revision=new)[0]["absent_files"] == 0
    assert run(tmp_path / "out", clone, "--rev", "HEAD~1", "--fetch") == 0
    assert exported(tmp_path / "out", "projects", revision=old)[0]["absent_files"] == 0


def test_files_that_could_not_be_read_are_said(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (game / "Assets" / "Odd.mat").write_text("")
    (game / "Assets" / "Odd.mat.meta").mkdir()
    words = ["export", str(tmp_path / "out"), "--project", str(game), "--format", "jsonl"]
    assert main(words) == 0
    assert exported(tmp_path / "out", "projects")[0]["unread_files"] > 0
    assert "could not be read, and may refer to more" in capsys.readouterr().err
    assert main([*words, "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


# --- names and folders


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("a/b", "a%2Fb"),
        ("..", ".%2E"),
        ("../../etc", "..%2F..%2Fetc"),
        ("a=b%c", "a%3Db%25c"),
        ("x\n\x00", "x%0A%00"),
        ("Spiel ä", "Spiel ä"),
        ("C:\\x", "C%3A%5Cx"),
        ("end. ", "end.%20"),
    ],
)
def test_names_are_escaped(name: str, made: str) -> None:
    assert escaped(name) == made


@pytest.mark.parametrize("name", ["", "x" * 201])
def test_impossible_names_are_refused(name: str, game: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--name"):
        escaped(name)
    assert run(tmp_path / "out", game, "--name", name) == 2
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("shape", ["jsonl", "sqlite"])
def test_nothing_is_written_outside_the_folder(game: Path, tmp_path: Path, shape: str) -> None:
    database = game / "Library" / "assetdb"  # a later run writes there what the first found racy

    def outside() -> list[Path]:
        found = (path for path in tmp_path.rglob("*") if "deep" not in path.parts)
        return sorted(path for path in found if not path.is_relative_to(database))

    assert run(tmp_path / "deep" / "out", game, shape=shape) == 0
    before = outside()
    assert run(tmp_path / "deep" / "out", game, "--name", "../../../" + "x", shape=shape) == 0
    assert outside() == before
    assert sorted(path.name for path in (tmp_path / "deep").iterdir()) == ["out"]
    assert not list((tmp_path / "deep" / "out").glob(".*"))


def test_a_folder_with_something_else_is_refused(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "out"
    place.mkdir()
    (place / "mine.txt").write_text("x")
    assert run(place, game) == 2
    assert "contains something other" in capsys.readouterr().err
    assert [path.name for path in place.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("place", ["Assets/out", "Packages/out", "ProjectSettings/out", ".git/out"])
def test_a_folder_among_the_files_of_a_project_is_refused(
    place: str, game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = make_project(tmp_path / "other")
    for root in (game, other):
        assert run(root / place, game) == 2
        assert "name a folder elsewhere" in capsys.readouterr().err
        assert not (root / place).exists()
    assert run(game / "Library" / "out", game) == 0


@needs_links
def test_a_target_that_is_no_folder_is_refused_with_advice(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    (tmp_path / "file").write_text("x")
    for name, said in (("link", "leads nowhere"), ("file", "no folder"), ("file/out", "no folder")):
        assert run(tmp_path / name, game) == 2
        told = capsys.readouterr().err
        assert said in told
        assert "name another folder" in told


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        ('{"schema": 99, "format": "jsonl"}', "schema 99"),
        ('{"schema": 1, "format": "parquet"}', "--format parquet"),
        ("{", "is damaged"),
        ("[]", "is damaged"),
        ("[" * 60_000, "is damaged"),
    ],
)
def test_other_exports_are_refused(
    manifest: str, said: str, game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / folder.MANIFEST).write_text(manifest)
    assert run(tmp_path / "out", game) == 2
    assert said in capsys.readouterr().err


def test_another_product_of_the_same_name_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in (1, 2):
        root = make_project(tmp_path / str(number) / "game")
        settings = f"PlayerSettings:\n  productGUID: {guid(number)}\n"
        (root / "ProjectSettings" / "ProjectSettings.asset").write_text(settings)
        assert run(tmp_path / "out", root) == (0 if number == 1 else 2)
    assert "another project called game" in capsys.readouterr().err
    assert run(tmp_path / "out", tmp_path / "2" / "game", "--name", "second") == 0


@pytest.mark.parametrize("words", [("--table", "projects"), ("--quick", "--table", "assets")])
def test_nonsense_is_refused(words: tuple[str, ...], game: Path, tmp_path: Path) -> None:
    assert run(tmp_path / "out", game, *words) == 2
    assert not (tmp_path / "out").exists()


# --- texts and failures


@needs_byte_names
def test_a_project_and_a_folder_may_have_names_that_are_no_text(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path / "out\udcff", game, "--name", "game\udcff", shape="sqlite") == 0
    with closing(sqlite3.connect(tmp_path / "out\udcff" / formats.DATABASE_NAME)) as connection:
        assert connection.execute("SELECT project FROM projects").fetchall() == [("game\\udcff",)]
    pytest.importorskip("duckdb", reason="Parquet is written by DuckDB")
    assert run(tmp_path / "other\udcff", game, shape="parquet") == 2
    assert "--format jsonl" in capsys.readouterr().err


def test_names_that_are_no_text_are_shown_as_bytes(tmp_path: Path) -> None:
    row = AssetRow(
        guid(1), "Assets/\udcff.mat", "a\nb\x00", "mat", 21, "Material", "", shares_guid=False, labels="", size=0
    )
    assert pieces.write_piece(str(tmp_path), "assets", [row, row]) == 2
    found = list(formats._rows("assets", str(tmp_path / "assets.0.jsonl")))
    assert [values[1:3] for values in found] == [("Assets/\\udcff.mat", "a\nb\x00")] * 2


@pytest.mark.parametrize("shape", ["jsonl", "sqlite", "parquet"])
def test_ids_of_more_than_64_bits_are_left_out(game: Path, tmp_path: Path, shape: str) -> None:
    if shape == "parquet":
        pytest.importorskip("duckdb", reason="Parquet is written by DuckDB")
    huge = 10**19
    text = f"--- !u!114 &{huge}\nMonoBehaviour:\n  m_Script: {{fileID: {10**19 - 1}, guid: {guid(3)}, type: 3}}\n"
    write(game, "Assets/huge.asset", 90, HEAD + text)
    assert run(tmp_path / "out", game, shape=shape) == 0
    if shape == "jsonl":
        (row,) = [row for row in exported(tmp_path / "out", "references") if row["asset"] == guid(90)]
        assert (row["file_id"], row["target_file_id"]) == (0, None)


def test_a_damaged_database_is_named(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path / "out", game, shape="sqlite") == 0
    (tmp_path / "out" / formats.DATABASE_NAME).write_bytes(b"no database" * 1000)
    assert run(tmp_path / "out", game, shape="sqlite") == 2
    assert f"{formats.DATABASE_NAME}: file is not a database" in capsys.readouterr().err


def test_a_full_disk_is_said_by_duckdb_too(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("duckdb", reason="Parquet is written by DuckDB")
    monkeypatch.setattr(formats, "_copy", lambda *_: "SELECT error('no room')")
    assert run(tmp_path / "out", game, shape="parquet") == 2
    assert "cannot be written as Parquet" in capsys.readouterr().err
    assert not list((tmp_path / "out").rglob("*.parquet"))


def test_built_objects_have_their_assets(game: Path, tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    texture = Texture(7, "tiles", b"pixels", "Assets/Art/tiles.png")
    lost = Texture(8, "of nobody", b"other", "")
    (tmp_path / "build" / "art.bundle").write_bytes(bundle("CAB-1", "art", [texture, lost]))
    assert run(tmp_path / "out", game, "--in", str(tmp_path / "build"), "--table", "assets") == 0
    rows = exported(tmp_path / "out", "built_objects")
    project = open_project(str(game))
    tracer = Tracer(open_build([str(tmp_path / "build")], remember=False), project)
    assert [(row["path_id"], row["certainty"]) for row in rows] == [
        (tracer.build.path_ids[number], tracer.back(number).certainty) for number in range(len(tracer.build))
    ]
    project.close()
    (found,) = [row for row in rows if row["path_id"] == 7]
    assert (found["asset"], found["path"], found["name"]) == (guid(4), "Assets/Art/tiles.png", "tiles")
    (other,) = [row for row in rows if row["path_id"] == 8]
    assert (other["asset"], other["file_id"]) == ("", None)
    assert exported(tmp_path / "out", "projects")[0]["tables"].split()[:2] == ["assets", "built_objects"]


def test_built_textures_have_their_facts(game: Path, tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "art.bundle").write_bytes(bundle("CAB-1", "art", [Texture(7, "tiles", b"pixels")]))
    assert run(tmp_path / "out", game, "--in", str(tmp_path / "build"), "--table", "assets") == 0
    (row,) = exported(tmp_path / "out", "built_textures")
    assert (row["path_id"], row["name"], row["height"], row["format"]) == (7, "tiles", None, None)
    assert isinstance(row["width"], int)
    assert exported(tmp_path / "out", "built_meshes") == []


def test_a_full_disk_leaves_the_last_export(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path / "out", game) == 0
    before = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    write(game, "Assets/new.prefab", 90, HEAD)

    def fail(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("assetdb.export.exporting.write_piece", fail)
    assert run(tmp_path / "out", game) == 2
    assert "No space left" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()} == before
    assert not list((tmp_path / "out").glob(".exporting-*"))


def _partition(place: Path, number: int, names: tuple[str, ...]) -> None:
    """Put a partition in place whose files all contain a number."""
    staged = {name: place / f"{number}-{name}.jsonl" for name in names}
    for file in staged.values():
        file.write_text(str(number))
    folder.put_in_place(str(place), Partition("game", "worktree"), {n: str(f) for n, f in staged.items()}, TABLES)


def _numbers(place: Path) -> dict[str, str]:
    return {path.parts[-4]: path.read_text() for path in place.glob("*/*/*/*.jsonl")}


def test_a_partition_that_is_half_replaced_is_not_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace = os.replace
    left = 0

    def replace_some(one: str, other: str) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(5, "Input/output error")
        replace(one, other)

    for done in range(len(TABLES)):
        place = tmp_path / str(done)
        place.mkdir()
        _partition(place, 1, tuple(TABLES))
        left = done
        with monkeypatch.context() as patch:
            patch.setattr(folder.os, "replace", replace_some)
            with pytest.raises(OSError, match="Input"):
                _partition(place, 2, tuple(TABLES))
        assert "projects" not in _numbers(place)
        _partition(place, 3, tuple(TABLES))
        assert _numbers(place) == dict.fromkeys(TABLES, "3")


def test_two_exports_of_one_partition_do_not_mix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace = os.replace
    sets = [tuple(TABLES), ("assets", "references", "projects")]
    one, other = (threading.Thread(target=_partition, args=(tmp_path, *row)) for row in enumerate(sets))

    def replace_meanwhile(old: str, new: str) -> None:
        replace(old, new)
        if threading.current_thread() is one and not other.ident:
            other.start()
            other.join(0.3)

    monkeypatch.setattr(folder.os, "replace", replace_meanwhile)
    one.start()
    one.join()
    other.join()
    assert _numbers(tmp_path) == dict.fromkeys(sets[1], "1")


def test_what_killed_runs_left_is_removed_a_day_later(tmp_path: Path) -> None:
    for name, age in ((".exporting-old", 90_000), (".exporting-young", 10)):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    with folder.staging(str(tmp_path)) as place:
        assert sorted(os.listdir(tmp_path)) == sorted([".exporting-young", os.path.basename(place)])


def _killed(place: Path, root: Path, shape: str, after: float) -> None:
    words = ["export", str(place), "--project", str(root), "--format", shape, "--quiet"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(_ROOT), str(_ROOT / "formats")))}
    with subprocess.Popen([sys.executable, "-m", "assetdb", *words], env=environment) as process:
        time.sleep(after)
        process.send_signal(signal.SIGKILL)


@pytest.mark.long
@needs_signals
@pytest.mark.parametrize("shape", ["jsonl", "sqlite"])
def test_a_killed_run_leaves_the_last_good_one(game: Path, tmp_path: Path, shape: str) -> None:
    read: dict[str, Callable[[], set[str]]] = {
        "jsonl": lambda: {row["guid"] for row in exported(tmp_path / "out", "assets")},
        "sqlite": lambda: _guids(tmp_path / "out" / formats.DATABASE_NAME),
    }
    assert run(tmp_path / "out", game, shape=shape) == 0
    states = [read[shape]()]
    for number in range(12):
        write(game, f"Assets/new{number}.prefab", 90 + number, HEAD)
        _killed(tmp_path / "out", game, shape, 0.1 + number * 0.05)
        found = read[shape]()
        assert found in (states[-1], states[0] | {guid(90 + made) for made in range(number + 1)})
        states.append(found)


def _guids(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as connection:
        return {row[0] for row in connection.execute("SELECT guid FROM assets")}


def test_a_file_without_a_dot_has_no_extension(game: Path, tmp_path: Path) -> None:
    write(game, "Assets/Some.Folder/LICENSE", 90, "free")
    assert run(tmp_path / "out", game, "--quick") == 0
    extensions = {row["path"]: row["extension"] for row in exported(tmp_path / "out", "assets")}
    assert extensions["Assets/Some.Folder/LICENSE"] == ""


def test_every_column_is_documented() -> None:
    page = (_ROOT / "docs" / "scale.md").read_text("utf-8")
    parts = page.split("## The tables")[1].split("## Eight questions")[0].split("\n**")[1:]
    described = {part.partition("**")[0]: part for part in parts}
    assert described.keys() == TABLES.keys()
    for table in TABLES:
        for name, kind in sql_columns(table).items():
            line = next(
                line
                for line in described[table].splitlines()
                if f"`{name}`" in line.split(" | ")[0] and line.startswith("| ")
            )
            assert kind in line
    assert Partition("a", "b").path == os.path.join("project=a", "revision=b")
