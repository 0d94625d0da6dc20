"""What does it cost to report only what a change brought, beside a check of everything and a bake that changes nothing?

    python scripts/bench/revisions.py PROJECT [--files 20]

The project is copied, put into a repository of its own and changed (prefabs, and two scripts that go). Processor time
of whole processes, git's among it; the median of three rounds where something can be done again.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 3
IDENTITY = ("-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "gc.auto=0")


def seconds(root: Path, *words: str) -> float:
    """Return the processor time of a command line."""
    before = os.times()
    command = [sys.executable, "-m", "assetdb", *words, "--project", str(root)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode > 1:
        raise SystemExit(done.stderr.decode())
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def median(root: Path, *words: str) -> float:
    """Return the median of some rounds."""
    return statistics.median(seconds(root, *words) for _ in range(ROUNDS))


def git(root: Path, *words: str) -> None:
    """Run git in the copy."""
    subprocess.run(["git", "-C", str(root), *IDENTITY, *words], check=True, stdout=subprocess.DEVNULL)


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
    reader = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    reader.add_argument("project", type=Path)
    reader.add_argument("--files", type=int, default=20)
    options = reader.parse_args()
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / "project"
        shutil.copytree(options.project, root, symlinks=True, ignore=shutil.ignore_patterns(".git", "Library"))
        (root / ".git").mkdir()
        git(root, "init", "-q", ".")
        (root / ".git" / "info").mkdir(exist_ok=True)
        (root / ".git" / "info" / "exclude").write_text("/Library/\n")
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "before")
        change(root, options.files)
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
            f"--staged, {options.files} files",
            staged,
            f"{staged / bake:.1f} such bakes, {staged / again:.2f} such checks",
        ),
    )
    for what, time, ratio in rows:
        print(f"{what:38} {time:6.2f} s  {ratio}")


if __name__ == "__main__":
    main()
