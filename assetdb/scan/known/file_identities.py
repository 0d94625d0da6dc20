"""``asset-db.seen``: identities of the files of each row.

An answer by GUID depends on a few files. If these are unchanged, which takes two ``stat`` each, the answer is right;
scanning the whole tree takes up to 0.2 s. Separate from database and index, which are equal byte for byte for equal
trees, and tied to them by their identities. If it is absent, damaged or of another version, the tree is scanned.
"""

from __future__ import annotations

import os
import stat
import sys
from io import BytesIO

from assetdb.errors import FileError
from assetdb.system.identity import DEFAULT, MINIMAL, PACKED_RACY, RACY, identity
from assetdb.system.reading import open_regular
from assetdb.version import VERSION
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    import mmap
    from collections.abc import Iterable, Sequence
    from typing import Final, Protocol

    from assetdb.scan.directory import DirectoryFacts
    from assetdb.scan.known.packed import LooseDirectories, PackedDirectories

    class GuidRows(Protocol):
        """The rows of assets and folders: :class:`assetdb.store.indexes.reader.Index`."""

        count: int
        folder_count: int

        def row(self, high: int, low: int) -> int:
            """Return an asset's row, or -1."""

        def folder_row(self, guid: int) -> int:
            """Return a folder's row, or -1."""

    Rows = tuple[int, int, bytes]  # how many assets and folders, and the identities of their files

FILE_NAME: Final = "asset-db.seen"
_MAGIC: Final = b"UADBSEEN"
_VERSION: Final = 2
_HEAD: Final = 80
"""Magic, version, byte order, how many assets and folders, identity of assetdb.toml, 0 or 1 for the compared fields,
version of the program (on which the facts of a file depend), identities of database and index."""
_PAIR: Final = 16  # identities of an asset and of its meta
_AT_ONCE: Final = 1 << 16
_CHECKSUMS: Final = 16  # of the index and of everything before it, at the end
_ORDER: Final = 0 if sys.byteorder == "little" else 1
_NEVER: Final = PACKED_RACY * 2
ABSENT: Final = 0
"""The identity of an ``assetdb.toml`` that is not there."""


class Made(NamedTuple):
    """The inputs of the rows besides their files.

    Attributes:
        database: identity of the database.
        database_index: identity of its index.
        configuration: identity of ``assetdb.toml``, :data:`ABSENT` if there is none.
        check_stat: the compared fields of files.
    """

    database: int
    database_index: int
    configuration: int
    check_stat: str


def encode(made: Made, seen_rows: Rows, checksum: int) -> list[bytes]:
    """Encode the file in parts; ``checksum`` is :func:`checksum_of` the index."""
    assets, folders, packed = seen_rows
    return with_checksums([_head(made, assets, folders), packed], checksum)


def rows(
    places: Sequence[int],
    folders: Sequence[bytes],
    directories: PackedDirectories | Sequence[DirectoryFacts],
) -> Rows:
    """Return identities of the files of a database's rows.

    Args:
        places: of each row's asset among the assets of the directories; -1 if several assets share its GUID, as any of
            them may disappear.
        folders: GUIDs of the folders in the index, 16 bytes each, in order.
        directories: all of the project, each with its facts.
    """
    from assetdb.scan.known.packed import fields_of  # noqa: PLC0415 - the same

    fields = fields_of(directories)
    columns = [fields.each("identities"), fields.sizes("guids")]
    pairs = b"".join([identities[:size] for identities, size in zip(*columns, strict=True)])  # as long as the GUIDs
    found = BytesIO()
    for start in range(0, len(places), _AT_ONCE):
        piece = places[start : start + _AT_ONCE]
        found.write(b"".join([pairs[_PAIR * place : _PAIR * place + _PAIR] or _NEVER for place in piece]))
    metas = _metas(fields)
    found.write(b"".join([metas.get(guid, _NEVER[:8]) for guid in folders]))
    return len(places), len(folders), found.getvalue()


