"""Jobs in threads, in order or side by side, and their cancellation.

A :class:`Worker` is a thread that runs one job at a time, so that its jobs need no locks. A :class:`Scheduler` runs
jobs in parallel: each starts soon, however long others take, and a few long ones run at a time. All threads share one
interpreter, so none should keep it for long.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from contextlib import suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final

from assetdb.system import cancelling

if TYPE_CHECKING:
    from collections.abc import Callable

_SWITCH: Final = 0.0005  # seconds of a thread's turn in the interpreter; the default is 0.005, 0.02 with four threads
_LONG: Final = 0.1  # seconds after which a job yields to others
_MOST_SHORT: Final = 2  # short jobs at once
_MOST_LONG: Final = 2  # long jobs at once; with four of each, others wait twice as long for the interpreter
_LONGEST_PAUSE: Final = 1.0  # seconds; a running job may wait for a lock held by a paused one
_MOST_IDLE: Final = 4  # threads that wait for work
_here = threading.local()


class Cancelled(BaseException):
    """Raised in cancelled work."""


class Job:
    """A piece of work that may be cancelled."""

    def __init__(self, work: Callable[[], None]) -> None:
        self.cancelled = False
        self._work = work

    def cancel(self) -> None:
        """Let the work end at its next check, or never begin."""
        self.cancelled = True

    def check(self) -> None:
        """End the work, in its own thread, if it was cancelled.

        Raises:
            Cancelled: it was.
        """
        if self.cancelled:
            raise Cancelled

    def run(self) -> None:
        """Do the work in this thread, unless it was cancelled."""
        if self.cancelled:
            return
        _here.job = self
        try:
            self._work()
        except Cancelled:
            pass
        finally:
            _here.job = None


class Worker:
    """A thread that does one job after the other."""

    def __init__(
        self, name: str, on_fault: Callable[[BaseException], None], at_end: Callable[[], None] = lambda: None
    ) -> None:
        """Start the thread; it calls ``on_fault`` with exceptions, and ``at_end`` last."""
        sys.setswitchinterval(_SWITCH)
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._on_fault = on_fault
        self._at_end = at_end
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> None:
        """Submit a job, from any thread."""
        self._queue.put(job)

    def close(self) -> None:
        """End the thread when waiting jobs are done."""
        self._queue.put(None)

    def join(self, timeout: float) -> None:
        """Wait for the thread to end, with a timeout in seconds."""
        self._thread.join(timeout)

    def _run(self) -> None:
        while (job := self._queue.get()) is not None:
            try:
                job.run()
            except BaseException as error:  # noqa: BLE001 - not even an exit ends the thread, or jobs wait forever; it is logged
                self._on_fault(error)
            del job  # or its objects would be kept until the next one comes
        self._at_end()


class _Scheduled(Job):
    """A job of a scheduler."""

    def __init__(
        self, scheduler: Scheduler, work: Callable[[], None], done: Callable[[BaseException | None], None]
    ) -> None:
        super().__init__(work)
        self._scheduler = scheduler
        self.done = done
        self.at_once = False
        self.began = self.until = 0.0
        self.processor = 0.0

    def start(self) -> None:
        """Begin to count time, in the thread of the job."""
        self.began = time.monotonic()
        self.until = self.began + _LONG
        self.processor = time.thread_time()

    def cancel(self) -> None:
        super().cancel()
        self._scheduler.wake()

    def check(self) -> None:
        super().check()
        if time.monotonic() > self.until:
            self._scheduler.pause(self)
            super().check()


class Scheduler:
    """Threads that do jobs side by side, in order of arrival.

    Two start at once; after 0.1 s a job no longer counts. Of jobs that have used that much processor time, the two
    oldest run; the others pause at their checks.
    """

    def __init__(self, *, most_short: int = _MOST_SHORT, most_long: int = _MOST_LONG) -> None:
        sys.setswitchinterval(_SWITCH)
        self._most_short = most_short
        self._most_long = most_long
        self._lock = threading.Lock()
        self._work = threading.Condition(self._lock)  # something is to be done
        self._room = threading.Condition(self._lock)  # a long one has ended
        self._waiting: deque[_Scheduled] = deque()
        self._running: dict[_Scheduled, None] = {}  # in the order in which they began
        self._long: set[_Scheduled] = set()
        self._idle = 0
        self._closed = False

    def start(
        self, work: Callable[[], None], done: Callable[[BaseException | None], None], *, at_once: bool = False
    ) -> Job:
        """Submit work.

        Args:
            work: the function to call.
            done: called after it, in the same thread, with its exception; also if it was cancelled.
            at_once: whether it starts before all others, without a limit.

        Raises:
            RuntimeError: no thread can be started.
        """
        job = _Scheduled(self, work, done)
        job.at_once = at_once
        with self._lock:
            if at_once:
                self._waiting.appendleft(job)
            else:
                self._waiting.append(job)
            if self._idle:
                self._work.notify()
                return job
        try:
            self._add_thread()
        except RuntimeError:  # no more threads: an existing one does it later
            with self._lock:
                if not (self._running or self._idle):
                    self._waiting.remove(job)
                    raise
        return job

    def close(self) -> None:
        """End the threads once nothing is left to be done."""
        with self._lock:
            self._closed = True
            self._work.notify_all()

    # --- for jobs

    def wake(self) -> None:
        """Let paused jobs check whether they may continue."""
        with self._lock:
            self._room.notify_all()

    def pause(self, job: _Scheduled) -> None:
        """Pause a long job while older ones run."""
        spent = time.thread_time() - job.processor
        if spent < _LONG:
            job.until = time.monotonic() + _LONG - spent
            return
        until = time.monotonic() + _LONGEST_PAUSE
        with self._lock:
            self._long.add(job)
            while not job.cancelled and self._is_late(job) and (left := until - time.monotonic()) > 0:
                self._room.wait(left)
        job.until = time.monotonic() + _LONG

    def _is_late(self, job: _Scheduled) -> bool:
        before = 0
        for other in self._running:
            if other is job:
                return False
            before += other in self._long
            if before >= self._most_long:
                return True
        return False

    def _add_thread(self) -> None:
        """Start a thread, at first an idle one; raises RuntimeError."""
        with self._lock:
            self._idle += 1
        try:
            threading.Thread(target=self._run, name="assetdb-job", daemon=True).start()
        except RuntimeError:
            with self._lock:
                self._idle -= 1
            raise

    # --- in the threads

    def _run(self) -> None:
        while (job := self._next()) is not None:
            self._do(job)
            del job  # a thread that waits would keep what it holds, such as an old snapshot
            with self._lock:
                self._idle += 1

    def _do(self, job: _Scheduled) -> None:
        error: BaseException | None = None
        try:
            job.start()
            job.run()
        except BaseException as raised:  # noqa: BLE001 - a failing job must not end the thread; ``done`` gets the error
            error = raised
        with self._lock:
            self._running.pop(job, None)
            self._long.discard(job)
            self._room.notify_all()
        job.done(error)

    def _next(self) -> _Scheduled | None:
        """Return the next job when it may begin; None ends the thread.

        One thread waits for all jobs that may not begin yet; when it takes one, the next thread waits for the others.
        """
        with self._lock:
            try:
                job = self._wait()
            finally:
                self._idle -= 1
            needs_thread = bool(self._waiting) and not self._idle
        if needs_thread:
            with suppress(RuntimeError):  # no more threads: this one does it later
                self._add_thread()
        return job

    def _wait(self) -> _Scheduled | None:
        """Take the next job when it may begin, holding the lock."""
        while True:
            left = self._until_free() if self._waiting else None
            if left is not None and left <= 0:
                job = self._waiting.popleft()
                job.began = time.monotonic()
                self._running[job] = None
                return job
            if left is None and (self._closed or self._idle > _MOST_IDLE):
                return None
            self._work.wait(left)

    def _until_free(self) -> float:
        """Return the seconds until the next job may begin."""
        if self._waiting[0].at_once:
            return 0.0
        since = time.monotonic() - _LONG
        short = sorted(job.began - since for job in self._running if job.began > since)
        return short[-self._most_short] if len(short) >= self._most_short else 0.0


def _check_here() -> None:
    job: Job | None = getattr(_here, "job", None)
    if job is not None:
        job.check()


cancelling.install(_check_here)
