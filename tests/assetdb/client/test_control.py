"""A daemon from outside: its state by lock, status file and process, and how it is stopped and started."""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import TYPE_CHECKING, Any, Self

import pytest

from assetdb.client import control
from assetdb.client.api import Client
from assetdb.client.control import DaemonState
from assetdb.daemon.files.lock import lock_path
from assetdb.daemon.files.status_file import PROTOCOL, STATUS_NAME, Status
from assetdb.errors import DaemonError, NotRunningError
from assetdb.store.lock import FileLock
from assetdb.store.lock_owner import process_start
from assetdb.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ROOT = "/games/P"


def fields(**changes: object) -> dict[str, object]:
    own = os.getpid()
    return {
        "pid": own,
        "start": process_start(own),
        "socket": "/run/a.sock",
        "port": 0,
        "token": "",
        "version": VERSION,
        "protocol": PROTOCOL,
        "root": ROOT,
        "started": 5,
        **changes,
    }


def write(folder: Path, **changes: object) -> None:
    (folder / STATUS_NAME).write_text(json.dumps(fields(**changes)))


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds > 0
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(control, "time", clock)
    return clock


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Path]:
    path = lock_path(str(tmp_path))
    os.makedirs(os.path.dirname(path), exist_ok=True)  # on Windows it is the user's, which the first daemon makes
    with FileLock(path, 0.0):
        yield tmp_path


# --- inspecting


@pytest.mark.parametrize(
    ("changes", "same"),
    [({}, True), ({"start": ""}, False), ({"start": "1"}, False), ({"pid": 0}, False), ({"pid": -1}, False)],
)
def test_a_process_is_known_by_its_number_and_its_start(changes: dict[str, object], *, same: bool) -> None:
    assert control.is_same_process(Status(fields(**changes))) is same


def test_without_a_lock_there_is_no_daemon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assetdb.daemon.endpoint.is_listening", lambda _: False)
    assert control.inspect(ROOT, str(tmp_path)) == DaemonState(running=False, status=None, problem="")
    write(tmp_path, pid=7)
    why = "the daemon (process 7) exited unexpectedly"
    assert control.inspect(ROOT, str(tmp_path)) == DaemonState(running=False, status=None, problem=why)
    monkeypatch.setattr("assetdb.daemon.endpoint.is_listening", lambda _: True)
    why = "its files were removed, and it is creating them again"
    assert control.inspect(ROOT, str(tmp_path)) == DaemonState(running=True, status=None, problem=why)


@pytest.mark.parametrize(
    ("changes", "problem", "is_its_own"),
    [
        ({}, "", True),
        ({"start": "1", "pid": 7}, "the status file is of process 7, which is gone", False),
        ({"root": "/games/Q"}, "it was started for /games/Q, before the project was moved", True),
        ({"version": "0.0.1"}, f"it is of version 0.0.1, this is {VERSION}", True),
        ({"protocol": PROTOCOL + 1}, f"it speaks protocol {PROTOCOL + 1}, this speaks {PROTOCOL}", True),
    ],
)
def test_the_state_of_a_daemon_that_holds_its_lock(
    held: Path, changes: dict[str, object], problem: str, *, is_its_own: bool
) -> None:
    write(held, **changes)
    state = control.inspect(ROOT, str(held))
    assert (state.running, state.problem, state.status is not None) == (True, problem, is_its_own)


def test_a_daemon_without_a_status_file_starts_or_stops(held: Path) -> None:
    state = control.inspect(ROOT, str(held))
    assert (state.running, state.status) == (True, None)
    assert state.problem == "it is starting or stopping, or its status file is missing"


def test_a_suspended_daemon_is_told_with_the_way_to_resume_it(held: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "is_suspended", lambda pid: pid == os.getpid())
    write(held)
    pid = os.getpid()
    assert control.inspect(ROOT, str(held)).problem == f"process {pid} is suspended (`kill -CONT {pid}` lets it go on)"


# --- waiting

READY = DaemonState(running=True, status=Status(fields()), problem="")
STARTING = DaemonState(running=True, status=None, problem="it is starting")
NONE = DaemonState(running=False, status=None, problem="")


def states(monkeypatch: pytest.MonkeyPatch, clock: Clock, first: DaemonState, until: float, then: DaemonState) -> None:
    """Let the state change after some seconds."""
    monkeypatch.setattr(control, "inspect", lambda *_: first if clock.now < 100 + until else then)


