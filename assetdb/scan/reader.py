"""One directory: compare it with what is known of it, and have read what changed.

The one road for a first bake, a bake that changes nothing and a bake after an edit: what is known of a
directory may be nothing, all, or most of it. Whatever is needed only where something changed is in
:mod:`assetdb.scan.changes`, which a bake that changes nothing does not import (12 ms with :mod:`re` and the patterns).
"""

from __future__ import annotations

import os
import time
from array import array

from assetdb.scan.directory import SLASH, UNTRUSTED

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Final

    from assetdb.scan.changes import Changes
    from assetdb.scan.directory import Directory

_TICK: Final = 20_000_000  # ns; Linux stamps files with a clock that steps every 1 to 10 ms
_COARSE_TICK: Final = 2_000_000_000  # FAT and some network file systems keep whole (even) seconds
UNTRUSTED_TIME: Final = array("q", [UNTRUSTED]).tobytes()  # equal to itself, and still not the same time


class DirectoryReader:
    """Reads directories of one project, one after the other, in one process.

    Attributes:
        files_read: how many metas and assets were opened so far.
        walk_seconds: how long listing and comparing took.
        prefix: what stands before a file name to open it, ``b""`` where the process is in its directory.
        surely_old: times before this one are trusted.
        excluded: as given.
        root: the project, absolute.
        complete: as given, or what returns a directory as it is.
    """

    def __init__(
        self,
        root: bytes,
        *,
        since_ns: int,
        may_change_directory: bool,
        excluded: Callable[[str], bool] | None = None,
        complete: Callable[[Directory], Directory] | None = None,
        mounts: Mapping[bytes, bytes] | None = None,
    ) -> None:
        """Prepare to read.

        Args:
            root: the project, absolute.
            since_ns: when the bake began; times from this tick on are not trusted.
            may_change_directory: whether the process is ours to ``chdir`` in, which saves the kernel from
                walking the path for every file (5 % of a cold bake).
            excluded: whether a path (relative, ``/``, with a ``/`` behind a directory) is to be left out.
            complete: fills in the facts of a known directory, which are not needed while nothing changed.
            mounts: where folders are that are not in the project, by their paths there (``Packages/com.acme.tools``).
        """
        self.files_read = 0
        self.walk_seconds = 0.0
        self.prefix = b""
        self.surely_old = since_ns - _COARSE_TICK
        self.excluded = excluded
        self.complete: Callable[[Directory], Directory] = complete or (lambda directory: directory)
        self.root = root
        self._mounts = mounts or {}
        self._since = since_ns
        self._chdir = may_change_directory
        self._changes: Changes | None = None

    def read(self, path: bytes, known: Directory | None) -> Directory | None:
        """Return what a directory holds now: ``known`` itself if nothing changed, None if it is gone."""
        started = time.perf_counter()
        try:
            place = self.place_of(path)
            if self._chdir:
                os.chdir(place)
                own = os.stat(b".")
            else:
                self.prefix = place + SLASH
                own = os.stat(self.prefix)
        except OSError:
            return None
        mtime_ns = self.trusted(own.st_mtime_ns)
        same_names = known is not None and known.mtime_ns == mtime_ns != UNTRUSTED
        stats = None
        if known is not None and same_names:
            stats = self.stats(known.files)
            if stats == known.stats and UNTRUSTED_TIME not in stats:
                self.walk_seconds += time.perf_counter() - started
                return known
        changes = self._changes
        if changes is None:
            from assetdb.scan.changes import Changes  # noqa: PLC0415 - only where something changed

            changes = self._changes = Changes(self)
        if known is not None and same_names and not changes.has_orphans(known):
            listing = changes.known_listing(known)
        else:
            listing = changes.listing_of(path)
            mtime_ns = UNTRUSTED if changes.unsure else mtime_ns
        self.walk_seconds += time.perf_counter() - started
        if known is not None:
            known = self.complete(known)
        return changes.read(path, mtime_ns, listing, known, stats)

    def place_of(self, path: bytes) -> bytes:
        """Return where a directory is, which may lie in a folder mounted into the project."""
        if not self._mounts:
            return self.root + SLASH + path
        parts = path.split(SLASH, 2)
        mounted = self._mounts.get(SLASH.join(parts[:2]))
        return self.root + SLASH + path if mounted is None else SLASH.join([mounted, *parts[2:]])

    def trusted(self, mtime_ns: int) -> int:
        """Return a time, or :data:`UNTRUSTED` where a later change could leave the same one."""
        if mtime_ns < self.surely_old:
            return mtime_ns
        tick = _TICK if mtime_ns % 1_000_000_000 else _COARSE_TICK
        if mtime_ns < self._since - tick or mtime_ns > time.time_ns() + tick:
            return mtime_ns
        return UNTRUSTED

    def stats(self, files: bytes) -> bytes:
        """Return the packed times and sizes of ``files``; what is gone counts as untrusted.

        Nearly all of it is ``os.stat``, which takes 1 us in the kernel and 1 us to make its result.
        """
        numbers: list[int] = []
        add = numbers.append
        prefix = self.prefix
        status_of = os.stat
        surely_old = self.surely_old
        for name in files.split(SLASH) if files else ():
            try:
                status = status_of(prefix + name)
            except OSError:
                numbers += (UNTRUSTED, 0)
                continue
            mtime_ns = status.st_mtime_ns
            add(mtime_ns if mtime_ns < surely_old else self.trusted(mtime_ns))
            add(status.st_size)
        return array("q", numbers).tobytes()
