"""What watches a project's files, whichever way: the interface, and the choice.

An observer marks directories and files dirty and nothing else. It never reads a file of the project and never says that
something did *not* change; where it is not sure it says so (:attr:`Seen.doubt`), and everything is looked at again.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from assetdb.errors import AssetdbError
from assetdb.project import mounts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from assetdb.daemon.observers.paths import Places

BACKENDS: Final = ("inotify", "watchman", "watchdog", "polling")


class ObserverError(AssetdbError):
    """Files cannot be watched this way; the message says why, and what would help."""


class Seen(NamedTuple):
    """What an observer saw since it was last asked.

    Attributes:
        dirty: directories to list again and files to read again, relative to the project.
        cookies: names of cookie files that were seen: whatever happened before them is in ``dirty``, now or earlier.
        files: whether somebody touched the database.
        doubt: why everything must be looked at again, or ``""``.
        last: ``time.monotonic()`` of the last event; 0.0 if there was none.
        events: how many there were.
    """

    dirty: Collection[bytes] = ()
    cookies: Collection[str] = ()
    files: bool = False
    doubt: str = ""
    last: float = 0.0
    events: int = 0


class Observer(Protocol):
    """One way to watch. All methods are called from one thread.

    Attributes:
        name: one of :data:`BACKENDS`.
        unsure: whether ``collect`` finds nothing by itself, so that everything must be looked at now and then.
    """

    name: str
    unsure: bool

    def start(self) -> None:
        """Begin to watch: what happens from the return on is seen.

        Raises:
            ObserverError: that cannot be.
        """

    def listen(self) -> None:
        """Begin to call ``wake``; may start threads, which :meth:`start` does not (the first scan forks)."""

    def collect(self) -> Seen:
        """Return what was seen since the last call."""

    def more(self) -> bool:
        """Whether :meth:`collect` has something to do even without an event."""

    def status(self) -> dict[str, object]:
        """Return facts for people."""

    def stop(self) -> None:
        """Watch no longer; threads have ended when this returns."""


def choose(places: Places, wake: Callable[[], None], wanted: str = "") -> list[Observer]:
    """Return the ways to watch a project, best first; the last one always works.

    Args:
        places: what is to be watched.
        wake: is called, from any thread, when there is something to collect.
        wanted: one of :data:`BACKENDS`, to be tried first; ``""`` for the best.
    """
    from assetdb.daemon.observers.polling import PollingObserver  # noqa: PLC0415 - one of these is used, seldom two

    found: list[Observer] = []
    if mounts_of(os.fsdecode(places.root)):
        return [PollingObserver()]  # a package's paths are not where its files are, and most are small
    best = ["inotify"] if sys.platform == "linux" else ["watchman", "watchdog"]
    names = [] if wanted == "polling" else [wanted, *best] if wanted else best
    for name in dict.fromkeys(names):
        if name == "inotify" and sys.platform == "linux":
            from assetdb.daemon.observers import inotify_calls  # noqa: PLC0415 - the same

            if inotify_calls.available() and not places.foreign():
                from assetdb.daemon.observers.inotify import InotifyObserver  # noqa: PLC0415 - the same

                found.append(InotifyObserver(places, wake))
        elif name == "watchman":
            from assetdb.daemon.observers.watchman import WatchmanObserver, find_watchman  # noqa: PLC0415 - the same

            program = find_watchman()
            if program:
                found.append(WatchmanObserver(places, wake, program))
        elif name == "watchdog":
            from assetdb.daemon.observers.watchdog import WatchdogObserver  # noqa: PLC0415 - the same

            found.append(WatchdogObserver(places, wake))
    return [*found, PollingObserver()]
