"""Containers of versions 1 to 10, written by the tests' own writer and read back."""

from __future__ import annotations

import random

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.unreal.errors import MissingKeyError
from assetdb_formats.unreal.iostore.chunk_types import type_name
from assetdb_formats.unreal.iostore.container import Container
from assetdb_formats.unreal.iostore.directory_index import DirectoryIndex
from assetdb_formats.unreal.iostore.toc import Encryption, Toc, largest_size
from assetdb_formats.unreal.iostore.verify import Verification
from tests.assetdb_formats.unreal.iostore.writer import (
    KEY,
    Files,
    Written,
    chunk_id,
    container_header,
    directory_index,
    write_container,
)

VERSIONS = range(1, 11)


def sample_chunks(version: int, count: int = 40) -> list[Written]:
    random.seed(version)
    chunks = []
    for number in range(count):
        data = random.randbytes(number * 97 % 700) * (number % 5)
        kind = "BulkData" if number % 3 else "ShaderCode"
        path = f"Maps/Folder{number % 4}/Müller{number}.ubulk" if number % 3 else None
        chunks.append(Written(chunk_id(number * 7919, kind, version), data, path))
    chunks.append(Written(chunk_id(0x1234, "ContainerHeader", version), container_header(5 if version > 4 else -1, [])))
    return chunks


def opened(files: Files, key: bytes | None = None) -> Container:
    return Container(Toc(files.toc), files.read, key=key, toc_size=len(files.toc))


def assert_same(container: Container, files: Files) -> None:
    paths = container.paths()
    for number, chunk in enumerate(files.chunks):
        assert container.read_chunk(number) == chunk.data
        assert container.toc.chunk_id(number) == chunk.id
        assert paths[number] == chunk.path
        assert container.toc.find(chunk.id) == number
    verification = Verification(container)
    assert list(verification.findings()) == []
    assert verification.hashed == len(files.chunks)
    assert not verification.unread


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("method", ["None", "Zlib", "Gzip"])
def test_every_version_reads_back(version: int, method: str) -> None:
    chunks = sample_chunks(version)
    if version == 1:  # no directory index yet
        chunks = [chunk._replace(path=None) for chunk in chunks]
    files = write_container(version, chunks, method=method)
    container = opened(files)
    assert container.toc.header.version == version
    assert container.toc.chunk_type(0) in {"BulkData", "ShaderCode", "ContainerHeader"}
    assert_same(container, files)


@pytest.mark.parametrize("version", range(3, 11))
def test_partitions(version: int) -> None:
    files = write_container(version, sample_chunks(version), partition_size=4096)
    assert len(files.partitions) > 3
    assert_same(opened(files), files)


@pytest.mark.parametrize("version", [2, 3, 5, 8, 9, 10])
@pytest.mark.parametrize("method", ["None", "Zlib"])
def test_aes_ecb(version: int, method: str) -> None:
    files = write_container(version, sample_chunks(version, 12), method=method, encryption=1)
    container = opened(files, KEY)
    assert container.toc.header.encryption is Encryption.AES_ECB
    assert_same(container, files)


@pytest.mark.parametrize("method", ["None", "Zlib"])
def test_aes_ctr(method: str) -> None:
    files = write_container(10, sample_chunks(10, 12), method=method, encryption=2)
    container = opened(files, KEY)
    assert container.toc.header.encryption is Encryption.AES_CTR
    assert_same(container, files)


def test_an_encrypted_container_lists_its_ids_without_a_key_and_says_what_is_missing() -> None:
    files = write_container(8, sample_chunks(8, 6), encryption=1)
    container = opened(files)
    assert len(container.toc) == 7
    with pytest.raises(MissingKeyError, match="a key is needed"):
        container.directory_index()
    with pytest.raises(MissingKeyError, match="a key is needed"):
        container.read_chunk(next(i for i, chunk in enumerate(files.chunks) if chunk.data))


def test_a_wrong_key_is_named_as_such() -> None:
    files = write_container(8, sample_chunks(8, 6), encryption=1)
    with pytest.raises(MissingKeyError, match="does not fit"):
        opened(files, bytes(32)).directory_index()


@pytest.mark.parametrize("version", [3, 5, 6, 8, 10])
def test_signed_containers_are_read_and_their_blocks_checked(version: int) -> None:
    files = write_container(version, sample_chunks(version), signed=True, method="Zlib")
    container = opened(files)
    assert container.toc.signature is not None
    assert container.toc.signature.toc == b"TOC-SIGN"
    assert_same(container, files)
    damaged = bytearray(files.partitions[0])
    damaged[5] ^= 1
    container = opened(Files(files.toc, [bytes(damaged)], files.chunks))
    assert {finding.code for finding in Verification(container).findings()} >= {"block-hash"}


@pytest.mark.parametrize("version", [6, 7, 8, 9, 10])
def test_on_demand_tables(version: int) -> None:
    files = write_container(version, sample_chunks(version), on_demand=True)
    assert_same(opened(files), files)


@pytest.mark.parametrize("version", [5, 8, 10])
def test_chunks_without_a_perfect_hash_are_found(version: int) -> None:
    files = write_container(version, sample_chunks(version, 90), tries=2)
    toc = Toc(files.toc)
    assert len(toc.overflow) > 3
    assert_same(opened(files), files)
    assert toc.find(bytes(12)) is None


def test_an_absent_chunk_is_not_found() -> None:
    for version in VERSIONS:
        toc = Toc(write_container(version, sample_chunks(version)).toc)
        assert toc.find(chunk_id(0xDEAD, "ExportBundleData", version)) is None


