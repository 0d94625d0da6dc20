"""How long does a build of 1,000 bundles take to its index, and how much memory, beside UnityPy's object tables?

    python scripts/bench/builds.py [--bundles 1000] [--objects 100] [--rounds 3] [--folder DIR] [--unitypy PYTHON]

The build is written first (into --folder, or a temporary one): bundles of textures with streamed pixels and materials
that refer to them, a third of them in another bundle. Then, in turns and each in a process of its own: UnityPy loads
every bundle, which is its object tables and no more; this index of the tables (with containers and what files refer
to); that of all (with names, references and streamed data of every object); each by one process, too; and the second
start, from what was remembered. The ratios are those of the medians of wall time and of processor time, which is that
of the process and its children.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from scripts.bench.unityfs import ROOT, UNITYPY, Run, run
from tests.assetdb.builds.making import Material, Texture, bundle

OURS = """
import sys
sys.path.insert(0, sys.argv[1])
from assetdb.builds import open_build
build = open_build(sys.argv[2], remember=sys.argv[3] == "remember", workers=int(sys.argv[4]) or None,
    contents=sys.argv[3] != "tables")
print(len(build.files) // 2, len(build), sum(build.sizes))
"""


def write(folder: Path, bundles: int, objects: int, seed: int = 1) -> int:
    """Write a build; return its bytes."""
    choice = random.Random(seed)
    size = 0
    for number in range(bundles):
        cab = f"CAB-{number:032x}"
        other = f"CAB-{choice.randrange(bundles):032x}"
        base = (number + 1) << 40
        half = objects // 2
        assets: list[Texture | Material] = [
            Texture(base + n, f"texture {number} {n}", choice.randbytes(400) * 10, f"assets/{number}/{n}.png")
            for n in range(half)
        ]
        for n in range(half, objects):
            pointers = [(0, base + choice.randrange(half)) for _ in range(2)]
            if n % 3 == 0:
                pointers.append((1, (int(other[4:], 16) + 1 << 40) + choice.randrange(half)))
            assets.append(Material(base + n, f"material {number} {n}", tuple(pointers), f"assets/{number}/{n}.mat"))
        data = bundle(cab, f"group{number % 20}_assets_{number}", assets, (other,))
        (folder / f"group{number % 20}_assets_{number}_{number:032x}.bundle").write_bytes(data)
        size += len(data)
    return size


def main() -> None:
    """Run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bundles", type=int, default=1000)
    parser.add_argument("--objects", type=int, default=100, help="in each bundle")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, help="keep the build here, and use it where it is there")
    parser.add_argument("--unitypy", default=os.environ.get("ASSETDB_BENCH_UNITYPY", sys.executable))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary) / "build"
        if not folder.is_dir():
            folder.mkdir(parents=True)
            size = write(folder, arguments.bundles, arguments.objects)
            print(f"{arguments.bundles:,} bundles of {arguments.objects} objects: {size:,} bytes")
            time.sleep(3)  # a file as young as the look at it is never remembered
        cache = {"XDG_CACHE_HOME": str(Path(temporary) / "cache")}
        ours = [sys.executable, "-c", OURS, str(ROOT), str(folder)]
        commands = {
            "UnityPy, object tables": [arguments.unitypy, "-c", UNITYPY],
            "index, tables": [*ours, "tables", "0"],
            "index, tables, one process": [*ours, "tables", "1"],
            "index, all of it": [*ours, "anew", "0"],
            "index, one process": [*ours, "anew", "1"],
            "second start": [*ours, "remember", "0"],
        }
        paths = "\n".join(str(folder / name) for name in sorted(os.listdir(folder)))
        run(commands["second start"], paths, cache)
        runs: dict[str, list[Run]] = {name: [] for name in commands}
        for _ in range(arguments.rounds):
            for name, command in commands.items():
                runs[name].append(run(command, paths, cache))
    answers = {found.answer for own in runs.values() for found in own}
    if len(answers) != 1:
        raise SystemExit(f"the readers disagree: {answers}")
    peers = runs["UnityPy, object tables"]
    peer = statistics.median(found.seconds for found in peers)
    peer_processor = statistics.median(found.processor for found in peers)
    for name, own in runs.items():
        seconds = statistics.median(found.seconds for found in own)
        processor = statistics.median(found.processor for found in own)
        memory = max(found.memory for found in own)
        ratios = f"{seconds / peer:5.2f} {processor / peer_processor:5.2f}"
        print(f"{name:26} {seconds:7.2f} s  {processor:7.2f} s of CPU  {memory / 1e6:6.0f} MB  {ratios}")


if __name__ == "__main__":
    main()
