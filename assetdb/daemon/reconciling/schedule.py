"""The schedule of updates and saves.

Pure arithmetic on ``time.monotonic()``, tested without waiting.

One edit is processed 4 ms after its last event. A storm (a checkout) lasts for seconds: it is followed while it lasts,
so that little is left when it ends, with pauses proportional to the last update; but files that others read are not
replaced twenty times a second. (Waiting for the end of a checkout of 10,000 files takes 1.2 s after it, following it
0.6 at most.)
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

QUIET: Final = 0.004
"""Seconds without an event after which an edit is over; ``open``, ``write``, ``close`` are 0.1 ms apart."""
LONGEST: Final = 0.030
"""Seconds after which a continuing edit is processed anyway."""
_RESCAN_QUIET: Final = 0.05  # everything is scanned again: better once, when the storm is over
_RESCAN_LONGEST: Final = 1.0
_PAUSE: Final = 1.0  # times the duration of the last update; updates take at most half of a storm
_PAUSE_MOST: Final = 0.3  # others are answered during an update
_GIVEN_WAY: Final = 4.0  # while a check is awaited: all of them share one interpreter
_GIVEN_WAY_MOST: Final = 2.0
_SAVE_QUIET: Final = 0.010  # after an update; writing 20 MB takes 50 ms without updates
_SAVE_STORM: Final = 1.0
_POLL_LEAST: Final = 0.5
_POLL_MOST: Final = 60.0
_POLL_SHARE: Final = 10.0  # polling takes a tenth of the time at most
_CACHE_QUIET: Final = 10.0
_CACHE_SHARE: Final = 10.0  # 4 s for a million assets: at most a tenth of the time


class Schedule:
    """Times of next updates and saves, from their recent costs.

    Attributes:
        gives_way: whether a client awaits an answer that takes long, which updates nobody asked for would delay.
    """

    def __init__(self) -> None:
        self.gives_way: Callable[[], bool] = lambda: False
        self._cost = 0.0
        self._ended = 0.0
        self._save_cost = 0.0
        self._save_ended = float("-inf")
        self._cache_cost = 0.0
        self._cache_ended = float("-inf")

    def updated(self, began: float, ended: float) -> None:
        """Record an update."""
        self._cost, self._ended = ended - began, ended

    def saved(self, began: float, ended: float) -> None:
        """Record a save."""
        self._save_cost, self._save_ended = ended - began, ended

    def update_at(self, first: float, last: float, *, rescan: bool) -> float:
        """Return the next update's time by the first and last unseen event."""
        quiet, longest = (_RESCAN_QUIET, _RESCAN_LONGEST) if rescan else (QUIET, LONGEST)
        share, most = (_GIVEN_WAY, _GIVEN_WAY_MOST) if self.gives_way() else (_PAUSE, _PAUSE_MOST)
        return max(min(last + quiet, first + longest), self._ended + min(share * self._cost, most))

    def save_at(self, changed: float, first: float, *, busy: bool) -> float:
        """Return the time of the next save.

        ``first``: time of the first unsaved change, so that continuous changes are saved periodically.
        """
        rest = max(_SAVE_STORM, 10 * self._save_cost)
        at_last = max(first, self._save_ended) + rest
        if busy:
            return at_last
        return min(max(changed + _SAVE_QUIET, self._save_ended + 2 * self._save_cost), at_last)

    def cached(self, began: float, ended: float) -> None:
        """Record that the cache was written."""
        self._cache_cost, self._cache_ended = ended - began, ended

    def cache_at(self, changed: float) -> float:
        """Return the time to write the cache."""
        return max(changed + _CACHE_QUIET, self._cache_ended + _CACHE_SHARE * self._cache_cost)

    def poll_at(self, ended: float, cost: float) -> float:
        """Return the time of the next full scan without events."""
        return ended + min(max(_POLL_LEAST, _POLL_SHARE * cost), _POLL_MOST)
