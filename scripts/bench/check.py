"""What do checks cost, beside bakes: a first, an unchanged and a one-edit check, and one of only what a change brought?

    python -m scripts.bench.check PROJECT [--runs 5] [--command check|coverage] [--files 20] [--scratch DIR]

The project is copied (``--scratch``: on that disk), so that it can be edited. Each round bakes from nothing and again,
checks from nothing and again, and bakes and checks after the edit of one prefab. Then the copy is committed to a
repository and changed (``--files`` prefabs, and two scripts that go), and a check has to report only what that brought.
Whole processes, git's among them: medians of processor time, of the time by the clock, and ratios; the most memory.
"""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Final

from assetdb.store.files import MEMO_NAME
from scripts.arguments import Given, script
from scripts.bench.measuring import Run, bake_of, run, table
from scripts.programs import assetdb, copied, git, repository

SETTLED: Final = 0.1  # seconds after which a file's time shows that it was changed again
STEPS: Final = (
    *("cold bake", "no-op bake", "bake after an edit"),
    *("first check, baked before", "unchanged check", "check after an edit", "that, baked before"),
)


def edit(file: Path, number: int) -> None:
    """Give an object of a prefab another name, in a new file."""
    beside = file.with_name(file.name + ".new")
    beside.write_bytes(file.read_bytes().replace(b"\n  m_Name: ", b"\n  m_Name: %d" % number, 1))
    beside.replace(file)
    time.sleep(SETTLED)


def change(root: Path, files: int) -> None:
    """Change so many prefabs, and take two scripts away."""
    chosen = random.Random(1)
    prefabs = sorted((root / "Assets").rglob("*.prefab"))
    for path in chosen.sample(prefabs, min(files, len(prefabs))):
        path.write_bytes(path.read_bytes().replace(b"m_IsActive: 1", b"m_IsActive: 0", 1) + b"\n")
    scripts = sorted((root / "Assets").rglob("*.cs"))
    for path in chosen.sample(scripts, min(2, len(scripts))):
        path.unlink()
        path.with_name(path.name + ".meta").unlink(missing_ok=True)


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


def of_a_change(root: Path, out: Path, files: int, runs: int) -> dict[str, list[Run]]:
    """Return what checks take that report only what a change brought."""
    repository(root)
    change(root, files)

    def checks(*words: str, rounds: int = runs) -> list[Run]:
        command = assetdb("check", "--quiet", *words, project=root, out_dir=out)
        return [run(command, codes=(0, 1)) for _ in range(rounds)]

    checks()
    found = {
        "--since, its side for the first time": checks("--since", "HEAD", rounds=1),
        "--since, both sides seen": checks("--since", "HEAD"),
    }
    git(root, "add", "-A")
    found[f"--staged, {files} files"] = checks("--staged")
    git(root, "commit", "-q", "-m", "a change")
    prefabs = sorted((root / "Assets").rglob("*.prefab"))
    one: list[Run] = []
    for number in range(runs):
        edit(prefabs[number % len(prefabs)], number)
        git(root, "add", "-A")
        one += checks("--staged", rounds=1)
    return found | {"--staged, another prefab each time": one}


@script(__doc__, "project", runs=5, command=("check", "coverage"), files=20, scratch=Path)
def main(given: Given) -> None:
    """Measure one project."""
    with tempfile.TemporaryDirectory(dir=given.scratch) as scratch:
        root, out = copied(given.project, Path(scratch) / "project"), Path(scratch) / "out"
        found = measured(root, out, given.command, given.runs)
        if given.command == "check":
            found |= of_a_change(root, out, given.files, given.runs)
    table(found, "cold bake", "no-op bake", "first check, baked before", "unchanged check")
