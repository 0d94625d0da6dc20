"""Databases of other schemas: refused where one is read, replaced where one is baked."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from assetdb.store.files import DATABASE_MAGIC, DATABASE_START
from assetdb_formats.codecs import bincode
from tests.assetdb.unity_project import make_project

if TYPE_CHECKING:
    from pathlib import Path

CLOCK = b"c:1700000000:4242:1:7"


def run(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "assetdb", *words], cwd=project, capture_output=True, encoding="utf-8", check=False
    )


def as_schema_7(data: bytes, *, clock: bool) -> bytes:
    """Return a database as the unreleased crate writes it: a token of Watchman, or none, before the scripts."""
    token = b"\1" + bincode.string(CLOCK) if clock else b"\0"
    return DATABASE_MAGIC + b"\7" + token + data[len(DATABASE_START) :]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    project = make_project(tmp_path / "project")
    done = run(project, "bake", "--quiet")
    assert done.returncode == 0, done
    return project / "Library" / "assetdb" / "asset-db.bin"


@pytest.mark.parametrize("clock", [True, False])
def test_a_database_of_the_unreleased_crate_is_refused_with_what_to_do(
    database: Path, tmp_path: Path, *, clock: bool
) -> None:
    path = tmp_path / "asset-db.bin"
    path.write_bytes(as_schema_7(database.read_bytes(), clock=clock))
    for words in (("dump", str(path)), ("dump", "--json", str(path))):
        done = run(tmp_path / "project", *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == (
            f"assetdb: error: {path}: schema version 7, this is 6: bake again (assetdb bake); a unity-assetdb newer"
            " than 0.2.0 wrote this file: give each tool its own folder\n"
        )
    assert path.read_bytes() == as_schema_7(database.read_bytes(), clock=clock)


@pytest.mark.parametrize("number", [5, 7, 8, 250])
def test_a_bake_replaces_a_database_of_another_schema(database: Path, number: int) -> None:
    """Size and times may be as they were: ``rsync -t``, archives, and a version that was installed over another."""
    project, sound, before = database.parents[2], database.read_bytes(), database.stat()
    (project / "assetdb.toml").write_text('check-stat = "minimal"\n', encoding="utf-8")
    assert run(project, "bake", "--quiet").returncode == 0
    assert "(unchanged)" in run(project, "bake").stdout
    database.write_bytes(DATABASE_MAGIC + bytes([number]) + sound[len(DATABASE_START) :])
    os.utime(database, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert f"schema version {number}, this is 6: bake again" in run(project, "dump").stderr
    assert "(written)" in run(project, "bake").stdout
    assert database.read_bytes() == sound
    assert "(unchanged)" in run(project, "bake").stdout


def test_a_question_bakes_where_the_database_is_of_another_schema(database: Path) -> None:
    project, sound = database.parents[2], database.read_bytes()
    database.write_bytes(as_schema_7(sound, clock=True))
    done = run(project, "name", "Player")
    assert (done.returncode, done.stderr) == (0, ""), done
    assert done.stdout.startswith("Player.prefab  ")
    assert database.read_bytes() == sound
