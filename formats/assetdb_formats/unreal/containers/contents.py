"""Contents of one container: header, chunks, files and blocks."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unreal.containers.opening import ChunkPaths, chunk_paths
from assetdb_formats.unreal.containers.pak import OpenPak
from assetdb_formats.unreal.errors import MissingKeyError, OverlapError, UnrealError, reason_of
from assetdb_formats.unreal.iostore.chunk_types import CHUNK_ID_SIZE, SUFFIXES, type_names
from assetdb_formats.unreal.iostore.container_header import parse_container_header
from assetdb_formats.unreal.iostore.package_graph import package_names
from assetdb_formats.unreal.iostore.toc import NEWEST_VERSION, PLACE_SIZE, Block, ChunkFlags
from assetdb_formats.unreal.packages.summary import guid_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from assetdb_formats.unreal.iostore.container import OpenContainer

FILE: Final = "File"
"""The type of what a .pak holds."""
_SHARED_BLOCKS: Final = 4  # in sound containers every block is one chunk's


class ContainerInfo(NamedTuple):
    """The key facts of a .utoc; sizes in bytes.

    ``files`` is the number of file names, or why they cannot be read; ``mount_point`` and ``named_packages`` are None
    then. ``packages`` is the number that the container header lists, None without one, or why it cannot be read;
    ``header_version`` is the version of the container header, -1 before engine 5. ``stored`` counts the bytes in the
    .ucas files, ``size`` the bytes of the chunks before compression.
    """

    path: str
    version: int
    container_id: str
    chunks: int
    types: Mapping[str, int]
    size: int
    stored: int
    blocks: int
    block_size: int
    methods: tuple[str, ...]
    partitions: int
    encryption: str
    encryption_key_guid: str
    signed: bool
    flags: tuple[str, ...]
    header_size: int
    partition_size: int | None
    perfect_hash_seeds: int
    chunks_without_perfect_hash: int
    encryption_ivs: int
    entry_sizes: Mapping[str, int]
    directory_index_size: int
    mount_point: str | None
    files: int | str
    named_packages: int | None = None
    packages: int | str | None = None
    header_version: int | None = None


class PakInfo(NamedTuple):
    """The key facts of a .pak; ``unnamed`` files have only hashes."""

    path: str
    version: int
    mount_point: str
    files: int
    unnamed: int
    size: int
    stored: int
    methods: Mapping[str, int]
    encrypted_index: bool
    encrypted_files: int


class ChunkInfo(NamedTuple):
    """A chunk of a .utoc, or a file of a .pak.

    ``id`` of a file is the method it is compressed with, or ``deleted``; ``path`` begins with the mount point and is
    None where there is no file name; ``hash`` (hexadecimal) is of a chunk, ``compressed`` the size of a file.
    """

    container: str
    id: str
    type: str
    offset: int
    length: int
    flags: tuple[str, ...]
    path: str | None
    hash: str | None = None
    compressed: int | None = None
    blocks: tuple[Block, ...] | None = None


class StoredFile(NamedTuple):
    """An extractable file: its untrusted name, type and pieces.

    ``chunk`` is None in a .pak.
    """

    name: str
    type: str
    pieces: Iterable[bytes]
    chunk: int | None


def known_types() -> frozenset[str]:
    """Return the chunk types of any version, and a .pak's."""
    return frozenset((FILE, *type_names(0).values(), *type_names(NEWEST_VERSION).values()))


def container_info(opened: OpenContainer | OpenPak) -> ContainerInfo | PakInfo:
    """Return the key facts of a container."""
    return _pak_info(opened) if isinstance(opened, OpenPak) else _toc_info(opened)


def _toc_info(container: OpenContainer) -> ContainerInfo:
    toc = container.toc
    header = toc.header
    info = ContainerInfo(
        path=container.path,
        version=header.version,
        container_id=f"{header.container_id:016x}",
        chunks=len(toc),
        types=dict(sorted(Counter(toc.chunk_type(index) for index in range(len(toc))).items())),
        size=sum(toc.lengths),
        stored=sum(toc.block_compressed),
        blocks=header.block_count,
        block_size=header.compression_block_size,
        methods=tuple(toc.methods[1:]),
        partitions=header.partition_count,
        encryption=header.encryption.name.replace("_", "-"),
        encryption_key_guid=guid_text(header.encryption_key_guid),
        signed=toc.signature is not None,
        flags=tuple(str(flag.name) for flag in header.flags),
        header_size=header.header_size,
        partition_size=header.partition_size if header.version >= 3 else None,
        perfect_hash_seeds=header.seed_count,
        chunks_without_perfect_hash=header.overflow_count,
        encryption_ivs=header.iv_count,
        entry_sizes={
            "chunk_id": CHUNK_ID_SIZE,
            "offset_and_length": PLACE_SIZE,
            "block": header.block_entry_size,
            "method_name": header.method_name_size,
            "meta": toc.meta_size,
        },
        directory_index_size=header.directory_index_size,
        mount_point=None,
        files=0,
    )
    info = _with_header(info, container)
    try:
        index = container.directory_index()
    except MissingKeyError as error:
        return info._replace(files=str(error))
    if index is None:
        return info._replace(named_packages=0)
    return info._replace(
        files=len(index.paths), mount_point=index.mount_point, named_packages=len(package_names(container))
    )


