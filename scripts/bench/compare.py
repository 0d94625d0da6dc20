"""Is one commit slower than another?

    python -m scripts.bench.compare --old COMMIT [--new HEAD] [PROJECT...] [--pairs 7] [--most 1.05]

Both commits are taken from git into a folder of their own and run by this interpreter, without the native module: cold,
unchanged and after an edit, then a first and an unchanged check. The processes of a pair follow one another, the old
and the new one first in turn, and each pair gives a ratio: its median tells, while medians of times move with whatever
else the machine does. Where the median of processor times is above ``--most`` the exit code is 1. Without projects:
UnityPlayground, FPSSample and unitystation of the corpus (``ASSETDB_CORPUS``), which are copied, since one is edited;
a quarter of an hour. Whoever changes the scan runs this.
"""

from __future__ import annotations

import io
import os
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from scripts.arguments import Given, script
from scripts.bench.measuring import Run, run
from scripts.programs import CHECKOUT, CORPUS, copied

PROJECTS: Final = ("UnityPlayground", "FPSSample", "unitystation/UnityProject")
STEPS: Final = ("cold", "nothing changed", "one file edited", "first check", "unchanged check")
FINDINGS: Final = 1  # the exit code of a check that has some


class Commit:
    """A commit's sources, and the folder that it writes to."""

    def __init__(self, name: str, place: Path) -> None:
        """Take the sources of a commit from git into a folder."""
        packed = subprocess.run(["git", "archive", name], cwd=CHECKOUT, check=True, stdout=subprocess.PIPE).stdout
        with tarfile.open(fileobj=io.BytesIO(packed)) as sources:
            sources.extractall(place / "sources", filter="data")
        self.out = place / "out"
        self._path = os.pathsep.join([str(place / "sources"), str(place / "sources/formats")])

    def run(self, *words: str, project: Path) -> Run:
        """Run a command of its assetdb."""
        given = [f"PYTHONPATH={self._path}", "ASSETDB_NATIVE=0"]
        command = [sys.executable, "-P", "-m", "assetdb", *words, "--project", str(project), "--out-dir", str(self.out)]
        return run(["env", *given, *command], codes=(0, FINDINGS))


def pairs_of(project: Path, old: Commit, new: Commit, count: int, edit: Callable[[], object]) -> dict[str, list[float]]:
    """Return the ratios of each step, of processor time and of the clock, by name."""
    found: dict[str, list[float]] = {}
    for number in range(count + 1):  # the first pair compiles the modules and warms the page cache
        order = [old, new] if number % 2 else [new, old]
        for step in STEPS:
            if step == STEPS[2]:
                edit()
            taken = {}
            for commit in order:
                if step == STEPS[0]:
                    shutil.rmtree(commit.out, ignore_errors=True)
                words = ("check",) if "check" in step else ("bake", "--quiet", "--keep-going")
                taken[commit] = commit.run(*words, project=project)
            if number:
                found.setdefault(f"{step}, processor", []).append(taken[new].processor / taken[old].processor)
                found.setdefault(f"{step}, clock", []).append(taken[new].wall / taken[old].wall)
    return found


def compare(project: Path, old: str, new: str, pairs: int) -> float:
    """Print the ratios for one project; return the highest median of processor time."""
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        own = copied(project, place / "project")
        edited = next(path for path in sorted((own / "Assets").rglob("*.asset")) if path.stat().st_size)

        def edit() -> None:
            with edited.open("ab") as file:
                file.write(b"\n")

        found = pairs_of(own, Commit(old, place / "old"), Commit(new, place / "new"), pairs, edit)
    highest = 0.0
    for name, ratios in found.items():
        middle = statistics.median(ratios)
        print(f"{project.name:20} {name:28} {middle:6.3f}  ({min(ratios):.3f} to {max(ratios):.3f})", flush=True)
        if name.endswith("processor"):
            highest = max(highest, middle)
    return highest


@script(__doc__, "projects*", old=str, new="HEAD", pairs=7, most=1.05)
def main(given: Given) -> bool:
    """Run from the command line."""
    if given.old is None:
        sys.exit("--old names the commit to compare with")
    projects = [path.resolve() for path in given.projects] or [CORPUS / "unity" / name for name in PROJECTS]
    highest = max(compare(project, given.old, given.new, given.pairs) for project in projects)
    is_slower = bool(highest > given.most)
    print(f"the highest median is {highest:.3f} of {given.old}: {'more than' if is_slower else 'within'} {given.most}")
    return is_slower
