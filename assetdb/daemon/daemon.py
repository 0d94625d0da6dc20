"""The daemon: one thread that waits for clients, for the observer and for signals, and does what is due in between."""

from __future__ import annotations

import contextlib
import heapq
import os
import signal
import socket
import sys
import threading
import time
import traceback
from itertools import count
from typing import TYPE_CHECKING, Final, Protocol

from assetdb.daemon import process
from assetdb.daemon.descriptors import clients_allowed
from assetdb.daemon.endpoint import Endpoint, is_allowed, same_word
from assetdb.daemon.rpc import methods, protocol, remote_command
from assetdb.daemon.rpc.dispatch import Dispatcher, is_short
from assetdb.daemon.rpc.protocol import RpcError
from assetdb.daemon.rpc.transport import Connection, Limits, Server
from assetdb.daemon.rpc.turns import TakesLong
from assetdb.daemon.status_file import PROTOCOL, WORKING
from assetdb.daemon.tidying import Tidying
from assetdb.errors import AssetdbError
from assetdb.project import MARKERS, package_name
from assetdb.store.schema import FILE_NAME
from assetdb.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from assetdb.daemon.rpc.dispatch import Call
    from assetdb.daemon.rpc.remote_command import Runner
    from assetdb.daemon.session import LiveProject, Update


class Reconciler(Protocol):
    """What keeps the project current: ``assetdb.daemon.reconcile``.

    Attributes:
        in_slices: is given work that takes long, to be done while others are answered.
    """

    in_slices: Callable[[Callable[[], None]], None]

    def start(self) -> None:
        """Watch, then read the project."""

    def due(self) -> float | None:
        """Return in how many seconds :meth:`work` is to be called; None where nothing waits."""

    def work(self) -> Update | None:
        """Bring the project up to date, and say what changed."""

    def changed(self, paths: list[str]) -> None:
        """Take word of what was written: paths, absolute or from the project's root on."""

    def sync(self, done: Callable[[], None], *, files: bool = False) -> None:
        """Call ``done`` when all that was written before now is in, with ``files`` also in the files."""

    @property
    def may_be_behind(self) -> bool:
        """Whether something may have changed that is known after a sync alone."""

    @property
    def blocked(self) -> str:
        """Why what is known may be behind what was asked for, ``""`` where it is not."""

    def status(self) -> dict[str, object]:
        """Return what is watched, and how."""

    def is_removing(self) -> bool:
        """Whether somebody removes things, so that nothing should be written."""

    def stop(self, *, save: bool = True) -> None:
        """Write what has not been written, and end; also where :meth:`start` did not come to its end."""


if TYPE_CHECKING:
    Reconciling = Callable[[LiveProject, Callable[[], None], Callable[..., None]], Reconciler]
    """Makes a reconciler from the project, what wakes the daemon, and the log."""

_LOOK_EVERY: Final = 20.0  # seconds between two looks whether the project is there and this can be found
_GONE: Final = 3.0  # seconds for which a project may be away: somebody moves folders about
_SAVE_AGAIN: Final = 0.05
_SIGNALS: Final = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
_LONGEST_TIMEOUT: Final = 3600.0
_MOST_PATHS: Final = 100_000
_SAY_EVERY: Final = 0.4  # seconds; a client waits for one without a word
_WORKING: Final = protocol.notification(WORKING, {})


class _StoppedEarly(BaseException):
    """A signal came while the project was read for the first time."""


