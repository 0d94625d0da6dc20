"""The cache: the facts of every directory as of the last bake.

Private to assetdb. Its listings are read at once; its facts, which are most of it, only if something changed. A cache
that is absent, damaged or of another version is an empty cache, never an error.
"""

from __future__ import annotations

import os
import sys
import zlib
from _thread import allocate_lock
from itertools import accumulate, pairwise
from struct import Struct

from assetdb.errors import FileError
from assetdb.scan.directory import DirectoryFacts, facts_of
from assetdb.system.identity import RACY
from assetdb.system.reading import open_regular
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Final

    from assetdb.scan.known.packed import LooseDirectories, PackedDirectories

FILE_NAME: Final = "asset-db.cache"
_MAGIC: Final = b"UADKNOWN"
VERSION: Final = 19
"""Of the format; a cache of another one is an empty cache."""
_HEADER: Final = Struct("<8sIIQ4qQ4I")
PREFIX_SIZE: Final = _HEADER.size + 4
"""The length of the part of a cache that names its database: the header and its own checksum."""
_LISTING: Final = ("path", "children", "links", "files", "identities", "listing_diagnostics", "file_diagnostics")
_FACTS: Final = (
    *("contents", "guids", "keys", "bodies", "body_sizes", "sub_counts", "sub_keys", "details", "reference_counts"),
    *("references", "folder_guids", "folders"),
)
MANY: Final = 1000
"""Number of files to read again from which writing the cache alone pays off."""
_RACY_BYTE: Final = b"\xff"  # RACY has eight such bytes
_FIRST_FACT: Final = DirectoryFacts._fields.index(_FACTS[0])


NO_FILES: Final = (0, 0, 0, 0)
"""The value for a cache that belongs to no database yet."""


class DamagedCacheError(ValueError):
    """A cache's facts do not match their checksum; a bake starts anew."""


class Cache(NamedTuple):
    """The contents of a cache file.

    Attributes:
        settings: text of everything except files that the database depends on.
        files: size and identity of the database that was written from it, and of its index.
        asset_count: how many entries that database has.
        problems: packed diagnostics of the project as a whole.
        directories: by path, without their facts.
        facts: fills in the facts; raises DamagedCacheError.
    """

    settings: bytes
    files: tuple[int, int, int, int]
    asset_count: int
    problems: bytes
    directories: dict[bytes, DirectoryFacts]
    facts: Facts

    def complete(self, directory: DirectoryFacts) -> DirectoryFacts:
        """Return a directory with its facts, filled in if of this cache.

        Raises:
            DamagedCacheError: the facts are damaged.
        """
        return self.facts.complete(directory) if self.directories.get(directory.path) is directory else directory

    def has_facts_of(self, found: Mapping[bytes, DirectoryFacts]) -> bool:
        """Whether a scan found the cache's facts; identities may differ.

        Raises:
            DamagedCacheError: the facts are damaged.
        """
        if any(path not in found for path in self.directories):
            return False
        for path, directory in found.items():
            old = self.directories.get(path)
            if old is not directory and (old is None or facts_of(directory) != facts_of(self.complete(old))):
                return False
        return True

    def moved(self, settings: bytes) -> Cache:
        """Return the cache of a moved project, with untrusted identities."""
        directories = {
            path: directory._replace(identity=RACY, identities=_RACY_BYTE * len(directory.identities))
            for path, directory in self.directories.items()
        }
        return self._replace(settings=settings, directories=directories)

    def files_to_reread(self, found: Mapping[bytes, DirectoryFacts]) -> tuple[int, int]:
        """Return how many files are read again; how many fewer once written.

        ``found`` has the facts of the cache. A directory that was touched counts as :data:`MANY`.
        """
        again = settled = 0
        for path, directory in found.items():
            old = self.directories[path]
            if old is not directory:
                racy = _racy(old)
                touched = old.identity not in (RACY, directory.identity) or _identities_differ(old, directory)
                again += MANY + 1 if touched else racy
                settled += racy - _racy(directory)
                settled += old.identity == RACY != directory.identity
        return again, settled


