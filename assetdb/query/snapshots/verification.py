"""``bake --verify``: comparison of the files with a fresh bake."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, NamedTuple

from assetdb.errors import DatabaseError
from assetdb.scan.content_id import content_id
from assetdb.scan.directory import facts_of
from assetdb.scan.known import cache, cache_log, file_identities
from assetdb.settings.effective import read_settings, same_facts
from assetdb.settings.project import find_project
from assetdb.store import dump
from assetdb.store.indexes.reader import Index
from assetdb.store.output import Output, read_bytes
from assetdb.system.identity import RACY, has_racy
from assetdb.workspace.workspace import Options, Workspace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assetdb.scan.directory import DirectoryFacts

_LOCK_TIMEOUT = 120.0
_MOST_LINES = 20


class Verification(NamedTuple):
    """The result of a comparison.

    Attributes:
        database: absolute path of the ``asset-db.bin``.
        asset_count: how many entries the tree makes.
        findings: one line for each problem; empty if there is none.
    """

    database: str
    asset_count: int
    findings: tuple[str, ...]


def verify(
    project: str | os.PathLike[str] | None = None,
    out_dir: str | os.PathLike[str] | None = None,
    *,
    may_change_directory: bool = False,
) -> Verification:
    """Compare database, index, cache and identities with checksums and tree.

    Nothing is written, and no cache is trusted: every file is read again.

    Raises:
        AssetdbError, OSError: as ``assetdb.bake``.
    """
    root = find_project(os.fspath(project) if project is not None else None)
    settings = read_settings(root, out_dir)
    output = Output(settings.folder, settings.check_stat)
    with contextlib.ExitStack() as stack:
        if os.path.isdir(settings.folder):
            with contextlib.suppress(OSError):  # a read-only folder needs no lock
                stack.enter_context(output.locked(_LOCK_TIMEOUT))
        known = output.read_cache()
        options = Options(read_only=True, use_cache=False, may_change_directory=may_change_directory)
        fresh = Workspace(root, lambda: settings.named_as(known.settings), options)
        fresh.refresh()
        database, database_index = fresh.contents()
        data, indexed = read_bytes(output.database), read_bytes(output.index)
        findings = [
            *_database_problems(output, data, indexed, database, database_index),
            *_cache_problems(output, known, settings.packed(), fresh.directories()),
            *_identity_problems(output, indexed),
        ]
        fresh.close()
    return Verification(output.database, fresh.asset_count, tuple(findings))


def _database_problems(output: Output, data: bytes, indexed: bytes, new_data: bytes, new_index: bytes) -> Iterator[str]:
    """Compare database and index with each other and with the tree."""
    if not data:
        yield f"{output.database}: is not there, or cannot be read"
    if not indexed:
        yield f"{output.index}: is not there, or cannot be read"
    elif data:
        try:
            digest = Index(memoryview(indexed)).digest
        except DatabaseError as error:
            yield f"{output.index}: is damaged: {error}"
        else:
            if digest != content_id(data):
                yield f"{output.database}: does not belong to its index: one is damaged or from another database"
    if data and data != new_data:
        yield f"{output.database}: does not match the tree"
        try:
            lines = dump.difference(data, new_data)
        except DatabaseError as error:
            yield f"{output.database}: is damaged: {error}"
        else:
            yield from lines[:_MOST_LINES]
            if len(lines) > _MOST_LINES:
                yield f"and {len(lines) - _MOST_LINES:,} lines more"
    if indexed and indexed != new_index:
        yield f"{output.index}: does not match the tree"


def _cache_problems(
    output: Output, known: cache.Cache, packed: bytes, directories: Mapping[bytes, DirectoryFacts]
) -> Iterator[str]:
    """Compare cache and log with checksums, unchanged directories with the tree."""
    if known is cache.EMPTY:
        if os.path.lexists(output.cache):
            yield f"{output.cache}: is damaged, or of another version"
        return
    log = read_bytes(output.log, cache_log.most_bytes(output.size_of_cache(known.prefix)) + 1)  # no bake writes more
    if os.path.lexists(output.log) and cache_log.is_damaged(known, log):
        yield f"{output.log}: is damaged after {known.log_records} of its edits"
    try:
        known.facts.hold()
        if not same_facts(known.settings, packed):
            return  # the cache was written with other settings, so no bake uses it
        for path, directory in known.directories.items():
            current = directories.get(path)
            if current is None or current.identity != directory.identity or current.identities != directory.identities:
                continue
            if current.identity == RACY or has_racy(current.identities):
                continue  # a bake reads it again, and takes nothing of it from the cache
            if facts_of(known.complete(directory)) != facts_of(current):
                yield f"{output.cache}: {os.fsdecode(path)} differs from the cache, although its times have not changed"
    except cache.DamagedCacheError as error:
        yield f"{output.cache}: is damaged: {error}"


def _identity_problems(output: Output, indexed: bytes) -> Iterator[str]:
    """Compare the recorded identities with their checksum and index."""
    if not os.path.lexists(output.seen):
        return
    checksums = file_identities.read_checksums(read_bytes(output.seen))
    if checksums is None:
        yield f"{output.seen}: is damaged, or of another version"
        return
    index_identity, index_checksum = checksums
    if index_identity == output.identities()[3] and index_checksum != file_identities.checksum_of(indexed):
        yield f"{output.index}: is damaged: it does not match its checksum"
