"""Lock files of bakes and daemons, which name their holder.

The system's own lock (``flock``) is released when its holder dies, in whatever way. If a file system has none (some
NFS, FUSE and WSL shares), a second file created with ``O_EXCL`` is the lock: it names computer, process and the
process's start, so that others can check whether its creator is gone.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from zlib import crc32

from assetdb.errors import LockedError, ProjectError
from assetdb.store.lock_owner import Holder, this_host, this_process, unpack

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final, Self

_STEP: Final = 0.02  # seconds
_SAY_AFTER: Final = 1.0
_EXCLUSIVE: Final = ".exclusive"  # suffix of the second file's name
_MOST_GUARDS: Final = 8  # takeovers in a row whose processes were killed
_UNFINISHED: Final = 60.0  # seconds after which the creator has certainly written its name
_MOST_LINKED: Final = 8  # hard links replaced in a row
_MOST_BYTES: Final = 8192
_NOT_HERE: Final = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP})
# A cloned repository may contain a link or a pipe with the lock's name: neither is followed or waited for. Without
# O_BINARY Windows writes a line end as two bytes: the holder's line began a byte later, so waiting bakes named nobody.
_SAFELY: Final = (
    getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


class FileLock:
    """A lock file, to be held by ``with``.

    Attributes:
        path: of the file.
        problem: why the system's own lock could not be used, or ``""``.
    """

    def __init__(
        self, path: str, timeout: float, *, role: str = "bake", on_wait: Callable[[str], None] | None = None
    ) -> None:
        """Prepare a lock; no file is created yet.

        Args:
            path: of the lock file, created if missing.
            timeout: seconds to wait for another process.
            role: what this process does, for the message to waiting processes.
            on_wait: given the holder after a second of waiting, and again when it changes.
        """
        self.path = path
        self.problem = ""
        self._timeout = timeout
        self._role = role
        self._on_wait = on_wait
        self._descriptor = -1
        self._links_replaced = 0
        self._exclusive = b""  # this process's content of the second file

    def __enter__(self) -> Self:
        """Wait for the lock.

        Raises:
            LockedError: another process held it until the timeout.
            ProjectError: it is not a regular file.
            OSError: it cannot be made.
        """
        began = time.monotonic()
        reported = ""
        while not self._try():
            waited = time.monotonic() - began
            if waited >= self._timeout:
                raise LockedError(self._refusal())
            if waited >= _SAY_AFTER and self._on_wait is not None:
                holder = str(holder_of(self.path) or f"another process that holds {self.path}")
                if holder != reported:
                    self._on_wait(holder)
                    reported = holder
            time.sleep(_STEP)
        return self

    def __exit__(self, *_: object) -> None:
        """Release the lock."""
        if self._descriptor >= 0:
            try:  # noqa: SIM105 - contextlib takes time that a bake does not have
                os.ftruncate(self._descriptor, 1)  # so that this process is no longer named as holder
            except OSError:
                pass
            os.close(self._descriptor)
            self._descriptor = -1
        if self._exclusive:
            _remove_own(self.path + _EXCLUSIVE, self._exclusive)
            self._exclusive = b""

    def is_current(self) -> bool:
        """Whether the held lock belongs to the current file."""
        try:
            if self._descriptor >= 0:
                return _is_at(self._descriptor, self.path)
            return bool(self._exclusive) and _read(self.path + _EXCLUSIVE) == self._exclusive
        except (OSError, ProjectError):
            return False

    # --- one attempt

    def _try(self) -> bool:
        descriptor = _open(self.path, os.O_RDWR | os.O_CREAT)
        try:
            try:
                held = flock(descriptor)
            except OSError as error:
                if error.errno not in _NOT_HERE:
                    raise
                from assetdb_formats.files import words_of  # noqa: PLC0415 - only where something is wrong

                self.problem = words_of(error)
                return self._try_exclusive()
            if not held or not _is_at(descriptor, self.path):  # removed meanwhile: others lock the new file
                return False
            if os.fstat(descriptor).st_nlink > 1:
                return self._replace_linked()
            _write(descriptor, this_process(self._role, whole=False).packed())
            # Another process holds the second file, if the file system had no locks for a moment.
            other = _holder(self.path + _EXCLUSIVE)
            if other is not None and other.host == this_host() and not other.is_gone():
                os.ftruncate(descriptor, 1)
                return False
            self._descriptor, descriptor = descriptor, -1
            return True
        finally:
            if descriptor >= 0:
                os.close(descriptor)

    def _replace_linked(self) -> bool:
        """Try again with a new file in place of a hard link.

        The link may lead to another user's file. The caller has locked the link, so nobody else replaces it at the same
        time.

        Raises:
            ProjectError: it cannot be removed.
        """
        if self._links_replaced >= _MOST_LINKED:
            return False
        self._links_replaced += 1
        try:
            os.unlink(self.path)
        except OSError as error:
            raise ProjectError(f"{self.path} is a hard link, which a lock file must not be: remove it") from error
        return self._try()

    def _try_exclusive(self) -> bool:
        path = self.path + _EXCLUSIVE
        packed = this_process(self._role, whole=True).packed()
        if not _claim(path, packed, 0):
            return False
        other = _holder(self.path, 1)
        if other is not None and other.host == this_host() and not other.is_gone():
            _remove_own(path, packed)
            return False
        self._exclusive = packed
        _remove_guards(path)
        return True

    # --- the holder

    def _refusal(self) -> str:
        holder = holder_of(self.path)
        message = f"{self.path} is held by {holder or 'another process'}"
        if self._timeout:
            message += f"; gave up after {self._timeout:g} s"
        if self.problem and (holder is None or holder.host != this_host()):
            message += f"; if that is gone, remove {self.path}{_EXCLUSIVE}"
        return message


def holder_of(path: str) -> Holder | None:
    """Return the holder of a lock file, None without a living one."""
    for name, start in ((path + _EXCLUSIVE, 0), (path, 1)):
        found = _holder(name, start)
        if found is not None and not found.is_gone():
            return found
    return None


def is_held(path: str) -> bool:
    """Whether a process holds a lock file; nothing is created or written."""
    try:
        descriptor = _open(path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
    except ProjectError:
        return False  # it cannot be held
    except OSError:
        pass
    else:
        try:
            if not flock(descriptor, shared=True):
                return True
        except OSError:
            pass
        finally:
            os.close(descriptor)
    try:
        return _stale_mark(path + _EXCLUSIVE) == b""
    except ProjectError:
        return False


if sys.platform == "win32":

    def flock(descriptor: int, *, shared: bool = False) -> bool:  # noqa: ARG001 - Windows has one kind
        """Take the system's lock; False if another process has it."""
        import msvcrt  # noqa: PLC0415 - absent elsewhere

        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:

    def flock(descriptor: int, *, shared: bool = False) -> bool:
        """Take the system's lock; False if another process has it."""
        import fcntl  # noqa: PLC0415 - absent on Windows

        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


