"""The transport: accepts clients and shares time between them fairly.

What a message means is none of its business: each line goes to a handler, which answers through the connection. It is
handled in slices (``assetdb.daemon.rpc.jobs``): whatever is new has a moment at once, and after that one piece of what
takes longer goes on. So a short question beside any number of long ones waits for one slice of one of them.
"""

from __future__ import annotations

import contextlib
import errno
import os
import selectors
import time
from functools import partial
from typing import TYPE_CHECKING, Final

from assetdb.daemon.rpc import protocol
from assetdb.daemon.rpc.connection import Connection, Limits, Served
from assetdb.daemon.rpc.jobs import Job, JobThreads, run_inline

if TYPE_CHECKING:
    import _socket
    import socket
    from collections.abc import Callable

_RETRY: Final = 0.02  # seconds until a client is taken again where there is not even a descriptor to turn it away with
_ACCEPTED_AT_ONCE: Final = 64
_LONG: Final = 0.1  # seconds
_LEAST_SLICE: Final = 0.001  # seconds
_MOST_LONG: Final = 8  # pieces of long work that go on at once: each may hold what it has found so far
_EXHAUSTED: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


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
        self.selector: selectors.BaseSelector = selectors.DefaultSelector()
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
        """Accept clients from another socket; present ones stay."""
        listening.settimeout(0)
        self.selector.unregister(self._listening)
        self._listening.close()
        self._listening = listening
        self.selector.register(listening, selectors.EVENT_READ, None)

    def add_waker(self, reading: _socket.socket, woken: Callable[[], None]) -> None:
        """Have ``woken`` called when something can be read from a socket."""
        self.selector.register(reading, selectors.EVENT_READ, woken)

    def turn(self, timeout: float | None) -> None:
        """Wait for events, and give each client its turn.

        No longer than ``timeout`` seconds.
        """
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
        """End the work for a client that has gone.

        As soon as it pauses.
        """
        if served.job is not None:
            served.job.cancel()
            self._orphans[served] = None

    def _parked(self) -> list[Served]:
        """Return recipients of parked work that may go on."""
        parked = [served for served in (*self.connections, *self._orphans) if served.job and served.job.can_go_on]
        if len(parked) <= _MOST_LONG:
            return parked
        long = [served for served in parked if served.job and served.job.seconds > _LONG]
        later = set(sorted(long, key=lambda served: served.job.number if served.job else 0)[_MOST_LONG:])
        return [served for served in parked if served not in later]

    def _answer(self) -> None:
        """Give each client a moment, then continue longer work.

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
        """Answer short requests; make the rest a job.

        As many messages as in so many seconds.
        """
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
        """End all work.

        The handlers of messages tell those who wait for it.
        """
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
        """Reject a client for want of descriptors.

        Returns whether there may be more of them.
        """
        self._rejected += 1
        if self._rejected & (self._rejected - 1) == 0:
            self.log("no client can be taken", clients=len(self.connections), error=error.strerror)
        if self._spare >= 0:
            os.close(self._spare)
            self._spare = -1
        try:
            peer, _ = self._listening.accept()
        except OSError:
            time.sleep(_RETRY)
            return False
        _reject(peer, protocol.TOO_MANY_CLIENTS, error.strerror or "")
        with contextlib.suppress(OSError):
            self._spare = os.open(os.devnull, os.O_RDONLY)
        return self._spare >= 0

    @property
    def subscribers(self) -> list[Connection]:
        """The clients that want to hear of changes."""
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


def _reject(peer: socket.socket, code: int, message: str) -> None:
    with contextlib.suppress(OSError):
        peer.send(protocol.error_response(None, code, message) + b"\n")
    peer.close()
