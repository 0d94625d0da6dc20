"""Forked processes of a bake that share its work, on POSIX."""

from __future__ import annotations

import _socket as socket  # the rest of it takes 2 ms to import: selectors, enumerations
import os
import select
import sys
from itertools import islice

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Final, Protocol, Self

    class Worker(Protocol):
        """One process's part of the work, with its results."""

        stack: list[bytes]

        def step(self) -> None:
            """Do the batch on top of the stack, and push its successors."""

        def start_afresh(self) -> None:
            """Clear stack and results, which the parent keeps."""

        def packed(self) -> Iterator[bytes]:
            """Return results since then in pieces, each released when taken."""


assert sys.platform != "win32", "a process cannot fork here"  # noqa: S101 - also for the type checker

from assetdb_formats.forking import ForkedProcess  # noqa: E402 - after the assertion for the type checker

_STOP: Final = b"\0"
_MESSAGE_LIMIT: Final = 1 << 16


class BackgroundProcess:
    """Buffers from a forked process, one after the other."""

    def __init__(self, child: ForkedProcess, work: Callable[[], Iterator[bytes]]) -> None:
        """Take a child that does ``work``; see :meth:`start`."""
        self._child = child
        self._work = work
        self._pieces = self._made()

    @classmethod
    def start(cls, work: Callable[[], Iterator[bytes]]) -> Self | None:
        """Start making the buffers of ``work``; None without a process."""
        child = ForkedProcess.start(work)
        return cls(child, work) if child is not None else None

    def piece(self) -> bytes:
        """Wait for the next buffer, made here if the process has died."""
        return next(self._pieces)

    def rest(self) -> Sequence[bytes]:
        """Wait, once, for all other buffers and the end of the process."""
        found = list(self._pieces)
        self._child.close()
        return found

    def _made(self) -> Iterator[bytes]:
        """Yield the child's buffers, and make missing ones."""
        taken = 0
        try:
            for piece in self._child.pieces():
                taken += 1
                yield piece
        except EOFError:
            self._child.close()
            yield from islice(self._work(), taken, None)

    def close(self) -> None:
        """End the process, if it has not ended."""
        self._child.close()


def work_together(worker: Worker, helpers: int, merge: Callable[[Iterable[bytes]], bool]) -> bool:
    """Empty the stack together with forked processes.

    If the system is out of processes or descriptors, there are fewer helpers, and work may be left. ``merge`` is given
    the pieces of one helper, which raise EOFError if they end too early, and returns whether they were complete.
    Returns False if a helper was killed: its results (and perhaps others) are missing.
    """
    try:
        queue = _WorkQueue()
    except OSError:
        return True
    children: list[ForkedProcess] = []
    try:
        for _ in range(helpers):
            child = ForkedProcess.start(lambda: _help(worker, queue), queue.descriptors())
            if child is None:
                break
            children.append(child)
        if not children:  # without helpers the queue only wastes descriptors
            return True
        if not queue.work(worker, children):
            return not children
        merged = [merge(child.pieces()) for child in children]  # on any failure
        return all(merged)
    finally:
        for child in children:
            child.close()
        queue.close()


def _help(worker: Worker, queue: _WorkQueue) -> Iterator[bytes]:
    """Work in a helper until nothing is left; return results."""
    worker.start_afresh()
    queue.work(worker, None)
    return worker.packed()


class _WorkQueue:
    """A work queue shared by processes.

    Each message in ``_offer`` is a batch. ``_open`` has one byte for each unfinished batch, and one for the leader's
    own
    stack: the process that takes the last byte sends the message to stop.
    """

    def __init__(self) -> None:
        kind = socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_DGRAM
        self._offer, self._take = socket.socketpair(socket.AF_UNIX, kind)
        self._open_read, self._open_write = os.pipe()
        os.set_blocking(self._open_read, False)
        self._others = select.poll()
        self._others.register(self._open_read, select.POLLIN)
        os.write(self._open_write, b"+")

    def descriptors(self) -> tuple[int, ...]:
        """Return the descriptors that a helper needs."""
        return self._offer.fileno(), self._take.fileno(), self._open_read, self._open_write

    def work(self, worker: Worker, children: Sequence[ForkedProcess] | None) -> bool:
        """Work until every stack is empty; return False if a process died.

        ``children`` are the leader's helpers; only the leader notices their death. A helper has none, and ends with its
        leader.
        """
        poller = select.poll()  # not select(): the descriptors of a daemon with many clients are too high for it
        poller.register(self._take, select.POLLIN)
        by_descriptor = {child.fileno(): child for child in children or ()}
        for descriptor in by_descriptor:
            poller.register(descriptor, select.POLLIN)
        has_batch = children is not None
        while True:
            while worker.stack:
                while len(worker.stack) > 1 and self._give(worker.stack[0]):
                    del worker.stack[0]
                worker.step()
            if has_batch and self._finish():
                return True
            message = self._wait(poller, by_descriptor)
            if message is None:
                return False
            if message == _STOP:
                self._send(_STOP)
                return True
            worker.stack.append(message)
            has_batch = True

    def _give(self, batch: bytes) -> bool:
        if len(batch) > _MESSAGE_LIMIT:
            return False
        os.write(self._open_write, b"+")
        if self._send(batch):
            return True
        os.read(self._open_read, 1)
        return False

    def _send(self, message: bytes) -> bool:
        try:
            self._offer.send(message, socket.MSG_DONTWAIT)
        except OSError:
            return False
        return True

    def _finish(self) -> bool:
        """End a batch; after the last, stop the others and return True."""
        os.read(self._open_read, 1)
        if self._others.poll(0):
            return False
        self._send(_STOP)
        return True

    def _wait(self, poller: select.poll, children: Mapping[int, ForkedProcess]) -> bytes | None:
        """Return the next message; None if all senders are gone."""
        take = self._take.fileno()
        while True:
            ready = [descriptor for descriptor, _ in poller.poll()]
            if take in ready:
                try:
                    return self._take.recv(_MESSAGE_LIMIT * 2, socket.MSG_DONTWAIT)
                except BlockingIOError:  # another process was faster
                    continue
            for descriptor in ready:
                # A process sends results after it received the message to stop, so that is on its way here as well.
                return _STOP if children[descriptor].has_result() else None

    def close(self) -> None:
        """Close all ends."""
        self._offer.close()
        self._take.close()
        os.close(self._open_read)
        os.close(self._open_write)
