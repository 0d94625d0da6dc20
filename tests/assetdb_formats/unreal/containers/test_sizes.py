"""What lies in a container takes on the disk: each byte counts once, whoever says that it is theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb_formats.unreal.containers.contents import list_chunks
from assetdb_formats.unreal.containers.opening import open_any_container
from assetdb_formats.unreal.containers.sizes import StoredBytes
from assetdb_formats.unreal.iostore.container import OpenContainer
from tests.assetdb_formats.unreal.iostore.pak_writer import write_pak
from tests.assetdb_formats.unreal.iostore.writer import Written, chunk_id, write_container

if TYPE_CHECKING:
    from pathlib import Path


def shares(path: Path) -> tuple[list[int], StoredBytes]:
    with open_any_container(str(path)) as opened:
        stored = StoredBytes(opened)
        chunks = list(list_chunks(opened, blocks=isinstance(opened, OpenContainer)))
        for number, chunk in enumerate(chunks):
            stored.add(number, chunk)
        return list(stored.shares(len(chunks))), stored


@pytest.mark.parametrize("version", [1, 3, 8])
def test_chunks_take_their_blocks(tmp_path: Path, version: int) -> None:
    chunks = [Written(chunk_id(n, "BulkData", version), bytes([n]) * 700 * n) for n in range(1, 5)]
    files = write_container(version, chunks, block_size=256, partition_size=2048 if version > 2 else 1 << 40)
    (tmp_path / "a.utoc").write_bytes(files.toc)
    for number, data in enumerate(files.partitions):
        (tmp_path / (f"a_s{number}.ucas" if number else "a.ucas")).write_bytes(data)
    found, stored = shares(tmp_path / "a.utoc")
    assert sorted(found) == [700, 1400, 2100, 2800]
    assert sum(stored.files.values()) == len(files.toc) + sum(map(len, files.partitions))
    assert stored.absent == []
    (tmp_path / "a.ucas").unlink()
    found, stored = shares(tmp_path / "a.utoc")
    assert sum(found) <= sum(map(len, files.partitions[1:]))
    assert stored.absent == [str(tmp_path / "a.ucas")]


def test_files_that_are_the_same_bytes_count_for_the_first(tmp_path: Path) -> None:
    files = [(f"{number}.ini", b"text" * 100) for number in range(9)]
    (tmp_path / "a.pak").write_bytes(write_pak(11, files, overlapping=True))
    found, _ = shares(tmp_path / "a.pak")
    assert sorted(found) == [0] * 8 + [400]
