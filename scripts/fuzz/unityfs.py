"""Break Unity's bundles in every way and see that only FormatError comes out, quickly and in little memory.

    python -m scripts.fuzz.unityfs [--count 1000000] [--seed 1] [--file F.bundle]...

Synthetic bundles of every format, version and compression are mutated, before compression too: half of the cases
are whole archives around a broken SerializedFile or broken blocks info. What opens is read to its last object.
Prints the slowest case and the most memory.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from assetdb_formats.binary import FormatError
from assetdb_formats.unityfs.bundle import Bundle
from assetdb_formats.unityfs.serialized_files.mainclass import serialized_file_main_class
from assetdb_formats.unityfs.serialized_files.tree_values import references
from scripts.arguments import Given, script
from scripts.fuzz.running import kept_in, mutations, run
from tests.assetdb_formats.unityfs import builder


def cases(count: int, seed: int, seeds: list[bytes] | None = None) -> Iterator[bytes]:
    """Yield ``count`` broken files, the same ones for the same ``seed``."""
    choice = random.Random(seed)
    kinds = builder.every_kind()
    whole = seeds or list(kinds.values())
    inner = [data for name, data in kinds.items() if name.startswith(("version", "big", "no"))]
    outside = mutations(whole, count, seed)
    inside = mutations(inner, count, seed + 1)
    for _ in range(count):
        if seeds or choice.random() < 0.5:
            yield next(outside)
        else:
            yield builder.archive(
                [("CAB-a", next(inside)), ("CAB-a.resS", bytes(99))],
                compression=choice.choice((0, 1, 2)),
                info_compression=0,
                block=choice.choice((200, 1000, 1 << 17)),
            )


def attempt(data: bytes) -> bool:
    """Open one file and read all of it; whether nothing was wrong."""
    serialized_file_main_class(data)
    clean = True
    try:
        bundle = Bundle(BytesIO(data))
        bundle.crc32()
    except FormatError as error:
        _check(error)
        return False
    for node in bundle.nodes:
        try:
            if not node.serialized:
                continue
            file = bundle.file(node)
            file.asset_bundle()
            entries = list(file.facts.objects)
        except FormatError as error:
            _check(error)
            clean = False
            continue
        for entry in entries:
            try:
                file.name(entry)
                for _ in references(file.checked_value(entry)[0]):
                    pass
            except FormatError as error:
                _check(error)
                clean = False
    return clean


def _check(error: FormatError) -> None:
    if not error.field:
        raise AssertionError(f"an error without a field: {error}")


@script(__doc__, count=1_000_000, seed=1, file=[])
def main(given: Given) -> None:
    """Run."""
    seeds = [Path(name).read_bytes() for name in given.file]
    run(cases(given.count, given.seed, seeds or None), attempt, kept_in("fuzz-unityfs.bin"), every=50_000)
