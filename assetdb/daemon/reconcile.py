"""Brings a project's answers and files up to date with what is on the disk, and knows when that is so.

One thread calls everything here; it waits on its own sockets for as long as :meth:`Reconciler.due` says, and is woken
when an observer saw something. What an observer says only decides *when* and *where* to look: an update lists
directories and takes the same road as a bake.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import time
import traceback
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.daemon.observers import events
from assetdb.daemon.observers.paths import Places
from assetdb.daemon.observers.polling import PollingObserver
from assetdb.daemon.observers.select import Observer, ObserverError, choose
from assetdb.daemon.schedule import Pace
from assetdb.daemon.session import REMOVED
from assetdb.daemon.suspend import Clocks
from assetdb.errors import AssetdbError, ScanError
from assetdb.store.output import make_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.daemon.session import LiveProject, Update

_COOKIE_PATIENCE: Final = 1.0  # seconds until a cookie that nobody saw is taken for lost, and everything looked at
# Seconds without an event after which files are written again when something was removed: `rm -rf` of the project or
# of its Library fails if a file comes into a folder that it has emptied.
_AFTER_REMOVAL: Final = 0.3
_REMOVAL_MOST: Final = 20.0
_RETRY: Final = 0.1  # seconds after a first failure; twice as long after each that follows, until
_RETRY_MOST: Final = 30.0
_RETRY_CHANGED: Final = 1.0  # but not longer than this where something changed since
_WATCH_AGAIN: Final = 30.0  # seconds until what could no longer be watched is tried again
_PREPARE: Final = 0.2  # seconds after the start; the first questions go before
_LINKS_LEAST: Final = 1.0
_LINKS_EACH: Final = 0.005  # looking at a directory takes 0.1 to 0.5 ms
_IDLE_SLICE: Final = 0.002


class _Request(NamedTuple):
    """Somebody who waits until all that happened before is known."""

    done: Callable[[], None]
    files: bool
    asked: float


class Reconciler:
    """Keeps one :class:`~assetdb.daemon.session.LiveProject` as the disk is."""

    def __init__(
        self,
        live: LiveProject,
        wake: Callable[[], None],
        *,
        poll: bool = False,
        backend: str = "",
        log: Callable[..., None],
    ) -> None:
        """Prepare; nothing is watched or read before :meth:`start`.

        Args:
            live: the project; all of it is called from the thread that calls this.
            wake: called from any thread when :meth:`due` should be asked again; cheap, and never blocks.
            poll: watch nothing, look at everything now and then.
            backend: one of :data:`assetdb.daemon.observers.select.BACKENDS`, ``""`` for the best.
            log: is told what a person may want to know, as text and fields.
        """
        self._live = live
        self._wake = wake
        self.in_slices: Callable[[Callable[[], None]], None] = _at_once
        """Does work that takes long; in a daemon while others are answered."""
        self._backend = "polling" if poll else backend
        self._log = log
        self._observer: Observer = PollingObserver()
        self._watched = Places(b"", b"")
        self._pace = Pace()
        self._clocks = Clocks()
        self._dirty: set[bytes] = set()
        self._doubt = ""
        self._first = 0.0
        self._last = 0.0
        self._urgent = False
        self._waiting: dict[str, _Request] = {}  # by cookie
        self._seen: list[_Request] = []
        self._unsaved: float | None = None  # when the last change was
        self._unsaved_first = 0.0  # and the first
        self._not_before = 0.0  # saving failed, or should wait
        self._save_failures = 0
        self._removing: float | None = None  # since when things are removed
        self._uncached: float | None = None
        self._unprepared: float | None = None
        self._started = False
        self._look: float | None = None
        self._links_at: float | None = None  # when to look at what is there through links
        self._retry: float | None = None
        self._failures = 0
        self._failed_at = 0.0
        self._told = 0.0  # the pause that was last told
        self._watch_again: float | None = None
        self._numbers = itertools.count(1)
        self._problem = ""
        self._kind: tuple[type, int] | None = None  # of that problem
        self._last_doubt = ""
        self._counts = {"events": 0, "updates": 0, "reconciles": 0, "saves": 0}

    # --- life

    def start(self) -> None:
        """Begin to watch, then read the project: what changes in between is seen.

        Raises:
            ProjectError: the output folder cannot be made.
            OSError: the files cannot be read.
        """
        self._watch()
        self._live.start()
        self._started = True
        self._observer.listen()
        now = time.monotonic()
        self._to_save(now)
        self._uncached = now
        self._unprepared = now + _PREPARE
        self._look = now + 1.0 if self._observer.unsure else None
        self._plan_links(now)
        self._save(cache=False)  # whoever is told that it watches finds the files
        self._wake()

    def stop(self, *, save: bool = True) -> None:
        """Take in what is known, save everything, end all threads; also where :meth:`start` did not come to its end."""
        self._started = self._started and save
        if self._started:
            with contextlib.suppress(AssetdbError, OSError):
                self._gather()
                if self._dirty and not self._doubt:
                    self._live.update(self._dirty)
        self._observer.stop()
        for cookie in self._waiting:
            self._remove_cookie(cookie)
        self._waiting.clear()
        if not self._started:
            return
        self._started = False
        try:
            if not self._live.save(cache=True):
                self._log("the files are not up to date: another bake holds their lock")
        except (AssetdbError, OSError) as error:
            self._log("the files cannot be written", error=str(error))

    def _watch(self) -> None:
        with contextlib.suppress(OSError):
            make_folder(self._live.folder, self._live.root)
            for name in os.listdir(self._live.folder):
                if name.startswith(os.fsdecode(events.COOKIE)):
                    self._remove_cookie(name)
        places = Places(os.fsencode(self._live.root), os.fsencode(self._live.folder), self._live.known)
        self._watched = places
        foreign = places.foreign()
        if foreign and not self._backend:
            self._log("events of other machines are not heard", file_system=foreign)
        for observer in choose(places, self._wake, self._backend):
            try:
                observer.start()
            except ObserverError as error:
                self._log(str(error), backend=observer.name)
                continue
            self._observer = observer
            break
        if self._backend not in ("", self._observer.name):
            self._log("not to be had here", backend=self._backend)
        self._log("watching", backend=self._observer.name, **self._observer.status())
        if self._observer.unsure:
            self._log("nothing tells of changes: everything is looked at again, now and then")

    # --- what the loop asks

    def due(self) -> float | None:
        """Return in how many seconds :meth:`work` is due; None: not before the next wake or call."""
        self._gather()
        now = time.monotonic()
        times = [self._update_at(), self._save_at(), self._look, self._links_at]
        if self._waiting:
            times.append(next(iter(self._waiting.values())).asked + _COOKIE_PATIENCE)
        if self._rests():
            times.append(self._unprepared)
            if self._uncached is not None:
                times.append(self._pace.cache_at(self._uncached))
        if self._observer.more():
            times.append(now + _IDLE_SLICE)
        found = [at for at in times if at is not None]
        return max(0.0, min(found) - now) if found else None

    def work(self) -> Update | None:
        """Do what is due; return what an update found, None if there was none to make."""
        self._gather()
        now = time.monotonic()
        self._give_up_cookies(now)
        if self._look is not None and now >= self._look:
            return self._look_around()
        at = self._update_at()
        if at is not None and now >= at:
            return self._update()
        if self._links_at is not None and now >= self._links_at:
            return self._look_through_links()
        at = self._save_at()
        if at is not None and now >= at:
            self._save(cache=False)
        elif not self._rests():
            return None
        elif self._unprepared is not None and now >= self._unprepared:
            self._unprepared = None
            self.in_slices(self._prepare)
        elif self._uncached is not None and now >= self._pace.cache_at(self._uncached):
            self._uncached = None
            self.in_slices(self._save_cache)
        return None

    def _prepare(self) -> None:
        try:
            self._live.prepare()
        except (AssetdbError, OSError, MemoryError) as error:
            self._log("the next update takes longer", error=str(error))
        except Exception as error:  # noqa: BLE001 - a fault of ours: told; the next update does it
            self._fault(error)

    def _save_cache(self) -> None:
        saved = False
        try:
            saved = self._live.save_cache()
        except (AssetdbError, OSError, MemoryError) as error:
            if not self._save_failures:
                self._log("the files cannot be written; trying again", error=str(error))
            self._save_failures += 1
        except Exception as error:  # noqa: BLE001 - a fault of ours: told, and tried again
            self._fault(error)
        if saved:
            self._counts["saves"] += 1
        elif self._uncached is None:
            self._uncached = time.monotonic()

    def changed(self, paths: list[str]) -> None:
        """Take note that an editor wrote files: absolute paths, or relative to the project."""
        root = os.fsencode(self._live.root)
        for name in paths:
            path = os.path.normpath(os.path.join(root, os.fsencode(name)))
            inside = Places(root, b"").relative(path)
            if inside is not None:
                self._mark({os.path.dirname(inside) or inside, inside})
            elif path == os.path.join(root, b"assetdb.toml"):
                self._mark_doubt("assetdb.toml changed")
        self._urgent = True
        self._wake()

    def sync(self, done: Callable[[], None], *, files: bool = False) -> None:
        """Call ``done`` from :meth:`work` as soon as all that happened before is known (with ``files``, written)."""
        request = _Request(done, files, time.monotonic())
        linked = self._live.through_links()
        if linked:  # no event tells of these
            self._mark(set(linked))
        if self._live.has_local_packages:
            self._live.refresh_packages()
        self._urgent = True
        self._wake()
        if self._observer.unsure:
            self._seen.append(request)
            self._mark_doubt("asked")
            if self._unsaved is None:
                self._to_save(request.asked)  # saving compares; somebody may have touched the files
            return
        cookie = f"{os.fsdecode(events.COOKIE)}{os.getpid()}-{next(self._numbers)}"
        self._waiting[cookie] = request
        try:
            os.close(os.open(os.path.join(self._live.folder, cookie), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except OSError as error:
            self._mark_doubt(f"no cookie can be laid: {error.strerror}")

    @property
    def may_be_behind(self) -> bool:
        """Whether something may have changed of which no event will tell: then it is known after a :meth:`sync` alone.

        Files are polled, or directories lie behind links, or packages where nothing is watched.
        """
        return self._observer.unsure or bool(self._live.through_links()) or self._live.has_local_packages

    @property
    def blocked(self) -> str:
        """Why what is known may be behind what was asked for: the system could not tell; ``""`` where all is well."""
        if self._kind is None or (issubclass(self._kind[0], AssetdbError) and self._kind[0] is not ScanError):
            return ""  # settings that are wrong: what is known is as the right ones had it
        return self._problem

    def status(self) -> dict[str, object]:
        """Return facts for people and tests."""
        return {
            "backend": self._observer.name,
            **self._observer.status(),
            **self._counts,
            "pending": self._is_pending(),
            "saved": self._unsaved is None,
            "doubt": self._last_doubt,
            "problem": self._problem,
        }

    def is_removing(self) -> bool:
        """Whether somebody removes things, so that nothing should be written."""
        return self._removing is not None and time.monotonic() < self._not_before

    # --- events

    def _gather(self) -> None:
        doubt = self._clocks.doubt()
        if doubt:
            self._mark_doubt(doubt)
        try:
            seen = self._observer.collect()
        except ObserverError as error:
            self._log(str(error), backend=self._observer.name)
            self._observer.stop()
            self._observer = PollingObserver()
            self._look = time.monotonic()
            self._watch_again = self._look + _WATCH_AGAIN
            self._mark_doubt("files are no longer watched")
            return
        self._counts["events"] += seen.events
        if seen.events and (seen.files or self._removing is not None) and not os.path.isdir(self._live.folder):
            self._wait_for_removal()
        if seen.dirty:
            self._mark(set(seen.dirty), seen.last)
        if seen.doubt:
            self._mark_doubt(seen.doubt)
        if seen.files:
            now = time.monotonic()
            if self._unsaved is None:
                self._to_save(now)
        for cookie in seen.cookies:
            request = self._waiting.pop(cookie, None)
            if request is not None:
                self._remove_cookie(cookie)
                self._seen.append(request)
                self._urgent = True

    def _mark(self, dirty: set[bytes], last: float = 0.0) -> None:
        now = time.monotonic()
        if not self._is_pending():
            self._first = now
        self._last = max(self._last, last or now)
        self._dirty |= dirty
        if self._retry is not None:
            soonest = self._failed_at + min(_pause(self._failures), _RETRY_CHANGED)
            self._retry = min(self._retry, soonest) if self.blocked else None

    def _mark_doubt(self, why: str) -> None:
        self._mark(set())
        self._doubt = why
        # What was lost may be cookies; all that happened before now will be looked at.
        for cookie, request in self._waiting.items():
            self._remove_cookie(cookie)
            self._seen.append(request)
        self._waiting.clear()

    def _give_up_cookies(self, now: float) -> None:
        if any(now >= request.asked + _COOKIE_PATIENCE for request in self._waiting.values()):
            self._mark_doubt("a cookie was not seen")

    def _remove_cookie(self, cookie: str) -> None:
        with contextlib.suppress(OSError):
            os.unlink(os.path.join(self._live.folder, cookie))

    # --- updates

    def _update_at(self) -> float | None:
        if not self._is_pending():
            return self._first if self._seen else None
        if self._urgent:
            return self._first
        if self._retry is not None:
            return self._retry
        return self._pace.update_at(self._first, self._last, doubt=bool(self._doubt))

    def _look_around(self) -> Update | None:
        """Look at everything, where nothing tells of changes."""
        began = time.monotonic()
        update = self._reconcile("")
        ended = time.monotonic()
        self._look = max(self._pace.look_at(ended, ended - began), self._retry or 0.0)
        if update is not None and self._watch_again is not None and ended >= self._watch_again:
            self._try_to_watch_again()
        if self._unsaved is None:
            self._to_save(ended)  # saving compares; somebody may have touched the files
        self._answer()
        return update

    def _try_to_watch_again(self) -> None:
        """Watch, where that failed for want of descriptors or the like; else go on looking."""
        self._watch()
        self._observer.listen()
        self._mark_doubt("files are watched again" if not self._observer.unsure else "asked")
        self._watch_again = time.monotonic() + _WATCH_AGAIN if self._observer.unsure else None
        if not self._observer.unsure:
            self._look = None

    def _plan_links(self, now: float) -> None:
        linked = self._live.through_links()
        any_of_it = linked or self._live.has_local_packages
        self._links_at = now + max(_LINKS_LEAST, len(linked) * _LINKS_EACH) if any_of_it else None

    def _look_through_links(self) -> Update | None:
        """Look at the directories that are there through links: they may lie anywhere, and nothing tells of them."""
        update: Update | None = None
        try:
            if self._live.has_local_packages:
                self._live.refresh_packages()
            update = self._live.update(self._live.through_links())
        except (AssetdbError, OSError) as error:
            self._mark(set(self._live.through_links()))
            self._failed(error)
        else:
            if update.changes or update.diagnostics_added or update.diagnostics_removed:
                self._succeeded(update)
        self._plan_links(time.monotonic())
        return update

    def _update(self) -> Update | None:
        dirty, doubt = self._dirty, self._doubt
        self._dirty, self._doubt, self._urgent = set(), "", False
        if not (dirty or doubt):
            self._answer()
            return None
        began = time.monotonic()
        if doubt:
            update = self._reconcile(doubt)
        else:
            try:
                update = self._live.update(dirty)
            except (AssetdbError, OSError) as error:
                update = None
                self._mark(dirty)
                self._failed(error)
            except Exception as error:  # noqa: BLE001 - a fault of ours, or no memory: told, and looked at again
                update = None
                self._mark_doubt("an update went wrong")
                self._fault(error)
            else:
                self._succeeded(update)
                self._counts["updates"] += 1
        self._pace.updated(began, time.monotonic())
        self._answer()
        return update

    def _reconcile(self, doubt: str) -> Update | None:
        if doubt and doubt != "asked":
            self._last_doubt = doubt
            self._log("everything is looked at again", why=doubt)
        try:
            # Where nothing tells of changes, packages are searched again when their list is another.
            update = self._live.reconcile(elsewhere=doubt not in ("", "asked"))
        except (AssetdbError, OSError) as error:
            if doubt:
                self._mark_doubt(doubt)
            self._failed(error)
            return None
        except Exception as error:  # noqa: BLE001 - a fault of ours, or no memory: told, and tried again
            self._mark_doubt(doubt or "an update went wrong")
            self._fault(error)
            return None
        self._counts["reconciles"] += 1
        self._succeeded(update)
        if os.fsencode(self._live.folder) != self._watched.folder:
            self._observer.stop()
            self._watch()
            self._observer.listen()
            self._mark_doubt("the output is elsewhere now")
            self._look = time.monotonic() if self._observer.unsure else None
        return update

    def _succeeded(self, update: Update) -> None:
        self._plan_links(time.monotonic())
        if self._told:
            self._log("looking at the files works again", after=self._failures)
        self._failures = 0
        self._told = 0.0
        self._problem = ""
        self._kind = None
        self._retry = None
        if update.changes or update.diagnostics_added or update.diagnostics_removed or update.files_read:
            now = time.monotonic()
            self._to_save(now)
            self._uncached = now
            if any(change.kind == REMOVED for change in update.changes):
                self._wait_for_removal()

    def _wait_for_removal(self) -> None:
        """Write nothing while somebody removes things."""
        now = time.monotonic()
        if self._removing is None or now > self._removing + _REMOVAL_MOST + _AFTER_REMOVAL:
            self._removing = now
        if now < self._removing + _REMOVAL_MOST:
            self._not_before = max(self._not_before, now + _AFTER_REMOVAL)

    def _failed(self, error: Exception) -> None:
        """Keep the last good answers, and try again later, or as soon as something changes."""
        self._failures += 1
        self._failed_at = time.monotonic()
        pause = _pause(self._failures)
        self._retry = self._failed_at + pause
        self._problem = str(error) or type(error).__name__
        kind = type(error), getattr(error, "errno", 0) or 0
        if kind != self._kind or pause > self._told:
            self._log("the last good answers stay", error=self._problem, again_in=pause)
            self._told = pause
        self._kind = kind

    def _fault(self, error: Exception) -> None:
        place = "".join(traceback.format_exception(error)[-3:])
        if self._kind is None or self._kind[0] is not type(error):
            self._log("fault", error=f"{type(error).__name__}: {error}", place=place)
        self._failed(error)

    def _answer(self) -> None:
        """Tell those who wait for what is known now; after a failure too: it is the last good that there is."""
        seen, self._seen = self._seen, []
        if self._unsaved is not None and any(request.files for request in seen):
            self._save(cache=False)
        for request in seen:
            request.done()

    # --- files

    def _to_save(self, at: float) -> None:
        if self._unsaved is None:
            self._unsaved_first = at
        self._unsaved = at

    def _save_at(self) -> float | None:
        if self._unsaved is None:
            return None
        at = self._pace.save_at(self._unsaved, self._unsaved_first, busy=self._is_pending())
        return max(at, self._not_before)

    def _is_pending(self) -> bool:
        return bool(self._dirty or self._doubt)

    def _rests(self) -> bool:
        """Whether nothing is to be looked at soon, so that there is time for what only later runs need."""
        return not self._is_pending() or self._retry is not None

    def _save(self, *, cache: bool) -> None:
        began = time.monotonic()
        try:
            saved = self._live.save(cache=cache)
        except (AssetdbError, OSError, MemoryError) as error:
            saved = False
            if not self._save_failures:
                self._log("the files cannot be written; trying again", error=str(error))
        ended = time.monotonic()
        if saved:
            self._pace.saved(began, ended)
            self._counts["saves"] += 1
            self._unsaved = None
            self._save_failures = 0
            self._removing = None
            if cache:
                self._uncached = None
        else:
            self._save_failures += 1
            self._not_before = ended + _pause(self._save_failures)
            if cache:
                self._uncached = ended


def _at_once(work: Callable[[], None]) -> None:
    work()


def _pause(failures: int) -> float:
    """Return how long to wait after so many failures, one after the other."""
    return min(_RETRY * 2.0 ** min(failures - 1, 20), _RETRY_MOST)
