"""A folder of exports: whose it is, of which format, and what lies there in the end."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import FileError, UsageError
from assetdb.export.folder import MANIFEST, Partition, claim, escaped, open_folder, put_in_place, staging
from assetdb.export.tables import SCHEMA
from tests.needs import needs_links

if TYPE_CHECKING:
    from pathlib import Path

GAME = Partition("game", "worktree")
PLACE = os.path.join("project=game", "revision=worktree")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("game", "game"),
        ("a b", "a b"),
        ("a/b=c", "a%2Fb%3Dc"),
        ("50%", "50%25"),
        ("..", ".%2E"),
        ("a ", "a%20"),
        ("\x1f\x7f", "%1F%7F"),
        ("ä", "ä"),
        ("a" * 200, "a" * 200),
    ],
)
def test_a_name_is_escaped_where_a_path_would_read_it(text: str, value: str) -> None:
    assert escaped(text) == value


@pytest.mark.parametrize("text", ["", "a" * 201, "ä" * 101, "/" * 67])
def test_a_name_that_is_empty_or_too_long_is_refused(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        escaped(text)
    assert str(caught.value) == f"{text!r} is not a valid name for a project: give one with --name"


def test_a_partition_lies_below_its_table() -> None:
    assert GAME.path == PLACE


def test_a_new_or_empty_folder_becomes_one_of_exports(tmp_path: Path) -> None:
    for folder in (tmp_path / "new/deep", tmp_path / "empty"):
        open_folder(str(folder), "jsonl")
        assert json.loads((folder / MANIFEST).read_bytes()) == {"schema": SCHEMA, "format": "jsonl"}
        open_folder(str(folder), "jsonl")
        assert os.listdir(folder) == [MANIFEST]


def refused(folder: Path, shape: str = "jsonl") -> str:
    with pytest.raises((UsageError, FileError)) as caught:
        open_folder(str(folder), shape)
    return str(caught.value)


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".hidden").write_text("")
    (tmp_path / "file").write_text("")
    assert refused(tmp_path) == f"{tmp_path} contains something other than exports: name a new folder"
    said = f"{tmp_path / 'file'} is no folder, nor can one be made there: name another folder"
    assert refused(tmp_path / "file") == said
    (tmp_path / "file").unlink()
    open_folder(str(tmp_path), "jsonl")  # hidden files are nobody's


@needs_links
def test_a_link_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    assert refused(tmp_path / "link") == f"{tmp_path / 'link'} is a link that leads nowhere: name another folder"


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"schema": 1}', "5"])
def test_a_damaged_manifest_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / MANIFEST).write_text(text)
    assert refused(tmp_path).startswith(f"{tmp_path / MANIFEST}: is damaged (")


def test_exports_of_another_schema_or_format_are_kept(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text(json.dumps({"schema": SCHEMA + 1, "format": "jsonl"}))
    said = f"{tmp_path} holds exports of schema {SCHEMA + 1}, this assetdb writes {SCHEMA}: name a new folder"
    assert refused(tmp_path) == said
    (tmp_path / MANIFEST).write_text(json.dumps({"schema": SCHEMA, "format": "sqlite"}))
    said = f"{tmp_path} holds exports as sqlite: give --format sqlite, or name another folder"
    assert refused(tmp_path) == said


def test_a_name_is_of_the_first_product_that_claims_it(tmp_path: Path) -> None:
    folder = str(tmp_path)
    claim(folder, "game", "")
    claim(folder, "game", "one")
    claim(folder, "game", "one")
    claim(folder, "game", "")
    claim(folder, "other", "two")
    with pytest.raises(UsageError) as caught:
        claim(folder, "game", "two")
    said = "has another project called game (product GUID one, this one's is two): name this one with --name"
    assert str(caught.value) == f"{folder} {said}"


def test_a_temporary_folder_is_removed_in_the_end_and_a_killed_runs_a_day_later(tmp_path: Path) -> None:
    now = time.time()
    for name, age in ((".exporting-old", 86_500), (".exporting-young", 86_300), ("kept", 86_500)):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (now - age, now - age))
    with staging(str(tmp_path)) as place:
        assert os.path.basename(place).startswith(".exporting-")
        assert sorted(os.listdir(tmp_path)) == sorted([os.path.basename(place), ".exporting-young", "kept"])
    assert sorted(os.listdir(tmp_path)) == [".exporting-young", "kept"]


def stage(tmp_path: Path, *tables: str) -> dict[str, str]:
    """Write a file for each table."""
    (tmp_path / "staged").mkdir(exist_ok=True)
    found = {}
    for table in tables:
        (tmp_path / "staged" / f"{table}.jsonl").write_text(table)
        found[table] = str(tmp_path / "staged" / f"{table}.jsonl")
    return found


def test_files_take_their_places_and_tables_without_one_lose_theirs(tmp_path: Path) -> None:
    folder = tmp_path / "exports"
    folder.mkdir()
    tables = ("assets", "objects", "projects")
    put_in_place(str(folder), GAME, stage(tmp_path, *tables), tables)
    for table in tables:
        assert (folder / table / PLACE / f"{table}.jsonl").read_text() == table
    put_in_place(str(folder), Partition("other", "1"), stage(tmp_path, "assets"), tables)
    put_in_place(str(folder), GAME, stage(tmp_path, "assets", "projects"), tables)
    assert not (folder / "objects" / PLACE).exists()
    assert (folder / "assets" / "project=other" / "revision=1" / "assets.jsonl").exists()


def test_the_completing_table_is_away_while_the_others_are_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "exports"
    folder.mkdir()
    tables = ("assets", "projects")
    put_in_place(str(folder), GAME, stage(tmp_path, *tables), tables)
    completing = folder / "projects" / PLACE
    seen: list[bool] = []
    replace = os.replace

    def watching(source: str, target: str) -> None:
        seen.append(completing.joinpath("projects.jsonl").exists())
        replace(source, target)

    monkeypatch.setattr(os, "replace", watching)
    put_in_place(str(folder), GAME, stage(tmp_path, *tables), tables)
    assert seen == [False, False]
    assert completing.joinpath("projects.jsonl").exists()
