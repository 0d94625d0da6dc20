"""One file of checked entries, read a part at a time.

An entry has a key and parts; each part has a checksum of its own, so that a large one is read only when it is needed.
A file that is absent, damaged, or of another version or machine has no entries; an entry that is damaged is absent.
The decoder is plain Python: importing a library would take longer than reading the answers of a small project.
"""

from __future__ import annotations

import os
import sys
import zlib
from array import array
from itertools import accumulate, chain, islice, pairwise
from struct import Struct

from assetdb.errors import FileError
from assetdb.store.files import MEMO_FORMAT
from assetdb.system.reading import open_regular
from assetdb_formats.atomic import replace_file
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import BinaryIO, Final

_MAGIC: Final = b"UADBMEMO"
_HEADER: Final = Struct("<8sIIQIQ")  # magic, format, byte order, size and checksum of the index, size of the file
_ORDER: Final = 0 if sys.byteorder == "little" else 1
_LARGEST_INDEX: Final = 1 << 26
_LARGEST_PART: Final = 1 << 30
_END: Final = "\0"
_FIELDS: Final = 3  # offset, size and checksum of a part
_PIECE: Final = 1 << 20


class _Part(NamedTuple):
    offset: int
    size: int
    checksum: int


class MemoFile:
    """The entries of one file, with changes to be written."""

    def __init__(self, path: str, stamp: str, other: Callable[[], str] = str) -> None:
        """Read the index of a file.

        Args:
            path: of the file, which may be absent.
            stamp: input of all entries, such as the version of assetdb: a file with another stamp is not read.
            other: returns the path of a file whose entries serve until the first is written, or ``""``.
        """
        self._path = path
        self._stamp = stamp
        self._source = path
        """The file that entries are read from."""
        self._identity = _identity_of(path)
        self._head, self._rows = _believed_index(path, stamp)
        self._newer: tuple[object, bytes, dict[str, tuple[_Part, ...]]] = None, b"", {}
        """The index of a file that another process has put in place since, by its identity."""
        if not self._head:
            self._source = other() or path
            self._head, self._rows = _believed_index(self._source, stamp)
        self._changed: dict[str, tuple[bytes, ...] | None] = {}

    def keys(self) -> list[str]:
        """Return the keys of all entries, those written longest ago first."""
        left = [key for key in self._rows if key not in self._changed]
        return left + [key for key, parts in self._changed.items() if parts is not None]

    @property
    def is_changed(self) -> bool:
        """Whether there is anything to write."""
        return bool(self._changed)

    def changed(self) -> dict[str, tuple[bytes, ...]]:
        """Return the entries that are to be written, with their parts."""
        return {key: parts for key, parts in self._changed.items() if parts is not None}

    def bound(self, prefix: str, most: int) -> None:
        """Remove the oldest entries with a prefix until few enough are left."""
        for key in [key for key in self.keys() if key.startswith(prefix)][:-most]:
            self.drop(key)

    def part(self, key: str, number: int) -> bytes | None:
        """Return a part of an entry, None if absent or damaged."""
        if key in self._changed:
            parts = self._changed[key]
            return parts[number] if parts is not None and number < len(parts) else None
        row = self._rows.get(key, ())
        if number >= len(row):
            return None
        try:
            with open(open_regular(self._source), "rb", buffering=0) as file:
                if file.read(_HEADER.size) != self._head:  # another process replaced it
                    return None
                return _read_part(file, row[number])
        except (OSError, FileError):
            return None

    def newest(self, key: str) -> bytes | None:
        """Return an entry of one part, by whichever process.

        Entries of several parts are read from one file, or they would not fit each other.
        """
        identity = _identity_of(self._path)
        if key in self._changed or identity == self._identity:
            return self.part(key, 0)
        if self._newer[0] != identity:
            self._newer = identity, *_believed_index(self._path, self._stamp)
        _, head, rows = self._newer
        source = _reopened(self._path, head) if rows.get(key) else None
        if source is None:
            return None
        with source:
            return _read_part(source, rows[key][0])

    def entries(self) -> dict[str, list[bytes]]:
        """Return all undamaged entries of the file in one pass."""
        found = {}
        source = _reopened(self._source, self._head) if self._rows else None
        if source is not None:
            with source:
                for key, row in self._rows.items():
                    parts = [data for part in row if (data := _read_part(source, part)) is not None]
                    if len(parts) == len(row):
                        found[key] = parts
        return found

    def put(self, key: str, parts: Sequence[bytes]) -> None:
        """Replace an entry."""
        self._changed.pop(key, None)
        self._changed[key] = tuple(parts)

    def drop(self, key: str) -> None:
        """Remove an entry, if there is one."""
        self._changed[key] = None

    def write(self) -> bool:
        """Replace the file if an entry changed; return whether that worked.

        Entries written by another process meanwhile are kept. Answers that cannot be written are derived again.
        """
        if not self._changed:
            return True
        changed = dict(self._changed)
        before, rows = _believed_index(self._path, self._stamp)
        if before:
            self._source = self._path  # of another process, too
        elif self._source != self._path:
            before, rows = _believed_index(self._source, self._stamp)
        kept = {key: row for key, row in rows.items() if key not in changed}
        added = {key: parts for key, parts in changed.items() if parts is not None}
        source = _reopened(self._source, before) if kept else None
        if source is None:
            kept = {}
        try:
            placed, index = _placed(kept, added, self._stamp)
            pieces = _pieces(source, kept, added)
            head = _header(index, placed)
            replace_file(self._path, chain([head, index], pieces))
        except (OSError, ValueError):  # a read-only folder, a full disk, a key that is not text
            return False
        finally:
            if source is not None:
                source.close()
        self._source, self._head, self._rows = self._path, head, placed
        self._identity = None  # another process may have replaced it already
        for key, parts in changed.items():
            if self._changed.get(key) is parts:  # otherwise it was replaced meanwhile, in a daemon
                del self._changed[key]
        return True


