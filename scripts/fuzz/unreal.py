"""Mutate packages for as long as you like: `python scripts/fuzz/unreal.py --count 1000000 [--corpus FOLDER]`.

`--bodies FILE` changes only what classes that write themselves wrote in one large package, and reads only that.

Every mutant must be read, or refused with our error, within 50 ms of processor time; every fiftieth is also traced:
it may take four times its size in memory and 64 KiB (of real files, which may take more when they are sound, what the
largest of these takes). What does not is printed with its number, which with the seed
makes it again, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import tracemalloc
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from assetdb_formats.binary import FormatError
from assetdb_formats.unreal.files.package_file import BytesSource
from assetdb_formats.unreal.packages.package import Package
from assetdb_formats.unreal.properties.exports import PropertyReader
from tests.assetdb_formats.unreal.test_hostile import (
    FILES,
    MEMORY_FLOOR,
    OTHERS,
    memory_above_limit,
    mutants,
    read_everything,
)

LIMIT = 0.050  # seconds of processor time for one file; the slowest of a million took 9 ms on an idle core
TRACED = 50  # one mutant in so many: tracing makes it several times slower


def processor_time(data: bytes) -> float:
    """Return the seconds of processor time that one file takes; above the limit, the best of four."""
    taken = float("inf")
    for _ in range(4):  # a collection of garbage may fall into the first
        start = time.process_time()
        read_everything(data)
        taken = min(taken, time.process_time() - start)
        if taken <= LIMIT:
            break
    return taken


def bodies(data: bytes, count: int, seed: int) -> int:
    """Change the bodies of classes that write themselves, one at a time, and read each again."""
    chance = random.Random(seed)
    package = Package(data)
    reader = PropertyReader(package)
    spans = [
        (number, export.serial_offset, export.serial_size)
        for number, export in enumerate(package.exports)
        if reader.read(number).writes_itself and export.serial_size
    ]
    failures = slow = read = 0
    slowest = 0.0
    for mutant in range(count):
        number, start, size = chance.choice(spans)
        changed = bytearray(data[start : start + size])
        for _ in range(chance.choice((1, 1, 2, 8))):
            place = chance.randrange(size)
            if chance.random() < 0.5:
                changed[place] = chance.randrange(256)
            else:
                changed[place : place + 4] = chance.choice((b"\xff" * 4, bytes(4), b"\xff\xff\xff\x7f", b"\0\0\0\1"))
        package.source = BytesSource(b"".join((data[:start], changed[:size], data[start + size :])))
        began = time.process_time()
        try:
            found = PropertyReader(package).read(number)
            read += found.body is not None
        except Exception as error:  # noqa: BLE001 - this is what the script looks for
            failures += not isinstance(error, FormatError)
            print(f"mutant {mutant}: {type(error).__name__}: {error}")
        slowest = max(slowest, time.process_time() - began)
        slow += time.process_time() - began > LIMIT
    print(
        f"{count:,} mutants of {len(spans)} bodies: {failures} failures, {slow} slow, slowest {slowest * 1000:.1f} ms; {read:,} read whole"
    )
    return 1 if failures else 0


def main() -> int:
    """Run and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", metavar="FOLDER", help="also real packages of under 100 kB below this folder")
    parser.add_argument("--bodies", metavar="FILE", help="a package, of which only self-written bodies are changed")
    arguments = parser.parse_args()
    if arguments.bodies:
        return bodies(Path(arguments.bodies).read_bytes(), arguments.count, arguments.seed)
    files = FILES + OTHERS
    if arguments.corpus:
        found = sorted(path for path in Path(arguments.corpus).rglob("*") if path.suffix in {".uasset", ".umap"})
        files += [path.read_bytes() for path in found if path.stat().st_size < 100_000]
    print(f"{len(files)} files, {arguments.count:,} mutants, seed {arguments.seed}")
    for data in files:  # the first of each kind imports what it needs
        read_everything(data)
    multiple = 4.0
    if arguments.corpus:
        for data in files:
            tracemalloc.start()
            above = memory_above_limit(data)
            tracemalloc.stop()
            multiple = max(multiple, 4 + (above - MEMORY_FLOOR) / len(data))
    print(f"limits: {LIMIT * 1000:.0f} ms, {multiple:.1f} times the file and {MEMORY_FLOOR >> 10} KiB")
    slowest = 0.0
    failures = slow = large = traced = 0
    largest = -sys.maxsize
    began = time.monotonic()
    for number, data in enumerate(mutants(files, arguments.count, arguments.seed)):
        try:
            if number % TRACED:
                taken = processor_time(data)
                slowest = max(slowest, taken)
                if taken > LIMIT:
                    slow += 1
                    print(f"mutant {number}: {taken * 1000:.0f} ms for {len(data):,} bytes")
                continue
            traced += 1
            tracemalloc.start()
            try:
                above = memory_above_limit(data) - round((multiple - 4) * len(data))
            finally:
                tracemalloc.stop()
            largest = max(largest, above)
            if above > MEMORY_FLOOR:
                large += 1
                print(f"mutant {number}: {above:,} bytes more than {multiple:.1f} times its {len(data):,}")
        except Exception as error:  # noqa: BLE001 - this is what the script looks for
            failures += 1
            print(f"mutant {number}: {type(error).__name__}: {error}")
    print(
        f"{failures} failures, {slow} over {LIMIT * 1000:.0f} ms, slowest {slowest * 1000:.1f} ms; "
        f"{large} of {traced:,} traced take more memory than that, "
        f"the most {largest:,} bytes over {multiple:.1f} times; {time.monotonic() - began:.0f} s"
    )
    return 1 if failures or slow or large else 0


if __name__ == "__main__":
    sys.exit(main())