def test_an_empty_container() -> None:
    for version in VERSIONS:
        toc = Toc(write_container(version, []).toc)
        assert len(toc) == 0
        assert toc.find(bytes(12)) is None


def test_both_numberings_of_chunk_types() -> None:
    assert type_name(2, 4) == "ExportBundleData"
    assert type_name(1, 5) == "ExportBundleData"
    assert type_name(10, 3) == "ContainerHeader"
    assert type_name(6, 8) == "ContainerHeader"
    assert type_name(5, 8) == "ScriptObjects"
    assert type_name(200, 8) == "Type200"


def test_a_newer_version_is_named() -> None:
    files = write_container(10, sample_chunks(10))
    data = bytearray(files.toc)
    data[16] = 11
    with pytest.raises(FormatError, match="version 11; versions 1 to 10 are known") as caught:
        Toc(bytes(data))
    assert caught.value.offset == 16


def test_bytes_behind_the_last_table_are_refused() -> None:
    files = write_container(8, sample_chunks(8))
    with pytest.raises(FormatError, match="3 bytes follow the last table"):
        Toc(files.toc + b"abc")


def test_a_wrong_hash_is_found() -> None:
    files = write_container(8, sample_chunks(8))
    longest = max(range(len(files.chunks)), key=lambda number: len(files.chunks[number].data))
    damaged = bytearray(files.partitions[0])
    toc = Toc(files.toc)
    damaged[toc.block_offsets[toc.offsets[longest] // 1024]] ^= 0xFF
    container = opened(Files(files.toc, [bytes(damaged)], files.chunks))
    assert [finding.code for finding in Verification(container).findings()] == ["hash"]


def test_directory_index_with_a_cycle_is_refused() -> None:
    data = bytearray(directory_index("../", [("A/B/file", 0), ("A/other", 1)]))
    start = data.index(b"../\0") + 4 + 4
    assert DirectoryIndex(bytes(data)).paths == ["A/other", "A/B/file"]
    looped = bytearray(data)
    looped[start + 16 + 4 : start + 16 + 8] = (1).to_bytes(4, "little")  # folder 1's child is itself
    with pytest.raises(FormatError, match=r"directories\[1\].*cycle|cycle"):
        DirectoryIndex(bytes(looped))
    files = start + 3 * 16 + 4
    looped = bytearray(data)
    looped[files + 4 : files + 8] = (0).to_bytes(4, "little")  # file 0's next is itself
    with pytest.raises(FormatError, match="cycle"):
        DirectoryIndex(bytes(looped))


def test_paths_cannot_outgrow_their_index() -> None:
    deep = "/".join("d" * 200 for _ in range(400))
    data = directory_index("../", [(f"{deep}/{number}", number) for number in range(100)])
    with pytest.raises(FormatError, match="longer than"):
        DirectoryIndex(data, toc_size=len(data))


@pytest.mark.parametrize("odd", ["", "x" * 254, "x" * 255, "x" * 300, "Müller", "名前"])
@pytest.mark.parametrize("padding", [0, 7])
def test_names_of_every_length_and_width_are_read(odd: str, padding: int) -> None:
    files = [(f"Maps/{'abc'[number % 3]}/file{number}.uasset", number) for number in range(40)]
    files += [(f"Maps/{odd}", 40)] if odd else []
    index = DirectoryIndex(directory_index("../../../Game/", files) + bytes(padding), padding=padding)
    assert dict(zip(index.paths, index.chunks, strict=True)) == dict(files)


def test_wrong_links_are_said_with_their_place() -> None:
    data = bytearray(directory_index("/", [("a/one", 0), ("a/two", 1), ("b/three", 2)]))
    directories = 4 + 2 + 4
    files = directories + 3 * 16 + 4
    for offset, value, what in (
        (files + 0, 9, r"files\[0\]: has name 9 of 5"),
        (files + 4, 0, r"files\[0\]: is reached twice"),
        (files + 4, 9, r"files\[9\]: is not one of 3 files"),
        (files + 28, 1, r"files\[1\]: is reached twice"),
        (files + 4, 0xFFFFFFFE, "is not one of 3 files"),
        (directories + 16, 9, r"directories\[1\]: has name 9"),
        (directories + 20, 0, r"directories\[0\]: is reached twice"),
        (directories + 20, 7, r"directories\[7\]: is not one of 3 directories"),
    ):
        damaged = data[:]
        damaged[offset : offset + 4] = value.to_bytes(4, "little")
        with pytest.raises(FormatError, match=what):
            DirectoryIndex(bytes(damaged))


@pytest.mark.parametrize("version", [6, 7, 8, 10])
@pytest.mark.parametrize(
    ("signed", "on_demand", "indexed"), [(False, True, True), (True, True, False), (True, False, True)]
)
def test_the_largest_size_of_a_toc_is_that_of_its_tables(
    version: int,
    signed: bool,  # noqa: FBT001 - a parameter
    on_demand: bool,  # noqa: FBT001 - a parameter
    indexed: bool,  # noqa: FBT001 - a parameter
) -> None:
    chunks = [Written(chunk_id(number, "BulkData", version), bytes(1500), f"{number}.ubulk") for number in range(5)]
    encryption = 2 if version == 10 else 0
    toc = write_container(
        version, chunks, method="Zlib", signed=signed, on_demand=on_demand, indexed=indexed, encryption=encryption
    ).toc
    optional = 0 if on_demand else 20 * (5 + 10)  # the tables of on-demand chunks and blocks are always allowed for
    signatures = 2 * (65536 - 8) if signed else 0
    assert largest_size(toc[:144]) == len(toc) + optional + signatures
