"""The socket by itself: turns, limits, slow readers. No thread and no process: the test turns the loop."""

from __future__ import annotations

import contextlib
import errno
import json
import socket
from typing import TYPE_CHECKING

import pytest

from assetdb.daemon.rpc import protocol
from assetdb.daemon.rpc.connection import Connection, Limits
from assetdb.daemon.rpc.transport import Server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

if not hasattr(socket, "AF_UNIX"):
    pytest.skip("no Unix sockets here", allow_module_level=True)


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
            moment=60,
            seconds=60,
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


def test_a_turn_ends_when_its_time_is_over(tmp_path: Path) -> None:
    bench = Bench(str(tmp_path / "s"), Limits(turn=1000, moment=0.0))
    peer = bench.connect()
    peer.sendall(b"a\nb\nc\n")
    bench.turn()
    assert len(bench.served) == 1
    bench.turn(3)
    assert len(bench.served) == 3
    bench.close()


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
    assert bench.said == ["no client can be taken {'clients': 0, 'error': 'exhausted'}"]
    monkeypatch.setattr(bench.server, "_listening", listening)
    peer.sendall(b"1\n")
    bench.turn(2)
    assert peer.recv(10) == b"1\n"
