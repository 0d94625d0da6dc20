"""Measurements in turns, of processes and calls: medians, ratios, memory."""

from __future__ import annotations

import contextlib
import gc
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from scripts.programs import BARE, CHECKOUT, assetdb

K = TypeVar("K")
T = TypeVar("T")
_PSS_INTERVAL = 0.02  # seconds between two looks at the memory of a tree of processes
PEAK = "; print([line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')][0])"
"""Code that prints the most KiB that its process had: getrusage's peak is at first that of who started it."""


class Run(NamedTuple):
    """Wall and processor seconds, peak KiB, and output of a process."""

    wall: float
    processor: float
    memory: float
    printed: str = ""


def environment() -> dict[str, str]:
    """Return an environment in which an editable install compiles only once."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def run(command: Sequence[str], *, codes: tuple[int, ...] = (0,), given: str | None = None) -> Run:
    """Run a command in the checkout, measured by the system with all its children.

    Args:
        command: what is run.
        codes: exit codes that are no failure.
        given: what it reads. Only where it is given something, what it prints is kept.
    """
    with tempfile.TemporaryFile("w+") as words, tempfile.TemporaryFile("w+") as output:
        words.write(given or "")
        words.seek(0)
        shown = subprocess.DEVNULL if given is None else output
        started = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=words, stdout=shown, stderr=subprocess.DEVNULL, cwd=CHECKOUT, env=environment()
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in codes:
            sys.exit(f"failed: {' '.join(command)}")
        output.seek(0)
        memory = usage.ru_maxrss / (1024 if sys.platform == "darwin" else 1)
        return Run(wall, usage.ru_utime + usage.ru_stime, memory, "" if given is None else output.read().strip())


def seconds(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the seconds of a call by a clock."""
    started = clock()
    kept = work()
    taken = clock() - started
    del kept
    return taken


def alternately(works: Mapping[K, Callable[[], T]], rounds: int, warm: int = 1) -> dict[K, list[T]]:
    """Do works in turns after rounds of warming; return their results by name."""
    found: dict[K, list[T]] = {name: [] for name in works}
    for number in range(rounds + warm):
        for name, work in works.items():
            result = work()
            if number >= warm:
                found[name].append(result)
    return found


def medians(works: Mapping[K, Callable[[], float]], rounds: int, warm: int = 0) -> dict[K, float]:
    """Do works in turns and return the median of their results."""
    return {name: statistics.median(found) for name, found in alternately(works, rounds, warm).items()}


def report(
    question: str, ours: Callable[[], object], theirs: Callable[[], object] | None, rounds: int, name: str = "theirs"
) -> None:
    """Time calls in turns and print their medians and the ratio."""

    def timed(work: Callable[[], object]) -> float:
        gc.collect()
        return seconds(work) * 1000

    works = {"ours": partial(timed, ours)} | ({name: partial(timed, theirs)} if theirs is not None else {})
    found = medians(works, rounds, warm=1)
    compared = f", {name} {found[name]:8.2f} ms, ratio {found['ours'] / found[name]:.3f}" if theirs is not None else ""
    print(f"{question:75} {found['ours']:8.2f} ms{compared}", flush=True)


def runs_of(
    commands: Mapping[K, Sequence[str]], rounds: int, warm: int = 1, *, given: str | None = None
) -> dict[K, list[Run]]:
    """Run commands in turn."""
    return alternately({name: partial(run, command, given=given) for name, command in commands.items()}, rounds, warm)


def in_turns(commands: Sequence[Sequence[str]], rounds: int) -> list[list[Run]]:
    """Run commands in turns, after one round that warms the page cache."""
    return list(runs_of(dict(enumerate(commands)), rounds).values())


def median(runs: Sequence[Run]) -> Run:
    """Return the median of each figure."""
    return Run(*(statistics.median(column) for column in zip(*(found[:3] for found in runs), strict=True)))


