"""Consecutive failures to read a project, and when reading is tried again."""

from __future__ import annotations

import time

from assetdb.errors import AssetdbError, ScanError

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

_FIRST: Final = 0.1  # seconds after a first failure; doubled after each further one, up to
_MOST: Final = 30.0
_AFTER_CHANGE: Final = 1.0  # but no longer than this if something changed since


def pause_after(failures: int) -> float:
    """Return the seconds of pause after consecutive failures."""
    return min(_FIRST * 2.0 ** min(failures - 1, 20), _MOST) if failures else 0.0


class Failures:
    """The failures since files were last read.

    The last good answers are kept meanwhile.

    Attributes:
        problem: why the last reading failed, for people; ``""`` if it did not.
        retry_at: ``time.monotonic()`` of the next try; None if nothing failed, or if a change made it due at once.
    """

    def __init__(self, log: Callable[..., None]) -> None:
        self.problem = ""
        self.retry_at: float | None = None
        self._log = log
        self._count = 0
        self._failed_at = 0.0
        self._logged_pause = 0.0
        self._kind: tuple[type, int] | None = None  # class and errno of the last error

    def record(self, error: BaseException) -> None:
        """Plan the next try; log a new error or a longer pause."""
        self._count += 1
        self._failed_at = time.monotonic()
        pause = pause_after(self._count)
        self.retry_at = self._failed_at + pause
        self.problem = str(error) or type(error).__name__
        kind = type(error), getattr(error, "errno", 0) or 0
        if kind != self._kind or pause > self._logged_pause:
            self._log("the last good answers are kept", error=self.problem, again_in=pause)
            self._logged_pause = pause
        self._kind = kind

    def clear(self) -> None:
        """Record that the files were read."""
        if self._logged_pause:
            self._log("reading the files works again", after=self._count)
        self._count = 0
        self._logged_pause = 0.0
        self.problem = ""
        self._kind = None
        self.retry_at = None

    def hasten(self) -> None:
        """Try sooner, since something changed; at once after invalid settings."""
        if self.retry_at is not None:
            soonest = self._failed_at + min(pause_after(self._count), _AFTER_CHANGE)
            self.retry_at = min(self.retry_at, soonest) if self.stale_because else None

    def is_repeated(self, error: BaseException) -> bool:
        """Whether the last failure was of this class, too."""
        return self._kind is not None and self._kind[0] is type(error)

    @property
    def stale_because(self) -> str:
        """Why answers are stale (the files could not be read), or ``""``."""
        if self._kind is None or (issubclass(self._kind[0], AssetdbError) and self._kind[0] is not ScanError):
            return ""  # invalid settings: answers still use the last valid ones
        return self.problem
