"""Files replaced whole or not at all, and the lock that keeps two bakes apart."""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING, Final

from assetdb.errors import LockedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LOCK_NAME: Final = "asset-db.lock"
_LOCK_STEP: Final = 0.02


def replace_file(path: str, parts: Iterable[bytes | memoryview]) -> None:
    """Write ``parts`` to a temporary file beside ``path`` and put it in its place.

    A reader sees the old file or the new one. The data is not forced to the disk: all files written here can
    be made again, and a forced write takes longer than a bake.

    Raises:
        OSError: the folder cannot be written, or the disk is full; the old file is then as it was.
    """
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as file:
            file.writelines(parts)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def remove_leftovers(folder: str, names: Iterable[str]) -> None:
    """Remove temporary files that killed processes left; only for the holder of the lock."""
    prefixes = tuple(f"{name}." for name in names)
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            if name.startswith(prefixes) and name.endswith(".tmp"):
                with contextlib.suppress(OSError):
                    os.unlink(os.path.join(folder, name))


@contextlib.contextmanager
def locked(path: str, timeout: float) -> Iterator[int]:
    """Hold the lock file at ``path``; the system gives it back if the process dies. Yields its descriptor.

    Raises:
        LockedError: another process held it for ``timeout`` seconds.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
    try:
        give_up = time.monotonic() + timeout
        while not _try_lock(descriptor):
            if time.monotonic() > give_up:
                raise LockedError(f"{path}: another bake has held this lock for {timeout:g} s")
            time.sleep(_LOCK_STEP)
        yield descriptor
    finally:
        os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    try:
        import fcntl  # noqa: PLC0415 - absent on Windows
    except ImportError:
        return _try_lock_windows(descriptor)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _try_lock_windows(descriptor: int) -> bool:
    import msvcrt  # noqa: PLC0415 - absent elsewhere

    lock = getattr(msvcrt, "locking", None)
    if lock is None:
        return True
    try:
        lock(descriptor, getattr(msvcrt, "LK_NBLCK", 2), 1)
    except OSError:
        return False
    return True
