"""One client's connection: its requests, responses and limits.

Nothing waits for a client. A client that does not read is not read from; one that sends too much gets an error and is
closed.
"""

from __future__ import annotations

import contextlib
import select
import selectors
import socket
import sys
import threading
import time
from collections import deque
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.daemon.files.status_file import WORKING
from assetdb.daemon.rpc import protocol
from assetdb.daemon.rpc.lines import LineBuffer
from assetdb.system.cancelling import check_cancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assetdb.system.jobs import Job

_RECEIVED_AT_ONCE: Final = 1 << 18
_SENT_AT_ONCE: Final = 1 << 18  # bytes of one call
_SENT_IN_TURN: Final = 1 << 20  # bytes to one client per turn: half a millisecond
_LINGER: Final = 2.0  # seconds for a refused client to read the reason
_MOST_THROWN_AWAY: Final = 32 << 20
_PROBED: Final = 0.4  # seconds between two messages to a client of which it is not known whether it is there
_WORKING: Final = protocol.notification(WORKING, {})
_LOOK: Final = 0.1  # seconds between checks for a cancelled call of the loop


class Limits(NamedTuple):
    """Limits of connections.

    Attributes:
        message: bytes of one message.
        waiting: bytes that all clients together have sent of messages that are not complete.
        clients: connections at once.
        unread: unread bytes of a client above which it gets no further answers.
        unread_notifications: unread bytes above which a subscriber is dropped.
        answer: bytes of one answer, a batch's together.
        answers: bytes of the answers that all clients together have not read.
        turn: messages of one client answered per turn.
    """

    message: int = 8 << 20
    waiting: int = 64 << 20
    clients: int = 256
    unread: int = 1 << 20
    unread_notifications: int = 8 << 20
    answer: int = 64 << 20
    answers: int = 256 << 20
    turn: int = 16


class Loop:
    """The thread that has all connections; others give it work.

    Attributes:
        limits: of connections.
        log: called with events and their fields.
        selector: of readable and writable connections.
        waiting: bytes that all clients have sent of messages that are not complete.
        connections: those that are open.
    """

    def __init__(self, limits: Limits, log: Callable[..., None], wake: Callable[[], None]) -> None:
        """Begin in this thread; ``wake`` ends its wait, from any other one."""
        self.limits = limits
        self.log = log
        self.selector: selectors.BaseSelector = selectors.DefaultSelector()
        self.waiting = 0
        self.connections: dict[Connection, None] = {}
        self._thread = threading.get_ident()
        self._posted: deque[Callable[[], None]] = deque()
        self._wake = wake

    @property
    def unread(self) -> int:
        """How many bytes of answers all clients together have not read."""
        return sum(connection.unread for connection in self.connections)

    def post(self, work: Callable[[], None]) -> None:
        """Have the loop do something; at once where this is it."""
        if threading.get_ident() == self._thread:
            work()
        else:
            self._posted.append(work)
            self._wake()

    def call(self, work: Callable[[], None]) -> None:
        """Have the loop do something, and wait until it has."""
        done = threading.Event()

        def do() -> None:
            try:
                work()
            finally:
                done.set()

        self.post(do)
        while not done.wait(_LOOK):
            check_cancelled()

    def do_posted(self) -> None:
        """Do the work that other threads have posted, in the loop."""
        while self._posted:
            self._posted.popleft()()


