"""What do 20,000 files of a PackageCache cost a bake: the first one, one that changes nothing?

    python -m scripts.bench.packages [--files 20000] [--packages 40] [--runs 7]

Whole processes in turn: the same generated project with its PackageCache and without; the ratio of the medians counts.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from scripts.arguments import Given, script
from scripts.bench.measuring import bakes, table
from scripts.make_packages import build
from scripts.programs import assetdb


@script(__doc__, files=20_000, packages=40, runs=7)
def main(given: Given) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        projects = {name: Path(folder, name) for name in ("with", "without")}
        for project in projects.values():
            build(str(project), given.files, given.packages)
        shutil.rmtree(projects["without"] / "Library" / "PackageCache")
        commands = {name: assetdb("bake", "--quiet", project=project) for name, project in projects.items()}
        written = [project / "Library" / "assetdb" for project in projects.values()]
        for step, columns in bakes(commands, written, given.runs, warm=0).items():
            print(step)
            table(columns, "without")
