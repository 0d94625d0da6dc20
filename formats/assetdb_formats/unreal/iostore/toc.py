"""The table of contents (.utoc), versions 1 to 10.

Nothing is made into objects: a TOC of a million chunks is a handful of flat columns. Order of the body, with
the version that brought each part:

    chunk ids           12 bytes each
    offset and length   5 + 5 bytes, BIG-endian
    perfect hash seeds  i32, version 4; indices without one, i32, version 5
    blocks              5 offset + 3 compressed size + 3 size + 1 method, LITTLE-endian
    encryption IVs      12 bytes each, version 10 with AES-CTR: one a block, one more for the directory index
    method names        32 bytes each; method 0 is None and not stored
    signature           if Signed: u32 size, two signatures of that size, SHA-1 of every block
    directory index     if Indexed, version 2
    metas               33 bytes (32 hash, 1 flags) before version 8, then 24 (20 hash, 1 flags, 3 padding)
    on-demand           version 6 and later with OnDemand: 20 bytes a chunk, 20 a block

Where facts come from: the open readers of the format, checked on 39 real containers, each of which ends
exactly where its last table does.
"""

from __future__ import annotations

import sys
from enum import IntEnum, IntFlag
from functools import cached_property
from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.iostore.chunk_types import CHUNK_ID_SIZE, type_name
from assetdb_formats.unreal.iostore.perfect_hash import find_chunk, id_at
from assetdb_formats.unreal.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Iterator

MAGIC: Final = b"-==--==--==--==-"
HEADER_SIZE: Final = 144
NEWEST_VERSION: Final = 10

PLACE_SIZE: Final = 10  # offset and length
_BLOCK_SIZE: Final = 12
_METHOD_NAME_SIZE: Final = 32
_IV_SIZE: Final = 12
_SHA1_SIZE: Final = 20
_META_HASH: Final = {False: 32, True: 20}
_META_SIZE: Final = {False: 33, True: 24}
_LARGEST_SIGNATURE: Final = 1 << 16  # bytes; RSA-2048 takes 256
_NO_LIMIT: Final = (1 << 64) - 1
# Sizes of a block are 24 bits, so a compression block cannot be larger (files say 0x10000, 0x20000 or 0x40000).
_LARGEST_BLOCK: Final = 1 << 24

_HEADER: Final = Struct("<16x B3x IIIIIIIII Q 16s BB2x I Q I I I")


class ContainerFlags(IntFlag):
    """The flags of a container."""

    COMPRESSED = 1
    ENCRYPTED = 2
    SIGNED = 4
    INDEXED = 8
    ON_DEMAND = 16


class Encryption(IntEnum):
    """The encryption of a container (before version 10, AES-ECB)."""

    NONE = 0
    AES_ECB = 1
    AES_CTR = 2


class TocHeader(NamedTuple):
    """The 144 bytes at the start of a .utoc; sizes are bytes."""

    version: int
    header_size: int
    entry_count: int
    block_count: int
    block_entry_size: int
    method_count: int
    method_name_size: int
    compression_block_size: int
    directory_index_size: int
    partition_count: int
    container_id: int
    encryption_key_guid: bytes
    flags: ContainerFlags
    encryption: Encryption
    seed_count: int
    partition_size: int
    overflow_count: int
    source_hash_count: int
    iv_count: int


class ChunkFlags(IntFlag):
    """The flags of a chunk's meta entry."""

    COMPRESSED = 1
    MEMORY_MAPPED = 2


class Block(NamedTuple):
    """A compression block: its method and range in the partition."""

    number: int
    partition: int
    offset: int
    compressed: int
    size: int
    method: str


class Chunk(NamedTuple):
    """A chunk: its range in the uncompressed container, and its hash.

    ``hash`` is BLAKE3 cut to 20 bytes from version 5 on (SHA-1 before), zero-padded to 32 before version 8.
    """

    number: int
    id: bytes
    type: str
    offset: int
    length: int
    hash: bytes
    flags: int


class Signature(NamedTuple):
    """A container's signatures, and the SHA-1 of its blocks."""

    toc: bytes
    blocks: bytes
    block_hashes: bytes


