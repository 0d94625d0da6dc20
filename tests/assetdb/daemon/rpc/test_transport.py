"""The socket by itself: turns, limits, slow readers, work in threads. The test turns the loop."""

from __future__ import annotations

import contextlib
import errno
import json
import select
import socket
import threading
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.daemon.rpc import protocol
from assetdb.daemon.rpc.connection import Connection, Limits
from assetdb.daemon.rpc.transport import Server
from assetdb.system.cancelling import check_cancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

if not hasattr(socket, "AF_UNIX"):
    pytest.skip("no Unix sockets here", allow_module_level=True)


PATIENCE = 30.0  # seconds; only a hang takes that long


class Bench:
    """A server whose handler answers each line with itself, and notes who was served."""

    def __init__(self, path: str, limits: Limits) -> None:
        self.path = path
        self.served: list[tuple[Connection, bytes]] = []
        self.said: list[str] = []
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(path)
        listening.listen()
        self.server = Server(listening, self.handle, self.log, allowed=lambda _: True, limits=limits)
        self.peers: list[socket.socket] = []

    def log(self, event: str, **fields: object) -> None:
        self.said.append(f"{event} {fields}")

    def handle(self, connection: Connection, line: bytes) -> None:
        self.served.append((connection, line))
        connection.send(line)

    def connect(self) -> socket.socket:
        peer = socket.socket(socket.AF_UNIX)
        peer.connect(self.path)
        peer.settimeout(5)
        self.peers.append(peer)
        self.turn()
        return peer

    def turn(self, times: int = 1) -> None:
        for _ in range(times):
            self.server.turn(0.0)

    def close(self) -> None:
        self.server.close()
        for peer in self.peers:
            peer.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    found = Bench(
        str(tmp_path / "s"),
        Limits(
            message=1000,
            waiting=5000,
            clients=8,
            unread=2000,
            unread_notifications=300_000,
            turn=4,
        ),
    )
    yield found
    found.close()


def test_a_line_may_come_in_any_pieces(bench: Bench) -> None:
    peer = bench.connect()
    for byte in b"one\n\n  \ntwo\nthr":
        peer.sendall(bytes((byte,)))
        bench.turn()
    assert [line for _, line in bench.served] == [b"one", b"two"]
    assert peer.recv(100) == b"one\ntwo\n"
    peer.close()
    bench.turn()
    assert bench.server.connections == {}
    assert bench.server.waiting == 0


def test_everybody_has_a_turn(bench: Bench) -> None:
    """One who asks a hundred things at once does not keep another waiting for all of them."""
    greedy, modest = bench.connect(), bench.connect()
    greedy.sendall(b"".join(b"%d\n" % number for number in range(100)))
    modest.sendall(b"please\n")
    bench.turn(3)
    place = [line for _, line in bench.served].index(b"please")
    assert place <= 2 * 4
    bench.turn(40)
    assert [line for _, line in bench.served if line != b"please"] == [b"%d" % number for number in range(100)]


class ThreadBench(Bench):
    """A server that handles lines in threads, but for those that begin with "quick"."""

    def __init__(self, path: str) -> None:
        super().__init__(path, Limits())
        self.go_on = threading.Event()
        self.begun = threading.Semaphore(0)
        self.server._is_quick = lambda line: line.startswith(b"quick")

    def handle(self, connection: Connection, line: bytes) -> None:
        if line.startswith(b"slow"):
            self.begun.release()
            while not self.go_on.wait(0.001):
                check_cancelled()
        if line == b"fault":
            raise RuntimeError("ours")
        self.server.post(lambda: connection.send(line))

    def turn_until(self, is_so: Callable[[], bool]) -> None:
        until = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < until
            self.server.turn(0.001)

    def lines(self, peer: socket.socket, count: int) -> bytes:
        """Return so many lines, fewer where the connection is closed."""
        found = b""
        while found.count(b"\n") < count:
            self.turn_until(lambda: bool(select.select([peer], [], [], 0)[0]))
            part = peer.recv(100)
            if not part:
                break
            found += part
        return found


@pytest.fixture
def threads(tmp_path: Path) -> Iterator[ThreadBench]:
    found = ThreadBench(str(tmp_path / "s"))
    yield found
    found.close()


