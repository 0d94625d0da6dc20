"""How long does a bake take beside the Rust crate's: cold, unchanged, after an edit?

    python -m scripts.bench.bake PROJECT... [--runs 7] [--peer unity-assetdb] [--sizes 60k,300k,1m [--scratch DIR]]

Whole processes in turn, ours and the peer's, warm page cache; the ratio of the medians is what counts. ``--sizes``
asks the same, and more, of generated projects (:mod:`scripts.bench.sizes`), to show how cost grows with them: 9 kB an
asset in ``--scratch``. Projects are read only: both tools write elsewhere, and the edit is made to one file and undone.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from scripts.arguments import Given, script
from scripts.bench.measuring import absent, bake_of, bakes, bare_start, peer_bake, table
from scripts.bench.sizes import compare_sizes


def compare(project: Path, peer: str, runs: int) -> None:
    """Print cold, no-op and edited for one project."""
    edited = next(
        path for path in sorted((project / "Assets").rglob("*.asset")) if path.with_name(path.name + ".meta").is_file()
    )
    meta = edited.with_name(edited.name + ".meta")
    kept = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in (edited, meta)}

    def edit() -> None:
        edited.write_bytes(edited.read_bytes() + b"\n")
        os.utime(meta)  # the peer looks at the meta's time alone

    with tempfile.TemporaryDirectory() as scratch:
        one, other = Path(scratch) / "ours", Path(scratch) / "peer"
        try:
            commands = {"ours": bake_of(project, one), "peer": peer_bake(peer, project, other)}
            found = bakes(commands, (one, other), runs, edit)
        finally:
            for path, (data, mtime_ns) in kept.items():
                path.write_bytes(data)
                os.utime(path, ns=(mtime_ns, mtime_ns))
    for name, columns in found.items():
        print(f"{project.name}: {name}")
        table(columns, "peer")


@script(__doc__, "projects*", runs=7, peer="unity-assetdb", sizes="", scratch=Path)
def main(given: Given) -> None:
    """Run from the command line."""
    print(f"bare interpreter start {bare_start().wall * 1000:.1f} ms")
    if shutil.which(given.peer) is None:
        sys.exit(absent(given.peer))
    for project in given.projects:
        compare(project.resolve(), given.peer, given.runs)
    compare_sizes(given.sizes, given.peer, given.runs, given.scratch)
