"""Selection of the best observer of this machine."""

from __future__ import annotations

import os
import sys

from assetdb.settings.project import mounts_of

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.daemon.observers.api import Observer
    from assetdb.daemon.observers.paths import WatchedPaths


def select_observers(paths: WatchedPaths, wake: Callable[[], None], wanted: str) -> list[Observer]:
    """Return the ways to watch a project, best first.

    Args:
        paths: what is to be watched.
        wake: is called, from any thread, when there is something to collect.
        wanted: one of :data:`assetdb.daemon.observers.api.BACKENDS`, to be tried first; ``""`` for the best.
    """
    from assetdb.daemon.observers.polling import PollingObserver  # noqa: PLC0415 - one of these is used, seldom two

    found: list[Observer] = []
    if mounts_of(os.fsdecode(paths.root)):
        return [PollingObserver()]  # a package's paths are not where its files are, and most are small
    best = {"linux": ["inotify"], "win32": ["windows", "watchman", "watchdog"]}.get(
        sys.platform, ["watchman", "watchdog"]
    )
    names = [] if wanted == "polling" else [wanted, *best] if wanted else best
    for name in dict.fromkeys(names):
        if name == "inotify" and sys.platform == "linux":
            from assetdb.daemon.observers import inotify_calls  # noqa: PLC0415 - the same

            if inotify_calls.available() and not paths.remote_file_system():
                from assetdb.daemon.observers.inotify import InotifyObserver  # noqa: PLC0415 - the same

                found.append(InotifyObserver(paths, wake))
        elif name == "windows" and sys.platform == "win32":
            from assetdb.daemon.observers.windows import WindowsObserver  # noqa: PLC0415 - the same

            found.append(WindowsObserver(paths, wake))
        elif name == "watchman":
            from assetdb.daemon.observers.watchman import WatchmanObserver, find_watchman  # noqa: PLC0415 - the same

            program = find_watchman()
            if program:
                found.append(WatchmanObserver(paths, wake, program))
        elif name == "watchdog":
            from assetdb.daemon.observers.watchdog import WatchdogObserver  # noqa: PLC0415 - the same

            found.append(WatchdogObserver(paths, wake))
    return [*found, PollingObserver()]
