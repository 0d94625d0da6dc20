"""Forked processes that share this one's work.

Children close the parent's descriptors, and end with the parent. POSIX only.

All code that forks to compute uses :class:`ForkedProcess`: the scan of a project, the graph of a bake, coverage, the
scan of a folder of packages. A forked child has a copy of every descriptor of its parent: the read end of its own pipe
(so that it would wait for ever to write after the parent has closed it), the lock (which would be held for as long as
the child lives), sockets. So a child first closes all descriptors but its own.
"""

from __future__ import annotations

import gc
import marshal  # between a process and its own children only: what they send is our own
import os
import sys

TYPE_CHECKING = False

if TYPE_CHECKING:
    import signal
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Final, Self, TypeVar

    _Made = TypeVar("_Made")
else:
    import _signal as signal  # the rest of it takes 2 ms to import: enumerations

assert sys.platform != "win32", "a process cannot fork here"  # noqa: S101 - also tells the type checker

_SIZE_BYTES: Final = 8
_END: Final = b"\xff" * _SIZE_BYTES  # instead of the size of another piece
_LOOK_EVERY: Final = 0.5  # seconds
_MOST_DESCRIPTORS: Final = 1 << 16  # that are closed one by one where the system does not list them


class ForkedProcess:
    """A process that makes bytes while this one goes on.

    The bytes come in pieces, so that neither process has to hold all of them at once.
    The process that starts one closes it, whatever happens: that ends it and leaves no zombie.
    """

    def __init__(self, process: int, result: int, life_line: int) -> None:
        """Take a process that was started; see :meth:`start`."""
        self._process = process
        self._result = result
        self._life_line = life_line  # never written: its end tells the child that this process is gone
        self._pipe = open(result, "rb", closefd=False)  # noqa: SIM115 - it is `close` that closes the descriptor

    @classmethod
    def start(
        cls,
        work: Callable[[], bytes | Iterable[bytes]],
        keep: Iterable[int] = (),
        *,
        by_alarm: bool = sys.platform != "linux",
    ) -> Self | None:
        """Start ``work`` in a process; None without a process or descriptor.

        Args:
            work: makes the result, or the pieces of it one after the other. What it raises is not shown: there is no
                result then, and doing the work again in this process raises it again.
            keep: descriptors that the work needs; all others are closed in the child.
            by_alarm: whether the child checks twice a second that its parent lives, instead of waiting for a signal.
        """
        try:
            reading, writing = os.pipe()
        except OSError:
            return None
        try:
            life_line, alive = os.pipe()
        except OSError:
            os.close(reading)
            os.close(writing)
            return None
        child = cls(0, reading, alive)
        try:
            # No handler may run between the fork and the line after it: the child would be lost.
            before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
            try:
                child._process = _fork()
                if child._process == 0:
                    _work_and_exit(work, writing, life_line, {*keep, writing, life_line}, before, by_alarm=by_alarm)
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)  # waiting signals are handled here, and may raise
        except BaseException:
            child.close()
            raise
        finally:
            os.close(writing)
            os.close(life_line)
        if child._process < 0:
            child.close()
            return None
        return child

    def fileno(self) -> int:
        """Return the descriptor that becomes readable when the child has finished."""
        return self._result

    def has_result(self) -> bool:
        """Whether a result is coming; False if the child ended without one."""
        return bool(self._pipe.peek(1))

    def result(self) -> bytes | None:
        """Wait for the result; None where the child ended without one.

        To be called once, before :meth:`close`.

        The child may still be ending, which takes as long as it has memory to give back: 1 ms where it has 15 MB.
        """
        try:
            made = list(self.pieces())
        except EOFError:
            return None
        return made[0] if len(made) == 1 else b"".join(made)

    def pieces(self) -> Iterator[bytes]:
        """Yield the pieces as the child makes them, instead of :meth:`result`.

        Raises:
            EOFError: the child ended before the last: none of them counts.
        """
        # Only the end mark proves that all is there: a handler of SIGCHLD may have taken the exit code.
        while (size := self._read(_SIZE_BYTES)) != _END:
            yield self._read(int.from_bytes(size))

    def _read(self, size: int) -> bytes:
        read = self._pipe.read(size)
        if len(read) < size:
            raise EOFError
        return read

    def close(self) -> None:
        """End the process, whatever it does, and wait until it is gone."""
        if self._process > 0:
            try:
                # A handler of SIGCHLD may have waited for the child already; then its number may be another's.
                if os.waitpid(self._process, os.WNOHANG)[0] == 0:
                    os.kill(self._process, signal.SIGKILL)
                    os.waitpid(self._process, 0)
            except (ChildProcessError, ProcessLookupError):
                pass
            self._process = 0
        if self._result >= 0:
            os.close(self._result)
            os.close(self._life_line)
            self._result = self._life_line = -1


