"""The reconciler, which keeps answers and files up to date.

One loop calls everything here; it waits on its own sockets until :meth:`Reconciler.next_deadline`, and is woken by
observers. Work on the session (scans, saves) is done one piece at a time; in a daemon it runs in a thread while the
loop answers, and the loop handles its outcome. Observers only decide *when* and *where* to look: a scan lists
directories and uses the same code as a bake.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress

from assetdb.daemon.observers.paths import CONFIGURATION, named, watched
from assetdb.daemon.reconciling.failures import Failures
from assetdb.daemon.reconciling.pending import ASKED, Pending
from assetdb.daemon.reconciling.requests import Requests, WaitingClient
from assetdb.daemon.reconciling.saver import Saver
from assetdb.daemon.reconciling.scans import ChangedDirectories, Everything, LinkedDirectories, Poll
from assetdb.daemon.reconciling.schedule import Schedule
from assetdb.daemon.reconciling.watch import Watch
from assetdb.daemon.reconciling.work import Outcome, Work
from assetdb.daemon.suspend import ClockMonitor
from assetdb.errors import AssetdbError
from assetdb.workspace.changes import REMOVED
from assetdb.workspace.workspace import Update
from assetdb_formats.files import words_of

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from assetdb.daemon.reconciling.scans import Scan
    from assetdb.daemon.session import Session

_PREPARE: Final = 0.2  # seconds after the start; the first questions go before
_LINKS_LEAST: Final = 1.0
_LINKS_EACH: Final = 0.005  # examining a directory takes 0.1 to 0.5 ms
_IDLE_SLICE: Final = 0.002
_LAST_WORK: Final = 30.0  # seconds that a stop waits for current work


class Reconciler:
    """Keeps one :class:`~assetdb.daemon.session.Session` current with the disk.

    Attributes:
        work: has things done to the session.
        on_prepared: called when something was made that stays.
        schedule: when scans and saves pay.
        saver: decides when the session's files are written.
        watch: what reports changes.
        failures: what could not be read, and when that is tried again.
        unprepared: ``time.monotonic()`` at which to prepare for questions; None once that is done.
    """

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
        self.work = Work(wake)
        self.on_prepared: Callable[[], None] = lambda: None
        self.schedule = Schedule()
        self.saver = Saver(session, self.schedule, log, self._log_fault)
        self.failures = Failures(log)
        self.unprepared: float | None = None
        self._session = session
        self._wake = wake
        self._log = log
        self._requests = Requests(lambda: session.folder)
        self._pending = Pending(self.schedule, self._requests, self.failures)
        self.watch = Watch(session, self._requests, wake, backend, log)
        self._clocks = ClockMonitor()
        self._started = False
        self._is_collecting = self._is_reading = False
        self._links_at: float | None = None  # when to scan directories behind links
        self._last_rescan_reason = ""
        self._counts = {"events": 0, "updates": 0, "reconciles": 0}

    # --- life

    def start(self) -> None:
        """Begin to watch, then read the project.

        Raises:
            ProjectError: the output folder cannot be made.
            OSError: the files cannot be read.
        """
        self.watch.start()
        self._session.start()
        self._started = True
        now = time.monotonic()
        self.saver.mark(now)
        self.saver.uncached = now
        self.unprepared = now + _PREPARE
        self.watch.plan(now)
        self._plan_links(now)
        self.work.do(self._session.save, self.saver.saved)  # the files exist before watching is announced
        self.work.follow()
        self._wake()

    def listen(self) -> None:
        """Receive changes, including those since :meth:`start`; starts threads."""
        self.watch.observer.listen()

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
                if self._pending.directories:  # also if everything is to be scanned, which the next start does
                    self._session.update(self._pending.directories)
        self.watch.observer.stop()
        self._requests.close()
        if not self._started:
            return
        self._started = False
        self.saver.save_at_last()

    # --- what the loop asks

    def next_deadline(self) -> float | None:
        """Return the seconds until :meth:`run_pending` is due, None until woken."""
        now = time.monotonic()
        if self.work.has_ended:
            return 0.0
        times = [self._requests.overdue_at()]
        if not self.work.is_busy:
            times += [self._pending.due_at(), self.saver.save_at(busy=bool(self._pending))]
            times += [self.watch.poll_at, self._links_at]
            if self._pending.may_wait:
                times += [self.unprepared, self.saver.cache_at()]
        if self.watch.observer.has_backlog():
            times.append(now + _IDLE_SLICE)
        found = [at for at in times if at is not None]
        return max(0.0, min(found) - now) if found else None

    def run_pending(self) -> Update | None:
        """Begin the work that is due; return an update that has ended."""
        update = self.work.follow()
        now = time.monotonic()
        if _is_due(self._requests.overdue_at(), now):
            self._pending.mark_everything("a cookie did not appear")
        if update is None and not self.work.is_busy:
            self._begin(now)
            update = self.work.follow()  # if no thread is working
        return update

    def _begin(self, now: float) -> None:
        """Begin the most urgent work that is due, if any."""
        may_wait = self._pending.may_wait
        if _is_due(self.watch.poll_at, now):
            poll = Poll(self._session, self._pending, self.schedule, self.watch, self.saver, self.failures)
            self._scan(poll)
        elif _is_due(self._pending.due_at(), now):
            self._read_pending()
        elif _is_due(self._links_at, now):
            self._scan_links()
        elif _is_due(self.saver.save_at(busy=bool(self._pending)), now):
            self.work.do(self._session.save, self.saver.saved)
        elif may_wait and _is_due(self.unprepared, now):
            self.unprepared = None
            self.work.do(self._session.prepare, self._prepared)
        elif may_wait and _is_due(self.saver.cache_at(), now):
            self.save_cache()

    def _prepared(self, outcome: Outcome) -> None:
        if outcome.error is not None:
            self.saver.log_error(outcome.error, "the next update takes longer")
        self.on_prepared()

    def save_cache(self) -> None:
        """Write the cache for the next start, beside other work."""
        self.saver.uncached = None
        self.saver.is_caching = True
        self.work.do(self._session.save_cache, self._cached, alone=False)

    def _cached(self, outcome: Outcome) -> None:
        self.saver.cached(outcome)
        self.on_prepared()

    def changed(self, paths: list[str]) -> None:
        """Record files that an editor wrote, absolute or in the project."""
        for name in paths:
            path = named(self._session.root, name)
            inside = watched(path)
            if inside is not None:
                self._pending.mark({os.path.dirname(inside) or inside, inside})
            elif path == CONFIGURATION:
                self._pending.mark_everything("assetdb.toml changed")
        self._pending.is_urgent = True
        self._wake()

    def sync(self, done: Callable[[], None], *, files: bool = False) -> None:
        """Call ``done`` once earlier changes are known, with ``files`` written."""
        request = WaitingClient(done, files, time.monotonic(), is_urgent=True)
        linked = self._session.through_links()
        if linked:  # there are no events for these
            self._pending.mark(set(linked))
        self._pending.packages = self._pending.packages or self._session.has_local_packages
        self._pending.is_urgent = True
        self._wake()
        if self.watch.observer.needs_polling:
            self._requests.answerable.append(request)
            self._pending.mark_everything(ASKED)
            self.saver.mark_if_saved(request.since)
            return
        try:
            self._requests.wait(request)
        except OSError as error:
            self._pending.mark_everything(f"a cookie cannot be created: {words_of(error)}")

    def follow(self, done: Callable[[], None]) -> None:
        """Call ``done`` once changes that were reported are known.

        Nothing is hastened or scanned for it. Where nothing reports changes, or the output folder takes no cookie, it
        is called at once.
        """
        if self.watch.observer.needs_polling:
            done()
        else:
            self._requests.follow(WaitingClient(done, files=False, since=time.monotonic(), is_urgent=False))

    @property
    def may_be_behind(self) -> bool:
        """Whether polling, links or unwatched packages hide changes."""
        hidden = self._session.through_links() or self._session.has_local_packages
        return self.watch.observer.needs_polling or bool(hidden)

    @property
    def is_late(self) -> bool:
        """Whether a change may be known only after a question about it.

        Any thread may ask. A change goes from the observer through the pending ones into a scan: asked in that order.
        """
        return self.watch.observer.is_late or self.has_pending

    @property
    def has_reported(self) -> bool:
        """Whether a change was surely reported that is not known yet.

        Any thread may ask. Of observers that are always late nothing is sure: each question would wait for them.
        """
        observer = self.watch.observer
        return (observer.knows_if_late and observer.is_late) or self.has_pending

    @property
    def has_pending(self) -> bool:
        """Whether a change is known to wait, or is being read."""
        return self._is_collecting or bool(self._pending) or self._is_reading

    def status(self) -> dict[str, object]:
        """Return facts for people and tests."""
        return {
            **self.watch.status(),
            **self._counts,
            "saves": self.saver.saves,
            "pending": bool(self._pending),
            "saved": self.saver.unsaved is None,
            "rescan_reason": self._last_rescan_reason,
            "problem": self.failures.problem,
        }

    # --- events

    def collect(self) -> None:
        """Take the events of the observer."""
        jump = self._clocks.jump()
        if jump:
            self._pending.mark_everything(jump)
        self._is_collecting = True
        try:
            seen = self.watch.collect()
            self._counts["events"] += seen.events
            if (
                seen.events
                and (seen.output_touched or self.saver.removing is not None)
                and not os.path.isdir(self._session.folder)
            ):
                self.saver.wait_for_removal()
            if seen.dirty:
                self._pending.mark(set(seen.dirty), seen.last)
            if seen.rescan_reason:
                self._pending.mark_everything(seen.rescan_reason)
        finally:
            self._is_collecting = False
        if seen.output_touched:
            self.saver.mark_if_saved(time.monotonic())
        if self._requests.saw(seen.cookies):
            self._pending.is_urgent = True

    # --- scans

    def _read_pending(self) -> None:
        """Read the changes, and answer the waiting clients."""
        self._is_reading = bool(self._pending)
        directories, reason, packages = self._pending.take()
        if reason:
            if reason != ASKED:
                self._last_rescan_reason = reason
                self._log("everything is scanned again", why=reason)
            watch = self.watch
            self._scan(Everything(self._session, self._pending, self.schedule, watch, reason, packages=packages))
        elif directories or packages:
            self._scan(ChangedDirectories(self._session, self._pending, self.schedule, directories, packages=packages))
        else:
            self._answer(self._requests.take())

    def _scan(self, scan: Scan) -> None:
        """Have files read, then answer the clients that wait now.

        For those that come meanwhile, something may change behind this scan.
        """
        seen = self._requests.take()

        def ended(outcome: Outcome) -> Update | None:
            try:
                update = self._scanned(scan, outcome)
            finally:
                self._is_reading = False
            self._answer(seen)
            return update

        self.work.do(scan.run, ended)

    def _plan_links(self, now: float) -> None:
        linked = self._session.through_links()
        any_of_it = linked or self._session.has_local_packages
        self._links_at = now + max(_LINKS_LEAST, len(linked) * _LINKS_EACH) if any_of_it else None

    def _scan_links(self) -> None:
        """Read linked directories; clients wait for a scan of their own."""
        scan = LinkedDirectories(self._session, self._pending)

        def ended(outcome: Outcome) -> Update | None:
            update = self._scanned(scan, outcome)
            self._plan_links(time.monotonic())
            return update

        self.work.do(scan.run, ended)

    def _scanned(self, scan: Scan, outcome: Outcome) -> Update | None:
        """Handle the outcome of a scan; return its update, if any."""
        error = outcome.error
        if isinstance(error, AssetdbError | OSError):
            scan.failed()
            self.failures.record(error)
        elif error is not None:  # a bug of ours, or no memory: logged and retried
            self._pending.mark_everything(scan.reason or "an update failed")
            if not self.failures.is_repeated(error):
                self._log_fault(error)
            self.failures.record(error)
        update = outcome.value if isinstance(outcome.value, Update) else None
        if update is not None:
            if scan.counted:
                self._counts[scan.counted] += 1
            if scan.tells_all or update.changes or update.diagnostics_added or update.diagnostics_removed:
                self._succeeded(update)
        scan.ended(outcome, update)
        return update

    def _succeeded(self, update: Update) -> None:
        now = time.monotonic()
        self._plan_links(now)
        self.failures.clear()
        if self.unprepared is None and not self._session.is_prepared:  # everything was rebuilt
            self.unprepared = now + _PREPARE
        if update.changes or update.diagnostics_added or update.diagnostics_removed or update.files_read:
            self.saver.mark(now)
            self.saver.uncached = now
            if any(change.kind == REMOVED for change in update.changes):
                self.saver.wait_for_removal()

    def _log_fault(self, error: BaseException) -> None:
        """Log an internal error that leaves all answers unchanged."""
        import traceback  # noqa: PLC0415 - with all that reads sources, and only on a fault of ours

        place = "".join(traceback.format_exception(error)[-3:])
        self._log("fault", error=f"{type(error).__name__}: {error}", place=place)

    def _answer(self, seen: list[WaitingClient]) -> None:
        """Notify waiting clients, even after failures, once wanted files are written."""
        if not any(request.files for request in seen) or (self.saver.unsaved is None and self._session.is_saved):
            _notify(seen)
            return

        def saved(outcome: Outcome) -> None:
            self.saver.saved(outcome)
            _notify(seen)

        self.work.do(self._session.save, saved)


def _is_due(at: float | None, now: float) -> bool:
    return at is not None and now >= at


def _notify(seen: list[WaitingClient]) -> None:
    for request in seen:
        request.done()
