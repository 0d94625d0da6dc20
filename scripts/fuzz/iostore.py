"""Mutate small containers, packages and .pak files for as long as you like: only the one error may come out.

    python -m scripts.fuzz.iostore --count 1000000 --seed 1

Prints how many were read and refused, the slowest one, and the largest multiple of a file's size that its reading
took in memory (sampled: tracing memory is slow). Exits with 1 at the first other exception, after writing the bytes.
"""

from __future__ import annotations

import argparse
import sys
import time
import tracemalloc

from tests.assetdb_formats.unreal.iostore.hostile import mutations, samples, survives

FLOOR = 64 * 1024  # what reading needs of its own, however small the file
SLOWEST = 0.05  # seconds; the machine may be busy, so a slow one is tried again


def main() -> int:
    """Run the mutations."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20_000, help="mutations to try")
    parser.add_argument("--seed", type=int, default=1, help="first of the random numbers")
    parser.add_argument("--crash", default="iostore-crash.bin", help="file for the bytes that did something else")
    arguments = parser.parse_args()
    read = refused = slow = 0
    slowest = (0.0, "")
    largest = 0
    sources = samples()
    for sample in sources:  # the first of each kind imports what it needs
        survives(sample, sample.data)
    for number, (sample, data) in enumerate(mutations(sources, arguments.count, arguments.seed)):
        traced = number % 50 == 0
        if traced:
            tracemalloc.start()
        start = time.perf_counter()
        try:
            sound = survives(sample, data)
        except BaseException as error:
            with open(arguments.crash, "wb") as file:
                file.write(data)
            print(f"{sample.name}, mutation {number}: {type(error).__name__}: {error}; bytes in {arguments.crash}")
            raise
        elapsed = time.perf_counter() - start
        if traced:
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            largest = max(largest, peak - 4 * len(data))
        else:
            for _ in range(3 if elapsed > SLOWEST else 0):
                start = time.perf_counter()
                survives(sample, data)
                elapsed = min(elapsed, time.perf_counter() - start)
            slow += elapsed > SLOWEST
            slowest = max(slowest, (elapsed, sample.name))
        read += sound
        refused += not sound
    print(f"{read + refused:,} mutations: {refused:,} refused, {read:,} read")
    print(f"slowest {slowest[0] * 1000:.1f} ms ({slowest[1]}), {slow} over {SLOWEST * 1000:.0f} ms")
    print(f"most memory beyond 4 times the file: {max(0, largest) / 1024:.0f} kB (allowed {FLOOR / 1024:.0f} kB)")
    return int(slow > 0 or largest > FLOOR)


if __name__ == "__main__":
    sys.exit(main())
