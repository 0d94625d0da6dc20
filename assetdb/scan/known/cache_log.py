"""``asset-db.edits``: the directories that changed since the cache was written.

So an edit writes its folder and not the cache of all (105 MB for 300,000 assets). The file begins with the beginning of
the cache that it goes on from; with another one it counts as absent. Each record has a length and a checksum that
depends on its number: what is cut or damaged ends the log, and its directories are read again.
"""

from __future__ import annotations

import zlib

from assetdb.scan.known import cache

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from assetdb.scan.directory import DirectoryFacts

_MAGIC: Final = b"UADBEDIT"
_NUMBER: Final = 4
_SIZE: Final = 8
_FRAME: Final = _SIZE + _NUMBER
MOST_RECORDS: Final = 64
"""Number of edits from which the cache is written whole: a bake that changes nothing decodes them all."""
MOST_DIRECTORIES: Final = 64
"""Number of directories in one edit from which the cache is written whole."""
_LEAST: Final = 1 << 18
_SHARE: Final = 8


def most_bytes(cache_size: int) -> int:
    """Return how large the log of a cache may become."""
    return max(_LEAST, cache_size // _SHARE)


def record(
    known: cache.Cache,
    files: tuple[int, int, int, int],
    asset_count: int,
    problems: bytes,
    directories: Sequence[DirectoryFacts],
    rows_checksum: int,
) -> bytes:
    """Encode an edit, to be written at ``known.log_size``.

    Args:
        known: the cache, with the edits before.
        files: sizes and identities of database and index after the edit.
        asset_count: how many entries the database has after it.
        problems: packed diagnostics of the project as a whole.
        directories: that changed, each with its facts.
        rows_checksum: of the rows of ``asset-db.seen`` after the edit.
    """
    parts = cache.encode(known.settings, files, asset_count, problems, directories, rows_checksum)
    start = b"" if known.log_size else _MAGIC + known.prefix
    return start + _framed(b"".join(parts), known.log_records)


def followed(base: cache.Cache, log: bytes) -> cache.Cache:
    """Return a cache with the undamaged edits of its log."""
    start = len(_MAGIC) + len(base.prefix)
    if not base.prefix or log[:start] != _MAGIC + base.prefix:
        return base
    known = base
    directories = dict(base.directories)
    edited: set[bytes] = set()
    while known.log_records < MOST_RECORDS:
        end = start + _FRAME + int.from_bytes(log[start : start + _SIZE], "little")
        payload = log[start + _FRAME : end]
        if end > len(log) or log[start:end] != _framed(payload, known.log_records):
            break
        found = cache.decode(payload)
        if not found.prefix or found.settings != base.settings:
            break
        try:
            edits = {path: found.complete(directory) for path, directory in found.directories.items()}
        except (ValueError, IndexError, OverflowError, MemoryError):
            break
        directories.update(edits)
        edited.update(edits)
        known = found._replace(log_size=end, log_records=known.log_records + 1)
        start = end
    if known is base:
        return base
    return known._replace(directories=directories, facts=base.facts.beside(edited), prefix=base.prefix)


def is_damaged(known: cache.Cache, log: bytes) -> bool:
    """Whether a log has more than the edits read from it.

    Args:
        known: the cache, with the undamaged edits.
        log: its bytes; one that goes on from another cache has no edits for this one, and is not damaged.
    """
    if not log.startswith(_MAGIC):
        return True
    return log.startswith(known.prefix, len(_MAGIC)) and len(log) != known.log_size


def _framed(payload: bytes, number: int) -> bytes:
    """Return a record; its checksum depends on its number."""
    checksum = zlib.crc32(payload, number)
    return b"".join((len(payload).to_bytes(_SIZE, "little"), checksum.to_bytes(_NUMBER, "little"), payload))
