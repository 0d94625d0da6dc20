"""Control of a daemon from outside: inspect, stop, spawn.

The daemon's lock decides whether there is one. Status files of dead processes, or with a reused process number, are
recognised as stale.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress

from assetdb.daemon.files.lock import is_held, lock_path
from assetdb.daemon.files.log import open_log
from assetdb.daemon.files.status_file import PROTOCOL, STATUS_NAME, Status, read_status
from assetdb.errors import DaemonError, NotRunningError
from assetdb.store.lock import holder_of
from assetdb.store.lock_owner import is_suspended, process_start
from assetdb.system.identity import same_folder
from assetdb.version import VERSION
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from typing import Final

_STOP_WITHIN: Final = 15.0  # seconds: the cache of 60,000 assets is written on the way out
_MOST_SAID: Final = 1 << 16  # bytes of what a daemon says that does not start
_POLL_INTERVAL: Final = 0.02
_SAY_AFTER: Final = 1.0
_ANSWERS_WITHIN: Final = 5.0
_SETTLES_WITHIN: Final = 3.0
_RENEWS_WITHIN: Final = 1.0
"""Seconds in which a daemon recreates its output folder, or a debugger releases it."""


class DaemonState(NamedTuple):
    """The state of a project's daemon.

    Attributes:
        running: whether there is one.
        status: its status file; None if there is none or it is not this daemon's.
        problem: why it cannot be asked, or the origin of a stale status file; else ``""``.
    """

    running: bool
    status: Status | None
    problem: str


def is_same_process(status: Status) -> bool:
    """Whether the process of a status file is still alive."""
    return status.pid > 0 and bool(status.start) and process_start(status.pid) == status.start


def inspect(root: str, folder: str) -> DaemonState:
    """Return the state of a project's daemon."""
    status = read_status(folder)
    if not is_held(folder):
        from assetdb.daemon.endpoint import is_listening  # noqa: PLC0415 - what holds its lock is there

        if is_listening(folder):
            return DaemonState(
                running=True, status=None, problem="its files were removed, and it is creating them again"
            )
        stale = f"the daemon (process {status.pid}) exited unexpectedly" if status is not None else ""
        return DaemonState(running=False, status=None, problem=stale)
    if status is None:
        problem = "it is starting or stopping, or its status file is missing"
    elif not is_same_process(status):
        problem = f"the status file is of process {status.pid}, which is gone"
        status = None
    elif not same_folder(status.root, root):
        problem = f"it was started for {status.root}, before the project was moved"
    elif status.version != VERSION:
        problem = f"it is of version {status.version}, this is {VERSION}"
    elif status.protocol != PROTOCOL:  # between two versions that are not released
        problem = f"it speaks protocol {status.protocol}, this speaks {PROTOCOL}"
    elif is_suspended(status.pid):
        problem = f"process {status.pid} is suspended (`kill -CONT {status.pid}` lets it go on)"
    else:
        problem = ""
    return DaemonState(running=True, status=status, problem=problem)


def inspect_settled(
    root: str, folder: str, on_wait: Callable[[str], None] | None = None, within: float = _STOP_WITHIN
) -> DaemonState:
    """Return the state of a daemon once it started or stopped.

    Waits up to ``within`` seconds, and after the first calls ``on_wait`` with a description.
    """
    began = time.monotonic()
    state = inspect(root, folder)
    while state.running and state.status is None and time.monotonic() < began + within:
        if on_wait is not None and time.monotonic() > began + _SAY_AFTER:
            on_wait(str(holder_of(lock_path(folder)) or f"the daemon of {root}"))
            on_wait = None
        time.sleep(_POLL_INTERVAL)
        state = inspect(root, folder)
    return state


def ask_status(root: str, folder: str) -> tuple[DaemonState, dict[str, object]]:
    """Return the state of a daemon, and its own status, or ``{}``.

    Waits for one that starts or stops: after ``rm -rf Library`` a daemon recreates its files.
    """
    state = inspect_settled(root, folder, within=_SETTLES_WITHIN)
    if state.status is None or state.problem:
        return state, {}
    from assetdb.client.api import Client  # noqa: PLC0415 - 20 ms of a start that has nobody to ask

    try:
        with Client.of_status(state.status, timeout=_ANSWERS_WITHIN) as client:
            return state, client.status()
    except DaemonError as error:
        return state._replace(problem=str(error)), {}


