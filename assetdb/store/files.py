"""The lock that keeps two bakes apart, and what killed ones leave behind.

Files are replaced by :func:`formats.atomic.replace_file`. Their data is not forced to the disk: all that is written
here can be made again, and a forced write takes longer than a bake.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time

from assetdb.errors import LockedError

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Final

# Here and not with what encodes them: a bake that changes nothing asks for the names alone.
DATABASE_NAME: Final = "asset-db.bin"
INDEX_NAME: Final = "asset-db.index"
LOCK_NAME: Final = "asset-db.lock"
_LOCK_STEP: Final = 0.02


def remove_leftovers(folder: str, names: Iterable[str]) -> None:
    """Remove temporary files that killed processes left; only for the holder of the lock."""
    endings = tuple(f".{name}.temporary" for name in names)
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            if name.endswith(endings):
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


if sys.platform == "win32":

    def _try_lock(descriptor: int) -> bool:
        import msvcrt  # noqa: PLC0415 - absent elsewhere

        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:

    def _try_lock(descriptor: int) -> bool:
        import fcntl  # noqa: PLC0415 - absent on Windows

        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