def test_what_takes_long_keeps_nobody_else(threads: ThreadBench) -> None:
    slow = [threads.connect() for _ in range(20)]
    for number, peer in enumerate(slow):
        peer.sendall(b"slow %d\nquick %d\n" % (number, number))
    threads.turn_until(lambda: threads.begun.acquire(blocking=False))
    other = threads.connect()
    other.sendall(b"1\nquick 2\n3\n")
    assert threads.lines(other, 3) == b"1\nquick 2\n3\n"
    assert threads.server.busy
    threads.go_on.set()
    for number, peer in enumerate(slow):
        assert threads.lines(peer, 2) == b"slow %d\nquick %d\n" % (number, number)
    threads.turn_until(lambda: not threads.server.busy)


def test_a_client_that_goes_ends_its_work(threads: ThreadBench) -> None:
    peer = threads.connect()
    peer.sendall(b"slow\n")
    threads.turn_until(lambda: threads.begun.acquire(blocking=False))
    (connection,) = threads.server.connections
    job = connection.job
    assert job is not None
    peer.close()
    threads.turn_until(lambda: not threads.server.connections)
    assert job.cancelled
    threads.turn_until(lambda: connection.job is None)


def test_a_fault_in_a_thread_is_logged_and_the_client_closed(threads: ThreadBench) -> None:
    peer = threads.connect()
    peer.sendall(b"fault\n")
    assert threads.lines(peer, 1) == b""
    assert threads.said == ["fault {'error': 'RuntimeError: ours'}"]
    other = threads.connect()
    other.sendall(b"and I?\n")
    assert threads.lines(other, 1) == b"and I?\n"


def test_work_is_cancelled_on_the_way_out_but_what_goes_to_its_end(tmp_path: Path) -> None:
    bench = ThreadBench(str(tmp_path / "s"))
    bench.connect().sendall(b"slow\n")
    bench.turn_until(lambda: bench.begun.acquire(blocking=False))
    ended: list[str] = []
    leave = threading.Event()

    def wait(name: str) -> None:
        try:
            while not leave.wait(0.001):
                check_cancelled()
        finally:
            ended.append(name)

    bench.server.start(lambda: wait("cancelled"))
    bench.server.start(lambda: wait("whole"), to_its_end=True)
    bench.close()
    assert ended == ["cancelled"]
    leave.set()
    until = time.monotonic() + PATIENCE
    while len(ended) < 2 and time.monotonic() < until:
        time.sleep(0.001)
    assert ended == ["cancelled", "whole"]


def test_the_loop_does_something_for_a_thread(threads: ThreadBench) -> None:
    told: list[object] = []
    loop = threading.get_ident()

    def work() -> None:
        threads.server.call(lambda: told.append(threading.get_ident() == loop))
        told.append(threading.get_ident() == loop)

    threads.server.start(work)
    threads.turn_until(lambda: len(told) == 2)
    assert told == [True, False]


