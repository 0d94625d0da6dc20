"""Jobs in time slices, each in a thread of its own.

The loop gives a turn (:meth:`Job.step`) and waits until it comes back: when the work is done, when it has had its time
and reaches a place where it may pause (``assetdb.system.pausing``), or when it goes on beside the loop with what
touches nothing that others use. So between two such places nobody sees anything half done, and there are no locks.
Threads are used because a pause may lie deep in what was called; they never decide who runs.
"""

from __future__ import annotations

import sys
import threading
import time
from errno import EAGAIN
from typing import TYPE_CHECKING, Final, TypeVar

from assetdb.system import pausing

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

_Made = TypeVar("_Made")
_MOST_CONCURRENT: Final = 3  # pieces at once that go on beside the loop; each takes the interpreter for a moment
_MOMENT: Final = 0.0005  # seconds; the loop gives it away with every system call
_here = threading.local()


class Cancelled(BaseException):
    """Raised in work that is not wanted any more, where it paused."""


class NotInline(BaseException):
    """Raised in inline work that takes long.

    All that it did is undone, and it becomes a job.
    """


class _InlineJob:
    """Work in the loop's own thread.

    That is nearly all work, and a thread costs more than it takes.
    """

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds

    def pause(self) -> None:
        if time.monotonic() > self._until:
            raise NotInline

    def run_concurrently(self, work: Callable[[], object]) -> object:  # noqa: ARG002 - it is done when it is a job
        raise NotInline

    def before_long(self) -> None:
        raise NotInline

    def wait_until(self, is_ready: Callable[[], bool]) -> None:  # noqa: ARG002 - it waits when it is a job
        raise NotInline


def run_inline(work: Callable[[], None], seconds: float) -> bool:
    """Do short work; return False for longer work, undone.

    It may take ``seconds``.
    """
    _here.job = _InlineJob(seconds)
    try:
        work()
    except NotInline:
        return False
    finally:
        _here.job = None
    return True


class JobThreads:
    """The threads of one loop."""

    def __init__(self, wake: Callable[[], None]) -> None:
        """Take a function that wakes the loop from any thread.

        It is called when work beside the loop wants a turn again.
        """
        self.wake = wake
        self.back = threading.Lock()
        self.back.acquire()
        self.concurrent = 0
        self.closed = False
        self.count = 0
        self._idle: list[_Worker] = []

    def acquire(self) -> _Worker:
        """Return a thread that has nothing to do."""
        return self._idle.pop() if self._idle else _Worker(self)

    def release(self, worker: _Worker) -> None:
        """Take a thread back."""
        self._idle.append(worker)

    def end_idle(self) -> None:
        """End idle threads.

        A process without threads may fork.
        """
        while self._idle:
            self._idle.pop().end()

    def close(self) -> None:
        """End all that can be ended."""
        self.closed = True
        self.end_idle()


