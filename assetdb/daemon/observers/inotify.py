"""The inotify observer, with a watch for every directory.

A thread empties the kernel's queue without interpreting events.

What the events mean is decided in the caller's thread (:func:`assetdb.daemon.observers.events.digest`), so no table
needs a lock and a storm costs 0.6 us an event. The rules that make it correct:

- a directory is watched *before* it is listed, so whatever is created right after its ``mkdir`` is in one of them; if
  the first scan came first, it is listed again;
- a directory that was created, removed or moved is unwatched with everything below and watched anew, and all of it is
  dirty, its files to be read whatever their times: no path is ever rewritten;
- overflow, an unmount, a mount on top, a moved project: a rescan, and a new instance;
- links: every directory and name that determines a target is watched as well.
"""

from __future__ import annotations

import errno
import os
import stat
import threading
import time
from collections import deque

from assetdb.daemon.observers import events, inotify_calls
from assetdb.daemon.observers.api import Observation, ObserverError
from assetdb.daemon.observers.events import EventDigest, WatchedDirectory
from assetdb.daemon.observers.paths import (
    CONFIGURATION,
    ROOTS,
    read_link,
    read_mounts,
    relevant_mounts,
    resolution_steps,
)
from assetdb.settings.project import is_hidden
from assetdb.system.failures import OF_THE_TREE
from assetdb.system.identity import device_and_inode
from assetdb.workspace.workspace import OUTPUT_FILES
from assetdb_formats.files import words_of

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Final

    from assetdb.daemon.observers.paths import KnownDirectory, WatchedPaths

_DIRECTORY: Final = inotify_calls.ALL | inotify_calls.IN_ONLYDIR | inotify_calls.IN_MASK_ADD
_NAMES: Final = inotify_calls.NAMES | inotify_calls.IN_ONLYDIR | inotify_calls.IN_MASK_ADD
_OUTPUT: Final = _NAMES | inotify_calls.IN_CLOSE_WRITE  # not IN_MODIFY: the log in there is written constantly
_BUFFER: Final = 1 << 18
_MOST_BUFFERED: Final = 32 << 20  # 700,000 events while the caller is busy; then a rescan
_BATCH_INTERVAL: Final = 0.001  # between two reads: events gather, and equal ones that follow each other become one
_SLASH: Final = 0x2F
_SLICE: Final = 100  # directories searched for links per batch: 3 ms
_GONE: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.ELOOP, errno.ENAMETOOLONG})


