"""How long does tracing a whole player to its project take, beside reading that player and no more?

    python -m scripts.bench.traces PROJECT PLAYER [--runs 5]

Each is a process of its own, in turns, median; the ratio is to reading. ``read`` indexes the player's tables with
names and references and remembers nothing; ``trace`` does that, too, and joins every object of the player with the
project, whose database is baked before and is opened as it is. Everything counts, also the start of the interpreter.
The project is copied to a temporary folder first, for the bake writes there.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from scripts.arguments import Given, script
from scripts.bench.measuring import runs_of, table
from scripts.programs import assetdb, copied, quietly

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


@script(__doc__, "project", "player", runs=5)
def main(given: Given) -> None:
    """Run."""
    player = str(given.player.absolute())
    with tempfile.TemporaryDirectory() as temporary:
        root = copied(given.project, Path(temporary) / "project")
        quietly(assetdb("bake", "--keep-going", "--quiet", project=root))
        read = [sys.executable, "-c", READ, player]
        table(runs_of({"read": read, "trace": [*read[:2], TRACE, player, str(root)]}, given.runs), "read")