class Toc:
    """The columns of a .utoc.

    ``offsets`` and ``lengths`` have one item a chunk; ``block_offsets``, ``block_compressed``, ``block_sizes``
    and ``block_methods`` one a compression block. ``chunk_ids`` and ``metas`` are the file's own bytes. Columns that
    have to be widened are made on first use: paths and packages need none of them.
    """

    def __init__(self, data: bytes) -> None:
        """Read ``data``, the whole .utoc.

        Raises:
            UnrealError: it is no TOC, is of a version newer than 10, or its tables do not end with the file.
        """
        self._others: dict[bytes, int] | None = None
        reader = Reader(data)
        header = self.header = _header(reader)
        count = header.entry_count
        blocks = header.block_count
        self.chunk_ids = _column(reader, count, CHUNK_ID_SIZE, "chunk_ids")
        self.places_offset = reader.position
        self._placed = _column(reader, count, PLACE_SIZE, "offsets_and_lengths")
        self.seeds = _signed(_column(reader, header.seed_count, 4, "perfect_hash_seeds"))
        self.overflow = _signed(_column(reader, header.overflow_count, 4, "chunks_without_perfect_hash"))
        self.blocks_offset = reader.position
        self._blocks = _column(reader, blocks, _BLOCK_SIZE, "blocks")
        self.block_methods = bytes(self._blocks[11::_BLOCK_SIZE])
        self.ivs = _column(reader, header.iv_count, _IV_SIZE, "encryption_ivs")
        self.methods = _methods(reader, header.method_count)
        self.signature = _signature(reader, blocks) if header.flags & ContainerFlags.SIGNED else None
        indexed = header.version >= 2 and header.flags & ContainerFlags.INDEXED
        self.directory_index_offset = reader.position
        self.directory_index = reader.view(header.directory_index_size if indexed else 0, "directory_index")
        self.metas = _column(reader, count, self.meta_size, "metas")
        if header.version >= 6 and header.flags & ContainerFlags.ON_DEMAND:
            _column(reader, count, _SHA1_SIZE, "on_demand_chunks")
            _column(reader, blocks, _SHA1_SIZE, "on_demand_blocks")
        if reader.left:
            raise reader.error(f"{reader.left} bytes follow the last table", "end")
        if self.block_methods and max(self.block_methods) >= len(self.methods):
            worst = self.block_methods.index(max(self.block_methods))
            raise UnrealError(
                f"compression method {self.block_methods[worst]} of {len(self.methods)}",
                offset=self.blocks_offset + _BLOCK_SIZE * worst + 11,
                field=f"blocks[{worst}].method",
            )

    def __len__(self) -> int:
        return self.header.entry_count

    @cached_property
    def offsets(self) -> memoryview:
        """Where each chunk begins in the uncompressed whole."""
        return _integers(self._placed, PLACE_SIZE, (0, 5), 8, big_endian=True)

    @cached_property
    def lengths(self) -> memoryview:
        """Bytes of each chunk."""
        return _integers(self._placed, PLACE_SIZE, (5, 10), 8, big_endian=True)

    @cached_property
    def block_offsets(self) -> memoryview:
        """Where each block is stored, partition after partition."""
        return _integers(self._blocks, _BLOCK_SIZE, (0, 5), 8)

    @cached_property
    def block_compressed(self) -> memoryview:
        """Bytes that each block is stored in."""
        return _integers(self._blocks, _BLOCK_SIZE, (5, 8), 4)

    @cached_property
    def block_sizes(self) -> memoryview:
        """Bytes of each block."""
        return _integers(self._blocks, _BLOCK_SIZE, (8, 11), 4)

    @property
    def meta_size(self) -> int:
        """The size of a meta entry: 33 before version 8, else 24."""
        return _META_SIZE[self.header.version >= 8]

    @property
    def hash_size(self) -> int:
        """The size of an entry's hash: 32 before version 8, else 20."""
        return _META_HASH[self.header.version >= 8]

    def chunk_id(self, index: int) -> bytes:
        """Return the 12 bytes of a chunk's id."""
        return id_at(self.chunk_ids, index)

    def chunk_hash(self, index: int) -> bytes:
        """Return a chunk's hash field, ``hash_size`` bytes."""
        start = index * self.meta_size
        return bytes(self.metas[start : start + self.hash_size])

    def chunk_type(self, index: int) -> str:
        """Return the name of a chunk's type in this TOC's version."""
        return type_name(self.chunk_ids[index * CHUNK_ID_SIZE + 11], self.header.version)

    def chunk(self, index: int) -> Chunk:
        """Return one chunk's row; ``index`` counts from 0."""
        return Chunk(
            index,
            self.chunk_id(index),
            self.chunk_type(index),
            self.offsets[index],
            self.lengths[index],
            self.chunk_hash(index),
            self.metas[index * self.meta_size + self.hash_size],
        )

    def block(self, number: int) -> Block:
        """Return one block's row; ``number`` counts from 0."""
        partition, offset = divmod(self.block_offsets[number], self.header.partition_size)
        method = self.methods[self.block_methods[number]]
        return Block(number, partition, offset, self.block_compressed[number], self.block_sizes[number], method)

    def blocks_of(self, index: int) -> range:
        """Return the numbers of the existing blocks of a chunk."""
        length = self.lengths[index]
        if not length or not self.header.block_count:
            return range(0)
        size = self.header.compression_block_size
        first = self.offsets[index] // size
        last = (self.offsets[index] + length - 1) // size
        return range(min(first, self.header.block_count), min(last + 1, self.header.block_count))

    def identity(self, index: int) -> int:
        """Return the package, container or hash in a chunk's id."""
        return int.from_bytes(self.chunk_ids[index * CHUNK_ID_SIZE : index * CHUNK_ID_SIZE + 8], "little")

    def packages(self) -> Iterator[tuple[int, int]]:
        """Yield (package id, index) of chunks with packages, in file order."""
        return ((self.identity(index), index) for index in self.of_type("ExportBundleData"))

    def find(self, chunk_id: bytes) -> int | None:
        """Return the index of a chunk by its id."""
        return find_chunk(chunk_id, self.chunk_ids, self.seeds, self._unhashed)

    def _unhashed(self) -> dict[bytes, int]:
        """The indices of chunks without a perfect hash, by id."""
        if self._others is None:
            count = len(self)
            numbers = [each for each in self.overflow if 0 <= each < count] if self.seeds else list(range(count))
            self._others = {id_at(self.chunk_ids, number): number for number in reversed(numbers)}
        return self._others

    def of_type(self, name: str) -> list[int]:
        """Return the indices of the chunks of one type, in file order."""
        types = bytes(self.chunk_ids[11::CHUNK_ID_SIZE])
        version = self.header.version
        wanted = {number for number in set(types) if type_name(number, version) == name}
        return [index for index, number in enumerate(types) if number in wanted] if wanted else []