class InotifyObserver:
    """Watches through inotify(7)."""

    name = "inotify"
    needs_polling = False
    knows_if_late = True

    def __init__(self, paths: WatchedPaths, wake: Callable[[], None]) -> None:
        self._paths = paths
        self._wake = wake
        self._reader: _Reader | None = None
        self._instance = -1
        self._watches: dict[int, WatchedDirectory] = {}
        self._numbers: dict[bytes, int] = {}  # of the project's directories
        self._links: dict[bytes, set[int]] = {}  # and the other dependents of Watch.names
        self._unlisted: list[bytes] = []  # directories that may hold links, and were not listed
        self._mounts = b""
        self._identity: tuple[int, int] = (0, 0)
        self._listening = False
        self._has_collected = False
        self._known: Mapping[bytes, KnownDirectory] | None = None  # that :meth:`start` went by, until the next scan

    # --- the interface

    def start(self) -> None:
        """Watch the directories that the last scan knew.

        Raises:
            ObserverError: the kernel's limits are too small, or the project is not there.
        """
        self._known = known = self._paths.known()
        self._begin(known)  # saves listing and comparing them: 110 ms

    def _begin(self, known: Mapping[bytes, KnownDirectory]) -> None:
        """Watch known directories; others are watched, then listed."""
        self._has_collected = False  # of what the first scan found, nothing is watched before that
        self._identity = device_and_inode(self._paths.root)
        self._mounts = relevant_mounts(read_mounts(), self._paths.root)
        try:
            self._instance = inotify_calls.open_instance()
            for dependent in (*ROOTS, events.CONFIGURATION, events.OUTPUT):
                self._watch_target(dependent)
            stack = list(ROOTS)
            while stack:
                path = stack.pop()
                if not self._watch_directory(path):
                    continue
                directory = known.get(path)
                if directory is None:
                    stack += self._list(path)
                elif directory.children:
                    stack += [path + b"/" + name for name in directory.children.split(b"/")]
            self._unlisted = [path for path in self._numbers if path in known]
        except OSError as error:
            self.stop()
            raise ObserverError(f"files cannot be watched: {words_of(error)}") from error

    @property
    def is_late(self) -> bool:
        """Whether there are events that :meth:`collect` did not see.

        Any thread may ask. The kernel queues an event within the call that changes a file, so whoever asks after a
        write finds it. Events go from the kernel to the thread that reads, then to the caller: they are asked so, too.
        """
        reader, instance = self._reader, self._instance
        if not self._has_collected or reader is None or instance < 0:
            return True
        return inotify_calls.has_events(instance) or reader.has_events

    def listen(self) -> None:
        """Start the thread that empties the kernel's queue."""
        self._listening = True
        self._reader = _Reader(self._instance, self._wake)

    def collect(self) -> Observation:
        """Digest pending events, and watch new directories."""
        reader = self._reader
        if reader is None:
            return Observation()
        if not reader.runs:
            raise ObserverError("files are no longer watched: the thread that reads events ended")
        buffers, last, rescan_reason = reader.take()
        digest = EventDigest()
        count = 0
        for buffer in buffers:
            count += events.digest(buffer, self._watches, OUTPUT_FILES, digest)
        if reader.mounts_changed() and relevant_mounts(read_mounts(), self._paths.root) != self._mounts:
            rescan_reason = "file systems were mounted or unmounted"
        rescan_reason = rescan_reason or digest.rescan_reason
        if events.CONFIGURATION in digest.retargeted:
            rescan_reason = rescan_reason or "assetdb.toml changed"
        if count and not rescan_reason and device_and_inode(self._paths.root) != self._identity:
            rescan_reason = "the project's folder was replaced"
        try:
            if rescan_reason:
                self._restart()
            else:
                self._apply_digest(digest)
                self._watch_found(digest.dirty)
                self._find_links(digest.dirty)
        except OSError as error:
            raise ObserverError(f"files can no longer be watched: {words_of(error)}") from error
        self._has_collected = True
        cookies = [os.fsdecode(name) for name in digest.cookies]
        return Observation(digest.dirty | digest.named, cookies, digest.output_touched, rescan_reason, last, count)

    def has_backlog(self) -> bool:
        """Whether directories are left that may hold links."""
        return bool(self._unlisted)

    def status(self) -> dict[str, object]:
        """Return how many directories are watched."""
        links = sum(dependent[0] != _SLASH and dependent not in ROOTS for dependent in self._links)
        return {"directories": len(self._numbers), "watches": len(self._watches), "links": links}

    def stop(self) -> None:
        """End the thread and give the instance back."""
        if self._reader is not None:
            self._reader.stop()
            self._reader = None
        if self._instance >= 0:
            os.close(self._instance)
            self._instance = -1
        self._watches = {}
        self._numbers = {}
        self._links = {}
        self._unlisted = []

    def _restart(self) -> None:
        """Begin with a new instance, free of events of the old."""
        self.stop()
        self._known = None
        self._begin({})
        if self._listening:
            self.listen()

    # --- the project's directories

    def _absolute(self, path: bytes) -> bytes:
        return self._paths.root + b"/" + path

    def _watch_directory(self, path: bytes) -> bool:
        """Watch a directory of the project; return whether it is there."""
        follow = 0 if path in ROOTS else inotify_calls.IN_DONT_FOLLOW
        number = self._add_watch(self._absolute(path), _DIRECTORY | follow)
        if number is None:
            return False
        old = self._watches.get(number)
        if old is None:
            self._watches[number] = WatchedDirectory(path)
            self._numbers[path] = number
            return True
        if old.path is not None and old.path != path and self._numbers.get(old.path) == number:
            del self._numbers[old.path]  # it moved, and the event is still to come
        self._watches[number] = old._replace(path=path)
        self._numbers[path] = number
        return True

    def _add_watch(self, path: bytes, mask: int) -> int | None:
        try:
            return inotify_calls.add_watch(self._instance, path, mask)
        except OSError as error:
            if error.errno in _GONE:
                return None
            raise

    def _list(self, path: bytes, named: set[bytes] | None = None) -> list[bytes]:
        """Return the subdirectories of a watched directory, noting links.

        Its files, links among them, are added to ``named``.
        """
        children = []
        links = []
        try:
            with os.scandir(self._absolute(path)) as entries:
                for entry in entries:
                    if is_hidden(entry.name):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        children.append(path + b"/" + entry.name)
                        continue
                    if entry.is_symlink():
                        links.append(path + b"/" + entry.name)
                    if named is not None:
                        named.add(path + b"/" + entry.name)
        except OSError as error:
            if error.errno in OF_THE_TREE:
                return []  # gone again: an event follows
            raise  # directories below would never be watched
        for link in links:
            self._watch_target(link)
        return children

    def _apply_digest(self, digest: EventDigest) -> None:
        """Update the watches for moved and removed directories."""
        for number in digest.lost:
            watch = self._watches.pop(number, None)
            if watch is not None and watch.path is not None and self._numbers.get(watch.path) == number:
                del self._numbers[watch.path]
        for dependent in digest.retargeted:
            self._watch_target(dependent)
            if dependent in ROOTS:
                digest.rewatch.add(dependent)
            elif dependent == events.OUTPUT:
                digest.output_touched = True
            elif dependent != events.CONFIGURATION:
                digest.dirty.add(dependent.rpartition(b"/")[0])
        digest.rewatch |= {path for path in digest.touched if path not in self._numbers}
        self._look_below(digest)
        rewatch = {path for path in digest.rewatch if digest.rewatch.isdisjoint(_above(path))}
        self._unwatch({path for path in rewatch if path in self._numbers})
        for path in rewatch:
            self._watch_tree(path, digest)
        for path in digest.names:
            if path in self._links or _is_link(self._absolute(path)):
                self._watch_target(path)

    def _look_below(self, digest: EventDigest) -> None:
        """Mark and watch all below directories of other permissions.

        A folder that may not be entered any more hides those below it, which have no events. One that may be entered
        again shows them, maybe for the first time: none was watched if the daemon started meanwhile.
        """
        if not digest.touched:
            return
        digest.dirty |= {path for path in self._numbers if not digest.touched.isdisjoint(_above(path))}
        stack = [path for path in digest.touched & self._numbers.keys() if digest.touched.isdisjoint(_above(path))]
        while stack:
            for child in self._list(stack.pop()):
                if child in self._numbers:
                    stack.append(child)
                else:
                    self._watch_tree(child, digest)

    def _unwatch(self, paths: set[bytes]) -> None:
        """Take the watches off directories and all below them."""
        if not paths:
            return
        for name in [name for name in self._numbers if name in paths or not paths.isdisjoint(_above(name))]:
            number = self._numbers.pop(name)
            watch = self._watches.get(number)
            if watch is not None:
                self._set_watch(number, watch._replace(path=None))
        for link in [link for link in self._links if link[0] != _SLASH and not paths.isdisjoint(_above(link))]:
            self._unwatch_target(link)

    def _watch_tree(self, path: bytes, digest: EventDigest) -> None:
        """Watch a directory tree, each directory before its listing.

        Their files are named: if two folders were swapped, only the move reveals that ``A/Thing.mat`` is a different
        file (``check-stat = "minimal"``, equal sizes and times), and its unread events were lost with the old watch.
        """
        stack = [path]
        while stack:
            path = stack.pop()
            digest.dirty.add(path)
            if self._watch_directory(path):
                stack += self._list(path, digest.named)

    def _watch_found(self, dirty: set[bytes]) -> None:
        """Watch, and mark dirty, directories that only the first scan found."""
        if self._known is None or (found := self._paths.known()) is self._known:
            return
        self._known = None
        for top in sorted(found.keys() - self._numbers.keys()):
            if top in self._numbers or top.rpartition(b"/")[0] not in self._numbers:
                continue  # listed with its parent, or behind a link, or gone again
            stack = [top]
            while stack:
                path = stack.pop()
                if self._watch_directory(path):
                    dirty.add(path)
                    stack += self._list(path)

    def _find_links(self, dirty: set[bytes]) -> None:
        """Find links, maybe retargeted, in directories from the cache."""
        for path in self._unlisted[-_SLICE:]:
            before = len(self._links)
            self._list(path)
            if len(self._links) != before:
                dirty.add(path)
        del self._unlisted[-_SLICE:]

    # --- what depends on names elsewhere

    def _set_watch(self, number: int, watch: WatchedDirectory) -> None:
        """Set the roles of a watch; remove one without roles."""
        if watch == WatchedDirectory():
            self._watches.pop(number, None)
            inotify_calls.remove_watch(self._instance, number)
        else:
            self._watches[number] = watch

    def _watch_target(self, dependent: bytes) -> None:
        """Watch a link's or the output's path components anew."""
        self._unwatch_target(dependent)
        root, folder = self._paths.root, self._paths.folder
        if dependent == events.OUTPUT:
            self._watch_names(dependent, folder, _NAMES)
            number = self._add_watch(folder, _OUTPUT)
            if number is not None:
                self._watches[number] = self._watches.get(number, WatchedDirectory())._replace(output=True)
        elif dependent == events.CONFIGURATION:
            self._watch_names(dependent, root + b"/" + CONFIGURATION, _NAMES | inotify_calls.IN_CLOSE_WRITE)
        else:
            self._watch_names(dependent, self._absolute(dependent), _NAMES if dependent in ROOTS else _DIRECTORY)

    def _watch_names(self, dependent: bytes, path: bytes, mask: int) -> None:
        """Watch each directory on a path, below the project's, for names."""
        root = self._paths.root + b"/"
        way = [
            (place, name)
            for place, name in resolution_steps(path, read_link)
            if not root.startswith(_join(place, name))
        ]
        for place, name in way:
            number = self._add_watch(place, mask if (place, name) == way[-1] else _NAMES)
            if number is None:
                break
            watch = self._watches.get(number, WatchedDirectory())
            names = dict(watch.names or {})
            names[name] = names.get(name, frozenset()) | {dependent}
            self._watches[number] = watch._replace(names=names)
            self._links.setdefault(dependent, set()).add(number)

    def _unwatch_target(self, dependent: bytes) -> None:
        for number in self._links.pop(dependent, ()):
            watch = self._watches.get(number)
            if watch is not None and watch.names is not None:
                names = {name: left for name, dependents in watch.names.items() if (left := dependents - {dependent})}
                self._set_watch(number, watch._replace(names=names or None))


