"""Files that two sides changed and git cannot merge by lines.

Git leaves the bytes of one side, without a marker: who commits the merge has lost the other side's.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import CONFLICT_MARKERS
from assetdb.history.git.entries import FILE
from assetdb.history.git.objects import read_blobs
from assetdb.settings.project import asset_prefix
from assetdb.unity.kinds import is_lfs_pointer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.history.git.repository import Repository, Revision

_LOOKED_AT: Final = 8000  # bytes in which git looks for a zero, which no text has


def unmergeable_findings(
    repository: Repository, sides: tuple[Revision, Revision], conflicted: Sequence[bytes]
) -> list[Finding]:
    """Return findings for pointers of Git LFS and binary files in conflict.

    Args:
        repository: with the merge.
        sides: the merged revisions.
        conflicted: files that git could not merge, relative to the project.

    Raises:
        HistoryError: git fails.
    """
    if not conflicted:
        return []
    trees = [repository.tree(side.tree) for side in sides]
    rows = [
        (path, [there[path].oid for there in trees])
        for path in conflicted
        if all(path in there and there[path].kind == FILE for there in trees)
    ]
    oids = dict.fromkeys(oid for _, pair in rows for oid in pair)
    heads = {
        oid: next(blob.pieces(), b"")[:_LOOKED_AT] if blob is not None else b""
        for oid, blob in zip(oids, read_blobs(repository, list(oids)), strict=True)
    }
    prefix = asset_prefix(repository.root)
    advice = "take one of the two"
    return [
        Finding.of(CONFLICT_MARKERS, prefix + os.fsdecode(path), f"both sides changed it, and {why}: {advice}")
        for path, pair in rows
        if (why := _why([heads[oid] for oid in pair]))
    ]


def _why(heads: Sequence[bytes]) -> str:
    """Return why git cannot merge two files, or ``""``."""
    if all(map(is_lfs_pointer, heads)):
        return "git has pointers of Git LFS, whose contents it cannot merge"
    return "git cannot merge binary files" if any(b"\0" in head for head in heads) else ""
