"""How long do a bake and a check of a fresh clone take, where the output folder of another one is restored?

    python -m scripts.bench.clone PROJECT... [--runs 5]

Each project is copied twice, so that all times and inodes are others. The first copy is baked and checked; the second
gets the output folder of the first, and then none but a folder of shared facts (``ASSETDB_FACTS``) that the first one
filled. Whole processes in turn; prints medians, ratios to a first bake and check and to ones that find nothing changed,
what it costs a first bake to fill the shared folder, and how large that is. Exits with 1 where a file was parsed, a
reference judged or a rule asked again, or the database is another.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any
from unittest.mock import patch

from assetdb.checks.findings.engine import check_project
from assetdb.checks.findings.finding import Finding
from assetdb.checks.findings.selection import Selection
from assetdb.checks.rules import Rule
from assetdb.checks.verdicts.state import State
from assetdb.diagnostics import STAND_ALONE
from assetdb.memo.view import View
from assetdb.query.snapshots.snapshot import open_project
from scripts.arguments import Given, script
from scripts.bench.measuring import Run, median, run
from scripts.programs import assetdb, copied

BAKE = ("bake", "--keep-going", "--json")
CHECK = ("check", "--exit-zero")
RACY = 3.0  # seconds until no file is too young for its identity to be trusted
FACTS = "ASSETDB_FACTS"
OUT = Path("Library") / "assetdb"


def work_of_check(place: Path) -> int:
    """Return how much a check judges, and by how many rules; 0 where it only compares."""
    done = []
    follow, find = State.follow, Rule.find

    def followed(state: State, *words: Any, **options: Any) -> State:  # noqa: ANN401 - as it is given
        found = follow(state, *words, **options)
        done.append(found.work)
        return found

    def asked(rule: Rule, view: View) -> list[Finding]:
        done.append(1)
        return find(rule, view)

    project = open_project(str(place))
    try:
        with patch.object(State, "follow", followed), patch.object(Rule, "find", asked):
            check_project(project, Selection())
    finally:
        project.close()
    return sum(done)


def compare(project: Path, runs: int) -> list[str]:
    """Print the figures of a project; return what was missed."""
    taken: dict[str, list[Run]] = {}
    missed: list[str] = []

    def measure(name: str, words: tuple[str, ...], place: Path) -> str:
        taken.setdefault(name, []).append(run(assetdb(*words, project=place), given=""))
        return taken[name][-1].printed

    with tempfile.TemporaryDirectory() as scratch:
        one, two = (copied(project, Path(scratch) / name) for name in ("one", "two"))
        store = Path(scratch) / "facts"
        time.sleep(RACY)
        for _ in range(runs):
            for place in (one, two):
                shutil.rmtree(place / OUT, ignore_errors=True)
            measure("bake: first", BAKE, one)
            measure("bake: no-op", BAKE, one)
            first = measure("check: first", CHECK, one)
            measure("check: again", CHECK, one)
            shutil.copytree(one / OUT, two / OUT, copy_function=shutil.copyfile)
            for kind in ("restored", "shared"):
                if kind == "shared":
                    shutil.rmtree(store, ignore_errors=True)
                    for place in (one, two):
                        shutil.rmtree(place / OUT)
                    os.environ[FACTS] = str(store)
                    measure("bake: filling", BAKE, one)
                    measure("check: filling", CHECK, one)
                baked = json.loads(measure(f"bake: {kind}", BAKE, two))
                alone = sum(row["code"] in STAND_ALONE for row in baked["diagnostics"])
                read = baked["files_read"] - alone  # what a listing finds without its asset is read with it
                if read > 0:
                    missed.append(f"{project.name}: {kind}: {read} files were parsed")
                if first != measure(f"check: {kind}", CHECK, two):
                    missed.append(f"{project.name}: {kind}: the findings are others")
                missed += [
                    f"{project.name}: {kind}: {name} is another"
                    for name in ("asset-db.bin", "asset-db.index")
                    if (one / OUT / name).read_bytes() != (two / OUT / name).read_bytes()
                ]
            os.environ.pop(FACTS)
        for kind in ("restored", "shared"):
            shutil.rmtree(two / OUT)
            if kind == "shared":
                os.environ[FACTS] = str(store)
            else:
                shutil.copytree(one / OUT, two / OUT, copy_function=shutil.copyfile)
            if work_of_check(two):
                missed.append(f"{project.name}: {kind}: something was judged or asked again")
        os.environ.pop(FACTS)
        facts = sum(path.stat().st_size for path in store.rglob("*") if path.is_file())
        kept = sum((one / OUT / name).stat().st_size for name in ("asset-db.cache", "asset-db.memo"))
    found = {name: median(runs).wall for name, runs in taken.items()}
    for kind, warm in (("bake", "no-op"), ("check", "again")):
        cold, same = found[f"{kind}: first"], found[f"{kind}: {warm}"]
        print(f"{project.name}: {kind}: first {cold:.2f} s, {warm} {same:.2f} s")
        for name in ("restored", "shared"):
            seconds = found[f"{kind}: {name}"]
            print(f"    {name} {seconds:.2f} s = {seconds / cold:.2f} of the first, {seconds / same:.1f} of {warm}")
        print(f"    filling the shared folder {found[f'{kind}: filling'] / cold:.2f} of the first")
    print(f"    the shared folder has {facts / 1e6:.1f} MB = {facts / kept:.2f} of cache and memo")
    return missed


@script(__doc__, "projects+", runs=5)
def main(given: Given) -> bool:
    """Run from the command line."""
    missed = [problem for project in given.projects for problem in compare(project.resolve(), given.runs)]
    print(*missed, sep="\n", end="\n" if missed else "")
    return bool(missed)
