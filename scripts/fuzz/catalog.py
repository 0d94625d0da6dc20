"""Damages catalogs and the files around them, and reads what comes out: a typed error or a bounded result, always.

    python scripts/fuzz/catalog.py --count 1000000 --files FOLDER

FOLDER holds catalogs, settings.json, build layouts and content states, at any depth. Exit code 1 where a reader raised
anything but AddressablesError, took over a second, or the process grew by more than 64 MB; such inputs are kept with --keep.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from binascii import Error as Base64Error
from binascii import a2b_base64, b2a_base64
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assetdb_formats.addressables.companions.content_state import read_content_state
from assetdb_formats.addressables.companions.layout import read_layout
from assetdb_formats.addressables.companions.settings import read_settings
from assetdb_formats.addressables.editing.content import content_of
from assetdb_formats.addressables.errors import AddressablesError
from assetdb_formats.addressables.queries.query import closure_of, search, users_of
from assetdb_formats.addressables.queries.verify import verify_catalog
from assetdb_formats.addressables.reading import read_catalog
from scripts.fuzz.running import peak_bytes

LARGEST = 60_000  # bytes of a file that is worth damaging: small ones reach every branch, and many times a second
SECONDS = 1.0
GROWTH = 64 << 20
INTERESTING = (0, 1, 2, 4, 7, 8, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x10000, 0x3FFFFFFF, 0x40000000, 0x7FFFFFFF,
    0x80000000, 0xC0000000, 0xFFFFFFFC, 0xFFFFFFFE, 0xFFFFFFFF)  # fmt: skip


def main() -> int:
    """Run the mutations; print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20_000, help="mutations (default: 20,000)")
    parser.add_argument("--seed", type=int, default=20260727)
    parser.add_argument("--files", required=True, help="folder of files to damage")
    parser.add_argument("--largest", type=int, default=LARGEST, help="skip files of more bytes")
    parser.add_argument("--keep", help="folder for inputs that failed")
    arguments = parser.parse_args()
    seeds = find_seeds(arguments.files, arguments.largest)
    if not seeds:
        print(f"{arguments.files}: no catalogs of {arguments.largest} bytes or less")
        return 2
    rng = random.Random(arguments.seed)
    for _, data in seeds:
        judge(data)  # warm: code, caches and allocator are no growth
    before = highest = peak_bytes()
    failures = errors = 0
    slowest = 0.0
    started = time.monotonic()
    for number in range(arguments.count):
        name, data = seeds[number % len(seeds)]
        damaged = mutate(data, rng)
        start = time.process_time()
        try:
            errors += judge(damaged)
            what = ""
        except Exception as error:  # noqa: BLE001 - finding these is the point
            what = f"{type(error).__name__}: {error}"
        taken = time.process_time() - start
        slowest = max(slowest, taken)
        grown = peak_bytes()
        if grown > highest + (8 << 20):
            print(f"mutation {number} of {name}: the peak of memory is {(grown - before) >> 20} MB over the start")
            if arguments.keep:
                keep(arguments.keep, number, name, damaged)
            highest = grown
        if taken > SECONDS:
            what = what or f"took {taken:.2f} s"
        if what:
            failures += 1
            print(f"mutation {number} of {name}: {what}", flush=True)
            if arguments.keep:
                keep(arguments.keep, number, name, damaged)
        if number % 100_000 == 99_999:
            print(f"{number + 1:,} done, {failures} failures", flush=True)
    growth = peak_bytes() - before
    seconds = time.monotonic() - started
    print(
        f"{arguments.count:,} mutations of {len(seeds)} files in {seconds:.0f} s: {failures} failures, "
        f"{errors:,} typed errors, slowest {slowest:.3f} s, peak memory grew {growth / (1 << 20):.1f} MB"
    )
    return 1 if failures or growth > GROWTH else 0


def keep(folder: str, number: int, name: str, data: bytes) -> None:
    """Write an input to look at later."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    Path(folder, f"{number}-{os.path.basename(name)}").write_bytes(data)


def find_seeds(folder: str, largest: int) -> list[tuple[str, bytes]]:
    """Return the files of a folder that are readable as they are, in a stable order."""
    seeds = []
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(place, name)
            if name.endswith((".json", ".bin", ".txt")) and 0 < os.path.getsize(path) <= largest:
                data = Path(path).read_bytes()
                if not judge(data):
                    seeds.append((path, data))
    return seeds


def judge(data: bytes) -> int:
    """Read ``data`` as whatever it looks like, strictly and salvaging; return how many typed errors there were."""
    if data.startswith(b"\0\1\0\0\0\xff\xff\xff\xff"):
        return _expect(lambda: read_content_state(data))
    head = data[:4096]
    if b"m_CatalogLocations" in head or b"m_buildTarget" in head:
        return _expect(lambda: read_settings(data))
    if b'"BuildTarget"' in head[:200] or b"Addressable Groups" in head:
        return _expect(lambda: read_layout(data))
    return sum(_expect(lambda salvage=salvage: _walk(data, salvage=salvage)) for salvage in (False, True))


def _expect(read: object) -> int:
    try:
        read()  # type: ignore[operator]
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
    """Return ``data`` with one to four damages, half of them inside a base64 string where there is one."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        begin = data.find(b'DataString":"') if rng.random() < 0.7 else -1
        if begin >= 0:
            places = []
            while begin >= 0:
                places.append(begin + 13)
                begin = data.find(b'DataString":"', begin + 13)
            start = rng.choice(places)
            end = data.find(b'"', start)
            with suppress(Base64Error):  # a second damage may meet what the first one left
                inner = _damage(a2b_base64(data[start : max(start, end)]), rng)
                data = data[:start] + b2a_base64(inner, newline=False) + data[max(start, end) :]
                continue
        data = _damage(data, rng)
    return data


def _damage(data: bytes, rng: random.Random) -> bytes:
    if not data:
        return data
    at = rng.randrange(len(data))
    if rng.random() < 0.3:
        at = min(at, rng.randrange(64))  # headers and counts
    kind = rng.randrange(8)
    if kind <= 2:
        number = rng.choice(INTERESTING) if rng.random() < 0.5 else rng.randrange(max(2, len(data) * 2))
        return data[:at] + number.to_bytes(4, "little") + data[at + 4 :]
    if kind == 3:
        return data[:at] + bytes((data[at] ^ 1 << rng.randrange(8),)) + data[at + 1 :]
    if kind == 4:
        return data[:at]
    size = rng.randrange(1, 65)
    if kind == 5:
        return data[:at] + data[at + size :]
    if kind == 6:
        return data[:at] + rng.randbytes(size) + data[at:]
    other = rng.randrange(len(data))
    return data[:at] + data[other : other + size] + data[at + size :]


if __name__ == "__main__":
    raise SystemExit(main())