class Daemon:
    """Serves one project until it is told to stop."""

    def __init__(
        self,
        live: LiveProject,
        listening: Callable[[], Endpoint],
        reconciling: Reconciling,
        runner: Runner,
        log: Callable[..., None],
        hold: process.Hold,
        *,
        on_output: Callable[[str], None] | None = None,
        idle_timeout: float | None = None,
        limits: Limits | None = None,
    ) -> None:
        """Take a project that is not started, and a socket that listens.

        Args:
            live: the project.
            listening: makes the place where clients come; again where it was removed.
            reconciling: makes what keeps it current.
            runner: runs command lines; the command line gives it, which this package knows nothing of.
            log: is told what happens.
            hold: the lock that makes this the only daemon of the project.
            on_output: is told the folder of the files when ``assetdb.toml`` names another.
            idle_timeout: stop after so many seconds without a request and without a subscriber.
            limits: of the socket.
        """
        self._live = live
        self._listening = listening
        self._endpoint = endpoint = listening()
        self._status_file = process.OwnStatus()
        # While it is open no other folder gets the number of this one.
        self._root_descriptor = -1
        if sys.platform != "win32":
            self._root_descriptor = os.open(live.root, os.O_RDONLY | os.O_DIRECTORY)
        self._gone_since: float | None = None
        self._look_at = time.monotonic() + _LOOK_EVERY
        self._runner = runner
        self._log = log
        self._hold = hold
        self._folder = live.folder
        self._on_output = on_output
        self._idle_timeout = idle_timeout
        self._stopping = ""
        self._started = time.time()
        self._files_read = 0
        self._requests = 0
        self._timers: list[tuple[float, int, Call, Callable[[], None]]] = []
        self._synced: list[Callable[[], None]] = []
        self._serving = False
        self._interruptible = False
        self._numbers = count()
        self._root_identity = _identity(live.root)
        deeds = {
            "hello": self._hello,
            "status": self._status,
            "changed": self._changed,
            "sync": self._sync,
            "bake": self._bake,
            "subscribe": self._subscribe,
            "unsubscribe": self._unsubscribe,
            "run": self._run,
            "shutdown": self._shutdown,
        }
        self._dispatcher = Dispatcher(lambda: live.opened, deeds, self._fault)
        if limits is None:
            limits = Limits(clients=clients_allowed(Limits().clients))
        self._server = Server(
            endpoint.listening, self._handle, log, allowed=is_allowed, limits=limits, wake=self.wake, is_short=is_short
        )
        self._wake_reading, self._wake_writing = socket.socketpair()
        for end in (self._wake_reading, self._wake_writing):
            end.settimeout(0)
        self._server.add_waker(self._wake_reading, self._woken)
        self._reconciler = reconciling(live, self.wake, log)
        self._reconciler.in_slices = self._begin_own

    def wake(self) -> None:
        """Make the loop look what is due; from any thread."""
        with contextlib.suppress(BlockingIOError, OSError):  # full: it is going to wake up anyway
            self._wake_writing.send(b"\0")

    def serve(self, on_ready: Callable[[], None] | None = None) -> None:
        """Read the project, then answer until a signal, ``shutdown`` or the idle timeout.

        Raises:
            AssetdbError: the project cannot be read.
            OSError: its files cannot be written.
        """
        live = self._live
        tidying = self._tidying = Tidying()
        with self._signals():
            try:
                started = time.perf_counter()
                self._interruptible = True
                self._log("starting", pid=os.getpid(), version=VERSION, project=live.root)
                self._reconciler.start()
                self._interruptible = False
                self._serving = True
                self._status_file.write(live.folder, live.root, self._endpoint)
                self._log("ready", assets=len(live.opened.database), seconds=time.perf_counter() - started)
                if on_ready is not None:
                    on_ready()
                tidying.set_aside()
                self._server.start(self._look_elsewhere)
                while not self._stopping:
                    self._turn()
            except _StoppedEarly:
                self._stopping = "signal"
            finally:
                self._finish()
                tidying.close()

    # --- the loop

    def _turn(self) -> None:
        self._server.turn(self._timeout())
        due = self._reconciler.due()
        working = due is not None and due <= 0
        if (working or self._gone_since is not None) and not self._is_there():
            working = False  # nothing is read, and above all nothing is written
        if working:
            self._server.turns.rest()  # a process without threads may fork, and so read with all processors
            self._work()
        synced, self._synced = self._synced, []
        for answer in synced:
            answer()
        if working:
            self._tidying.tidy(busy=self._server.busy)
        now = time.monotonic()
        if now >= self._look_at:
            self._look_at = now + _LOOK_EVERY
            if self._is_there():
                self._stay_findable()
        if self._server.busy:
            self._server.last_request = now
        while (at := self._next_timer()) is not None and at <= now:
            heapq.heappop(self._timers)[3]()
        idle = now - self._server.last_request
        if self._idle_timeout is not None and idle >= self._idle_timeout and not self._stopping:
            if self._server.subscribers:
                self._server.last_request = now
            else:
                self._stopping = "idle"

    def _timeout(self) -> float:
        """Return how long nothing is to be done unless somebody comes."""
        if self._gone_since is not None:
            return _GONE / 10
        waits = [self._look_at - time.monotonic()]
        due = self._reconciler.due()
        if due is not None:
            waits.append(due)
        now = time.monotonic()
        if (at := self._next_timer()) is not None:
            waits.append(at - now)
        if self._idle_timeout is not None:
            waits.append(self._server.last_request + self._idle_timeout - now)
        return max(0.0, min(waits))

    def _work(self) -> None:
        started = time.perf_counter()
        try:
            update = self._reconciler.work()
        except (AssetdbError, OSError) as error:
            self._log("update failed", error=str(error))
            return
        except Exception as error:  # noqa: BLE001 - what is known can still be asked
            self._fault("update", error)
            return
        self._follow_output()
        self._stay_findable()
        if update is None:
            return
        self._files_read += update.files_read
        if update.changes or update.diagnostics_added or update.diagnostics_removed:
            self._log_update(update, time.perf_counter() - started)
            subscribers = self._server.subscribers
            if subscribers:
                for line in methods.update_notifications(update):
                    for subscriber in subscribers:
                        subscriber.notify(line)

    def _begin_own(self, work: Callable[[], None]) -> None:
        """Do something of one's own while others are answered."""

        def begun() -> None:
            work()
            self._tidying.set_aside()

        self._server.start(begun)

    def _look_elsewhere(self) -> None:
        """Search the metas that stand alone beside everything else."""
        try:
            self._live.look_elsewhere()
        except (AssetdbError, OSError) as error:
            self._log("packages cannot be searched", error=str(error))

    def _follow_output(self) -> None:
        """Go where the files are now: who looks there must find this daemon, and start no other."""
        folder = self._live.folder
        if folder == self._folder:
            return
        self._status_file.remove()
        self._folder = folder
        self._log("the output is elsewhere now", folder=folder)
        if self._on_output is not None:
            self._on_output(folder)

    def _stay_findable(self) -> None:
        """Put back what says where this daemon is, if somebody removed it: `rm -rf Library` is a common cure."""
        folder = self._folder
        status = self._status_file.is_in(folder)
        if (status and self._hold.is_of(folder) and self._endpoint.is_findable) or self._stopping:
            return
        if not os.path.isdir(folder) and self._reconciler.is_removing():
            return  # it is being removed, and the project perhaps with it
        if not self._hold.renew(folder):
            self._stopping = "another daemon has the project now"
            return
        with contextlib.suppress(OSError, AssetdbError):  # tried again after the next change
            if not self._endpoint.is_findable:
                before, self._endpoint = self._endpoint, self._listening()
                self._server.listen(self._endpoint.listening)
                before.close()
                self._log("socket restored")
                status = False
            if not status:
                self._status_file.write(folder, self._live.root, self._endpoint)
                self._log("status file restored")

    def _is_there(self) -> bool:
        """Whether the project is where it was; if not for a while, this ends. Nothing is written meanwhile."""
        reason = self._missing()
        if not reason:
            if self._gone_since is not None:
                self._gone_since = None
                self._log("the project is back")
            return True
        now = time.monotonic()
        if self._gone_since is None:
            self._gone_since = now
            self._log("nothing is written any more", why=reason)
        elif now >= self._gone_since + _GONE and not self._stopping:
            self._stopping = reason
        return False

    def _missing(self) -> str:
        """Return why the project is not the one of the start any more, or ``""``."""
        found = _identity(self._live.root)[:2]
        if found == (0, 0):
            return "the project is gone"
        if found != self._root_identity[:2]:
            return "another folder is where the project was"
        root = self._live.root
        if not any(os.path.isdir(os.path.join(root, name)) for name in MARKERS) and not package_name(root):
            return f"the project has neither {' nor '.join(MARKERS)}"
        return ""

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
        self._log("updated", **counts, files_read=update.files_read, seconds=seconds)

    def _later(self, seconds: float, call: Call, work: Callable[[], None]) -> None:
        """Do something for a request in some seconds, unless it is answered by then."""
        heapq.heappush(self._timers, (time.monotonic() + seconds, next(self._numbers), call, work))

    def _say_working(self, call: Call) -> None:
        """Tell a client now and then that its request is being worked on: else it takes the daemon for stopped."""

        def say() -> None:
            call.connection.send(_WORKING)
            self._say_working(call)

        if call.is_alone:
            self._later(_SAY_EVERY, call, say)

    def _next_timer(self) -> float | None:
        while self._timers and self._timers[0][2].answered:
            heapq.heappop(self._timers)
        return self._timers[0][0] if self._timers else None

    def _woken(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while len(self._wake_reading.recv(4096)) == 4096:
                pass

    def _handle(self, connection: Connection, line: bytes) -> None:
        self._requests += 1
        try:
            self._dispatcher.handle(connection, line)
        except TakesLong:
            self._requests -= 1
            raise

    def _fault(self, method: str, error: Exception) -> None:
        place = "".join(traceback.format_exception(error)[-3:])
        self._log("fault", method=method, error=f"{type(error).__name__}: {error}", place=place)

    @contextlib.contextmanager
    def _signals(self) -> Iterator[None]:
        """Stop cleanly on the usual signals; while the project is first read by ending that."""

        def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - signal's own signature
            self._stopping = signal.Signals(number).name
            if self._interruptible:
                self._interruptible = False
                raise _StoppedEarly

        if threading.current_thread() is not threading.main_thread():
            yield  # of a test; only the main thread hears signals
            return
        before = {}
        for name in _SIGNALS:
            number = getattr(signal, name, None)
            if number is not None:
                before[number] = signal.signal(number, stop)
        old_descriptor = signal.set_wakeup_fd(self._wake_writing.fileno(), warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(old_descriptor)
            for number, handler in before.items():
                signal.signal(number, handler)

    def _finish(self) -> None:
        self._status_file.remove()
        self._log("stopping", reason=self._stopping or "error")
        for _, _, call, _ in self._timers:
            if not call.answered:
                call.fail(protocol.STOPPING)
        self._server.close()
        self._endpoint.close()
        self._reconciler.stop(save=not self._missing())  # else there is no place for it
        if self._serving:
            self._live.close()
        self._wake_reading.close()
        self._wake_writing.close()
        if self._root_descriptor >= 0:
            os.close(self._root_descriptor)
        self._log("stopped")

    # --- what clients ask of the daemon itself

    def _hello(self, call: Call, params: protocol.Parameters) -> None:
        assert isinstance(params, protocol.Hello)  # noqa: S101 - the dispatcher decoded it
        known, own = self._endpoint.words
        if known and not same_word(params.token, known):
            call.fail(protocol.NOT_ALLOWED, "another token")
            self._log("client refused", reason="another token")
            call.connection.finish()
            return
        if params.protocol != PROTOCOL:
            call.fail(protocol.INVALID_PARAMS, f"protocol {PROTOCOL} is spoken here")
            return
        call.connection.allowed = True
        call.answer({"protocol": PROTOCOL, "version": VERSION, "root": self._live.root, "token": own})

    def _status(self, call: Call, params: protocol.Parameters) -> None:  # noqa: ARG002 - it has none
        call.answer(
            {
                "version": VERSION,
                "protocol": PROTOCOL,
                "pid": os.getpid(),
                "root": self._live.root,
                "folder": self._live.folder,
                "started": int(self._started),
                "assets": len(self._live.opened.database),
                "problems": len(self._live.diagnostics),
                "clients": len(self._server.connections),
                "subscribers": len(self._server.subscribers),
                "requests": self._requests,
                "watch": self._reconciler.status(),
            }
        )

    def _changed(self, call: Call, params: protocol.Parameters) -> None:
        assert isinstance(params, protocol.Changed)  # noqa: S101 - the dispatcher decoded it
        if len(params.paths) > _MOST_PATHS:
            raise RpcError(protocol.INVALID_PARAMS, f"at most {_MOST_PATHS:,} paths at once")
        self._reconciler.changed(params.paths)
        call.answer({"accepted": len(params.paths)})

    def _sync(self, call: Call, params: protocol.Parameters) -> None:
        assert isinstance(params, protocol.Sync)  # noqa: S101 - the dispatcher decoded it
        self._synchronized(call, params, lambda: call.answer({"assets": len(self._live.opened.database)}))

    def _bake(self, call: Call, params: protocol.Parameters) -> None:
        """Bring the files up to date and say what a bake would say of them."""
        assert isinstance(params, protocol.Sync)  # noqa: S101 - the dispatcher decoded it
        database = os.path.join(self._live.folder, FILE_NAME)
        before = _identity(database)
        read_before = self._files_read

        def done() -> None:
            written = _identity(database) != before
            read = self._files_read - read_before
            call.answer(
                {
                    "project": self._live.root,
                    "database": database,
                    "assets": len(self._live.opened.database),
                    "files_read": read,
                    "written": written,
                    "unchanged": not written and not read,
                    "diagnostics": methods.diagnostic_fields(self._live.diagnostics),
                }
            )

        self._synchronized(call, protocol.Sync(params.timeout, files=True), done)

    def _synchronized(self, call: Call, params: protocol.Sync, done: Callable[[], None]) -> None:
        """Call ``done`` when all that was written before now is in, and on the disk where ``params`` ask for that."""
        if not 0 < params.timeout <= _LONGEST_TIMEOUT:
            raise RpcError(protocol.INVALID_PARAMS, f"timeout is 0 to {_LONGEST_TIMEOUT:g} seconds")
        if params.root:
            self._check_root(params.root)
        if not self._is_there():
            raise RpcError(protocol.OTHER_PROJECT, self._missing())

        def saved() -> None:
            if call.answered:
                return
            if self._reconciler.blocked:
                call.fail(protocol.PROJECT_ERROR, self._reconciler.blocked)
                return
            try:
                if params.files and not self._live.save():
                    self._later(_SAVE_AGAIN, call, saved)  # a bake has the lock
                    return
                done()
            except (AssetdbError, OSError) as error:
                call.fail(protocol.PROJECT_ERROR, str(error))

        self._say_working(call)
        self._later(params.timeout, call, lambda: call.fail(protocol.NOT_SYNCED, f"{params.timeout:g} s"))
        # Called from within an update; what it changed is told before this is answered.
        self._reconciler.sync(lambda: self._synced.append(saved), files=params.files)

    def _subscribe(self, call: Call, params: protocol.Parameters) -> None:  # noqa: ARG002 - it has none
        call.connection.subscribed = True
        call.answer({"subscribed": True})

    def _unsubscribe(self, call: Call, params: protocol.Parameters) -> None:  # noqa: ARG002 - it has none
        call.connection.subscribed = False
        call.answer({"subscribed": False})

    def _run(self, call: Call, params: protocol.Parameters) -> None:
        assert isinstance(params, protocol.Run)  # noqa: S101 - the dispatcher decoded it
        self._check_root(params.root)
        if self._reconciler.may_be_behind:
            raise RpcError(protocol.ON_THE_FILES, "nothing tells at once of what changes here")
        self._say_working(call)
        call.answer(remote_command.run(params, self._live.opened, self._runner))

    def _shutdown(self, call: Call, params: protocol.Parameters) -> None:  # noqa: ARG002 - it has none
        self._stopping = "shutdown"
        self._status_file.remove()  # before the answer: who has it finds no daemon any more
        call.answer({"stopping": True})

    def _check_root(self, root: str) -> None:
        if self._is_moved():
            self._stopping = "the project was moved"
            raise RpcError(protocol.OTHER_PROJECT, f"{self._live.root} was moved")
        if not process.same_folder(root, self._live.root):
            raise RpcError(protocol.OTHER_PROJECT, f"{self._live.root}, not {root}")

    def _is_moved(self) -> bool:
        """Whether something else, or nothing, is where the project was."""
        return _identity(self._live.root)[:2] != self._root_identity[:2]


def _identity(path: str) -> tuple[int, int, int, int]:
    """Return which file a path leads to: device, inode, and size and time; zeros where there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return 0, 0, 0, 0
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
