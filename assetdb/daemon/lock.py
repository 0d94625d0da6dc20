"""The daemon's lock: at most one daemon an output folder, however the one before ended.

The system gives a lock back when its holder dies, so this decides whether there is a daemon; the status file only says
where it is.
"""

from __future__ import annotations

import contextlib
import os

from assetdb.errors import AssetdbError, LockedError
from assetdb.settings.output_folder import make_folder
from assetdb.store import lock

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

LOCK_NAME: Final = "asset-db.watch.lock"
_WAIT: Final = 0.1  # seconds: whoever looks if there is a daemon has the lock for a moment


class DaemonLock:
    """The lock of an output folder, held by its daemon.

    Attributes:
        problem: why the system's own lock could not be used, or ``""``.
    """

    def __init__(self, folder: str, root: str, stack: contextlib.ExitStack) -> None:
        """Acquire it; ``stack`` releases it."""
        self._root = root
        self._stack = stack
        path = lock_path(folder)
        self._locks = {path: stack.enter_context(_file_lock(path))}  # of the outputs that there were, too
        self.problem = self._locks[path].problem

    def covers(self, folder: str) -> bool:
        """Whether this was the lock of a folder at some time."""
        return lock_path(folder) in self._locks

    def renew(self, folder: str) -> bool:
        """Hold the lock of what is the output now; False where another daemon has it.

        Its file may have been removed (`rm -rf Library`), or ``assetdb.toml`` may name another folder.
        """
        path = lock_path(folder)
        if path in self._locks and self._locks[path].is_current():
            return True
        try:
            make_folder(folder, self._root)
            self._locks[path] = self._stack.enter_context(_file_lock(path))
        except (AssetdbError, OSError):
            return False
        return True


@contextlib.contextmanager
def acquire_daemon_lock(folder: str, root: str = "") -> Iterator[DaemonLock]:
    """Be the only daemon of an output folder, of the project at ``root``.

    Raises:
        LockedError: there is one.
        ProjectError: its lock file is a link, or no file.
        OSError: the lock file cannot be made.
    """
    make_folder(folder, root)
    with contextlib.ExitStack() as stack:
        try:
            held = DaemonLock(folder, root, stack)
        except LockedError as error:
            raise LockedError(f"a daemon is already running for {folder}") from error
        yield held


def is_held(folder: str) -> bool:
    """Whether there is a daemon of an output folder."""
    return lock.is_held(lock_path(folder))


def lock_path(folder: str) -> str:
    """Return the path of the lock file of an output folder's daemon."""
    return os.path.join(folder, LOCK_NAME)


def _file_lock(path: str) -> lock.FileLock:
    return lock.FileLock(path, _WAIT, role="daemon")
