"""The folder of facts that several machines and work trees share.

The cache and the memo of an output folder are copied there, each under the content id of its bytes, and never changed
afterwards. A project without its own starts from the newest: files are compared by content, and derived answers by
their inputs, so that facts of another commit are less useful but never wrong.

Nothing is removed but packs and their temporary files, by their names in folders of our names; in a folder that holds
anything else, nothing is written or removed at all. So no other program loses a file to a wrong setting.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import time
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Final, TypeVar

from assetdb.errors import FileError
from assetdb.scan.content_id import content_id, content_id_of
from assetdb.scan.known import cache
from assetdb.settings.project import package_name
from assetdb.settings.user import read_user_settings
from assetdb.store.files import MEMO_FORMAT, MEMO_NAME
from assetdb.system.reading import open_regular, read_small
from assetdb.version import VERSION
from assetdb_formats.atomic import replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_Taken = TypeVar("_Taken")
_PIECE: Final = 1 << 20
_MOST: Final = 4
"""Number of packs per project and kind: for the last few branches."""
LARGEST: Final = 4 << 30
"""Size limit of all packs; the least recently used go first."""
_MUCH_LARGER: Final = 1.1
_LEFT_AFTER: Final = 3600.0  # seconds after which a temporary file is abandoned
_MAY_NOT: Final = frozenset((errno.EACCES, errno.EPERM, errno.EROFS))
_PRODUCT: Final = re.compile(rb"^  productGUID: ([0-9a-f]{32})", re.MULTILINE)
_LARGEST_SETTINGS: Final = 1 << 22
_SHARED_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
# A pack, and the temporary file of one (assetdb_formats.atomic), in a folder of a project, formerly of 16 digits.
_FOLDER: Final = re.compile("[0-9a-f]{16}(?:[0-9a-f]{16})?")
_PACK: Final = re.compile(rf"([0-9a-f]{{32}})\.(?:{re.escape(cache.FILE_NAME)}|{re.escape(MEMO_NAME)})")
_TEMPORARY: Final = re.compile(r"\.[0-9]+\.[0-9a-f]{32}\.asset-d\.temporary")
_OF_SYSTEMS: Final = frozenset(("lost+found",))


class SharedFacts:
    """The packs of one project in the shared folder.

    Attributes:
        folder: of the project's packs, absolute; it may not be there.
        problems: paths with messages: packs that were damaged, folders that could not be written.
    """

    def __init__(self, root: str, store: str) -> None:
        """Name the project's folder in ``store``, which is shared; both are absolute.

        Raises:
            ScanError: whether the project is a package cannot be determined now.
        """
        formats = f"{cache.VERSION} {MEMO_FORMAT}"  # others have a folder of their own: nobody finds those damaged
        key = "\0".join((VERSION, formats, sys.byteorder, _identity_of(root)))
        self._store = store
        self.folder = os.path.join(store, content_id(key.encode("utf-8", "surrogatepass")).hex())
        self.problems: list[tuple[str, str]] = []

    def newest(self, name: str, take: Callable[[str], _Taken | None]) -> _Taken | None:
        """Read the newest useful pack of a file; damaged ones are removed.

        Args:
            name: of the file in an output folder.
            take: returns the contents of an intact pack by its path, None if it is useless.
        """
        for _, path in sorted(self._packs(name), reverse=True):
            try:
                is_sound = _is_sound(path)
            except PermissionError:
                self._report(path, "may not be read: another user wrote it (see the permissions of its folder)")
                continue
            except (OSError, FileError):  # removed by another process, or the drive is gone
                continue
            if not is_sound:
                is_removed = _remove(path)
                self._report(path, f"is damaged: it was ignored{' and removed' if is_removed else ''}")
                continue
            taken = take(path)
            if taken is not None:
                _touch(path)
                return taken
        return None

    @property
    def is_empty(self) -> bool:
        """Whether there are no facts of the project yet."""
        return not any(_digest_in(path) for path, _ in _files(self.folder))

    def wants_derived(self, derived: str, parsed: str, *, is_changed: bool) -> bool:
        """Whether a file of derived answers is worth publishing.

        True if there is none, or if the file has changed and the published one is older than the facts it was derived
        from, or much smaller.

        Args:
            derived: path of the file.
            parsed: name of the file published after much parsing.
            is_changed: whether the file was written just now.
        """
        packs = sorted(self._packs(os.path.basename(derived)))
        try:
            size = _size(derived)
            if not (packs and is_changed):
                return not packs
            return sorted(self._packs(parsed))[-1:] > packs[-1:] or size > _MUCH_LARGER * _size(packs[-1][1])
        except OSError:
            return False

    def publish(self, path: str) -> bool:
        """Copy a file of an output folder; return whether that worked.

        A read-only folder is no problem: others fill it. In one that several users may write, all of them may write
        what is made.
        """
        stranger = _stranger_in(self._store)
        if stranger:
            self._report(
                self._store,
                f"holds {stranger}, which is not assetdb's: nothing is shared (facts-cache or ASSETDB_FACTS must name a"
                " folder for nothing else)",
            )
            return False
        try:
            with open(open_regular(path), "rb", buffering=0) as file:
                digest = content_id_of(_pieces(file)).hex()
                file.seek(0)
                target = os.path.join(self.folder, f"{digest}.{os.path.basename(path)}")
                replace_file(target, _pieces(file), mode=self._make_folder())
        except FileExistsError:  # a process on another machine is writing the file
            return False
        except (OSError, FileError) as error:
            may_not = isinstance(error, OSError) and error.errno in _MAY_NOT and os.path.isdir(self._store)
            if not may_not:
                from assetdb_formats.files import words_of  # noqa: PLC0415 - only where something is wrong

                said = words_of(error)
                self._report(self.folder, f"cannot be written: {said}")
            elif os.access(self._store, os.W_OK) and not os.access(self.folder, os.W_OK):
                self._report(self.folder, "may not be written: another user made it, without permission for others")
            return False
        self._drop(os.path.basename(path))
        return True

    def _make_folder(self) -> int | None:
        """Make the project's folder; return the permissions for its files.

        None stands for the usual ones.
        """
        if not os.path.lexists(self._store):
            os.makedirs(self._store, exist_ok=True)
        mode = stat.S_IMODE(os.stat(self._store).st_mode)
        several = mode & _SHARED_WRITE and os.name != "nt"
        try:
            os.mkdir(self.folder)
        except FileExistsError:
            pass
        else:
            if several:
                os.chmod(self.folder, mode)
        return mode & 0o666 if several else None

    def _report(self, path: str, message: str) -> None:
        if (path, message) not in self.problems:  # a daemon reports each once
            self.problems.append((path, message))

    def _packs(self, name: str) -> list[tuple[float, str]]:
        """Return time and path of the project's packs of a file."""
        packs = [(status.st_mtime, path) for path, status in _files(self.folder) if _digest_in(path)]
        return [pack for pack in packs if pack[1].endswith(f".{name}")]

    def _drop(self, name: str) -> None:
        """Remove old packs, and temporary files of killed processes."""
        for _, path in sorted(self._packs(name))[:-_MOST]:
            _remove(path)
        found = []
        try:
            folders = [entry.path for entry in os.scandir(self._store) if _is_folder(entry)]
        except OSError:
            return
        for folder in folders:
            for path, status in _files(folder):
                if _TEMPORARY.fullmatch(os.path.basename(path)):
                    if time.time() - status.st_mtime > _LEFT_AFTER:
                        _remove(path)
                elif _digest_in(path):
                    found.append((status.st_atime, status.st_size, path))
        whole = sum(size for _, size, _ in found)
        for _, size, path in sorted(found):
            if whole <= LARGEST:
                break
            _remove(path)
            whole -= size


