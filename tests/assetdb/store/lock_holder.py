"""A process that holds a lock, for ``test_lock``.

``python -m tests.assetdb.store.lock_holder PATH ERRNO`` says ``held`` and gives the lock back when its stdin ends; with
an ERRNO the system's own locks fail with it. With ``count FILE TIMES`` behind, it takes the lock so often instead, and
each time adds one to the number in the file.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from assetdb.store import lock


def without_locks(number: int) -> None:
    """Let the system have no locks."""

    def fail(_: int, *, shared: bool = False) -> bool:
        raise OSError(number, f"no {'shared ' * shared}locks here")

    lock.flock = fail


def main(path: str, number: str, *more: str) -> None:
    """Hold the lock."""
    if int(number):
        without_locks(int(number))
    if more:
        file, times = Path(more[1]), int(more[2])
        for _ in range(times):
            with lock.FileLock(path, 120.0):
                count = int(file.read_text())
                time.sleep(0)
                file.write_text(str(count + 1))
        return
    with lock.FileLock(path, 0.0, role="test"):
        print("held", flush=True)  # noqa: T201 - to the test
        sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
