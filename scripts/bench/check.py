"""What do a first, an unchanged and a one-edit check cost, beside a cold and a no-op bake?

::

    python scripts/bench/check.py PROJECT [--runs 5] [--command check]

The project is taken into a folder of our own by hard links, so that it can be edited. Each round bakes from nothing and
again, checks from nothing and again, and bakes and checks after the edit of one prefab; medians of processor time of
all processes, of the time on the clock, and their ratios; the most memory that a process took.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from assetdb.store.files import MEMO_NAME

SETTLED: Final = 0.1  # seconds after which what was written is told from what it becomes
STEPS: Final = (
    *("cold bake", "no-op bake", "bake after an edit"),
    *("first check, baked before", "unchanged check", "check after an edit", "that, baked before"),
)


class Cost(NamedTuple):
    """What a command took: seconds of all processors, seconds, and MB of its largest process."""

    processor: float
    wall: float
    memory: float


def run(*words: str) -> Cost:
    """Run a command of this checkout's assetdb; what it finds is no failure."""
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "assetdb", *words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(words)} failed")
    return Cost(usage.ru_utime + usage.ru_stime, time.perf_counter() - started, usage.ru_maxrss / 1024)


def edit(file: Path, number: int) -> None:
    """Give an object of a prefab another name, in a new file: the old one is linked to the original."""
    text = file.read_bytes().replace(b"\n  m_Name: ", b"\n  m_Name: %d" % number, 1)
    beside = file.with_name(file.name + ".new")
    beside.write_bytes(text)
    beside.replace(file)
    time.sleep(SETTLED)


def measured(root: Path, out: Path, command: str, runs: int) -> dict[str, list[Cost]]:
    """Return what each step took in each round."""
    place = ("--project", str(root), "--out-dir", str(out))
    bake = ("bake", "--quiet", "--keep-going", *place)
    check = (command, "--quiet", *place)
    prefab = max((root / "Assets").rglob("*.prefab"), key=lambda path: path.stat().st_size)
    found: dict[str, list[Cost]] = {step: [] for step in STEPS}
    for number in range(runs):
        shutil.rmtree(out, ignore_errors=True)
        found["cold bake"].append(run(*bake))
        run(*bake)
        found["no-op bake"].append(run(*bake))
        found["first check, baked before"].append(run(*check))
        found["unchanged check"].append(run(*check))
        edit(prefab, 2 * number)
        found["bake after an edit"].append(run(*bake))
        found["that, baked before"].append(run(*check))
        edit(prefab, 2 * number + 1)
        found["check after an edit"].append(run(*check))
    if not (out / MEMO_NAME).exists():
        raise SystemExit("nothing was kept")
    return found


def main() -> int:
    """Measure one project."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--command", choices=("check", "coverage"), default="check")
    parser.add_argument("--scratch", help="a folder on the same disk as the project")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.scratch) as scratch:
        root = Path(scratch) / "project"
        for name in ("Assets", "Packages", "ProjectSettings"):
            if (arguments.project / name).is_dir():
                shutil.copytree(arguments.project / name, root / name, copy_function=os.link, symlinks=True)
        found = measured(root, Path(scratch) / "out", arguments.command, arguments.runs)
    middle = {step: Cost(*map(median, zip(*costs, strict=True))) for step, costs in found.items()}
    cold, same = middle["cold bake"], middle["no-op bake"]
    print(f"{'':28}{'processor':>11}{'wall':>9}{'memory':>10}{'cold bakes':>13}{'no-op bakes':>13}")
    for step, cost in middle.items():
        print(
            f"{step:28}{cost.processor:9.2f} s{cost.wall:7.2f} s{cost.memory:7.0f} MB"
            f"{cost.processor / cold.processor:13.2f}{cost.processor / same.processor:13.2f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