def shared_facts(root: str) -> SharedFacts | None:
    """Return the shared facts of a project, None without a folder.

    Raises:
        ConfigurationError: the user's settings are wrong.
        ScanError: whether the project is a package cannot be determined now.
    """
    store = read_user_settings().facts_cache
    return SharedFacts(root, store) if store else None


def _identity_of(root: str) -> str:
    """Return the identity of a project, which all its clones share."""
    name = package_name(root)
    if name:
        return name
    try:
        settings = read_small(os.path.join(root, "ProjectSettings", "ProjectSettings.asset"), _LARGEST_SETTINGS)
    except (OSError, FileError):
        settings = b""
    found = _PRODUCT.search(settings)  # binary settings have no readable GUID
    return found[1].decode() if found else os.path.basename(root)


def _files(folder: str) -> list[tuple[str, os.stat_result]]:
    """Return regular files of a folder with status; a link has none."""
    found = []
    if os.path.islink(folder):  # made by somebody else: what it leads to is neither ours to read nor to remove
        return []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                try:
                    if entry.is_file(follow_symlinks=False):
                        found.append((entry.path, entry.stat(follow_symlinks=False)))
                except OSError:
                    continue
    except OSError:
        return []
    return found


def _digest_in(path: str) -> str:
    """Return the digest in the name of a pack, or ``""``."""
    found = _PACK.fullmatch(os.path.basename(path))
    return found[1] if found else ""


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether an entry of the shared folder is a project's folder."""
    return _FOLDER.fullmatch(entry.name) is not None and entry.is_dir(follow_symlinks=False)


def _stranger_in(store: str) -> str:
    """Return a path in the folder that is not ours, or ``""``.

    Hidden names do not count, which systems make (``.DS_Store``, ``.nfs...``).
    """
    try:
        with os.scandir(store) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if not _is_folder(entry) and not _is_hidden(entry.name):
                    return entry.name
                if _is_folder(entry):
                    for name in sorted(os.listdir(entry.path)):
                        if not _digest_in(name) and not _is_hidden(name):
                            return f"{entry.name}/{name}"
    except OSError:  # it is not there yet, or cannot be written either
        return ""
    return ""


def _is_hidden(name: str) -> bool:
    return name.startswith(".") or name in _OF_SYSTEMS


def _is_sound(path: str) -> bool:
    """Whether a pack's digest matches its name.

    Raises:
        OSError, FileError: it cannot be read.
    """
    with open(open_regular(path), "rb", buffering=0) as file:
        return content_id_of(_pieces(file)).hex() == _digest_in(path)


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    while piece := file.read(_PIECE):
        yield piece


def _touch(path: str) -> None:
    """Record that a pack was used; its modification time is kept."""
    with suppress(OSError):  # of another user, or on a read-only disk: it is removed somewhat earlier
        os.utime(path, ns=(time.time_ns(), os.stat(path).st_mtime_ns))


def _size(path: str) -> int:
    return os.stat(path).st_size


def _remove(path: str) -> bool:
    """Remove a file; return whether it is gone."""
    with suppress(OSError):  # another process was first, or has the permission
        os.unlink(path)
    return not os.path.lexists(path)