def table(found: Mapping[str, Sequence[Run]], *bases: str) -> None:
    """Print medians of time, peak memory, and the ratios to each base."""
    middle = {name: median(runs) for name, runs in found.items()}
    heads = "".join(f"{'x ' + base:>34.34}" for base in bases)
    print(f"{'':38}{'clock':>10}{'processor':>12}{'memory':>10}{heads}")
    for name, one in middle.items():
        others = [middle[base] for base in bases]
        ratios = "".join(f"{one.wall / it.wall:>21.2f} (cpu {one.processor / it.processor:6.2f})" for it in others)
        memory = max(run.memory for run in found[name]) / 1024
        print(f"{name:38}{one.wall * 1000:7.0f} ms{one.processor * 1000:9.0f} ms{memory:6.0f} MiB{ratios}", flush=True)


def machine() -> str:
    """Return Python's version, the system and its processors."""
    return f"Python {platform.python_version()}, {platform.system()} {platform.release()}, {processors()}"


def processors() -> str:
    """Return number and model of the processors."""
    models = []
    with contextlib.suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as file:  # only Linux has it
        models = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    return f"{os.cpu_count()} processors ({models[0] if models else platform.machine()})"


def share_of(times: Sequence[float], share: float) -> float:
    """Return the time that so many of them do not exceed."""
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def spread(times: Sequence[float], factor: float = 1000, unit: str = "ms", digits: int = 1) -> str:
    """Format median, 99th percentile and maximum."""
    figures = (statistics.median(times), share_of(times, 0.99), max(times))
    middle, high, most = (f"{figure * factor:.{digits}f}" for figure in figures)
    return f"median {middle:>6} {unit}, p99 {high:>6}, most {most:>6}, of {len(times):,}"


def bare_start(runs: int = 9) -> Run:
    """Return a start of the bare interpreter."""
    return median(in_turns([BARE], runs)[0])


def bake_of(project: Path, out_dir: Path) -> list[str]:
    """Return our bake into a folder."""
    return assetdb("bake", "--quiet", "--keep-going", project=project, out_dir=out_dir)


def peer_bake(peer: str, project: Path, out_dir: Path) -> list[str]:
    """Return the crate's bake into a folder."""
    return [peer, "bake", "--project", str(project), "--out-dir", str(out_dir)]


def bakes(
    commands: Mapping[str, list[str]],
    folders: Sequence[Path],
    rounds: int,
    edit: Callable[[], object] | None = None,
    warm: int = 1,
) -> dict[str, dict[str, list[Run]]]:
    """Bake cold (without the folders), unchanged and after an edit, in turns; return the runs by step and name."""
    steps = ("cold", "no-op", "one file edited") if edit else ("cold", "no-op")
    found: dict[str, dict[str, list[Run]]] = {step: {name: [] for name in commands} for step in steps}
    for number in range(rounds + warm):
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
        for step, columns in found.items():
            if edit is not None and step == steps[-1]:
                edit()
            for name, command in commands.items():
                taken = run(command)
                if number >= warm:
                    columns[name].append(taken)
    return found


def absent(peer: str) -> str:
    """Return the sentence about a crate that is not installed."""
    return f"the peer is not here: cargo install unity-assetdb --version 0.2.0 (looked for {peer})"


# --- memory of several processes


def peak_pss(command: Sequence[str]) -> float:
    """Run a command and return the peak MiB of its tree of processes.

    Shared memory counts once. Looking costs the processes time, so that no run is both looked at and timed. Linux only;
    0 elsewhere.
    """
    nothing = subprocess.DEVNULL
    process = subprocess.Popen(command, stdout=nothing, stderr=nothing, cwd=CHECKOUT, env=environment())
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
    """Return the MiB of a process, shared memory in part; 0 after its end."""
    with contextlib.suppress(OSError):
        return field_of(f"/proc/{pid}/smaps_rollup", "Pss") / 1024
    return 0.0


def field_of(path: str, name: str) -> int:
    """Return a number of a file of ``/proc`` by its name.

    Raises:
        KeyError: the file has no such row.
    """
    with open(path, encoding="ascii", errors="replace") as file:
        for row in file:
            if row.startswith(f"{name}:"):
                return int(row.split()[1])
    raise KeyError(name)


def tree_of(pid: int) -> Iterator[int]:
    """Yield a process and all below it that there are by now."""
    yield pid
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                children = file.read().split()
            for child in children:
                yield from tree_of(int(child))
