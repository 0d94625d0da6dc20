"""A snapshot of a project, refreshed as far as a query needs."""

from __future__ import annotations

import os
import time
from itertools import count

from assetdb.query.snapshots.verified_assets import CheckedAssets
from assetdb.settings.output_folder import output_folder
from assetdb.settings.project import META, asset_file, files_of, find_project
from assetdb.store.files import DATABASE_NAME, PACKAGES_FOLDER
from assetdb.system.reading import read_file, read_head

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Final, Protocol

    from assetdb.diagnostics import Diagnostic
    from assetdb.history.git.repository import Repository
    from assetdb.history.tracking.storage import Storage
    from assetdb.history.tracking.untracked import Untracked
    from assetdb.packages.listing import PackageList
    from assetdb.packages.location import Location
    from assetdb.packages.lost_guids import Losses
    from assetdb.packages.view import PackageView
    from assetdb.query.graph.assignments import Assigned
    from assetdb.query.selecting.name_index import NameIndex
    from assetdb.query.snapshots.encoded_assets import EncodedAssets
    from assetdb.resolve.resolver import Resolver
    from assetdb.scan.directory import DirectoryFacts
    from assetdb.store.database import Database
    from assetdb.store.indexes.graph import Graph
    from assetdb.store.indexes.supplement import Duplicate, Supplement, Unread
    from assetdb.workspace.workspace import Listing

    class ProgressBar(Protocol):
        """A progress bar or similar."""

        def __call__(self, done: int, total: int, /) -> None:
            """Report the progress of the work."""

        def close(self) -> None:
            """Remove it."""


REPORTS: Final = "reports"
"""Key of reports in the memory of snapshots."""
NEWEST: Final = "newest"
"""Key of the number of a daemon's newest snapshot."""
TRACED: Final = "traced"
"""Key of answers about builds, which are kept for one snapshot."""
_numbers: Final = count()
UNSEEN_CODES: Final = ("unreadable", "too-large")
"""Why the GUID in a meta, or all those below a folder, are not known."""
_SEARCHES: Final = 4  # misses before an index is built, which takes as long
_FRESH_FOR: Final = 1.0  # seconds for which one scan serves successive questions


