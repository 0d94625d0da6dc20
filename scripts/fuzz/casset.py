"""Break bundles in every way and see that only FormatError comes out, quickly and in little memory.

    python -m scripts.fuzz.casset [--count 1000000] [--seed 1] [--file F.casset]...

Files are cut at every length, then mutated: bits, runs, counts, offsets, pieces moved, two files spliced. Whatever is
accepted is walked, written back (to the same bytes) and indexed. Prints the slowest case and the most memory.
"""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

from assetdb_formats.binary import FormatError
from assetdb_formats.casset.encoding import bundle3
from assetdb_formats.casset.encoding.bundle2 import is_bundle2
from assetdb_formats.casset.encoding.index import index_of, read_index
from assetdb_formats.casset.encoding.read import read_bundle
from assetdb_formats.casset.encoding.write import encode_bundle
from assetdb_formats.casset.queries.references import bundle_references
from scripts.arguments import Given, script
from scripts.fuzz.running import mutations, run
from tests.assetdb_formats.casset.builder import every_format


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
            raise AssertionError("the index differs from the whole file")
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


@script(__doc__, count=1_000_000, seed=1, file=[])
def main(given: Given) -> None:
    """Run the prefixes and the mutations."""
    seeds = [*every_format().values(), *(Path(name).read_bytes() for name in given.file)]
    cuts = [data[:size] for data in seeds for size in range(len(data))]
    for cut in cuts:
        if attempt(cut):
            sys.exit(f"accepted a file cut to {len(cut)} bytes")
    print(f"{len(cuts):,} cuts of {len(seeds)} files: all refused or reported")
    run(mutations(seeds, given.count, given.seed), attempt, bytes.hex, every=50_000)
