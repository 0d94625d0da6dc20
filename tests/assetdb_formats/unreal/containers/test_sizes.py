"""Bytes on disk of a container's chunks: each byte once, and none behind the end of a file."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from assetdb_formats.unreal.containers.sizes import StoredBytes

if TYPE_CHECKING:
    from pathlib import Path


def opened(folder: Path, *sizes: int) -> Any:  # noqa: ANN401 - as much of an open container as sizes depend on
    """A container of 7 bytes of table and partitions of some sizes."""
    (folder / "c.utoc").write_bytes(bytes(7))
    for number, size in enumerate(sizes):
        (folder / f"c{number}.ucas").write_bytes(bytes(size))
    files = SimpleNamespace(path=lambda number: str(folder / f"c{number}.ucas"))
    return SimpleNamespace(path=str(folder / "c.utoc"), files=files)


def chunk(*blocks: tuple[int, int, int]) -> Any:  # noqa: ANN401 - a chunk's blocks
    rows = [SimpleNamespace(partition=partition, offset=offset, compressed=size) for partition, offset, size in blocks]
    return SimpleNamespace(blocks=rows)


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        ([chunk((0, 0, 4), (0, 6, 2)), chunk((0, 4, 2))], [6, 2]),
        ([chunk((0, 0, 4)), chunk((0, 0, 4))], [4, 0]),  # both have all of it: the first counts
        ([chunk((0, 0, 4)), chunk((0, 2, 4))], [4, 2]),
        ([chunk((0, 2, 2)), chunk((0, 0, 8))], [0, 8]),
        ([chunk((0, 8, 4)), chunk((0, 10, 1)), chunk((0, 11, 5))], [2, 0, 0]),  # the file has ten bytes
        ([chunk((1, 0, 3)), chunk((0, 0, 10))], [3, 10]),
        ([chunk((0, 1 << 70, 1)), chunk((0, 0, 1 << 70))], [0, 10]),
        ([SimpleNamespace(blocks=None)], [0]),
    ],
)
def test_each_byte_is_of_one_chunk(tmp_path: Path, chunks: list[Any], expected: list[int]) -> None:
    stored = StoredBytes(opened(tmp_path, 10, 3))
    for number, each in enumerate(chunks):
        stored.add(number, each)
    assert stored.shares(len(chunks)).tolist() == expected


def test_files_are_those_that_chunks_lie_in(tmp_path: Path) -> None:
    stored = StoredBytes(opened(tmp_path, 10, 3))
    stored.add(0, chunk((1, 0, 3), (2, 0, 5), (2, 5, 5)))
    assert list(stored.files.values()) == [7, 10]
    assert stored.shares(2).tolist() == [3, 0]
    assert list(stored.files.values()) == [7, 10, 3]
    assert stored.absent == [str(tmp_path / "c2.ucas")]


def test_a_first_partition_that_nothing_lies_in_may_be_absent(tmp_path: Path) -> None:
    stored = StoredBytes(opened(tmp_path))
    assert (stored.shares(1).tolist(), stored.absent) == ([0], [])
    stored.add(0, chunk((0, 0, 1)))
    assert (stored.shares(1).tolist(), stored.absent) == ([0], [str(tmp_path / "c0.ucas")])
