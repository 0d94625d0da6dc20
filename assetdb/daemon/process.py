"""The life of a daemon: one for each project, found by its status file, stopped, replaced, put into the background.

The lock file decides whether there is one, for the system gives a lock back when its holder dies, however it dies. The
status file only says where it is: stale ones, of dead processes or of a number that another process has by now, are
recognised and overwritten.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from assetdb.daemon.endpoint import file_identity
from assetdb.daemon.log import open_log
from assetdb.daemon.rpc import protocol
from assetdb.daemon.status_file import LOCK_NAME, PROTOCOL, STATUS_NAME, Status, read_status
from assetdb.errors import AssetdbError, DaemonError, FileError, LockedError, NotRunningError
from assetdb.store import lock
from assetdb.store.holder import process_start
from assetdb.store.output import make_folder
from assetdb.system.reading import read_small
from assetdb.version import VERSION
from formats.atomic import replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assetdb.daemon.endpoint import Endpoint

_STOP_WITHIN: Final = 15.0  # seconds: the cache of 60,000 assets is written on the way out
_STEP: Final = 0.02
_LOCKED_WITHIN: Final = 0.1
_SAY_AFTER: Final = 1.0
_ANSWERS_WITHIN: Final = 5.0


class State(NamedTuple):
    """What is known of a project's daemon.

    Attributes:
        running: whether there is one.
        status: what its status file says; None where there is none or it is not this daemon's.
        problem: what keeps it from being asked, or ``""``; or of what a stale status file is left.
    """

    running: bool
    status: Status | None
    problem: str


def identity(folder: str) -> str:
    """Return 16 hex digits for the output folder of a project."""
    return hashlib.blake2b(os.fsencode(os.path.realpath(folder)), digest_size=8).hexdigest()


class Hold:
    """The lock of an output folder, held by its daemon.

    Attributes:
        problem: why the system's own lock could not be used, or ``""``.
    """

    def __init__(self, folder: str, root: str, stack: contextlib.ExitStack) -> None:
        self._root = root
        self._stack = stack
        path = os.path.join(folder, LOCK_NAME)
        self._locks = {path: stack.enter_context(_lock(path))}  # of the outputs that there were, too
        self.problem = self._locks[path].problem

    def is_of(self, folder: str) -> bool:
        """Whether this was the lock of a folder at some time."""
        return os.path.join(folder, LOCK_NAME) in self._locks

    def renew(self, folder: str) -> bool:
        """Hold the lock of what is the output now; False where another daemon has it.

        Its file may have been removed (`rm -rf Library`), or ``assetdb.toml`` may name another folder.
        """
        path = os.path.join(folder, LOCK_NAME)
        if path in self._locks and self._locks[path].is_current():
            return True
        try:
            make_folder(folder, self._root)
            self._locks[path] = self._stack.enter_context(_lock(path))
        except (AssetdbError, OSError):
            return False
        return True


def _lock(path: str) -> lock.FileLock:
    # Not at once: whoever looks if there is a daemon has the lock for a moment.
    return lock.FileLock(path, _LOCKED_WITHIN, role="daemon")


@contextlib.contextmanager
def only_one(folder: str, root: str = "") -> Iterator[Hold]:
    """Be the daemon of an output folder, of the project at ``root``.

    Raises:
        LockedError: there is one.
        ProjectError: its lock file is a link, or no file.
        OSError: the lock file cannot be made.
    """
    make_folder(folder, root)
    with contextlib.ExitStack() as stack:
        try:
            hold = Hold(folder, root, stack)
        except LockedError as error:
            raise LockedError(f"{folder} has a daemon already") from error
        yield hold


def is_held(folder: str) -> bool:
    """Whether there is a daemon of an output folder."""
    return lock.is_held(os.path.join(folder, LOCK_NAME))


def is_same_process(status: Status) -> bool:
    """Whether the process of a status file is alive and the one that wrote it."""
    return status.pid > 0 and bool(status.start) and process_start(status.pid) == status.start


def inspect(root: str, folder: str) -> State:
    """Return what is known of the daemon of a project."""
    status = read_status(folder)
    held = is_held(folder)
    if not held:
        stale = f"the daemon of process {status.pid} ended without a word" if status is not None else ""
        return State(running=False, status=None, problem=stale)
    if status is None:
        return State(running=True, status=None, problem="it is starting or stopping, or its status file is lost")
    if not is_same_process(status):
        return State(running=True, status=None, problem=f"the status file is of process {status.pid}, which is gone")
    if not same_folder(status.root, root):
        return State(
            running=True, status=status, problem=f"it was started for {status.root}, from where this was moved"
        )
    if status.version != VERSION or status.protocol != PROTOCOL:
        return State(running=True, status=status, problem=f"it is of version {status.version}, this is {VERSION}")
    return State(running=True, status=status, problem="")


def settled(root: str, folder: str, on_wait: Callable[[str], None] | None = None) -> State:
    """Return what is known of the daemon of a project, when one that is starting or stopping has done so.

    ``on_wait`` is told who that is, after a second.
    """
    began = time.monotonic()
    state = inspect(root, folder)
    while state.running and state.status is None and time.monotonic() < began + _STOP_WITHIN:
        if on_wait is not None and time.monotonic() > began + _SAY_AFTER:
            on_wait(str(lock.holder_of(os.path.join(folder, LOCK_NAME)) or f"the daemon of {root}"))
            on_wait = None
        time.sleep(_STEP)
        state = inspect(root, folder)
    return state


def same_folder(one: str, other: str) -> bool:
    """Whether two paths lead to one folder."""
    try:
        return one == other or os.path.samefile(one, other)
    except OSError:
        return False


# --- the status file


class OwnStatus:
    """The status file of this process, which is a daemon."""

    def __init__(self) -> None:
        self._path = ""
        self._data = b""
        self._identity = 0, 0

    def write(self, folder: str, root: str, endpoint: Endpoint) -> None:
        """Say where the daemon is.

        Raises:
            OSError: the file cannot be written.
        """
        data = _status_text(root, endpoint)
        path = os.path.join(folder, STATUS_NAME)
        replace_file(path, [data])
        self._path, self._data, self._identity = path, data, file_identity(path)

    def is_in(self, folder: str) -> bool:
        """Whether a folder has it, whole."""
        if not self._path or os.path.join(folder, STATUS_NAME) != self._path:
            return False
        try:
            return read_small(self._path, len(self._data)) == self._data
        except (OSError, FileError):
            return False

    def remove(self) -> None:
        """Remove it, before anybody is told that the daemon stops; what has its place and is another's stays."""
        if file_identity(self._path) == self._identity and self.is_in(os.path.dirname(self._path)):
            with contextlib.suppress(OSError):
                os.unlink(self._path)
            self._path = ""


