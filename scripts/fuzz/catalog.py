"""Damage catalogs and the files around them: each is read or refused.

    python -m scripts.fuzz.catalog FOLDER [--count 20000] [--seed 20260727] [--largest 60000]

FOLDER holds catalogs, settings.json, build layouts and content states, at any depth; small ones reach every branch, and
many times a second. Anything but AddressablesError, over a second, or 64 MB by which the process grows ends the run,
and the input is kept.
"""

from __future__ import annotations

import random
import re
import sys
from binascii import Error as Base64Error
from binascii import a2b_base64, b2a_base64
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from assetdb_formats.addressables.companions.content_state import read_content_state
from assetdb_formats.addressables.companions.layout import read_layout
from assetdb_formats.addressables.companions.settings import read_settings
from assetdb_formats.addressables.editing.content import content_of
from assetdb_formats.addressables.errors import AddressablesError
from assetdb_formats.addressables.queries.query import closure_of, search, users_of
from assetdb_formats.addressables.queries.verify import verify_catalog
from assetdb_formats.addressables.reading import read_catalog
from scripts.arguments import Given, script
from scripts.fuzz.running import Bounds, damage, kept_in, run, small_files


def cases(seeds: Sequence[bytes], count: int, seed: int) -> Iterator[bytes]:
    """Yield damaged files, the same ones for the same seed."""
    rng = random.Random(seed)
    for number in range(count):
        yield mutate(seeds[number % len(seeds)], rng)


def attempt(data: bytes) -> str:
    """Read a file, or have it refused."""
    return "refused" if judge(data) else "read"


def readable(folder: Path, largest: int) -> list[bytes]:
    """Return the files of a folder that are readable as they are."""
    files = [path.read_bytes() for path in small_files(folder, largest) if path.suffix in {".json", ".bin", ".txt"}]
    return [data for data in files if not judge(data)]


def judge(data: bytes) -> int:
    """Read ``data`` as the kind it looks like, strictly and salvaging; return the number of typed errors."""
    if data.startswith(b"\0\1\0\0\0\xff\xff\xff\xff"):
        return _expect(lambda: read_content_state(data))
    head = data[:4096]
    if b"m_CatalogLocations" in head or b"m_buildTarget" in head:
        return _expect(lambda: read_settings(data))
    if b'"BuildTarget"' in head[:200] or b"Addressable Groups" in head:
        return _expect(lambda: read_layout(data))
    return sum(_expect(partial(_walk, data, salvage=salvage)) for salvage in (False, True))


def _expect(read: Callable[[], object]) -> int:
    try:
        read()
    except AddressablesError as error:
        if not error.what or (error.offset is None and not error.field and "far more" not in error.what):
            raise AssertionError(f"an error without a place: {error}") from error
        return 1
    return 0


def _walk(data: bytes, *, salvage: bool) -> None:
    catalog = read_catalog(data, salvage=salvage)
    count = sum(1 for _ in catalog.locations())
    verify_catalog(catalog)
    if count:
        closure_of(catalog, range(min(count, 4)))
        users_of(catalog, [0])
        search(catalog, text="a")
    content_of(catalog)


def mutate(data: bytes, rng: random.Random) -> bytes:
    """Return ``data`` with one or two damages, seven in ten inside a base64 string where there is one."""
    for _ in range(rng.choice((1, 1, 2))):
        starts = [found.end() for found in re.finditer(b'DataString":"', data)] if rng.random() < 0.7 else []
        if starts:
            start = rng.choice(starts)
            end = max(start, data.find(b'"', start))
            with suppress(Base64Error):  # a second damage may meet what the first one left
                inner = a2b_base64(data[start:end])
                data = data[:start] + b2a_base64(damage(inner, rng, [inner]), newline=False) + data[end:]
                continue
        data = damage(data, rng, [data])
    return data


@script(__doc__, "folder", count=20_000, seed=20260727, largest=60_000)
def main(given: Given) -> None:
    """Run the mutations."""
    seeds = readable(given.folder, given.largest)
    if not seeds:
        sys.exit(f"{given.folder}: no catalogs of {given.largest} bytes or less")
    print(f"{len(seeds)} files, seed {given.seed}")
    bounds = Bounds(1.0, growth=64 << 20)
    run(cases(seeds, given.count, given.seed), attempt, kept_in("fuzz-catalog.bin"), every=100_000, bounds=bounds)
