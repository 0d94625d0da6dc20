"""The tree of a project, by its settings."""

from __future__ import annotations

import os
import time

from assetdb.scan.reader import DirectoryReader
from assetdb.scan.walking.limits import Limits
from assetdb.scan.workers import rescan, scan
from assetdb.settings.configuration import excluder
from assetdb.settings.project import asset_roots, mounts_of

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from assetdb.scan.directory import DirectoryFacts
    from assetdb.scan.known.cache import Cache
    from assetdb.scan.workers import ScanResult
    from assetdb.settings.effective import Settings


class TreeReader:
    """Reads the directories of one project."""

    def __init__(self, settings: Settings, *, may_change_directory: bool = False) -> None:
        """Prepare to read; ``may_change_directory``: the process may ``chdir``.

        Raises:
            ConfigurationError: a pattern of the settings is invalid.
        """
        self._excluded = excluder(settings.exclude)
        self._root = settings.root
        self._check_stat = settings.check_stat
        self._roots = tuple(os.fsencode(name) for name in asset_roots(settings.root))
        self._limits = Limits(outside=settings.follow_links)
        self._may_change_directory = may_change_directory

    def scan(
        self,
        known: Mapping[bytes, DirectoryFacts],
        cache: Cache,
        *,
        workers: int,
        on_progress: Callable[[int, int], None] | None = None,
        meanwhile: Callable[[], None] | None = None,
    ) -> ScanResult:
        """Read everything, reusing ``known`` with facts in ``cache``; see :func:`workers.scan`."""
        reader = self._reader(cache)
        here = os.getcwd() if self._may_change_directory else None
        try:
            return scan(
                self._roots,
                known,
                reader,
                workers=workers,
                on_progress=on_progress,
                limits=self._limits,
                meanwhile=meanwhile,
            )
        finally:
            reader.close()
            if here is not None:
                os.chdir(here)

    def rescan(self, known: Mapping[bytes, DirectoryFacts], cache: Cache, dirty: Collection[bytes]) -> ScanResult:
        """Read some directories and new ones below; see :func:`workers.rescan`."""
        reader = self._reader(cache)
        try:
            return rescan(self._roots, known, reader, dirty, self._limits)
        finally:
            reader.close()

    def _reader(self, cache: Cache) -> DirectoryReader:
        return DirectoryReader(
            os.fsencode(self._root),
            since_ns=time.time_ns(),
            check_stat=self._check_stat,
            may_change_directory=self._may_change_directory,
            excluded=self._excluded,
            complete=cache.complete,
            mounts=mounts_of(self._root),
        )
