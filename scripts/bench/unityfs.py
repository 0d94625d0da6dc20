"""How long do all bundles of a folder take to their object tables, and how much memory, beside the peers?

    python -m scripts.bench.unityfs [FOLDER ...] [--rounds 7] [--unitypy PYTHON] [--unity-rs PYTHON] [--rust BINARY]

Each reader is a process of its own that reads every UnityFS file below the folders: in turns, A B A B, and the ratio
is that of the medians. Everything counts, also the start of the interpreter. Object tables alone for all but
UnityPy, which always reads the AssetBundle objects too; ``with containers`` is this reader doing the same.

The folders are the corpus's by default. The environment may name the peers:
ASSETDB_BENCH_UNITYPY, ASSETDB_BENCH_UNITY_RS, ASSETDB_BENCH_RUST.

    --unitypy PYTHON   an interpreter that has UnityPy (default: this one, if it has)
    --unity-rs PYTHON  an interpreter that has unity-rs (PyPI, Python 3.12; default: this one, if it has)
    --rust BINARY      the program in scripts/bench/peers/unityfs, built with ``cargo build --release``
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from scripts.arguments import Given, script
from scripts.bench.measuring import runs_of, table
from scripts.programs import CHECKOUT, CORPUS

UNITYPY_PYTHON = os.environ.get("ASSETDB_BENCH_UNITYPY", sys.executable)
UNITY_RS_PYTHON = os.environ.get("ASSETDB_BENCH_UNITY_RS", sys.executable)
RUST = os.environ.get("ASSETDB_BENCH_RUST", str(CHECKOUT / "scripts/bench/peers/unityfs/target/release/unityfs-peer"))

OURS = """
import sys
from assetdb_formats.unityfs.bundle import Bundle
files = objects = size = 0
for path in sys.stdin.read().split("\\n"):
    with open(path, "rb") as stream:
        bundle = Bundle(stream)
        for file in bundle.files():
            files += 1
            objects += len(file.facts.objects)
            size += sum(entry.size for entry in file.facts.objects)
            if sys.argv[1] == "containers":
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
UNITY_RS = """
import sys
from unity_rs import UnityRs
files = objects = size = 0
for path in sys.stdin.read().split("\\n"):
    bundle = UnityRs(path)
    found = list(bundle.iter_objects())
    files += len({entry.file_index for entry in found})
    objects += len(found)
    size += sum(entry.byte_size for entry in found)
print(files, objects, size)
"""


def has(python: str, module: str) -> bool:
    """Whether an interpreter can import a module."""
    found = subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False)
    return found.returncode == 0


def bundles(folders: list[Path]) -> list[str]:
    """Return every UnityFS file below the folders."""
    found = []
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                with path.open("rb") as stream:
                    if stream.read(8) == b"UnityFS\0":
                        found.append(str(path))
    return found


@script(__doc__, "folders*", rounds=7, unitypy=UNITYPY_PYTHON, unity_rs=UNITY_RS_PYTHON, rust=RUST)
def main(given: Given) -> None:
    """Read beside the peers that are here."""
    paths = bundles(given.folders or [CORPUS / "unityfs", CORPUS / "addressables"])
    if not paths:
        sys.exit("unityfs: no bundles; name a folder that has some")
    print(f"{len(paths)} bundles, {sum(map(os.path.getsize, paths)) / 1e6:.1f} MB")
    ours = [sys.executable, "-c", OURS]
    readers = {"assetdb": [*ours, "tables"], "assetdb with containers": [*ours, "containers"]}
    if has(given.unitypy, "UnityPy"):
        readers["UnityPy"] = [given.unitypy, "-c", UNITYPY]
    else:
        print("no UnityPy: install it, or name an interpreter that has it with --unitypy")
    if has(given.unity_rs, "unity_rs"):
        readers["unity-rs"] = [given.unity_rs, "-c", UNITY_RS]
    else:
        print("no unity-rs: install it, or name an interpreter that has it with --unity-rs")
    if Path(given.rust).is_file():
        readers["unity-asset-binary"] = [given.rust]
    else:
        print("no Rust peer: cargo build --release in scripts/bench/peers/unityfs, or name it with --rust")
    runs = runs_of(readers, given.rounds, warm=0, given="\n".join(paths))
    answers = {name: found[0].printed for name, found in runs.items()}
    if len(set(answers.values())) > 1:
        raise SystemExit(f"the readers disagree: {answers}")
    print(f"files, objects, bytes: {answers['assetdb']}")
    table(runs, *(peer for peer in ("UnityPy", "unity-rs", "unity-asset-binary") if peer in readers))
