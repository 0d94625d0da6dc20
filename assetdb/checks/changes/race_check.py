"""Proof that disk and index stayed unchanged during a check.

The disk is compared as in a bake: one more scan of names and identities. Asking git for all differences again took
twice as long for unitystation (0.32 s for 0.16), and left a gap: a file that got the index's content between the two
scans was judged by its former content, and its findings were kept as the index's findings.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.verdicts.judging import scan_tree
from assetdb.memo.tree import Tree, identity_on_disk
from assetdb.packages.search import find_orphan_metas
from assetdb.query.snapshots.snapshot import NEWEST
from assetdb.scan.content_id import digest_state
from assetdb.settings.project import files_beside
from assetdb.system.identity import RACY

if TYPE_CHECKING:
    from assetdb.history.git.repository import Repository
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.workspace.workspace import Listing


STAMP_SIZE: Final = 16
"""Number of bytes of the stamp of a disk."""


class UnchangedSnapshot:
    """Proof in a daemon that its newest snapshot and the index stayed."""

    def __init__(self, project: Snapshot, repository: Repository, index: tuple[int, bytes]) -> None:
        """Take a snapshot and the index's identity, before git is asked anything."""
        self._project = project
        self._repository = repository
        self._index = index
        self._beside = files_beside(project.root)

    def holds(self) -> bool:
        """Whether the daemon has seen no change since."""
        is_newest = self._project.memory.get(NEWEST) == self._project.number
        is_same = self._beside == files_beside(self._project.root)
        return is_newest and is_same and self._repository.index_identity() == self._index


class _Disk(NamedTuple):
    """The stamp of a disk: the tree, and files beside it."""

    digest: bytes
    loose: dict[bytes, int]
    alone: object
    beside: tuple[tuple[str, int], ...]


class UnchangedDisk:
    """Proof that index and disk have not changed since this was made.

    Attributes:
        stamp: a digest of both, ``b""`` if uncertain: nothing changed from one question to another with the same one.
    """

    def __init__(self, project: Snapshot, repository: Repository, index: tuple[int, bytes]) -> None:
        """Record the disk as the project scanned it, and git's index."""
        self._project = project
        self._repository = repository
        self._index = index
        listing = project.listing()
        self._disk = _disk(project.root, listing) if listing is not None else None
        seen = repr((self._disk, index)).encode("utf-8", "surrogatepass")
        self.stamp = digest_state(seen, size=STAMP_SIZE).digest() if self._disk is not None else b""

    def holds(self) -> bool:
        """Scan again; return whether nothing changed, False if uncertain.

        Raises:
            AssetdbError, OSError: the project cannot be read.
        """
        if self._disk is None or self._repository.index_identity() != self._index:
            return False
        listing, _ = scan_tree(self._project)
        return _disk(self._project.root, listing) == self._disk


def _disk(root: str, listing: Listing) -> _Disk | None:
    """Return the stamp of a listing's disk, or None."""
    tree = Tree(listing)
    loose = {path: identity_on_disk(root, path) for path in tree.loose}
    if tree.is_racy or RACY in loose.values():
        return None
    alone: object
    if tree.alone is None:
        alone = find_orphan_metas(root)
    else:
        alone = [(path, identity_on_disk(root, os.fsencode(path))) for path in tree.alone]
    return _Disk(tree.digest, loose, alone, files_beside(root))
