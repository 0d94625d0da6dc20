"""The saver: schedules writes of a session's files, and retries.

Database and index are written soon after an update; the cache, which only the next start needs, after a quiet period.
Nothing is written while files are being removed.
"""

from __future__ import annotations

import time

from assetdb.daemon.reconciling.failures import pause_after
from assetdb.errors import AssetdbError

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from assetdb.daemon.reconciling.schedule import Schedule
    from assetdb.daemon.reconciling.work import Outcome
    from assetdb.daemon.session import Session

# Seconds without an event before writing after a removal: `rm -rf` of the project or its Library fails if a file
# appears in a folder it has emptied.
_AFTER_REMOVAL: Final = 0.3
_REMOVAL_MOST: Final = 20.0


class Saver:
    """Schedules the writing of one session's files.

    Attributes:
        unsaved: time of the last change that is not in database and index; None if all are.
        uncached: time of the last change that is not in the cache; None if all are.
        is_caching: whether the cache is being written.
        saves: how often files were written.
        removing: start of the current removal.
        problem: why the last write failed.
    """

    def __init__(
        self, session: Session, schedule: Schedule, log: Callable[..., None], fault: Callable[[BaseException], None]
    ) -> None:
        """Take the session; ``fault`` is called with internal errors."""
        self.unsaved: float | None = None
        self.uncached: float | None = None
        self.is_caching = False
        self.saves = 0
        self.removing: float | None = None
        self.problem = ""
        self._session = session
        self._schedule = schedule
        self._log = log
        self._fault = fault
        self._first = 0.0  # time of the first unsaved change
        self._not_before = 0.0  # saving failed, or should wait
        self._failures = 0
        self._cache_failures = 0

    def mark(self, at: float) -> None:
        """Record a change, which makes the files stale."""
        if self.unsaved is None:
            self._first = at
        self.unsaved = at

    def mark_if_saved(self, at: float) -> None:
        """Record that the files may have been touched: saving compares."""
        if self.unsaved is None:
            self.mark(at)

    def save_at(self, *, busy: bool) -> float | None:
        """Return when to write database and index; ``busy`` during changes."""
        if self.unsaved is None:
            return None
        return max(self._schedule.save_at(self.unsaved, self._first, busy=busy), self._not_before)

    def cache_at(self) -> float | None:
        """Return when to write the cache, None while that is done."""
        return self._schedule.cache_at(self.uncached) if self.uncached is not None and not self.is_caching else None

    def saved(self, outcome: Outcome) -> None:
        """Record the outcome of writing database and index."""
        error = outcome.error
        if error is not None and not self._failures:
            self.log_error(error, "the files cannot be written; trying again")
        self.problem = str(error) if error is not None else ""
        if outcome.value is True:
            self._schedule.saved(outcome.began, outcome.ended)
            self.saves += 1
            self.unsaved = None if self._session.is_saved else outcome.ended  # they may have been touched meanwhile
            self._failures = 0
            self.removing = None
        else:
            self._failures += 1
            self._not_before = outcome.ended + pause_after(self._failures)

    def cached(self, outcome: Outcome) -> None:
        """Record the outcome of writing the cache for the next start."""
        self.is_caching = False
        if outcome.error is not None:
            self._cache_failed(outcome.error)
        if outcome.value is True:
            self._schedule.cached(outcome.began, outcome.ended)
            self.saves += 1
            self._cache_failures = 0
        elif self.uncached is None:
            self.uncached = outcome.ended + pause_after(self._cache_failures)

    def save_at_last(self) -> None:
        """Write all files before this ends."""
        try:
            if not self._session.save(cache=True):
                self._log("the files are not up to date: another bake holds their lock")
            elif self._session.cache_problem is not None:
                self._cache_failed(self._session.cache_problem)
        except (AssetdbError, OSError) as error:
            self._log("the files cannot be written", error=str(error))

    def _cache_failed(self, error: BaseException) -> None:
        """Log once that the cache, for the next start, cannot be written."""
        if not self._cache_failures:
            self.log_error(error, "the next start takes longer: its cache cannot be written")
        self._cache_failures += 1

    def log_error(self, error: BaseException, message: str) -> None:
        """Log a message, or the fault if the error is internal."""
        if isinstance(error, AssetdbError | OSError | MemoryError):
            self._log(message, error=str(error))
        else:
            self._fault(error)

    # --- removals

    def wait_for_removal(self) -> None:
        """Write nothing while files are being removed."""
        now = time.monotonic()
        if self.removing is None or now > self.removing + _REMOVAL_MOST + _AFTER_REMOVAL:
            self.removing = now
        if now < self.removing + _REMOVAL_MOST:
            self._not_before = max(self._not_before, now + _AFTER_REMOVAL)

    def is_removing(self) -> bool:
        """Whether somebody removes things, so that nothing should be written."""
        return self.removing is not None and time.monotonic() < self._not_before
