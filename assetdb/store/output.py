"""The files of one project's database: where they are, what is in them, and replacing them."""

from __future__ import annotations

import os

from assetdb.errors import FileError, ProjectError
from assetdb.scan import cache, seen
from assetdb.store.files import DATABASE_NAME, INDEX_NAME, LOCK_NAME, remove_leftovers
from assetdb.store.lock import FileLock
from assetdb.system.identity import DEFAULT, identity
from assetdb.system.reading import open_regular
from formats.atomic import replace_file

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assetdb.scan.directory import Directory


class Output:
    """Database, index and cache in one folder.

    Attributes:
        folder: absolute path.
        database: path of the ``asset-db.bin``.
        index: path of the index beside it.
        cache: path of the cache.
        seen: path of what tells whether the files behind a row are what they were.
    """

    def __init__(self, folder: str, check_stat: str = DEFAULT, root: str = "") -> None:
        """Name the files in ``folder``; ``check_stat`` says how to tell whether they are still those written.

        ``root`` is the project, which is never made again where it was removed.
        """
        self.folder = folder
        self._check_stat = check_stat
        self._root = root
        self.database = os.path.join(folder, DATABASE_NAME)
        self.index = os.path.join(folder, INDEX_NAME)
        self.cache = os.path.join(folder, cache.FILE_NAME)
        self.seen = os.path.join(folder, seen.FILE_NAME)

    def make_folder(self) -> None:
        """Make the folder.

        Raises:
            ProjectError: it cannot be made.
        """
        try:
            make_folder(self.folder, self._root)
        except OSError as error:
            raise ProjectError(f"{self.folder} cannot be made: {error.strerror}") from error

    def locked(self, timeout: float, on_wait: Callable[[str], None] | None = None, *, role: str = "bake") -> FileLock:
        """Return the lock of the folder, which keeps bakes apart, to be held by ``with``; see there for what it raises.

        ``on_wait`` is told who holds it, after a second of waiting; ``role`` is what this process says of itself.
        """
        return FileLock(os.path.join(self.folder, LOCK_NAME), timeout, role=role, on_wait=on_wait)

    def remove_leftovers(self) -> None:
        """Remove temporary files that killed processes left; only for the holder of the lock."""
        remove_leftovers(self.folder, (DATABASE_NAME, INDEX_NAME, cache.FILE_NAME, seen.FILE_NAME))

    def identities(self) -> tuple[int, int, int, int]:
        """Return size and identity of the database and of its index; zeros where one is not there."""
        return (*self._identity(self.database), *self._identity(self.index))

    def _identity(self, path: str) -> tuple[int, int]:
        try:
            status = os.stat(path)
        except OSError:
            return 0, 0
        return status.st_size, identity(status, self._check_stat)

    def write(self, database_parts: Sequence[bytes], index_parts: Sequence[bytes]) -> bool:
        """Replace what differs, the database first; return whether that differed."""
        changed = not _holds(self.database, database_parts)
        if changed:
            replace_file(self.database, database_parts)
        if changed or not _holds(self.index, index_parts):
            replace_file(self.index, index_parts)
        return changed

    def read_cache(self) -> cache.Cache:
        """Return the cache, an empty one where none can be read."""
        return cache.read(self.cache)

    def write_cache(self, settings: bytes, asset_count: int, problems: bytes, directories: Sequence[Directory]) -> None:
        """Write what is known (``problems`` packed), as belonging to the database and index that are there now."""
        self.write_encoded_cache(cache.encode(settings, self.identities(), asset_count, problems, directories))

    def write_encoded_cache(self, parts: Sequence[bytes]) -> None:
        """Do that with what is encoded already."""
        replace_file(self.cache, parts)

    def has_seen(self, configuration: int) -> bool:
        """Whether what was seen is there and of these files; ``configuration`` is the identity of ``assetdb.toml``."""
        return seen.belongs(self.seen, self._made(configuration))

    def write_seen(
        self, configuration: int, guids: Sequence[bytes], folders: Sequence[bytes], directories: Sequence[Directory]
    ) -> None:
        """Write what was seen of the files behind the database and index that are there now."""
        checksum = seen.checksum_of(read_bytes(self.index))
        replace_file(self.seen, seen.encode(self._made(configuration), guids, folders, directories, checksum))

    def _made(self, configuration: int) -> seen.Made:
        _, database, _, index = self.identities()
        return seen.Made(database, index, configuration, self._check_stat)


def make_folder(folder: str, root: str = "") -> None:
    """Make a folder and those above it, but never ``root``: a project that was removed must not come back empty.

    Raises:
        OSError: it cannot be made.
    """
    inside = root and folder.startswith(os.path.join(root, ""))
    if not inside:
        os.makedirs(folder, exist_ok=True)
        return
    here = root
    for name in folder[len(root) :].split(os.sep):
        if name:
            here = os.path.join(here, name)
            try:
                os.mkdir(here)
            except FileExistsError:
                if not os.path.isdir(here):
                    raise


def read_bytes(path: str) -> bytes:
    """Return the bytes of a file, none where it cannot be read."""
    try:
        with open(open_regular(path), "rb") as file:
            return file.read()
    except (OSError, FileError):
        return b""


def _holds(path: str, parts: Sequence[bytes]) -> bool:
    try:
        if os.stat(path).st_size != sum(map(len, parts)):
            return False
    except OSError:
        return False
    return read_bytes(path) == b"".join(parts)
