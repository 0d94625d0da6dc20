"""What do a first, an unchanged and a one-edit check cost, beside a cold and a no-op bake?

::

    python -m scripts.bench.check PROJECT [--runs 5] [--command check|coverage] [--scratch DIR]

The project is taken into a folder of our own (``--scratch``: on its disk) by hard links, so that it can be edited. Each
round bakes from nothing and again, checks from nothing and again, and bakes and checks after the edit of one prefab;
medians of processor time of all processes, of the time by the clock, and ratios; the most memory of a process.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Final

from assetdb.store.files import MEMO_NAME
from scripts.arguments import Given, script
from scripts.bench.measuring import Run, bake_of, run, table
from scripts.programs import assetdb

SETTLED: Final = 0.1  # seconds after which what was written is told from what it becomes
STEPS: Final = (
    *("cold bake", "no-op bake", "bake after an edit"),
    *("first check, baked before", "unchanged check", "check after an edit", "that, baked before"),
)


def edit(file: Path, number: int) -> None:
    """Give an object of a prefab another name, in a new file: the old one is linked to the original."""
    text = file.read_bytes().replace(b"\n  m_Name: ", b"\n  m_Name: %d" % number, 1)
    beside = file.with_name(file.name + ".new")
    beside.write_bytes(text)
    beside.replace(file)
    time.sleep(SETTLED)


def measured(root: Path, out: Path, command: str, runs: int) -> dict[str, list[Run]]:
    """Return what each step took in each round."""
    bake = partial(run, bake_of(root, out))
    check = partial(run, assetdb(command, "--quiet", project=root, out_dir=out), codes=(0, 1))
    prefab = max((root / "Assets").rglob("*.prefab"), key=lambda path: path.stat().st_size)
    found: dict[str, list[Run]] = {step: [] for step in STEPS}
    for number in range(runs):
        shutil.rmtree(out, ignore_errors=True)
        found["cold bake"].append(bake())
        bake()
        found["no-op bake"].append(bake())
        found["first check, baked before"].append(check())
        found["unchanged check"].append(check())
        edit(prefab, 2 * number)
        found["bake after an edit"].append(bake())
        found["that, baked before"].append(check())
        edit(prefab, 2 * number + 1)
        found["check after an edit"].append(check())
    if not (out / MEMO_NAME).exists():
        raise SystemExit("nothing was kept")
    return found


@script(__doc__, "project", runs=5, command=("check", "coverage"), scratch=Path)
def main(given: Given) -> None:
    """Measure one project."""
    with tempfile.TemporaryDirectory(dir=given.scratch) as scratch:
        root = Path(scratch) / "project"
        for name in ("Assets", "Packages", "ProjectSettings"):
            if (given.project / name).is_dir():
                shutil.copytree(given.project / name, root / name, copy_function=os.link, symlinks=True)
        found = measured(root, Path(scratch) / "out", given.command, given.runs)
    table(found, "cold bake", "no-op bake")
