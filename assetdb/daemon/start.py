"""The start of a daemon, up to the first question.

Importing the code that answers (:mod:`assetdb.daemon.daemon`, JSON-RPC, the commands) takes half as long as scanning an
unchanged tree. It is imported last: clients find the socket, and wait in its queue.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from socket import socketpair

from assetdb.daemon.descriptors import require_descriptors
from assetdb.daemon.files.own_status import OwnStatus
from assetdb.daemon.garbage_collection import GarbageCollection
from assetdb.settings.project import MARKERS, is_part, package_name
from assetdb.system.identity import device_and_inode
from assetdb.version import VERSION

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, TracebackType
    from typing import Final, Self

    from assetdb.daemon.endpoint import Endpoint
    from assetdb.daemon.reconciling.reconciler import Reconciler
    from assetdb.daemon.session import Session

    ReconcilerFactory = Callable[[Session, Callable[[], None], Callable[..., None]], Reconciler]
    """Makes a reconciler from the project, a wake function, and the log."""

_SIGNALS: Final = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


class StoppedEarly(BaseException):
    """A signal came while the project was read for the first time."""


class Start:
    """A watched project with its endpoint and signal handlers.

    Attributes:
        session: the project.
        endpoint: the socket for clients.
        status_file: leads clients to it.
        reconciler: keeps the project current.
        garbage: the garbage collector.
        log: receives events.
        stopping: why it must stop, or ``""``.
        waker: can be read when something is due.
        began: when, as ``time.time`` has it.
    """

    def __init__(
        self,
        session: Session,
        open_endpoint: Callable[[], Endpoint],
        make_reconciler: ReconcilerFactory,
        log: Callable[..., None],
    ) -> None:
        """Take a project that is not started, and open its endpoint.

        Args:
            session: the project.
            open_endpoint: creates the endpoint, again if it was removed.
            make_reconciler: makes the reconciler.
            log: receives events.
        """
        self.began = time.time()
        self.session = session
        self.log = log
        self._open_endpoint = open_endpoint
        self.endpoint = open_endpoint()
        self.status_file = OwnStatus()
        # While it is open, its inode is not reused.
        self._root_descriptor = -1
        if sys.platform != "win32":
            self._root_descriptor = os.open(session.root, os.O_RDONLY | os.O_DIRECTORY)
        self._root_identity = device_and_inode(session.root)
        self.stopping = ""
        self._is_reading = self._has_read = self._is_withdrawn = False
        self.waker, self._waking = socketpair()
        for end in (self.waker, self._waking):
            end.settimeout(0)
        self.garbage = GarbageCollection()
        self._undo_signals: list[tuple[Callable[..., object], tuple[object, ...]]] = []
        self.reconciler = make_reconciler(session, self.wake, log)

    def wake(self) -> None:
        """Wake the loop that waits for :attr:`waker`, from any thread."""
        with suppress(BlockingIOError, OSError):  # full: it will wake up anyway
            self._waking.send(b"\0")

    def drain(self) -> None:
        """Make :attr:`waker` wait again."""
        with suppress(BlockingIOError):
            while len(self.waker.recv(4096)) == 4096:
                pass

    def __enter__(self) -> Self:
        """Handle signals."""
        self._handle_signals()
        return self

    def run(self) -> None:
        """Watch and read the project, and let clients find the socket.

        Raises:
            AssetdbError: the project cannot be read.
            OSError: its files cannot be written, or no descriptors are left to answer with.
            StoppedEarly: a signal came first.
        """
        session = self.session
        started = time.perf_counter()
        self._is_reading = True
        self.log("starting", pid=os.getpid(), version=VERSION, project=session.root)
        self.reconciler.start()
        self._is_reading = False
        self._has_read = True
        require_descriptors()
        self.status_file.write(session.folder, session.root, self.endpoint)
        self.log("ready", assets=session.asset_count, seconds=time.perf_counter() - started)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        """Remove the endpoint, save, and release everything.

        A signal while the project was read is no error.
        """
        self.withdraw("signal" if kind is StoppedEarly else "error")
        self.endpoint.close()
        self.reconciler.stop(save=not self.missing())  # otherwise there is no place for it
        if self._has_read:
            self.session.close()
        for undo, values in reversed(self._undo_signals):
            undo(*values)
        self.waker.close()
        self._waking.close()
        if self._root_descriptor >= 0:
            os.close(self._root_descriptor)
        self.log("stopped")
        self.garbage.close()
        return kind is StoppedEarly

    def withdraw(self, reason: str) -> None:
        """Remove the files that lead here; log the first reason."""
        self.status_file.remove()
        if not self._is_withdrawn:
            self._is_withdrawn = True
            self.log("stopping", reason=self.stopping or reason)

    def reopen(self) -> Endpoint:
        """Open the removed endpoint again; return the one before."""
        before, self.endpoint = self.endpoint, self._open_endpoint()
        return before

    def _handle_signals(self) -> None:
        """Stop cleanly on signals, interrupting the first read of the project."""

        def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - signal's own signature
            self.stopping = names.get(number, str(number))
            if self._is_reading:
                self._is_reading = False
                raise StoppedEarly

        threading = sys.modules.get("threading")  # not imported if there is only one thread
        if threading is not None and threading.current_thread() is not threading.main_thread():
            return  # in a test; only the main thread gets signals
        names = {getattr(signal, name): name for name in _SIGNALS if hasattr(signal, name)}
        for number in names:
            self._undo_signals.append((signal.signal, (number, signal.signal(number, stop))))
        old_descriptor = signal.set_wakeup_fd(self._waking.fileno(), warn_on_full_buffer=False)
        self._undo_signals.append((signal.set_wakeup_fd, (old_descriptor,)))

    # --- the project's place

    def missing(self) -> str:
        """Return why the project is a different one, or ``""``."""
        found = device_and_inode(self.session.root)
        if found == (0, 0):
            return "the project is gone"
        if found != self._root_identity:
            return "another folder is in the project's place"
        root = self.session.root
        if (
            not any(os.path.isdir(os.path.join(root, name)) for name in MARKERS)
            and not package_name(root)
            and not is_part(root)
        ):
            return f"the project has neither {' nor '.join(MARKERS)}"
        return ""

    def is_moved(self) -> bool:
        """Whether the project's folder was replaced or removed."""
        return device_and_inode(self.session.root) != self._root_identity
