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
    from collections.abc import Sequence
    from typing import Final

    from assetdb.scan.directory import DirectoryFacts
    from assetdb.scan.known.packed import LooseDirectories, PackedDirectories

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
    whole = b"".join((_head(made, assets, folders), packed, checksum.to_bytes(8, sys.byteorder)))
    return [whole, checksum_of(whole).to_bytes(8, sys.byteorder)]


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
        own = self._own
        unknown = []
        while folder and folder not in own:  # not recursive: a project may be 1,200 folders deep
            unknown.append(folder)
            folder = folder.rpartition("/")[0]
        is_own = own.get(folder, True)
        for path in reversed(unknown):
            if is_own:
                try:
                    kind = os.lstat(f"{self._root}/{path}").st_mode
                except (OSError, ValueError):
                    kind = 0
                # Assets itself may be a link, as the root may.
                is_own = stat.S_ISDIR(kind) or (stat.S_ISLNK(kind) and "/" not in path)
            own[path] = is_own
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
