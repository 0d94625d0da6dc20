"""Parquet, JSON Lines and SQLite, made of pieces."""

from __future__ import annotations

import os
import shutil
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assetdb.errors import FileError
from assetdb.export.folder import put_in_place
from assetdb.export.pieces import pieces_of
from assetdb.export.tables import TABLES, sql_columns
from assetdb_formats.extras import import_extra

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterator
    from types import ModuleType

    from assetdb.export.folder import Partition

PARQUET: Final = "parquet"
JSONL: Final = "jsonl"
DATABASE_NAME: Final = "assetdb.sqlite"
_WAIT: Final = 600.0  # seconds for another export into the same file
_READ: Final = 1 << 20
_LONGEST_ROW: Final = 1 << 26
_MEMORY: Final = "1GB"
_GLOBS: Final = str.maketrans({character: f"[{character}]" for character in "*?["})


def duckdb() -> ModuleType:
    """Import the library that writes Parquet. Raises MissingExtraError."""
    return import_extra("duckdb", "parquet", "Parquet is written by DuckDB")


def write_parquet(folder: str, staged: str, partition: Partition, tables: Collection[str], *, workers: int = 1) -> None:
    """Put a partition in place as Parquet.

    Raises:
        MissingExtraError: DuckDB is not installed.
        FileError: it cannot write the files.
        OSError: they cannot be put in place.
    """
    module = duckdb()
    made = {}
    settings = {
        "threads": workers,
        "memory_limit": _MEMORY,
        "temp_directory": staged,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    try:
        with module.connect(":memory:", config=settings) as connection:
            for table in tables:
                made[table] = os.path.join(staged, f"{table}.parquet")
                connection.execute(_copy(table, pieces_of(staged, table), made[table]))
    except module.Error as error:  # a full disk, above all
        raise FileError(f"{folder}: cannot be written as Parquet: {error}") from error
    put_in_place(folder, partition, made, TABLES)


def _copy(table: str, pieces: Collection[str], place: str) -> str:
    """Return the statement that makes a Parquet file of pieces."""
    files = ", ".join(_quoted(piece.translate(_GLOBS)) for piece in pieces)
    columns = ", ".join(f"{_quoted(name)}: {_quoted(kind)}" for name, kind in sql_columns(table).items())
    return (
        f"COPY (SELECT * FROM read_json([{files}], format = 'newline_delimited', columns = {{{columns}}},"  # noqa: S608 - our own names, quoted
        f" maximum_object_size = {_LONGEST_ROW}, hive_partitioning = false))"
        f" TO {_quoted(place)} (FORMAT parquet, COMPRESSION zstd)"
    )


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def write_jsonl(folder: str, staged: str, partition: Partition, tables: Collection[str]) -> None:
    """Put a partition in place as JSON Lines. Raises OSError."""
    made = {}
    for table in tables:
        first, *others = pieces_of(staged, table)
        with open(first, "ab") as whole:
            for other in others:
                with open(other, "rb") as piece:
                    shutil.copyfileobj(piece, whole, _READ)
                os.unlink(other)
        made[table] = first
    put_in_place(folder, partition, made, TABLES)


def write_sqlite(folder: str, staged: str, partition: Partition, tables: Collection[str]) -> None:
    """Replace a partition in the database, in one transaction. Raises FileError."""
    import sqlite3  # noqa: PLC0415 - the other formats do without

    path = os.path.join(folder, DATABASE_NAME)
    try:
        with closing(sqlite3.connect(path, timeout=_WAIT, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            for table in TABLES:
                _fill(connection, table, partition, pieces_of(staged, table) if table in tables else ())
            connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise FileError(f"{path}: {error}") from error


def _fill(connection: sqlite3.Connection, table: str, partition: Partition, pieces: Collection[str]) -> None:
    kinds = {"project": "VARCHAR", "revision": "VARCHAR", **sql_columns(table)}
    columns = ", ".join(f'"{name}" {kind}' for name, kind in kinds.items())
    connection.execute(f'CREATE TABLE IF NOT EXISTS "{table}" ({columns})')
    connection.execute(f'CREATE INDEX IF NOT EXISTS "{table} by partition" ON "{table}" (project, revision)')
    there = {row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')}
    for name in kinds.keys() - there:  # of an older assetdb, which had fewer columns
        connection.execute(f'ALTER TABLE "{table}" ADD COLUMN "{name}" {kinds[name]}')
    names = ", ".join(f'"{name}"' for name in kinds)
    places = ", ".join("?" * len(kinds))
    connection.execute(f'DELETE FROM "{table}" WHERE project = ? AND revision = ?', partition)  # noqa: S608 - our own names
    insert = f'INSERT INTO "{table}" ({names}) VALUES ({places})'  # noqa: S608 - the same
    connection.executemany(insert, (partition + row for piece in pieces for row in _rows(table, piece)))


def _rows(table: str, piece: str) -> Iterator[tuple[Any, ...]]:
    decoder = msgspec.json.Decoder(TABLES[table])
    with open(piece, "rb") as file:
        while lines := file.readlines(_READ):
            for line in lines:
                yield msgspec.structs.astuple(decoder.decode(line))
