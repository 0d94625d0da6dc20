"""The files of a database beside those that a fresh bake makes."""

from __future__ import annotations

import os
import shutil
import time
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.query.snapshots.verification import verify
from assetdb.scan.known import cache, file_identities
from assetdb.store.files import DATABASE_NAME, INDEX_NAME
from assetdb.system.identity import identity
from tests.assetdb.unity_project import SETTLED, guid, make_project, write
from tests.needs import needs_folder_times

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DATABASE, INDEX, CACHE, SEEN = DATABASE_NAME, INDEX_NAME, cache.FILE_NAME, file_identities.FILE_NAME
LOG = cache.LOG_NAME


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = make_project(tmp_path / "P")
    assetdb.bake(made)
    return made


def findings(root: Path) -> list[str]:
    """Return the findings, with files by their names alone."""
    found = verify(root)
    assert found.database == str(root / "Library/assetdb" / DATABASE)
    assert found.asset_count == sum(1 for path in root.glob("Assets/**/*.meta") if path.with_suffix("").is_file())
    return [line.replace(str(root / "Library/assetdb") + os.sep, "") for line in found.findings]


def place(root: Path, name: str) -> Path:
    return root / "Library/assetdb" / name


def flip(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:-20] + bytes([data[-20] ^ 1]) + data[-19:])


def test_files_that_match_have_no_findings(root: Path) -> None:
    assert findings(root) == []
    for name in (CACHE, SEEN):
        place(root, name).unlink()
    assert findings(root) == []


def test_absent_files_are_told(root: Path) -> None:
    for name in (DATABASE, INDEX):
        place(root, name).unlink()
    assert findings(root)[:2] == [
        *(f"{name}: is not there, or cannot be read" for name in (DATABASE, INDEX)),
    ]


@pytest.mark.parametrize(
    ("name", "damage", "expected"),
    [
        (INDEX, lambda path: path.write_bytes(b"x"), f"{INDEX}: is damaged: the index is cut short"),
        (INDEX, flip, f"{INDEX}: does not match the tree"),
        (DATABASE, flip, f"{DATABASE}: does not belong to its index: one is damaged or from another database"),
        (DATABASE, flip, f"{DATABASE}: does not match the tree"),
        (DATABASE, lambda path: path.write_bytes(b"x" * 9), f"{DATABASE}: does not match the tree"),
        (CACHE, lambda path: path.write_bytes(b"x"), f"{CACHE}: is damaged, or of another version"),
        (CACHE, flip, f"{CACHE}: is damaged"),
        (SEEN, lambda path: path.write_bytes(b"x"), f"{SEEN}: is damaged, or of another version"),
    ],
)
def test_damage_is_told_with_its_file(root: Path, name: str, damage: Callable[[Path], None], expected: str) -> None:
    damage(place(root, name))
    assert any(line.startswith(expected) for line in findings(root)), findings(root)


@pytest.mark.parametrize(
    ("damage", "edits"),
    [
        (flip, 0),
        (lambda path: path.write_bytes(b"x"), 0),
        (lambda path: path.write_bytes(path.read_bytes() + b"x"), 1),
    ],
)
def test_a_damaged_log_of_edits_is_told(root: Path, damage: Callable[[Path], None], edits: int) -> None:
    shutil.rmtree(root / "Library")  # of files that were just written, whose rows are never told by themselves
    time.sleep(SETTLED)
    assetdb.bake(root)
    with (root / "Assets/data.asset").open("ab") as file:
        file.write(b"\n")
    time.sleep(SETTLED)
    assetdb.bake(root)
    assert place(root, LOG).is_file()
    assert findings(root) == []
    damage(place(root, LOG))
    assert [line for line in findings(root) if line.startswith(LOG)] == [
        f"{LOG}: is damaged after {edits} of its edits"
    ]