# --- the files


def _open(path: str, flags: int) -> int:
    """Open a lock file.

    Raises:
        ProjectError: it is a link, a folder or not a regular file.
        OSError: it cannot be opened.
    """
    try:
        descriptor = os.open(path, flags | _SAFELY, 0o666)
    except OSError as error:
        other = error.errno in (errno.ELOOP, errno.EMLINK, errno.EISDIR, errno.ENXIO)
        if other or os.path.islink(path) or os.path.isdir(path):  # a folder is EACCES on Windows
            raise _no_lock(path) from error
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _no_lock(path)
    return descriptor


def _no_lock(path: str) -> ProjectError:
    what = "a symbolic link" if os.path.islink(path) else "no regular file"
    return ProjectError(f"{path} is {what}, which a lock file must not be: remove it")


def _is_at(descriptor: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.lstat(path))
    except OSError:
        return False


def _write(descriptor: int, packed: bytes) -> None:
    """Write the holder after the first byte, unreadable while locked on Windows."""
    try:
        os.lseek(descriptor, 0, os.SEEK_SET)
        written = os.write(descriptor, b"\n" + packed)
        os.ftruncate(descriptor, written)
    except OSError:  # a full disk: the lock is held anyway
        pass


def _read(path: str, start: int = 0) -> bytes:
    """Return the text of a lock file."""
    descriptor = _open(path, os.O_RDONLY)
    try:
        os.lseek(descriptor, start, os.SEEK_SET)
        return os.read(descriptor, _MOST_BYTES)
    finally:
        os.close(descriptor)


def _holder(path: str, start: int = 0) -> Holder | None:
    try:
        return unpack(_read(path, start))
    except (OSError, ProjectError):
        return None


# --- the O_EXCL lock


def _claim(path: str, packed: bytes, depth: int) -> bool:
    """Create the file, or take over one of a dead process.

    Between detecting a stale file and removing it, another process may have done both and be the holder. So only the
    creator of a guard, a file named after exactly this stale one, may remove it; the guard of a killed creator is stale
    itself, and is taken over in the same way.
    """
    if _make(path, packed):
        return True
    mark = _stale_mark(path)
    if not mark or depth >= _MOST_GUARDS:
        return False
    guard = f"{path.partition(_EXCLUSIVE)[0]}{_EXCLUSIVE}.{crc32(mark):08x}"
    if not _claim(guard, packed, depth + 1):
        return False
    try:
        if _stale_mark(path) == mark:
            os.unlink(path)
    finally:
        _remove_own(guard, packed)
    return _make(path, packed)


def _make(path: str, packed: bytes) -> bool:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SAFELY, 0o666)
    except FileExistsError:
        return False
    try:
        os.write(descriptor, packed)
    except BaseException:
        os.unlink(path)  # an empty file would block others
        raise
    finally:
        os.close(descriptor)
    return True


def _stale_mark(path: str) -> bytes | None:
    """Return the mark of a file of a dead process.

    The mark is ``b""`` if the creator may be alive, and None if the file is missing or cannot be read.

    Raises:
        ProjectError: the path leads to something that is not a file.
    """
    try:
        descriptor = _open(path, os.O_RDONLY)
    except OSError:
        return None
    try:
        packed = os.read(descriptor, _MOST_BYTES)
        status = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    holder = unpack(packed)
    unfinished = not packed and abs(time.time() - status.st_mtime) > _UNFINISHED  # killed before it could write
    stale = unfinished if holder is None else holder.is_gone()
    return b"%d %d %b" % (status.st_ino, status.st_mtime_ns, packed) if stale else b""


def _remove_own(path: str, packed: bytes) -> None:
    try:
        if _read(path) == packed:
            os.unlink(path)
    except (OSError, ProjectError):  # removed with its folder
        pass


def _remove_guards(path: str) -> None:
    """Remove guards left by killed takeovers.

    Only the holder may: the stale files that the guards were made for are gone, so the guards grant nothing.
    """
    folder, name = os.path.split(path)
    try:
        for found in os.listdir(folder or os.curdir):
            if found.startswith(f"{name}."):
                os.unlink(os.path.join(folder, found))
    except OSError:
        pass
