"""The daemon's loop over clients, the observer, signals and deadlines."""

from __future__ import annotations

import contextlib
import heapq
import os
import time
import traceback
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Final

from assetdb.daemon.descriptors import clients_allowed
from assetdb.daemon.endpoint import is_allowed
from assetdb.daemon.files.status_file import PROTOCOL, WORKING
from assetdb.daemon.rpc import methods, protocol
from assetdb.daemon.rpc.connection import Limits
from assetdb.daemon.rpc.dispatch import Dispatcher, is_quick
from assetdb.daemon.rpc.protocol import RpcError
from assetdb.daemon.rpc.transport import Server
from assetdb.errors import AssetdbError
from assetdb.query.snapshots.snapshot import REPORTS
from assetdb.system.identity import same_folder
from assetdb.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.checks.findings.finding import Finding
    from assetdb.daemon.files.lock import DaemonLock
    from assetdb.daemon.rpc.call import Call
    from assetdb.daemon.rpc.remote_command import Runner
    from assetdb.daemon.start import Start
    from assetdb.workspace.workspace import Update


_CHECK_INTERVAL: Final = 20.0  # seconds between checks of the project and of the files that lead here
_GONE_GRACE: Final = 3.0  # seconds for which a project may be absent, while folders are moved
_SAVE_RETRY: Final = 0.05
_LONGEST_TIMEOUT: Final = 3600.0
_WORKING_INTERVAL: Final = 0.4  # seconds; a client waits one second without a message
_WORKING: Final = protocol.notification(WORKING, {})


