"""Contents of one container: chunks of a .utoc, files of a .pak."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb_formats.codecs.city_hash import package_id
from assetdb_formats.unreal.containers.contents import (
    ChunkInfo,
    ContainerInfo,
    PakInfo,
    container_info,
    known_types,
    list_chunks,
    stored_files,
)
from assetdb_formats.unreal.containers.opening import open_any_container
from assetdb_formats.unreal.errors import OverlapError
from tests.assetdb_formats.unreal.containers.making import build, save, zen_size
from tests.assetdb_formats.unreal.iostore.pak_writer import write_pak
from tests.assetdb_formats.unreal.iostore.writer import KEY, Written, write_container

if TYPE_CHECKING:
    from pathlib import Path

CONTENT = "../../../Game/Content/"


def test_the_facts_of_a_container(tmp_path: Path) -> None:
    files = build()
    path = save(tmp_path, "game", files)
    with open_any_container(path) as opened:
        info = container_info(opened)
    assert isinstance(info, ContainerInfo)
    sizes = [len(chunk.data) for chunk in files.chunks]
    expected = {
        "path": path,
        "version": 8,
        "container_id": f"{0x1234:016x}",
        "chunks": 3,
        "types": {"ContainerHeader": 1, "ExportBundleData": 2},
        "size": sum(sizes),
        "block_size": 1024,
        "methods": ("Zlib",),
        "partitions": len(files.partitions),
        "encryption": "NONE",
        "signed": False,
        "flags": ("COMPRESSED", "INDEXED"),
        "partition_size": 256,
        "mount_point": CONTENT,
        "files": 2,
        "named_packages": 2,
        "packages": 2,
        "header_version": 5,
        "encryption_ivs": 0,
    }
    assert {name: getattr(info, name) for name in expected} == expected
    assert 0 < info.stored <= sum(map(len, files.partitions))
    assert info.blocks == sum(-(-size // 1024) for size in sizes)


def test_a_container_without_an_index_of_names_or_a_header(tmp_path: Path) -> None:
    chunk = Written(bytes(11) + b"\2", b"x" * 10)
    path = save(tmp_path, "bare", write_container(8, [chunk], indexed=False))
    with open_any_container(path) as opened:
        info = container_info(opened)
        assert isinstance(info, ContainerInfo)
        assert (info.files, info.mount_point, info.named_packages) == (0, None, 0)
        assert (info.packages, info.header_version, info.methods) == (None, None, ())
        assert list(stored_files(opened)) == []
        (stored,) = stored_files(opened, unnamed=True)
        assert stored.name.startswith(f"bare.chunks/{stored.type}/{chunk.id.hex()}.")
        assert (b"".join(stored.pieces), stored.chunk) == (b"x" * 10, 0)


def test_without_the_key_the_names_are_locked(tmp_path: Path) -> None:
    pytest.importorskip("cryptography", reason="this Python is without cryptography")
    path = save(tmp_path, "game", build(encryption=1))
    with open_any_container(path) as opened:
        info = container_info(opened)
        assert isinstance(info, ContainerInfo)
        assert isinstance(info.files, str)
        assert isinstance(info.packages, str)
        assert (info.named_packages, info.mount_point) == (None, None)
        assert [chunk.path for chunk in list_chunks(opened)] == [None] * 3
    with open_any_container(path, KEY) as opened:
        info = container_info(opened)
        assert isinstance(info, ContainerInfo)
        assert (info.files, info.packages) == (2, 2)


def test_chunks_in_stored_order(tmp_path: Path) -> None:
    files = build()
    path = save(tmp_path, "game", files)
    with open_any_container(path) as opened:
        chunks = list(list_chunks(opened))
        names = {chunk.id.hex(): chunk.path for chunk in files.chunks}
        assert [(each.container, each.path) for each in chunks] == [
            (path, names[each.id] and CONTENT + str(names[each.id])) for each in chunks
        ]
        arena = next(each for each in chunks if str(each.path).endswith("Arena.umap"))
        assert (arena.type, arena.length) == ("ExportBundleData", zen_size("/Game/Maps/Arena"))
        assert (arena.flags, arena.blocks, arena.compressed) == (("compressed",), None, None)
        assert arena.id.startswith(package_id("/Game/Maps/Arena").to_bytes(8, "little").hex())
        assert arena.hash is not None
        assert len(arena.hash) == 40
        for each in list_chunks(opened, blocks=True):
            assert each.blocks is not None
            assert sum(block.size for block in each.blocks) == each.length
        assert sorted(stored.name for stored in stored_files(opened)) == [
            f"{CONTENT}Maps/Arena.umap",
            f"{CONTENT}Meshes/Rock.uasset",
        ]
        found = {stored.chunk: b"".join(stored.pieces) for stored in stored_files(opened, unnamed=True)}
        assert [found[index] for index in range(3)] == [chunk.data for chunk in files.chunks]


@pytest.mark.parametrize(("chunks", "refused"), [(4, False), (5, True)])
def test_chunks_share_their_blocks_only_so_far(tmp_path: Path, chunks: int, refused: bool) -> None:  # noqa: FBT001
    written = [Written(bytes([number]) * 11 + b"\2", b"x" * 4000) for number in range(1, chunks + 1)]
    files = write_container(8, written)
    data = bytearray(files.toc)
    places = 144 + 12 * chunks
    for number in range(chunks):  # each chunk is all blocks
        data[places + 10 * number : places + 10 * number + 10] = bytes(5) + (chunks * 4 * 1024).to_bytes(5, "big")
    path = save(tmp_path, "shared", files._replace(toc=bytes(data)))
    with open_any_container(path) as opened:
        assert len(list(list_chunks(opened))) == chunks
        if not refused:
            assert len(list(list_chunks(opened, blocks=True))) == chunks
            return
        with pytest.raises(OverlapError, match="chunks share their blocks") as caught:
            list(list_chunks(opened, blocks=True))
        assert (caught.value.field, caught.value.path) == ("chunks[4]", path)
        assert caught.value.offset == places + 10 * 4


def test_a_pak_has_files(tmp_path: Path) -> None:
    path = tmp_path / "a.pak"
    path.write_bytes(write_pak(11, [("Game/a.ini", b"text " * 300), ("Game/b.ini", b"")], method="Zlib"))
    with open_any_container(str(path)) as opened:
        info = container_info(opened)
        assert isinstance(info, PakInfo)
        stored = info.stored
        assert info == PakInfo(str(path), 11, "../../../", 2, 0, 1500, stored, info.methods, False, 0)  # noqa: FBT003
        assert 0 < stored < 1500
        assert sum(info.methods.values()) == 2
        first, second = list_chunks(opened)
        assert first == ChunkInfo(
            str(path), "Zlib", "File", first.offset, 1500, (), "../../../Game/a.ini", compressed=first.compressed
        )
        assert (second.path, second.length) == ("../../../Game/b.ini", 0)
        assert [(each.name, each.type, b"".join(each.pieces), each.chunk) for each in stored_files(opened)] == [
            ("../../../Game/a.ini", "File", b"text " * 300, None),
            ("../../../Game/b.ini", "File", b"", None),
        ]


def test_encrypted_files_of_a_pak_are_flagged(tmp_path: Path) -> None:
    pytest.importorskip("cryptography", reason="this Python is without cryptography")
    path = tmp_path / "a.pak"
    path.write_bytes(write_pak(11, [("a.ini", b"text")], key=KEY, encrypted_index=True))
    with open_any_container(str(path), KEY) as opened:
        info = container_info(opened)
        assert isinstance(info, PakInfo)
        assert (info.encrypted_index, info.encrypted_files) == (True, 1)
        assert [each.flags for each in list_chunks(opened)] == [("encrypted",)]
        assert [b"".join(each.pieces) for each in stored_files(opened)] == [b"text"]


def test_types_of_all_versions_are_known() -> None:
    assert {"File", "ExportBundleData", "ContainerHeader", "BulkData"} <= known_types()
