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
    from array import array
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Final

    from assetdb.scan.known.packed import LooseDirectories, PackedDirectories

FILE_NAME: Final = "asset-db.cache"
LOG_NAME: Final = "asset-db.edits"
"""The file of later edits, see :mod:`assetdb.scan.known.cache_log`."""
_MAGIC: Final = b"UADKNOWN"
VERSION: Final = 20
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
_PIECE: Final = 1 << 16  # bytes of the facts that have a checksum of their own
_TOGETHER: Final = 256  # parts that are joined
_MOST_JOINED: Final = 1 << 20  # bytes of them
FEW: Final = 8
"""Number of directories whose facts are read alone; for more, all are."""


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
        directories: by path, without their facts (with them, if they were edited since the cache was written).
        facts: fills in the facts; raises DamagedCacheError.
        rows_checksum: of the rows of ``asset-db.seen`` that were written with it; 0 if none were.
        prefix: the beginning of its file, by which a log of edits names it; none if it holds elsewhere only.
        log_size: bytes of the log of edits that it includes.
        log_records: how many edits these are.
    """

    settings: bytes
    files: tuple[int, int, int, int]
    asset_count: int
    problems: bytes
    directories: dict[bytes, DirectoryFacts]
    facts: Facts
    rows_checksum: int = 0
    prefix: bytes = b""
    log_size: int = 0
    log_records: int = 0

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
        return self._replace(settings=settings, directories=directories, prefix=b"")

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
    """The part of a cache that is decoded only when something changed.

    After an edit, the facts of one directory are read alone: all of unitystation's are 14 MB.
    """

    def __init__(
        self,
        read: Callable[[int, int], bytes] = lambda _start, _size: b"",
        sums: bytes = b"",
        paths: Sequence[bytes] = (),
        complete: Collection[bytes] = (),
    ) -> None:
        """Take a reader of packed facts, their checksums, and each row's path.

        Args:
            read: returns some of the packed facts, from a position; all that follow if the size is negative.
            sums: CRC-32 of each piece of them.
            paths: of the directories that they describe.
            complete: paths of directories that have other facts already.
        """
        self._read = read
        self._sums = memoryview(sums).cast("I")
        self._paths = paths
        self._complete = complete
        self._packed: bytes | None = None
        self._columns: list[list[bytes]] | None = None
        self._row: dict[bytes, int] = {}
        self._sizes: array[int] | None = None
        self._read_alone = 0
        self._lock = allocate_lock()  # several threads of a daemon may need the facts

    def beside(self, complete: Collection[bytes]) -> Facts:
        """Return the facts for a cache in which some directories have theirs."""
        return Facts(self._read, self._sums.tobytes(), self._paths, complete)

    def hold(self) -> bytes:
        """Read the packed facts, so that the file may change or disappear.

        Raises:
            DamagedCacheError: the facts are damaged.
        """
        packed = self._packed
        if packed is None:
            packed = self._read(0, -1)
            self._check(packed, 0, len(self._sums))
            self._packed = packed
        return packed

    def load(self) -> None:
        """Decode the facts of all directories, as nearly all are needed.

        Raises:
            DamagedCacheError: the facts are damaged.
        """
        with self._lock:
            self._decode()

    def complete(self, directory: DirectoryFacts) -> DirectoryFacts:
        """Return a directory of the cache with its facts.

        Raises:
            DamagedCacheError: the facts are damaged.
        """
        if directory.path in self._complete:
            return directory
        facts: Sequence[bytes] | None = None
        if self._columns is None:
            with self._lock:
                if self._packed is None and self._read_alone < FEW:
                    self._read_alone += 1
                    facts = self._of(directory.path)
                else:
                    self._decode()
        if self._columns is not None:
            row = self._row.get(directory.path)
            facts = [column[row] for column in self._columns] if row is not None else None
        if facts is None:  # not from the cache: it already has its facts
            return directory
        return DirectoryFacts._make((*directory[:_FIRST_FACT], *facts, *directory[_FIRST_FACT + len(facts) :]))

    def _of(self, path: bytes) -> list[bytes] | None:
        """Read the facts of one directory; None if it has none here."""
        try:
            row = self._paths.index(path)
        except ValueError:
            return None
        from array import array  # noqa: PLC0415 - brings collections.abc, 2 ms

        height = len(self._paths)
        end = 4 * height * len(_FACTS)
        if self._sizes is None:
            self._sizes = array("I", self._part(0, end))
        facts = []
        for column in range(len(_FACTS)):
            sizes = self._sizes[column * height : (column + 1) * height]
            facts.append(self._part(end + sum(sizes[:row]), sizes[row]))
            end += sum(sizes)
        return facts

    def _part(self, start: int, size: int) -> bytes:
        """Read some of the packed facts, checked."""
        if not size:
            return b""
        first, last = start // _PIECE, (start + size - 1) // _PIECE
        packed = self._read(first * _PIECE, (last + 1 - first) * _PIECE)
        self._check(packed, first, last + 1)
        return packed[start - first * _PIECE :][:size]

    def _check(self, packed: bytes, first: int, end: int) -> None:
        view = memoryview(packed)
        pieces = [view[start : start + _PIECE] for start in range(0, len(view), _PIECE)]
        if list(map(zlib.crc32, pieces)) != self._sums[first:end].tolist():
            raise DamagedCacheError("the facts do not match their checksum")

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
    rows_checksum: int = 0,
) -> list[bytes]:
    """Encode a cache as parts to be written one after the other.

    Nothing is copied: the parts are the columns of the directories themselves, 300 MB for a million assets.
    """
    from array import array  # noqa: PLC0415 - brings collections.abc, 2 ms that a bake does without that changes nothing

    from assetdb.scan.known.packed import fields_of  # noqa: PLC0415 - a no-op does without

    fields = fields_of(directories)
    facts = _pack(fields, _FACTS)
    sums = _sums_of(facts)
    head = array("I", [len(settings), len(problems), len(sums)]).tobytes() + settings + problems + sums
    eager = [head, fields.numbers("identity").tobytes(), array("I", fields.numbers("pair_count")).tobytes()]
    eager += _pack(fields, _LISTING)
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
        rows_checksum,
    )
    return [header, zlib.crc32(header).to_bytes(4, "little"), *eager, *facts]


def batches(parts: Sequence[bytes]) -> Iterator[bytes]:
    """Yield parts, small ones joined: Mirror has 6,000, most of them empty.

    Writing 60,000 of them one by one takes 15 ms, these copies 3. Large ones are not copied.
    """
    for start in range(0, len(parts), _TOGETHER):
        some = parts[start : start + _TOGETHER]
        if sum(map(len, some)) > _MOST_JOINED:
            yield from some
        else:
            yield b"".join(some)


def _checksum_of(parts: Sequence[bytes]) -> int:
    checksum = 0
    for part in batches(parts):
        checksum = zlib.crc32(part, checksum)
    return checksum


def _sums_of(parts: Sequence[bytes]) -> bytes:
    """Return the CRC-32 of each piece of the joined parts, uint32."""
    from array import array  # noqa: PLC0415 - see above

    sums = array("I")
    checksum, room = 0, _PIECE
    for part in batches(parts):
        start, size = 0, len(part)
        if size >= room:
            view = memoryview(part)
            while size - start >= room:
                sums.append(zlib.crc32(view[start : start + room], checksum))
                start += room
                checksum, room = 0, _PIECE
        checksum = zlib.crc32(part[start:] if start else part, checksum)
        room -= size - start
    if room < _PIECE:
        sums.append(checksum)
    return sums.tobytes()


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


def decode(data: bytes | memoryview) -> Cache:
    """Decode a cache; anything invalid is :data:`EMPTY`."""
    whole = bytes(data)
    eager = whole[PREFIX_SIZE:]
    try:
        return _decode(
            whole[:PREFIX_SIZE],
            lambda size: eager[:size],
            lambda start, size: whole[start:] if size < 0 else whole[start : start + size],
        )
    except (ValueError, OverflowError, MemoryError):
        return EMPTY


def read(path: str) -> Cache:
    """Read the cache at ``path``; anything invalid is :data:`EMPTY`.

    Its facts (14 MB for unitystation) are read on first use; a checksum detects a file replaced in between.
    """

    def facts(start: int, size: int) -> bytes:
        try:
            with open(open_regular(path), "rb") as file:
                file.seek(start)
                return file.read(size)
        except (OSError, FileError):
            return b""

    try:
        with open(open_regular(path), "rb", buffering=0) as file:
            most = os.fstat(file.fileno()).st_size
            return _decode(file.read(PREFIX_SIZE) or b"", lambda size: file.read(min(size, most)) or b"", facts)
    except (OSError, FileError, ValueError, OverflowError, MemoryError):
        return EMPTY


def _decode(prefix: bytes, read_eager: Callable[[int], bytes], read_facts: Callable[[int, int], bytes]) -> Cache:
    """Decode a cache; one function reads the listings, the other the facts.

    Raises:
        ValueError, OverflowError, MemoryError: it is damaged.
    """
    packed = prefix[: _HEADER.size]
    if len(prefix) != PREFIX_SIZE or zlib.crc32(packed).to_bytes(4, "little") != prefix[_HEADER.size :]:
        return EMPTY
    fields = _HEADER.unpack(packed)
    magic, version, order, count, *files, asset_count, head_size, eager_size, crc, rows_checksum = fields
    if (magic, version, order) != (_MAGIC, VERSION, _byte_order()):
        return EMPTY
    eager = read_eager(eager_size)  # not copied again: 5 MB for 60,000 assets
    if len(eager) != eager_size or zlib.crc32(eager) != crc:
        return EMPTY
    ((settings, problems, sums),) = _unpack(eager[:head_size], 1, 3)
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
    if len(sums) % 4:
        return EMPTY
    start = PREFIX_SIZE + eager_size
    facts = Facts(lambda position, size: read_facts(start + position, size), sums, columns["path"])
    named = files[0], files[1], files[2], files[3]
    return Cache(settings, named, asset_count, problems, directories, facts, rows_checksum, prefix)


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