class Daemon:
    """Serves one project until it is told to stop."""

    def __init__(
        self,
        start: Start,
        runner: Runner,
        lock: DaemonLock,
        *,
        on_output: Callable[[str], None],
        idle_timeout: float | None,
    ) -> None:
        """Take a project that is watched and can be found.

        Args:
            start: the started project with its endpoint.
            runner: runs command lines; passed in, because this package does not import the command line.
            lock: ensures that this is the project's only daemon.
            on_output: given the output folder when ``assetdb.toml`` changes it, or its files were removed.
            idle_timeout: stop after so many seconds without a request and without a subscriber.
        """
        self._start = start
        self.session = session = start.session
        self._gone_since: float | None = None
        self._check_at = time.monotonic() + _CHECK_INTERVAL
        self.runner = runner
        self.log = start.log
        self._lock = lock
        self._folder = session.folder
        self._on_output = on_output
        self._idle_timeout = idle_timeout
        self.files_read = 0
        self._timers: list[tuple[float, int, Call, Callable[[], None]]] = []
        self._synced: list[Callable[[], None]] = []
        self._findings: tuple[Finding, ...] | None = None  # as last sent to subscribers
        self._is_finding = self._find_again = False
        self._problems: int | None = None  # as last counted
        self._is_counting = False
        self._numbers = count()
        self._dispatcher = Dispatcher(lambda: session.opened, self, self._fault)
        self._server = Server(
            start.endpoint.take_socket(),
            self._dispatcher.handle,
            start.log,
            allowed=is_allowed,
            limits=Limits(clients=clients_allowed(Limits().clients)),
            wake=start.wake,
            is_quick=is_quick,
        )
        self._server.add_waker(start.waker, start.drain)
        self._reconciler = start.reconciler
        self._reconciler.work.start = partial(self._server.start, to_its_end=True)
        self._reconciler.on_prepared = start.garbage.freeze
        self._reconciler.schedule.gives_way = self._is_checking

    def serve(self) -> None:
        """Answer until a signal, ``shutdown`` or the idle timeout."""
        try:
            self._start.reconciler.listen()
            self._start.garbage.freeze()
            self._server.start(self._search_orphans)
            while not self._start.stopping:
                self._turn()
        finally:
            self._start.withdraw("error")
            for _, _, call, _ in self._timers:
                if not call.answered:
                    call.fail(protocol.STOPPING)
            self._server.close()

    # --- the loop

    def _turn(self) -> None:
        self._server.turn(self._timeout())
        self._reconciler.collect()
        due = self._reconciler.next_deadline()
        working = due is not None and due <= 0
        if (working or self._gone_since is not None) and not self._is_there():
            working = False  # nothing is read and, above all, nothing is written
        if working:
            self._run_pending()
        synced, self._synced = self._synced, []
        for answer in synced:
            answer()
        if working:
            self._start.garbage.collect_if_due(busy=self._server.busy)
        now = time.monotonic()
        if now >= self._check_at:
            self._check_at = now + _CHECK_INTERVAL
            if self._is_there():
                self._stay_findable()
        if self._server.busy:
            self._server.last_request = now
        while (at := self._next_timer()) is not None and at <= now:
            heapq.heappop(self._timers)[3]()
        idle = now - self._server.last_request
        if self._idle_timeout is not None and idle >= self._idle_timeout and not self._start.stopping:
            if self._server.subscribers:
                self._server.last_request = now
            else:
                self._start.stopping = "idle"

    def _timeout(self) -> float:
        """Return the time until something is due without client activity."""
        if self._gone_since is not None:
            return _GONE_GRACE / 10
        waits = [self._check_at - time.monotonic()]
        due = self._reconciler.next_deadline()
        if due is not None:
            waits.append(due)
        now = time.monotonic()
        if (at := self._next_timer()) is not None:
            waits.append(at - now)
        if self._idle_timeout is not None:
            waits.append(self._server.last_request + self._idle_timeout - now)
        return max(0.0, min(waits))

    def _run_pending(self) -> None:
        started = time.perf_counter()
        try:
            update = self._reconciler.run_pending()
        except (AssetdbError, OSError) as error:
            self.log("update failed", error=str(error))
            return
        except Exception as error:  # noqa: BLE001 - what is known can still be asked
            self._fault("update", error)
            return
        if not self._reconciler.work.is_busy:  # otherwise when that has ended
            self._follow_output()
            self._stay_findable()
        if update is None:
            return
        self.files_read += update.files_read
        wanted = any(subscriber.wants_findings for subscriber in self._server.subscribers)
        # Prepared for the next request; not during a storm, where each update would restart it.
        is_idle = self._is_finding or not self._server.busy  # searching for findings also keeps the server busy
        if wanted or (REPORTS in self.session.memory and is_idle):
            self.follow_findings()
        if update.changes or update.diagnostics_added or update.diagnostics_removed:
            self._log_update(update, time.perf_counter() - started)
            subscribers = self._server.subscribers
            if subscribers:
                for line in methods.update_notifications(update):
                    for subscriber in subscribers:
                        subscriber.notify(line)

    def follow_findings(self) -> None:
        """Keep findings current in the background, and notify subscribers."""
        if self._is_finding:
            self._find_again = True
            return
        self._is_finding, self._find_again = True, False
        self._server.start(self._find)

    def _is_checking(self) -> bool:
        """Whether a report is awaited."""
        if REPORTS not in self.session.memory:
            return False
        from assetdb.checks.daemon_report import is_awaited  # noqa: PLC0415 - it is imported: there are reports

        return is_awaited(self.session.memory)

    def _find(self) -> None:
        from assetdb.checks.daemon_report import cached_report  # noqa: PLC0415 - few daemons are asked for it

        found = None
        try:
            found = cached_report(self.session.opened).findings
        except (AssetdbError, OSError) as error:
            self.log("check failed", error=str(error))
        except Exception as error:  # noqa: BLE001 - all else can still be asked
            self._fault("check", error)
        finally:
            self._server.post(lambda: self._take_findings(found))

    def _take_findings(self, found: tuple[Finding, ...] | None) -> None:
        """Notify subscribers of findings; None are of a check that failed."""
        self._is_finding = False
        if self._find_again:  # an update in between may be the cause
            self.follow_findings()
        if found is None:
            return
        before, self._findings = self._findings, found
        wanting = [subscriber for subscriber in self._server.subscribers if subscriber.wants_findings]
        if before is not None and before is not found and wanting:
            from assetdb.checks.daemon_report import difference  # noqa: PLC0415 - the same

            for line in methods.finding_notifications(*difference(before, found)):
                for subscriber in wanting:
                    subscriber.notify(line)

    def _search_orphans(self) -> None:
        """Search orphaned metas in the background."""
        try:
            self.session.search_orphans()
        except (AssetdbError, OSError) as error:
            self.log("orphaned metas cannot be searched", error=str(error))

    def _follow_output(self) -> None:
        """Move to the present output folder, where clients look."""
        folder = self.session.folder
        if folder == self._folder:
            return
        self._start.status_file.remove()
        self._folder = folder
        self.log("the output folder has moved", folder=folder)
        self._on_output(folder)

    def _stay_findable(self) -> None:
        """Restore the files that lead here, which ``rm -rf Library`` removes."""
        folder = self._folder
        status = self._start.status_file.is_in(folder)
        if (status and self._lock.covers(folder) and self._start.endpoint.is_findable) or self._start.stopping:
            return
        if not os.path.isdir(folder) and self._reconciler.saver.is_removing():
            return  # it is being removed, perhaps with the project
        with contextlib.suppress(OSError, AssetdbError):  # tried again after the next change
            if not self._lock.renew(folder):
                self._start.stopping = "another daemon has the project now"
                return
            if not self._start.endpoint.is_findable:
                before = self._start.reopen()
                self._server.listen(self._start.endpoint.take_socket())
                before.close()
                self.log("socket restored")
                status = False
            if not status:
                self._start.status_file.write(folder, self.session.root, self._start.endpoint)
                self._on_output(folder)
                self.log("status file restored")

    def _is_there(self) -> bool:
        """Whether the project is in place; if not for long, end."""
        reason = self._start.missing()
        if not reason:
            if self._gone_since is not None:
                self._gone_since = None
                self.log("the project is back")
            return True
        now = time.monotonic()
        if self._gone_since is None:
            self._gone_since = now
            self.log("nothing is written any more", why=reason)
        elif now >= self._gone_since + _GONE_GRACE and not self._start.stopping:
            self._start.stopping = reason
        return False

    def _log_update(self, update: Update, seconds: float) -> None:
        counts: dict[str, object] = {}
        for change in update.changes:
            counts[change.kind] = int(str(counts.get(change.kind, 0))) + 1
        if len(update.changes) == 1:
            counts["path"] = update.changes[0].path
        if update.diagnostics_added:
            counts["problems_added"] = len(update.diagnostics_added)
        if update.diagnostics_removed:
            counts["problems_removed"] = len(update.diagnostics_removed)
        self.log("updated", **counts, files_read=update.files_read, seconds=seconds)

    def _schedule(self, seconds: float, call: Call, work: Callable[[], None]) -> None:
        """Run work after a delay, unless its request is answered."""
        heapq.heappush(self._timers, (time.monotonic() + seconds, next(self._numbers), call, work))

    def report_working(self, call: Call) -> None:
        """Tell a client regularly that its request is being processed."""

        def say() -> None:
            call.connection.send(_WORKING)
            self.report_working(call)

        if call.is_alone:
            self._server.post(lambda: self._schedule(_WORKING_INTERVAL, call, say))

    def _next_timer(self) -> float | None:
        while self._timers and self._timers[0][2].answered:
            heapq.heappop(self._timers)
        return self._timers[0][0] if self._timers else None

    def _fault(self, method: str, error: Exception) -> None:
        place = "".join(traceback.format_exception(error)[-3:])
        self.log("fault", method=method, error=f"{type(error).__name__}: {error}", place=place)

    # --- for the control methods

    @property
    def tokens(self) -> tuple[str, str]:
        """The tokens of client and daemon, if they use tokens."""
        return self._start.endpoint.tokens

    @property
    def may_be_behind(self) -> bool:
        """Whether something may have changed that only a sync reveals."""
        return self._reconciler.may_be_behind

    @property
    def is_late(self) -> bool:
        """Whether a change may be known only after a question about it."""
        return self._reconciler.is_late

    @property
    def has_reported(self) -> bool:
        """Whether a change was surely reported that is not known yet."""
        return self._reconciler.has_reported

    def status(self) -> dict[str, object]:
        """Return the daemon's status."""
        return {
            "version": VERSION,
            "protocol": PROTOCOL,
            "pid": os.getpid(),
            "root": self.session.root,
            "folder": self.session.folder,
            "started": int(self._start.began),
            "assets": self.session.asset_count,
            "problems": self._problem_count(),
            "clients": len(self._server.connections),
            "subscribers": len(self._server.subscribers),
            "requests": self._server.requests,
            "watch": self._reconciler.status(),
        }

    def _problem_count(self) -> int:
        """Return the number of diagnostics, while changes wait as last counted.

        To count them looks at the disk a dozen times, and each look gives the interpreter to another thread: in a storm
        of edits the loop got it back after up to 50 ms.
        """
        if self._problems is None or not self._reconciler.has_pending:
            return self._count_problems()
        if not self._is_counting:
            self._is_counting = True
            self._server.start(self._count_again, to_its_end=True)
        return self._problems

    def _count_problems(self) -> int:
        self._problems = counted = len(self.session.diagnostics)
        return counted

    def _count_again(self) -> None:
        try:
            self._count_problems()
        finally:
            self._is_counting = False

    def changed(self, paths: list[str]) -> None:
        """Record written paths."""
        self._reconciler.changed(paths)

    def follow(self, done: Callable[[], None]) -> None:
        """Call ``done`` once all reported changes are known."""
        self._reconciler.follow(done)

    def synchronize(self, call: Call, params: protocol.Sync, done: Callable[[], None]) -> None:
        """Call ``done`` once all earlier writes are known, or in the files."""
        if not 0 < params.timeout <= _LONGEST_TIMEOUT:
            raise RpcError(protocol.INVALID_PARAMS, f"timeout is 0 to {_LONGEST_TIMEOUT:g} seconds")
        if params.root:
            self.check_root(params.root)
        if not self._is_there():
            raise RpcError(protocol.OTHER_PROJECT, self._start.missing())

        def known() -> None:  # called within an update, whose changes are sent before this answer
            self._synced.append(partial(saved, self._reconciler.saver.unsaved is None))

        def ask() -> None:
            self._reconciler.sync(known, files=params.files)

        def saved(is_saved: bool) -> None:  # noqa: FBT001 - called here alone
            if call.answered:
                return
            if self._reconciler.failures.stale_because:
                call.fail(protocol.PROJECT_ERROR, self._reconciler.failures.stale_because)
            elif params.files and not is_saved and self._reconciler.saver.problem:
                call.fail(protocol.PROJECT_ERROR, self._reconciler.saver.problem)
            elif params.files and not is_saved:
                self._schedule(_SAVE_RETRY, call, ask)  # a bake has the lock
            else:
                done()

        self.report_working(call)
        self._schedule(params.timeout, call, lambda: call.fail(protocol.NOT_SYNCED, f"{params.timeout:g} s"))
        ask()

    def shut_down(self) -> None:
        """Stop soon, and no longer be found by clients."""
        self._start.stopping = "shutdown"
        self._start.status_file.remove()

    def check_root(self, root: str) -> None:
        """Raise an :class:`RpcError` if a client means another project."""
        if self._start.is_moved():
            self._start.stopping = "the project was moved"
            raise RpcError(protocol.OTHER_PROJECT, f"{self.session.root} was moved")
        if not same_folder(root, self.session.root):
            raise RpcError(protocol.OTHER_PROJECT, f"{self.session.root}, not {root}")