def remove_status(folder: str) -> None:
    """Remove the status file."""
    with suppress(OSError):  # another user's then: readers see that its process is gone
        os.unlink(os.path.join(folder, STATUS_NAME))


# --- stopping


def stop(root: str, folder: str, on_wait: Callable[[str], None] | None = None) -> int:
    """Stop the daemon of a project; return its process id.

    A suspended one is resumed to stop, as shells do with their jobs. ``on_wait``: called with its description if it is
    still starting after a second.

    Raises:
        NotRunningError: there is none.
        DaemonError: it does not stop.
    """
    state = inspect_settled(root, folder, on_wait)
    until = time.monotonic() + _STOP_WITHIN
    if not state.running:
        if state.problem:
            remove_status(folder)
        raise NotRunningError(f"no daemon is running for {root}" + (f": {state.problem}" if state.problem else ""))
    if state.status is None:
        raise DaemonError(f"the daemon of {root} cannot be found: {state.problem}")
    pid = state.status.pid
    if is_suspended(pid):
        _resume(state.status)
    if not _ask_to_stop(state.status):
        if not is_same_process(state.status):
            raise DaemonError(f"process {pid} is no longer the daemon")
        os.kill(pid, signal.SIGTERM)
    while is_held(folder):
        if time.monotonic() > until:
            raise DaemonError(f"the daemon (process {pid}) has not stopped within {_STOP_WITHIN:g} s")
        time.sleep(_POLL_INTERVAL)
    remove_status(folder)
    return pid


def _resume(status: Status) -> None:
    """Resume a suspended daemon; raise DaemonError if that fails."""
    if sys.platform != "win32" and is_same_process(status):
        os.kill(status.pid, signal.SIGCONT)
    until = time.monotonic() + _RENEWS_WITHIN
    while is_suspended(status.pid):
        if time.monotonic() > until:
            raise DaemonError(f"the daemon (process {status.pid}) is suspended by a debugger: end that first")
        time.sleep(_POLL_INTERVAL)


def _ask_to_stop(status: Status) -> bool:
    import msgspec  # noqa: PLC0415 - 20 ms of a start that has nobody to stop

    from assetdb.client.api import Client  # noqa: PLC0415 - the same

    try:
        with Client.of_status(status, timeout=_ANSWERS_WITHIN, any_version=True) as client:
            client.shutdown()
    except (DaemonError, OSError, msgspec.MsgspecError):
        return False
    return True


# --- into the background


def spawn(words: list[str], folder: str, log_path: str, within: float) -> str:
    """Start a daemon where nothing forks; return ``""`` or the problem."""
    import subprocess  # noqa: PLC0415 - where a process can fork none is spawned
    import tempfile  # noqa: PLC0415 - the same

    flags = 0
    if sys.platform == "win32":
        flags = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
    with tempfile.TemporaryFile() as said:  # not the log: the project is not renamed while it is open there
        daemon = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            creationflags=flags,
            start_new_session=sys.platform != "win32",
            cwd=os.path.abspath(os.sep),
        )
        problem = _wait_for(daemon, folder, log_path, within)
        if problem:
            said.seek(0)
            with open(open_log(log_path), "ab") as log:
                log.write(said.read(_MOST_SAID))
    return problem


def _wait_for(daemon: subprocess.Popen[bytes], folder: str, log_path: str, within: float) -> str:
    """Wait until a daemon answers; return ``""`` or the problem."""
    until = time.monotonic() + within
    while daemon.poll() is None:
        status = read_status(folder)
        if status is not None and status.pid == daemon.pid:
            return ""
        if time.monotonic() > until:
            return f"the daemon (process {daemon.pid}) does not answer after {within:g} s; see {log_path}"
        time.sleep(_POLL_INTERVAL)
    return f"the daemon exited with {daemon.returncode}; see {log_path}"