@pytest.mark.parametrize(
    ("first", "until", "then", "found", "waited"),
    [
        (READY, 9, NONE, READY, 0),
        (NONE, 9, READY, NONE, 0),
        (STARTING, 0.5, READY, READY, 0.5),
        (STARTING, 0.5, NONE, NONE, 0.5),
        (STARTING, 9, READY, STARTING, 3),
    ],
)
def test_a_daemon_that_starts_or_stops_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
    clock: Clock,
    tmp_path: Path,
    first: DaemonState,
    until: float,
    then: DaemonState,
    found: DaemonState,
    waited: float,
) -> None:
    states(monkeypatch, clock, first, until, then)
    assert control.inspect_settled(ROOT, str(tmp_path), within=3) is found
    assert clock.now - 100 == pytest.approx(waited, abs=0.03)


@pytest.mark.parametrize(("until", "times"), [(0.9, 0), (5, 1)])
def test_who_waits_is_told_once_after_a_second(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, tmp_path: Path, until: float, times: int
) -> None:
    states(monkeypatch, clock, STARTING, until, READY)
    said: list[str] = []
    assert control.inspect_settled(ROOT, str(tmp_path), said.append) is READY
    assert said == [f"the daemon of {ROOT}"] * times


class Answering:
    """A client of a daemon, or an error instead."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.stopped = 0
        self.given: dict[str, object] = {}

    def of_status(self, _: Status, **given: object) -> Self:
        if self.error is not None:
            raise self.error
        self.given = given
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def status(self) -> dict[str, object]:
        return {"pending": False}

    def shutdown(self) -> None:
        self.stopped += 1


@pytest.fixture
def daemon(monkeypatch: pytest.MonkeyPatch) -> Answering:
    daemon = Answering()
    monkeypatch.setattr(Client, "of_status", daemon.of_status)
    return daemon


@pytest.mark.parametrize(
    ("state", "error", "problem", "answer"),
    [
        (READY, None, "", {"pending": False}),
        (READY, DaemonError("it is silent"), "it is silent", {}),
        (READY._replace(problem="it is old"), None, "it is old", {}),
        (NONE, None, "", {}),
    ],
)
def test_the_status_is_asked_of_a_daemon_that_can_be_asked(
    monkeypatch: pytest.MonkeyPatch,
    clock: Clock,
    daemon: Answering,
    state: DaemonState,
    error: Exception | None,
    problem: str,
    answer: dict[str, object],
) -> None:
    states(monkeypatch, clock, state, 0, state)
    daemon.error = error
    assert control.ask_status(ROOT, "/out") == (state._replace(problem=problem), answer)


# --- stopping


@pytest.fixture
def killed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    sent: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda pid, number: sent.append((pid, number)))
    return sent


def lock_until(monkeypatch: pytest.MonkeyPatch, clock: Clock, seconds: float) -> None:
    monkeypatch.setattr(control, "is_held", lambda _: clock.now < 100 + seconds)


@pytest.mark.parametrize(("seconds", "stops"), [(0, True), (14.9, True), (15.1, False)])
def test_a_daemon_is_asked_to_stop_and_waited_for(
    monkeypatch: pytest.MonkeyPatch,
    clock: Clock,
    daemon: Answering,
    killed: list[tuple[int, int]],
    tmp_path: Path,
    seconds: float,
    *,
    stops: bool,
) -> None:
    states(monkeypatch, clock, READY, 99, READY)
    lock_until(monkeypatch, clock, seconds)
    write(tmp_path)
    if stops:
        assert control.stop(ROOT, str(tmp_path)) == os.getpid()
    else:
        with pytest.raises(DaemonError, match=rf"the daemon \(process {os.getpid()}\) has not stopped within 15 s"):
            control.stop(ROOT, str(tmp_path))
    assert (tmp_path / STATUS_NAME).exists() is not stops
    assert (daemon.stopped, daemon.given["any_version"], killed) == (1, True, [])


@pytest.mark.parametrize("error", [DaemonError("no"), OSError("no")])
def test_one_that_does_not_listen_is_ended_if_it_is_the_same_process(
    monkeypatch: pytest.MonkeyPatch,
    clock: Clock,
    daemon: Answering,
    killed: list[tuple[int, int]],
    tmp_path: Path,
    error: Exception,
) -> None:
    daemon.error = error
    states(monkeypatch, clock, READY, 99, READY)
    lock_until(monkeypatch, clock, 1)
    assert control.stop(ROOT, str(tmp_path)) == os.getpid()
    assert killed == [(os.getpid(), signal.SIGTERM)]
    other = READY._replace(status=Status(fields(start="1")))
    states(monkeypatch, clock, other, 999, other)
    with pytest.raises(DaemonError, match=f"process {os.getpid()} is no longer the daemon"):
        control.stop(ROOT, str(tmp_path))
    assert len(killed) == 1


def test_where_no_daemon_is_nothing_is_stopped(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, tmp_path: Path, daemon: Answering
) -> None:
    write(tmp_path)
    states(monkeypatch, clock, NONE, 0, NONE)
    with pytest.raises(NotRunningError) as caught:
        control.stop(ROOT, str(tmp_path))
    assert str(caught.value) == f"no daemon is running for {ROOT}"
    assert (tmp_path / STATUS_NAME).exists()
    stale = NONE._replace(problem="it exited")
    states(monkeypatch, clock, stale, 0, stale)
    with pytest.raises(NotRunningError) as caught:
        control.stop(ROOT, str(tmp_path))
    assert str(caught.value) == f"no daemon is running for {ROOT}: it exited"
    assert not (tmp_path / STATUS_NAME).exists()
    control.remove_status(str(tmp_path))
    states(monkeypatch, clock, STARTING, 99, READY)
    with pytest.raises(DaemonError, match=f"the daemon of {ROOT} cannot be found: it is starting"):
        control.stop(ROOT, str(tmp_path))
    assert daemon.stopped == 0


@pytest.mark.skipif(sys.platform == "win32", reason="no process is suspended by a signal")
@pytest.mark.parametrize(("seconds", "resumes"), [(0.9, True), (1.1, False)])
def test_a_suspended_daemon_is_resumed_first(
    monkeypatch: pytest.MonkeyPatch,
    clock: Clock,
    daemon: Answering,
    killed: list[tuple[int, int]],
    tmp_path: Path,
    seconds: float,
    *,
    resumes: bool,
) -> None:
    states(monkeypatch, clock, READY, 99, READY)
    lock_until(monkeypatch, clock, 0)
    monkeypatch.setattr(control, "is_suspended", lambda _: clock.now < 100 + seconds)
    if resumes:
        assert control.stop(ROOT, str(tmp_path)) == os.getpid()
    else:
        with pytest.raises(DaemonError, match="is suspended by a debugger: end that first"):
            control.stop(ROOT, str(tmp_path))
    assert killed == [(os.getpid(), signal.SIGCONT)]
    assert daemon.stopped == resumes


# --- starting

ANSWERS = """
import json, os, sys, time
status = dict(json.loads(sys.argv[2]), pid=os.getpid() + int(sys.argv[3]))
with open(sys.argv[1] + ".new", "w") as file:
    json.dump(status, file)