def _header(reader: Reader) -> TocHeader:
    header = TocHeader._make(_HEADER.unpack_from(reader.data, reader.need(HEADER_SIZE, "header")))
    if reader.data[: len(MAGIC)] != MAGIC:
        raise reader.error("is not an IoStore table of contents", "header.magic", offset=0)
    version, blocks, method = header.version, header.block_count, 0
    if header.flags & ContainerFlags.ENCRYPTED:
        method = (header.encryption if version >= 10 else 0) or Encryption.AES_ECB
    header = header._replace(
        flags=ContainerFlags(header.flags),
        seed_count=header.seed_count if version >= 4 else 0,
        overflow_count=header.overflow_count if version >= 5 else 0,
        source_hash_count=header.source_hash_count if version >= 9 else 0,
        iv_count=header.iv_count if version >= 10 else 0,
    )
    if version < 3:  # there was one .ucas, of any size
        header = header._replace(partition_count=1, partition_size=_NO_LIMIT)
    partitions, size, ivs = header.partition_count, header.partition_size, header.iv_count
    too_few_ivs = ivs < blocks and (ivs or method == Encryption.AES_CTR)
    known = f"versions 1 to {NEWEST_VERSION} are known"
    for wrong, field, offset, what in (
        (not 1 <= version <= NEWEST_VERSION, "version", 16, f"version {version}; {known}"),
        (header.header_size != HEADER_SIZE, "size", 20, f"{header.header_size} bytes, not {HEADER_SIZE}"),
        (header.block_entry_size != _BLOCK_SIZE, "block_entry_size", 32, f"{header.block_entry_size} bytes, not 12"),
        (
            header.method_count and header.method_name_size != _METHOD_NAME_SIZE,
            *("method_name_size", 40, f"{header.method_name_size} bytes, not {_METHOD_NAME_SIZE}"),
        ),
        (
            blocks and not 0 < header.compression_block_size <= _LARGEST_BLOCK,
            *("compression_block_size", 44, f"blocks of {header.compression_block_size} bytes"),
        ),
        (blocks and not (partitions and size), "partition_count", 52, f"{partitions} partitions of {size} bytes"),
        (method > Encryption.AES_CTR, "encryption", 81, f"unknown encryption method {method}"),
        (
            header.source_hash_count,
            *("source_hash_count", 104, f"{header.source_hash_count} source hashes, which no known container has"),
        ),
        (too_few_ivs, "iv_count", 108, f"{ivs} encryption IVs for {blocks} blocks"),
    ):
        if wrong:
            raise reader.error(what, f"header.{field}", offset=offset)
    return header._replace(encryption=Encryption(method))


