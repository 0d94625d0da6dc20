"""How long does tracing a whole player to its project take, beside reading that player and no more?

    python -m scripts.bench.traces PROJECT PLAYER [--runs 5]

Each is a process of its own, in turns, median; the ratio is to reading. ``read`` indexes the player's tables with
names and references and remembers nothing; ``trace`` does that, too, and joins every object of the player with the
project, whose database is baked before and is opened as it is. Everything counts, also the start of the interpreter.
The project is copied to a temporary folder first, for the bake writes there.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.bench.measuring import in_turns, line

READ = """
import sys
from assetdb.builds import open_build
print(len(open_build(sys.argv[1], remember=False)))
"""
TRACE = """
import sys
from assetdb.builds import open_build
from assetdb.builds.trace.tracer import Tracer
from assetdb.query.snapshots.snapshot import open_project
project = open_project(sys.argv[2])
print(sum(1 for row in Tracer(open_build(sys.argv[1], remember=False), project).all()))
"""


def main() -> None:
    """Run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", type=Path)
    parser.add_argument("player", type=Path, help="its _Data folder")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary) / "project"
        shutil.copytree(arguments.project, root, ignore=shutil.ignore_patterns("*_Data"), copy_function=shutil.copy)
        bake = [sys.executable, "-m", "assetdb", "bake", "--keep-going", "--quiet", "--project", str(root)]
        subprocess.run(bake, check=True)
        read, trace = in_turns(
            [
                [sys.executable, "-c", READ, str(arguments.player.absolute())],
                [sys.executable, "-c", TRACE, str(arguments.player.absolute()), str(root)],
            ],
            arguments.runs,
        )
    print(line("read", read, read))
    print(line("trace", trace, read))


if __name__ == "__main__":
    main()