def test_bits_that_rotted_in_an_index_are_told_by_its_checksum(root: Path) -> None:
    path = place(root, INDEX)
    before = path.stat()
    flip(path)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    # the identity has the time of change, which cannot be set; that of the file is put in its place
    seen = place(root, SEEN)
    data = bytearray(seen.read_bytes()[:-8])
    data[72:80] = identity(path.stat()).to_bytes(8, "little", signed=True)
    seen.write_bytes(bytes(data) + file_identities.checksum_of(bytes(data)).to_bytes(8, "little"))
    assert f"{INDEX}: is damaged: it does not match its checksum" in findings(root)


def test_changes_since_the_bake_are_lines(root: Path) -> None:
    write(root, "Assets/New.txt", 90, b"x", "TextScriptImporter:\n")
    first, *lines, last = findings(root)
    assert (first, last) == (f"{DATABASE}: does not match the tree", f"{INDEX}: does not match the tree")
    count = verify(root).asset_count
    assert set(lines) == {
        f"- asset-db schema 6: {count - 1} assets, 1 script types",
        f"+ asset-db schema 6: {count} assets, 1 script types",
        f'+ {guid(90)} TextAsset(49) "New" "Assets/New.txt"',
    }


@pytest.mark.parametrize(("number", "more"), [(17, ""), (18, ""), (19, "and 1 lines more"), (20, "and 2 lines more")])
def test_as_many_lines_as_can_be_read_are_told(root: Path, number: int, more: str) -> None:
    for each in range(number):
        write(root, f"Assets/New{each}.txt", 100 + each, b"x", "TextScriptImporter:\n")
    lines = findings(root)[1:-1]  # two count the assets, and each asset has one
    assert [line for line in lines if line[:2] not in ("+ ", "- ")] == [more] * bool(more)
    assert len(lines) == min(20, number + 2) + bool(more)


@needs_folder_times
def test_a_cache_with_unchanged_times_and_other_facts_is_told(root: Path) -> None:
    (root / "assetdb.toml").write_text('check-stat = "minimal"\n')
    for folder, _, names in os.walk(root):
        for path in (folder, *(os.path.join(folder, name) for name in names)):
            os.utime(path, (1_000_000_000.5, 1_000_000_000.5))
    assetdb.bake(root)
    loaded = cache.read(str(place(root, CACHE)))
    directories = [loaded.complete(each) for each in loaded.directories.values()]
    wrong = [each._replace(keys=each.keys.replace(b":data", b":date")) for each in directories]
    parts = cache.encode(loaded.settings, loaded.files, loaded.asset_count, loaded.problems, wrong)
    place(root, CACHE).write_bytes(b"".join(parts))
    told = [f"{CACHE}: Assets differs from the cache, although its times have not changed"]
    assert findings(root) == told
    os.utime(root / "Assets/data.asset", (1_000_000_001.5, 1_000_000_001.5))
    assert findings(root) == []  # it will be read again
    (root / "assetdb.toml").write_text('check-stat = "minimal"\nexclude = ["nothing"]\n')
    os.utime(root / "Assets/data.asset", (1_000_000_000.5, 1_000_000_000.5))
    assert findings(root) == []  # a cache of other settings is not used


@needs_folder_times
def test_a_file_whose_time_is_not_trusted_does_not_differ_from_the_cache(tmp_path: Path) -> None:
    root = make_project(tmp_path / "P")
    (root / "assetdb.toml").write_text('check-stat = "minimal"\n')
    for folder, _, names in os.walk(root):
        for path in (folder, *(os.path.join(folder, name) for name in names)):
            os.utime(path, (1_000_000_000.5, 1_000_000_000.5))
    soon = time.time() + 3600  # of a server whose clock is ahead: a later change may have the same time
    data = root / "Assets/data.asset"
    os.utime(data, (soon, soon))
    assetdb.bake(root)
    data.write_bytes(data.read_bytes().replace(b"m_Name: data", b"m_Name: date"))
    os.utime(data, (soon, soon))
    assert not [line for line in findings(root) if line.startswith(CACHE)]
    assetdb.bake(root)
    assert findings(root) == []
