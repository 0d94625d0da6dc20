"""Changes that were reported and not read yet."""

from __future__ import annotations

import time

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb.daemon.reconciling.failures import Failures
    from assetdb.daemon.reconciling.requests import Requests
    from assetdb.daemon.reconciling.schedule import Schedule

ASKED = "asked"
"""Reason of a scan of everything because a client asked where nothing reports changes."""


class Pending:
    """Directories that are to be read, or the reason why everything is.

    Attributes:
        directories: relative to the project, also single files.
        rescan_reason: why everything is to be scanned, or ``""``.
        is_urgent: whether a client waits, so that the changes are read at once.
        packages: whether packages outside the project are to be looked at, too.
    """

    def __init__(self, schedule: Schedule, requests: Requests, failures: Failures) -> None:
        self.directories: set[bytes] = set()
        self.rescan_reason = ""
        self.is_urgent = False
        self.packages = False
        self._schedule = schedule
        self._requests = requests
        self._failures = failures
        self._first = 0.0
        self._last = 0.0

    def __bool__(self) -> bool:
        return bool(self.directories or self.rescan_reason)

    @property
    def may_wait(self) -> bool:
        """Whether there is time for optional work."""
        return not self or self._failures.retry_at is not None

    def mark(self, directories: set[bytes], last: float = 0.0) -> None:
        """Add directories.

        Args:
            directories: relative to the project, or single files.
            last: ``time.monotonic()`` of their last event; 0.0 for now.
        """
        now = time.monotonic()
        if not self:
            self._first = now
        self._last = max(self._last, last or now)
        self.directories |= directories
        self._failures.hasten()

    def mark_everything(self, why: str) -> None:
        """Have everything scanned, which answers all that wait by now."""
        self.mark(set())
        self.rescan_reason = why
        self._requests.release()

    def due_at(self) -> float | None:
        """Return when the changes are to be read, or waiting clients answered."""
        if not self:
            return self._first if self._requests.answerable else None
        if self.is_urgent:
            return self._first
        if self._failures.retry_at is not None:
            return self._failures.retry_at
        return self._schedule.update_at(self._first, self._last, rescan=bool(self.rescan_reason))

    def take(self) -> tuple[set[bytes], str, bool]:
        """Return ``directories``, ``rescan_reason`` and ``packages``; forget them."""
        taken = self.directories, self.rescan_reason, self.packages
        self.directories, self.rescan_reason, self.packages, self.is_urgent = set(), "", False, False
        return taken
