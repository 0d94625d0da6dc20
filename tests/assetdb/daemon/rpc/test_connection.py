"""One client's connection: its limits, each at its last byte and one beyond, and when it ends."""

from __future__ import annotations

import json
import selectors
import socket
import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.daemon.rpc import protocol
from assetdb.daemon.rpc.connection import Connection, Limits, Loop

if TYPE_CHECKING:
    from collections.abc import Iterator


class Client:
    """Both ends of a connection, in one thread."""

    def __init__(self, **limits: int) -> None:
        self.logged: list[object] = []
        self.woken = 0
        self.loop = Loop(Limits(**limits), lambda text, **fields: self.logged.append((text, fields)), self._wake)
        self.peer, theirs = socket.socketpair()
        theirs.settimeout(0)
        self.peer.settimeout(0)
        self.connection = Connection(self.loop, theirs, allowed=True)
        self.loop.connections[self.connection] = None

    def _wake(self) -> None:
        self.woken += 1

    def say(self, data: bytes) -> Client:
        self.peer.sendall(data)
        self.connection.receive()
        return self

    def heard(self) -> bytes:
        found = b""
        while True:
            try:
                data = self.peer.recv(1 << 20)
            except BlockingIOError:
                return found
            if not data:
                return found
            found += data

    @property
    def events(self) -> int:
        """What the loop waits for at this client."""
        return sum(key.events for key in self.loop.selector.get_map().values())

    def close(self) -> None:
        self.connection.close()
        self.peer.close()
        self.loop.selector.close()


@pytest.fixture
def clients() -> Iterator[Any]:
    made: list[Client] = []

    def make(**limits: int) -> Client:
        made.append(Client(**limits))
        return made[-1]

    yield make
    for client in made:
        client.close()


def code_of(data: bytes) -> int:
    found: int = json.loads(data)["error"]["code"]
    return found


def test_messages_are_lines_and_empty_ones_are_none(clients: Any) -> None:  # noqa: ANN401 - a function
    client = clients().say(b'{"a": 1}\n\n  \n{"b"')
    assert client.loop.waiting == 17
    assert list(client.connection.messages()) == [b'{"a": 1}']
    assert client.loop.waiting == 4
    assert list(client.connection.messages()) == []
    assert list(client.say(b": 2}\n").connection.messages()) == [b'{"b": 2}']
    assert client.loop.waiting == 0


def test_in_one_turn_some_messages_are_answered(clients: Any) -> None:  # noqa: ANN401 - a function
    client = clients(turn=2).say(b"1\n2\n3\n")
    assert list(client.connection.messages()) == [b"1", b"2"]
    assert client.connection.has_message
    assert list(client.connection.messages()) == [b"3"]
    assert not client.connection.has_message


@pytest.mark.parametrize(
    ("data", "refused"), [(b"1234", False), (b"1234\n", False), (b"12345", True), (b"12345\n", True)]
)
def test_a_message_that_is_too_long_is_refused(clients: Any, data: bytes, *, refused: bool) -> None:  # noqa: ANN401 - a function
    client = clients(message=4).say(data)
    assert (client.connection.deadline is not None) is refused
    heard = client.heard()
    assert (code_of(heard) if refused else heard) == (protocol.TOO_LARGE if refused else b"")
    assert len(client.logged) == refused
    assert client.loop.waiting == (0 if refused else len(data))


@pytest.mark.parametrize(("data", "refused"), [(b"123456", False), (b"1234567", True), (b"1234567\n", False)])
def test_unfinished_messages_of_all_clients_are_bounded(clients: Any, data: bytes, *, refused: bool) -> None:  # noqa: ANN401 - a function
    client = clients(waiting=10)
    client.loop.waiting = 4  # of others
    client.say(data)
    assert (client.connection.deadline is not None) is refused
    assert client.loop.waiting == (4 if refused else 4 + len(data))


def test_a_refused_client_is_read_no_more_and_closed_when_it_ends(clients: Any) -> None:  # noqa: ANN401 - a function
    client = clients(message=4).say(b"12345")
    client.say(b"more\n")
    assert list(client.connection.messages()) == []
    assert client.heard().count(b"\n") == 1
    client.peer.shutdown(socket.SHUT_WR)
    client.connection.receive()
    assert client.connection.closed
    assert client.connection not in client.loop.connections


