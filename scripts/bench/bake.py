"""How long does a bake take beside the Rust crate's: cold, unchanged, after an edit?

::

    python scripts/bench/bake.py PROJECT... [--runs 7] [--peer unity-assetdb] [--sizes]

Whole processes in turn, ours and the peer's, warm page cache; the ratio of the medians is what counts. ``--sizes``
adds synthetic projects of 10,000 to 300,000 assets, with one process and with two, to show how cost grows.
The projects are read only: both tools write elsewhere, and the edit is made to a copy of one folder's file and undone.
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
import time
from pathlib import Path
from typing import NamedTuple

CHECKOUT = Path(__file__).resolve().parent.parent.parent


class Run(NamedTuple):
    """One process: wall seconds, processor seconds, peak memory in KiB."""

    wall: float
    processor: float
    memory: int


def run(command: list[str]) -> Run:
    """Run a command to its end, and take the system's own account of it and its children."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    started = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=CHECKOUT, env=environment
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    if status:
        sys.exit(f"failed: {' '.join(command)}")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)


def median(runs: list[Run]) -> Run:
    """Return the median of each figure."""
    return Run(*(statistics.median(column) for column in zip(*runs, strict=True)))


def line(label: str, ours: list[Run], peer: list[Run]) -> str:
    """Lay one comparison out."""
    one, other = median(ours), median(peer)
    return (
        f"{label:34} ours {one.wall * 1000:7.0f} ms ({one.processor * 1000:6.0f} cpu, {one.memory / 1024:4.0f} MiB)"
        f"   peer {other.wall * 1000:7.0f} ms ({other.processor * 1000:6.0f} cpu, {other.memory / 1024:4.0f} MiB)"
        f"   ratio {one.wall / other.wall:.2f} (cpu {one.processor / other.processor:.2f})"
    )


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


def synthetic(folder: Path, assets: int) -> None:
    """Write a project of textures and materials, 100 to a folder."""
    chooser = random.Random(assets)
    (folder / "ProjectSettings").mkdir(parents=True)
    for number in range(assets):
        place = folder / "Assets" / f"{number // 10_000}" / f"{number // 100}"
        if number % 100 == 0:
            place.mkdir(parents=True)
        name = f"Thing{chooser.randrange(assets)}_{number % 100}" + (".mat" if number % 2 else ".png")
        (place / name).write_bytes(
            b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!21 &2100000\nMaterial:\n" if number % 2 else b""
        )
        importer = "NativeFormatImporter:\n" if number % 2 else "TextureImporter:\n  spriteMode: 1\n  textureType: 8\n"
        (place / f"{name}.meta").write_text(f"fileFormatVersion: 2\nguid: {chooser.getrandbits(128):032x}\n{importer}")


def sizes(runs: int) -> None:
    """Print how the cost of a cold bake grows with the project and with the processes."""
    for assets in (10_000, 30_000, 100_000, 300_000):
        with tempfile.TemporaryDirectory() as scratch:
            project = Path(scratch) / "Project"
            synthetic(project, assets)
            for workers in (1, 2):
                command = [sys.executable, "-m", "assetdb", "bake", "--quiet", "--workers", str(workers)]
                taken = []
                for _ in range(runs + 1):
                    out = Path(scratch) / "out"
                    shutil.rmtree(out, ignore_errors=True)
                    taken.append(run([*command, "--project", str(project), "--out-dir", str(out)]))
                result = median(taken[1:])
                each = result.wall / assets * 10_000 * 1000
                print(f"{assets:7,} assets, {workers} workers: {result.wall:6.2f} s, {each:5.0f} ms for each 10,000")


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("projects", nargs="*", type=Path, metavar="PROJECT")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--peer", default="unity-assetdb", help="the crate's command line")
    parser.add_argument("--sizes", action="store_true")
    arguments = parser.parse_args()
    bare = median([run([sys.executable, "-c", "pass"]) for _ in range(9)])
    print(f"bare interpreter start {bare.wall * 1000:.1f} ms")
    if arguments.projects and shutil.which(arguments.peer) is None:
        sys.exit(f"the peer is not here: cargo install unity-assetdb --version 0.2.0 (looked for {arguments.peer})")
    for project in arguments.projects:
        compare(project.resolve(), arguments.peer, arguments.runs)
    if arguments.sizes:
        sizes(max(2, arguments.runs // 2))


if __name__ == "__main__":
    main()
