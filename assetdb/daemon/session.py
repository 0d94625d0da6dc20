"""A session: a project in memory, and its current snapshot.

The files and answers are as from :func:`assetdb.baking.bake` with ``keep_going``, byte for byte.
"""

from __future__ import annotations

import os
from _thread import RLock
from _weakref import ref

from assetdb.errors import AssetdbError, LockedError, ScanError
from assetdb.settings.effective import read_settings
from assetdb.settings.project import find_project
from assetdb.system.cancelling import Acquired
from assetdb.workspace.workspace import Options, Workspace

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import Final

    from assetdb.diagnostics import Diagnostic
    from assetdb.packages.listing import PackageList
    from assetdb.packages.location import Location
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.workspace.workspace import DirectoryFacts, Update

_MOST_OBJECTS: Final = 100_000  # cached objects of files read for answers: 30 MB


class Session:
    """A :class:`~assetdb.workspace.workspace.Workspace` that is kept, and its current snapshot.

    One thread at a time changes it; any thread may read it.

    Attributes:
        root: the project, absolute.
        memory: data kept from one snapshot to the next.
    """

    def __init__(self, project: str | None = None, out_dir: str | None = None) -> None:
        """Find the project and read its settings; :meth:`start` reads the rest.

        Raises:
            ProjectError: there is no project.
            ConfigurationError: ``assetdb.toml`` is wrong.
        """
        folder = os.path.abspath(out_dir) if out_dir else None
        self.root = find_project(project)
        self._workspace = Workspace(self.root, lambda: read_settings(self.root, folder), Options(keep=True))
        self._opened: Snapshot | None = None
        self._orphans: tuple[int, dict[str, Location]] | None = None  # with the times forgotten before
        self._times_forgotten = 0
        self.memory: dict[str, object] = {}
        self._lock = RLock()  # of whoever changes it
        self._searching = RLock()

    @property
    def folder(self) -> str:
        """Where its files are, absolute."""
        return self._workspace.folder

    @property
    def opened(self) -> Snapshot:
        """The last update's snapshot, with packages of the current list."""
        try:
            same = self._workspace.has_same_packages()
        except ScanError:
            same = True  # the last good answers
        if same and self._opened is not None:
            return self._opened
        with self._lock:
            if not same:
                self.refresh_packages()
            return self._opened if self._opened is not None else self._open(None)

    @property
    def asset_count(self) -> int:
        """How many assets there were at the last update."""
        return self._workspace.asset_count

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything found, in a stable order."""
        return tuple(self._workspace.diagnostics)

    @property
    def has_local_packages(self) -> bool:
        """Whether packages of ``file:``, without events, need polling."""
        return any(row.folder and not row.immutable for row in self._workspace.packages.rows)

    @property
    def is_prepared(self) -> bool:
        """Whether an update can build on the current state."""
        return self._workspace.is_prepared

    @property
    def is_saved(self) -> bool:
        """Whether the files are in place, and of the last update."""
        return self._workspace.is_saved

    @property
    def cache_problem(self) -> OSError | None:
        """The last error of writing the cache."""
        return self._workspace.record.problem

    def through_links(self) -> set[bytes]:
        """Return directories behind links, which have no events."""
        return self._workspace.through_links()

    def known(self) -> Mapping[bytes, DirectoryFacts]:
        """Return the last update's directories; before :meth:`start` the cache's."""
        return self._workspace.directories()

    # --- updates

    def start(self) -> Update:
        """Read the changes since the cache was written.

        Raises:
            ProjectError: the output folder cannot be made, or is another project's.
            ScanError: the project cannot be read now.
            OSError: the files cannot be read.
        """
        self._workspace.output.make_folder()
        update = self._follow(self._workspace.refresh)
        self.refresh_packages()
        return update

    def update(self, dirty: Collection[bytes]) -> Update:
        """Scan changed directories and files.

        Args:
            dirty: relative to the project, with ``/``; what belongs to no directory of the project is left out.

        Raises:
            ScanError: they cannot be read now; everything is unchanged.
        """
        return self._follow(lambda: self._workspace.refresh(dirty))

    def reconcile(self, *, elsewhere: bool = True) -> Update:
        """Scan everything, including the settings.

        Raises:
            ConfigurationError: ``assetdb.toml`` is invalid; everything is unchanged.
            ScanError: the project cannot be read now; everything is unchanged.
        """
        settings = self._workspace.settings
        update = self._follow(self._workspace.refresh)
        if settings == self._workspace.settings:
            self.refresh_packages()
            if elsewhere:
                self._forget_orphans()
                self._open(None)
        return update

    def _follow(self, refresh: Callable[[], Update]) -> Update:
        """Refresh and answer from the result; a failure changes nothing."""
        with self._lock:
            return self._followed(refresh)

    def _followed(self, refresh: Callable[[], Update]) -> Update:
        workspace = self._workspace
        mark = workspace.mark()
        settings = workspace.settings
        try:
            update = refresh()
            opened = self._opened
            if settings != workspace.settings:
                self._forget_orphans()
                if opened is not None:
                    self._open(None)
            elif opened is None:  # opened on demand: importing takes 2 ms of a start
                if update.listings_replaced:
                    self._forget_orphans()
            elif update.any_replaced or workspace.database is not opened.database:
                self._invalidate(update)
        except BaseException:
            workspace.restore(mark)
            self._forget_orphans()
            raise
        return update

    def prepare(self) -> None:
        """Make the state that updates follow."""
        with self._lock:
            self._workspace.prepare()

    def search_orphans(self) -> None:
        """Search orphaned metas ahead of the first question."""
        self._elsewhere()

    def refresh_packages(self) -> bool:
        """Scan the packages outside the project.

        If another bake holds the lock, the files cannot be written, or a package cannot be read now, everything is
        unchanged.
        """
        try:
            with self._lock, self._workspace.output.locked(0.0, role="daemon"):
                return self._read_packages()
        except (AssetdbError, OSError):
            return False

    def _read_packages(self) -> bool:
        """Do so as the holder of the lock."""
        changed = self._workspace.read_packages()
        if changed and self._opened is not None:
            self._open(None)
        return changed

    # --- files

    def save(self, *, cache: bool = False) -> bool:
        """Save database and index, and with ``cache`` the cache.

        Returns whether it could be done: False while another bake holds the lock.

        Raises:
            OSError: the files cannot be written; the last good ones are kept.
        """
        workspace = self._workspace
        with self._lock:
            saved = workspace.is_saved
            if saved and (workspace.record.is_written or not cache):
                return True
            workspace.output.make_folder()
            try:
                with workspace.output.locked(0.0, role="daemon"):
                    workspace.save(cache=cache)
                    if not saved:
                        self._read_packages()
            except LockedError:
                return False
            return True

    def save_cache(self) -> bool:
        """Save the cache; the session may be changed meanwhile.

        Returns whether it was saved: False also if an update came in between.

        Raises:
            OSError: the files cannot be written; the last good ones are kept.
        """
        if not self.save():
            return False
        workspace = self._workspace
        if workspace.record.is_written:
            return True
        begun = workspace.begin_cache()
        if begun is None:
            return False
        try:
            with self._lock, begun.output.locked(0.0, role="daemon"):
                return workspace.finish_cache(begun)
        except LockedError:
            return False
        finally:
            begun.output.drop_cache()  # where it is not in its place

    def leave_cache(self) -> None:
        """Make a running save leave the cache, as after an update."""
        self._workspace.leave_cache()

    def close(self) -> None:
        """Release the memory; later questions fail."""
        if self._opened is not None:
            self._opened.close()
        self._workspace.close()

    # --- answering

    def _invalidate(self, update: Update) -> None:
        """Answer from the current database and unchanged files."""
        changed = set(update.replaced)
        if update.listings_replaced:
            if self._orphans is not None:
                changed.update(self._orphans[1])
            self._forget_orphans()
        self._open(changed)

    def _forget_orphans(self) -> None:
        """Search orphaned metas again, and keep nothing that a running search finds."""
        self._times_forgotten += 1
        self._orphans = None

    def _open(self, changed: Collection[str] | None) -> Snapshot:
        """Answer from the current database; None: any file may have changed."""
        from assetdb.query.snapshots.snapshot import NEWEST, TRACED, Snapshot  # noqa: PLC0415 - a start does without
        from assetdb.resolve.resolver import Resolver  # noqa: PLC0415 - the same

        workspace = self._workspace
        database = workspace.database
        old = self._opened.resolver if self._opened is not None else None
        if old is None:
            resolver = Resolver(self.root, database, elsewhere=self._elsewhere, most_objects=_MOST_OBJECTS)
        else:
            resolver = old.renewed(database, changed)
        self.memory.pop(TRACED, None)  # it would keep the previous snapshot alive
        listing = workspace.listing()  # of this database, regardless of later scans
        opened = Snapshot(
            self.root,
            workspace.output.database,
            database,
            resolver,
            directories=lambda: map(listing.complete, listing.directories.values()),
            diagnostics=workspace.diagnostics_later(),
            listing=lambda: listing,
            memory=self.memory,
        )
        itself = ref(opened)  # no reference cycle: old snapshots are freed with their last reference

        def own() -> Snapshot:
            """Return the resolver's own snapshot, as of which verdicts are kept."""
            found = itself()
            return found if found is not None else self.opened

        resolver.rest_on(
            packages=lambda guid: own().packages.locate(guid),  # noqa: PLW0108 - of the snapshot at the time
            lost=lambda guid: own().losses.has(guid),  # noqa: PLW0108 - the same
            hides_guids=lambda: own().hides_guids,
        )
        self.memory[NEWEST] = opened.number
        self._opened = opened
        return opened

    def _elsewhere(self) -> tuple[dict[str, Location], PackageList]:
        """Return orphaned metas, encoded GUIDs, and the required packages."""
        workspace, opened = self._workspace, self._opened
        encoded = opened.encoded.locations(self.root) if opened is not None and opened.has_encoded else {}
        with Acquired(self._searching):  # it may take seconds
            return {**encoded, **self._find_orphans()}, workspace.packages

    def _find_orphans(self) -> dict[str, Location]:
        from assetdb.packages.search import orphan_metas  # noqa: PLC0415 - before all else

        workspace, forgotten, known = self._workspace, self._times_forgotten, self._orphans
        if known is not None and known[0] == forgotten:
            return known[1]
        orphans = orphan_metas(self.root, workspace.diagnostics, has_excluded=bool(workspace.settings.exclude))
        self._orphans = forgotten, orphans  # an update may come meanwhile, before anything is opened, too
        return orphans
