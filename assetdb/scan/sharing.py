"""Processes that share the work of a scan while it is being found. POSIX only: it forks."""

from __future__ import annotations

import _socket as socket  # the rest of it takes 2 ms to import: selectors, enumerations
import gc
import os
import select
import sys

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final, Protocol

    class Worker(Protocol):
        """One process's part of the work: a stack of batches, and what it has done."""

        stack: list[bytes]

        def step(self) -> None:
            """Do the batch on top of the stack, and put what it leads to on the stack."""

        def start_afresh(self) -> None:
            """Forget the stack and what was done: the parent has it."""

        def packed(self) -> bytes:
            """Return what was done since, for the parent."""


assert sys.platform != "win32", "a process cannot fork here"  # noqa: S101 - also tells the type checker

_STOP: Final = b"\0"
_MESSAGE_LIMIT: Final = 1 << 16


def work_together(worker: Worker, helpers: int) -> list[bytes | None]:
    """Work through the stack together with ``helpers`` forked processes.

    Returns what each helper did; None for one that was killed, whose part (and perhaps more) is then missing.
    """
    board = _Board()
    results: list[tuple[int, int]] = []  # process, pipe
    for _ in range(helpers):
        reading, writing = os.pipe()
        process = os.fork()
        if process == 0:
            _work_and_exit(worker, board, writing)
        os.close(writing)
        results.append((process, reading))
    board.lead()
    intact = board.work(worker)
    if not intact:
        board.dismiss()
    done: list[bytes | None] = []
    for process, reading in results:
        with open(reading, "rb") as pipe:
            packed = pipe.read()
        os.waitpid(process, 0)
        done.append(packed if packed and intact else None)
    board.close()
    return done


def _work_and_exit(worker: Worker, board: _Board, writing: int) -> None:
    """Be a helper: work until there is nothing left, send what was done, and end without a trace."""
    gc.disable()  # nothing here goes in circles, and the process ends soon: 2 % of its time
    try:
        worker.start_afresh()
        if board.work(worker):
            with open(writing, "wb") as pipe:
                pipe.write(worker.packed())
    finally:
        os._exit(0)  # no handlers, no buffers: they are the parent's


class _Board:
    """Where processes offer work and find it.

    ``_offers`` holds batches, each message one. ``_open`` holds one byte for each batch that was offered
    and is not done, and one for the leader's own stack: whoever takes the last byte tells all to stop.
    """

    def __init__(self) -> None:
        kind = socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_DGRAM
        self._offer, self._take = socket.socketpair(socket.AF_UNIX, kind)
        self._open_read, self._open_write = os.pipe()
        os.set_blocking(self._open_read, False)
        self._alive_read, self._alive_write = os.pipe()
        self._leader = os.getpid()
        os.write(self._open_write, b"+")

    def lead(self) -> None:
        """Keep the end of the pipe whose closing tells the helpers that the leader is gone."""
        os.close(self._alive_read)

    def dismiss(self) -> None:
        """Let the helpers end without a result."""
        os.close(self._alive_write)
        self._alive_write = -1

    def work(self, worker: Worker) -> bool:
        """Work until everybody's stack is empty; False if that will never be because somebody died."""
        leading = os.getpid() == self._leader
        if not leading:
            os.close(self._alive_write)
        holding = leading
        while True:
            while worker.stack:
                while len(worker.stack) > 1 and self._give(worker.stack[0]):
                    del worker.stack[0]
                worker.step()
            if holding and self._finish():
                return True
            message = self._wait(leading)
            if message is None:
                return False
            if message == _STOP:
                self._send(_STOP)
                return True
            worker.stack.append(message)
            holding = True

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
        except (BlockingIOError, OSError):
            return False
        return True

    def _finish(self) -> bool:
        """Take the byte of a batch that is done; if it was the last, pass the word and return True."""
        os.read(self._open_read, 1)
        if select.select([self._open_read], [], [], 0)[0]:
            return False
        self._send(_STOP)
        return True

    def _wait(self, leading: bool) -> bytes | None:  # noqa: FBT001 - who asks
        """Return the next message; None if whoever could send it is gone."""
        while True:
            take = self._take.fileno()
            watched = [take] if leading else [take, self._alive_read]
            ready = select.select(watched, [], [], 1.0 if leading else None)[0]
            if take in ready:
                try:
                    return self._take.recv(_MESSAGE_LIMIT * 2, socket.MSG_DONTWAIT)
                except BlockingIOError:  # another was faster
                    continue
            elif ready or (leading and _a_child_ended()):
                return None

    def close(self) -> None:
        """Close all ends."""
        self._offer.close()
        self._take.close()
        for descriptor in (self._open_read, self._open_write, self._alive_write):
            if descriptor >= 0:
                os.close(descriptor)


def _a_child_ended() -> bool:
    return hasattr(os, "waitid") and os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
