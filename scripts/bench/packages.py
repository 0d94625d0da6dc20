"""What do 20,000 files of a PackageCache cost a bake: the first one, one that changes nothing?

::

    python scripts/bench/packages.py [--files 20000] [--packages 40] [--runs 7]

Whole processes in turn: the same generated project with its PackageCache and without; the ratio of the medians counts.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Final

CHECKOUT: Final = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
if __name__ == "__main__":
    sys.path.insert(0, CHECKOUT)

from scripts.make_packages import build  # noqa: E402 - the checkout's own


def bake(project: str) -> float:
    """Return the seconds of one bake."""
    started = time.perf_counter()
    command = [sys.executable, "-m", "assetdb", "bake", "--quiet", "--project", project]
    subprocess.run(command, cwd=CHECKOUT, check=True)
    return time.perf_counter() - started


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--packages", type=int, default=40)
    parser.add_argument("--runs", type=int, default=7)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        projects = {name: os.path.join(folder, name) for name in ("with", "without")}
        for project in projects.values():
            build(project, arguments.files, arguments.packages)
        shutil.rmtree(os.path.join(projects["without"], "Library", "PackageCache"))
        for what in ("first bake", "no change"):
            times: dict[str, list[float]] = {name: [] for name in projects}
            for _ in range(arguments.runs):
                for name, project in projects.items():
                    if what == "first bake":
                        shutil.rmtree(os.path.join(project, "Library", "assetdb"), ignore_errors=True)
                    times[name].append(bake(project))
            least = {name: statistics.median(found) for name, found in times.items()}
            ratio = least["with"] / least["without"]
            print(
                f"{what:10}  with {least['with'] * 1000:7.1f} ms  without {least['without'] * 1000:6.1f}  {ratio:.2f}"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
