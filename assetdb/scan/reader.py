"""One directory: compared with the cache, read where it changed.

Used by a first bake, a bake that changes nothing and a bake after an edit: nothing, everything or most of a directory
may be known. Code for changed files is in :mod:`assetdb.scan.changes`, which a bake that changes nothing does not
import (12 ms with :mod:`re` and the patterns).
"""

from __future__ import annotations

import os
import time

from assetdb.scan.directory import SLASH
from assetdb.system.failures import is_gone
from assetdb.system.identity import DEFAULT, RACY, Identities
from assetdb.system.reading import LARGEST_ASSET

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import Final

    from assetdb.scan.changes import Changes
    from assetdb.scan.directory import DirectoryFacts


LARGEST_META: Final = 32 << 20
"""Bytes of a ``.meta``: 80 times the largest that is known (400 KB, for the bones of a skeleton's sprites)."""
WIDE: Final = 2_000
"""Number of assets from which a directory is not listed if an observer reports every changed file."""


class DirectoryReader:
    """Reads directories of one project, one after the other, in one process.

    Attributes:
        files_read: how many metas and assets were opened so far.
        walk_seconds: how long listing and comparing took.
        prefix: prepended to a file name to open it, ``b""`` if the process is in its directory.
        path: of the directory that is being read.
        identities: of files, as of this scan.
        root: the project, absolute.
        has_mounts: whether folders lie elsewhere than their paths.
    """

    def __init__(
        self,
        root: bytes,
        *,
        since_ns: int,
        check_stat: str = DEFAULT,
        may_change_directory: bool,
        excluded: Callable[[str], bool] | None = None,
        complete: Callable[[DirectoryFacts], DirectoryFacts] | None = None,
        largest_meta: int = LARGEST_META,
        largest_asset: int = LARGEST_ASSET,
        mounts: Mapping[bytes, bytes] | None = None,
        wide: int = WIDE,
    ) -> None:
        """Prepare to read.

        Args:
            root: the project, absolute.
            since_ns: start of the bake; times from this tick on are not trusted.
            check_stat: one of :data:`assetdb.system.identity.CHECK_STAT`.
            may_change_directory: whether the process may ``chdir``, which saves the kernel a path lookup for every file
                (5 % of a cold bake).
            excluded: whether to leave out a path (relative, with ``/``, also after a directory).
            largest_meta: bytes of a meta up to which it is read; a larger one is reported, and has no GUID.
            largest_asset: bytes of a text up to which an asset is read; a larger one is reported, and typed by its
                importer.
            complete: fills in the facts of a known directory, needed only if something changed.
            mounts: locations of folders outside the project, by their paths in it (``Packages/com.acme.tools``).
            wide: number of assets from which a directory is patched.
        """
        self.files_read = 0
        self.walk_seconds = 0.0
        self.prefix = b""
        self.path = b""
        self.identities = Identities(since_ns, check_stat)
        self.excluded = excluded
        self.largest_meta = largest_meta
        self.largest_asset = largest_asset
        self.complete: Callable[[DirectoryFacts], DirectoryFacts] = complete or (lambda directory: directory)
        self.root = root
        self._mounts = mounts or {}
        self.has_mounts = bool(mounts)
        self._wide = wide
        self._chdir = may_change_directory
        self._above = root + SLASH
        self._changes: Changes | None = None

    def read(
        self,
        path: bytes,
        known: DirectoryFacts | None,
        named: Collection[bytes] | None = None,
        *,
        only_named: bool = False,
    ) -> DirectoryFacts | None:
        """Return a directory's facts: ``known`` if unchanged, None if it is gone.

        ``named`` are files from events: the directory is listed and they are read even if their identities are
        unchanged; with ``only_named`` no other file changed.

        Raises:
            ScanError: it cannot be read now.
        """
        started = time.perf_counter()
        try:
            status = self._enter(path)
        except OSError as error:
            if is_gone(error):
                return None
            return self._changes_here().refused(path, error)
        if only_named and named and known is not None and known.pair_count >= self._wide:
            from assetdb.scan.known.patch import patched  # noqa: PLC0415 - few projects have such a directory

            found = patched(self._changes_here(), self, self.complete(known), named)
            if found is not None:
                self.walk_seconds += time.perf_counter() - started
                return found
        same_names = named is None and known is not None and known.identity == self.identities.raw(status)
        identities = None
        if known is not None and same_names:
            identities = self.packed(known.files)
            if identities == known.identities:
                self.walk_seconds += time.perf_counter() - started
                return known
        changes = self._changes_here()
        listing = None
        if known is not None and same_names:
            from assetdb.scan.walking.listing import known_listing  # noqa: PLC0415 - only where something changed

            listing, identity = known_listing(known), known.identity
        if listing is None:
            try:
                listing = changes.listing_of(path)
            except FileNotFoundError:  # since it was entered
                return None
            identity = RACY if changes.unsure else self.identities.of(status)
        self.walk_seconds += time.perf_counter() - started
        whole = self.complete(known) if known is not None else known
        found = changes.read(path, identity, listing, whole, identities, named or ())
        if not named and found == whole and self._all_trusted(found):  # only irrelevant files changed
            return known
        return found

    def close(self) -> None:
        """End all reading, and release its memory."""
        if self._changes is not None:
            self._changes.close()
            self._changes = None

    @staticmethod
    def _all_trusted(directory: DirectoryFacts) -> bool:
        return directory.identity != RACY and RACY not in memoryview(directory.identities).cast("q")

    def place_of(self, path: bytes) -> bytes:
        """Return the location of a directory, mounted or not."""
        if not self._mounts:
            return self._above + path
        parts = path.split(SLASH, 2)
        for depth in (1, 2):  # `Assets`, or `Packages/com.acme.tools`
            mounted = self._mounts.get(SLASH.join(parts[:depth]))
            if mounted is not None:
                return SLASH.join([mounted, *parts[depth:]])
        return self._above + path

    def _enter(self, path: bytes) -> os.stat_result:
        """Enter a directory, or record its location; return its status.

        If it may not be entered, its status is read from outside; its names may still be listable.
        """
        self.path = path
        self.prefix = b""
        place = self.place_of(path)
        if self._chdir:
            try:
                os.chdir(place)
                return os.stat(b".")
            except PermissionError:
                pass
        self.prefix = place + SLASH
        return os.stat(self.prefix)

    def _changes_here(self) -> Changes:
        if self._changes is None:
            from assetdb.scan.changes import Changes  # noqa: PLC0415 - only where something changed

            self._changes = Changes(self)
        return self._changes

    def packed(self, files: bytes) -> bytes:
        """Return current identities of files, packed, to compare with known ones."""
        return self.identities.packed(self.prefix, files.split(SLASH) if files else ())
