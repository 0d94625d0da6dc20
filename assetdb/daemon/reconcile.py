"""The reconciler, which keeps answers and files up to date.

One loop calls everything here; it waits on its own sockets until :meth:`Reconciler.next_deadline`, and is woken by
observers. Work on the session (updates, saves) is done one piece at a time; in a daemon it runs in a thread while the
loop answers, and the loop handles its outcome. Observers only decide *when* and *where* to look: an update lists
directories and uses the same code as a bake.
"""

from __future__ import annotations

import itertools
import os
import time
from contextlib import suppress

from assetdb.daemon.observers import events
from assetdb.daemon.observers.api import Observer, ObserverError
from assetdb.daemon.observers.paths import WatchedPaths
from assetdb.daemon.observers.polling import PollingObserver
from assetdb.daemon.observers.select import select_observers
from assetdb.daemon.saver import Saver, pause_after
from assetdb.daemon.schedule import Schedule
from assetdb.daemon.suspend import ClockMonitor
from assetdb.daemon.work import Outcome, Work
from assetdb.errors import AssetdbError, ScanError
from assetdb.settings.output_folder import make_folder
from assetdb.settings.project import CONFIGURATION_NAME
from assetdb.workspace.changes import REMOVED
from assetdb.workspace.workspace import Update
from assetdb_formats.files import words_of
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from assetdb.daemon.session import Session

_COOKIE_PATIENCE: Final = 1.0  # seconds until an unseen cookie counts as lost, and everything is scanned
_RETRY_CHANGED: Final = 1.0  # but no longer than this if something changed since
_REWATCH: Final = 30.0  # seconds until watching is retried
_PREPARE: Final = 0.2  # seconds after the start; the first questions go before
_LINKS_LEAST: Final = 1.0
_LINKS_EACH: Final = 0.005  # examining a directory takes 0.1 to 0.5 ms
_IDLE_SLICE: Final = 0.002
_LAST_WORK: Final = 30.0  # seconds that a stop waits for current work


class _Request(NamedTuple):
    """A client that waits for all earlier changes."""

    done: Callable[[], None]
    files: bool
    since: float


