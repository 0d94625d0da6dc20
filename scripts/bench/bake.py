"""How long does a bake take beside the Rust crate's: cold, unchanged, after an edit?

::

    python scripts/bench/bake.py PROJECT... [--runs 7] [--peer unity-assetdb] [--sizes 60k,300k,1m [--scratch DIR]]

Whole processes in turn, ours and the peer's, warm page cache; the ratio of the medians is what counts. ``--sizes``
asks the same, and more, of generated projects (:mod:`scripts.bench.sizes`), to show how cost grows with them.
The projects are read only: both tools write elsewhere, and the edit is made to one folder's file and undone.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from scripts.bench.measuring import Run, bare_start, line, run
from scripts.bench.sizes import compare_sizes
from scripts.bench.synthetic import count_of


def compare(project: Path, peer: str, runs: int) -> None:
    """Print cold, no-op and edited for one project."""
    found: dict[str, tuple[list[Run], list[Run]]] = {name: ([], []) for name in ("cold", "no-op", "one file edited")}
    edited = next(
        path for path in sorted((project / "Assets").rglob("*.asset")) if path.with_name(path.name + ".meta").is_file()
    )
    meta = edited.with_name(edited.name + ".meta")
    kept = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in (edited, meta)}
    with tempfile.TemporaryDirectory() as scratch:
        one, other = Path(scratch) / "ours", Path(scratch) / "peer"
        ours = [sys.executable, "-m", "assetdb", "bake", "--quiet", "--project", str(project), "--out-dir", str(one)]
        theirs = [peer, "bake", "--project", str(project), "--out-dir", str(other)]
        try:
            for number in range(runs + 1):
                for folder in (one, other):
                    shutil.rmtree(folder, ignore_errors=True)
                cold = run(ours), run(theirs)
                same = run(ours), run(theirs)
                edited.write_bytes(kept[edited][0] + b"\n" * (number + 1))
                os.utime(meta)  # the peer looks at the meta's time alone
                after = run(ours), run(theirs)
                if number:  # the first round warms the page cache
                    for pair, name in zip((cold, same, after), found, strict=True):
                        found[name][0].append(pair[0])
                        found[name][1].append(pair[1])
        finally:
            for path, (data, mtime_ns) in kept.items():
                path.write_bytes(data)
                os.utime(path, ns=(mtime_ns, mtime_ns))
    for name, (mine, peers) in found.items():
        print(line(f"{project.name}: {name}", mine, peers))


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("projects", nargs="*", type=Path, metavar="PROJECT")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--peer", default="unity-assetdb", help="the crate's command line")
    parser.add_argument("--sizes", default="", metavar="60k,300k,1m", help="of projects to generate")
    parser.add_argument("--scratch", type=Path, help="where these go: 9 kB an asset")
    arguments = parser.parse_args()
    print(f"bare interpreter start {bare_start().wall * 1000:.1f} ms")
    if shutil.which(arguments.peer) is None:
        sys.exit(f"the peer is not here: cargo install unity-assetdb --version 0.2.0 (looked for {arguments.peer})")
    for project in arguments.projects:
        compare(project.resolve(), arguments.peer, arguments.runs)
    if arguments.sizes:
        sizes = [count_of(size) for size in arguments.sizes.split(",")]
        compare_sizes(sizes, arguments.peer, arguments.runs, arguments.scratch)


if __name__ == "__main__":
    main()
