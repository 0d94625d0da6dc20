"""Damaged files end in the one error, soon, and in little memory."""

from __future__ import annotations

import tracemalloc

import pytest

from tests.assetdb_formats.unreal.iostore.hostile import Sample, integers, mutations, samples, survives, truncations
from tests.long_cases import long_after

SAMPLES = samples()
# What the parser needs for itself however small the file: buffers of the hash, of zlib.
FLOOR = 64 * 1024


def test_there_are_more_than_30_small_files() -> None:
    assert len(SAMPLES) > 30
    assert all(len(sample.data) < 4000 for sample in SAMPLES)
    assert all(survives(sample, sample.data) for sample in SAMPLES)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_truncation_at_every_byte(sample: Sample) -> None:
    read = [len(data) for data in truncations(sample.data) if survives(sample, data)]
    # Some exports' data may go missing: the tables of a package and its data are read apart.
    if not sample.name.startswith("zen"):
        assert read == []


@pytest.mark.parametrize("sample", long_after(6, SAMPLES), ids=lambda sample: sample.name)
def test_every_integer_set_to_extremes(sample: Sample) -> None:
    for data in integers(sample.data):
        survives(sample, data)


@pytest.mark.long
def test_mutations_in_little_memory() -> None:
    for sample in SAMPLES:  # the first of each kind imports what it needs
        survives(sample, sample.data)
    tracemalloc.start()
    try:
        for sample, data in mutations(SAMPLES, 1500, seed=11):
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            survives(sample, data)
            peak = tracemalloc.get_traced_memory()[1] - before
            assert peak <= 4 * len(data) + FLOOR, sample.name
    finally:
        tracemalloc.stop()


@pytest.mark.long
def test_20_000_mutations() -> None:
    refused = sum(not survives(sample, data) for sample, data in mutations(SAMPLES, 20_000, seed=12))
    assert refused > 5_000
