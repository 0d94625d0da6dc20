"""How long a table of contents takes.

    python -m scripts.bench.iostore [--chunks 1000000] [--rounds 5] [--toc FILE.utoc]

Each question is asked in turns (ours, other, ours, other) and answered with the ratio of the medians. The others:
every row of the same tables with `struct`, the same tables with numpy. One that is not installed is said to be
absent. A real, unencrypted table of contents is named by ``--toc`` or by IOSTORE_BENCH_TOC.
"""

from __future__ import annotations

import os
import random
import struct
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from assetdb_formats.unreal.iostore.directory_index import DirectoryIndex
from assetdb_formats.unreal.iostore.toc import Toc
from scripts.arguments import Given, script
from scripts.bench.measuring import report


def synthetic(chunks: int, blocks_each: int = 3, per_folder: int = 50) -> bytes:
    """Return a .utoc (version 8) of many chunks, each with a file name as long as real ones are."""
    rng = random.Random(1)
    blocks = chunks * blocks_each
    names = [b"Folder_%05d\0" % number for number in range(chunks // per_folder + 1)]
    names += [b"SM_Rock_Variant_%07d.uasset\0" % number for number in range(chunks)]
    folders = chunks // per_folder + 1
    none = 0xFFFFFFFF
    directory = [struct.pack("<I", 14), b"../../../Game\0", struct.pack("<I", folders + 1)]
    directory.append(struct.pack("<4I", none, 1, none, none))
    for folder in range(folders):
        first = folder * per_folder
        sibling = folder + 2 if folder + 1 < folders else none
        directory.append(struct.pack("<4I", folder, none, sibling, first if first < chunks else none))
    directory.append(struct.pack("<I", chunks))
    for number in range(chunks):
        last = number % per_folder == per_folder - 1 or number == chunks - 1
        directory.append(struct.pack("<3I", folders + number, none if last else number + 1, number))
    directory.append(struct.pack("<I", len(names)))
    directory += [struct.pack("<I", len(name)) + name for name in names]
    index = b"".join(directory)
    header = struct.pack(
        "<16s B3x IIIIIIIII Q 16s BBH I Q I I I",
        b"-==--==--==--==-", 8, 144, chunks, blocks, 12, 0, 32, 65536, len(index), 1, 7, bytes(16), 8, 0, 0,
        0, 1 << 40, 0, 0, 0,
    ).ljust(144, b"\0")  # fmt: skip
    places = b"".join(
        (number * blocks_each * 65536).to_bytes(5, "big") + (196000).to_bytes(5, "big") for number in range(chunks)
    )
    return b"".join([header, rng.randbytes(12 * chunks), places, _blocks(blocks), index, bytes(24 * chunks)])


def _blocks(count: int) -> bytes:
    return b"".join(
        (number * 65536).to_bytes(5, "little") + b"\xff\xff\0" + b"\0\0\1" + b"\0" for number in range(count)
    )


def with_struct(data: bytes) -> int:
    """Unpack every row of the tables as one would write it first."""
    count, blocks = struct.unpack_from("<II", data, 24)
    position = 144
    ids = [row[0] for row in struct.iter_unpack("<12s", data[position : position + 12 * count])]
    position += 12 * count
    rows = struct.iter_unpack(">BIBI", data[position : position + 10 * count])
    places = [(high << 32 | low, more << 32 | length) for high, low, more, length in rows]
    position += 10 * count
    rows = struct.iter_unpack("<IBHBHBB", data[position : position + 12 * blocks])
    table = [(low | high << 32, a | b << 16, c | d << 16, method) for low, high, a, b, c, d, method in rows]
    return len(ids) + len(places) + len(table)


def with_numpy(numpy: Any, data: bytes) -> int:  # noqa: ANN401 - a module that may not be there
    """Read the same tables with numpy."""
    count, blocks = struct.unpack_from("<II", data, 24)
    position = 144
    ids = numpy.frombuffer(data, numpy.uint8, 12 * count, position).reshape(count, 12)
    position += 12 * count
    raw = numpy.frombuffer(data, numpy.uint8, 10 * count, position).reshape(count, 10).astype(numpy.uint64)
    weights = numpy.array([1 << shift for shift in (32, 24, 16, 8, 0)], numpy.uint64)
    places = raw[:, :5] @ weights, raw[:, 5:] @ weights
    position += 10 * count
    raw = numpy.frombuffer(data, numpy.uint8, 12 * blocks, position).reshape(blocks, 12).astype(numpy.uint64)
    table = raw[:, :5] @ weights[::-1], raw[:, 5:8] @ weights[:1:-1], raw[:, 8:11] @ weights[:1:-1], raw[:, 11]
    return len(ids) + len(places[0]) + len(table[0])


def optional(name: str) -> Any:  # noqa: ANN401 - a module that may not be there
    """Return a module; print and return None where it is not installed."""
    try:
        return import_module(name)
    except ImportError:
        print(f"{name} is absent: not compared")
        return None


def all_tables(data: bytes) -> int:
    """Read a table of contents with every column widened, as the peers do."""
    toc = Toc(data)
    columns = (toc.offsets, toc.lengths, toc.block_offsets, toc.block_compressed, toc.block_sizes, toc.block_methods)
    return sum(map(len, columns))


def measure_toc(label: str, data: bytes, rounds: int, target: str, paths_target: str = "") -> None:
    """Measure one table of contents."""

    def tables() -> int:
        return all_tables(data)

    def paths(toc: Toc) -> object:
        return DirectoryIndex(toc.directory_index, toc_size=len(data)).by_chunk(len(toc))

    report(f"{label}, tables (target {target})", tables, lambda: with_struct(data), rounds, "struct")
    numpy = optional("numpy")
    if numpy is not None:
        report(f"{label}, tables", tables, lambda: with_numpy(numpy, data), rounds, "numpy")
    toc = Toc(data)
    if len(toc.directory_index):
        names = partial(DirectoryIndex, toc.directory_index, toc_size=len(data))
        report(f"{label}, names and paths of all files", names, None, rounds)
        said = f" (target {paths_target})" if paths_target else ""
        report(f"{label}, the path of every chunk from the file's bytes{said}", lambda: paths(Toc(data)), None, rounds)
        report(f"{label}, everything (target {target})", lambda: (tables(), paths(toc)), None, rounds)


@script(__doc__, chunks=1_000_000, rounds=5, toc=os.environ.get("IOSTORE_BENCH_TOC", ""))
def main(given: Given) -> None:
    """Ask every question."""
    measure_toc("5,391 chunks", synthetic(5391), given.rounds * 4, "15 ms")
    if given.toc:
        data = Path(given.toc).read_bytes()
        measure_toc(f"{os.path.basename(given.toc)}, {len(Toc(data)):,} chunks", data, given.rounds * 4, "15 ms")
    data = synthetic(given.chunks)
    measure_toc(f"{given.chunks:,} chunks", data, given.rounds, "2,500 ms, with numpy 600 ms", "600 ms")
