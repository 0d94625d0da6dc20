"""One directory: compare it with what is known of it, and have read what changed.

The one road for a first bake, a bake that changes nothing and a bake after an edit: what is known of a
directory may be nothing, all, or most of it. Whatever is needed only where something changed is in
:mod:`assetdb.scan.changes`, which a bake that changes nothing does not import (12 ms with :mod:`re` and the patterns).
"""

from __future__ import annotations

import os
import time

from assetdb.scan.directory import SLASH
from assetdb.scan.identity import DEFAULT, UNTRUSTED, Identities

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.scan.changes import Changes
    from assetdb.scan.directory import Directory


class DirectoryReader:
    """Reads directories of one project, one after the other, in one process.

    Attributes:
        files_read: how many metas and assets were opened so far.
        walk_seconds: how long listing and comparing took.
        prefix: what stands before a file name to open it, ``b""`` where the process is in its directory.
        identities: of files, as of this scan.
        excluded: as given.
    """

    def __init__(
        self,
        root: bytes,
        *,
        since_ns: int,
        check_stat: str = DEFAULT,
        may_change_directory: bool,
        excluded: Callable[[str], bool] | None = None,
        complete: Callable[[Directory], Directory] | None = None,
    ) -> None:
        """Prepare to read.

        Args:
            root: the project, absolute.
            since_ns: when the bake began; times from this tick on are not trusted.
            check_stat: one of :data:`assetdb.user_settings.CHECK_STAT`.
            may_change_directory: whether the process is ours to ``chdir`` in, which saves the kernel from
                walking the path for every file (5 % of a cold bake).
            excluded: whether a path (relative, ``/``, with a ``/`` behind a directory) is to be left out.
            complete: fills in the facts of a known directory, which are not needed while nothing changed.
        """
        self.files_read = 0
        self.walk_seconds = 0.0
        self.prefix = b""
        self.identities = Identities(since_ns, check_stat)
        self.excluded = excluded
        self._complete = complete
        self._root = root
        self._chdir = may_change_directory
        self._changes: Changes | None = None

    def read(self, path: bytes, known: Directory | None) -> Directory | None:
        """Return what a directory holds now: ``known`` itself if nothing changed, None if it is gone."""
        started = time.perf_counter()
        try:
            if self._chdir:
                os.chdir(self._root + SLASH + path)
                own = os.stat(b".")
            else:
                self.prefix = self._root + SLASH + path + SLASH
                own = os.stat(self.prefix)
        except OSError:
            return None
        same_names = known is not None and known.identity == self.identities.raw(own)
        identities = None
        if known is not None and same_names:
            identities = self.packed(known.files)
            if identities == known.identities:
                self.walk_seconds += time.perf_counter() - started
                return known
        changes = self._changes
        if changes is None:
            from assetdb.scan.changes import Changes  # noqa: PLC0415 - only where something changed

            changes = self._changes = Changes(self)
        if known is not None and same_names and not changes.has_orphans(known):
            listing = changes.known_listing(known)
            identity = known.identity
        else:
            listing = changes.listing_of(path)
            identity = UNTRUSTED if changes.unsure else self.identities.of(own)
        self.walk_seconds += time.perf_counter() - started
        if known is not None and self._complete is not None:
            known = self._complete(known)
        return changes.read(path, identity, listing, known, identities)

    def packed(self, files: bytes) -> bytes:
        """Return the packed identities of ``files`` as they are now, which equal those of a file that is as it was."""
        return self.identities.packed(self.prefix, files.split(SLASH) if files else ())
