"""Mutate packages for as long as you like: `python scripts/fuzz/unreal.py --count 1000000 [--corpus FOLDER]`.

Every mutant must be read, or refused with our error, within 50 ms of processor time. What is not is written down with
the seed that makes it again, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from tests.formats.unreal.test_hostile import FILES, mutants, read_everything

LIMIT = 0.050  # seconds of processor time for one file


def main() -> int:
    """Run and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", metavar="FOLDER", help="also real packages of under 100 kB below this folder")
    arguments = parser.parse_args()
    files = list(FILES)
    if arguments.corpus:
        found = sorted(path for path in Path(arguments.corpus).rglob("*") if path.suffix in {".uasset", ".umap"})
        files += [path.read_bytes() for path in found if path.stat().st_size < 100_000]
    print(f"{len(files)} files, {arguments.count:,} mutants, seed {arguments.seed}")
    slowest = 0.0
    failures = slow = 0
    began = time.monotonic()
    for number, data in enumerate(mutants(files, arguments.count, arguments.seed)):
        start = time.process_time()
        try:
            read_everything(data)
        except Exception as error:  # noqa: BLE001 - this is what the script looks for
            failures += 1
            print(f"mutant {number}: {type(error).__name__}: {error}")
        taken = time.process_time() - start
        slowest = max(slowest, taken)
        if taken > LIMIT:
            slow += 1
            print(f"mutant {number}: {taken * 1000:.0f} ms for {len(data):,} bytes")
    print(
        f"{failures} failures, {slow} over {LIMIT * 1000:.0f} ms, slowest {slowest * 1000:.1f} ms, "
        f"{time.monotonic() - began:.0f} s"
    )
    return 1 if failures or slow else 0


if __name__ == "__main__":
    sys.exit(main())