def _status_text(root: str, endpoint: Endpoint) -> bytes:
    pid = os.getpid()
    status = Status(
        {
            "pid": pid,
            "start": process_start(pid),
            "socket": endpoint.path,
            "port": endpoint.port,
            "token": endpoint.token_path,
            "version": VERSION,
            "protocol": PROTOCOL,
            "root": root,
            "started": int(time.time()),
        }
    )
    return protocol.ENCODER.encode(status.fields()) + b"\n"


def remove_status(folder: str) -> None:
    """Remove the status file."""
    with contextlib.suppress(OSError):  # somebody else's then: whoever reads it sees that its process is gone
        os.unlink(os.path.join(folder, STATUS_NAME))


# --- stopping


def stop(root: str, folder: str, on_wait: Callable[[str], None] | None = None) -> int:
    """Stop the daemon of a project, whatever is the matter with it, and return the number that its process had.

    ``on_wait`` is told whom that waits for, where it is still starting after a second.

    Raises:
        NotRunningError: there is none.
        DaemonError: it does not stop.
    """
    state = settled(root, folder, on_wait)
    until = time.monotonic() + _STOP_WITHIN
    if not state.running:
        if state.problem:
            remove_status(folder)
        raise NotRunningError(f"{root} has no daemon" + (f": {state.problem}" if state.problem else ""))
    if state.status is None:
        raise DaemonError(f"the daemon of {root} cannot be found: {state.problem}")
    pid = state.status.pid
    if not _ask_to_stop(state.status):
        if not is_same_process(state.status):
            raise DaemonError(f"process {pid} is not the daemon any more")
        os.kill(pid, signal.SIGTERM)
    while is_held(folder):
        if time.monotonic() > until:
            raise DaemonError(f"the daemon (process {pid}) has not stopped within {_STOP_WITHIN:g} s")
        time.sleep(_STEP)
    remove_status(folder)
    return pid


def _ask_to_stop(status: Status) -> bool:
    from assetdb.daemon.connection import Client  # noqa: PLC0415 - the daemon does not need it

    try:
        with Client.of_status(status, timeout=_ANSWERS_WITHIN, any_version=True) as client:
            client.shutdown()
    except (DaemonError, OSError, msgspec.MsgspecError):
        return False
    return True


# --- into the background


def spawn(words: list[str], folder: str, log_path: str, within: float) -> str:
    """Start ``words``, a daemon, and wait until it answers: for where a process cannot fork itself into one."""
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
    with open(open_log(log_path), "ab") as log:
        daemon = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            creationflags=flags,
            start_new_session=sys.platform != "win32",
        )
    until = time.monotonic() + within
    while daemon.poll() is None:
        status = read_status(folder)
        if status is not None and status.pid == daemon.pid:
            return ""
        if time.monotonic() > until:
            return f"the daemon (process {daemon.pid}) does not answer after {within:g} s; see {log_path}"
        time.sleep(_STEP)
    return f"the daemon ended with {daemon.returncode}; see {log_path}"
