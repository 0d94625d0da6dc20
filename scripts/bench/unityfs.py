"""How long do all bundles of a folder take to their object tables, and how much memory, beside the peers?

    python scripts/bench/unityfs.py [FOLDER ...] [--rounds 7] [--unitypy PYTHON] [--rust BINARY]

Each reader is a process of its own that reads every UnityFS file below the folders: in turns, A B A B, and the ratio
is that of the medians. Everything counts, also the start of the interpreter. Object tables alone for all but
UnityPy, which always reads the AssetBundle objects too; ``with containers`` is this reader doing the same.

The folders are the corpus's by default. The environment may name the peers:
ASSETDB_BENCH_UNITYPY, ASSETDB_BENCH_RUST.

    --unitypy PYTHON   an interpreter that has UnityPy (default: this one, if it has)
    --rust BINARY      the program in scripts/bench/peers/unityfs, built with ``cargo build --release``
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
RUST = ROOT / "scripts/bench/peers/unityfs/target/release/unityfs-peer"

OURS = """
import sys
sys.path.insert(0, sys.argv[1])
from assetdb_formats.unityfs.bundle import Bundle
files = objects = size = 0
for path in sys.stdin.read().split("\\n"):
    with open(path, "rb") as stream:
        bundle = Bundle(stream)
        for file in bundle.files():
            files += 1
            objects += len(file.facts.objects)
            size += sum(entry.size for entry in file.facts.objects)
            if sys.argv[2] == "containers":
                file.asset_bundle()
print(files, objects, size)
"""
UNITYPY = """
import sys
import UnityPy
files = objects = size = 0
for path in sys.stdin.read().split("\\n"):
    environment = UnityPy.load(path)
    for bundle in environment.files.values():
        for file in bundle.files.values():
            if hasattr(file, "objects"):
                files += 1
                objects += len(file.objects)
                size += sum(entry.byte_size for entry in file.objects.values())
print(files, objects, size)
"""


class Run(NamedTuple):
    """Seconds of wall and of processor time, bytes of the largest resident set, what was printed."""

    seconds: float
    processor: float
    memory: int
    answer: str


def run(command: list[str], paths: str, environment: dict[str, str] | None = None) -> Run:
    """Run one reader; the paths of its files stand in its input, one a line."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as names:
        names.write(paths)
        names.seek(0)
        started = time.perf_counter()
        process = subprocess.Popen(command, stdin=names, stdout=output, env={**os.environ, **(environment or {})})
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{command[0]} ended with {process.returncode}")
        output.seek(0)
        memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        return Run(seconds, usage.ru_utime + usage.ru_stime, memory, output.read().strip())


def has(python: str, module: str) -> bool:
    """Whether an interpreter can import a module."""
    found = subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False)
    return found.returncode == 0


def bundles(folders: list[str]) -> list[str]:
    """Return every UnityFS file below the folders."""
    found = []
    for folder in folders:
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file():
                with path.open("rb") as stream:
                    if stream.read(8) == b"UnityFS\0":
                        found.append(str(path))
    return found


def measure(words: list[str] | None = None) -> None:
    """Run with these arguments."""
    corpus = os.path.expanduser(os.environ.get("ASSETDB_CORPUS", "~/.cache/assetdb-corpus"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", metavar="FOLDER", default=[f"{corpus}/unityfs", f"{corpus}/addressables"])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--unitypy", default=os.environ.get("ASSETDB_BENCH_UNITYPY", sys.executable), metavar="PYTHON")
    parser.add_argument("--rust", default=os.environ.get("ASSETDB_BENCH_RUST", str(RUST)), metavar="BINARY")
    arguments = parser.parse_args(words)
    paths = bundles(arguments.folders)
    if not paths:
        print("unityfs: no bundles; name a folder that has some")
        return
    print(f"{len(paths)} bundles, {sum(map(os.path.getsize, paths)) / 1e6:.1f} MB")
    ours = ["-c", OURS, str(ROOT)]
    readers = {
        "assetdb": [sys.executable, *ours, "tables"],
        "assetdb with containers": [sys.executable, *ours, "containers"],
    }
    if has(arguments.unitypy, "UnityPy"):
        readers["UnityPy"] = [arguments.unitypy, "-c", UNITYPY]
    else:
        print("no UnityPy: install it, or name an interpreter that has it with --unitypy")
    if Path(arguments.rust).is_file():
        readers["unity-asset-binary"] = [arguments.rust]
    else:
        print("no Rust peer: cargo build --release in scripts/bench/peers/unityfs, or name it with --rust")
    runs: dict[str, list[Run]] = {name: [] for name in readers}
    for _ in range(arguments.rounds):
        for name, command in readers.items():
            runs[name].append(run(command, "\n".join(paths)))
    answers = {name: found[0].answer for name, found in runs.items()}
    if len(set(answers.values())) > 1:
        raise SystemExit(f"the readers disagree: {answers}")
    medians = {name: statistics.median(one.seconds for one in found) for name, found in runs.items()}
    memory = {name: max(one.memory for one in found) for name, found in runs.items()}
    print(f"files, objects, bytes: {answers['assetdb']}")
    for name in readers:
        print(f"{name:26} {medians[name] * 1000:7.0f} ms {memory[name] / (1 << 20):6.0f} MB")
    for peer in ("UnityPy", "unity-asset-binary"):
        for name in readers:
            if name.startswith("assetdb") and peer in readers:
                time_ratio, memory_ratio = medians[name] / medians[peer], memory[name] / memory[peer]
                print(f"{name} / {peer}: {time_ratio:.2f} of the time, {memory_ratio:.2f} of the memory")


if __name__ == "__main__":
    measure()
