"""A container: its table of contents and its data, chunk by chunk.

`Container` does no input or output of its own: it is given the .utoc as bytes and a function that reads a span
of a partition. `open_container` is the ordinary way to get one from files.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Final

from assetdb_formats.files import open_file
from assetdb_formats.unreal.codecs.aes import BLOCK_SIZE, IV_SIZE, Cipher
from assetdb_formats.unreal.codecs.compression import OodleDecoder, decompress
from assetdb_formats.unreal.errors import MissingKeyError, MissingPartError, UnrealError
from assetdb_formats.unreal.files.open_file import OpenFile
from assetdb_formats.unreal.iostore.directory_index import DirectoryIndex
from assetdb_formats.unreal.iostore.toc import HEADER_SIZE, MAGIC, PLACE_SIZE, Encryption, Toc, largest_size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from assetdb_formats.unreal.files.open_file import ReadBudget

_LARGEST_TOC: Final = 1 << 30


class Container:
    """Chunks of a container as bytes.

    Attributes:
        toc: its table of contents.
    """

    def __init__(
        self,
        toc: Toc,
        read: Callable[[int, int, int], bytes],
        *,
        key: bytes | None = None,
        oodle: OodleDecoder | None = None,
        toc_size: int = 0,
    ) -> None:
        """Join a TOC with its data.

        Args:
            toc: the parsed .utoc.
            read: returns exactly the bytes (partition, offset, size) of the .ucas files, or raises UnrealError.
            key: AES-256 key, needed where the container is encrypted.
            oodle: decoder of Oodle blocks.
            toc_size: bytes of the .utoc.
        """
        self.toc = toc
        self._read = read
        self._oodle = oodle
        self._cipher = Cipher(key) if key is not None else None
        self._toc_size = toc_size
        self._directory_index: DirectoryIndex | None = None

    @property
    def encrypted(self) -> bool:
        """Whether data and directory index need a key."""
        return self.toc.header.encryption is not Encryption.NONE

    def directory_index(self) -> DirectoryIndex | None:
        """Return the file names, None where the container has none.

        Raises:
            MissingKeyError: the index is encrypted and no key was given, or one that makes no sense of it.
            UnrealError: it is damaged.
        """
        toc = self.toc
        if self._directory_index is None and len(toc.directory_index):
            raw, base = bytes(toc.directory_index), toc.directory_index_offset
            padding = BLOCK_SIZE - 1 if self.encrypted else 0
            if self.encrypted:
                raw = self._decrypt(raw, self._iv(toc.header.block_count), "directory_index", base)
            try:
                self._directory_index = DirectoryIndex(raw, base=base, toc_size=self._toc_size, padding=padding)
            except UnrealError as error:
                if self.encrypted and error.field == "directory_index.mount_point":
                    what = "the key does not fit: the decrypted directory index makes no sense"
                    raise MissingKeyError(what, offset=base, field="directory_index") from None
                raise
        return self._directory_index

    def paths(self) -> list[str | None]:
        """Return each chunk's path below the mount point, or None."""
        index = self.directory_index()
        return [None] * len(self.toc) if index is None else index.by_chunk(len(self.toc))

    def read_chunk(self, index: int) -> bytes:
        """Return a chunk, decrypted and decompressed.

        Raises:
            UnrealError: the chunk or a block of it lies outside its container, or is damaged.
            MissingKeyError, MissingExtraError: see `assetdb_formats.unreal.errors`.
        """
        return b"".join(self.blocks(index))

    def blocks(self, index: int) -> Iterator[bytes]:
        """Yield a chunk in pieces of at most one compression block."""
        toc = self.toc
        length = toc.lengths[index]
        if not length:
            return
        field = f"chunks[{index}]"
        block_size = toc.header.compression_block_size
        block, skip = divmod(toc.offsets[index], block_size) if block_size else (0, 0)
        last = (toc.offsets[index] + length - 1) // block_size if block_size else 0
        if last >= toc.header.block_count:
            what = f"needs block {last} of {toc.header.block_count}"
            raise UnrealError(what, offset=toc.places_offset + PLACE_SIZE * index, field=field)
        left = length
        while left:
            size = toc.block_sizes[block]
            if size > block_size:
                raise self._block_error(f"{size} bytes, more than {block_size}", block, "size")
            wanted = min(block_size - skip, left)
            if size < skip + wanted:
                raise self._block_error(f"{size} bytes where {field} needs {skip + wanted}", block, "size")
            data = self._block(block, size)
            yield data[skip : skip + wanted] if len(data) != wanted else data
            left -= wanted
            skip = 0
            block += 1

    def raw_block(self, block: int) -> bytes:
        """Return a block as stored (as signatures hash it), with padding."""
        toc = self.toc
        stored = toc.block_compressed[block]
        if self.encrypted:
            stored += -stored % BLOCK_SIZE
        partition, offset = divmod(toc.block_offsets[block], toc.header.partition_size)
        if partition >= toc.header.partition_count:
            raise self._block_error(f"lies in partition {partition} of {toc.header.partition_count}", block, "offset")
        try:
            return self._read(partition, offset, stored)
        except UnrealError as error:
            field = f"blocks[{block}]"
            raise type(error)(error.what, offset=error.offset, field=field, path=error.path) from None

    def _block(self, block: int, size: int) -> bytes:
        toc = self.toc
        method = toc.methods[toc.block_methods[block]]
        data = self.raw_block(block)
        if self.encrypted:
            data = self._decrypt(data, self._iv(block), f"blocks[{block}]", self._place(block))
            data = data[: toc.block_compressed[block]]
        if method == "None" and len(data) > size:
            data = data[:size]
        try:
            return decompress(method, data, size, self._oodle)
        except UnrealError as error:
            raise type(error)(error.what, offset=self._place(block), field=f"blocks[{block}].{error.field}") from None

    def _iv(self, number: int) -> bytes:
        """Return a block's IV; the last one is the directory index's."""
        return bytes(self.toc.ivs[number * IV_SIZE : (number + 1) * IV_SIZE])

    def _place(self, block: int) -> int:
        """Offset of a block in its .ucas, for errors."""
        return self.toc.block_offsets[block] % self.toc.header.partition_size

    def _block_error(self, what: str, block: int, field: str) -> UnrealError:
        return UnrealError(what, offset=self.toc.blocks_offset + 12 * block, field=f"blocks[{block}].{field}")

    def _decrypt(self, data: bytes, iv: bytes, field: str, offset: int) -> bytes:
        if self._cipher is None:
            raise MissingKeyError.of(self.toc.header.encryption_key_guid, offset=offset, field=field)
        if self.toc.header.encryption is Encryption.AES_CTR:
            if len(iv) != IV_SIZE:
                raise UnrealError("has no encryption IV", offset=offset, field=field)
            return self._cipher.ctr(data, iv)
        if len(data) % BLOCK_SIZE:
            what = f"{len(data)} encrypted bytes are not whole blocks of {BLOCK_SIZE}"
            raise UnrealError(what, offset=offset, field=field)
        return self._cipher.ecb_decrypt(data)