class Facts:
    """The part of a cache that is decoded only when something changed."""

    def __init__(self, read: Callable[[], bytes] = bytes, checksum: int = 0, paths: Sequence[bytes] = ()) -> None:
        """Take a reader of packed facts, their checksum, and each row's path."""
        self._read = read
        self._checksum = checksum
        self._paths = paths
        self._packed: bytes | None = None
        self._columns: list[list[bytes]] | None = None
        self._row: dict[bytes, int] = {}
        self._lock = allocate_lock()  # several threads of a daemon may need the facts

    def hold(self) -> bytes:
        """Read the packed facts, so that the file may change or disappear.

        Raises:
            DamagedCacheError: the facts are damaged.
        """
        packed = self._packed
        if packed is None:
            packed = self._read()
            if zlib.crc32(packed) != self._checksum:
                raise DamagedCacheError("the facts do not match their checksum")
            self._packed = packed
        return packed

    def complete(self, directory: DirectoryFacts) -> DirectoryFacts:
        """Return a directory of the cache with its facts.

        Raises:
            DamagedCacheError: the facts are damaged.
        """
        if self._columns is None:
            with self._lock:
                self._decode()
        columns = self._columns or []
        row = self._row.get(directory.path)
        if row is None:  # not from the cache: it already has its facts
            return directory
        facts = [column[row] for column in columns]
        return DirectoryFacts._make((*directory[:_FIRST_FACT], *facts, *directory[_FIRST_FACT + len(facts) :]))

    def _decode(self) -> None:
        if self._columns is None:
            columns = _unpack(self.hold(), len(_FACTS), len(self._paths))
            self._row = {path: number for number, path in enumerate(self._paths)}
            self._columns, self._packed = columns, None  # last, for other threads


EMPTY: Final = Cache(b"", NO_FILES, 0, b"", {}, Facts())


def encode(
    settings: bytes,
    files: tuple[int, int, int, int],
    asset_count: int,
    problems: bytes,
    directories: PackedDirectories | Sequence[DirectoryFacts],
) -> list[bytes]:
    """Encode a cache as parts to be written one after the other.

    Nothing is copied: the parts are the columns of the directories themselves, 300 MB for a million assets.
    """
    from array import array  # noqa: PLC0415 - brings collections.abc, 2 ms that a bake does without that changes nothing

    from assetdb.scan.known.packed import fields_of  # noqa: PLC0415 - a no-op does without

    fields = fields_of(directories)
    head = array("I", [len(settings), len(problems)]).tobytes() + settings + problems
    eager = [head, fields.numbers("identity").tobytes(), array("I", fields.numbers("pair_count")).tobytes()]
    eager += _pack(fields, _LISTING)
    facts = _pack(fields, _FACTS)
    header = _HEADER.pack(
        _MAGIC,
        VERSION,
        _byte_order(),
        len(directories),
        *files,
        asset_count,
        len(head),
        sum(map(len, eager)),
        _checksum_of(eager),
        _checksum_of(facts),
    )
    return [header, zlib.crc32(header).to_bytes(4, "little"), *eager, *facts]


def _checksum_of(parts: Iterable[bytes]) -> int:
    checksum = 0
    for part in parts:
        checksum = zlib.crc32(part, checksum)
    return checksum


def belonging_to(files: tuple[int, int, int, int], prefix: bytes) -> bytes:
    """Return the first :data:`PREFIX_SIZE` bytes of a cache, for other files.

    Raises:
        ValueError: they are not the start of a cache.
    """
    if len(prefix) != PREFIX_SIZE or zlib.crc32(prefix[: _HEADER.size]).to_bytes(4, "little") != prefix[_HEADER.size :]:
        raise ValueError("not how a cache begins")
    fields = _HEADER.unpack(prefix[: _HEADER.size])
    header = _HEADER.pack(*fields[:4], *files, *fields[8:])
    return header + zlib.crc32(header).to_bytes(4, "little")


def belongs(path: str, files: tuple[int, int, int, int]) -> bool:
    """Whether a file is the cache of some files, by its beginning."""
    try:
        with open(open_regular(path), "rb", buffering=0) as file:
            prefix = file.read(PREFIX_SIZE) or b""
        return belonging_to(files, prefix) == prefix
    except (OSError, FileError, ValueError):
        return False


def decode(data: bytes | memoryview) -> Cache:
    """Decode a cache; anything invalid is :data:`EMPTY`."""
    whole = bytes(data)
    eager = whole[PREFIX_SIZE:]
    try:
        return _decode(whole[:PREFIX_SIZE], lambda size: eager[:size], lambda start: whole[start:])
    except (ValueError, OverflowError, MemoryError):
        return EMPTY


