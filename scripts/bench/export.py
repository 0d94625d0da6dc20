"""How long does an export to Parquet take, measured in cold bakes of the same project?

    python -m scripts.bench.export PROJECT... [--runs 5]

The output folder is up to date, and findings are known, as after a check. Whole processes in turn: a bake from nothing,
a check that finds nothing changed, and exports with ``--quick``, of each table alone, and of all. Prints medians and
ratios to the bake, peak memory of all processes of an export of all (PSS), and the bytes that were written.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from scripts.arguments import Given, script
from scripts.bench.measuring import Run, alternately, bake_of, peak_pss, run, table
from scripts.programs import assetdb

EXPORTS = {
    "--quick": ["--quick"],
    "objects": ["--table", "objects"],
    "references": ["--table", "references"],
    "findings": ["--table", "findings"],
    "all": [],
}


def compare(project: Path, runs: int) -> None:
    """Print the figures of a project."""
    with tempfile.TemporaryDirectory() as scratch:
        out, cold, fleet = (Path(scratch) / name for name in ("out", "cold", "fleet"))
        check = assetdb("check", "--exit-zero", project=project, out_dir=out)
        export = assetdb("export", fleet, project=project, out_dir=out)
        run(check)

        def bake() -> Run:
            shutil.rmtree(cold, ignore_errors=True)
            return run(bake_of(project, cold))

        works: dict[str, Callable[[], Run]] = {"bake": bake, "check": partial(run, check)}
        works |= {name: partial(run, [*export, *words]) for name, words in EXPORTS.items()}
        taken = alternately(works, runs)
        memory = peak_pss(export)
        size = sum(path.stat().st_size for path in fleet.rglob("*.parquet"))
    print(project.name)
    table(taken, "bake")
    print(f"    all: {memory:.0f} MiB at most in all processes, {size / 1e6:.1f} MB of Parquet")


@script(__doc__, "projects+", runs=5)
def main(given: Given) -> None:
    """Run from the command line."""
    for project in given.projects:
        compare(project.resolve(), given.runs)
