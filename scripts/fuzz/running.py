"""Runs of a fuzzer: cases within bounds of time and memory."""

from __future__ import annotations

import random
import shutil
import signal
import sys
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NamedTuple, TypeVar

T = TypeVar("T")
FLOOR = 64 << 10  # bytes that a case may take however small it is
_TRACED = 50  # one case in so many: tracing memory makes it several times slower
_TRIES = 4  # the quickest counts: a collection of garbage may fall into the first
_HANG = 5.0  # seconds of processor time
_ODD = (
    *(0, 1, 2, 3, 4, 7, 8, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0xFFFF, 0x10000, 0x3FFFFFFF, 0x40000000, 0x7FFFFFFF),
    *(0x80000000, 0xC0000000, 0xFFFFFFFC, 0xFFFFFFFE, 0xFFFFFFFF, 1 << 63, (1 << 64) - 1),
)


class Bounds(NamedTuple):
    """Bounds of a case."""

    seconds: float = 5.0  # of processor time
    memory: int = 2 << 30  # bytes that the process has in all
    growth: int = 2 << 30  # bytes by which the process may grow over all cases
    multiple: float = 0.0  # of its size that it may take, traced once in 50; 0 where that is not looked at


BOUNDS = Bounds()


class TooSlowError(BaseException):
    """A case went on beyond its time.

    No ``Exception``, so that no handler of a case catches it.
    """


class TooLargeError(Exception):
    """A case took more memory than it may."""


def damage(data: bytes, choice: random.Random, others: Sequence[bytes], words: Sequence[bytes] = ()) -> bytes:
    """Return a file with one to eight things wrong.

    Args:
        data: the file.
        choice: decides what is wrong, and where: three times in ten in the first 64 bytes, where headers and counts are.
        others: files of its kind, from which ends are taken.
        words: what a text of its kind consists of; none for binary files.
    """
    text = bytearray(data)
    for _ in range(choice.choice((1, 1, 1, 2, 3, 8))):
        text = text or bytearray(b"\0")
        at = choice.randrange(len(text) if choice.random() < 0.7 else min(len(text), 64))
        size = choice.choice((1, 2, 4, 8, 16, choice.randrange(1, 300)))
        match choice.randrange(12 if words else 9):
            case 0:
                text[at] ^= 1 << choice.randrange(8)
            case 1:
                text[at] = choice.randrange(256)
            case 2:
                size = min(size, 16)
                value = choice.choice((*_ODD, choice.randrange(1 << 32), choice.randrange(2 * len(text) + 2)))
                text[at : at + size] = (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")
            case 3:
                del text[at : at + size]
            case 4:
                text[at:at] = choice.randbytes(size)
            case 5:
                start = choice.randrange(len(text))
                text[at : at + size] = text[start : start + size]
            case 6:
                text[at:at] = text[at : at + size] * choice.choice((1, 1, 1, 8))
            case 7:
                other = choice.choice(others)
                text[at:] = other[choice.randrange(len(other) + 1) :]
            case 8:
                del text[at:]
            case 9:
                text[at:at] = str(choice.choice((-1, 2**31, 2**63, 2**64, 10**30))).encode()
            case _:
                text[at : at + choice.choice((0, 0, size))] = choice.choice(words) * choice.choice((1, 1, 1, size))
    return bytes(text)


def mutations(seeds: Sequence[bytes], count: int, seed: int | str, words: Sequence[bytes] = ()) -> Iterator[bytes]:
    """Yield ``count`` damaged files, the same ones for the same ``seed``."""
    choice = random.Random(seed)
    for _ in range(count):
        yield damage(choice.choice(seeds), choice, seeds, words)


def damaged_build(files: Mapping[str, bytes], choice: random.Random, *kept: str) -> dict[str, bytes]:
    """Return the files of a build, a few of them damaged, and sometimes one missing that is not to be kept."""
    found = dict(files)
    for name in choice.sample(sorted(files), min(len(files), choice.choice((1, 1, 1, 2, 3)))):
        found[name] = damage(files[name], choice, [files[name]])
    if len(found) > 1 and choice.random() < 0.1:
        found.pop(choice.choice(sorted(found.keys() - {*kept})))
    return found


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
) -> Counter[str]:
    """Attempt case after case, print their counts, slowest and memory, and return the counts.

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
    return counts


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

    Linux counts KiB, macOS bytes; on Windows it is the largest working set.
    """
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - there alone

        counts = (ctypes.c_size_t * 10)()  # PROCESS_MEMORY_COUNTERS, whose first two words are of 32 bits each
        kernel = ctypes.WinDLL("kernel32")
        kernel.GetCurrentProcess.restype = ctypes.c_void_p
        process = ctypes.c_void_p(kernel.GetCurrentProcess())
        if not kernel.K32GetProcessMemoryInfo(process, ctypes.byref(counts), ctypes.sizeof(counts)):
            raise ctypes.WinError()
        return counts[1]
    else:  # noqa: RET505 - the type checker reads one branch for each platform
        import resource  # noqa: PLC0415 - absent on Windows

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
