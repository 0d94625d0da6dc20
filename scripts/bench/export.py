"""How long does an export to Parquet take, measured in cold bakes of the same project?

::

    python -m scripts.bench.export PROJECT... [--runs 5]

The output folder is up to date, and findings are known, as after a check. Whole processes in turn: a bake from nothing,
a check that finds nothing changed, and exports with ``--quick``, of each table alone, and of all. Prints medians and
ratios to the bake, peak memory of all processes of an export of all (PSS), and the bytes that were written.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from scripts.bench.measuring import Run, median, peak_pss, run

ASSETDB = [sys.executable, "-m", "assetdb"]
EXPORTS = {
    "--quick": ["--quick"],
    "objects": ["--table", "objects"],
    "references": ["--table", "references"],
    "findings": ["--table", "findings"],
    "all": [],
}


def compare(project: Path, runs: int) -> None:
    """Print the figures of a project."""
    taken: dict[str, list[Run]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        out, cold, fleet = (str(Path(scratch) / name) for name in ("out", "cold", "fleet"))
        here = ["--project", str(project), "--out-dir", out]
        bake = [*ASSETDB, "bake", "--keep-going", "--project", str(project), "--out-dir", cold]
        check = [*ASSETDB, "check", "--exit-zero", *here]
        export = [*ASSETDB, "export", fleet, *here]
        run(check)
        for number in range(runs + 1):
            shutil.rmtree(cold, ignore_errors=True)
            for name, command in (
                ("bake", bake),
                ("check", check),
                *((name, [*export, *words]) for name, words in EXPORTS.items()),
            ):
                found = run(command)
                if number:  # the first round warms the page cache
                    taken.setdefault(name, []).append(found)
        memory = peak_pss(export)
        size = sum(path.stat().st_size for path in Path(fleet).rglob("*.parquet"))
    whole = median(taken["bake"])
    print(f"{project.name}: cold bake {whole.wall:.2f} s ({whole.processor:.2f} cpu)")
    for name, found in taken.items():
        if name != "bake":
            one = median(found)
            print(
                f"    {name:12} {one.wall:6.2f} s ({one.processor:5.2f} cpu) = {one.wall / whole.wall:.2f} cold bakes"
                f" (cpu {one.processor / whole.processor:.2f})"
            )
    print(f"    all: {memory:.0f} MiB at most in all processes, {size / 1e6:.1f} MB of Parquet")


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("projects", nargs="+", type=Path, metavar="PROJECT")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    for project in arguments.projects:
        compare(project.resolve(), arguments.runs)


if __name__ == "__main__":
    main()