class Connection:
    """One client.

    Attributes:
        job: its current work; further messages wait.
        pending: requests that have no answer yet.
    """

    def __init__(self, server: Loop, peer: socket.socket, *, allowed: bool) -> None:
        self.job: Job | None = None
        self.server = server
        self.peer = peer
        self.allowed = allowed
        self.subscribed = False
        self.wants_findings = False
        self.pending: set[object] = set()
        self.closed = False
        self.deadline: float | None = None
        """When a refused client is closed unconditionally."""
        self._ended = False
        self.next_probe: float | None = None
        """When a client that sends no more is sent something, to learn whether it is gone."""
        self._thrown_away = 0
        self._lines = LineBuffer()
        self._unsent: deque[bytes] = deque()  # pieces; the last of each message ends with the end of its line
        self._begun = 0  # bytes of the first piece that are sent
        self.unread = 0
        """How many bytes have not been sent."""
        self._events = 0
        self.watch()

    # --- from the client

    def receive(self) -> None:
        """Receive data, if nothing waits to be answered."""
        if self.has_message:
            return
        try:
            data = self.peer.recv(_RECEIVED_AT_ONCE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self.close()
            return
        if not data and _has_hung_up(self.peer):
            self.close()
        elif not data:
            self._ended = True
            self.watch()
            self.close_when_done()
            if not self.closed and self.peer.family == socket.AF_INET:
                self.next_probe = time.monotonic() + _PROBED
        elif self.deadline is None:
            self._lines.feed(data)
            self.server.waiting += len(data)
            self._check_limits()
            self.watch()
        else:  # discarded for a while, so that the other side can read the reason
            self._thrown_away += len(data)
            if self._thrown_away > _MOST_THROWN_AWAY:
                self.close()

    def _check_limits(self) -> None:
        limits = self.server.limits
        if self._lines.is_longer(limits.message):
            self.reject(protocol.TOO_LARGE, f"a message has at most {limits.message:,} bytes")
        elif not self._lines.has_line and self.server.waiting > limits.waiting:
            self.reject(protocol.TOO_LARGE, f"all clients have sent {limits.waiting:,} bytes of unfinished messages")

    @property
    def has_message(self) -> bool:
        """Whether a complete message is waiting that may be answered now."""
        if self.closed or self.unread > self.server.limits.unread:
            return False
        return self._lines.has_line

    def messages(self) -> Iterator[bytes]:
        """Yield the messages of one turn."""
        for _ in range(self.server.limits.turn):
            line = self._lines.take() if self.has_message else None
            if line is None:
                return
            self.server.waiting -= len(line) + 1
            if line.strip():
                yield line

    # --- to the client

    def send(self, *pieces: bytes) -> None:
        """Send a message in pieces, kept until the client reads."""
        if self.closed:
            return
        first = not self._unsent
        if len(pieces) == 1 and len(pieces[0]) < _RECEIVED_AT_ONCE:
            self._unsent.append(pieces[0] + b"\n")
        else:
            self._unsent.extend(pieces)
            self._unsent.append(b"\n")
        self.unread += sum(map(len, pieces)) + 1
        if first:
            self.flush()
        else:
            self.watch()

    def probe(self, now: float) -> None:
        """Tell a client that sends no more that it is worked for.

        With TCP a client that went differs from one that has only ended its side in what refuses this. Without it 30
        clients that asked for 20,000 GUIDs each, and went, were all worked for on Windows.
        """
        self.next_probe = now + _PROBED
        if not self._unsent:
            self.send(_WORKING)

    def notify(self, line: bytes) -> None:
        """Send a notification, or drop a subscriber that does not read them."""
        if self.closed or self.deadline is not None:
            return
        limit = self.server.limits.unread_notifications
        if self.unread + len(line) <= limit:
            self.send(line)
            return
        begun = [] if not self._unsent else [self._unsent.popleft()]  # a started line must be completed
        while self._unsent and not begun[-1].endswith(b"\n"):
            begun.append(self._unsent.popleft())
        self._unsent = deque(begun)
        self.unread = sum(map(len, begun)) - self._begun
        reason = {"reason": "slow-subscriber", "message": f"more than {limit:,} bytes were not read"}
        notification = protocol.notification("closed", reason) + b"\n"
        self._unsent.append(notification)
        self.unread += len(notification)
        self.server.log("subscriber dropped", reason="slow-subscriber")
        self.finish()

    def reject(self, code: int, message: str) -> None:
        """Send the reason, and close."""
        self.server.log("client refused", reason=protocol.ERROR_MESSAGES[code])
        self.send(protocol.error_response(None, code, message))
        self.finish()

    def finish(self) -> None:
        """Read no more, and close once everything is sent."""
        self.server.waiting -= len(self._lines)
        self._lines.clear()
        self.subscribed = False
        self.deadline = time.monotonic() + _LINGER
        self.flush()

    def flush(self) -> None:
        """Send as much as the client takes."""
        if self.closed:
            return
        try:
            end = self.unread - _SENT_IN_TURN
            while self._unsent and self.unread > end:
                self._take_sent(self.peer.send(self._next()))
        except (BlockingIOError, InterruptedError):
            pass
        except OSError:
            self.close()
            return
        if self.deadline is not None and not self._unsent:
            with contextlib.suppress(OSError):
                self.peer.shutdown(socket.SHUT_WR)
        self.watch()
        self.close_when_done()

    def _next(self) -> bytes:
        """Return the data to send in one call."""
        first = self._unsent[0][self._begun : self._begun + _SENT_AT_ONCE]
        size = len(first)
        if size == _SENT_AT_ONCE or len(self._unsent) == 1:
            return first
        parts = [first]
        for piece in islice(self._unsent, 1, None):
            if size >= _SENT_AT_ONCE:
                break
            parts.append(piece[: _SENT_AT_ONCE - size])
            size += len(parts[-1])
        return b"".join(parts)

    def _take_sent(self, sent: int) -> None:
        self.unread -= sent
        sent += self._begun
        while self._unsent and sent >= len(self._unsent[0]):
            sent -= len(self._unsent.popleft())
        self._begun = sent

    def close_when_done(self) -> None:
        """Close, if the client sends no more and has all its answers."""
        if self._ended and not self.closed and not (self.job or self._unsent or self.pending or self.has_message):
            self.close()

    def drain(self, until: float) -> None:
        """Send the rest, waiting for the client until a time.

        Raises:
            OSError: it is gone, or does not read.
        """
        while self._unsent:
            self.peer.settimeout(max(0.01, until - time.monotonic()))
            self._take_sent(self.peer.send(self._next()))

    def watch(self) -> None:
        """Wait for the events that this client's state needs.

        A client that does not read its answers is not read from: its requests wait on its side.
        """
        hungry = not self._ended and (self.deadline is not None or self.unread <= self.server.limits.unread)
        hungry = hungry and not (self.job is not None and self.has_message)
        events = (selectors.EVENT_READ if hungry else 0) | (selectors.EVENT_WRITE if self._unsent else 0)
        if self.closed or events == self._events:
            return
        if not self._events:
            self.server.selector.register(self.peer, events, self)
        elif not events:
            self.server.selector.unregister(self.peer)
        else:
            self.server.selector.modify(self.peer, events, self)
        self._events = events

    def close(self) -> None:
        """Close at once."""
        if self.closed:
            return
        self.closed = True
        self.subscribed = False
        self.server.waiting -= len(self._lines)
        self._lines.clear()
        if self._events:
            self.server.selector.unregister(self.peer)
        self.server.connections.pop(self, None)
        self.peer.close()
        if self.job is not None:
            self.job.cancel()


def _has_hung_up(peer: socket.socket) -> bool:
    """Whether the other side has closed completely, if that is known."""
    if sys.platform == "win32":
        return False
    else:  # noqa: RET505 - the type checker reads one branch for each platform
        poll = select.poll()
        poll.register(peer, 0)
        return any(events & select.POLLHUP for _, events in poll.poll(0))
