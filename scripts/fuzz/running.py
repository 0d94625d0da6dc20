"""How a fuzz run goes from case to case: within bounds of time and memory, and what breaks them is kept."""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path
    from types import FrameType

T = TypeVar("T")


class Bounds(NamedTuple):
    """What a case may take: seconds of processor time, and bytes that the process has in all."""

    seconds: float = 5.0
    memory: int = 2 << 30


BOUNDS = Bounds()


class TooSlowError(BaseException):
    """A case went on beyond its time. No Exception: nothing that a case catches may catch it."""


def parser_of(documentation: str | None, count: int, seed: int = 1) -> argparse.ArgumentParser:
    """Return a parser with a script's own documentation, ``--count`` and ``--seed``."""
    parser = argparse.ArgumentParser(description=documentation, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", type=int, default=seed)
    return parser


def copies_of(folder: Path, name: str) -> Callable[[object], str]:
    """Return a function that keeps the folder of a case that ended the run."""

    def keep(_: object) -> str:
        shutil.rmtree(name, ignore_errors=True)
        shutil.copytree(folder, name)
        return name

    return keep


def run(
    cases: Iterable[T],
    attempt: Callable[[T], bool],
    keep: Callable[[T], str],
    *,
    every: int,
    bounds: Bounds = BOUNDS,
) -> None:
    """Attempt case after case; print how it goes once in ``every``, and the slowest and the most memory at the end.

    Args:
        cases: what is attempted.
        attempt: whether nothing was wrong with a case; all that it raises ends the run.
        keep: stores a case that ended the run, and returns where.
        every: cases between two lines.
        bounds: of each case. Where the system cannot enforce them (Windows) they are compared afterwards.
    """
    clean = number = 0
    slowest = 0.0
    started = time.perf_counter()
    with _limits(bounds):
        for number, case in enumerate(cases, 1):
            try:
                fine, took = _timed(attempt, case, bounds.seconds)
            except BaseException:
                print(f"case {number} is in {keep(case)}")
                raise
            clean += fine
            slowest = max(slowest, took)
            if number % every == 0:
                print(f"{number:,}: {clean:,} clean, slowest {slowest * 1000:.1f} ms", flush=True)
    seconds = time.perf_counter() - started
    print(f"{number:,} cases in {seconds:.0f} s: {clean:,} were clean all the same")
    print(f"slowest {slowest * 1000:.1f} ms, most memory {peak_bytes() >> 20} MB")


def _timed(attempt: Callable[[T], bool], case: T, seconds: float) -> tuple[bool, float]:
    """Attempt a case; return what came of it and the seconds of processor time: other processes are not to blame."""
    before = time.process_time()
    _alarm(seconds)
    try:
        fine = attempt(case)
    finally:
        _alarm(0)
    took = time.process_time() - before
    if took > seconds:
        raise TooSlowError(f"took {took:.1f} s")
    return fine, took


def peak_bytes() -> int:
    """Return the most memory that this process ever had; 0 where the system does not say.

    Linux counts KiB there, macOS bytes.
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