class Reconciler:
    """Keeps one :class:`~assetdb.daemon.session.Session` current with the disk."""

    def __init__(
        self,
        session: Session,
        wake: Callable[[], None],
        *,
        backend: str = "",
        log: Callable[..., None],
    ) -> None:
        """Prepare; nothing is watched or read before :meth:`start`.

        Args:
            session: the project.
            wake: called from any thread when :meth:`next_deadline` should be asked again; cheap, and never blocks.
            backend: one of :data:`assetdb.daemon.observers.api.BACKENDS`, ``""`` for the best.
            log: called with text and fields for people.
        """
        self._session = session
        self._wake = wake
        self.work = Work(wake)
        """Has things done to the session."""
        self.on_prepared: Callable[[], None] = lambda: None
        """Called when something was made that stays."""
        self._backend = backend
        self._log = log
        self._observer: Observer = PollingObserver()
        self._unwatched = ""  # why the files are not watched
        self._watched = WatchedPaths(b"", b"")
        self.schedule = Schedule()
        self.saver = Saver(session, self.schedule, log, self._log_fault)
        """Decides when the session's files are written."""
        self._clocks = ClockMonitor()
        self._dirty: set[bytes] = set()
        self._rescan_reason = ""
        self._first = 0.0
        self._last = 0.0
        self._urgent = False
        self._waiting: dict[str, _Request] = {}  # by cookie
        self._answerable: list[_Request] = []
        self._unprepared: float | None = None
        self._started = False
        self._poll_at: float | None = None
        self._links_at: float | None = None  # when to scan directories behind links
        self._packages_due = False
        self._retry: float | None = None
        self._failures = 0
        self._failed_at = 0.0
        self._logged_pause = 0.0  # the last logged pause
        self._rewatch_at: float | None = None
        self._numbers = itertools.count(1)
        self._problem = ""
        self._problem_kind: tuple[type, int] | None = None  # of that problem
        self._last_rescan_reason = ""
        self._counts = {"events": 0, "updates": 0, "reconciles": 0}

    # --- life

    def start(self) -> None:
        """Begin to watch, then read the project.

        Raises:
            ProjectError: the output folder cannot be made.
            OSError: the files cannot be read.
        """
        self._watch()
        self._session.start()
        self._started = True
        now = time.monotonic()
        self.saver.mark(now)
        self.saver.uncached = now
        self._unprepared = now + _PREPARE
        self._poll_at = now + 1.0 if self._observer.needs_polling else None
        self._rewatch_at = now + _REWATCH if self._unwatched else None
        self._schedule_link_check(now)
        self.work.do(self._session.save, self.saver.saved)  # the files exist before watching is announced
        self.work.follow()
        self._wake()

    def listen(self) -> None:
        """Receive changes, including those since :meth:`start`; starts threads."""
        self._observer.listen()

    def stop(self, *, save: bool = True) -> None:
        """Apply known changes, save all, end threads, even after a partial start."""
        self._started = self._started and save
        self._session.leave_cache()
        until = time.monotonic() + _LAST_WORK
        while (self.work.is_busy or self.saver.is_caching) and time.monotonic() < until:
            time.sleep(_IDLE_SLICE)
            self.work.follow()
        if self.work.is_busy and self._started:  # it is still using the session
            self._started = False
            self._log("the files may not be up to date: the current work does not end")
        if self._started:
            with suppress(AssetdbError, OSError):
                self.collect()
                if self._dirty and not self._rescan_reason:
                    self._session.update(self._dirty)
        self._observer.stop()
        for cookie in self._waiting:
            self._remove_cookie(cookie)
        self._waiting.clear()
        if not self._started:
            return
        self._started = False
        self.saver.save_at_last()

    def _watch(self) -> None:
        with suppress(OSError):
            make_folder(self._session.folder, self._session.root)
            for name in os.listdir(self._session.folder):
                if name.startswith(os.fsdecode(events.COOKIE)):
                    self._remove_cookie(name)
        paths = WatchedPaths(os.fsencode(self._session.root), os.fsencode(self._session.folder), self._session.known)
        self._watched = paths
        self._unwatched = ""
        remote = paths.remote_file_system()
        if remote and not self._backend:
            self._log("changes made by other machines are not reported", file_system=remote)
        for observer in select_observers(paths, self._wake, self._backend):
            try:
                observer.start()
            except ObserverError as error:
                self._unwatched = self._unwatched or str(error)
                self._log(str(error), backend=observer.name)
                continue
            self._observer = observer
            break
        if self._backend not in ("", self._observer.name):
            self._log("not available here", backend=self._backend)
        self._log("watching", backend=self._observer.name, **self._observer.status())
        if self._observer.needs_polling:
            self._log("no source of changes: everything is scanned periodically")

    # --- what the loop asks

    def next_deadline(self) -> float | None:
        """Return the seconds until :meth:`run_pending` is due, None until woken."""
        now = time.monotonic()
        if self.work.has_ended:
            return 0.0
        times: list[float | None] = []
        if not self.work.is_busy:
            times += [self._update_at(), self.saver.save_at(busy=self._is_pending()), self._poll_at, self._links_at]
        if self._waiting:
            times.append(next(iter(self._waiting.values())).since + _COOKIE_PATIENCE)
        if self._is_idle() and not self.work.is_busy:
            times += [self._unprepared, self.saver.cache_at()]
        if self._observer.has_backlog():
            times.append(now + _IDLE_SLICE)
        found = [at for at in times if at is not None]
        return max(0.0, min(found) - now) if found else None

    def run_pending(self) -> Update | None:
        """Begin the work that is due; return an update that has ended."""
        update = self.work.follow()
        now = time.monotonic()
        if any(now >= request.since + _COOKIE_PATIENCE for request in self._waiting.values()):
            self._request_rescan("a cookie did not appear")
        if update is None and not self.work.is_busy:
            self._begin(now)
            update = self.work.follow()  # if no thread is working
        return update

    def _begin(self, now: float) -> None:
        """Begin the most urgent work that is due, if any."""
        save_at, cache_at = self.saver.save_at(busy=self._is_pending()), self.saver.cache_at()
        if self._poll_at is not None and now >= self._poll_at:
            self._poll()
        elif (at := self._update_at()) is not None and now >= at:
            self._update()
        elif self._links_at is not None and now >= self._links_at:
            self._check_links()
        elif save_at is not None and now >= save_at:
            self.work.do(self._session.save, self.saver.saved)
        elif self._is_idle() and self._unprepared is not None and now >= self._unprepared:
            self._unprepared = None
            self.work.do(self._session.prepare, self._prepared)
        elif self._is_idle() and cache_at is not None and now >= cache_at:
            self._save_cache()

    def _prepared(self, outcome: Outcome) -> None:
        if outcome.error is not None:
            self.saver.log_error(outcome.error, "the next update takes longer")
        self.on_prepared()

    def _save_cache(self) -> None:
        self.saver.uncached = None
        self.saver.is_caching = True
        self.work.do(self._session.save_cache, self._cached, alone=False)

    def _cached(self, outcome: Outcome) -> None:
        self.saver.cached(outcome)
        self.on_prepared()

    def changed(self, paths: list[str]) -> None:
        """Record files that an editor wrote, absolute or in the project."""
        root = os.fsencode(self._session.root)
        for name in paths:
            path = os.path.normpath(os.path.join(root, os.fsencode(name)))
            inside = WatchedPaths(root, b"").relative(path)
            if inside is not None:
                self._mark_dirty({os.path.dirname(inside) or inside, inside})
            elif path == os.path.join(root, os.fsencode(CONFIGURATION_NAME)):
                self._request_rescan("assetdb.toml changed")
        self._urgent = True
        self._wake()

    def sync(self, done: Callable[[], None], *, files: bool = False) -> None:
        """Call ``done`` once earlier changes are known, with ``files`` written."""
        request = _Request(done, files, time.monotonic())
        linked = self._session.through_links()
        if linked:  # there are no events for these
            self._mark_dirty(set(linked))
        self._packages_due = self._packages_due or self._session.has_local_packages
        self._urgent = True
        self._wake()
        if self._observer.needs_polling:
            self._answerable.append(request)
            self._request_rescan("asked")
            self.saver.mark_if_saved(request.since)
            return
        cookie = f"{os.fsdecode(events.COOKIE)}{os.getpid()}-{next(self._numbers)}"
        self._waiting[cookie] = request
        try:
            os.close(os.open(os.path.join(self._session.folder, cookie), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except OSError as error:
            self._request_rescan(f"a cookie cannot be created: {words_of(error)}")

    @property
    def may_be_behind(self) -> bool:
        """Whether polling, links or unwatched packages hide changes."""
        return self._observer.needs_polling or bool(self._session.through_links()) or self._session.has_local_packages

    @property
    def is_late(self) -> bool:
        """Whether a change may be known only after a question about it."""
        return self._observer.is_late

    @property
    def blocked(self) -> str:
        """Why answers are stale (the files could not be read), or ``""``."""
        if self._problem_kind is None or (
            issubclass(self._problem_kind[0], AssetdbError) and self._problem_kind[0] is not ScanError
        ):
            return ""  # invalid settings: answers still use the last valid ones
        return self._problem

    def status(self) -> dict[str, object]:
        """Return facts for people and tests."""
        unwatched = {"not_watched": self._unwatched} if self._unwatched and self._observer.needs_polling else {}
        return {
            "backend": self._observer.name,
            **unwatched,
            **self._observer.status(),
            **self._counts,
            "saves": self.saver.saves,
            "pending": self._is_pending(),
            "saved": self.saver.unsaved is None,
            "rescan_reason": self._last_rescan_reason,
            "problem": self._problem,
        }

    # --- events

    def collect(self) -> None:
        """Take the events of the observer."""
        jump = self._clocks.jump()
        if jump:
            self._request_rescan(jump)
        try:
            seen = self._observer.collect()
        except ObserverError as error:
            self._unwatched = str(error)
            self._log(str(error), backend=self._observer.name)
            self._observer.stop()
            self._observer = PollingObserver()
            self._poll_at = time.monotonic()
            self._rewatch_at = self._poll_at + _REWATCH
            self._request_rescan("files are no longer watched")
            return
        self._counts["events"] += seen.events
        if (
            seen.events
            and (seen.output_touched or self.saver.removing is not None)
            and not os.path.isdir(self._session.folder)
        ):
            self.saver.wait_for_removal()
        if seen.dirty:
            self._mark_dirty(set(seen.dirty), seen.last)
        if seen.rescan_reason:
            self._request_rescan(seen.rescan_reason)
        if seen.output_touched:
            self.saver.mark_if_saved(time.monotonic())
        for cookie in seen.cookies:
            request = self._waiting.pop(cookie, None)
            if request is not None:
                self._remove_cookie(cookie)
                self._answerable.append(request)
                self._urgent = True

    def _mark_dirty(self, dirty: set[bytes], last: float = 0.0) -> None:
        now = time.monotonic()
        if not self._is_pending():
            self._first = now
        self._last = max(self._last, last or now)
        self._dirty |= dirty
        if self._retry is not None:
            soonest = self._failed_at + min(pause_after(self._failures), _RETRY_CHANGED)
            self._retry = min(self._retry, soonest) if self.blocked else None

    def _request_rescan(self, why: str) -> None:
        self._mark_dirty(set())
        self._rescan_reason = why
        # Cookies may be lost; everything before now will be scanned.
        for cookie, request in self._waiting.items():
            self._remove_cookie(cookie)
            self._answerable.append(request)
        self._waiting.clear()

    def _remove_cookie(self, cookie: str) -> None:
        with suppress(OSError):
            os.unlink(os.path.join(self._session.folder, cookie))

    # --- updates

    def _update_at(self) -> float | None:
        if not self._is_pending():
            return self._first if self._answerable else None
        if self._urgent:
            return self._first
        if self._retry is not None:
            return self._retry
        return self.schedule.update_at(self._first, self._last, rescan=bool(self._rescan_reason))

    def _do(self, work: Callable[[], object], then: Callable[[Outcome], Update | None]) -> None:
        """Have work done on the session, then answer clients that wait now.

        For those that come meanwhile, something may change behind this scan.
        """
        seen, self._answerable = self._answerable, []

        def ended(outcome: Outcome) -> Update | None:
            update = then(outcome)
            self._answer(seen)
            return update

        self.work.do(work, ended)

    def _poll(self) -> None:
        """Scan everything if there are no events."""

        def polled(outcome: Outcome) -> Update | None:
            update = self._reconciled("", outcome)
            self._poll_at = max(self.schedule.poll_at(outcome.ended, outcome.ended - outcome.began), self._retry or 0.0)
            if update is not None and self._rewatch_at is not None and outcome.ended >= self._rewatch_at:
                self._try_to_rewatch()
            self.saver.mark_if_saved(outcome.ended)
            return update

        self._do(lambda: self._session.reconcile(elsewhere=False), polled)

    def _try_to_rewatch(self) -> None:
        """Watch again after a failure (as of descriptors), or keep polling."""
        self._watch()
        self._observer.listen()
        self._request_rescan("files are watched again" if not self._observer.needs_polling else "asked")
        self._rewatch_at = time.monotonic() + _REWATCH if self._observer.needs_polling else None
        if not self._observer.needs_polling:
            self._poll_at = None

    def _schedule_link_check(self, now: float) -> None:
        linked = self._session.through_links()
        any_of_it = linked or self._session.has_local_packages
        self._links_at = now + max(_LINKS_LEAST, len(linked) * _LINKS_EACH) if any_of_it else None

    def _check_links(self) -> None:
        """Scan the directories behind links, which have no events."""
        linked = set(self._session.through_links())

        def look() -> Update:
            if self._session.has_local_packages:
                self._session.refresh_packages()
            return self._session.update(linked)

        def looked(outcome: Outcome) -> Update | None:
            update = self._followed(outcome, linked, only_changes=True)
            self._schedule_link_check(time.monotonic())
            return update

        self.work.do(look, looked)

    def _update(self) -> None:
        """Apply changes, and answer the waiting clients."""
        dirty, reason = self._dirty, self._rescan_reason
        self._dirty, self._rescan_reason, self._urgent = set(), "", False
        if reason:
            self._rescan(reason)
            return
        packages, self._packages_due = self._packages_due, False
        if not (dirty or packages):
            seen, self._answerable = self._answerable, []
            self._answer(seen)
            return

        def update() -> Update | None:
            if packages:
                self._session.refresh_packages()
            return self._session.update(dirty) if dirty else None

        def updated(outcome: Outcome) -> Update | None:
            made = self._followed(outcome, dirty)
            self.schedule.updated(outcome.began, outcome.ended)
            return made

        self._do(update, updated)

    def _followed(self, outcome: Outcome, dirty: set[bytes], *, only_changes: bool = False) -> Update | None:
        """Handle an update's outcome; with ``only_changes`` an empty one is ignored."""
        update = self._taken(outcome, lambda: self._mark_dirty(dirty))
        if update is not None:
            if not only_changes or update.changes or update.diagnostics_added or update.diagnostics_removed:
                self._succeeded(update)
            self._counts["updates"] += not only_changes
        return update

    def _taken(self, outcome: Outcome, mark_again: Callable[[], None], reason: str = "") -> Update | None:
        """Return the update of a scan; handle errors."""
        error = outcome.error
        if isinstance(error, AssetdbError | OSError):
            mark_again()
            self._failed(error)
        elif error is not None:  # a bug of ours, or no memory: logged and retried
            self._request_rescan(reason or "an update failed")
            self._fault(error)
        return outcome.value if isinstance(outcome.value, Update) else None

    def _rescan(self, reason: str) -> None:
        """Scan everything."""
        if reason != "asked":
            self._last_rescan_reason = reason
            self._log("everything is scanned again", why=reason)
        packages, self._packages_due = self._packages_due, False

        def rescan() -> Update:
            if packages:
                self._session.refresh_packages()
            # Without events, packages are searched again when their list changes.
            return self._session.reconcile(elsewhere=reason != "asked")

        def rescanned(outcome: Outcome) -> Update | None:
            update = self._reconciled(reason, outcome)
            self.schedule.updated(outcome.began, outcome.ended)
            return update

        self._do(rescan, rescanned)

    def _reconciled(self, reason: str, outcome: Outcome) -> Update | None:
        """Handle the outcome of a full scan."""
        update = self._taken(outcome, lambda: self._request_rescan(reason) if reason else None, reason)
        if update is None:
            return None
        self._counts["reconciles"] += 1
        self._succeeded(update)
        if os.fsencode(self._session.folder) != self._watched.folder:
            self._observer.stop()
            self._watch()
            self._observer.listen()
            self._request_rescan("the output folder has moved")
            self._poll_at = time.monotonic() if self._observer.needs_polling else None
        return update

    def _succeeded(self, update: Update) -> None:
        self._schedule_link_check(time.monotonic())
        if self._logged_pause:
            self._log("reading the files works again", after=self._failures)
        self._failures = 0
        self._logged_pause = 0.0
        self._problem = ""
        self._problem_kind = None
        self._retry = None
        if self._unprepared is None and not self._session.is_prepared:  # everything was rebuilt
            self._unprepared = time.monotonic() + _PREPARE
        if update.changes or update.diagnostics_added or update.diagnostics_removed or update.files_read:
            now = time.monotonic()
            self.saver.mark(now)
            self.saver.uncached = now
            if any(change.kind == REMOVED for change in update.changes):
                self.saver.wait_for_removal()

    def _failed(self, error: BaseException) -> None:
        """Keep the last good answers; retry later or at a change."""
        self._failures += 1
        self._failed_at = time.monotonic()
        pause = pause_after(self._failures)
        self._retry = self._failed_at + pause
        self._problem = str(error) or type(error).__name__
        kind = type(error), getattr(error, "errno", 0) or 0
        if kind != self._problem_kind or pause > self._logged_pause:
            self._log("the last good answers are kept", error=self._problem, again_in=pause)
            self._logged_pause = pause
        self._problem_kind = kind

    def _fault(self, error: BaseException) -> None:
        if self._problem_kind is None or self._problem_kind[0] is not type(error):
            self._log_fault(error)
        self._failed(error)

    def _log_fault(self, error: BaseException) -> None:
        """Log an internal error that leaves all answers unchanged."""
        import traceback  # noqa: PLC0415 - with all that reads sources, and only on a fault of ours

        place = "".join(traceback.format_exception(error)[-3:])
        self._log("fault", error=f"{type(error).__name__}: {error}", place=place)

    def _answer(self, seen: list[_Request]) -> None:
        """Notify waiting clients, even after failures, once wanted files are written."""
        if not any(request.files for request in seen) or (self.saver.unsaved is None and self._session.is_saved):
            _notify(seen)
            return

        def saved(outcome: Outcome) -> None:
            self.saver.saved(outcome)
            _notify(seen)

        self.work.do(self._session.save, saved)

    def _is_pending(self) -> bool:
        return bool(self._dirty or self._rescan_reason)

    def _is_idle(self) -> bool:
        """Whether there is time for optional work."""
        return not self._is_pending() or self._retry is not None


def _notify(seen: list[_Request]) -> None:
    for request in seen:
        request.done()
