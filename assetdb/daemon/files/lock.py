"""The daemon's lock: at most one daemon for an output folder.

The system releases a lock when its holder dies, so the lock decides whether there is a daemon; the status file only
tells how to reach it.
"""

from __future__ import annotations

import os
import sys

from assetdb.daemon.files.status_file import digest_of, runtime_folder
from assetdb.errors import LockedError
from assetdb.settings.output_folder import make_folder
from assetdb.store import lock

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final, Self

LOCK_NAME: Final = "asset-db.watch.lock"
_IS_APART: Final = sys.platform == "win32"
_WAIT: Final = 0.1  # seconds: a check for a daemon takes the lock for a moment


class DaemonLock:
    """The lock that makes a daemon the only one.

    Attributes:
        problem: why the system's own lock could not be used, or ``""``.
    """

    def __init__(self, folder: str, root: str) -> None:
        self._root = root
        self._locks: dict[str, lock.FileLock] = {}  # also of former outputs
        self.problem = self._hold(lock_path(folder)).problem

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for held in self._locks.values():
            held.__exit__()

    def _hold(self, path: str) -> lock.FileLock:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        held = self._locks[path] = lock.FileLock(path, _WAIT, role="daemon").__enter__()
        return held

    def covers(self, folder: str) -> bool:
        """Whether this was ever the lock of a folder."""
        return lock_path(folder) in self._locks

    def renew(self, folder: str) -> bool:
        """Hold the lock of the current output; False if another has it.

        Its file may have been removed (`rm -rf Library`), or ``assetdb.toml`` may name another folder.

        Raises:
            ProjectError: the lock file, or its folder, is a link or not a file.
            OSError: the lock file cannot be made, perhaps only while ``rm`` removes the project.
        """
        path = lock_path(folder)
        held = self._locks.get(path)
        if held is not None:
            if held.is_current():
                return True
            held.__exit__()  # its file is no longer there, but a descriptor of it is open
        try:
            make_folder(folder, self._root)
            self._hold(path)
        except LockedError:
            return False
        return True


def acquire_daemon_lock(folder: str, root: str = "") -> DaemonLock:
    """Become the only daemon of an output folder.

    Raises:
        LockedError: there is one.
        ProjectError: its lock file is a link, or not a file.
        OSError: the lock file cannot be made.
    """
    make_folder(folder, root)
    try:
        return DaemonLock(folder, root)
    except LockedError as error:
        raise LockedError(f"a daemon is already running for {folder}") from error


def is_held(folder: str) -> bool:
    """Whether there is a daemon of an output folder."""
    return lock.is_held(lock_path(folder))


def lock_path(folder: str) -> str:
    """Return the path of the lock file of an output folder's daemon.

    On Windows it is among the user's files, because no folder is renamed there while a file in it is open.
    """
    if not _IS_APART:
        return os.path.join(folder, LOCK_NAME)
    return os.path.join(runtime_folder(), f"{digest_of(folder)}.lock")
