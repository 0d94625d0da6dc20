"""The supplement of an index: facts without a place in the database.

*Duplicates* are assets whose GUID has the entry of another asset: the database, which other programs read, can hold a
GUID only once. *Unread* are files whose content could not be read, so their references are unknown.
"""

from __future__ import annotations

from assetdb.errors import DatabaseError
from assetdb.store.entry import Asset, read_body
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

_DAMAGED: Final = "the end of the index is damaged: delete it and bake again"
_COUNTS: Final = 2  # how many duplicates and how many unread files, before the sizes of their columns
_DUPLICATE_COLUMNS: Final = 4
_UNREAD_COLUMNS: Final = 2
_WIDTH: Final = 4
_GUID: Final = 16
_SCRIPT_DIGITS: Final = 32
_CLASS_DIGITS: Final = 10
_MONO_BEHAVIOUR: Final = 114


class Duplicate(NamedTuple):
    """An asset without an entry, and its targets (32 hex digits each).

    ``prefix`` are the first digits of a GUID that is encoded, else ``""``; the asset then has the encoded text.
    """

    asset: Asset
    targets: tuple[str, ...]
    prefix: str = ""


class Unread(NamedTuple):
    """A file that was not read: path and diagnostic code."""

    path: str
    code: str


class Supplement:
    """Duplicates and unread files by path, decoded on demand.

    A clone without LFS content may have 20,000 pointers.
    """

    def __init__(self, data: bytes = b"") -> None:
        """Take an encoded supplement.

        Raises:
            DatabaseError: it is damaged.
        """
        self.data = data
        self._duplicates: tuple[Duplicate, ...] | None = None
        self._unread: tuple[Unread, ...] | None = None
        self._by_path: dict[str, Duplicate] | None = None
        self._by_guid: dict[str, list[Duplicate]] = {}
        self._counts = (0, 0)
        self._start = self._unread_start = 0
        if data:
            head = _numbers(data[: _COUNTS * _WIDTH])
            if len(head) != _COUNTS:
                raise DatabaseError(_DAMAGED)
            self._counts = head[0], head[1]
            self._start = (_COUNTS + head[0] * _DUPLICATE_COLUMNS + head[1] * _UNREAD_COLUMNS) * _WIDTH
            if self._start > len(data):
                raise DatabaseError(_DAMAGED)
            sizes = _numbers(data[_COUNTS * _WIDTH : self._start])
            if self._start + sum(sizes) != len(data):
                raise DatabaseError(_DAMAGED)
            self._unread_start = self._start + sum(sizes[: head[0] * _DUPLICATE_COLUMNS])

    @property
    def duplicates(self) -> tuple[Duplicate, ...]:
        """The assets that share a GUID with another asset's entry.

        Raises:
            DatabaseError: one is damaged.
        """
        if self._duplicates is None:
            count = self._counts[0] * _DUPLICATE_COLUMNS
            found = [_duplicate(*row) for row in self._rows(0, count, self._start, _DUPLICATE_COLUMNS)] if count else []
            self._duplicates = tuple(sorted(found, key=lambda duplicate: (duplicate.asset.path, duplicate.asset.guid)))
        return self._duplicates

    @property
    def unread(self) -> tuple[Unread, ...]:
        """The files that could not be read."""
        if self._unread is None:
            first = self._counts[0] * _DUPLICATE_COLUMNS
            count = self._counts[1] * _UNREAD_COLUMNS
            rows = self._rows(first, count, self._unread_start, _UNREAD_COLUMNS) if count else []
            self._unread = tuple([Unread(_text(path), _text(code)) for path, code in rows])
        return self._unread

    def _rows(self, first: int, count: int, start: int, width: int) -> list[list[bytes]]:
        sizes = _numbers(self.data[(_COUNTS + first) * _WIDTH : (_COUNTS + first + count) * _WIDTH])
        values = []
        for size in sizes:
            values.append(self.data[start : start + size])
            start += size
        return [values[at : at + width] for at in range(0, len(values), width)]

    def at(self, path: str) -> Duplicate | None:
        """Return the duplicate at a path."""
        if self._by_path is None:
            self._by_path = {duplicate.asset.path: duplicate for duplicate in reversed(self.duplicates)}
        return self._by_path.get(path)

    def of(self, guid: str) -> tuple[Duplicate, ...]:
        """Return the duplicates that have a GUID."""
        if not self._by_guid:
            for duplicate in self.duplicates:
                self._by_guid.setdefault(duplicate.asset.guid, []).append(duplicate)
        return tuple(self._by_guid.get(guid, ()))

    def referring_to(self, guid: str) -> tuple[Duplicate, ...]:
        """Return the duplicates that refer to a GUID."""
        return tuple(duplicate for duplicate in self.duplicates if guid in duplicate.targets)


def encode(duplicates: Iterable[tuple[bytes, bytes, bytes, bytes]], unread: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Encode a supplement; empty if there is nothing to store.

    Args:
        duplicates: GUID (16 bytes), type, body of the would-be entry, and targets (16 bytes each) of each, in any
            order.
        unread: path and code, UTF-8, in any order.
    """
    from array import array  # noqa: PLC0415 - only to write one

    rows, files = sorted(duplicates), sorted(unread)
    if not rows and not files:
        return b""
    columns = [value for row in (*rows, *files) for value in row]
    return array("I", [len(rows), len(files), *map(len, columns)]).tobytes() + b"".join(columns)


def _numbers(data: bytes) -> list[int]:
    if len(data) % _WIDTH:
        raise DatabaseError(_DAMAGED)
    return memoryview(data).cast("I").tolist()


def _duplicate(guid: bytes, kind: bytes, body: bytes, targets: bytes) -> Duplicate:
    script = _text(kind) if len(kind) == _SCRIPT_DIGITS else ""
    is_type = bool(script) or (kind.isdigit() and len(kind) <= _CLASS_DIGITS)
    if len(guid) != _GUID or len(targets) % _GUID or not is_type:
        raise DatabaseError(_DAMAGED)
    try:
        asset = read_body(body)
    except ValueError as error:  # FormatError, which hardly any project needs
        raise DatabaseError(_DAMAGED) from error
    asset = asset._replace(guid=guid.hex(), class_id=_MONO_BEHAVIOUR if script else int(kind), script=script)
    return Duplicate(asset, tuple(targets[at : at + _GUID].hex() for at in range(0, len(targets), _GUID)))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