def test_an_answer_in_pieces_is_one_line(clients: Any) -> None:  # noqa: ANN401 - a function
    client = clients()
    client.connection.send(b"a")
    client.connection.send(b"b", b"c" * 300_000, b"d")
    while client.connection.unread:
        client.connection.flush()
        if client.connection.unread:
            break
    heard = client.heard()
    for _ in range(100):
        client.connection.flush()
        heard += client.heard()
    assert heard == b"a\nb" + b"c" * 300_000 + b"d\n"
    assert client.connection.unread == 0


@pytest.mark.parametrize(("unread", "is_read"), [(100, True), (99, False)])
def test_who_does_not_read_gets_no_further_answers(clients: Any, unread: int, *, is_read: bool) -> None:  # noqa: ANN401 - a function
    client = clients(unread=unread)
    client.connection.receive()
    client.say(b"question\n")
    client.connection._unsent.append(b"x" * 99 + b"\n")  # as if the system took none of it
    client.connection.unread = 100
    assert client.connection.has_message is is_read
    client.connection.watch()
    assert bool(client.events & selectors.EVENT_READ) is is_read
    assert client.events & selectors.EVENT_WRITE
    client.connection.flush()
    assert client.connection.has_message
    assert client.events == selectors.EVENT_READ


@pytest.mark.parametrize(("size", "dropped"), [(50, False), (51, True)])
def test_a_subscriber_that_does_not_read_is_dropped_behind_the_line_that_has_begun(
    clients: Any,  # noqa: ANN401 - a function
    size: int,
    *,
    dropped: bool,
) -> None:
    client = clients(unread_notifications=100)
    client.connection.subscribed = True
    client.connection._unsent.extend((b"begun ", b"line\n", b"x" * 38 + b"\n"))
    client.connection.unread = 50
    client.connection.notify(b"n" * size)
    client.connection.flush()
    first, second, *rest = client.heard().splitlines()
    assert first == b"begun line"
    if dropped:
        assert json.loads(second)["params"]["reason"] == "slow-subscriber"
        assert rest == []
        client.connection.notify(b"more")
        assert client.heard() == b""
    else:
        assert (second, rest) == (b"x" * 38, [b"n" * size])
    assert client.connection.subscribed is not dropped
    assert len(client.logged) == dropped


@pytest.mark.parametrize("work", ["job", "pending", "nothing"])
def test_a_client_that_sends_no_more_is_closed_once_it_has_its_answers(clients: Any, work: str) -> None:  # noqa: ANN401 - a function
    cancelled: list[bool] = []
    client = clients()
    connection = client.connection
    connection.job = SimpleNamespace(cancel=lambda: cancelled.append(True)) if work == "job" else None
    connection.pending = {1} if work == "pending" else set()
    client.peer.shutdown(socket.SHUT_WR)
    connection.receive()
    assert connection.closed is (work == "nothing")
    connection.job = None
    connection.pending = set()
    connection.send(b"answer")
    assert connection.closed
    assert client.heard() == (b"" if work == "nothing" else b"answer\n")
    assert cancelled == []


def test_a_client_that_is_gone_is_closed_and_its_work_cancelled(clients: Any) -> None:  # noqa: ANN401 - a function
    cancelled: list[bool] = []
    client = clients().say(b"unfinished")
    client.connection.job = SimpleNamespace(cancel=lambda: cancelled.append(True))
    client.peer.close()
    client.connection.close()
    client.connection.close()
    assert (client.connection.closed, cancelled, client.loop.waiting) == (True, [True], 0)
    assert client.events == 0
    client.connection.send(b"nobody")
    client.connection.notify(b"nobody")
    assert client.connection.unread == 0


def test_a_probe_is_sent_where_nothing_else_is(clients: Any) -> None:  # noqa: ANN401 - a function
    client = clients()
    client.connection.probe(100.0)
    assert client.connection.next_probe == pytest.approx(100.4)
    assert json.loads(client.heard())["method"]
    client.connection._unsent.append(b"answer\n")
    client.connection.unread = 7
    client.connection.probe(101.0)
    client.connection.flush()
    assert client.heard() == b"answer\n"


def test_work_of_other_threads_waits_for_the_loop(clients: Any) -> None:  # noqa: ANN401 - a function
    client, done = clients(), []
    client.loop.post(lambda: done.append("own"))
    assert (done, client.woken) == (["own"], 0)
    thread = threading.Thread(target=client.loop.post, args=(lambda: done.append("other"),))
    thread.start()
    thread.join()
    assert (done, client.woken) == (["own"], 1)
    client.loop.do_posted()
    client.loop.do_posted()
    assert done == ["own", "other"]