def texts(strings: Iterable[str]) -> bytes:
    """Return some strings as one part.

    Raises:
        ValueError: one contains a NUL, or cannot be encoded.
    """
    rows = list(strings)
    joined = _END.join([*rows, ""])
    if joined.count(_END) != len(rows):
        raise ValueError("a string contains a NUL")
    return joined.encode()


def strings_of(part: bytes) -> list[str]:
    """Return the strings of a part.

    Raises:
        ValueError: they are not text.
    """
    return part.decode().split(_END)[:-1]


def place_in(part: bytes, string: str) -> int:
    """Return the place of a string in a part, -1 if absent.

    For one string that is faster than separating ten thousand.
    """
    wanted = string.encode("utf-8", "surrogatepass") + _END.encode()
    if part.startswith(wanted):
        return 0
    at = part.find(_END.encode() + wanted)
    return part.count(_END.encode(), 0, at + 1) if at >= 0 else -1


def column_at(packed: bytes, place: int) -> bytes:
    """Return one of the byte strings that :func:`columns` joined.

    Raises:
        ValueError: they are invalid.
    """
    word = array("q").itemsize
    count = int.from_bytes(packed[:word], sys.byteorder, signed=True)
    if not 0 <= place < count < len(packed) // word:
        raise ValueError("the number of columns is wrong")
    sizes = array("q", packed[word : (count + 1) * word])
    start = (count + 1) * word + sum(sizes[:place])
    return packed[start : start + sizes[place]]


def columns(parts: Sequence[bytes]) -> bytes:
    """Return several byte strings as one, to be separated by :func:`split_columns`."""
    return b"".join([array("q", [len(parts), *map(len, parts)]).tobytes(), *parts])


def split_columns(packed: bytes) -> list[bytes]:
    """Return the byte strings that :func:`columns` joined.

    Raises:
        ValueError: they are invalid.
    """
    word = array("q").itemsize
    count = int.from_bytes(packed[:word], sys.byteorder, signed=True)
    if not 0 <= count < len(packed) // word:
        raise ValueError("the number of columns is wrong")
    sizes = array("q", packed[word : (count + 1) * word])
    if (sizes and min(sizes) < 0) or sum(sizes) != len(packed) - (count + 1) * word:
        raise ValueError("the sizes of columns are wrong")
    ends = accumulate(sizes, initial=(count + 1) * word)
    return [packed[start:end] for start, end in pairwise(ends)]