def read(path: str) -> Cache:
    """Read the cache at ``path``; anything invalid is :data:`EMPTY`.

    Its facts (14 MB for unitystation) are read on first use; a checksum detects a file replaced in between.
    """

    def facts(start: int) -> bytes:
        try:
            with open(open_regular(path), "rb") as file:
                file.seek(start)
                return file.read()
        except (OSError, FileError):
            return b""

    try:
        with open(open_regular(path), "rb", buffering=0) as file:
            most = os.fstat(file.fileno()).st_size
            return _decode(file.read(PREFIX_SIZE) or b"", lambda size: file.read(min(size, most)) or b"", facts)
    except (OSError, FileError, ValueError, OverflowError, MemoryError):
        return EMPTY


def _decode(prefix: bytes, read_eager: Callable[[int], bytes], read_facts: Callable[[int], bytes]) -> Cache:
    """Decode a cache; one function reads the listings, the other the facts.

    Raises:
        ValueError, OverflowError, MemoryError: it is damaged.
    """
    packed = prefix[: _HEADER.size]
    if len(prefix) != PREFIX_SIZE or zlib.crc32(packed).to_bytes(4, "little") != prefix[_HEADER.size :]:
        return EMPTY
    fields = _HEADER.unpack(packed)
    magic, version, order, count, *files, asset_count, head_size, eager_size, crc, facts_crc = fields
    if (magic, version, order) != (_MAGIC, VERSION, _byte_order()):
        return EMPTY
    eager = read_eager(eager_size)  # not copied again: 5 MB for 60,000 assets
    if len(eager) != eager_size or zlib.crc32(eager) != crc:
        return EMPTY
    ((settings, problems),) = _unpack(eager[:head_size], 1, 2)
    pairs_at, position = head_size + 8 * count, head_size + 12 * count
    if len(eager) < position:
        return EMPTY
    identities = memoryview(eager)[head_size:pairs_at].cast("q")
    pair_counts = memoryview(eager)[pairs_at:position].cast("I")
    columns = dict(zip(_LISTING, _unpack(eager, len(_LISTING), count, position), strict=True))
    nothing = [b""] * count
    rows = zip(
        columns["path"],
        identities,
        columns["children"],
        columns["links"],
        columns["files"],
        columns["identities"],
        *([nothing] * len(_FACTS)),
        columns["listing_diagnostics"],
        columns["file_diagnostics"],
        pair_counts,
        strict=True,
    )
    directories = dict(zip(columns["path"], map(DirectoryFacts._make, rows), strict=True))
    facts = Facts(lambda: read_facts(PREFIX_SIZE + eager_size), facts_crc, columns["path"])
    return Cache(settings, (files[0], files[1], files[2], files[3]), asset_count, problems, directories, facts)


def _identities_differ(old: DirectoryFacts, new: DirectoryFacts) -> bool:
    """Whether a trusted file was replaced or touched."""
    before, after = memoryview(old.identities).cast("q"), memoryview(new.identities).cast("q")
    return any(one not in (RACY, other) for one, other in zip(before, after, strict=True))


def _racy(directory: DirectoryFacts) -> int:
    """Return how many files of a directory are not trusted."""
    return memoryview(directory.identities).cast("q").tolist().count(RACY)


def _byte_order() -> int:
    return 0 if sys.byteorder == "little" else 1


def _pack(fields: PackedDirectories | LooseDirectories, names: Iterable[str]) -> list[bytes]:
    """Encode columns of strings: all sizes, then all strings."""
    parts = [fields.sizes(name).tobytes() for name in names]
    for name in names:
        parts += fields.parts(name)
    return parts


def _unpack(data: bytes, width: int, height: int, start: int = 0) -> list[list[bytes]]:
    """Split data from ``start`` into ``width`` columns of ``height`` strings.

    Raises:
        ValueError: the sizes do not add up to the data.
    """
    head = start + 4 * width * height
    if len(data) < head:
        raise ValueError("the columns' sizes are not all there")
    ends = list(accumulate(memoryview(data)[start:head].cast("I"), initial=head))
    if ends[-1] != len(data):
        raise ValueError("the columns' sizes do not add up")
    strings = [data[first:last] for first, last in pairwise(ends)]
    return [strings[number * height : (number + 1) * height] for number in range(width)]