class Snapshot:
    """A project for questions: its root, resolver and (lazy) database.

    Attributes:
        root: absolute.
        folder: where its files are, absolute.
        number: higher for later snapshots with the same memory, and after each :meth:`expire`.
        assets: finds assets, folders and references by GUID.
    """

    def __init__(
        self,
        root: str,
        path: str,
        database: Database | None = None,
        resolver: Resolver | None = None,
        *,
        checked: CheckedAssets | None = None,
        directories: Callable[[], Iterable[DirectoryFacts]] | None = None,
        diagnostics: Callable[[], Iterable[Diagnostic]] | None = None,
        listing: Callable[[], Listing | None] | None = None,
        memory: dict[str, object] | None = None,
        losses: Losses | None = None,
        untracked: Untracked | None = None,
    ) -> None:
        """Open the project at ``root`` with its database at ``path``.

        The database is either given with a resolver, and current, or ``checked``. ``directories`` returns the facts of
        the last scan, if the caller has them; else they are read from the files. ``diagnostics`` returns the scan's
        findings, ``listing`` the directories, None if there was no scan. Successive snapshots share a ``memory``; the
        other side of a change uses the ``losses`` of the project itself, and is given the files that git does not have,
        which are else read from the disk.
        """
        self.root = root
        self.number = next(_numbers)
        self.folder = os.path.dirname(path)
        self._path = path
        self._database = database
        self._resolver = resolver
        self._packages: PackageView | None = None
        self._losses = losses
        self._untracked = untracked
        self._of_index: tuple[str, Untracked] | None = None
        self._compared: tuple[str, Repository] | None = None
        self._checked = checked
        self._directories = directories
        self._diagnostics = diagnostics
        self._listing = listing
        self.absent: tuple[str, ...] = ()
        """Of a revision: files that a partial clone lacks."""
        self.outside: tuple[str, ...] = ()
        """Of a revision: links that lead out of the project, and are left out."""
        self.memory: dict[str, object] = memory if memory is not None else {}
        """Data that is kept from one snapshot to the next, by key."""
        self._files: Callable[[str], str] | None = None
        self._names: NameIndex | None = None
        self._encoded: EncodedAssets | None = None
        self._searches = 0  # for names without an index
        self._looked = time.monotonic()
        given = database if database is not None else checked
        if given is None:
            raise ValueError("no database")
        self.assets: Database | CheckedAssets = given

    def refresh(self) -> None:
        """Bring the files up to date once, for answers with lists.

        Raises:
            AssetdbError, OSError: that cannot be done.
        """
        if self._checked is not None and not self._checked.fresh:
            self._close_packages()  # Windows does not replace a file that is mapped
            self._names = self._encoded = None
            self._checked.refresh()
            self._looked = time.monotonic()

    @property
    def is_fresh(self) -> bool:
        """Whether the files need not be brought up to date any more."""
        return self._checked is None or self._checked.fresh

    def expire(self, fresh_for: float | None = None) -> None:
        """Discard answers that may be outdated, between a user's questions.

        Args:
            fresh_for: seconds for which one scan is valid; by default one.
        """
        if self._checked is None or time.monotonic() - self._looked < (_FRESH_FOR if fresh_for is None else fresh_for):
            return
        self._looked = time.monotonic()
        self.number = next(_numbers)  # answers that were kept for this snapshot are of before
        self._resolver = self._names = self._encoded = self._files = None
        self._close_packages()
        self.losses.expire()
        self._checked.expire()

    def _close_packages(self) -> None:
        if self._packages is not None:
            self._packages.close()
            self._packages = None

    @property
    def database(self) -> Database:
        """The whole database."""
        self.refresh()
        if self._checked is not None:
            return self._checked.database
        if self._database is None:
            raise ValueError("no database")
        return self._database

    def names(self, *, make: bool = True) -> NameIndex | None:
        """Return the index of names, None if there is none yet.

        Args:
            make: whether to build it after a few searches without it.
        """
        if self._names is None and make:
            database = self.database
            self._searches += 1
            if self._searches % _SEARCHES == 0:
                from assetdb.query.selecting.name_index import NameIndex  # noqa: PLC0415 - one question needs no index

                self._names = NameIndex(database)
        return self._names

    @property
    def graph(self) -> Graph:
        """The graph of references.

        Raises:
            DatabaseError: the database was written without.
        """
        return self.database.graph

    @property
    def has_packages(self) -> bool:
        """Whether there are packages outside, without importing their reader."""
        self.refresh()
        return os.path.isfile(os.path.join(os.path.dirname(self._path), PACKAGES_FOLDER, DATABASE_NAME))

    @property
    def packages(self) -> PackageView:
        """The packages that lie outside the database."""
        self.refresh()
        if self._packages is None:
            from assetdb.packages.view import PackageView  # noqa: PLC0415 - not needed for assets of the project

            self._packages = PackageView(os.path.dirname(self._path))
        return self._packages

    @property
    def package_graph(self) -> Graph | None:
        """The graph of the packages; None if there are none."""
        return self.packages.graph if self.has_packages else None

    @property
    def itself(self) -> Snapshot:
        """This project, to tell it from a database alone."""
        return self

    @property
    def supplement(self) -> Supplement:
        """Assets without the entry of their shared GUID, and unreadable files."""
        return self.assets.supplement

    @property
    def duplicates(self) -> tuple[Duplicate, ...]:
        """Assets without an entry: their GUID is shared, or encoded."""
        found = self.assets.duplicates
        return (*found, *self.encoded.assets) if self.has_encoded else found

    @property
    def has_encoded(self) -> bool:
        """Whether metas have an encoded GUID, without importing their reader."""
        return self.assets.may_have_unread("encoded-guid")

    @property
    def encoded(self) -> EncodedAssets:
        """The assets with encoded GUIDs."""
        if self._encoded is None:
            from assetdb.query.snapshots.encoded_assets import find_encoded  # noqa: PLC0415 - few projects have such assets

            self._encoded = find_encoded(self)
        return self._encoded

    def without_entry(self, path: str) -> Duplicate | None:
        """Return the asset at a path that has no own entry."""
        found = self.supplement.at(path)
        return found if found is not None or not self.has_encoded else self.encoded.at(path)

    def key_at(self, path: str, guid: str) -> str:
        """Return the resolver's key of an asset: its GUID, unless shared."""
        beside = self.without_entry(path) if path else None
        return self.resolver.key_of_duplicate(beside.asset) if beside is not None else guid

    @property
    def unread(self) -> tuple[Unread, ...]:
        """The files that could not be read, also of packages."""
        found = self.assets.unread
        if self.has_encoded:  # they are read when asked
            found = tuple(item for item in found if self.encoded.at(item.path.removesuffix(".meta")) is None)
        return (*found, *self.packages.unread) if self.has_packages else found

    @property
    def hides_guids(self) -> bool:
        """Whether unread files may have GUIDs that nothing else has."""
        if not any(map(self.assets.may_have_unread, UNSEEN_CODES)) and not self.has_packages:
            return False
        return any(self._may_hide_guid(item) for item in self.unread if item.code in UNSEEN_CODES)

    def _may_hide_guid(self, item: Unread) -> bool:
        if item.path.endswith(META):
            return True
        row = self.packages.row_of(item.path) if self.has_packages else None
        file = asset_file(self.root, item.path) if row is None else self.packages.file_of(item.path)
        return os.path.isdir(file)  # an asset's own GUID is known

    def assignments(self) -> dict[str, Assigned]:
        """Return AssetBundle and labels of each asset with any, by path.

        Raises:
            ConfigurationError: ``assetdb.toml`` is wrong.
            ScanError: whether a meta can be read cannot be determined now.
        """
        from assetdb.query.graph.assignments import of_directories, of_files  # noqa: PLC0415 - few questions ask for them

        if self._directories is not None:
            return of_directories(self._directories())
        return of_files(self.root, self.database)

    def bundle_names(self) -> dict[str, str]:
        """Return the AssetBundle of each asset with one, by path.

        Raises:
            ConfigurationError: ``assetdb.toml`` is wrong.
            ScanError: whether a meta can be read cannot be determined now.
        """
        return {path: assigned.bundle for path, assigned in self.assignments().items() if assigned.bundle}

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Return all diagnostics, also of packages, in a stable order.

        Raises:
            AssetdbError, OSError: the files cannot be brought up to date.
        """
        self.refresh()
        return tuple(self._diagnostics()) if self._diagnostics is not None else ()

    def listing(self) -> Listing | None:
        """Return the directories of the files, None if not scanned.

        Raises:
            AssetdbError, OSError: the files cannot be brought up to date.
        """
        self.refresh()
        return self._listing() if self._listing is not None else None

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, None if it cannot be read.

        ``path`` is relative to the project, or absolute.

        Raises:
            ScanError: whether it can be read cannot be determined now.
        """
        return read_file(self.file_of(path))

    def file_of(self, path: str) -> str:
        """Return a path's file, without another look at the project's form."""
        if self._files is None:
            self._files = files_of(self.root)
        return self._files(path)

    def size(self, path: str) -> int:
        """Return a file's size in bytes, 0 if it is absent."""
        try:
            return os.stat(asset_file(self.root, path)).st_size
        except (OSError, ValueError):
            return 0

    def read_head(self, path: str, count: int) -> bytes | None:
        """Return a file's first bytes, None if it cannot be read.

        Raises:
            ScanError: it cannot be read now.
        """
        return read_head(asset_file(self.root, path), count)

    def names_in(self, folder: str) -> list[str]:
        """Return the sorted names in a folder, none if absent.

        Raises:
            ScanError: it cannot be listed just now.
        """
        from assetdb.system.failures import excuse  # noqa: PLC0415 - the same

        try:
            return sorted(os.listdir(asset_file(self.root, folder)))
        except FileNotFoundError:
            return []
        except OSError as error:
            excuse(folder, error)
            return []

    def exists(self, path: str) -> bool:
        """Whether a file or folder (in the project, or absolute) exists."""
        return os.path.lexists(asset_file(self.root, path))

    @property
    def resolver(self) -> Resolver:
        """The resolver of references."""
        if self._resolver is None:
            from assetdb.resolve.resolver import Resolver  # noqa: PLC0415 - not needed for references within the project

            self._resolver = Resolver(
                self.root,
                self.assets,
                elsewhere=self._elsewhere,
                packages=self._find_package,
                lost=self.losses.has,
                hides_guids=lambda: self.hides_guids,
            )
        return self._resolver

    def close(self) -> None:
        """Release the files."""
        self._close_packages()
        self._names = None
        self.assets.close()

    def _elsewhere(self) -> tuple[dict[str, Location], PackageList]:
        """Return metas without assets, encoded GUIDs, and the required packages."""
        found, packages = self._others()
        return {**self.encoded.locations(self.root), **found} if self.has_encoded else found, packages

    def _others(self) -> tuple[dict[str, Location], PackageList]:
        """Return metas without assets, and the required packages."""
        from assetdb.packages.listing import are_same  # noqa: PLC0415 - the same
        from assetdb.packages.search import find_elsewhere  # noqa: PLC0415 - only for GUIDs that nothing else has

        known = self.packages.list
        if not are_same(self.root, known.stamps):  # never read, or changed since: search their metas
            return find_elsewhere(self.root, everything=False)
        return self._alone(), known

    def _alone(self) -> dict[str, Location]:
        """Return metas without assets, by the last scan or a walk."""
        from assetdb.packages.search import find_orphan_metas, orphan_metas  # noqa: PLC0415 - only for GUIDs that nothing else has
        from assetdb.settings.configuration import read_configuration  # noqa: PLC0415 - the same

        if self._diagnostics is None or self._listing is None or self._listing() is None:
            return find_orphan_metas(self.root)
        return orphan_metas(self.root, self._diagnostics(), has_excluded=bool(read_configuration(self.root).exclude))

    @property
    def losses(self) -> Losses:
        """The GUIDs that the project had and lost."""
        if self._losses is None:
            from assetdb.packages.lost_guids import Losses  # noqa: PLC0415 - only for GUIDs that nothing else has

            database = self._database  # not this snapshot: a daemon passes the cache on to the next
            find_database = (lambda: self.database) if database is None else (lambda: database)
            self._losses = Losses(self.root, self.folder, find_database)
        return self._losses

    @property
    def untracked_stamp(self) -> str:
        """A stamp of :meth:`untracked`, which changes with it or with the assets."""
        if self._untracked is not None:
            return self._untracked.digest
        from assetdb.history.git.stamp import index_stamp  # noqa: PLC0415 - a check asks for it

        return index_stamp(self.root)

    def compare_with(self, repository: Repository) -> None:
        """Take the files that git lacks from a compared repository."""
        self._compared = self.untracked_stamp, repository

    def untracked(self) -> Untracked:
        """Return the files of the project that git does not have."""
        if self._untracked is not None:
            return self._untracked
        from assetdb.history.tracking.untracked import find_untracked  # noqa: PLC0415 - a check asks for them

        stamp = self.untracked_stamp
        if self._of_index is None or self._of_index[0] != stamp:  # two parts of one check ask: git reads all folders
            compared = self._compared
            found = find_untracked(self.root, compared[1] if compared is not None and compared[0] == stamp else None)
            if found.failure:  # it may be mended
                return found
            self._of_index = stamp, found
        return self._of_index[1]

    def storage(self) -> Storage:
        """Return how git stores the project's files, nothing for a revision."""
        from assetdb.history.tracking.storage import NOTHING, find_storage  # noqa: PLC0415 - a check asks for it

        return find_storage(self.root) if self._untracked is None else NOTHING

    def ignore_rules(self, paths: Iterable[str]) -> dict[str, str]:
        """Return git's rules that ignore files of the disk, by path."""
        from assetdb.history.tracking.untracked import rule_of  # noqa: PLC0415 - few projects ignore a meta

        return rule_of(self.root, paths) if self._untracked is None else {}

    def _find_package(self, guid: str) -> Location | None:
        return self.packages.locate(guid)