def fork_out(work: Callable[[int], _Made], workers: int) -> list[_Made]:
    """Return ``work(0) ... work(workers - 1)``, computed in several processes.

    Each call but the first runs in a child. A result is of the types that ``marshal`` takes: dictionaries, lists, plain
    tuples, bytes, text and numbers. Where a child was killed, this process does its part again.
    """

    def part(number: int) -> Callable[[], bytes]:
        return lambda: marshal.dumps(work(number))  # type: ignore[arg-type]  # its types are listed above

    children: list[ForkedProcess | None] = []
    try:
        for number in range(1, workers):
            children.append(ForkedProcess.start(part(number)))  # noqa: PERF401 - those before a failure are to be closed
        results = [work(0)]
        for number, child in enumerate(children, 1):
            packed = child.result() if child is not None else None
            results.append(marshal.loads(packed) if packed is not None else work(number))  # noqa: S302 - our own child
        return results
    finally:
        for child in children:
            if child is not None:
                child.close()


def close_descriptors(keep: Iterable[int]) -> None:
    """Close every descriptor but ``keep``, in a process that was just forked."""
    kept = frozenset(keep)
    try:
        opened: Sequence[int] = [int(name) for name in os.listdir("/dev/fd")]  # on Linux and macOS all there are
    except (OSError, ValueError):
        opened = range(min(os.sysconf("SC_OPEN_MAX"), _MOST_DESCRIPTORS))
    for descriptor in opened:
        if descriptor not in kept:
            try:  # noqa: SIM105 - contextlib takes time that a bake does not have
                os.close(descriptor)
            except OSError:  # not open: the one that listed them
                pass


def _fork() -> int:
    """Fork; -1 where the system has no process to give."""
    try:
        return os.fork()
    except OSError:
        return -1


def _work_and_exit(
    work: Callable[[], bytes | Iterable[bytes]],
    writing: int,
    life_line: int,
    keep: set[int],
    mask: Iterable[int],
    *,
    by_alarm: bool,
) -> None:
    """Run the child, and exit without the parent's handlers and buffers."""
    code = 1
    try:
        gc.disable()  # no circles are made here, and the process ends soon: 2 % of its time
        signal.set_wakeup_fd(-1)
        for number in signal.valid_signals():
            if callable(signal.getsignal(number)):  # of the parent: it would raise, or write to the parent's log
                signal.signal(number, signal.SIG_DFL)
        close_descriptors({0, 1, 2, *keep})
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):  # a reader of the parent's output does not wait for this process
            if descriptor not in keep:
                os.dup2(null, descriptor)
        if null > 2:
            os.close(null)
        _end_with_parent(life_line, by_alarm=by_alarm)
        signal.pthread_sigmask(signal.SIG_SETMASK, frozenset(mask) - {signal.SIGIO, signal.SIGALRM})
        made = work()
        for piece in (made,) if isinstance(made, bytes) else made:
            _write(writing, len(piece).to_bytes(_SIZE_BYTES))
            _write(writing, piece)
        _write(writing, _END)
        os.close(writing)  # the end of this process closes it, too, but last of all
        code = 0
    finally:
        os._exit(code)


def _write(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def _end_with_parent(life_line: int, *, by_alarm: bool) -> None:
    """End this process when its parent closes the pipe or ends."""
    import fcntl  # noqa: PLC0415 - absent on Windows

    os.set_blocking(life_line, False)
    if not by_alarm:
        try:
            signal.signal(signal.SIGIO, signal.SIG_DFL)  # which ends the process: on Linux, not everywhere
            fcntl.fcntl(life_line, fcntl.F_SETOWN, os.getpid())
            fcntl.fcntl(life_line, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
        except OSError:
            by_alarm = True

    def look(*_: object) -> None:
        try:
            os.read(life_line, 1)
        except BlockingIOError:
            return
        os._exit(1)

    if by_alarm:
        signal.signal(signal.SIGALRM, look)
        signal.setitimer(signal.ITIMER_REAL, _LOOK_EVERY, _LOOK_EVERY)
    look()  # it may be gone already
