"""How long does a build of 1,000 bundles take to its index, and how much memory, beside UnityPy's object tables?

    python -m scripts.bench.builds [--bundles 1000] [--objects 100] [--rounds 3] [--folder DIR] [--unitypy PYTHON]

The build is written first (into --folder, or a temporary one): bundles of textures with streamed pixels and materials
that refer to them, a third of them in another bundle. Then, in turns and each in a process of its own: UnityPy loads
every bundle, which is its object tables and no more; this index of the tables (with containers and what files refer
to); that of all (with names, references and streamed data of every object); each by one process, too; and the second
start, from what was remembered. The ratios are those of the medians of wall time and of processor time, which is that
of the process and its children.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from pathlib import Path

from scripts.arguments import Given, script
from scripts.bench.measuring import run, runs_of, table
from scripts.bench.unityfs import UNITYPY, UNITYPY_PYTHON
from tests.assetdb.builds.making import Material, Texture, bundle

OURS = """
import sys
from assetdb.builds import open_build
build = open_build(sys.argv[1], remember=sys.argv[2] == "remember", workers=int(sys.argv[3]) or None,
    contents=sys.argv[2] != "tables")
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


@script(__doc__, bundles=1000, objects=100, rounds=3, folder=Path, unitypy=UNITYPY_PYTHON)
def main(given: Given) -> None:
    """Run."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary) / "build"
        if not folder.is_dir():
            folder.mkdir(parents=True)
            size = write(folder, given.bundles, given.objects)
            print(f"{given.bundles:,} bundles of {given.objects} objects: {size:,} bytes")
            time.sleep(3)  # a file as young as the look at it is never remembered
        os.environ["XDG_CACHE_HOME"] = str(Path(temporary) / "cache")
        ours = [sys.executable, "-c", OURS, str(folder.resolve())]
        commands = {
            "UnityPy, object tables": [given.unitypy, "-c", UNITYPY],
            "index, tables": [*ours, "tables", "0"],
            "index, tables, one process": [*ours, "tables", "1"],
            "index, all of it": [*ours, "anew", "0"],
            "index, one process": [*ours, "anew", "1"],
            "second start": [*ours, "remember", "0"],
        }
        paths = "\n".join(str(folder.resolve() / name) for name in sorted(os.listdir(folder)))
        run(commands["second start"])
        runs = runs_of(commands, given.rounds, warm=0, given=paths)
    answers = {found.printed for own in runs.values() for found in own}
    if len(answers) != 1:
        raise SystemExit(f"the readers disagree: {answers}")
    table(runs, "UnityPy, object tables")
