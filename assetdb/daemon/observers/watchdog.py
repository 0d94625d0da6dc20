"""The watchdog observer, for macOS, and where others fail.

FSEvents watches recursively, so there is no race after a ``mkdir``; but watchdog does not report lost events, which
happen in storms: after a storm everything is scanned.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import TYPE_CHECKING, Final

from assetdb.daemon.observers import events
from assetdb.daemon.observers.api import Observation, ObserverError
from assetdb.daemon.observers.paths import CONFIGURATION
from assetdb.settings.project import is_hidden
from assetdb.workspace.workspace import OUTPUT_FILES

if TYPE_CHECKING:
    from collections.abc import Callable

    from watchdog.events import FileSystemEvent, FileSystemEventHandler
    from watchdog.observers.api import BaseObserver

    from assetdb.daemon.observers.paths import WatchedPaths

_HARMLESS: Final = frozenset({"opened", "closed_no_write"})
_STORM: Final = 200 if sys.platform == "win32" else 2000  # events between two pauses; Windows' buffer holds 250 to 400
_PAUSE: Final = 0.1


class WatchdogObserver:
    """Watches through :mod:`watchdog.observers`."""

    name = "watchdog"
    needs_polling = False
    knows_if_late = False
    is_late = True  # on Windows by the second of quiet for which it collects

    def __init__(self, paths: WatchedPaths, wake: Callable[[], None]) -> None:
        self._paths = paths
        # FSEvents reports real paths: /private/tmp for /tmp
        self._bases = [(_plain(path), _plain(os.path.realpath(path))) for path in (paths.root, paths.folder)]
        self._wake = wake
        self._lock = threading.Lock()
        self._changed: dict[tuple[str, bool], None] = {}
        self._events = 0
        self._last = 0.0
        self._storm = 0
        self._observer: BaseObserver | None = None

    def start(self) -> None:
        """Watch the project, and the output if it lies elsewhere.

        Raises:
            ObserverError: watchdog is not installed, or cannot watch.
        """
        try:
            from watchdog.events import FileSystemEventHandler  # noqa: PLC0415 - 33 ms, and Linux does without
            from watchdog.observers import Observer  # noqa: PLC0415 - the same
        except ImportError as error:
            raise ObserverError(f"watchdog cannot be imported: {error}") from error
        observer = Observer()
        handler = _handler(FileSystemEventHandler, self._note)
        root, folder = self._paths.root, self._paths.folder
        try:
            observer.schedule(handler, os.fsdecode(root), recursive=True)
            if not _plain(folder).startswith(_plain(root) + "/"):
                observer.schedule(handler, os.fsdecode(folder), recursive=False)
            observer.start()
        except (OSError, RuntimeError) as error:
            raise ObserverError(f"files cannot be watched: {error}") from error
        self._observer = observer

    def listen(self) -> None:
        """Do nothing: watchdog's threads run since :meth:`start`."""

    def collect(self) -> Observation:
        """Sort events by their directories."""
        with self._lock:
            paths, self._changed = self._changed, {}
            count, self._events = self._events, 0
            last = self._last
        observer = self._observer
        if observer is not None and not all(thread.is_alive() for thread in (observer, *observer.emitters)):
            raise ObserverError("files are no longer watched: a thread of watchdog ended")
        dirty: set[bytes] = set()
        cookies: set[str] = set()
        output_touched = False
        rescan_reason = ""
        for path, moved_folder in paths:
            folder, _, name = path.rpartition("/")
            if folder in self._bases[1]:
                if name.startswith(os.fsdecode(events.COOKIE)):
                    cookies.add(name)
                output_touched = output_touched or os.fsencode(name) in OUTPUT_FILES
            elif path in self._bases[1]:
                output_touched = True
            inside = self._inside(path)
            if inside is None:
                if folder in self._bases[0] and os.fsencode(name) == CONFIGURATION:
                    rescan_reason = "assetdb.toml changed"
                continue
            dirty.update((inside, inside.rpartition(b"/")[0] or inside))
            if moved_folder:
                dirty.update(self._below(inside))
        self._storm += count
        if self._storm > _STORM and time.monotonic() - last > _PAUSE:
            rescan_reason = rescan_reason or "after many events: the system does not report lost ones"
        if rescan_reason or time.monotonic() - last > _PAUSE:
            self._storm = 0
        return Observation(dirty, cookies, output_touched, rescan_reason, last, count)

    def has_backlog(self) -> bool:
        """Whether a storm may be over."""
        return self._storm > _STORM

    def status(self) -> dict[str, object]:
        """Return the class that watches."""
        return {"observer": type(self._observer).__name__}

    def stop(self) -> None:
        """End watchdog's threads."""
        if self._observer is not None:
            self._observer.stop()
            if self._observer.is_alive():
                self._observer.join()
            self._observer = None

    def _note(self, event: FileSystemEvent) -> None:
        """Record an event, cheaply, in watchdog's thread."""
        if event.event_type in _HARMLESS:
            return
        whole = event.is_directory and event.event_type != "modified"
        with self._lock:
            quiet = not self._changed
            self._changed[_plain(event.src_path), whole] = None
            if event.dest_path:
                self._changed[_plain(event.dest_path), whole] = None
            self._events += 1
            self._last = time.monotonic()
        if quiet:
            self._wake()

    def _inside(self, path: str) -> bytes | None:
        for base in self._bases[0]:
            if path.startswith(base + "/"):
                return self._paths.relative(self._paths.root + b"/" + os.fsencode(path[len(base) + 1 :]))
        return None

    def _below(self, path: bytes) -> list[bytes]:
        """Return the present directories below a changed one."""
        found = []
        stack = [path]
        while stack:
            path = stack.pop()
            found.append(path)
            try:
                with os.scandir(self._paths.root + b"/" + path) as entries:
                    names = [e.name for e in entries if not is_hidden(e.name) and e.is_dir(follow_symlinks=False)]
            except OSError:
                continue
            stack += [path + b"/" + name for name in names]
        return found


def _plain(path: str | bytes) -> str:
    """Return a path with slashes."""
    text = os.fsdecode(path)
    return text.replace(os.sep, "/") if os.sep != "/" else text


def _handler(base: type[FileSystemEventHandler], note: Callable[[FileSystemEvent], None]) -> FileSystemEventHandler:
    class Handler(base):  # type: ignore[misc, valid-type] # imported late
        def dispatch(self, event: FileSystemEvent) -> None:
            note(event)

    return Handler()
