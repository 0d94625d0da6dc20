"""Rows as JSON Lines, in pieces that are read back in the order of their numbers."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from assetdb.export import pieces
from assetdb.export.pieces import Piece, pieces_of, write_piece
from assetdb.export.tables import ProjectRow

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def row(number: int, tables: str = "assets") -> ProjectRow:
    return ProjectRow(number, "1.0", tables, "", "", True, 0, 0)  # noqa: FBT003 - a row


def read(folder: Path, table: str = "projects") -> list[int]:
    """Return the numbers of the rows in all pieces."""
    found = []
    for place in pieces_of(str(folder), table):
        with open(place, encoding="utf-8") as file:
            found += [json.loads(line)["schema"] for line in file]
    return found


@pytest.mark.parametrize("count", [0, 1, 3, 4, 7])
def test_a_table_in_one_piece_has_all_rows_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    monkeypatch.setattr(pieces, "_BATCH", 3)
    assert write_piece(str(tmp_path), "projects", map(row, range(count))) == count
    assert read(tmp_path) == list(range(count))
    assert os.listdir(tmp_path) == ["projects.0.jsonl"]


def test_few_rows_are_kept_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "_BATCH", 2)
    with Piece(str(tmp_path), "projects") as piece:
        counts = []
        for number in range(5):
            piece.add(row(number))
            counts.append(piece.count)
        assert counts == [0, 2, 2, 4, 4]
    assert piece.count == 5


def test_pieces_are_in_the_order_of_their_numbers_and_of_one_table(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        with Piece(str(tmp_path), "projects", number) as piece:
            piece.add(row(number))
    write_piece(str(tmp_path), "projects_of", [row(99)])
    (tmp_path / "projects.parquet").write_text("")
    assert read(tmp_path) == [1, 2, 10]


def failing() -> Iterator[ProjectRow]:
    yield row(1)
    raise ZeroDivisionError


def test_a_piece_whose_rows_fail_ends_without_its_last_rows(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        write_piece(str(tmp_path), "projects", failing())
    assert read(tmp_path) == []


def test_names_that_are_not_text_are_written_as_far_as_they_are(tmp_path: Path) -> None:
    write_piece(str(tmp_path), "projects", [row(1), row(2, "a\udcff")])
    (place,) = pieces_of(str(tmp_path), "projects")
    with open(place, encoding="utf-8") as file:
        first, second = map(json.loads, file)
    assert first["tables"] == "assets"
    assert second["tables"].startswith("a")
    assert "\udcff" not in second["tables"]
