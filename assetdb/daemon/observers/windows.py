"""The observer of Windows, by ReadDirectoryChangesW.

The project's folder is watched as a whole, so nothing below it is held open, and there is no race after a ``mkdir``. A
thread for each watched folder takes the system's records without interpreting them. Where the system had more changes
than its buffer holds, everything is scanned again.
"""

from __future__ import annotations

import os
import re
import threading
import time

from assetdb.daemon.observers import events, windows_calls, windows_events
from assetdb.daemon.observers.api import Observation, ObserverError
from assetdb.daemon.observers.paths import CONFIGURATION, ROOTS
from assetdb.daemon.observers.windows_events import APPEARED, MODIFIED
from assetdb.settings.project import is_hidden
from assetdb.system.identity import device_and_inode
from assetdb.workspace.workspace import OUTPUT_FILES
from assetdb_formats.files import words_of

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from assetdb.daemon.observers.paths import WatchedPaths
    from assetdb.daemon.observers.windows_calls import Feed

_MOST_BUFFERED: Final = 32 << 20  # bytes of records while the caller is busy; then a rescan
_SHORT_NAME: Final = re.compile(rb"[^/.]{1,6}~\d+(?:\.[^/.]{0,3})?")  # of MS-DOS, by which a program opened a folder


class WindowsObserver:
    """Watches through ReadDirectoryChangesW."""

    name = "windows"
    needs_polling = False
    knows_if_late = True

    def __init__(
        self,
        paths: WatchedPaths,
        wake: Callable[[], None],
        open_feed: Callable[..., Feed] = windows_calls.open_feed,
    ) -> None:
        self._paths = paths
        self._wake = wake
        self._open_feed = open_feed
        self._root, self._output = _plain(paths.root), _plain(paths.folder)
        self._readers: list[_Reader] = []
        self._has_collected = False  # what the readers of before had not handed over, the first scan has to find
        self._identity = (0, 0)

    def start(self) -> None:
        """Watch the project, and parts of it that lie elsewhere.

        Raises:
            ObserverError: the project is not there, or its file system reports no changes.
        """
        root = self._paths.root
        self._identity = device_and_inode(root)
        watched = [(root, self._root, True)]
        if not self._output.startswith(self._root + b"/"):
            watched.append((self._paths.folder, self._output, False))
        for name in ROOTS:  # the system does not look into links and junctions
            place = os.path.realpath(os.path.join(root, name))
            if os.path.isdir(place) and not os.path.samefile(os.path.dirname(place), root):
                watched.append((place, self._root + b"/" + name, True))
        try:
            for path, shown, recursive in watched:
                feed = self._open_feed(os.fsdecode(path), recursive=recursive)
                self._readers.append(_Reader(feed, shown, self._wake))
        except OSError as error:
            self.stop()
            raise ObserverError(f"files cannot be watched: {words_of(error)}") from error

    @property
    def is_late(self) -> bool:
        """Whether there are records that :meth:`collect` did not see.

        Any thread may ask. Records go from the system to the thread that reads, then to the caller: they are asked so.
        Whoever asks while the folders are opened anew is told yes.
        """
        return any(reader.has_records for reader in self._readers) or not self._has_collected

    def listen(self) -> None:
        """Do nothing: the threads run since :meth:`start`."""

    def collect(self) -> Observation:
        """Sort changes by their directories."""
        changes: dict[bytes, int] = {}
        count, last, rescan_reason = 0, 0.0, ""
        for reader in self._readers:
            if reader.failure:
                raise ObserverError(f"files are no longer watched: {reader.failure}")
            buffers, at, reason = reader.take()
            last, rescan_reason = max(last, at), rescan_reason or reason
            found: dict[bytes, int] = {}
            for buffer in buffers:
                count += windows_events.digest(buffer, found)
            for path, kinds in found.items():
                place = reader.place + b"/" + path
                changes[place] = changes.get(place, 0) | kinds
        if count and device_and_inode(self._paths.root) != self._identity:
            self.stop()
            self.start()
            self._has_collected = True  # all is scanned now
            reason = "the project's folder was replaced"
            return Observation(output_touched=True, rescan_reason=reason, last=last, events=count)
        self._has_collected = True
        cookies: set[str] = set()
        output_touched = False
        inside: dict[bytes, int] = {}
        output = self._output.lower()  # a program may spell a path otherwise than the disk
        configuration = (self._root + b"/" + CONFIGURATION).lower()
        for path, kinds in changes.items():
            place, _, name = path.rpartition(b"/")
            if place.lower() == output:
                if name.startswith(events.COOKIE):
                    cookies.add(os.fsdecode(name))
                output_touched = output_touched or name in OUTPUT_FILES
            elif kinds != MODIFIED and (output + b"/").startswith(path.lower() + b"/"):
                output_touched = True
            elif path.lower() == configuration:
                rescan_reason = rescan_reason or "assetdb.toml changed"
            relative = self._paths.relative(self._paths.root + path[len(self._root) :])
            if relative is not None:
                inside[relative] = inside.get(relative, 0) | kinds
        dirty, is_short = self._directories_of(inside) if inside else (set(), False)
        if is_short:
            rescan_reason = rescan_reason or "a program used the short name of a folder"
        return Observation(dirty, cookies, output_touched, rescan_reason, last, count)

    def has_backlog(self) -> bool:
        """Return that there is nothing to do."""
        return False

    def status(self) -> dict[str, object]:
        """Return no facts."""
        return {}

    def stop(self) -> None:
        """End the threads; nothing is held open any more."""
        self._has_collected = False  # before the handles are closed, of which others may be asking
        readers, self._readers = self._readers, []
        for reader in readers:
            reader.stop()

    def _directories_of(self, changes: dict[bytes, int]) -> tuple[set[bytes], bool]:
        """Return dirty paths, and whether a short name hides a folder."""
        known = self._paths.known()
        folded: dict[bytes, bytes] = {}
        dirty: set[bytes] = set()
        appeared: dict[bytes, set[bytes]] = {}
        is_short = False
        for given, kinds in changes.items():
            folder, _, name = given.rpartition(b"/")
            if folder and folder not in known:
                folded = folded or {directory.lower(): directory for directory in known}
                spelled = folded.get(folder.lower())
                is_short = is_short or (spelled is None and _SHORT_NAME.search(folder) is not None)
                folder = spelled or folder
            path = folder + b"/" + name if folder else name
            dirty.add(path)
            if kinds == MODIFIED and path in known:  # something in it changed, which has a record of its own
                continue
            dirty.add(folder or path)
            if kinds & APPEARED:
                appeared.setdefault(folder, set()).add(name)
        for folder, names in appeared.items():
            stack = [
                path for path, is_folder in self._entries(folder) if is_folder and path.rpartition(b"/")[2] in names
            ]
            while stack:  # no records tell what is in a folder that was moved here
                path = stack.pop()
                found = self._entries(path)
                dirty.add(path)
                dirty.update(inner for inner, _ in found)
                stack += [inner for inner, is_folder in found if is_folder]
        return dirty, is_short

    def _entries(self, folder: bytes) -> list[tuple[bytes, bool]]:
        """Return the paths in a folder, and whether each is a folder."""
        prefix = folder + b"/" if folder else b""
        try:
            with os.scandir(self._paths.root + b"/" + folder) as entries:
                return [
                    (prefix + entry.name, entry.is_dir(follow_symlinks=False))
                    for entry in entries
                    if not is_hidden(entry.name) and (folder or entry.name in ROOTS)
                ]
        except OSError:  # gone again: there is a record of that
            return []


