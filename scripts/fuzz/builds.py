"""Break builds in every way and see that each answer is one, or a typed error, quickly and in little memory.

    python scripts/fuzz/builds.py [--count 1000000] [--seed 1] [--corpus DIR]

A small player, bundles, a web player's data (plain and gzip) and a zip archive are written; in each case a few bytes
of some of their files are changed, cut off or moved. The build is opened, and asked for everything: tables, sizes to
the byte, references, duplicates, reasons, verification. With ``--corpus`` the files below DIR are broken instead.
Prints the slowest case and the most memory.
"""

from __future__ import annotations

import argparse
import gzip
import random
import shutil
import sys
import tempfile
import time
import zipfile
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assetdb.builds import open_build
from assetdb.builds.catalogs import read_catalogs
from assetdb.builds.duplicates import find_duplicates
from assetdb.builds.reasons import why
from assetdb.builds.sizes import measure
from assetdb.builds.summary import summarize
from assetdb.builds.tables import KEYS, size_rows, size_tree
from assetdb.builds.verification import verify
from assetdb.errors import UsageError
from formats.binary import FormatError
from formats.files import FileTooLargeError
from scripts.fuzz.casset import mutations
from tests.assetdb.builds import making
from tests.assetdb.builds.making import Material, Texture

if TYPE_CHECKING:
    from collections.abc import Iterator

_LARGEST = 300_000  # bytes of a file of the corpus that is worth breaking
_HASHED = 1 << 40
_ASKED = 20  # objects that are asked why


def seeds() -> dict[str, dict[str, bytes]]:
    """Return builds: the bytes of the files of each."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = making.player(Path(temporary) / "Game_Data")
        player = {
            path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
        }
    one, two = "CAB-" + "a" * 32, "CAB-" + "b" * 32
    bark = Texture(_HASHED, "bark", b"brown" * 40, "assets/bark.png")
    trees = [bark, Material(_HASHED + 1, "oak", ((0, _HASHED), (1, 9)), "assets/oak.mat")]
    bundles = {
        f"{name}.bundle": making.bundle(cab, name, assets, (two,), compression=compression)
        for (name, cab, assets, compression) in (("t", one, trees, 3), ("b", two, [bark], 1), ("s", two, [bark], 0))
    }
    web = making.web_data(player | {"data.unity3d": bundles["t.bundle"]})
    zipped = BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in player.items():
            archive.writestr(f"assets/bin/Data/{name}", data)
        archive.writestr("../outside", b"no")
    return {
        "player": player,
        "bundles": bundles,
        "web": {"Game.data": web},
        "packed web": {"Game.data.gz": gzip.compress(web)},
        "zip": {"game.apk": zipped.getvalue()},
    }


def corpus_seeds(folder: Path) -> dict[str, dict[str, bytes]]:
    """Return the files below a folder, each a build of its own."""
    found = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.stat().st_size <= _LARGEST]
    return {str(path): {path.name: path.read_bytes()} for path in found}


def cases(count: int, seed: int, builds: dict[str, dict[str, bytes]]) -> Iterator[dict[str, bytes]]:
    """Yield ``count`` broken builds, the same ones for the same ``seed``."""
    choice = random.Random(seed)
    streams = {
        (name, file): mutations([data or b"\0"], count, seed + number)
        for number, (name, files) in enumerate(builds.items())
        for file, data in files.items()
    }
    names = list(builds)
    for _ in range(count):
        name = choice.choice(names)
        files = dict(builds[name])
        for file in choice.sample(sorted(files), min(len(files), choice.choice((1, 1, 1, 2, 3)))):
            files[file] = next(streams[name, file])
        if len(files) > 1 and choice.random() < 0.1:
            del files[choice.choice(sorted(files))]
        yield files


def attempt(folder: Path, files: dict[str, bytes]) -> bool:
    """Write a build, ask it for everything, and return whether nothing was wrong."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    names = list(files)
    place = folder / names[0] if len(names) == 1 else folder
    try:
        build = open_build(place, remember=False, workers=1)
    except (FormatError, UsageError, FileTooLargeError):
        return False
    summarize(build)
    sizes = measure(build)
    if sum(sizes.disk) + sum(row.disk for row in sizes.rest) != sizes.disk_total:
        raise AssertionError("bytes are lost")
    catalogs = read_catalogs(build)
    for key in KEYS:
        size_rows(build, sizes, key, catalogs)
    size_tree(build, sizes)
    for found in build.objects():
        build.references(found.number)
        build.title(found.number)
    for number in range(min(len(build), _ASKED)):
        why(build, number)
    find_duplicates(build)
    return not verify(build).findings


def main() -> None:
    """Run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", type=Path, help="break the files below this folder")
    arguments = parser.parse_args()
    builds = corpus_seeds(arguments.corpus) if arguments.corpus else seeds()
    clean = 0
    slowest = 0.0
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "build"
        for number, files in enumerate(cases(arguments.count, arguments.seed, builds), 1):
            before = time.process_time()
            try:
                clean += attempt(folder, files)
            except BaseException:
                shutil.rmtree("fuzz-build", ignore_errors=True)
                shutil.copytree(folder, "fuzz-build")
                print(f"case {number} is in fuzz-build")
                raise
            slowest = max(slowest, time.process_time() - before)
            if number % 10_000 == 0:
                print(f"{number:,}: {clean:,} clean, slowest {slowest * 1000:.1f} ms", flush=True)
    print(f"{arguments.count:,} cases in {time.perf_counter() - started:.0f} s: {clean:,} were clean all the same")
    print(f"slowest {slowest * 1000:.1f} ms{_most_memory()}")


def _most_memory() -> str:
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return ""
    return f", most memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB"


if __name__ == "__main__":
    main()