def _identity_of(path: str) -> tuple[int, int, int] | None:
    """Return the identity of a file, None without one."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def _believed_index(path: str, stamp: str) -> tuple[bytes, dict[str, tuple[_Part, ...]]]:
    """Return header and parts of a file, none if committed.

    A commit's answers may be of the right contents and wrong, so that a check of what the commit changes passes.
    """
    head, rows = _read_index(path, stamp)
    if head:
        from assetdb.history.git.stamp import came_with_commit  # noqa: PLC0415 - a first check does without

        if came_with_commit(path):
            return b"", {}
    return head, rows


def _read_index(path: str, stamp: str) -> tuple[bytes, dict[str, tuple[_Part, ...]]]:
    """Return the header of a file, and the parts of each entry."""
    try:
        with open(open_regular(path), "rb", buffering=0) as file:
            head = file.read(_HEADER.size) or b""
            if len(head) != _HEADER.size:
                return b"", {}
            magic, number, order, size, checksum, whole = _HEADER.unpack(head)
            if (magic, number, order) != (_MAGIC, MEMO_FORMAT, _ORDER) or size > _LARGEST_INDEX:
                return b"", {}
            index = file.read(size) or b""
            is_whole = len(index) == size and os.fstat(file.fileno()).st_size == whole
            if not is_whole or zlib.crc32(index) != checksum:
                return b"", {}
        names, counts, numbers = split_columns(index)
        found_stamp, *keys = strings_of(names)
        if found_stamp != stamp:
            return b"", {}
        fields = iter(array("Q", numbers))
        parts = map(_Part, fields, fields, fields)
        found = {key: tuple(islice(parts, count)) for key, count in zip(keys, counts, strict=True)}
    except (OSError, FileError, ValueError, TypeError, OverflowError):
        return b"", {}
    return head, found


def _reopened(path: str, head: bytes) -> BinaryIO | None:
    """Open a file again, None if another process has replaced it."""
    try:
        file = open(open_regular(path), "rb", buffering=0)  # noqa: SIM115 - the caller closes it
    except (OSError, FileError):
        return None
    if file.read(len(head)) == head:
        return file
    file.close()
    return None


def _read_part(file: BinaryIO, part: _Part) -> bytes | None:
    if part.size > _LARGEST_PART or part.offset + part.size > os.fstat(file.fileno()).st_size:
        return None
    file.seek(part.offset)
    data = file.read(part.size) or b""
    return data if len(data) == part.size and zlib.crc32(data) == part.checksum else None


def _placed(
    kept: dict[str, tuple[_Part, ...]], added: dict[str, tuple[bytes, ...]], stamp: str
) -> tuple[dict[str, tuple[_Part, ...]], bytes]:
    """Return the places of all parts, and their index.

    Raises:
        ValueError: a key is not text.
    """
    sizes = {key: [(part.size, part.checksum) for part in parts] for key, parts in kept.items()}
    sizes.update((key, [(len(part), zlib.crc32(part)) for part in parts]) for key, parts in added.items())
    names = texts([stamp, *sizes])
    counts = bytes([len(parts) for parts in sizes.values()])
    count = sum(counts) * _FIELDS * array("Q").itemsize
    at = _HEADER.size + len(columns([names, counts, bytes(count)]))
    placed = {}
    numbers = array("Q")
    for key, parts in sizes.items():
        rows = []
        for size, checksum in parts:
            rows.append(_Part(at, size, checksum))
            numbers.extend(rows[-1])
            at += size
        placed[key] = tuple(rows)
    return placed, columns([names, counts, numbers.tobytes()])


def _header(index: bytes, placed: dict[str, tuple[_Part, ...]]) -> bytes:
    ends = [part.offset + part.size for parts in placed.values() for part in parts]
    whole = max(ends, default=_HEADER.size + len(index))
    return _HEADER.pack(_MAGIC, MEMO_FORMAT, _ORDER, len(index), zlib.crc32(index), whole)


def _pieces(
    source: BinaryIO | None, kept: dict[str, tuple[_Part, ...]], added: dict[str, tuple[bytes, ...]]
) -> Iterator[bytes]:
    """Yield the bytes of all parts, unchanged ones from the old file.

    Raises:
        OSError: that file cannot be read.
    """
    for parts in kept.values():
        for part in parts:
            if source is None:
                raise OSError("the old file is gone")
            source.seek(part.offset)
            left = part.size
            while left:
                piece = source.read(min(left, _PIECE))
                if not piece:
                    raise OSError("the old file was cut")
                left -= len(piece)
                yield piece
    for added_parts in added.values():
        yield from added_parts
