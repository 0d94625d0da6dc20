"""Mutate packages: each is read, or refused with our error.

    python -m scripts.fuzz.unreal [--count 1000000] [--seed 1] [--corpus FOLDER] [--bodies FILE]

``--corpus`` adds real packages of under 100 kB below a folder. ``--bodies`` changes only what classes that write
themselves wrote in one large package, and reads only that.

A mutant may take 50 ms of processor time; every fiftieth is traced: it may take four times its size in memory and
64 KiB (of real files, which may take more when they are sound, what the largest of these takes). What does not ends the
run; its number makes it again, with the seed.
"""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

from assetdb_formats.binary import FormatError
from assetdb_formats.unreal.files.package_file import BytesSource
from assetdb_formats.unreal.packages.package import Package
from assetdb_formats.unreal.properties.exports import PropertyReader
from scripts.arguments import Given, script
from scripts.fuzz.running import FLOOR, Bounds, kept_in, run, small_files
from tests.assetdb_formats.unreal.test_hostile import FILES, OTHERS, memory_above_limit, mutants, read_everything

LIMIT = 0.050  # seconds of processor time for one file; the slowest of a million took 9 ms on an idle core


def attempt(data: bytes) -> str:
    """Read everything of a package, or have it refused."""
    read_everything(data)
    return "read or refused"


class Bodies:
    """Bodies of self-written classes of one package, changed one at a time."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._package = Package(data)
        reader = PropertyReader(self._package)
        self.spans = [
            (number, export.serial_offset, export.serial_size)
            for number, export in enumerate(self._package.exports)
            if reader.read(number).writes_itself and export.serial_size
        ]

    def cases(self, count: int, seed: int) -> Iterator[tuple[int, bytes]]:
        """Yield numbers of exports, and the package with another body."""
        chance = random.Random(seed)
        for _ in range(count):
            number, start, size = chance.choice(self.spans)
            changed = bytearray(self._data[start : start + size])
            for _ in range(chance.choice((1, 1, 2, 8))):
                place = chance.randrange(size)
                if chance.random() < 0.5:
                    changed[place] = chance.randrange(256)
                else:
                    odd = (b"\xff" * 4, bytes(4), b"\xff\xff\xff\x7f", b"\0\0\0\1")
                    changed[place : place + 4] = chance.choice(odd)
            yield number, b"".join((self._data[:start], changed[:size], self._data[start + size :]))

    def attempt(self, case: tuple[int, bytes]) -> str:
        """Read a body."""
        number, data = case
        self._package.source = BytesSource(data)
        try:
            return "read whole" if PropertyReader(self._package).read(number).body is not None else "read in part"
        except FormatError:
            return "refused"


@script(__doc__, count=1_000_000, seed=1, corpus=Path, bodies=Path)
def main(given: Given) -> None:
    """Run and report."""
    keep = kept_in("fuzz-unreal.bin")
    if given.bodies:
        bodies = Bodies(given.bodies.read_bytes())
        print(f"{len(bodies.spans)} bodies")
        cases = bodies.cases(given.count, given.seed)
        run(cases, bodies.attempt, lambda case: keep(case[1]), every=50_000, bounds=Bounds(LIMIT))
        return
    files, multiple = FILES + OTHERS, 4.0
    if given.corpus:
        found = small_files(given.corpus, 100_000)
        files += [path.read_bytes() for path in found if path.suffix in {".uasset", ".umap"}]
    for data in files:  # the first of each kind imports what it needs
        read_everything(data)
        if given.corpus:
            tracemalloc.start()
            multiple = max(multiple, 4 + (memory_above_limit(data) - FLOOR) / len(data))
            tracemalloc.stop()
    print(f"{len(files)} files, seed {given.seed}; limits: {LIMIT * 1000:.0f} ms, {multiple:.1f} times the file")
    mutated = mutants(files, given.count, given.seed)
    run(mutated, attempt, keep, every=50_000, bounds=Bounds(LIMIT, multiple=multiple))