def open_project(
    project: str | None = None,
    out_dir: str | None = None,
    on_bake: Callable[[str, str], None] | None = None,
    on_wait: Callable[[str], None] | None = None,
    *,
    progress: ProgressBar | None = None,
    refresh: bool = True,
    may_change_directory: bool = False,
) -> Snapshot:
    """Open the database of a project, current with the tree.

    Args:
        project: the project's root; by default the working directory or the nearest parent that is one.
        out_dir: where the database is, by default as in ``assetdb.toml``, else ``Library/assetdb``.
        on_bake: given the path of the database before it is made, and why it is in the user's cache folder, ``""`` if
            it is not.
        on_wait: given the process that is making one, after waiting for a second.
        progress: given the assets done and found so far while files are read, and closed afterwards.
        refresh: whether to scan the tree if an answer needs it; else it answers as of the last bake.
        may_change_directory: whether a scan may ``chdir``, as in ``assetdb.bake``.

    Raises:
        ProjectError: there is no project, or the output folder cannot be made.
        AssetdbError, OSError: the files are outdated and cannot be updated.
    """
    root = find_project(project)
    folder = output_folder(root, out_dir)
    path = os.path.join(folder.path, DATABASE_NAME)

    found: list[tuple[Diagnostic, ...]] = []
    listings: list[Listing] = []

    def look(on_made: Callable[[], object]) -> tuple[bytes, bytes] | None:
        from assetdb.baking import look  # noqa: PLC0415 - a proven answer needs no scan

        if on_bake is not None and not os.path.isfile(path):
            on_bake(path, folder.reason)
        listings.clear()

        def made(listing: Listing) -> None:
            listings.append(listing)
            on_made()

        try:
            result = look(
                root,
                folder.path,
                may_change_directory=may_change_directory,
                on_progress=progress,
                on_wait=on_wait,
                on_listing=made,
            )
        finally:
            if progress is not None:
                progress.close()
        found[:] = [result.diagnostics]
        return result.unsaved

    def diagnostics() -> tuple[Diagnostic, ...]:
        if not found:  # not scanned: the files were taken as current
            from assetdb.query.snapshots.last_diagnostics import kept_diagnostics  # noqa: PLC0415 - checks ask for them alone

            kept = kept_diagnostics(root, folder.path)
            if kept is not None:
                return kept
            look(lambda: None)
        return found[0]

    checked = CheckedAssets(root, path, look, fresh=not refresh)
    return Snapshot(
        root,
        path,
        checked=checked,
        diagnostics=diagnostics,
        listing=lambda: listings[0] if listings else None,
    )
