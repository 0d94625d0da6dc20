"""Verification of a container: hashes, lookups, tables.

Chunk hashes are BLAKE3 (first 20 bytes) of the uncompressed chunk from TOC version 5 on: 2,264 of 2,264 real
chunks. Up to version 3 they are SHA-1; in version 4, of which no sample is public,
either is accepted.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.codecs.city_hash import package_id
from assetdb_formats.unreal.errors import (
    MissingExtraError,
    MissingKeyError,
    MissingPartError,
    OverlapError,
    UnrealError,
    reason_of,
)
from assetdb_formats.unreal.iostore.container_header import ContainerHeader, parse_container_header
from assetdb_formats.unreal.zen.package import parse_zen_package

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Protocol

    from assetdb_formats.unreal.iostore.container import Container

    class Hash(Protocol):
        """A hash that grows by the data it is given."""

        def update(self, data: bytes, /) -> object:
            """Add data."""
            ...

        def digest(self) -> bytes:
            """Return the hash of the added bytes."""
            ...


_HASH: Final = 20
_FIRST_BLAKE3: Final = 4
_LAST_SHA1: Final = 4
_UNREADABLE: Final = (MissingExtraError, MissingKeyError, MissingPartError)


def _blake3() -> Hash:
    """Return a new hash. Raises MissingExtraError."""
    try:
        from blake3 import blake3  # noqa: PLC0415 - only this verification needs it
    except ImportError:  # a required library, whose compiled code an environment may lack nevertheless
        raise MissingExtraError("its hash is BLAKE3, which is not installed here: pip install blake3") from None
    found: Hash = blake3()
    return found


class Finding(NamedTuple):
    """Something that does not agree.

    ``code`` is one of: lookup, duplicate, data, hash, block-hash, file-index, header, package, overlap.
    """

    code: str
    what: str


class Verification:
    """The counts and findings of a verification.

    They are complete after `findings` has run to its end.

    Attributes:
        chunks: number of chunks.
        hashed: chunks whose data matches the stored hash.
        unhashed: chunks without a stored hash.
        packages: packages that were read to the end of their tables.
        unread: reason -> number of chunks that could not be read or hashed for want of a key, an extra or a file.
    """

    def __init__(self, container: Container) -> None:
        self._container = container
        self.chunks = len(container.toc)
        self.hashed = 0
        self.unhashed = 0
        self.packages = 0
        self.unread: dict[str, int] = {}
        self._paths: list[str | None] = []

    def findings(self, progress: Callable[[int, int], None] | None = None) -> Iterator[Finding]:
        """Check everything; yield the findings.

        ``progress`` is called with (chunks done, chunks). The last finding reports chunks that overlap beyond a limit.
        """
        yield from self._lookups()
        yield from self._file_index()
        try:
            yield from self._signed_blocks()
            header, found = self._header()
            yield from found
            yield from self._data(header, progress)
        except OverlapError as error:
            yield Finding("overlap", str(error))

    def _lookups(self) -> Iterator[Finding]:
        toc = self._container.toc
        seen: set[bytes] = set()
        for index in range(len(toc)):
            identity = toc.chunk_id(index)
            if identity in seen:
                yield Finding("duplicate", f"chunks[{index}]: duplicate id {identity.hex()}")
            elif toc.find(identity) != index:
                yield Finding("lookup", f"chunks[{index}]: the perfect hash does not find id {identity.hex()}")
            seen.add(identity)

    def _file_index(self) -> Iterator[Finding]:
        try:
            index = self._container.directory_index()
        except UnrealError as error:
            yield Finding("file-index", str(error))
            return
        if index is not None:
            self._paths = index.by_chunk(self.chunks)
            for path, chunk in zip(index.paths, index.chunks, strict=True):
                if chunk >= self.chunks:
                    yield Finding("file-index", f"{path}: chunk {chunk} of {self.chunks}")

    def _signed_blocks(self) -> Iterator[Finding]:
        toc = self._container.toc
        if toc.signature is None:
            return
        for block in range(toc.header.block_count):
            try:
                raw = self._container.raw_block(block)
            except _UNREADABLE:  # which `_data` reports for all chunks
                return
            except OverlapError:
                raise
            except UnrealError as error:
                yield Finding("data", str(error))
                continue
            stored = toc.signature.block_hashes[block * _HASH : (block + 1) * _HASH]
            for data in (raw, raw[: toc.block_compressed[block]]):
                if hashlib.sha1(data, usedforsecurity=False).digest() == stored:
                    break
            else:
                yield Finding("block-hash", f"blocks[{block}]: does not have the SHA-1 that is stored for it")

    def _header(self) -> tuple[ContainerHeader | None, list[Finding]]:
        toc = self._container.toc
        found: list[Finding] = []
        header = None
        for index in toc.of_type("ContainerHeader"):
            try:
                header = parse_container_header(self._container.read_chunk(index))
            except _UNREADABLE:  # which `_data` reports for all chunks
                continue
            except OverlapError:
                raise
            except UnrealError as error:
                found.append(Finding("header", f"{self._label(index)}: {error}"))
                continue
            if header.container_id != toc.header.container_id:
                found.append(Finding("header", f"container id {header.container_id:016x}, the TOC has another"))
            held = {identity for identity, _ in toc.packages()}
            listed = set(header.packages) | set(header.optional_packages)
            # Listed packages may be absent: a patch lists 412 packages and holds the three that changed.
            found += [Finding("header", f"package {each:016x} is not listed") for each in sorted(held - listed)]
        return header, found

    def _data(self, header: ContainerHeader | None, progress: Callable[[int, int], None] | None) -> Iterator[Finding]:
        toc = self._container.toc
        packages = set(toc.of_type("ExportBundleData"))
        for index in range(self.chunks):
            if progress is not None:
                progress(index, self.chunks)
            try:
                hashes = self._new_hashes()
                if index in packages:  # whole in memory: its tables are read too
                    data = self._container.read_chunk(index)
                    for each in hashes:
                        each.update(data)
                    yield from self._package(index, data, header)
                else:
                    for piece in self._container.blocks(index):
                        for each in hashes:
                            each.update(piece)
            except _UNREADABLE as error:
                self._unread(error)
                continue
            except OverlapError:
                raise
            except UnrealError as error:
                yield Finding("data", f"{self._label(index)}: {error}")
                continue
            yield from self._judge(index, [each.digest() for each in hashes])

    def _new_hashes(self) -> list[Hash]:
        """Return new hashes of each kind that a chunk may have."""
        version = self._container.toc.header.version
        hashes: list[Hash] = []
        if version >= _FIRST_BLAKE3:
            hashes.append(_blake3())
        if version <= _LAST_SHA1:
            hashes.append(hashlib.sha1(usedforsecurity=False))
        return hashes

    def _judge(self, index: int, digests: list[bytes]) -> Iterator[Finding]:
        stored = self._container.toc.chunk_hash(index)[:_HASH]
        if not any(stored):
            self.unhashed += 1
        elif any(digest[:_HASH] == stored for digest in digests):
            self.hashed += 1
        else:
            yield Finding("hash", f"{self._label(index)}: its data does not have the hash that is stored for it")

    def _package(self, index: int, data: bytes, header: ContainerHeader | None) -> Iterator[Finding]:
        try:
            package = parse_zen_package(data)
        except UnrealError as error:
            yield Finding("package", f"{self._label(index)}: {error}")
            return
        self.packages += 1
        identity = self._container.toc.identity(index)
        if package_id(package.name) != identity:
            yield Finding("package", f"{self._label(index)}: {package.name} is not the name of package {identity:016x}")
        entry = header.packages.get(identity) if header is not None else None
        if entry is None or not package.imported_names:
            return
        if {package_id(name) for name in package.imported_names} != set(entry.imports):
            yield Finding(
                "package", f"{self._label(index)}: {package.name} imports other packages than its store entry does"
            )

    def _label(self, index: int) -> str:
        path = self._paths[index] if self._paths else None
        return f"chunks[{index}]" if path is None else f"chunks[{index}] {path}"

    def _unread(self, error: UnrealError) -> None:
        reason = reason_of(error)
        self.unread[reason] = self.unread.get(reason, 0) + 1