def largest_size(head: bytes) -> int:
    """Return the largest possible size of a .utoc with this header.

    More of a file is not worth reading.

    Raises:
        UnrealError: ``head``, the first `HEADER_SIZE` bytes, is not the header of one.
    """
    header = _header(Reader(head))
    signed = header.flags & ContainerFlags.SIGNED
    each_chunk = CHUNK_ID_SIZE + PLACE_SIZE + _META_SIZE[header.version >= 8] + _SHA1_SIZE
    each_block = _BLOCK_SIZE + _SHA1_SIZE + (_SHA1_SIZE if signed else 0)
    return (
        HEADER_SIZE
        + header.entry_count * each_chunk
        + header.block_count * each_block
        + 4 * (header.seed_count + header.overflow_count)
        + _IV_SIZE * header.iv_count
        + _METHOD_NAME_SIZE * header.method_count
        + header.directory_index_size
        + (4 + 2 * _LARGEST_SIGNATURE if signed else 0)
    )


def _column(reader: Reader, count: int, size: int, field: str) -> memoryview:
    return reader.view(reader.count(count, size, field) * size, field)


def _integers(
    rows: memoryview, stride: int, span: tuple[int, int], width: int, *, big_endian: bool = False
) -> memoryview:
    """Widen a column of 3- or 5-byte integers to a native array.

    It is done byte plane by byte plane. A million chunks and three million blocks take 0.1 s so; unpacking each row
    with struct takes 2.3 s.
    """
    count = len(rows) // stride
    wide = bytearray(count * width)
    planes = range(span[1] - 1, span[0] - 1, -1) if big_endian else range(*span)
    for place, plane in enumerate(planes):
        target = place if sys.byteorder == "little" else width - 1 - place
        wide[target::width] = rows[plane::stride]
    return memoryview(wide).cast("Q" if width == 8 else "I")


def _signed(raw: memoryview) -> memoryview:
    if sys.byteorder == "little":
        return memoryview(bytes(raw)).cast("i")  # a copy: a cast needs no alignment, but a view would pin the file
    swapped = bytearray(len(raw))
    for byte in range(4):
        swapped[byte::4] = raw[3 - byte :: 4]
    return memoryview(swapped).cast("i")


def _methods(reader: Reader, count: int) -> tuple[str, ...]:
    raw = _column(reader, count, _METHOD_NAME_SIZE, "compression_methods")
    names = [
        bytes(raw[start : start + _METHOD_NAME_SIZE]).split(b"\0", 1)[0].decode("latin-1")
        for start in range(0, len(raw), _METHOD_NAME_SIZE)
    ]
    return ("None", *names)


def _signature(reader: Reader, block_count: int) -> Signature:
    size = reader.u32("signature.size")
    if size > _LARGEST_SIGNATURE:
        raise reader.error(f"{size} bytes", "signature.size", offset=reader.position - 4)
    toc = reader.take(size, "signature.toc")
    blocks = reader.take(size, "signature.blocks")
    return Signature(toc, blocks, bytes(_column(reader, block_count, _SHA1_SIZE, "signature.block_hashes")))
