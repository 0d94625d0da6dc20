"""Jobs in threads: order, cancelling, fairness, faults. Each waits for conditions, and for no time."""

from __future__ import annotations

import sys
import threading
import time
import weakref
from functools import partial
from typing import TYPE_CHECKING

import pytest

from assetdb.system import jobs
from assetdb.system.cancelling import Acquired, check_cancelled
from assetdb.system.jobs import Cancelled, Job, Scheduler, Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PATIENCE = 30.0  # seconds; only a hang takes that long


def wait_for(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < until, "not so in time"
        time.sleep(0.001)


def work_until(event: threading.Event) -> None:
    """Work, with the processor, until something happens."""
    while not event.is_set():
        check_cancelled()


@pytest.fixture
def scheduler() -> Iterator[Scheduler]:
    found = Scheduler(most_short=2, most_long=2)
    yield found
    found.close()


class Started:
    """Work that was given to a scheduler, and what came of it."""

    def __init__(self, scheduler: Scheduler, work: Callable[[], None]) -> None:
        self.errors: list[BaseException | None] = []
        self.begun = threading.Event()

        def run() -> None:
            self.begun.set()
            work()

        self.job = scheduler.start(run, self.errors.append)

    @property
    def is_done(self) -> bool:
        return bool(self.errors)


def test_where_nothing_is_installed_a_check_is_nothing() -> None:
    check_cancelled()


def test_a_worker_does_one_after_the_other_and_what_fails_ends_nothing() -> None:
    done: list[object] = []
    worker = Worker("test", lambda error: done.append(str(error)), lambda: done.append("end"))

    def fail() -> None:
        raise ValueError("no")

    cancelled = Job(lambda: done.append("never"))
    cancelled.cancel()
    for job in (Job(lambda: done.append(1)), Job(fail), cancelled, Job(lambda: done.append(2))):
        worker.submit(job)
    worker.close()
    worker.join(PATIENCE)
    assert done == [1, "no", 2, "end"]


def test_an_exit_of_a_job_does_not_end_its_worker() -> None:
    done: list[object] = []
    worker = Worker("test", lambda error: done.append(type(error)), lambda: done.append("end"))
    for job in (Job(lambda: sys.exit(3)), Job(lambda: done.append(2))):
        worker.submit(job)
    worker.close()
    worker.join(PATIENCE)
    assert done == [SystemExit, 2, "end"]


def test_work_ends_at_its_next_check_when_it_is_cancelled(scheduler: Scheduler) -> None:
    ended: list[bool] = []

    def work() -> None:
        try:
            work_until(threading.Event())
        except Cancelled:
            ended.append(True)
            raise

    started = Started(scheduler, work)
    wait_for(started.begun.is_set)
    started.job.cancel()
    wait_for(lambda: started.is_done)
    assert started.errors == [None]
    assert ended == [True]


def test_who_waits_for_a_lock_can_be_cancelled(scheduler: Scheduler) -> None:
    lock = threading.Lock()
    reached: list[str] = []

    def work() -> None:
        with Acquired(lock):
            reached.append("held")

    with lock:
        started = Started(scheduler, work)
        wait_for(started.begun.is_set)
        started.job.cancel()
        wait_for(lambda: started.is_done)
    assert reached == []
    Started(scheduler, work)
    wait_for(lambda: reached == ["held"])
    assert not lock.locked()


@pytest.mark.long
def test_short_work_goes_before_the_end_of_any_number_of_long_ones(scheduler: Scheduler) -> None:
    enough = threading.Event()
    long = [Started(scheduler, lambda: work_until(enough)) for _ in range(20)]
    short = [Started(scheduler, lambda: None) for _ in range(20)]
    wait_for(lambda: all(started.is_done for started in short))
    assert not any(started.is_done for started in long)
    enough.set()
    wait_for(lambda: all(started.is_done for started in long))


def test_some_work_begins_before_all_that_waits(scheduler: Scheduler, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "_LONG", PATIENCE)
    enough = threading.Event()
    waiting = [Started(scheduler, lambda: work_until(enough)) for _ in range(4)]
    wait_for(lambda: sum(one.begun.is_set() for one in waiting) == 2)
    done: list[BaseException | None] = []
    scheduler.start(lambda: None, done.append, at_once=True)
    wait_for(lambda: done == [None])
    assert sum(one.begun.is_set() for one in waiting) == 2
    enough.set()
    wait_for(lambda: all(one.is_done for one in waiting))


def test_any_number_that_waits_takes_one_thread(scheduler: Scheduler, monkeypatch: pytest.MonkeyPatch) -> None:
    """There were as many threads as clients that asked at the same moment."""
    monkeypatch.setattr(jobs, "_LONG", PATIENCE)
    before = threading.active_count()
    enough = threading.Event()
    waiting = [Started(scheduler, lambda: work_until(enough)) for _ in range(50)]
    wait_for(lambda: sum(one.begun.is_set() for one in waiting) == 2)
    assert threading.active_count() - before <= 3
    enough.set()
    wait_for(lambda: all(one.is_done for one in waiting))


def test_of_those_that_last_the_first_go_on_and_the_others_after_them(
    scheduler: Scheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "_LONGEST_PAUSE", PATIENCE)
    enough = [threading.Event() for _ in range(4)]
    rounds = [0] * 4

    def work(number: int) -> None:
        while not enough[number].is_set():
            rounds[number] += 1
            check_cancelled()

    started = []
    for number in range(4):
        started.append(Started(scheduler, lambda number=number: work(number)))  # type: ignore[misc]  # its own number
        wait_for(started[-1].begun.is_set)

    def go_on() -> set[int]:
        """Return which go on, once the second has done something twice."""
        before, until = list(rounds), rounds[1] + 2
        wait_for(lambda: rounds[1] >= until)
        return {number for number in range(4) if rounds[number] > before[number]}

    wait_for(lambda: go_on() == {0, 1})
    enough[0].set()
    wait_for(lambda: go_on() == {1, 2})
    started[3].job.cancel()  # and one that pauses can be cancelled
    wait_for(lambda: started[3].is_done)
    for event in enough:
        event.set()
    wait_for(lambda: all(one.is_done for one in started))


@pytest.mark.long
def test_who_pauses_too_long_goes_on(scheduler: Scheduler, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those before it may wait for a lock that it holds."""
    monkeypatch.setattr(jobs, "_LONGEST_PAUSE", 0.05)
    lock, held, enough = threading.Lock(), threading.Event(), threading.Event()
    lasting: list[bool] = []

    def first() -> None:
        held.wait()
        with Acquired(lock):
            pass

    def last() -> None:
        with lock:
            held.set()
            until = time.thread_time() + 0.3
            while time.thread_time() < until:
                check_cancelled()
        lasting.append(True)

    before = [Started(scheduler, lambda: work_until(enough)) for _ in range(2)]
    waiting, holding = Started(scheduler, first), Started(scheduler, last)
    wait_for(lambda: waiting.is_done and holding.is_done)
    assert lasting == [True]
    enough.set()
    wait_for(lambda: all(one.is_done for one in before))


@pytest.mark.parametrize("error", [ValueError("no"), MemoryError(), SystemExit(3)])
def test_a_fault_is_told_and_its_thread_goes_on(scheduler: Scheduler, error: BaseException) -> None:
    def fail() -> None:
        raise error

    started = Started(scheduler, fail)
    wait_for(lambda: started.is_done)
    assert started.errors == [error]
    after = Started(scheduler, lambda: None)
    wait_for(lambda: after.is_done)
    assert after.errors == [None]


def test_what_waits_is_done_before_the_end() -> None:
    before = set(threading.enumerate())
    scheduler = Scheduler(most_short=1, most_long=1)
    enough = threading.Event()
    started = [Started(scheduler, lambda: work_until(enough)) for _ in range(3)]
    scheduler.close()
    enough.set()
    wait_for(lambda: all(one.is_done for one in started))
    wait_for(lambda: not any(thread.name == "assetdb-job" for thread in set(threading.enumerate()) - before))


class _Held:
    """An object that a job holds."""

    def use(self) -> None:
        """Do nothing."""


def test_threads_that_wait_keep_nothing_of_what_was_done(scheduler: Scheduler) -> None:
    faults: list[Exception] = []
    worker = Worker("test", faults.append)
    held = [_Held(), _Held()]
    kept = [weakref.ref(one) for one in held]
    ended = threading.Event()
    scheduler.start(partial(_Held.use, held[0]), lambda _: ended.set())
    worker.submit(Job(partial(_Held.use, held[1])))
    assert ended.wait(10)
    held.clear()
    wait_for(lambda: [one() for one in kept] == [None, None])
    assert not faults
    worker.close()
