"""Legacy .pak files, versions 1 to 15.

A footer at the end names the index; its size tells the version apart (44 bytes from the magic on up to
version 7, 172 or 204 in 8, 205 in 9, 204 from 10 on, 208 in 14, 245 in 15). Up to version 9 the index is a list of
paths with their records; from 10 on the records are packed, and a directory index (dropped by some games) names
them. From version 13 on that index is flat: names of folders that share their beginnings, and offsets. Version 15
can be encrypted with AES-CTR, an IV for each file.

Where facts come from: the open readers of the format, checked on 79 real files; the flat index was read off 13 of them
whose files are also there in version 12.
"""

from __future__ import annotations

import hashlib
import os
import struct
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.files import open_file
from assetdb_formats.unreal.codecs.aes import BLOCK_SIZE, IV_SIZE, Cipher
from assetdb_formats.unreal.codecs.compression import OodleDecoder, decompress
from assetdb_formats.unreal.errors import MissingKeyError, UnrealError
from assetdb_formats.unreal.files.open_file import OpenFile
from assetdb_formats.unreal.iostore.directory_index import read_string
from assetdb_formats.unreal.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator


MAGIC: Final = 0x5A6F12E1
NEWEST_VERSION: Final = 15

_FOOTER: Final = struct.Struct("<IIQQ20s")
_METHOD_NAME_SIZE: Final = 32
# Bytes from the magic to the end of the file -> (versions, compression method names).
_FOOTERS: Final[dict[int, tuple[Container[int], int]]] = {
    44: (range(1, 8), 0),
    172: ((8,), 4),
    204: ((8, 10, 11, 12, 13), 5),
    205: ((9,), 5),
    208: ((14,), 5),
    245: ((15,), 5),
}
_COMPRESSED: Final = 3  # first version with blocks and encryption
_INDEX_ENCRYPTION: Final = 4
_RELATIVE: Final = 5
_KEY_GUID: Final = 7
_NAMED_METHODS: Final = 8
_FROZEN: Final = 9
_PATH_HASH: Final = 10
_UTF8_NAMES: Final = 12
_FLAT_DIRECTORIES: Final = 13
_CHUNK_INDEX: Final = 14
_ENCRYPTION_METHOD: Final = 15
_AES_CTR: Final = 2
_FLAT_MAGIC: Final = 0x50464451
_OLD_METHODS: Final = {0: "None", 1: "Zlib", 2: "Gzip", 0x10: "Zlib", 0x20: "Zlib"}
_DELETED: Final = 2
# The paths of a flat index can be longer than it: folders share their beginnings.
_PATHS_PER_BYTE: Final = 4
_PATHS_FLOOR: Final = 1 << 14
_HASH_SIZE: Final = 20
_PIECE: Final = 1 << 20
_NOT_ENCODED: Final = 0x80000000


class PakEntry(NamedTuple):
    """A file: its path below the mount point, record and sizes.

    ``hash`` is the SHA-1 of the stored data, or None where only the record before the data has it (version 10 and
    later). ``compressed`` is without the padding of encryption; ``iv`` is for AES-CTR.
    """

    path: str
    offset: int
    compressed: int
    size: int
    method: str
    encrypted: bool
    deleted: bool
    hash: bytes | None
    block_count: int
    block_size: int
    blocks_at: int
    iv: bytes = b""


class PakFooter(NamedTuple):
    """The footer; ``short_methods`` marks the first version 8.

    That stores a method in one byte. ``index_ivs`` are the IVs of the index and the directory index, for ``ctr``
    (AES-CTR).
    """

    version: int
    encryption_key_guid: bytes
    encrypted_index: bool
    index_offset: int
    index_size: int
    index_hash: bytes
    frozen: bool
    methods: tuple[str, ...]
    short_methods: bool
    ctr: bool = False
    index_ivs: tuple[bytes, bytes] = (b"", b"")


