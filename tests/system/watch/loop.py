"""A reconciler with the smallest loop that can run it, in this process or as a program of its own.

::

    python -m tests.system.watch.loop PROJECT OUT_DIR     # says "ready", then ends when its standard input does
"""

from __future__ import annotations

import contextlib
import select
import socket
import sys
import time
from typing import TYPE_CHECKING, Self

from assetdb.baking import bake
from assetdb.daemon.reconciling.reconciler import Reconciler
from assetdb.daemon.session import Session
from assetdb.system.jobs import Scheduler

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.workspace.workspace import Update

FILES = ("asset-db.bin", "asset-db.index")
PATIENCE = 60.0  # seconds; only a hang takes that long


class Loop:
    """Watches a project until it is closed."""

    def __init__(
        self,
        project: Path | str,
        out_dir: Path | str | None = None,
        *,
        backend: str = "",
        in_threads: bool = False,
    ) -> None:
        self._wake_read, self._wake_write = socket.socketpair()  # Windows waits for no pipe
        self._wake_write.settimeout(0)
        self.logged: list[str] = []
        self.updates: list[Update] = []
        self.session = Session(str(project), str(out_dir) if out_dir is not None else None)
        self.reconciler = Reconciler(self.session, self._wake, backend=backend, log=self._log)
        self._scheduler = Scheduler()
        if in_threads:
            self.reconciler.work.start = lambda work: self._scheduler.start(work, lambda _: None)

    def __enter__(self) -> Self:
        self.reconciler.start()
        self.reconciler.listen()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop, started or not."""
        self.reconciler.stop()
        self._scheduler.close()  # a process with threads does not fork, which the next test may want
        self.session.close()
        self._wake_read.close()
        self._wake_write.close()

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._wake_write.send(b"!")

    def _log(self, text: str, **fields: object) -> None:
        self.logged.append(" ".join([text, *(f"{name}={value}" for name, value in fields.items())]))

    def step(self, most: float | None = None, also: int = -1) -> bool:
        """Wait for something to do, ``most`` seconds at most, and do it; return whether there was anything."""
        due = self.reconciler.next_deadline()
        wait = due if most is None else most if due is None else min(due, most)
        waited: list[object] = [self._wake_read, also] if also >= 0 else [self._wake_read]
        ready, _, _ = select.select(waited, [], [], wait)
        if self._wake_read in ready:
            self._wake_read.recv(4096)
        self.reconciler.collect()
        due = self.reconciler.next_deadline()
        if due is not None and due <= 0.0:
            update = self.reconciler.run_pending()
            if update is not None:
                self.updates.append(update)
            return True
        return bool(ready)

    def run(self, seconds: float) -> None:
        """Run for a while."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.step(left)

    def sync(self, *, files: bool = True) -> None:
        """Run until all that happened before is known, and written."""
        done: list[bool] = []
        self.reconciler.sync(lambda: done.append(True), files=files)
        end = time.monotonic() + PATIENCE
        while not done:
            assert time.monotonic() < end, f"no answer: {self.reconciler.status()} {self.logged[-5:]}"
            self.step(1.0)


def contents(folder: Path) -> list[bytes]:
    return [(folder / name).read_bytes() for name in FILES]


def assert_as_cold(project: Path, folder: Path, elsewhere: Path) -> None:
    """Compare the files in ``folder`` with those of a cold bake, byte for byte."""
    for name in (*FILES, "asset-db.cache"):
        (elsewhere / name).unlink(missing_ok=True)
    bake(project, elsewhere, keep_going=True, workers=1)
    for name, ours, cold in zip(FILES, contents(folder), contents(elsewhere), strict=True):
        assert ours == cold, f"{name} is not what a cold bake writes"


def main(project: str, out_dir: str) -> None:
    with Loop(project, out_dir) as loop:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while not select.select([sys.stdin], [], [], 0)[0]:
            loop.step(also=sys.stdin.fileno())


if __name__ == "__main__":
    main(*sys.argv[1:])
