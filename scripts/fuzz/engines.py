"""Break builds of Unreal Engine and CrystalEngine, and see that each answer is one, or a typed error, quickly.

    python -m scripts.fuzz.engines [--count 1000000] [--seed 1] [--corpus DIR]

Containers (plain, encrypted, .pak of several versions), loose packages and bundles are written; in each case a few
bytes of some of their files are changed, cut off or moved, or a file is gone. The build is read and asked for
everything: bytes to the last, rows, what is missing and there twice, verification. With ``--corpus`` the files below
DIR are broken instead, each alone. Prints the slowest case and the most memory; a case that fails, or takes over 5 s or
2 GiB, ends the run and is left in ``fuzz-build``.
"""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from assetdb.builds.engines.casset import read_casset
from assetdb.builds.engines.detection import CRYSTAL, UNREAL, engine_of
from assetdb.builds.engines.rows import KEYS, class_rows, inventory_rows, inventory_tree
from assetdb.builds.engines.unreal import read_unreal
from assetdb.builds.engines.verification import verify_inventory
from assetdb.errors import UsageError
from assetdb_formats.binary import FormatError
from assetdb_formats.files import FileTooLargeError
from scripts.arguments import Given, script
from scripts.fuzz.running import copies_of, damaged_build, run, small_files
from tests.assetdb.builds.engines import games
from tests.assetdb_formats.unreal.iostore.writer import KEY


def seeds() -> dict[str, dict[str, bytes]]:
    """Return builds: the bytes of the files of each."""
    return {
        "game": games.unreal(),
        "locked": games.container(encryption=1),
        "loose": games.loose(),
        "crystal": games.crystal(),
        **{f"pak {version}": games.pak(version) for version in (2, 8, 11, 15)},
    }


def corpus_seeds(folder: Path) -> dict[str, dict[str, bytes]]:
    """Return the files below a folder that are small enough, each with those that have its name but for the end."""
    found: dict[str, dict[str, bytes]] = {}
    for path in small_files(folder):
        found.setdefault(str(path.with_suffix("")), {})[path.name] = path.read_bytes()
    return found


def cases(count: int, seed: int, builds: dict[str, dict[str, bytes]]) -> Iterator[dict[str, bytes]]:
    """Yield ``count`` broken builds, the same ones for the same ``seed``."""
    choice = random.Random(seed)
    names = list(builds)
    for _ in range(count):
        yield damaged_build(builds[choice.choice(names)], choice)


def attempt(folder: Path, files: dict[str, bytes]) -> bool:
    """Write a build, ask it for everything, and return whether nothing was wrong."""
    shutil.rmtree(folder, ignore_errors=True)
    games.write(folder, files)
    try:
        engine = engine_of([str(folder)])
        if engine not in (UNREAL, CRYSTAL):
            return False
        reading = (
            read_casset([str(folder)]) if engine == CRYSTAL else read_unreal([str(folder)], key=KEY, contents=True)
        )
    except (FormatError, UsageError, FileTooLargeError):
        return False
    sizes = [*(item.disk for item in reading.items), *(row.disk for row in reading.rest)]
    disk = sum(sizes)
    if disk != reading.disk or min(sizes, default=0) < 0:
        raise AssertionError(f"bytes are lost: {disk} of {reading.disk}")
    for key in KEYS:
        inventory_rows(reading, key)
    inventory_tree(reading)
    class_rows(reading)
    return not verify_inventory(reading, key=KEY).findings


@script(__doc__, count=1_000_000, seed=1, corpus=Path)
def main(given: Given) -> None:
    """Run."""
    builds = corpus_seeds(given.corpus) if given.corpus else seeds()
    print(f"seed {given.seed}, {len(builds)} builds")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "build"
        broken = cases(given.count, given.seed, builds)
        run(broken, partial(attempt, folder), copies_of(folder, "fuzz-build"), every=10_000)