class Job:
    """A piece of work; :meth:`step` is called until it is :attr:`done`.

    Attributes:
        done: it has ended.
        is_concurrent: it goes on beside the loop, and must not be given a turn.
        seconds: how long it has worked.
        number: jobs that were begun later have a higher one.
    """

    def __init__(self, threads: JobThreads, work: Callable[[], None]) -> None:
        self.threads = threads
        self.work = work
        self.done = False
        self.is_concurrent = False
        self.seconds = 0.0
        threads.count += 1
        self.number = threads.count
        self.error: BaseException | None = None
        self._cancelled = False
        self._is_ready: Callable[[], bool] | None = None  # whether what it waits for has been done
        self._until = 0.0
        self._worker: _Worker | None = None
        self._streams: tuple[TextIO, TextIO, TextIO] | None = None

    @property
    def can_go_on(self) -> bool:
        """Whether a turn would be of use.

        The job is not beside the loop, and nothing that it waits for is open.
        """
        return not self.is_concurrent and (self._is_ready is None or self._cancelled or self._is_ready())

    def step(self, seconds: float) -> None:
        """Work until done, or for ``seconds``.

        Raises:
            BaseException: what the work raised.
        """
        began = time.monotonic()
        worker = self._worker
        if worker is None:
            try:
                worker = self._worker = self.threads.acquire()
            except RuntimeError:  # no more threads are to be had: then it is done at once
                self.done = True
                self.work()
                return
        self._until = began + seconds
        own = sys.stdin, sys.stdout, sys.stderr
        if self._streams is not None:  # those of a client, whose command line it runs
            sys.stdin, sys.stdout, sys.stderr = self._streams
        worker.run(self)
        self._streams = sys.stdin, sys.stdout, sys.stderr
        sys.stdin, sys.stdout, sys.stderr = own
        self.seconds += time.monotonic() - began
        if self.done:
            self._worker = None
            self.threads.release(worker)
            if self.error is not None:
                raise self.error

    def cancel(self) -> None:
        """Have it end as soon as it is given a turn."""
        self._cancelled = True

    def abandon(self) -> None:
        """Give the job no turn any more.

        Work beside the loop ends when that is done.
        """
        self._cancelled = True
        if self._worker is not None and not self.done:
            self._worker.go.release()

    # --- in its thread

    def is_over(self) -> bool:
        """Whether the time of this turn is over."""
        return self._cancelled or time.monotonic() > self._until

    def pause(self) -> None:
        """Give the turn back if the time is over."""
        if self._cancelled or time.monotonic() > self._until:
            self._give_back()

    def before_long(self) -> None:
        """Go on: it may pause."""

    def wait_until(self, is_ready: Callable[[], bool]) -> None:
        """Take no turn before something has been done."""
        if self._worker is None:
            raise BlockingIOError(EAGAIN, "no thread is free to wait in; send it again")
        self._is_ready = is_ready
        try:
            while not is_ready():
                self._give_back()
        finally:
            self._is_ready = None

    def _give_back(self) -> None:
        worker = self._worker
        assert worker is not None  # noqa: S101 - only its thread calls this
        self.threads.back.release()
        worker.go.acquire()
        if self._cancelled:
            raise Cancelled

    def run_concurrently(self, work: Callable[[], object]) -> object:
        """Do ``work`` while the loop goes on."""
        threads, worker = self.threads, self._worker
        if worker is None:
            return work()  # in the loop's own thread
        if self._cancelled:  # else nobody would be there when it is done
            raise Cancelled
        self.wait_until(lambda: threads.concurrent < _MOST_CONCURRENT)
        threads.concurrent += 1
        interval = sys.getswitchinterval()
        sys.setswitchinterval(_MOMENT)
        self.is_concurrent = True
        _here.job = None
        began = time.monotonic()
        threads.back.release()
        try:
            return work()
        finally:
            self.seconds += time.monotonic() - began
            self.is_concurrent = False
            threads.wake()
            worker.go.acquire()
            _here.job = self
            threads.concurrent -= 1
            if not threads.concurrent:
                sys.setswitchinterval(max(interval, _MOMENT * 10))
            if self._cancelled:
                raise Cancelled


class _Worker:
    """A thread that does one job after the other."""

    def __init__(self, threads: JobThreads) -> None:
        self._threads = threads
        self._job: Job | None = None
        self.go = threading.Lock()
        self.go.acquire()
        self._thread = threading.Thread(target=self._work, name="assetdb-job", daemon=True)
        self._thread.start()

    def run(self, job: Job) -> None:
        """Give a job its turn, and wait until it gives it back."""
        self._job = job
        self.go.release()
        self._threads.back.acquire()

    def end(self) -> None:
        """End the thread."""
        self._job = None
        self.go.release()
        self._thread.join()

    def _work(self) -> None:
        while True:
            self.go.acquire()
            job = self._job
            if job is None:
                return
            _here.job = job
            try:
                job.work()
            except Cancelled:
                pass
            except BaseException as error:  # noqa: BLE001 - the loop raises it
                job.error = error
            _here.job = None
            job.done = True
            if self._threads.closed:
                return
            del job
            self._threads.back.release()


def _pause() -> None:
    job: Job | _InlineJob | None = getattr(_here, "job", None)
    if job is not None:
        job.pause()


def _beside(work: Callable[[], _Made]) -> _Made:
    job: Job | _InlineJob | None = getattr(_here, "job", None)
    return work() if job is None else job.run_concurrently(work)  # type: ignore[return-value]  # what the work returns


def _before_long() -> None:
    job: Job | _InlineJob | None = getattr(_here, "job", None)
    if job is not None:
        job.before_long()


def _wait(is_ready: Callable[[], bool]) -> None:
    job: Job | _InlineJob | None = getattr(_here, "job", None)
    if job is None:
        raise BlockingIOError(EAGAIN, "no thread is free to wait in; send it again")
    job.wait_until(is_ready)


pausing.install(_pause, _beside, _before_long, _wait)
