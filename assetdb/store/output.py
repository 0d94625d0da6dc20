"""The files of one project's database, and their replacement."""

from __future__ import annotations

import errno
import os

from assetdb.errors import DatabaseError, FileError, ProjectError
from assetdb.scan.known import cache, file_identities
from assetdb.settings.output_folder import make_folder
from assetdb.store.files import DATABASE_NAME, DATABASE_START, INDEX_NAME, LOCK_NAME, MEMO_NAME
from assetdb.store.lock import FileLock
from assetdb.system.identity import DEFAULT, identity
from assetdb.system.reading import open_regular
from assetdb_formats.atomic import put_in_place, remove_leftovers, replace_file

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Final

_NOT_THROUGH_LINKS: Final = getattr(os, "O_NOFOLLOW", 0)  # Windows has no such flag


class Output:
    """Paths of database, index, cache and file identities in one folder."""

    def __init__(self, folder: str, check_stat: str = DEFAULT, root: str = "") -> None:
        """Name the files in ``folder``.

        ``check_stat``: how to detect changes to them; ``root``: the project, which is never recreated.
        """
        self.folder = folder
        self._check_stat = check_stat
        self._root = root
        self.database = os.path.join(folder, DATABASE_NAME)
        self.index = os.path.join(folder, INDEX_NAME)
        self.cache = os.path.join(folder, cache.FILE_NAME)
        self.log = os.path.join(folder, cache.LOG_NAME)
        self.seen = os.path.join(folder, file_identities.FILE_NAME)
        self._unfinished = self._temporary(cache.FILE_NAME)
        self._unfinished_seen = self._temporary(file_identities.FILE_NAME)

    def _temporary(self, name: str) -> str:
        # Not the name of replace_file: a daemon that is stopped writes one while another is being written.
        return os.path.join(self.folder, f".{os.getpid()}.unfinished.{name}.temporary")

    def make_folder(self) -> None:
        """Make the folder.

        Raises:
            ProjectError: it cannot be made.
        """
        try:
            make_folder(self.folder, self._root)
        except OSError as error:
            from assetdb_formats.files import words_of  # noqa: PLC0415 - only where something is wrong

            raise ProjectError(f"{self.folder} cannot be made: {words_of(error)}") from error

    def locked(self, timeout: float, on_wait: Callable[[str], None] | None = None, *, role: str = "bake") -> FileLock:
        """Return the folder's lock for a ``with`` block; see :class:`FileLock`."""
        return FileLock(os.path.join(self.folder, LOCK_NAME), timeout, role=role, on_wait=on_wait)

    def remove_leftovers(self, *, but_cache: bool = False) -> None:
        """Remove temporary files of killed processes, while holding the lock.

        With ``but_cache`` the file of :meth:`begin_cache` is kept.
        """
        keep = os.path.basename(self._unfinished) if but_cache else ""
        names = (DATABASE_NAME, INDEX_NAME, cache.FILE_NAME, file_identities.FILE_NAME)
        remove_leftovers(self.folder, (*names, MEMO_NAME), keep)

    def identities(self) -> tuple[int, int, int, int]:
        """Return sizes and identities of database and index, zeros if absent.

        A database of another schema counts as absent, so that nothing made from it is reused and a bake replaces it.
        """
        database = self._identity(self.database)
        if database[0] and not _has_this_schema(self.database):
            database = 0, 0
        return (*database, *self._identity(self.index))

    def _identity(self, path: str) -> tuple[int, int]:
        try:
            status = os.stat(path)
        except OSError:
            return 0, 0
        return status.st_size, identity(status, self._check_stat)

    def write(self, database_parts: Sequence[bytes], index_parts: Sequence[bytes]) -> bool:
        """Replace database, then index, if they differ; return whether the database did."""
        changed = not _holds(self.database, database_parts)
        if changed:
            self._replace(self.database, database_parts)
        if changed or not _holds(self.index, index_parts):
            self._replace(self.index, index_parts)
        return changed

    def write_index(self, index: bytes, files: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
        """Replace the index of a database; return their sizes and identities.

        ``files`` are these of the database and the index before. If another program has replaced the database, the
        returned ones are of no files.
        """
        self._replace(self.index, [index])
        return (*files[:2], *self._identity(self.index))

    def _replace(self, path: str, parts: Sequence[bytes]) -> None:
        """Replace a file, if need be in an unfinished cache's space."""
        try:
            replace_file(path, parts)
        except OSError:
            if not self.drop_cache():
                raise
            replace_file(path, parts)

    def difference(self, data: bytes, index: Callable[[], bytes] | None) -> tuple[bool, tuple[str, ...]]:
        """Return whether :meth:`write` would change anything, and the database's differing lines."""
        old = read_bytes(self.database)
        if data != old:
            from assetdb.store.dump import difference  # noqa: PLC0415 - only where a check fails

            return True, difference(old, data)
        return index is not None and read_bytes(self.index) != index(), ()

    def read_contents(self, files: tuple[int, int, int, int]) -> tuple[bytes, bytes] | None:
        """Return the bytes of database and index, None if these changed."""
        contents = read_bytes(self.database), read_bytes(self.index)
        return contents if files == self.identities() else None

    def read_sound(self, files: tuple[int, int, int, int]) -> tuple[bytes, bytes] | None:
        """Return checked bytes of database and index, None if changed or damaged."""
        contents = self.read_contents(files)
        return contents if contents is not None and self._is_sound(contents, files[3]) else None

    def moved(self, files: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
        """Return sizes and identities of files that were moved here.

        For an output folder that CI restores. If they differ, returns ``files``.
        """
        current = self.identities()
        if current == files or not files[0] or current[::2] != files[::2]:
            return files
        contents = self.read_contents(current)
        return current if contents is not None and self._is_sound(contents, files[3]) else files

    def _is_sound(self, contents: tuple[bytes, bytes], identity_of_index: int) -> bool:
        """Whether database and index match checksums made for an index's identity."""
        from assetdb.scan.content_id import content_id  # noqa: PLC0415 - the same
        from assetdb.store.indexes.reader import Index  # noqa: PLC0415 - the same

        data, index = contents
        if file_identities.read_checksums(read_bytes(self.seen)) != (
            identity_of_index,
            file_identities.checksum_of(index),
        ):
            return False
        try:
            found = Index(memoryview(index))
        except DatabaseError:
            return False
        return found.graph_parts is not None and found.digest == content_id(data)

    def read_cache(self) -> cache.Cache:
        """Return the cache with later edits, or an empty one."""
        found = cache.read(self.cache)
        if found.prefix and os.path.exists(self.log):
            from assetdb.scan.known import cache_log  # noqa: PLC0415 - only after an edit

            most = cache_log.most_bytes(self.size_of_cache(found.prefix))  # no bake writes more
            found = cache_log.followed(found, read_bytes(self.log, most))
        return cache.EMPTY if found.prefix and self._is_foreign(found) else found

    def _is_foreign(self, found: cache.Cache) -> bool:
        """Whether a cache came with a commit, of which nothing is believed."""
        if all(found.files) and found.files == self.identities():  # times and numbers that no commit can know
            return False
        from assetdb.history.git.stamp import came_with_commit  # noqa: PLC0415 - only of a restored or an older cache

        return came_with_commit(self.cache)

    def write_cache(self, parts: Sequence[bytes]) -> None:
        """Replace the cache; ``parts`` are encoded."""
        _removed(self.log)
        replace_file(self.cache, cache.batches(parts))

    def size_of_cache(self, prefix: bytes) -> int:
        """Return the cache's size, 0 if it begins otherwise."""
        try:
            with open(open_regular(self.cache), "rb", buffering=0) as file:
                return os.fstat(file.fileno()).st_size if file.read(len(prefix)) == prefix else 0
        except (OSError, FileError):
            return 0

    def append(self, record: bytes, place: int) -> None:
        """Write an edit into the cache's log, from a place.

        What was behind it is removed. The caller holds the lock.

        Raises:
            OSError: it cannot be written, or a link leads to it; the edits before it are kept.
        """
        if not place:
            _removed(self.log)  # of another cache
        with open(self.log, "r+b" if place else "xb", buffering=0, opener=_open_own) as file:
            file.truncate(place)
            file.seek(place)
            if file.write(record) != len(record):
                file.truncate(place)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self.log)

    def begin_cache(self, parts: Sequence[bytes], is_wanted: Callable[[], bool] = lambda: True) -> bool:
        """Write a cache to a temporary file, without the lock.

        It may belong to files that do not exist yet. ``is_wanted`` is called periodically and may stop it; returns
        whether it was completed.

        Raises:
            OSError: it cannot be written; it is removed.
        """
        return self._begin(self._unfinished, parts, is_wanted)

    def begin_seen(self, parts: Sequence[bytes]) -> None:
        """Write the file identities to a temporary file.

        Raises:
            OSError: it cannot be written; it is removed.
        """
        self._begin(self._unfinished_seen, parts, lambda: True)

    def _begin(self, path: str, parts: Sequence[bytes], is_wanted: Callable[[], bool]) -> bool:
        _removed(path)  # from a process killed while writing
        try:
            with open(path, "xb") as file:
                for batch in cache.batches(parts):
                    if not is_wanted():
                        break
                    file.write(batch)
                else:
                    return True
        except OSError:
            _removed(path)
            raise
        _removed(path)
        return False

    def finish_cache(self) -> bool:
        """Put the cache in its place; False if it is gone.

        It belongs to the current files. The caller holds the lock.

        Raises:
            OSError: it cannot be put in place; the temporary file is removed.
        """
        try:
            with open(self._unfinished, "r+b", buffering=0) as file:
                prefix = cache.belonging_to(self.identities(), file.read(cache.PREFIX_SIZE) or b"")
                file.seek(0)
                file.write(prefix)
        except (FileNotFoundError, ValueError):
            _removed(self._unfinished)
            return False
        # First: if the process is killed in between, the former cache has fewer edits; they are read again.
        _removed(self.log)
        return _put(self._unfinished, self.cache)

    def finish_seen(self) -> bool:
        """Put the file identities in place, holding the lock; False without any.

        Raises:
            OSError: they cannot be put in place; the temporary file is removed.
        """
        return _put(self._unfinished_seen, self.seen)

    def drop_cache(self) -> bool:
        """Remove unfinished files; False if there are none."""
        return any([_removed(self._unfinished), _removed(self._unfinished_seen)])

    def remove_cache(self) -> None:
        """Remove a cache of other files, which only takes space."""
        if self.read_cache().files != self.identities():  # its edits count: they may be of a later database
            _removed(self.log)
            _removed(self.cache)
            _removed(self.seen)

    def has_seen(self, configuration: int) -> bool:
        """Whether the file identities belong to database, index and the configuration's identity."""
        _, database, _, index = self.identities()
        return file_identities.belongs(
            self.seen, file_identities.Made(database, index, configuration, self._check_stat)
        )


def _has_this_schema(path: str) -> bool:
    """Whether a database has this version's magic and schema."""
    try:
        with open(open_regular(path), "rb", buffering=0) as file:
            return file.read(len(DATABASE_START)) == DATABASE_START
    except (OSError, FileError):
        return False


def read_bytes(path: str, most: int = -1) -> bytes:
    """Return the first bytes of a file, none if it is unreadable."""
    try:
        with open(open_regular(path), "rb") as file:
            return file.read(most)
    except (OSError, FileError):
        return b""


def _open_own(path: str, flags: int) -> int:
    """Open a file of this folder alone.

    Raises:
        OSError: it cannot be opened, or is a link (a hard one, too) to a file of somebody else.
    """
    descriptor = os.open(path, flags | _NOT_THROUGH_LINKS, 0o666)
    if os.fstat(descriptor).st_nlink == 1 and (_NOT_THROUGH_LINKS or not os.path.islink(path)):
        return descriptor
    os.close(descriptor)
    raise OSError(errno.EMLINK, os.strerror(errno.EMLINK), path)


def _put(path: str, place: str) -> bool:
    try:
        put_in_place(path, place)
    except FileNotFoundError:
        return False
    except OSError:
        _removed(path)
        raise
    return True


def _removed(path: str) -> bool:
    """Remove a file; False if there is none, or it cannot be."""
    try:
        os.unlink(path)
    except OSError:
        return False
    return True


def _holds(path: str, parts: Sequence[bytes]) -> bool:
    try:
        if os.stat(path).st_size != sum(map(len, parts)):
            return False
    except OSError:
        return False
    return read_bytes(path) == b"".join(parts)
