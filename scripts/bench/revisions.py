"""What does it cost to report only what a change brought, beside a check of everything and a bake that changes nothing?

    python -m scripts.bench.revisions PROJECT [--files 20]

The project is copied, put into a repository of its own and changed (prefabs, and two scripts that go). Processor time
of whole processes, git's among it; the median of three rounds where something can be done again.
"""

from __future__ import annotations

import random
import statistics
import tempfile
from pathlib import Path

from scripts.arguments import arguments
from scripts.bench.measuring import run
from scripts.programs import assetdb, copied, git, repository

ROUNDS = 3


def seconds(root: Path, *words: str) -> float:
    """Return the processor time of a command line."""
    return run(assetdb(*words, project=root), codes=(0, 1)).processor


def median(root: Path, *words: str) -> float:
    """Return the median of some rounds."""
    return statistics.median(seconds(root, *words) for _ in range(ROUNDS))


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


def main() -> None:
    """Measure and print."""
    given = arguments(__doc__, "project", files=20)
    with tempfile.TemporaryDirectory() as place:
        root = copied(given.project, Path(place) / "project")
        repository(root)
        change(root, given.files)
        seconds(root, "bake", "--keep-going")
        bake = median(root, "bake", "--keep-going")
        first = seconds(root, "check")
        again = median(root, "check")
        since_first = seconds(root, "check", "--since", "HEAD")
        since = median(root, "check", "--since", "HEAD")
        git(root, "add", "-A")
        staged = median(root, "check", "--staged")
    rows = (
        ("a bake that changes nothing", bake, ""),
        ("a first check", first, f"{first / bake:.1f} such bakes"),
        ("a check that finds nothing changed", again, f"{again / bake:.1f} such bakes"),
        (
            "--since, its side for the first time",
            since_first,
            f"{(first + since_first) / first:.2f} first checks with one",
        ),
        ("--since, both sides seen", since, f"{since / bake:.1f} such bakes, {since / again:.2f} such checks"),
        (
            f"--staged, {given.files} files",
            staged,
            f"{staged / bake:.1f} such bakes, {staged / again:.2f} such checks",
        ),
    )
    for what, time, ratio in rows:
        print(f"{what:38} {time:6.2f} s  {ratio}")


if __name__ == "__main__":
    main()
