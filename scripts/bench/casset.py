"""How fast are ``.casset`` files read: small ones a second, 100,000 in a folder, one with a blob of 2 GB?

    python -m scripts.bench.casset

No other reader of the format exists, so what is compared is the reader with and without what it remembers of the
classes it has seen.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from assetdb_formats.casset.encoding import schema
from assetdb_formats.casset.encoding.read import read_bundle
from assetdb_formats.casset.files import load, scan
from scripts.arguments import Given, script
from scripts.bench.measuring import medians, seconds
from scripts.programs import CHECKOUT, CORPUS
from tests.assetdb_formats.casset import builder
from tests.assetdb_formats.casset.builder import (
    BUNDLE_TYPE,
    bundle3,
    bundle_object,
    object3,
    schema_entry,
    u32,
    u64,
    uuid,
    z,
)

_ROUNDS = 7
_SCANNED = 100_000
_BLOB = 2 << 30
_CORPUS = CORPUS / "casset" / "engine_written"


def _material(number: int) -> bytes:
    """A bundle of the size and shape of a small asset: a material with three properties and two textures."""
    fields = [*builder.CLASS_FIELDS, ("properties", b"\x14" + u32(2)), ("textures", b"\x13"), ("fallback", b"\x17")]
    types = [
        BUNDLE_TYPE,
        schema_entry(0, "/Code/Game.Rendering::Material", fields),
        schema_entry(1, "/Code/Game.Rendering::Property", [("name", b"\x0c"), ("value", b"\x0f"), ("mode", b"\x08")]),
    ]
    own, identity = uuid(number << 8), uuid((number << 8) + 1)
    properties = b"".join(z(name) + bytes(16) + u64(1) for name in ("Albedo", "Normal", "Roughness"))
    textures = b"".join(uuid((number + at << 8) + 1) + uuid(number + at << 8) for at in (1, 2))
    values = z("Material") + identity + u32(0) + own + own + u32(3) + properties + u32(2) + textures + bytes(16)
    name = f"Material_{number}"
    objects = [bundle_object(own, name, ((number << 8) + 1,)), object3((number << 8) + 1, 1, "M", "M", values)]
    return bundle3(types, objects, own=own, name=name, dependencies=(uuid(number + 1 << 8), uuid(number + 2 << 8)))


def _small_files() -> None:
    sets = {"synthetic": [_material(number) for number in range(50)]}
    real = sorted(_CORPUS.rglob("*.casset"))
    if real:
        sets["written by the engine"] = [path.read_bytes() for path in real]
    else:
        print("casset: the files written by the engine are not here")
    for name, files in sets.items():
        size = sum(map(len, files)) / len(files)
        works = {forget: partial(_parses, files, forget=forget) for forget in (False, True)}
        fast, slow = medians(works, _ROUNDS).values()
        print(
            f"full parses, {name}, {len(files)} files of {size:.0f} bytes: {fast:,.0f}/s; "
            f"every class new: {slow:,.0f}/s (ratio {fast / slow:.2f})"
        )
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, data in enumerate(sets["synthetic"]):
            paths.append(os.path.join(folder, f"{number}.casset"))
            Path(paths[-1]).write_bytes(data)
        rate = medians({"from files": lambda: 20 * len(paths) / seconds(lambda: list(map(load, 20 * paths)))}, _ROUNDS)
        print(f"the synthetic ones from files: {rate['from files']:,.0f}/s")


def _parses(files: list[bytes], *, forget: bool) -> float:
    count = max(1, 2000 // len(files))

    def parse() -> None:
        for data in files * count:
            if forget:
                schema._known_entry.cache_clear()  # noqa: SLF001 - what it is worth is the question
            read_bundle(data)

    return count * len(files) / seconds(parse)


def _one_folder_of_many() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for number in range(_SCANNED):
            if number % 1000 == 0:
                place = Path(folder) / "Game" / "Assets" / f"{number // 1000:03d}"
                place.mkdir(parents=True)
            (place / f"Material_{number}.casset").write_bytes(_material(number))
        found = []
        taken = seconds(lambda: found.append(scan(folder)))
    if len(found[0].entries) != _SCANNED or len(found[0].by_uuid) != _SCANNED:
        raise AssertionError(f"{len(found[0].entries)} bundles")
    print(f"scan of {_SCANNED:,} bundles: {taken:.1f} s, {taken / _SCANNED * 1e6:.0f} us each")


_LARGE = """
import re, sys, time
from assetdb_formats.casset.files import load, load_index
def most():  # ru_maxrss would include the process that started this one
    return int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1])
before = most()
read = {"index": load_index, "whole": load}[sys.argv[1]]
started = time.perf_counter()
found = read(sys.argv[2])
seconds = time.perf_counter() - started
after = most()
print(f"{seconds * 1000:.2f} ms, process {after / 1024:.0f} MB, of which {(after - before) / 1024:.1f} MB by reading")
"""


def _one_large_file() -> None:
    types = [BUNDLE_TYPE, schema_entry(0, "/Code/Game::Mesh", [("blob", b"\x16")])]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "Large.casset")
        small = object3(3, 1, "After", "After", u64(0) + u64(0))
        large = object3(2, 1, "Mesh", "Mesh", u64(0) + u64(0))
        whole = bundle3(types, [bundle_object(), large, small])
        data = int.from_bytes(whole[0x20:0x28], "little")
        at = whole.index(large)
        fields = len(large) - 24
        grown = u64(len(large) + _BLOB) + large[8:fields] + u64(24 + _BLOB) + u64(_BLOB) + u64(0)
        table = u64(int.from_bytes(whole[data : data + 8], "little") + _BLOB)
        with open(path, "wb") as file:
            file.write(whole[:data] + table + whole[data + 8 : at] + grown)
            file.seek(_BLOB, os.SEEK_CUR)
            file.write(whole[at + len(large) :])
        for how in ("index", "whole"):
            command = [sys.executable, "-c", _LARGE, how, path]
            found = subprocess.run(command, check=True, capture_output=True, text=True, cwd=CHECKOUT)
            print(f"a bundle with a blob of 2 GB, {how}: {found.stdout.strip()}")


@script(__doc__)
def main(_: Given) -> None:
    """Print the figures."""
    _small_files()
    _one_folder_of_many()
    _one_large_file()
