"""Break bundles in every way and see that only FormatError comes out, quickly and in little memory.

    python scripts/fuzz/casset.py [--count 1000000] [--seed 1] [--file F.casset ...]

Files are cut at every length, then mutated: bits, runs, counts, offsets, pieces moved, two files spliced. Whatever is
accepted is walked, written back (to the same bytes) and indexed. Prints the slowest case and the most memory.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assetdb_formats.binary import FormatError
from assetdb_formats.casset.encoding import bundle3
from assetdb_formats.casset.encoding.bundle2 import is_bundle2
from assetdb_formats.casset.encoding.index import index_of, read_index
from assetdb_formats.casset.encoding.read import read_bundle
from assetdb_formats.casset.encoding.write import encode_bundle
from assetdb_formats.casset.queries.references import bundle_references
from scripts.fuzz.running import peak_bytes
from tests.assetdb_formats.casset.builder import every_format

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ODD = (0, 1, 2, 3, 7, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


def mutations(seeds: Sequence[bytes], count: int, seed: int) -> Iterator[bytes]:
    """Yield ``count`` broken files made from ``seeds``; the same ones for the same ``seed``."""
    choice = random.Random(seed)
    for _ in range(count):
        data = bytearray(choice.choice(seeds))
        for _ in range(choice.choice((1, 1, 1, 2, 3, 8))):
            at = choice.randrange(len(data))
            size = choice.choice((1, 2, 4, 8, 16))
            match choice.randrange(7):
                case 0:
                    data[at] ^= 1 << choice.randrange(8)
                case 1:
                    data[at] = choice.randrange(256)
                case 2:
                    value = choice.choice(_ODD) if choice.random() < 0.7 else choice.randrange(1 << 32)
                    data[at : at + size] = (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")
                case 3:
                    del data[at : at + size]
                case 4:
                    data[at:at] = choice.randbytes(size)
                case 5:
                    start = choice.randrange(len(data))
                    data[at : at + size] = data[start : start + size]
                case _:
                    other = choice.choice(seeds)
                    data[at:] = other[choice.randrange(len(other)) :]
            if not data:
                data = bytearray(b"\0")
        yield bytes(data)


def attempt(data: bytes) -> bool:
    """Read one file whole and by its index, walk it and write it back; whether it was accepted without a word."""
    is_three = data[:8] == bundle3.MAGIC and not is_bundle2(data)
    try:
        bundle = read_bundle(data)
    except FormatError as error:
        if error.offset is None or not error.field:
            raise AssertionError(f"an error without a place: {error!r}") from None
        if is_three:
            with contextlib.suppress(FormatError):
                read_index(data, len(data), lambda offset, size: data[offset : offset + size])
        return False
    for _ in bundle_references(bundle):
        pass
    for problem in bundle.problems:
        if problem.offset is None or not problem.field:
            raise AssertionError(f"a problem without a place: {problem!r}")
    written = encode_bundle(bundle)
    if written != data and not _holds_a_signalling_nan(bundle_data=data, written=written):
        raise AssertionError(f"accepted, but written back as {written.hex()}")
    if is_three and not any(entry.problem for entry in bundle.objects):
        start = data[: len(data) * 2 // 3]
        index = read_index(start, len(data), lambda offset, size: data[offset : offset + size])
        if index != index_of(bundle):
            raise AssertionError("the index says something else than the whole")
    return not bundle.problems


def _holds_a_signalling_nan(*, bundle_data: bytes, written: bytes) -> bool:
    """Whether two files differ only in the quiet bit of 32-bit NaNs, which the processor sets in every conversion."""
    if len(bundle_data) != len(written):
        return False
    changed = [at for at, (a, b) in enumerate(zip(bundle_data, written, strict=True)) if a != b]
    return all(
        written[at] == bundle_data[at] | 0x40 and written[at] & 0x80 and written[at + 1] & 0x7F == 0x7F
        for at in changed
    )


def main() -> int:
    """Run the prefixes and the mutations; 1 if anything but FormatError came out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", action="append", default=[], help="also start from this file")
    arguments = parser.parse_args()
    seeds = [*every_format().values(), *(Path(name).read_bytes() for name in arguments.file)]
    before = peak_bytes()
    accepted = slowest = 0.0
    cuts = [data[:size] for data in seeds for size in range(len(data))]
    for cut in cuts:
        if attempt(cut):
            print(f"accepted a file cut to {len(cut)} bytes")
            return 1
    print(f"{len(cuts):,} cuts of {len(seeds)} files: all refused or reported")
    for number, data in enumerate(mutations(seeds, arguments.count, arguments.seed)):
        started = time.perf_counter()
        try:
            accepted += attempt(data)
        except Exception:
            print(f"mutation {number} of seed {arguments.seed}: {data.hex()}")
            raise
        slowest = max(slowest, time.perf_counter() - started)
    grown = peak_bytes() - before
    print(
        f"{arguments.count:,} mutations: {accepted:,.0f} accepted, the rest refused or reported; "
        f"slowest {slowest * 1000:.1f} ms, memory grew by {grown / (1 << 20):.1f} MB"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