os.replace(sys.argv[1] + ".new", sys.argv[1])
time.sleep(60)
"""


def spawn(folder: Path, code: str, *words: str, within: float) -> Any:  # noqa: ANN401 - a text
    return control.spawn([sys.executable, "-c", code, *words], str(folder), str(folder / "log"), within)


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], int]]:
    """Tell the process that was started last, which ends with the test."""
    import subprocess  # noqa: PLC0415 - the module whose class is watched

    started: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def start(*args: Any, **given: Any) -> subprocess.Popen[bytes]:  # noqa: ANN401 - as it is called
        started.append(popen(*args, **given))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    yield lambda: started[-1].pid
    for process in started:
        process.kill()
        process.wait()


def test_a_daemon_that_is_started_has_answered_with_its_own_status(tmp_path: Path, ended: Callable[[], int]) -> None:
    status = tmp_path / STATUS_NAME
    assert spawn(tmp_path, ANSWERS, str(status), json.dumps(fields()), "0", within=60) == ""
    assert json.loads(status.read_text())["pid"] == ended()
    assert not (tmp_path / "log").exists()


def test_the_status_of_another_process_is_no_answer(tmp_path: Path, ended: Callable[[], int]) -> None:
    write(tmp_path)
    why = spawn(tmp_path, "import time; time.sleep(60)", within=0.05)
    assert why == f"the daemon (process {ended()}) does not answer after 0.05 s; see {tmp_path / 'log'}"


@pytest.mark.usefixtures("ended")
def test_what_a_daemon_says_that_does_not_start_is_in_its_log(tmp_path: Path) -> None:
    code = "import sys; print('why', file=sys.stderr, flush=True); print('x' * 70_000); sys.exit(3)"
    assert spawn(tmp_path, code, within=60) == f"the daemon exited with 3; see {tmp_path / 'log'}"
    said = (tmp_path / "log").read_bytes()
    assert len(said) == 1 << 16
    assert said.startswith(b"why")
