"""The transport: accepts clients and has each of their requests answered.

It does not interpret messages: each line goes to a handler, which answers through the connection. The loop handles
quick ones; everything else is a job in a thread (:mod:`assetdb.system.jobs`), one at a time for each client. Only the
loop accesses clients: other threads post to it.
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
from assetdb.daemon.rpc.connection import Connection, Limits, Loop
from assetdb.system.jobs import Job, Scheduler
from assetdb_formats.files import words_of

if TYPE_CHECKING:
    import _socket
    import socket
    from collections.abc import Callable

_RETRY: Final = 0.02  # seconds until accepting again if there is no descriptor even for refusing
_ACCEPTED_AT_ONCE: Final = 64
_STEP: Final = 0.001
_ENDS_WITHIN: Final = 1.0  # seconds for cancelled work to end
_EXHAUSTED: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Server(Loop):
    """Accepts clients and has each line of theirs handled.

    Attributes:
        requests: how many messages there were.
        last_request: when the last one came.
    """

    def __init__(
        self,
        listening: socket.socket,
        handle: Callable[[Connection, bytes], None],
        log: Callable[..., None],
        *,
        allowed: Callable[[socket.socket], bool | None],
        limits: Limits,
        wake: Callable[[], None] = lambda: None,
        is_quick: Callable[[bytes], bool] = lambda _: True,
    ) -> None:
        """Take a socket that listens.

        Args:
            listening: the socket; made non-blocking.
            handle: called with a connection and a line.
            log: is given what happens and its fields.
            allowed: whether a new client may ask: True, False, or None if it must send the token first.
            limits: how much of everything.
            wake: ends the wait of :meth:`turn`; from any thread.
            is_quick: whether the loop handles a line.
        """
        super().__init__(limits, log, wake)
        self.requests = 0
        self.last_request = time.monotonic()
        self._scheduler = Scheduler()
        self._own: set[Job] = set()  # work without a client
        self._listening = listening
        self._handle = handle
        self._is_quick = is_quick
        self._allowed = allowed
        self._rejected = 0
        self._spare = os.open(os.devnull, os.O_RDONLY)  # released briefly to refuse a client with a reason
        listening.settimeout(0)
        self.selector.register(listening, selectors.EVENT_READ, None)

    def listen(self, listening: socket.socket) -> None:
        """Accept clients from another socket; current ones stay connected."""
        listening.settimeout(0)
        self.selector.unregister(self._listening)
        self._listening.close()
        self._listening = listening
        self.selector.register(listening, selectors.EVENT_READ, None)

    def add_waker(self, reading: _socket.socket, woken: Callable[[], None]) -> None:
        """Have ``woken`` called when something can be read from a socket."""
        self.selector.register(reading, selectors.EVENT_READ, woken)

    def turn(self, timeout: float | None) -> None:
        """Wait up to ``timeout`` seconds, and give each client its turn."""
        deadlines = [end for connection in self.connections if (end := connection.deadline) is not None]
        deadlines += [probe for connection in self.connections if (probe := connection.next_probe) is not None]
        if self._posted or any(connection.job is None and connection.has_message for connection in self.connections):
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
                    self._begin(key.data)
            else:
                key.data()
        self.do_posted()
        for connection in list(self.connections):
            self._begin(connection)
        if deadlines:
            now = time.monotonic()
            for connection in list(self.connections):
                if (end := connection.deadline) is not None and end <= now:
                    connection.close()
                elif (probe := connection.next_probe) is not None and probe <= now:
                    connection.probe(now)

    @property
    def busy(self) -> bool:
        """Whether work for a client is in progress."""
        return bool(self._own) or any(connection.job is not None for connection in self.connections)

    # --- work in threads

    def start(self, work: Callable[[], None], *, to_its_end: bool = False) -> None:
        """Run something in a thread, without a client.

        ``to_its_end``: it starts at once, and is not cancelled on close.
        """

        def ended(error: BaseException | None) -> None:
            self._own.discard(job)
            self._log_fault(error)

        try:
            job = self._scheduler.start(work, lambda error: self.post(partial(ended, error)), at_once=to_its_end)
        except RuntimeError:  # no threads are available
            work()
            return
        if not to_its_end:
            self._own.add(job)

    def _begin(self, connection: Connection) -> None:
        """Handle the messages of a turn, up to one for a thread."""
        if connection.job is not None or not connection.has_message:
            return
        for line in connection.messages():
            self.requests += 1
            self.last_request = time.monotonic()
            handle = partial(self._handle, connection, line)
            if self._is_quick(line):
                handle()
                continue
            try:
                connection.job = self._scheduler.start(
                    handle, lambda error: self.post(partial(self._ended, connection, error))
                )
            except RuntimeError:  # no threads are available
                handle()
            else:
                connection.watch()
                break
        connection.close_when_done()

    def _ended(self, connection: Connection, error: BaseException | None) -> None:
        connection.job = None
        if error is not None:
            self._log_fault(error)
            connection.close()  # nothing else answers it
        connection.watch()
        connection.close_when_done()

    def _log_fault(self, error: BaseException | None) -> None:
        if error is not None:
            self.log("fault", error=f"{type(error).__name__}: {error}")

    def end_work(self) -> None:
        """Cancel all work; its clients get an error."""
        until = time.monotonic() + _ENDS_WITHIN
        self._scheduler.close()
        for job in [*self._own, *(connection.job for connection in self.connections)]:
            if job is not None:
                job.cancel()
        while self.busy and time.monotonic() < until:
            self.do_posted()
            time.sleep(_STEP)
        self.do_posted()

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
                if self._rejected & (self._rejected - 1) == 0:  # of 10,000 in a row, 14 are logged
                    self.log("client refused", reason="too many clients", times=self._rejected)
            else:
                self.connections[Connection(self, peer, allowed=bool(allowed))] = None

    def _reject_with_spare(self, error: OSError) -> bool:
        """Reject a client without descriptors; return whether more may follow."""
        self._rejected += 1
        if self._rejected & (self._rejected - 1) == 0:
            self.log("no client can be accepted", clients=len(self.connections), error=words_of(error))
        if self._spare >= 0:
            os.close(self._spare)
            self._spare = -1
        try:
            peer, _ = self._listening.accept()
        except OSError:
            time.sleep(_RETRY)
            return False
        _reject(peer, protocol.TOO_MANY_CLIENTS, words_of(error))
        with contextlib.suppress(OSError):
            self._spare = os.open(os.devnull, os.O_RDONLY)
        return self._spare >= 0

    @property
    def subscribers(self) -> list[Connection]:
        """The clients that subscribe to changes."""
        return [connection for connection in self.connections if connection.subscribed]

    def close(self, grace: float = 0.3) -> None:
        """Let clients read pending answers, then close everything."""
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
