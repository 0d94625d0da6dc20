from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.casset.encoding.read import read_bundle
from scripts.fuzz.casset import attempt, mutations
from tests.assetdb_formats.casset import builder

if TYPE_CHECKING:
    from pathlib import Path

FORMATS = builder.every_format()


@pytest.mark.parametrize("name", FORMATS)
def test_every_proper_prefix_is_refused(name: str) -> None:
    data = FORMATS[name]
    for size in range(len(data)):
        bundle = None
        with contextlib.suppress(FormatError):
            bundle = read_bundle(data[:size])
        if bundle is not None:
            # Format 2.0 says no size anywhere: a cut that happens to end with zeros leaves an object broken.
            assert name == "2.0", size
            assert bundle.problems, size


def test_bytes_after_the_end_are_refused() -> None:
    for name, data in FORMATS.items():
        with pytest.raises(FormatError):
            read_bundle(data + b"\0")
        assert name


@pytest.mark.long
def test_20_000_mutations() -> None:
    clean = sum(map(attempt, mutations([*FORMATS.values()], 20_000, seed=11)))
    assert 0 < clean < 10_000  # no checksum exists, so a changed value is as good as the old one


def test_some_mutations() -> None:
    assert sum(map(attempt, mutations([*FORMATS.values()], 2_000, seed=12))) < 1_000


@pytest.mark.corpus("casset")
@pytest.mark.long
def test_every_proper_prefix_of_every_small_file(corpus: Path) -> None:
    files = sorted((corpus / "casset" / "engine_written").rglob("*.casset"))
    files += sorted((corpus / "casset" / "git_history_text_v0").glob("*.casset"))
    assert len(files) == 724
    for path in files:
        data = path.read_bytes()
        for size in range(len(data)):
            assert not attempt(data[:size]), (path, size)


@pytest.mark.corpus("casset")
@pytest.mark.long
def test_mutations_of_real_files(corpus: Path) -> None:
    seeds = [path.read_bytes() for path in sorted((corpus / "casset" / "engine_written").rglob("*.casset"))]
    assert sum(map(attempt, mutations(seeds, 20_000, seed=13))) > 0