class PartitionFiles:
    """The .ucas files beside a .utoc: ``X.ucas``, ``X_s1.ucas``, ``X_s2.ucas``."""

    def __init__(self, toc_path: str, budget: ReadBudget) -> None:
        """Name the files; each is opened by the first read from it."""
        self._budget = budget
        self._stem = os.path.splitext(toc_path)[0]
        self._files: dict[int, BinaryIO] = {}
        self._lock = threading.Lock()

    def path(self, partition: int) -> str:
        """Return the path of one partition."""
        return f"{self._stem}_s{partition}.ucas" if partition else f"{self._stem}.ucas"

    def read(self, partition: int, offset: int, size: int) -> bytes:
        """Return exactly ``size`` bytes, or raise UnrealError."""
        path = self.path(partition)
        with self._lock:
            file = self._files.get(partition)
            if file is None:
                try:
                    file = self._files[partition] = open_file(path)
                except FileNotFoundError:
                    raise MissingPartError("this partition is not there", offset=0, field="data", path=path) from None
                self._budget.add(os.fstat(file.fileno()).st_size)
            self._budget.spend(size, offset, path)
            file.seek(offset)
            data = file.read(size)
        if len(data) != size:
            raise UnrealError(f"needs {size} bytes, {len(data)} are left", offset=offset, field="data", path=path)
        return data

    def close(self) -> None:
        """Close the files."""
        for file in self._files.values():
            file.close()
        self._files.clear()


class OpenContainer(Container, OpenFile):
    """A container with its files: a context manager that closes them.

    Attributes:
        path: the .utoc.
        files: its .ucas files.
    """

    def __init__(self, path: str, *, key: bytes | None = None, oodle: OodleDecoder | None = None) -> None:
        """Read the .utoc at ``path``; its data is opened on demand."""
        with open_file(path) as file:
            size = os.fstat(file.fileno()).st_size
            data = file.read(min(size, HEADER_SIZE))
            if data.startswith(MAGIC) and len(data) == HEADER_SIZE:  # else parsing raises an error about the magic
                try:
                    largest = min(largest_size(data), _LARGEST_TOC)
                except UnrealError as error:
                    raise error.at(path) from None
                if size > largest:
                    what = f"{size} bytes, where the tables that it counts take at most {largest}"
                    raise UnrealError(what, offset=0, field="header", path=path)
                data += file.read(size - len(data))
        try:
            toc = Toc(data)
        except UnrealError as error:
            raise error.at(path) from None
        OpenFile.__init__(self, path, oodle)
        self.files = PartitionFiles(path, self.budget)
        Container.__init__(self, toc, self.files.read, key=key, oodle=self.oodle, toc_size=len(data))

    def close(self) -> None:
        """Close the .ucas files and end the Oodle process."""
        self.files.close()
        super().close()


def open_container(path: str, *, key: bytes | None = None, oodle: OodleDecoder | None = None) -> OpenContainer:
    """Open the container of a .utoc as a context manager.

    Args:
        path: the .utoc; the .ucas files are beside it and have its name.
        key: 32 bytes, where the container is encrypted.
        oodle: a decoder to share between containers; by default each has one, started on demand.

    Raises:
        OSError: the .utoc cannot be read.
        UnrealError: it is not a table of contents.
    """
    return OpenContainer(path, key=key, oodle=oodle)
