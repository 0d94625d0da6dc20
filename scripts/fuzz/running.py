"""Runs of a fuzzer: cases within bounds of time and memory."""

from __future__ import annotations

import random
import shutil
import signal
import sys
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NamedTuple, TypeVar

T = TypeVar("T")
FLOOR = 64 << 10  # bytes that a case may take however small it is
_TRACED = 50  # one case in so many: tracing memory makes it several times slower
_TRIES = 4  # the quickest counts: a collection of garbage may fall into the first
_HANG = 5.0  # seconds of processor time
_ODD = (0, 1, 2, 3, 7, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


class Bounds(NamedTuple):
    """Bounds of a case.

    Attributes:
        seconds: of processor time.
        memory: bytes that the process has in all.
        growth: bytes by which the process may grow over all cases.
        multiple: of its size that it may take, traced once in 50; 0 where that is not looked at.
    """

    seconds: float = 5.0
    memory: int = 2 << 30
    growth: int = 2 << 30
    multiple: float = 0.0


class Outcome(NamedTuple):
    """Number of cases by kind, and the seconds of the slowest."""

    counts: Counter[str]
    slowest: float


BOUNDS = Bounds()


class TooSlowError(BaseException):
    """A case went on beyond its time.

    No Exception: nothing that a case catches may catch it.
    """


class TooLargeError(Exception):
    """A case took more memory than it may."""


def mutations(seeds: Sequence[bytes], count: int, seed: int) -> Iterator[bytes]:
    """Yield ``count`` broken files, the same ones for the same ``seed``."""
    choice = random.Random(seed)
    for _ in range(count):
        data = bytearray(choice.choice(seeds))
        for _ in range(choice.choice((1, 1, 1, 2, 3, 8))):
            at = choice.randrange(len(data))
            size = choice.choice((1, 2, 4, 8, 16))
            match choice.randrange(7):
                case 0:
                    data[at] ^= 1 << choice.randrange(8)
                case 1:
                    data[at] = choice.randrange(256)
                case 2:
                    value = choice.choice(_ODD) if choice.random() < 0.7 else choice.randrange(1 << 32)
                    data[at : at + size] = (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")
                case 3:
                    del data[at : at + size]
                case 4:
                    data[at:at] = choice.randbytes(size)
                case 5:
                    start = choice.randrange(len(data))
                    data[at : at + size] = data[start : start + size]
                case _:
                    other = choice.choice(seeds)
                    data[at:] = other[choice.randrange(len(other)) :]
            if not data:
                data = bytearray(b"\0")
        yield bytes(data)


def small_files(folder: Path, largest: int = 300_000) -> Iterator[Path]:
    """Yield the small files below a folder, in order."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and 0 < path.stat().st_size <= largest:
            yield path


def copies_of(folder: Path, name: str) -> Callable[[object], str]:
    """Return a function that keeps the folder of a failed case."""

    def keep(_: object) -> str:
        shutil.rmtree(name, ignore_errors=True)
        shutil.copytree(folder, name)
        return name

    return keep


def kept_in(name: str) -> Callable[[bytes], str]:
    """Return a function that keeps the bytes of a failed case."""

    def keep(data: bytes) -> str:
        Path(name).write_bytes(data)
        return name

    return keep


def run(
    cases: Iterable[T],
    attempt: Callable[[T], bool | str],
    keep: Callable[[T], str],
    *,
    every: int,
    bounds: Bounds = BOUNDS,
    size: Callable[[T], int] = len,  # type: ignore[assignment]  # of bytes
) -> Outcome:
    """Attempt case after case, and print their counts, slowest and memory.

    Args:
        cases: what is attempted.
        attempt: whether nothing was wrong with a case, or what came of it; all that it raises ends the run.
        keep: stores a case that ended the run, and returns where.
        every: cases between two lines.
        bounds: of each case. Where the system cannot enforce them (Windows) they are compared afterwards.
        size: the bytes of a case, where memory is traced.
    """
    counts: Counter[str] = Counter()
    number, slowest, largest = 0, 0.0, 0.0
    before = peak_bytes()
    started = time.perf_counter()
    with _limits(bounds):
        for number, case in enumerate(cases, 1):
            try:
                if bounds.multiple and number % _TRACED == 0:
                    kind, above = _traced(attempt, case, bounds.multiple * size(case))
                    largest = max(largest, above)
                else:
                    kind, took = _timed(attempt, case, bounds.seconds)
                    slowest = max(slowest, took)
                _bounded(peak_bytes() - before, bounds.growth)
            except BaseException:
                print(f"case {number} is in {keep(case)}")
                raise
            counts[kind if isinstance(kind, str) else "clean" if kind else "broken"] += 1
            if number % every == 0:
                print(f"{number:,}: {_said(counts)}, slowest {slowest * 1000:.1f} ms", flush=True)
    seconds = time.perf_counter() - started
    print(f"{number:,} cases in {seconds:.0f} s: {_said(counts)}")
    traced = f", over {bounds.multiple:.1f} times the bytes at most {largest / 1024:.0f} KiB" if bounds.multiple else ""
    memory = f"most memory {peak_bytes() >> 20} MB, {(peak_bytes() - before) >> 20} more than before"
    print(f"slowest {slowest * 1000:.1f} ms, {memory}{traced}")
    return Outcome(counts, slowest)


def _said(counts: Counter[str]) -> str:
    return ", ".join(f"{count:,} {kind}" for kind, count in sorted(counts.items()))


def _timed(attempt: Callable[[T], bool | str], case: T, seconds: float) -> tuple[bool | str, float]:
    """Attempt a case; return its kind and processor time, which other processes leave alone."""
    quickest = float("inf")
    for _ in range(_TRIES):
        before = time.process_time()
        _alarm(max(seconds, min(_HANG, 10 * seconds)))
        try:
            kind = attempt(case)
        finally:
            _alarm(0)
        quickest = min(quickest, time.process_time() - before)
        if quickest <= seconds:
            return kind, quickest
    raise TooSlowError(f"took {quickest:.3f} s")


def _traced(attempt: Callable[[T], bool | str], case: T, allowed: float) -> tuple[bool | str, float]:
    """Attempt a case; return its kind and the bytes beyond those allowed."""
    tracemalloc.start()
    try:
        kind = attempt(case)
        above = tracemalloc.get_traced_memory()[1] - allowed
    finally:
        tracemalloc.stop()
    _bounded(above, FLOOR)
    return kind, above


def _bounded(memory: float, most: float) -> None:
    if memory > most:
        raise TooLargeError(f"{memory:,.0f} bytes of memory, where {most:,.0f} are in proportion")


def peak_bytes() -> int:
    """Return the peak memory of this process in bytes.

    0 where the system does not say. Linux counts KiB, macOS bytes.
    """
    try:
        import resource  # noqa: PLC0415 - absent on Windows
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


@contextmanager
def _limits(bounds: Bounds) -> Iterator[None]:
    """Let the system hold a process to its bounds for a while."""
    if sys.platform == "win32":
        yield
    else:
        import resource  # noqa: PLC0415 - absent on Windows

        memory = resource.getrlimit(resource.RLIMIT_AS)
        before = signal.signal(signal.SIGPROF, _stop)
        resource.setrlimit(resource.RLIMIT_AS, (bounds.memory, memory[1]))
        try:
            yield
        finally:
            _alarm(0)
            signal.signal(signal.SIGPROF, before)
            resource.setrlimit(resource.RLIMIT_AS, memory)


def _alarm(seconds: float) -> None:
    """Raise TooSlowError after seconds of processor time; 0 takes that back."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise TooSlowError("still goes on")