class _Reader:
    """A sleeping thread that empties the kernel's event queue, nothing more."""

    def __init__(self, instance: int, wake: Callable[[], None]) -> None:
        self._instance = instance
        self._wake = wake
        self._buffers: deque[bytes] = deque()
        self._read_size = 0  # of all buffers, written by the thread alone
        self._taken_size = 0  # and by the caller alone
        self._last = 0.0
        self._woken = False
        self._is_reading = False
        self.runs = True
        self._rescan_reason = ""
        self._mounts_changed = False
        self._stop, self._stopper = os.pipe()
        self._thread = threading.Thread(target=self._run, name="inotify", daemon=True)
        self._thread.start()

    def take(self) -> tuple[list[bytes], float, str]:
        """Return new events, their time, and a rescan reason or ``""``."""
        self._woken = False  # first: later events wake again
        buffers = []
        while self._buffers:
            buffers.append(self._buffers.popleft())
            self._taken_size += len(buffers[-1])
        rescan_reason = self._rescan_reason
        if rescan_reason:  # otherwise a message of the thread at this moment would be lost
            self._rescan_reason = ""
        return buffers, self._last, rescan_reason

    @property
    def has_events(self) -> bool:
        """Whether events were read, or are being read, that nobody took."""
        return self._is_reading or bool(self._buffers) or bool(self._rescan_reason)

    def mounts_changed(self) -> bool:
        """Whether something was mounted or unmounted somewhere since the last call."""
        if not self._mounts_changed:
            return False
        self._mounts_changed = False
        return True

    def stop(self) -> None:
        """End the thread."""
        os.write(self._stopper, b"!")
        self._thread.join()
        os.close(self._stop)
        os.close(self._stopper)

    def _run(self) -> None:
        try:
            self._read_all()
        finally:  # on any end, the caller must not wait for events that nothing reads
            self.runs = False
            self._wake()

    def _read_all(self) -> None:
        try:
            mounts = os.open("/proc/self/mountinfo", os.O_RDONLY)
        except OSError:
            mounts = -1
        try:
            self._read_until_stopped(mounts)
        finally:
            if mounts >= 0:
                os.close(mounts)

    def _read_until_stopped(self, mounts: int) -> None:
        wait = inotify_calls.poller([self._instance, self._stop], mounts)
        while True:
            ready = wait()
            if self._stop in ready:
                return
            if mounts in ready:
                self._mounts_changed = True
            if self._instance in ready:
                self._is_reading = True  # before the kernel's queue is empty, until they are among the buffers
                self._read()
                self._is_reading = False
            if not self._woken:
                self._woken = True
                self._wake()
            time.sleep(_BATCH_INTERVAL)

    def _read(self) -> None:
        try:
            buffer = os.read(self._instance, _BUFFER)
        except BlockingIOError:
            return
        self._last = time.monotonic()
        if self._read_size - self._taken_size > _MOST_BUFFERED:
            self._rescan_reason = "more events than could be processed"
            return
        self._read_size += len(buffer)
        self._buffers.append(buffer)


def _above(path: bytes) -> Iterator[bytes]:
    """Yield the directories that a path lies in."""
    while True:
        path = path.rpartition(b"/")[0]
        if not path:
            return
        yield path


def _join(place: bytes, name: bytes) -> bytes:
    return (b"" if place == b"/" else place) + b"/" + name + b"/"


def _is_link(path: bytes) -> bool:
    try:
        return stat.S_ISLNK(os.lstat(path).st_mode)
    except OSError:
        return False
