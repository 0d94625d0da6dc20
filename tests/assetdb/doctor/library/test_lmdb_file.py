"""LMDB files, written by LMDB's own library, and damaged."""

from __future__ import annotations

import random
from io import BytesIO
from typing import TYPE_CHECKING

import pytest

from assetdb.doctor.library.lmdb_file import LmdbFile
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from pathlib import Path

lmdb = pytest.importorskip("lmdb", reason="ArtifactDB is written with the wheel lmdb")

Rows = dict[bytes, bytes]


def write(path: Path, tables: dict[str, Rows], dropped: int = 0) -> None:
    """Write tables, and then remove every n-th row again, which frees pages."""
    environment = lmdb.open(str(path), subdir=False, map_size=1 << 26, max_dbs=9, lock=False)
    for name, rows in tables.items():
        table = environment.open_db(name.encode())
        with environment.begin(write=True, db=table) as transaction:
            for key, value in rows.items():
                transaction.put(key, value)
        with environment.begin(write=True, db=table) as transaction:
            for key in list(rows)[::dropped] if dropped else ():
                transaction.delete(key)
                del rows[key]
    environment.close()


def read(path: Path) -> dict[str, Rows]:
    with path.open("rb") as file:
        found = LmdbFile(file)
        return {name: dict(found.rows(root)) for name, root in found.tables().items()}


def test_all_rows_are_those_that_were_written(tmp_path: Path) -> None:
    chance = random.Random(47)
    rows = {
        chance.randbytes(chance.choice((1, 16, 60))): chance.randbytes(chance.choice((0, 8, 60, 3000, 70_000)))
        for _ in range(600)
    }
    many = {number.to_bytes(4, "big"): b"x" * (number % 50) for number in range(5000)}
    tables = {"CurrentRevisions": rows, "many": many, "none": {}}
    write(tmp_path / "ArtifactDB", tables, dropped=3)
    assert read(tmp_path / "ArtifactDB") == tables


def test_a_database_that_another_process_has_open_is_read_without_its_lock(tmp_path: Path) -> None:
    path = tmp_path / "ArtifactDB"
    environment = lmdb.open(str(path), subdir=False, map_size=1 << 20, max_dbs=2)
    table = environment.open_db(b"t")
    with environment.begin(write=True, db=table) as transaction:
        transaction.put(b"a", b"1")
    before = (tmp_path / "ArtifactDB-lock").read_bytes()
    with environment.begin(write=True, db=table) as transaction:
        transaction.put(b"b", b"2")
        assert read(path) == {"t": {b"a": b"1"}}
    assert read(path) == {"t": {b"a": b"1", b"b": b"2"}}
    assert sorted(item.name for item in tmp_path.iterdir()) == ["ArtifactDB", "ArtifactDB-lock"]
    assert len((tmp_path / "ArtifactDB-lock").read_bytes()) == len(before)
    environment.close()


def test_only_wanted_values_are_read(tmp_path: Path) -> None:
    path = tmp_path / "ArtifactDB"
    write(path, {"t": {b"large": bytes(100_000), b"small": b"1"}})
    with path.open("rb") as file:
        found = LmdbFile(file)
        assert list(found.rows(found.tables()["t"], lambda key: key == b"small")) == [(b"small", b"1")]


def test_several_values_of_a_key_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "ArtifactDB"
    environment = lmdb.open(str(path), subdir=False, map_size=1 << 20, max_dbs=2, lock=False)
    table = environment.open_db(b"t", dupsort=True)
    with environment.begin(write=True, db=table) as transaction:
        transaction.put(b"a", b"1")
        transaction.put(b"a", b"2")
    environment.close()
    with pytest.raises(FormatError, match="several values"):
        read(path)


@pytest.mark.parametrize(
    "data", [b"", b"version https://git-lfs.github.com/spec/v1\n", bytes(10_000), b"\xff" * 10_000]
)
def test_what_is_no_database_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "ArtifactDB"
    path.write_bytes(data)
    with pytest.raises(FormatError):
        read(path)


def test_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ArtifactDB"
    write(path, {"t": {b"a": b"1"}})
    data = path.read_bytes().replace(
        (0xBEEFC0DE).to_bytes(4, "little") + b"\1", (0xBEEFC0DE).to_bytes(4, "little") + b"\2"
    )
    path.write_bytes(data)
    with pytest.raises(FormatError, match="version 2"):
        read(path)


def test_damaged_pages_end_with_an_error_or_rows(tmp_path: Path) -> None:
    path = tmp_path / "ArtifactDB"
    write(path, {"t": {number.to_bytes(4, "big"): b"x" * (number % 3000) for number in range(300)}})
    whole = path.read_bytes()
    used = len(whole.rstrip(b"\0"))
    chance = random.Random(1)
    for _ in range(300):
        damaged = bytearray(whole[: chance.choice((used, used, chance.randrange(used)))])
        for _ in range(chance.randrange(1, 8)):
            if damaged:
                damaged[chance.randrange(len(damaged))] = chance.choice((0, 1, 255, chance.randrange(256)))
        path.write_bytes(damaged)
        try:
            found = read(path)
        except FormatError:
            continue
        assert sum(len(value) for rows in found.values() for value in rows.values()) < 10 * len(whole)


def test_a_page_that_leads_to_itself_ends(tmp_path: Path) -> None:
    path = tmp_path / "ArtifactDB"
    write(path, {"t": {number.to_bytes(4, "big"): bytes(100) for number in range(1000)}})
    data = path.read_bytes()
    with path.open("rb") as file:
        root = LmdbFile(file).tables()["t"]
    page = bytearray(data[root * 4096 : (root + 1) * 4096])
    first = int.from_bytes(page[16:18], "little")
    page[first : first + 2] = root.to_bytes(2, "little")
    path.write_bytes(data[: root * 4096] + page + data[(root + 1) * 4096 :])
    with pytest.raises(FormatError, match="reached twice"):
        read(path)


def test_a_file_without_a_descriptor_is_not_asked_for() -> None:
    with pytest.raises(OSError, match="fileno"):
        LmdbFile(BytesIO(b""))
