"""Cancellation of work in the threads of a server."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from assetdb.system import pausing

if TYPE_CHECKING:
    from collections.abc import Iterator

_SWITCH: Final = 0.001  # seconds that a thread keeps the interpreter; by default five, and four threads make twenty
_here = threading.local()


class Cancelled(BaseException):
    """Raised in work that nobody waits for any more, where it pauses."""


class Work:
    """A piece of work that may be cancelled."""

    def __init__(self) -> None:
        self.cancelled = False

    def cancel(self) -> None:
        """Have it end where it pauses next."""
        self.cancelled = True


@contextmanager
def doing(work: Work) -> Iterator[None]:
    """Register the work of this thread."""
    _here.work = work
    try:
        yield
    finally:
        _here.work = None


def pause_if_cancelled() -> None:
    """End the work of this thread if it was cancelled.

    Raises:
        Cancelled: so it is.
    """
    work: Work | None = getattr(_here, "work", None)
    if work is not None and work.cancelled:
        raise Cancelled


def install() -> None:
    """Have long work end where it pauses and is cancelled."""
    pausing.install(pause_if_cancelled, lambda work: work(), lambda: None)
    sys.setswitchinterval(_SWITCH)