def test_without_threads_the_loop_does_all(threads: ThreadBench, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", fail)
    peer = threads.connect()
    peer.sendall(b"1\n2\n")
    assert threads.lines(peer, 2) == b"1\n2\n"
    done: list[str] = []
    threads.server.start(lambda: done.append("done"))
    assert done == ["done"]


def test_who_does_not_read_is_not_read(bench: Bench) -> None:
    """Answers wait up to a limit; then the requests do, on the client's side."""
    peer = bench.connect()
    peer.settimeout(0)
    line = b"x" * 900 + b"\n"
    sent = 0
    for _ in range(20_000):
        try:
            sent += peer.send(line[sent % len(line) :])
        except BlockingIOError:
            bench.turn()
            if len(bench.served) and bench.served[-1:] == bench.served[-2:-1] and sent > 3_000_000:
                break
            before = len(bench.served)
            bench.turn(3)
            if len(bench.served) == before:
                break
    (connection,) = bench.server.connections
    assert connection.unread <= 2000 + 4 * 901
    assert bench.server.waiting <= (1 << 18) + 1000
    other = bench.connect()
    other.sendall(b"and I?\n")
    bench.turn(2)
    assert other.recv(100) == b"and I?\n"
    answered = 0
    peer.settimeout(5)
    while answered < sent // len(line):
        answered += peer.recv(1 << 16).count(b"\n")
        bench.turn(8)
    assert len(bench.served) - 1 == answered


def test_a_slow_subscriber_is_dropped_and_told_why(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "assetdb.daemon.rpc.connection._LINGER", 600.0
    )  # a loaded machine reads for longer than a client may
    slow, quick = bench.connect(), bench.connect()
    for connection in bench.server.connections:
        connection.subscribed = True
    line = protocol.notification("update", {"changes": ["x" * 900]})
    got = b""
    for _ in range(2000):
        for connection in bench.server.subscribers:
            connection.notify(line)
        bench.turn()
        got += quick.recv(1 << 16)
    assert got == (line + b"\n") * 2000, "the quick one missed nothing"
    assert len(bench.server.subscribers) == 1
    assert any("slow-subscriber" in said for said in bench.said)
    text = b""
    while part := slow.recv(1 << 16):
        text += part
        bench.turn()
    *lines, last = text.splitlines()
    assert set(lines) == {line}, "what had begun was ended"
    closed = json.loads(last)
    assert (closed["method"], closed["params"]["reason"]) == ("closed", "slow-subscriber")
    slow.close()
    bench.turn(2)
    assert len(bench.server.connections) == 1


def test_limits_of_messages(bench: Bench) -> None:
    for text in (b"x" * 1001, b"y" * 1001 + b"\n", b"x" * 5000):
        peer = bench.connect()
        peer.sendall(b"z" * 1000 + b"\n")
        bench.turn()
        peer.sendall(text)
        bench.turn(2)
        answers = peer.recv(10_000).splitlines()
        assert answers[0] == b"z" * 1000
        assert json.loads(answers[1])["error"]["code"] == protocol.TOO_LARGE
        bench.turn()
        peer.close()
        bench.turn(2)
    assert bench.server.connections == {}
    assert bench.server.waiting == 0


def test_the_limit_of_all_together(bench: Bench) -> None:
    peers = [bench.connect() for _ in range(7)]
    for peer in peers:
        peer.sendall(b"x" * 999)
        bench.turn()
    answers = []
    for peer in peers:
        peer.settimeout(0)
        try:
            answers.append(json.loads(peer.recv(1000))["error"]["code"])
        except BlockingIOError:
            answers.append(None)
    assert answers[:5] == [None] * 5
    assert protocol.TOO_LARGE in answers[5:]


def test_the_limit_of_clients(bench: Bench) -> None:
    peers = [bench.connect() for _ in range(9)]
    assert json.loads(peers[8].recv(1000))["error"]["code"] == protocol.TOO_MANY_CLIENTS
    peers[0].close()
    bench.turn()
    peer = bench.connect()
    peer.sendall(b"in\n")
    bench.turn()
    assert peer.recv(10) == b"in\n"


def test_a_refused_client_that_goes_on_sending_is_cut_off(bench: Bench) -> None:
    peer = bench.connect()
    peer.sendall(b"x" * 1001)
    bench.turn(2)
    sent = 0
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        while sent < 100 << 20:
            sent += peer.send(b"x" * (1 << 18))
            bench.turn(2)
    assert sent < 100 << 20
    assert bench.server.waiting == 0


def test_one_who_is_refused_and_reads_nothing_is_closed_in_time(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.connect().sendall(b"x" * 1001)
    bench.turn(2)
    (connection,) = bench.server.connections
    assert connection.deadline is not None
    connection.deadline -= 10
    bench.turn()
    assert bench.server.connections == {}


def test_another_user_is_turned_away(tmp_path: Path) -> None:
    bench = Bench(str(tmp_path / "s"), Limits())
    bench.server._allowed = lambda _: False
    peer = bench.connect()
    assert json.loads(peer.recv(1000))["error"]["code"] == protocol.NOT_ALLOWED
    assert bench.server.connections == {}
    bench.close()


def test_what_waits_is_sent_on_the_way_out(tmp_path: Path) -> None:
    bench = Bench(str(tmp_path / "s"), Limits())
    peer = bench.connect()
    (connection,) = bench.server.connections
    for _ in range(3):
        connection.send(b"x" * 1000)
    connection._unsent.append(b"last\n")
    bench.server.close()
    text = b""
    while part := peer.recv(1 << 16):
        text += part
    assert text.endswith(b"last\n")
    peer.close()


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENOMEM, errno.ENOBUFS])
def test_no_client_can_be_taken_for_a_while(bench: Bench, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    class Exhausted:
        def accept(self) -> None:
            raise OSError(number, "exhausted")

    listening = bench.server._listening
    monkeypatch.setattr(bench.server, "_listening", Exhausted())
    peer = bench.connect()
    assert bench.said == ["no client can be accepted {'clients': 0, 'error': 'exhausted'}"]
    monkeypatch.setattr(bench.server, "_listening", listening)
    peer.sendall(b"1\n")
    bench.turn(2)
    assert peer.recv(10) == b"1\n"
