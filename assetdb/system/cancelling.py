"""The check with which cancelled work ends.

Loops over all assets, or over a client's input, call :func:`check_cancelled` at points where stopping is safe. It costs
a comparison if nothing is installed, as in a command; for servers see :mod:`assetdb.system.jobs`.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from _thread import LockType, RLock
    from collections.abc import Callable
    from typing import Final

_LOOK: Final = 0.1  # seconds between two checks while waiting for a lock
_check: Callable[[], None] | None = None


def install(check: Callable[[], None]) -> None:
    """Let :func:`check_cancelled` call a function, which raises to end work."""
    global _check  # noqa: PLW0603 - the one of this process
    _check = check


def check_cancelled() -> None:
    """End the work of this thread here if it was cancelled.

    A loop calls it once a round, at a place where nothing is half done. What it raises passes through the loop up to
    whoever began the work; nobody between them catches it.

    >>> def stop() -> None:
    ...     raise InterruptedError("the client is gone")
    >>> install(stop)
    >>> for number in range(294_000):
    ...     check_cancelled()
    Traceback (most recent call last):
    InterruptedError: the client is gone
    """
    if _check is not None:
        _check()


class Acquired:
    """Holds a lock in a ``with`` block; cancelled work stops waiting."""

    __slots__ = ("_lock",)

    def __init__(self, lock: LockType | RLock) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        while not self._lock.acquire(timeout=_LOOK):
            check_cancelled()

    def __exit__(self, *_: object) -> None:
        self._lock.release()
