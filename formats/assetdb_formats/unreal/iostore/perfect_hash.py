"""Lookup of chunk ids by perfect hash (version 4 on).

The seed of a bucket gives the place of its chunks: 0 nowhere; positive, at the hash with that seed; negative, at
slot ``-seed - 1``, or (version 5) in the list of chunks for which no seed was found.
Before version 4 no chunk has a perfect hash.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb_formats.unreal.iostore.chunk_types import CHUNK_ID_SIZE

if TYPE_CHECKING:
    from collections.abc import Callable

_PRIME: Final = 0x100000001B3
_START: Final = 0xCBF29CE484222325
_MASK: Final = (1 << 64) - 1


def seeded_hash(chunk_id: bytes | memoryview, seed: int) -> int:
    """Return a chunk id's FNV-1 hash, started from a seed unless 0."""
    value = seed or _START
    for byte in chunk_id:
        value = ((value * _PRIME) & _MASK) ^ byte
    return value


def find_chunk(
    chunk_id: bytes, chunk_ids: memoryview, seeds: memoryview, others: Callable[[], dict[bytes, int]]
) -> int | None:
    """Return the index of a chunk id, or None.

    ``chunk_ids`` has 12 bytes for each. ``others`` returns the index of each chunk without a perfect hash; it is called
    only for one of them.
    """
    count = len(chunk_ids) // CHUNK_ID_SIZE
    if not count:
        return None
    if not seeds:
        return others().get(chunk_id)
    seed = seeds[seeded_hash(chunk_id, 0) % len(seeds)]
    if seed == 0:
        return None
    slot = seeded_hash(chunk_id, seed) % count if seed > 0 else -seed - 1
    if slot >= count:
        return others().get(chunk_id)
    return slot if id_at(chunk_ids, slot) == chunk_id else None


def id_at(chunk_ids: memoryview, index: int) -> bytes:
    """Return the id of the chunk at an index."""
    return bytes(chunk_ids[index * CHUNK_ID_SIZE : (index + 1) * CHUNK_ID_SIZE])
