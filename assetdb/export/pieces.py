"""Rows as JSON Lines, in pieces that several processes write.

Every format is made from them: they are already JSON Lines, DuckDB reads them faster than rows could be passed, and
SQLite is filled from them. A piece keeps few rows in memory.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, Self

import msgspec

from assetdb.export.tables import encodable

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

    from assetdb.export.tables import Row

_BATCH: Final = 2000
_ENCODER: Final = msgspec.json.Encoder()


class Piece:
    """A file of rows of one table, and their ``count``."""

    def __init__(self, folder: str, table: str, number: int = 0) -> None:
        """Make the file; one of the same number is replaced."""
        self.count = 0
        self._rows: list[Row] = []
        self._file = open(os.path.join(folder, f"{table}.{number}.jsonl"), "wb")  # noqa: SIM115 - closed at the end

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._write()
        finally:
            self._file.close()

    def add(self, row: Row) -> None:
        """Add a row."""
        self._rows.append(row)
        if len(self._rows) >= _BATCH:
            self._write()

    def _write(self) -> None:
        self.count += len(self._rows)
        try:
            self._file.write(_ENCODER.encode_lines(self._rows))
        except UnicodeEncodeError:  # the name of a file that is not text
            self._file.write(_ENCODER.encode_lines(list(map(_as_text, self._rows))))
        self._rows.clear()


def write_piece(folder: str, table: str, rows: Iterable[Row]) -> int:
    """Write a table in one piece; return how many rows it has."""
    with Piece(folder, table) as piece:
        for row in rows:
            piece.add(row)
    return piece.count


def pieces_of(folder: str, table: str) -> list[str]:
    """Return the pieces of a table, in the order of their numbers."""
    found = [name for name in os.listdir(folder) if name.startswith(f"{table}.") and name.endswith(".jsonl")]
    return [os.path.join(folder, name) for name in sorted(found, key=lambda name: int(name.split(".")[1]))]


def _as_text(row: Row) -> Row:
    texts = {name: value for name, value in msgspec.structs.asdict(row).items() if isinstance(value, str)}
    return msgspec.structs.replace(row, **{name: encodable(value) for name, value in texts.items()})