def patched(
    data: bytes, made: Made, rows_checksum: int, pairs: Iterable[tuple[DirectoryFacts, DirectoryFacts]], index: GuidRows
) -> tuple[list[bytes], int] | None:
    """Encode the file after an edit, from the one before it.

    Args:
        data: the file before.
        made: of the file after it.
        rows_checksum: of the rows that belong to the directories before; others may be outdated.
        pairs: changed directories before and after, all with the same names and GUIDs.
        index: of the database after it, which has the same GUIDs.

    Returns:
        All parts but those with the checksum of the index, and the checksum of the rows; None if the file is another
        one, or a row was never trusted, since several files may have its GUID.
    """
    assets, folders = _counts(data[:_HEAD])
    before = data[_HEAD:-_CHECKSUMS]
    same_kind = data[:16] == _head(made, 0, 0)[:16] and data[40:64] == _head(made, 0, 0)[40:64]
    if read_checksums(data) is None or not same_kind or checksum_of(before) != rows_checksum:
        return None
    if (assets, folders) != (index.count, index.folder_count):
        return None
    packed = bytearray(before)
    for old, new in pairs:
        places = {}
        former, current = memoryview(old.identities).cast("q"), memoryview(new.identities).cast("q")
        for number in [number for number, (one, other) in enumerate(zip(former, current, strict=True)) if one != other]:
            place = _place_of(number, new, index)
            if place is not None:
                places[place] = current[number].to_bytes(8, sys.byteorder, signed=True)
        for place, identity_now in places.items():
            row = slice(place // _PAIR * _PAIR, place // _PAIR * _PAIR + _PAIR)
            row = row if place < _PAIR * assets else slice(place, place + 8)
            if place < 0 or before[row] in (_NEVER, _NEVER[:8]):
                return None
            packed[place : place + 8] = identity_now
    after = bytes(packed)
    return [_head(made, assets, folders), after], checksum_of(after)


def _place_of(number: int, directory: DirectoryFacts, index: GuidRows) -> int | None:
    """Return a file's place among the rows, None or negative without one.

    None: it has no identity there; negative: its GUID has no row.
    """
    if number < 2 * directory.pair_count:
        guid = directory.guids[number // 2 * 16 : number // 2 * 16 + 16]
        row = index.row(int.from_bytes(guid[:8], "big"), int.from_bytes(guid[8:], "big")) if guid else None
        return _PAIR * row + 8 * (number % 2) if row is not None else None
    name = directory.files.split(b"/")[number].removesuffix(b".meta")
    folders = directory.folders.split(b"/")
    if name not in folders:
        return None
    start = 16 * folders.index(name)
    row = index.folder_row(int.from_bytes(directory.folder_guids[start : start + 16], "big"))
    return _PAIR * index.count + 8 * row if row >= 0 else -1


def with_checksums(parts: Sequence[bytes], checksum: int) -> list[bytes]:
    """Return the file; ``checksum`` is :func:`checksum_of` the index."""
    whole = b"".join((*parts, checksum.to_bytes(8, sys.byteorder)))
    return [whole, checksum_of(whole).to_bytes(8, sys.byteorder)]


def _metas(fields: PackedDirectories | LooseDirectories) -> dict[bytes, bytes]:
    """Return the identity of the meta of each folder, by its GUID."""
    metas: dict[bytes, bytes] = {}
    columns = [fields.each(name) for name in ("folders", "folder_guids", "files", "identities")]
    for count, folders, guids, files, identities in zip(fields.numbers("pair_count"), *columns, strict=True):
        if folders:
            unpaired = files.split(b"/")[count * 2 :]
            place = {name: count * _PAIR + 8 * number for number, name in enumerate(unpaired)}
            for number, name in enumerate(folders.split(b"/")):
                guid = guids[16 * number : 16 * number + 16]
                start = place.get(name + b".meta", -8)
                found = identities[start : start + 8] if start >= 0 else _NEVER[:8]
                metas[guid] = found if guid not in metas else _NEVER[:8]
    return metas


def checksum_of(data: bytes) -> int:
    """Return the checksum against bit rot: CRC-32."""
    from zlib import crc32  # noqa: PLC0415 - a question does without

    return crc32(data)


def read_checksums(data: bytes) -> tuple[int, int] | None:
    """Return an index's identity and checksum, None if the data is damaged."""
    head, whole = data[:_HEAD], data[:-8]
    if len(data) != _size(*_counts(head)) or int.from_bytes(data[-8:], sys.byteorder) != checksum_of(whole):
        return None
    return _signed(head, 72), int.from_bytes(data[-16:-8], sys.byteorder)


def belongs(path: str, made: Made) -> bool:
    """Whether a file is intact and has the given inputs."""
    try:
        with open(open_regular(path), "rb", buffering=0) as file:
            head = file.read(_HEAD) or b""
            size = os.fstat(file.fileno()).st_size
    except (OSError, FileError):
        return False
    counts = _counts(head)
    return head == _head(made, *counts) and size == _size(*counts)


def configuration_identity(path: str, check_stat: str) -> int:
    """Return the identity of an ``assetdb.toml``, or :data:`ABSENT`."""
    try:
        return identity(os.stat(path), check_stat)
    except (FileNotFoundError, NotADirectoryError):
        return ABSENT
    except OSError:
        return RACY


class Seen:
    """Compares the files of rows with their identities."""

    def __init__(
        self, data: mmap.mmap | bytes, root: str, configuration: str, database: os.stat_result, index: os.stat_result
    ) -> None:
        """Take the file's bytes, the project, its settings, and both files' status.

        Raises:
            ValueError: they belong to another database, or the settings have changed.
        """
        head = data[:_HEAD]
        self._check_stat = MINIMAL if head[40:48] != bytes(8) else DEFAULT
        compared = self._check_stat
        made = Made(
            identity(database, compared),
            identity(index, compared),
            configuration_identity(configuration, compared),
            compared,
        )
        counts = _counts(head)
        if head != _head(made, *counts) or len(data) != _size(*counts):
            raise ValueError("the identities belong to another database")
        if made.configuration == RACY:
            raise ValueError("the settings may have changed")
        self.counts = counts
        self._root = root
        self._data = data
        self._own: dict[str, bool] = {}

    def same_asset(self, row: int, path: str) -> bool:
        """Whether an asset and its meta are unchanged."""
        start = _HEAD + _PAIR * row
        return (
            self._same(start, path) and self._same(start + 8, path + ".meta") and self._is_own(path.rpartition("/")[0])
        )

    def same_folder(self, row: int, path: str) -> bool:
        """Whether a folder is there, and its meta unchanged."""
        return self._is_own(path) and self._same(_HEAD + _PAIR * self.counts[0] + 8 * row, path + ".meta")

    def _same(self, start: int, path: str) -> bool:
        try:
            status = os.stat(f"{self._root}/{path}")
        except (OSError, ValueError):
            return False
        known = _signed(self._data, start)
        return known == identity(status, self._check_stat) != RACY and stat.S_ISREG(status.st_mode)

    def _is_own(self, folder: str) -> bool:
        """Whether no link leads to a folder: moved files keep identities."""
        known = self._own
        unknown = []
        while folder and folder not in known:  # not recursive: a project may be 1,200 folders deep
            unknown.append(folder)
            folder = folder.rpartition("/")[0]
        is_own = known.get(folder, True)
        for path in reversed(unknown):
            if is_own:
                try:
                    kind = os.lstat(f"{self._root}/{path}").st_mode
                except (OSError, ValueError):
                    kind = 0
                # Assets itself may be a link, as the root may.
                is_own = stat.S_ISDIR(kind) or (stat.S_ISLNK(kind) and "/" not in path)
            known[path] = is_own
        return is_own


def _head(made: Made, assets: int, folders: int) -> bytes:
    order = sys.byteorder
    numbers = (assets, folders, made.configuration, int(made.check_stat == MINIMAL))
    return b"".join(
        (
            _MAGIC + _VERSION.to_bytes(4, order) + _ORDER.to_bytes(4, order),
            *(number.to_bytes(8, order, signed=True) for number in numbers),
            VERSION.encode()[:16].ljust(16, b"\0"),
            *(number.to_bytes(8, order, signed=True) for number in (made.database, made.database_index)),
        )
    )


def _counts(head: bytes) -> tuple[int, int]:
    return _signed(head, 16), _signed(head, 24)


def _size(assets: int, folders: int) -> int:
    return _HEAD + _PAIR * assets + 8 * folders + _CHECKSUMS


def _signed(data: mmap.mmap | bytes, start: int) -> int:
    return int.from_bytes(data[start : start + 8], sys.byteorder, signed=True)
