"""The schedule of updates and saves.

Pure arithmetic on ``time.monotonic()``, tested without waiting.

One edit is looked at 4 ms after its last event. A storm (a checkout) goes on for seconds: it is followed while it
lasts, so that little is left when it ends, with pauses in proportion to what the last update cost; but files that
others read are not replaced twenty times a second. (To wait for the end of a checkout of 10,000 files takes 1.2 s
after it, to follow it 0.6 at most.)
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

QUIET: Final = 0.004
"""Seconds without an event after which an edit is over; ``open``, ``write``, ``close`` are 0.1 ms apart."""
LONGEST: Final = 0.030
"""Seconds after which an edit that goes on is looked at all the same."""
_RESCAN_QUIET: Final = 0.05  # everything is looked at again: better once, when the storm is over
_RESCAN_LONGEST: Final = 1.0
_PAUSE: Final = 1.0  # of the time that the last update took; updates take half of a storm at most
_PAUSE_MOST: Final = 0.3  # others are answered while an update is made
_SAVE_QUIET: Final = 0.010  # after an update; writing 20 MB takes 50 ms in which no other is made
_SAVE_STORM: Final = 1.0
_POLL_LEAST: Final = 0.5
_POLL_MOST: Final = 60.0
_POLL_SHARE: Final = 10.0  # polling takes a tenth of the time at most
_CACHE_QUIET: Final = 10.0
_CACHE_SHARE: Final = 10.0  # of a million assets it takes 4 s: a tenth of the time at most


class Schedule:
    """Times of next updates and saves, from their recent costs."""

    def __init__(self) -> None:
        self._cost = 0.0
        self._ended = 0.0
        self._save_cost = 0.0
        self._save_ended = float("-inf")
        self._cache_cost = 0.0
        self._cache_ended = float("-inf")

    def updated(self, began: float, ended: float) -> None:
        """Take note of an update."""
        self._cost, self._ended = ended - began, ended

    def saved(self, began: float, ended: float) -> None:
        """Take note of a save."""
        self._save_cost, self._save_ended = ended - began, ended

    def update_at(self, first: float, last: float, *, rescan: bool) -> float:
        """Return the time of the next update.

        Given the first and the last event that no update has seen.
        """
        quiet, longest = (_RESCAN_QUIET, _RESCAN_LONGEST) if rescan else (QUIET, LONGEST)
        return max(min(last + quiet, first + longest), self._ended + min(_PAUSE * self._cost, _PAUSE_MOST))

    def save_at(self, changed: float, first: float, *, busy: bool) -> float:
        """Return the time of the next save.

        ``first`` is when the first change came that is not saved: what changes without end is saved now and then, too.
        """
        rest = max(_SAVE_STORM, 10 * self._save_cost)
        at_last = max(first, self._save_ended) + rest
        if busy:
            return at_last
        return min(max(changed + _SAVE_QUIET, self._save_ended + 2 * self._save_cost), at_last)

    def cached(self, began: float, ended: float) -> None:
        """Note that the cache was written."""
        self._cache_cost, self._cache_ended = ended - began, ended

    def cache_at(self, changed: float) -> float:
        """Return the time to write the cache."""
        return max(changed + _CACHE_QUIET, self._cache_ended + _CACHE_SHARE * self._cache_cost)

    def poll_at(self, ended: float, cost: float) -> float:
        """Return when to look at everything again where nothing tells of changes."""
        return ended + min(max(_POLL_LEAST, _POLL_SHARE * cost), _POLL_MOST)
