"""The transport: connections, framing, limits, and who is served next. Nothing waits; nobody's slowness is another's.

What a message means is none of its business: each line goes to a handler, which answers through the connection. It is
handled in slices (``assetdb.daemon.rpc.jobs``): whatever is new has a moment at once, and after that one piece of what
takes longer goes on. So a short question beside any number of long ones waits for one slice of one of them.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import selectors
import socket
import sys
import time
from collections import deque
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.daemon.rpc import protocol
from assetdb.daemon.rpc.jobs import Job, JobThreads, run_inline

if TYPE_CHECKING:
    import _socket
    from collections.abc import Callable, Iterator

_RECEIVED_AT_ONCE: Final = 1 << 18
_SENT_AT_ONCE: Final = 1 << 18  # bytes of one call
_SENT_IN_TURN: Final = 1 << 20  # bytes to one client before another has its turn: half a millisecond
_LINGER: Final = 2.0  # seconds that a refused client has to read why
_MOST_THROWN_AWAY: Final = 32 << 20
_ACCEPTED_AT_ONCE: Final = 64
_LONG: Final = 0.1  # seconds
_LEAST_SLICE: Final = 0.001  # seconds
_MOST_LONG: Final = 8  # pieces of long work that go on at once: each may hold what it has found so far
_EXHAUSTED: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Limits(NamedTuple):
    """How much of everything.

    Attributes:
        message: bytes of one message.
        waiting: bytes that all clients together have sent of messages that are not complete.
        clients: connections at once.
        unread: bytes that a client has not read, above which nothing more of it is answered.
        unread_notifications: likewise, above which a subscriber is dropped.
        answer: bytes of one answer, a batch's together.
        answers: bytes of the answers that all clients together have not read.
        turn: messages of one client that are answered before another has its turn.
        moment: seconds of work that each client has at once, without a thread of its own.
        seconds: of work after which another client has its turn.
    """

    message: int = 8 << 20
    waiting: int = 64 << 20
    clients: int = 256
    unread: int = 1 << 20
    unread_notifications: int = 8 << 20
    answer: int = 64 << 20
    answers: int = 256 << 20
    turn: int = 16
    moment: float = 0.0005
    seconds: float = 0.01


class Served:
    """Somebody for whom something is done: a client, or the daemon itself."""

    def __init__(self) -> None:
        self.job: Job | None = None
        self.served = 0
        """The turn in which something was done last."""

    def work(self, seconds: float) -> None:
        """Go on for so many seconds at most."""
        job = self.job
        assert job is not None  # noqa: S101 - the caller has seen that
        try:
            job.step(seconds)
        finally:
            if job.done:
                self.job = None


class Connection(Served):
    """One client."""

    def __init__(self, server: Server, peer: socket.socket, *, allowed: bool) -> None:
        super().__init__()
        self.server = server
        self.peer = peer
        self.allowed = allowed
        self.subscribed = False
        self.wants_findings = False
        self.pending = 0
        """Requests that are answered later."""
        self.closed = False
        self.deadline: float | None = None
        """When a client that was refused is closed without further ado."""
        self.corked = False
        """Whether the answers of a turn are gathered, to be sent at once."""
        self._ended = False
        self._thrown_away = 0
        self._received = bytearray()
        self._searched = 0
        self._unsent: deque[bytes] = deque()  # pieces; the last of each message ends with the end of its line
        self._begun = 0  # bytes of the first piece that are sent
        self.unread = 0
        """How many bytes have not been sent."""
        self._events = 0
        self._watch()

    # --- from the client

    def receive(self) -> None:
        """Take what has arrived, if nothing waits to be answered."""
        if self.has_message:
            return
        try:
            data = self.peer.recv(_RECEIVED_AT_ONCE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self.close()
            return
        if not data and has_hung_up(self.peer):
            self.close()
        elif not data:
            self._ended = True
            self._watch()
            self.close_when_done()
        elif self.deadline is None:
            self._received += data
            self.server.waiting += len(data)
            self._check_limits()
            self._watch()
        else:  # thrown away, so that the other side gets to read why; not for ever
            self._thrown_away += len(data)
            if self._thrown_away > _MOST_THROWN_AWAY:
                self.close()

    def _check_limits(self) -> None:
        limits = self.server.limits
        if self._received.find(b"\n", self._searched) >= 0:
            if self._received.find(b"\n", self._searched, limits.message + 1) < 0:
                self.reject(protocol.TOO_LARGE, f"a message has at most {limits.message:,} bytes")
        elif len(self._received) > limits.message:
            self.reject(protocol.TOO_LARGE, f"a message has at most {limits.message:,} bytes")
        elif self.server.waiting > limits.waiting:
            self.reject(protocol.TOO_LARGE, f"all clients have sent {limits.waiting:,} bytes that are no message yet")

    @property
    def has_message(self) -> bool:
        """Whether a whole message is here that may be answered now."""
        if self.closed or self.unread > self.server.limits.unread:
            return False
        found = self._received.find(b"\n", self._searched) >= 0
        if not found:
            self._searched = len(self._received)
        return found

    def messages(self) -> Iterator[bytes]:
        """Yield the messages of one turn."""
        for _ in range(self.server.limits.turn):
            if not self.has_message:
                return
            end = self._received.index(b"\n", self._searched)
            with memoryview(self._received) as view:
                line = bytes(view[:end])
            del self._received[: end + 1]
            self.server.waiting -= end + 1
            self._searched = 0
            if line.strip():
                yield line

    # --- to the client

    def send(self, *pieces: bytes) -> None:
        """Send a message, which the pieces make up; what the client does not read now waits."""
        if self.closed:
            return
        first = not self._unsent
        if len(pieces) == 1 and len(pieces[0]) < _RECEIVED_AT_ONCE:
            self._unsent.append(pieces[0] + b"\n")
        else:
            self._unsent.extend(pieces)
            self._unsent.append(b"\n")
        self.unread += sum(map(len, pieces)) + 1
        if first and not self.corked:
            self.flush()
        else:
            self._watch()

    def notify(self, line: bytes) -> None:
        """Send a notification, or drop a subscriber that does not read them."""
        if self.closed or self.deadline is not None:
            return
        limit = self.server.limits.unread_notifications
        if self.unread + len(line) <= limit:
            self.send(line)
            return
        begun = [] if not self._unsent else [self._unsent.popleft()]  # what has begun must end where a line ends
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

    def reject(self, code: int, message: str = "") -> None:
        """Say why, and close."""
        self.server.log("client refused", reason=protocol.ERROR_MESSAGES[code])
        self.send(protocol.error_response(None, code, message))
        self.finish()

    def finish(self) -> None:
        """Take nothing more from this client, and close when it has read what was sent."""
        self.server.waiting -= len(self._received)
        self._received.clear()
        self._searched = 0
        self.subscribed = False
        self.deadline = time.monotonic() + _LINGER
        self.flush()

    def flush(self) -> None:
        """Send what the client takes."""
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
        self._watch()
        self.close_when_done()

    def _next(self) -> bytes:
        """Return what is to be sent in one call."""
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
        """Send what has not been sent, waiting for the client until then.

        Raises:
            OSError: it has gone, or does not read.
        """
        while self._unsent:
            self.peer.settimeout(max(0.01, until - time.monotonic()))
            self._take_sent(self.peer.send(self._next()))

    def _watch(self) -> None:
        """Wait for what can be done with this client.

        One that does not read its answers is not read either: its requests wait on its side.
        """
        if self.corked:
            return
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
        self.server.waiting -= len(self._received)
        self._received.clear()
        if self._events:
            self.server.selector.unregister(self.peer)
        self.server.connections.pop(self, None)
        self.peer.close()
        if self.job is not None and not self.job.done:
            self.server.abandon(self)


class Server:
    """Accepts clients and has each line of theirs handled."""

    def __init__(
        self,
        listening: socket.socket,
        handle: Callable[[Connection, bytes], None],
        log: Callable[..., None],
        *,
        allowed: Callable[[socket.socket], bool | None],
        limits: Limits | None = None,
        wake: Callable[[], None] = lambda: None,
        is_short: Callable[[bytes], bool] = lambda _: True,
    ) -> None:
        """Take a socket that listens.

        Args:
            listening: it; non-blocking from here on.
            handle: is given a connection and a line.
            log: is given what happens and its fields.
            allowed: says of a new client whether it may ask: True, False, or None where it has to say the token first.
            limits: how much of everything.
            wake: ends the waiting of :meth:`turn`; from any thread.
            is_short: says of a line whether it is most likely handled in a moment.
        """
        self.limits = limits or Limits()
        self.log = log
        self.selector = selectors.DefaultSelector()
        self.connections: dict[Connection, None] = {}
        self.waiting = 0
        self.last_request = time.monotonic()
        self.threads = JobThreads(wake)
        self._orphans: dict[Served, None] = {}  # the daemon's own, and those who have gone in the middle of something
        self._listening = listening
        self._handle = handle
        self._is_short = is_short
        self._allowed = allowed
        self._rejected = 0
        self._spare = os.open(os.devnull, os.O_RDONLY)  # given up for a moment to tell a client why there is no place
        self._turn = 0
        listening.settimeout(0)
        self.selector.register(listening, selectors.EVENT_READ, None)

    def listen(self, listening: socket.socket) -> None:
        """Take clients from another socket from here on; those that there are stay."""
        listening.settimeout(0)
        self.selector.unregister(self._listening)
        self._listening.close()
        self._listening = listening
        self.selector.register(listening, selectors.EVENT_READ, None)

    def add_waker(self, reading: _socket.socket, woken: Callable[[], None]) -> None:
        """Have ``woken`` called when something can be read from a socket."""
        self.selector.register(reading, selectors.EVENT_READ, woken)

    def turn(self, timeout: float | None) -> None:
        """Wait for something to happen, no longer than ``timeout`` seconds, and give each client its turn."""
        fresh = [connection for connection in self.connections if connection.job is None and connection.has_message]
        waiting = fresh or self._parked()
        deadlines = [end for connection in self.connections if (end := connection.deadline) is not None]
        if waiting:
            timeout = 0.0
        elif deadlines:
            left = max(0.0, min(deadlines) - time.monotonic())
            timeout = left if timeout is None else min(left, timeout)
        for key, events in self.selector.select(timeout):
            if key.data is None:
                self._accept()
            elif isinstance(key.data, Connection):
                if events & selectors.EVENT_WRITE:
                    key.data.flush()
                if events & selectors.EVENT_READ and not key.data.closed:
                    key.data.receive()
            else:
                key.data()
        self._answer()
        if deadlines:
            now = time.monotonic()
            for connection in list(self.connections):
                if (end := connection.deadline) is not None and end <= now:
                    connection.close()

    @property
    def busy(self) -> bool:
        """Whether something is being done for somebody."""
        return bool(self._orphans) or any(connection.job is not None for connection in self.connections)

    @property
    def unread(self) -> int:
        """How many bytes of answers all clients together have not read."""
        return sum(connection.unread for connection in self.connections)

    def start(self, work: Callable[[], None]) -> None:
        """Have something done in slices, for nobody in particular."""
        served = Served()
        served.job = Job(self.threads, work)
        self._orphans[served] = None

    def abandon(self, served: Served) -> None:
        """End what is done for somebody who has gone, as soon as it pauses."""
        if served.job is not None:
            served.job.cancel()
            self._orphans[served] = None

    def _parked(self) -> list[Served]:
        """Return those for whom something has begun that may go on now."""
        parked = [
            served for served in (*self.connections, *self._orphans) if served.job and not served.job.is_concurrent
        ]
        if len(parked) <= _MOST_LONG:
            return parked
        long = [served for served in parked if served.job and served.job.seconds > _LONG]
        later = set(sorted(long, key=lambda served: served.job.number if served.job else 0)[_MOST_LONG:])
        return [served for served in parked if served not in later]

    def _answer(self) -> None:
        """Give each client who has something new a moment, then go on with what takes longer.

        In turns with those that have taken least so far, for as long again as each has had, and with the one that has
        waited longest: neither many short pieces nor a few long ones keep the others from their end.
        """
        self._turn += 1
        fresh = [connection for connection in self.connections if connection.job is None and connection.has_message]
        most = 2 * self.limits.seconds
        end = time.monotonic() + most
        for connection in fresh:
            if connection.has_message:
                self._begin(connection, min(self.limits.moment, most / len(fresh)))
                if time.monotonic() > end:
                    break  # who is left is first in the next turn
        if self._turn % 2 == 0:
            if parked := self._parked():
                self._serve(min(parked, key=lambda served: served.served), self.limits.seconds)
            return
        end = time.monotonic() + self.limits.seconds
        while (parked := self._parked()) and (left := end - time.monotonic()) > 0:
            served = min(parked, key=lambda served: served.job.seconds if served.job else 0.0)
            had = served.job.seconds if served.job else 0.0
            self._serve(served, min(left, max(_LEAST_SLICE, had)))

    def _begin(self, connection: Connection, seconds: float) -> None:
        """Answer what is done in a moment, as many messages as in so many seconds; make the rest a job."""
        end = time.monotonic() + seconds
        connection.corked = True
        for line in connection.messages():
            self.last_request = time.monotonic()
            if not self._is_short(line) or not run_inline(partial(self._handle, connection, line), self.limits.moment):
                connection.job = Job(self.threads, partial(self._handle_messages, connection, line))
                break
            if time.monotonic() > end:
                break
        connection.corked = False
        connection.flush()
        connection.close_when_done()
        self._move_behind(connection)

    def _serve(self, served: Served, seconds: float) -> None:
        served.served = self._turn
        if not isinstance(served, Connection):
            served.work(seconds)
        else:
            served.corked = True
            served.work(seconds)
            served.corked = False
            served.flush()
            served.close_when_done()
        if served.job is None:
            self._orphans.pop(served, None)
            if isinstance(served, Connection):
                self._move_behind(served)

    def _move_behind(self, connection: Connection) -> None:
        """Have a client be the last in the next turn."""
        if connection in self.connections:
            del self.connections[connection]
            self.connections[connection] = None

    def _handle_messages(self, connection: Connection, first: bytes) -> None:
        job = connection.job
        self._handle(connection, first)
        if job is None or job.is_over():
            return
        for line in connection.messages():
            self.last_request = time.monotonic()
            self._handle(connection, line)
            if job.is_over():
                break

    def end_work(self) -> None:
        """End all that is being done; those who wait for it are told by whoever handles their messages."""
        for served in [*self.connections, *self._orphans]:
            job = served.job
            if job is None or job.done:
                continue
            if job.is_concurrent:
                job.abandon()
            else:
                job.cancel()
                served.work(0.0)
        self._orphans.clear()
        self.threads.close()

    def _accept(self) -> None:
        for _ in range(_ACCEPTED_AT_ONCE):
            try:
                peer, _ = self._listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno in _EXHAUSTED:
                    if not self._reject_with_spare(error):
                        return
                    continue
                raise
            peer.settimeout(0)
            allowed = self._allowed(peer)
            if allowed is False:
                _reject(peer, protocol.NOT_ALLOWED, "this daemon answers its own user only")
                self.log("client refused", reason="another user")
            elif len(self.connections) >= self.limits.clients:
                _reject(peer, protocol.TOO_MANY_CLIENTS, f"at most {self.limits.clients}")
                self._rejected += 1
                if self._rejected & (self._rejected - 1) == 0:  # of 10,000 in a row, 14 are told
                    self.log("client refused", reason="too many clients", times=self._rejected)
            else:
                self.connections[Connection(self, peer, allowed=bool(allowed))] = None

    def _reject_with_spare(self, error: OSError) -> bool:
        """Tell a client for whom no descriptor is left; return whether there may be more of them."""
        self._rejected += 1
        if self._rejected & (self._rejected - 1) == 0:
            self.log("no client can be taken", clients=len(self.connections), error=error.strerror)
        if self._spare >= 0:
            os.close(self._spare)
            self._spare = -1
        try:
            peer, _ = self._listening.accept()
        except OSError:
            time.sleep(_LINGER / 100)
            return False
        _reject(peer, protocol.TOO_MANY_CLIENTS, error.strerror or "")
        with contextlib.suppress(OSError):
            self._spare = os.open(os.devnull, os.O_RDONLY)
        return self._spare >= 0

    @property
    def subscribers(self) -> list[Connection]:
        """Who wants to hear what changes."""
        return [connection for connection in self.connections if connection.subscribed]

    def close(self, grace: float = 0.3) -> None:
        """Let clients read the answers that wait for them, then close everything."""
        self.end_work()
        self.selector.unregister(self._listening)
        self._listening.close()
        until = time.monotonic() + grace
        for connection in list(self.connections):
            with contextlib.suppress(OSError):
                connection.drain(until)
            connection.close()
        self.selector.close()
        if self._spare >= 0:
            os.close(self._spare)
            self._spare = -1


def has_hung_up(peer: socket.socket) -> bool:
    """Whether the other side has closed, where the system tells that from one that only sends no more."""
    if sys.platform == "win32":
        return False
    else:  # noqa: RET505 - the type checker reads one branch for each platform
        poll = select.poll()
        poll.register(peer, 0)
        return any(events & select.POLLHUP for _, events in poll.poll(0))


def _reject(peer: socket.socket, code: int, message: str) -> None:
    with contextlib.suppress(OSError):
        peer.send(protocol.error_response(None, code, message) + b"\n")
    peer.close()
