"""Whole processes measured: wall and processor time, peak memory of one, and of all that it starts together (PSS)."""

from __future__ import annotations

import contextlib
import os
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CHECKOUT = Path(__file__).resolve().parent.parent.parent
_PSS_INTERVAL = 0.02  # seconds between two looks at the memory of a tree of processes


class Run(NamedTuple):
    """One process and its children: wall seconds, processor seconds, peak memory of the largest in KiB."""

    wall: float
    processor: float
    memory: int


def environment() -> dict[str, str]:
    """Return the environment of what is measured: with it unset or not, an editable install compiles once only."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def run(command: Sequence[str], cwd: Path = CHECKOUT, printed: Path = Path(os.devnull)) -> Run:
    """Run a command to its end, and take the system's own account of it and its children.

    What it prints goes to the file ``printed``.
    """
    with open(printed, "wb") as output:
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL, cwd=cwd, env=environment())
        _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if status:
        sys.exit(f"failed: {' '.join(command)}")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)


def in_turns(commands: Sequence[Sequence[str]], runs: int) -> list[list[Run]]:
    """Run commands in turn, so often each, after one round that warms the page cache."""
    rounds = [[run(command) for command in commands] for _ in range(runs + 1)]
    return [list(column) for column in zip(*rounds[1:], strict=True)]


def median(runs: Sequence[Run]) -> Run:
    """Return the median of each figure."""
    return Run(*(statistics.median(column) for column in zip(*runs, strict=True)))


def line(label: str, ours: Sequence[Run], peer: Sequence[Run]) -> str:
    """Lay one comparison out."""
    one, other = median(ours), median(peer)
    return (
        f"{label:34} ours {one.wall * 1000:7.0f} ms ({one.processor * 1000:6.0f} cpu, {one.memory / 1024:4.0f} MiB)"
        f"   peer {other.wall * 1000:7.0f} ms ({other.processor * 1000:6.0f} cpu, {other.memory / 1024:4.0f} MiB)"
        f"   ratio {one.wall / other.wall:.2f} (cpu {one.processor / other.processor:.2f})"
    )


def bare_start(runs: int = 9) -> Run:
    """Return what the interpreter alone takes."""
    return median(in_turns([[sys.executable, "-c", "pass"]], runs)[0])


# --- memory of several processes


def peak_pss(command: Sequence[str], cwd: Path = CHECKOUT) -> float:
    """Run a command, and return the most MiB that it and all below it had at once, what they share counted once.

    Looking costs the processes time, so that no run is both looked at and timed. Linux only; 0 elsewhere.
    """
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=cwd, env=environment()
    )
    peak = 0.0
    done = threading.Event()

    def look() -> None:
        nonlocal peak
        while not done.is_set():
            peak = max(peak, sum(pss(number) for number in tree_of(process.pid)))
            done.wait(_PSS_INTERVAL)

    looking = threading.Thread(target=look)
    looking.start()
    try:
        code = process.wait()
    finally:
        done.set()
        looking.join()
    if code:
        sys.exit(f"failed: {' '.join(command)}")
    return peak


def pss(pid: int) -> float:
    """Return the MiB of a process, of what it shares its part; 0 where it has ended."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/smaps_rollup", "rb") as file:
        for row in file:
            if row.startswith(b"Pss:"):
                return int(row.split()[1]) / 1024
    return 0.0


def tree_of(pid: int) -> Iterator[int]:
    """Yield a process and all below it that there are by now."""
    yield pid
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                children = file.read().split()
            for child in children:
                yield from tree_of(int(child))