class _Reader:
    """A thread that takes the records of one folder, nothing more.

    Attributes:
        place: the folder's path in the project.
        failure: why the folder is no longer watched, or ``""``.
    """

    def __init__(self, feed: Feed, place: bytes, wake: Callable[[], None]) -> None:
        self.place = place
        self.failure = ""
        self._feed = feed
        self._wake = wake
        self._lock = threading.Lock()
        self._buffers: list[bytes] = []
        self._size = 0
        self._last = 0.0
        self._rescan_reason = ""
        self._thread = threading.Thread(target=self._run, name="changes", daemon=True)
        self._thread.start()

    def take(self) -> tuple[list[bytes], float, str]:
        """Return new records, their time, and a rescan reason or ``""``."""
        with self._lock:
            buffers, self._buffers, self._size = self._buffers, [], 0
            reason, self._rescan_reason = self._rescan_reason, ""
            return buffers, self._last, reason

    @property
    def has_records(self) -> bool:
        """Whether the system or this thread has records that nobody took."""
        return self._feed.has_changes or bool(self._buffers) or bool(self._rescan_reason) or bool(self.failure)

    def stop(self) -> None:
        """End the thread, and free the folder."""
        self._feed.stop()
        self._thread.join()
        self._feed.close()

    def _run(self) -> None:
        try:
            while (buffer := self._feed.read()) is not None:
                self._add(buffer)
                self._wake()
        except OSError as error:
            self.failure = words_of(error)
            self._wake()

    def _add(self, buffer: bytes) -> None:
        with self._lock:
            self._last = time.monotonic()
            if not buffer:
                self._rescan_reason = "more changes than the system's buffer holds"
            elif self._size > _MOST_BUFFERED:
                self._rescan_reason = "more changes than could be processed"
            else:
                self._buffers.append(buffer)
                self._size += len(buffer)


def _plain(path: bytes) -> bytes:
    """Return a path with slashes alone."""
    return path.replace(os.fsencode(os.sep), b"/")