def _with_header(info: ContainerInfo, container: OpenContainer) -> ContainerInfo:
    """Add the facts of the container header, which may be unreadable."""
    for chunk in container.toc.of_type("ContainerHeader"):
        try:
            header = parse_container_header(container.read_chunk(chunk))
        except UnrealError as error:
            return info._replace(packages=reason_of(error))
        return info._replace(packages=len(header.packages), header_version=header.version)
    return info


def _pak_info(pak: OpenPak) -> PakInfo:
    return PakInfo(
        path=pak.path,
        version=pak.footer.version,
        mount_point=pak.mount_point,
        files=len(pak.entries),
        unnamed=pak.unnamed,
        size=sum(entry.size for entry in pak.entries),
        stored=sum(entry.compressed for entry in pak.entries),
        methods=dict(sorted(Counter(entry.method for entry in pak.entries).items())),
        encrypted_index=pak.footer.encrypted_index,
        encrypted_files=sum(entry.encrypted for entry in pak.entries),
    )


def list_chunks(
    opened: OpenContainer | OpenPak, *, blocks: bool = False, names: ChunkPaths | None = None
) -> Iterator[ChunkInfo]:
    """Yield the chunks or files of a container, in stored order.

    Args:
        opened: the container.
        blocks: also the compression blocks of each chunk.
        names: the chunks' file names, where the caller has them already.

    Raises:
        UnrealError: its directory index is damaged.
        OverlapError: with ``blocks``, chunks share them beyond what a sound container does.
    """
    if isinstance(opened, OpenPak):
        for entry in opened.entries:
            yield ChunkInfo(
                opened.path,
                "deleted" if entry.deleted else entry.method,
                FILE,
                entry.offset,
                entry.size,
                ("encrypted",) if entry.encrypted else (),
                opened.mount_point + entry.path,
                compressed=entry.compressed,
            )
        return
    paths, mount_point, _ = names or chunk_paths(opened)
    toc = opened.toc
    spare = _SHARED_BLOCKS * toc.header.block_count
    for index in range(len(toc)):
        chunk = toc.chunk(index)
        path = paths[index]
        lies_in = toc.blocks_of(index) if blocks else range(0)
        spare -= len(lies_in)
        if spare < 0:
            what = (
                f"chunks share their blocks: up to this one they have {_SHARED_BLOCKS} times the blocks that there are"
            )
            place = toc.places_offset + PLACE_SIZE * index
            raise OverlapError(what, offset=place, field=f"chunks[{index}]", path=opened.path)
        yield ChunkInfo(
            opened.path,
            chunk.id.hex(),
            chunk.type,
            chunk.offset,
            chunk.length,
            _flag_names(chunk.flags),
            None if path is None else mount_point + path,
            hash=chunk.hash[:20].hex(),
            blocks=tuple(map(toc.block, lies_in)) if blocks else None,
        )


def _flag_names(flags: int) -> tuple[str, ...]:
    known = [flag.name.lower().replace("_", "-") for flag in ChunkFlags if flags & flag and flag.name]
    other = flags & ~int(ChunkFlags.COMPRESSED | ChunkFlags.MEMORY_MAPPED)
    return (*known, f"0x{flags:02x}") if other else tuple(known)


def deleted_files(opened: OpenContainer | OpenPak) -> list[str]:
    """Return the names of files that a patch deletes, as of `stored_files`."""
    if not isinstance(opened, OpenPak):
        return []
    return [opened.mount_point + entry.path for entry in opened.entries if entry.deleted]


def stored_files(
    opened: OpenContainer | OpenPak, *, unnamed: bool = False, names: ChunkPaths | None = None
) -> Iterator[StoredFile]:
    """Yield every extractable file of a container.

    Nothing is read until its pieces are.

    Args:
        opened: the container.
        unnamed: also chunks without a file name, named by their type and id.
        names: the chunks' file names, where the caller has them already.
    """
    if isinstance(opened, OpenPak):
        for entry in opened.entries:
            if not entry.deleted:
                yield StoredFile(opened.mount_point + entry.path, FILE, opened.pieces(entry), None)
        return
    paths, mount_point, _ = names or chunk_paths(opened)
    stem = os.path.splitext(os.path.basename(opened.path))[0]
    for index, path in enumerate(paths):
        kind = opened.toc.chunk_type(index)
        if path is not None:
            yield StoredFile(mount_point + path, kind, opened.blocks(index), index)
        elif unnamed:
            name = f"{stem}.chunks/{kind}/{opened.toc.chunk_id(index).hex()}{SUFFIXES.get(kind, '.bin')}"
            yield StoredFile(name, kind, opened.blocks(index), index)
