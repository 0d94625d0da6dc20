"""How far above the system's own calls is a bake: the same files listed, looked at and read, and nothing else?

    python -m scripts.bench.floor PROJECT... [--runs 5]

A bake that changes nothing lists no directory and looks at every file once; a cold one lists all, looks at all, and
reads metas and text assets. Here the same calls are made on the same files from loops in C (``map`` into ``deque``),
with paths relative to the directory that they lie in, as a bake has them, in one process and in two that share the
directories. Nothing that reads the project as it is can take less. Warm page cache; whole bakes beside it.
"""

from __future__ import annotations

import os
import stat
import tempfile
import time
from collections import deque
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import Final

from assetdb.settings.project import is_hidden
from assetdb.unity.kinds import ASSEMBLY, DOCUMENTS, GRAPH, SOURCE, URLS, extensions_with
from scripts.arguments import Given, script
from scripts.bench.measuring import bake_of, in_turns, median, medians, run

KINDS: Final = ("cold", "no-op")
_OPEN_AT_ONCE: Final = 200
_TEXT: Final = extensions_with(DOCUMENTS, SOURCE, ASSEMBLY, GRAPH, URLS)


def directories(project: Path) -> list[tuple[bytes, list[bytes], list[bytes]]]:
    """Return the directories of a project that a bake looks at: path, names of files, and of those that it reads."""
    found = []
    for root in ("Assets", "Packages"):
        for path, below, names in os.walk(os.fsencode(project / root)):
            below[:] = [name for name in below if not is_hidden(name)]
            files = [name for name in names if not is_hidden(name)]
            read = [name for name in files if _is_read(os.fsdecode(name))]
            found.append((path, files, read))
    return found


def _is_read(name: str) -> bool:
    extension = name.rpartition(".")[2].lower()
    return extension == "meta" or extension in _TEXT


_exhaust = partial(deque[object], maxlen=0)


def _do(share: list[tuple[bytes, list[bytes], list[bytes]]], *, cold: bool) -> None:
    """Do what a cold bake, or one that changes nothing, does to some directories."""
    for path, files, readable in share:
        os.chdir(path)
        os.stat(b".")
        if not cold:
            _exhaust(map(os.stat, files))
            continue
        os.listdir(b".")
        _exhaust(map(os.stat, set(files).difference(readable)))
        for first in range(0, len(readable), _OPEN_AT_ONCE):
            opened = list(map(os.open, readable[first : first + _OPEN_AT_ONCE], repeat(os.O_RDONLY)))
            sizes = [status[stat.ST_SIZE] + 1 for status in map(os.fstat, opened)]
            _exhaust(map(os.read, opened, sizes))
            _exhaust(map(os.close, opened))


def calls_of(project: Path, *, cold: bool, processes: int) -> float:
    """Return the seconds that the calls take; the names are known before the clock starts."""
    found = directories(project)
    shares = [found[number::processes] for number in range(processes)]
    started = time.perf_counter()
    children = []
    for share in shares[1:]:
        pid = os.fork()
        if pid == 0:
            _do(share, cold=cold)
            os._exit(0)
        children.append(pid)
    _do(shares[0], cold=cold)
    for child in children:
        os.waitpid(child, 0)
    return time.perf_counter() - started


def floor(project: Path, runs: int) -> dict[str, float]:
    """Return seconds: ``cold`` and ``no-op`` of the calls in two processes, and ``cold, 1`` and ``no-op, 1`` in one."""
    works = {
        label + more: partial(calls_of, project, cold=label == "cold", processes=processes)
        for label in KINDS
        for processes, more in ((2, ""), (1, ", 1"))
    }
    return medians(works, runs)


def compare(project: Path, runs: int) -> None:
    """Print floor and bakes of one project."""
    with tempfile.TemporaryDirectory() as scratch:
        cold = [run(bake_of(project, Path(scratch) / str(number))) for number in range(runs + 1)][1:]
        again = in_turns([bake_of(project, Path(scratch) / "0")], runs)[0]
    taken = floor(project, runs)
    counted = directories(project)
    print(
        f"{project.name}: {sum(len(files) for _, files, _ in counted):,} files in {len(counted):,} directories,"
        f" of which a cold bake reads {sum(len(names) for _, _, names in counted):,}"
    )
    for label, baked in zip(KINDS, (median(cold).wall, median(again).wall), strict=True):
        both, one = taken[label], taken[label + ", 1"]
        print(
            f"  {label:6} calls alone {one * 1000:6.0f} ms in one process, {both * 1000:6.0f} in two;"
            f" the bake {baked * 1000:6.0f} ms, {baked / both:.1f} times that"
        )


@script(__doc__, "projects+", runs=5)
def main(given: Given) -> None:
    """Run from the command line."""
    for project in given.projects:
        compare(project.resolve(), given.runs)
