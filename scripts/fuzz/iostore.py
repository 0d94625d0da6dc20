"""Mutate small containers, packages and .pak files: only our error comes out.

    python -m scripts.fuzz.iostore [--count 20000] [--seed 1]

Prints how many were read and refused, the slowest one, and what its reading took in memory beyond four times a file's
size (sampled: tracing memory is slow). Any other exception, 50 ms, or 64 KiB more ends the run.
"""

from __future__ import annotations

from scripts.arguments import Given, script
from scripts.fuzz.running import Bounds, kept_in, run
from tests.assetdb_formats.unreal.iostore.hostile import Sample, mutations, samples, survives


def attempt(case: tuple[Sample, bytes]) -> str:
    """Read a file, or have it refused."""
    return "read" if survives(*case) else "refused"


@script(__doc__, count=20_000, seed=1)
def main(given: Given) -> None:
    """Run the mutations."""
    sources = samples()
    for sample in sources:  # the first of each kind imports what it needs
        survives(sample, sample.data)
    keep = kept_in("fuzz-iostore.bin")
    run(
        mutations(sources, given.count, given.seed),
        attempt,
        lambda case: f"{keep(case[1])}, of {case[0].name}",
        every=50_000,
        bounds=Bounds(0.05, multiple=4.0),
        size=lambda case: len(case[1]),
    )