class Pak:
    """A .pak file.

    Attributes:
        footer: what its last bytes say.
        mount_point: the prefix of every path.
        entries: its files, in index order. Empty with ``unnamed`` set where the index holds hashes only.
        unnamed: number of files whose names are not stored.
    """

    def __init__(
        self,
        read: Callable[[int, int], bytes],
        size: int,
        *,
        key: bytes | None = None,
        oodle: OodleDecoder | None = None,
    ) -> None:
        """Read footer and index.

        Args:
            read: returns exactly the bytes (offset, size) of the file, or raises UnrealError.
            size: bytes of the file.
            key: AES-256 key, where the index or data is encrypted.
            oodle: decoder of Oodle blocks.

        Raises:
            UnrealError: it is no .pak, is of a version newer than 15, or its index is damaged.
            MissingKeyError: the index is encrypted and no fitting key was given.
        """
        self._read = read
        self._size = size
        self._oodle = oodle
        self._cipher = Cipher(key) if key is not None else None
        self.footer = _footer(read, size)
        self.unnamed = 0
        if self.footer.frozen:
            what = "its index is frozen (version 9), a form without a public description"
            raise UnrealError(what, offset=size - 161, field="footer.frozen")
        place = (self.footer.index_offset, self.footer.index_size)
        index = self._index(*place, self.footer.index_hash, "index", self.footer.index_ivs[0])
        reader = Reader(index, base=self.footer.index_offset)
        self.mount_point = read_string(reader, "index.mount_point")
        self._records = b""
        self._records_at = 0
        self.entries = self._packed(reader) if self.footer.version >= _PATH_HASH else self._listed(reader)

    def find(self, path: str) -> PakEntry | None:
        """Return the last file with this path below the mount point."""
        return next((entry for entry in reversed(self.entries) if entry.path == path), None)

    def read_file(self, entry: PakEntry) -> bytes:
        """Return a file, decrypted and decompressed."""
        return b"".join(self.pieces(entry))

    def pieces(self, entry: PakEntry) -> Iterator[bytes]:
        """Yield a file in pieces of at most one compression block.

        Raises:
            UnrealError: the file's data lies outside the .pak, or is damaged.
            MissingKeyError, MissingExtraError: see `assetdb_formats.unreal.errors`.
        """
        left = entry.size
        if entry.method == "None":
            start = entry.offset + self._record_size(entry)
            for done in range(0, left, _PIECE):
                yield self._stored(start + done, min(left - done, _PIECE), entry)
            return
        for start, end in self._blocks(entry):
            if not left:
                break
            part = min(left, entry.block_size) if entry.block_size else left
            data = self._stored(start, end - start, entry)
            try:
                yield decompress(entry.method, data, part, self._oodle)
            except UnrealError as error:
                raise type(error)(error.what, offset=start, field=f"files[{entry.path}].{error.field}") from None
            left -= part
        if left:
            raise UnrealError(f"its blocks end {left} bytes early", offset=entry.offset, field=f"files[{entry.path}]")

    def stored_hash(self, entry: PakEntry) -> bytes:
        """Return the SHA-1 of a file's stored data, from its record."""
        if entry.hash is not None:
            return entry.hash
        return self._read(entry.offset + 24 + self._method_size, _HASH_SIZE)

    def is_intact(self, entry: PakEntry) -> bool:
        """Whether a file's stored data match its record's SHA-1."""
        digest = hashlib.sha1(usedforsecurity=False)
        start, size = entry.offset + self._record_size(entry), entry.compressed
        for done in range(0, size, _PIECE):
            digest.update(self._read(start + done, min(size - done, _PIECE)))
        return digest.digest() == self.stored_hash(entry)

    @property
    def _method_size(self) -> int:
        return 1 if self.footer.short_methods else 4

    def _record_size(self, entry: PakEntry) -> int:
        """The size in bytes of the record before a file's data."""
        version = self.footer.version
        size = 24 + self._method_size + _HASH_SIZE + (8 if version == 1 else 0)
        if version >= _COMPRESSED:
            size += 5 + (4 + 16 * entry.block_count if entry.method != "None" else 0)
        return size

    def _stored(self, position: int, size: int, entry: PakEntry) -> bytes:
        if not entry.encrypted:
            return self._read(position, size)
        start = (position - entry.offset - self._record_size(entry)) // BLOCK_SIZE
        data = self._read(position, size + -size % BLOCK_SIZE)
        return self._decrypt(data, f"files[{entry.path}]", position, entry.iv, start)[:size]

    def _decrypt(self, data: bytes, field: str, offset: int, iv: bytes, start: int = 0) -> bytes:
        if self._cipher is None:
            raise MissingKeyError.of(self.footer.encryption_key_guid, offset=offset, field=field)
        if self.footer.ctr:
            return self._cipher.ctr(data, iv, start)
        if len(data) % BLOCK_SIZE:
            what = f"{len(data)} encrypted bytes are not whole blocks of {BLOCK_SIZE}"
            raise UnrealError(what, offset=offset, field=field)
        return self._cipher.ecb_decrypt(data)

    def _index(self, offset: int, size: int, digest: bytes, field: str, iv: bytes) -> bytes:
        if offset + size > self._size:
            raise UnrealError(f"{size} bytes in a file of {self._size}", offset=offset, field=field)
        data = self._read(offset, size)
        if self.footer.encrypted_index:
            data = self._decrypt(data, field, offset, iv)
        if hashlib.sha1(data, usedforsecurity=False).digest() != digest:
            if self.footer.encrypted_index:
                what = "the key does not fit: the decrypted index has another SHA-1"
                raise MissingKeyError(what, offset=offset, field=field)
            raise UnrealError("does not have the SHA-1 that is stored for it", offset=offset, field=field)
        return data

    def _listed(self, reader: Reader) -> list[PakEntry]:
        """Read the index up to version 9: paths and unpacked records."""
        version = self.footer.version
        entries = []
        self._records = bytes(reader.data)
        for number in range(reader.count(reader.u32("index.files"), 53, "index.files")):
            field = f"index.files[{number}]"
            path = read_string(reader, field)
            offset, compressed, size = reader.u64(field), reader.u64(field), reader.u64(field)
            number_at = reader.base + reader.position
            method = self._method(
                reader.u8(field) if self.footer.short_methods else reader.u32(field), field, number_at
            )
            if version == 1:
                reader.u64(field)
            digest = reader.take(_HASH_SIZE, field)
            count = flags = block_size = blocks_at = 0
            if version >= _COMPRESSED:
                if method != "None":
                    count = reader.count(reader.u32(field), 16, f"{field}.blocks")
                    blocks_at = reader.need(16 * count, f"{field}.blocks")
                flags = reader.u8(field)
                block_size = reader.u32(field)
            deleted = bool(flags & _DELETED)
            row = (method, bool(flags & 1), deleted, digest, count, block_size, blocks_at)
            entries.append(PakEntry(path, offset, compressed, size, *row))
        if reader.left > (BLOCK_SIZE - 1 if self.footer.encrypted_index else 0):
            raise reader.error(f"{reader.left} bytes follow the last file", "index")
        return entries

    def _packed(self, reader: Reader) -> list[PakEntry]:
        """Read the index from version 10: packed records, named apart."""
        count = reader.u32("index.file_count")
        reader.u64("index.path_hash_seed")
        if reader.u32("index.has_path_hashes"):
            reader.view(16 + _HASH_SIZE, "index.path_hashes")
        names: bytes | None = None
        names_at = 0
        if reader.u32("index.has_directories"):
            offset, size = reader.u64("index.directories"), reader.u64("index.directories")
            digest = reader.take(_HASH_SIZE, "index.directories")
            names = self._index(offset, size, digest, "directories", self.footer.index_ivs[1])
            names_at = offset
        self._records_at = reader.base + reader.position + 4
        self._records = reader.take(reader.u32("index.records"), "index.records")
        plain = reader.count(reader.u32("index.plain_records"), 53, "index.plain_records")
        if plain:  # records too large to pack; none is known
            raise reader.error(f"{plain} records are not packed", "index.plain_records")
        if names is None:
            self.unnamed = count
            return []
        if self.footer.version >= _FLAT_DIRECTORIES:
            return self._flat(Reader(names, base=names_at))
        entries: list[PakEntry] = []
        directories = Reader(names, base=names_at)
        budget = _PATHS_PER_BYTE * len(names) + _PATHS_FLOOR
        for number in range(directories.count(directories.u32("directories"), 8, "directories")):
            field = f"directories[{number}]"
            folder = read_string(directories, field).removeprefix("/")
            budget -= len(folder)
            for _ in range(directories.count(directories.u32(field), 8, field)):
                name = self._file_name(directories, field)
                at = directories.u32(field)
                budget -= len(folder)
                if budget < 0:
                    raise directories.error("makes all paths together too long", field)
                if at != _NOT_ENCODED:
                    entries.append(self._record(f"{folder}{name}", at, field))
        return entries

    def _flat(self, reader: Reader) -> list[PakEntry]:
        """Read the flat directory index of version 13 and later.

        u32 magic, folders, files, folders a group, bytes of folder names, bytes of file names, hashes, 0; u64 path hash
        and u32 record of each file, by hash; u32 start of each group of folder names and their end; u32 first file
        of each folder and their end; u32 start of each file name and their end; u32 record of each file, by folder;
        folder names (u32 bytes shared with the one before, u32 bytes, bytes); file names.
        """
        header = reader.integers("I", 8, "directories")
        magic, folder_count, file_count, group, folder_bytes, name_bytes, hash_count, _ = header
        if magic != _FLAT_MAGIC or not group:
            raise reader.error("is not a flat directory index", "directories", offset=0)
        reader.view(reader.count(hash_count, 12, "directories.hashes") * 12, "directories.hashes")
        groups = -(-folder_count // group)
        reader.integers("I", groups + 1, "directories.groups")
        firsts = reader.integers("I", folder_count + 1, "directories.first_files")
        starts = reader.integers("I", file_count + 1, "directories.file_names")
        records = reader.integers("I", file_count, "directories.records")
        at = reader.base + reader.position
        folders = Reader(reader.take(folder_bytes, "directories.folder_names"), base=at)
        names = reader.take(name_bytes, "directories.names")
        for table, end in ((firsts, file_count), (starts, name_bytes)):
            if list(table) != sorted(table) or table[-1] != end:
                raise reader.error("has offsets that do not rise to its end", "directories")
        entries = []
        budget = _PATHS_PER_BYTE * reader.end + _PATHS_FLOOR
        previous = b""
        for number in range(folder_count):
            field = f"directories[{number}]"
            shared = folders.u32(field)
            if shared > len(previous):
                raise folders.error(f"shares {shared} of {len(previous)} bytes", field)
            previous = previous[:shared] + folders.take(folders.u32(field), field)
            folder = previous.decode("utf-8", "replace").removeprefix("/")
            budget -= len(folder) * (1 + firsts[number + 1] - firsts[number])
            if budget < 0:
                raise folders.error("makes all paths together too long", field)
            for file in range(firsts[number], firsts[number + 1]):
                name = names[starts[file] : starts[file + 1]].decode("utf-8", "replace")
                if records[file] != _NOT_ENCODED:
                    entries.append(self._record(f"{folder}{name}", records[file], field))
        return entries

    def _file_name(self, reader: Reader, field: str) -> str:
        if self.footer.version < _UTF8_NAMES:
            return read_string(reader, field)
        return reader.take(reader.u32(field), field).decode("utf-8", "replace")  # without a NUL

    def _record(self, path: str, at: int, field: str) -> PakEntry:
        reader = Reader(self._records, base=self._records_at)
        reader.seek(at, f"{field}.record")
        bits = reader.u32(field)
        block_size = bits & 0x3F
        block_size = reader.u32(field) if block_size == 0x3F else block_size << 11
        offset = reader.u32(field) if bits >> 31 & 1 else reader.u64(field)
        size = reader.u32(field) if bits >> 30 & 1 else reader.u64(field)
        method = self._method(bits >> 23 & 0x3F, field, self._records_at + at)
        encrypted = bool(bits >> 22 & 1)
        iv = reader.take(IV_SIZE, field) if self.footer.ctr and encrypted else b""
        compressed = size
        count = 0
        if method != "None":
            compressed = reader.u32(field) if bits >> 29 & 1 else reader.u64(field)
            count = bits >> 6 & 0xFFFF
            if count > 1 or encrypted:
                reader.count(count, 4, f"{field}.blocks")
            if count == 1:
                block_size = size
        return PakEntry(
            path, offset, compressed, size, method, encrypted, deleted=False, hash=None, block_count=count,
            block_size=block_size, blocks_at=reader.position, iv=iv,
        )  # fmt: skip

    def _method(self, number: int, field: str, offset: int) -> str:
        if self.footer.version < _NAMED_METHODS:
            return _OLD_METHODS.get(number, f"method {number}")
        if number >= len(self.footer.methods):
            what = f"compression method {number} of {len(self.footer.methods)}"
            raise UnrealError(what, offset=offset, field=field)
        return self.footer.methods[number]

    def _blocks(self, entry: PakEntry) -> Iterator[tuple[int, int]]:
        """Yield (start, end) in the .pak of a file's compression blocks."""
        if self.footer.version < _PATH_HASH:
            base = entry.offset if self.footer.version >= _RELATIVE else 0
            for number in range(entry.block_count):
                start, end = struct.unpack_from("<QQ", self._records, entry.blocks_at + 16 * number)
                yield self._checked(base + start, base + end, entry)
            return
        start = entry.offset + self._record_size(entry)
        if entry.block_count == 1 and not entry.encrypted:
            yield self._checked(start, start + entry.compressed, entry)
            return
        for number in range(entry.block_count):
            size = struct.unpack_from("<I", self._records, entry.blocks_at + 4 * number)[0]
            yield self._checked(start, start + size, entry)
            start += size + (-size % BLOCK_SIZE if entry.encrypted else 0)

    def _checked(self, start: int, end: int, entry: PakEntry) -> tuple[int, int]:
        if not start <= end <= self._size:
            what = f"a block ends at {end} of {self._size}"
            raise UnrealError(what, offset=start, field=f"files[{entry.path}]")
        return start, end


def _footer(read: Callable[[int, int], bytes], size: int) -> PakFooter:
    tail = read(max(0, size - 320), min(size, 320))
    newer = newer_at = 0
    for length in _FOOTERS:
        start = len(tail) - length
        if start < 0:
            continue
        magic, version, offset, index_size, digest = _FOOTER.unpack_from(tail, start)
        if magic != MAGIC:
            continue
        newer, newer_at = version, size - length + 4
        versions, method_count = _FOOTERS[length]
        if version not in versions:
            continue
        position = start + _FOOTER.size
        frozen = False
        if version == _FROZEN:
            frozen = bool(tail[position])
            position += length == 205
        methods = tuple(
            tail[at : at + _METHOD_NAME_SIZE].split(b"\0", 1)[0].decode("latin-1")
            for at in range(position, position + _METHOD_NAME_SIZE * method_count, _METHOD_NAME_SIZE)
        )
        encrypted = version >= _INDEX_ENCRYPTION and start >= 1 and bool(tail[start - 1])
        guid = tail[start - 17 : start - 1] if version >= _KEY_GUID and start >= 17 else bytes(16)
        position += _METHOD_NAME_SIZE * method_count + (4 if version >= _CHUNK_INDEX else 0)
        method = 1
        ivs = (b"", b"")
        if version >= _ENCRYPTION_METHOD:  # the second IV belongs to the path hashes, which are not read
            method = tail[position]
            ivs = (tail[position + 1 : position + 13], tail[position + 25 : position + 37])
        return PakFooter(
            version, guid, encrypted, offset, index_size, digest, frozen, ("None", *methods),
            short_methods=length == 172, ctr=method == _AES_CTR, index_ivs=ivs,
        )  # fmt: skip
    if newer:
        what = f"version {newer}; versions 1 to {NEWEST_VERSION} are known"
        raise UnrealError(what, offset=newer_at, field="footer.version")
    raise UnrealError("is not a .pak file: no footer", offset=max(0, size - 44), field="footer")


class OpenPak(Pak, OpenFile):
    """A .pak with its file: a context manager that closes it."""

    def __init__(self, path: str, *, key: bytes | None = None, oodle: OodleDecoder | None = None) -> None:
        """Open the file at ``path`` and read its index."""
        OpenFile.__init__(self, path, oodle)
        self._file = open_file(path)
        try:
            size = os.fstat(self._file.fileno()).st_size
            self.budget.add(size)
            Pak.__init__(self, self._span, size, key=key, oodle=self.oodle)
        except UnrealError as error:
            self.close()
            raise (error if error.path else error.at(path)) from None

    def _span(self, offset: int, size: int) -> bytes:
        left = max(self._size - offset, 0)  # which is more than a file can seek to in some damaged ones
        if size > left:
            raise UnrealError(f"needs {size} bytes, {left} are left", offset=offset, field="data", path=self.path)
        self.budget.spend(size, offset, self.path)
        self._file.seek(offset)
        data = self._file.read(size)
        if len(data) != size:
            raise UnrealError(f"needs {size} bytes, {len(data)} are left", offset=offset, field="data", path=self.path)
        return data

    def close(self) -> None:
        """Close the file and end the Oodle process."""
        self._file.close()
        super().close()


def open_pak(path: str, *, key: bytes | None = None, oodle: OodleDecoder | None = None) -> OpenPak:
    """Open a .pak; use it in a ``with`` statement.

    Raises:
        OSError: it cannot be read.
        UnrealError: it is no .pak, or its index is damaged or encrypted.
    """
    return OpenPak(path, key=key, oodle=oodle)
