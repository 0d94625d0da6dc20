"""A project whose facts stay in memory: after an edit only what the edit touches is read and made again.

The files and answers are those of :func:`assetdb.baking.bake` with ``keep_going``, byte for byte.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.baking import changed_facts, facts
from assetdb.diagnostics import Diagnostic, decode, encode
from assetdb.errors import AssetdbError, LockedError, ScanError
from assetdb.packages.database import refresh
from assetdb.packages.listing import NO_PACKAGES, are_same
from assetdb.project import asset_roots, mounts_of
from assetdb.query.snapshot import Snapshot
from assetdb.resolve.resolver import Resolver
from assetdb.scan import cache
from assetdb.scan.directory import SLASH, Directory, diagnostics_of
from assetdb.scan.limits import Limits
from assetdb.scan.links import through_links, with_links
from assetdb.scan.reader import DirectoryReader
from assetdb.scan.submodules import without_submodules
from assetdb.scan.workers import ScanResult, reachable, scan
from assetdb.settings.configuration import excluder
from assetdb.settings.effective import read_settings, refuse_another_project, same_facts
from assetdb.store.database import open_bytes
from assetdb.store.output import Output, read_bytes
from assetdb.system.pausing import beside, paused
from assetdb.unity.classes import class_name
from formats.processes import processors

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from assetdb.packages.location import Location
    from assetdb.settings.effective import Settings
    from assetdb.state.incremental import IncrementalDatabase
    from assetdb.store.database import Database
    from assetdb.store.entry import Asset

_MOST_WORKERS: Final = 8
_MOST_OBJECTS: Final = 100_000  # of files that were read for an answer: 30 MB
_STAND_ALONE: Final = ("orphan-meta", "missing-directory")

ADDED: Final = "added"
REMOVED: Final = "removed"
RENAMED: Final = "renamed"
MOVED: Final = "moved"
CHANGED: Final = "changed"


class Change(NamedTuple):
    """What became of one asset.

    Attributes:
        kind: ``added``, ``removed``, ``renamed`` (another name), ``moved`` (another path, the same name) or
            ``changed`` (its type, its sub-assets, what it refers to).
        guid: 32 hex digits.
        name: now; of a removed asset what it was.
        path: likewise.
        type: likewise.
        old_name: ``""`` for an added asset.
        old_path: likewise.
    """

    kind: str
    guid: str
    name: str
    path: str
    type: str
    old_name: str
    old_path: str


class Update(NamedTuple):
    """What an update found."""

    changes: tuple[Change, ...] = ()
    diagnostics_added: tuple[Diagnostic, ...] = ()
    diagnostics_removed: tuple[Diagnostic, ...] = ()
    files_read: int = 0
    directories_read: int = 0


class LiveProject:
    """One project: its facts, and the database made from them.

    Nothing here waits for anything or starts a thread; all calls come from one thread.

    Attributes:
        root: the project, absolute.
        folder: where its files are, absolute.
    """

    def __init__(self, project: str | None = None, out_dir: str | None = None) -> None:
        """Find the project and read its settings; :meth:`start` reads the rest.

        Raises:
            ProjectError: there is no project.
            ConfigurationError: ``assetdb.toml`` is wrong.
        """
        self._out_dir = os.path.abspath(out_dir) if out_dir else None
        self._take_settings(read_settings(project, self._out_dir))
        self.root = self._settings.root
        self._directories: dict[bytes, Directory] = {}
        self._known = cache.EMPTY
        self._loaded: cache.Cache | None = None  # by :meth:`known`, for :meth:`start`
        self._state: IncrementalDatabase | None = None
        self._opened: Snapshot | None = None
        self._through_links: set[bytes] = set()
        self._alone: dict[str, Location] | None = None
        self._packages = NO_PACKAGES
        self._data = b""
        self._index = b""
        self._problems: list[Diagnostic] = []
        self._written = (0, 0, 0, 0)  # the files that hold these bytes
        self._saved = False
        self._cache_saved = False

    @property
    def opened(self) -> Snapshot:
        """Answers as of the last update, which replaces it; packages are looked for again when their list changes."""
        if self._opened is None:
            raise RuntimeError("not started")
        try:
            same = are_same(self.root, self._packages.stamps)
        except ScanError:
            return self._opened  # the last good answers
        if not same:
            self.refresh_packages()
        return self._opened

    def refresh_packages(self) -> bool:
        """Look at the packages outside the project again; return whether answers of theirs may be others.

        Where another bake holds the lock, the files cannot be written, or the system cannot tell just now what a
        package holds, all stays as it is.
        """
        try:
            with self._output.locked(0.0, role="daemon"):
                return self._read_packages()
        except (AssetdbError, OSError):
            return False

    def _read_packages(self) -> bool:
        """Do so as the holder of the lock."""
        before = self._packages
        workers, check_stat = min(processors(), _MOST_WORKERS), self._settings.check_stat
        self._packages = refresh(self.root, self._output.folder, workers=workers, check_stat=check_stat)
        changed = self._packages.content != before.content
        if changed and self._opened is not None:
            self._open(self._opened.database, None)
        return changed

    @property
    def has_local_packages(self) -> bool:
        """Whether packages of ``file:`` are to be looked at now and then: no event tells of them."""
        return any(row.folder and not row.immutable for row in self._packages.rows)

    def start(self) -> Update:
        """Read what changed since the cache was written, all where there is none.

        Raises:
            ProjectError: the output folder cannot be made, or is another project's.
            ScanError: what the project holds cannot be told just now.
            OSError: the files cannot be read.
        """
        self._output.make_folder()
        loaded, self._loaded = self._loaded or self._output.read_cache(), None
        if loaded.files == self._output.identities():
            refuse_another_project(self._settings, loaded.settings)
        try:
            update = self._start(loaded)
        except cache.DamagedCacheError:
            update = self._start(cache.EMPTY)
        self.refresh_packages()
        return update

    def through_links(self) -> set[bytes]:
        """Return the directories of the last update that no event may tell of: they are there through links."""
        return self._through_links

    def known(self) -> Mapping[bytes, Directory]:
        """Return the directories of the last update by path; before :meth:`start` those of the cache."""
        if self._opened is not None:
            return self._directories
        if self._loaded is None:
            self._loaded = self._output.read_cache()
        return self._loaded.directories if same_facts(self._loaded.settings, self._settings.packed()) else {}

    def prepare(self) -> None:
        """Make what updates go on from, if that has not been done: 1 s for unitystation's 63,000 assets.

        In a daemon others are answered meanwhile, and an update may come in between: then what it made counts.
        """
        before, known = self._directories, self._known
        if self.is_prepared:
            return
        found = {path: known.complete(directory) for path, directory in paused(before.items())}
        if self._directories is not before or self._known is not known:
            return
        self._directories, self._known = found, cache.EMPTY
        state = beside(lambda: self._state_of(list(found.values())))
        if self._directories is found and not self.is_prepared:
            self._state = state

    @property
    def is_prepared(self) -> bool:
        """Whether an update can go on from what there is."""
        return self._state is not None

    def look_elsewhere(self) -> None:
        """Search the packages, if that has not been done: before somebody asks for what is in one."""
        self._elsewhere()

    def update(self, dirty: Collection[bytes]) -> Update:
        """Look at directories again, and at what is new below them; at files, whatever the system says of them.

        Args:
            dirty: relative to the project, with ``/``; what belongs to no directory of the project is left out.

        Raises:
            ScanError: what they hold cannot be told just now; everything is as it was.
        """
        reader = self._reader(time.time_ns())
        found = dict(self._directories)
        named = self._named(dirty)
        stack = list(named)
        seen = set()
        reshaped = False
        while stack:
            path = stack.pop()
            if path in seen:
                continue
            seen.add(path)
            old = self._directories.get(path)
            directory = reader.read(path, old, named.get(path))
            if directory is old:
                continue
            if directory is None:
                found.pop(path, None)
                reshaped = True
                continue
            found[path] = directory
            if old is None or old.children != directory.children:
                reshaped = True
                below = [path + SLASH + name for name in directory.children.split(SLASH) if name]
                stack += [child for child in below if child not in self._directories]
        linked = any(directory.links for directory in found.values())
        if reshaped or linked or self._through_links:
            fresh, found = found, reachable(self._roots, found)
        if linked:

            def read(path: bytes) -> Directory | None:
                return fresh[path] if path in fresh else reader.read(path, self._directories.get(path))

            found = with_links(found, reader, self._roots, read, self._limits)
        return self._take_in(found, reader.files_read, len(seen))

    def reconcile(self, *, elsewhere: bool = True) -> Update:
        """Look at everything again, the settings too, and ``elsewhere`` at what is not in the database.

        Raises:
            ConfigurationError: ``assetdb.toml`` is wrong; everything is as it was.
            ScanError: what the project holds cannot be told just now; everything is as it was.
        """
        settings = read_settings(self.root, self._out_dir)
        if settings != self._settings:
            return self._start_over(settings)
        found = self._scan(self._directories)
        update = self._take_in(found.directories, found.files_read, len(found.directories))
        self.refresh_packages()
        if elsewhere:
            self._alone = None
            self._open(self.opened.database, None)
        return update

    def save(self, *, cache: bool = False) -> bool:
        """Bring the files up to date, under the bake's lock; with ``cache`` also what the next start goes on from.

        Returns whether it could be done: False while another bake holds the lock.

        Raises:
            OSError: the files cannot be written; the last good ones stay.
        """
        files_right = self._saved and self._output.identities() == self._written
        if files_right and (self._cache_saved or not cache):
            return True
        self._output.make_folder()
        try:
            with self._output.locked(0.0, role="daemon"):
                self._output.remove_leftovers()
                if not files_right:
                    self._output.write([self._data], [self._index])
                    self._written = self._output.identities()
                    self._saved = True
                    self._read_packages()
                if cache:
                    packed = self._settings.packed()
                    directories = list(map(self._known.complete, self._directories.values()))
                    count = len(self.opened.database)
                    self._output.write_cache(packed, count, encode(self._problems), directories)
                    self._cache_saved = True
        except LockedError:
            return False
        return True

    def save_cache(self) -> bool:
        """Do that with the cache; in a daemon others are answered while it is made.

        Returns whether it could be done: False also where an update came in between.

        Raises:
            OSError: the files cannot be written; the last good ones stay.
        """
        if not self.save():
            return False
        if self._cache_saved:
            return True
        before = self._directories, self._settings, self._problems, self._written
        complete = self._known.complete
        directories = [complete(directory) for directory in paused(before[0].values())]
        packed, problems, count = self._settings.packed(), encode(self._problems), len(self.opened.database)
        written = self._written
        parts = beside(lambda: cache.encode(packed, written, count, problems, directories))
        now = self._directories, self._settings, self._problems, self._written
        if any(old is not new for old, new in zip(before, now, strict=True)):
            return False
        if not self._saved or self._output.identities() != self._written:
            return False
        try:
            with self._output.locked(0.0, role="daemon"):
                self._output.write_encoded_cache(parts)
        except LockedError:
            return False
        self._cache_saved = True
        return True

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything found, in a stable order."""
        every = [*self._problems, *diagnostics_of(self._directories.values()), *self._packages.problems]
        return tuple(sorted(without_submodules(self.root, every)))

    def close(self) -> None:
        """Give the memory back; questions after this fail."""
        if self._opened is not None:
            self._opened.close()

    # --- settings

    def _take_settings(self, settings: Settings) -> None:
        self._excluded = excluder(settings.exclude)  # first: a pattern that is none leaves all as it was
        self._sanitize = settings.sanitizer()
        self._settings = settings
        self._roots = tuple(os.fsencode(name) for name in asset_roots(settings.root))
        self._limits = Limits(outside=settings.follow_links)
        self._output = Output(settings.folder, settings.check_stat, settings.root)
        self.folder = settings.folder

    def _start_over(self, settings: Settings) -> Update:
        """Make everything anew, as other settings have it; whatever fails, the old ones stay."""
        before = self._settings, self._known
        self._take_settings(settings)
        try:
            return self._start(cache.EMPTY)
        except BaseException:
            self._take_settings(before[0])
            self._known = before[1]
            raise

    # --- reading

    def _start(self, known: cache.Cache) -> Update:
        packed = self._settings.packed()
        if not same_facts(known.settings, packed):
            known = cache.EMPTY
        self._known = known
        self._state = None
        found = self._scan(known.directories)
        identities = self._output.identities()
        intact = known.settings == packed and known.files == identities and not changed_facts(known, found.directories)
        held = (read_bytes(self._output.database), read_bytes(self._output.index)) if intact else (b"", b"")
        if intact and self._opened is None and self._output.identities() == identities:  # no bake came in between
            known.facts.hold()
            self._directories = found.directories
            self._through_links = through_links(found.directories)
            self._problems = decode(known.problems)
            self._data, self._index = held
            self._written = identities
            self._saved = True
            self._cache_saved = all(known.directories[path] is item for path, item in found.directories.items())
            self._open(self._database(), None)
            return Update(files_read=found.files_read, directories_read=len(found.directories))
        return self._take_in(found.directories, found.files_read, len(found.directories), anew=True)

    def _reader(self, since_ns: int) -> DirectoryReader:
        return DirectoryReader(
            os.fsencode(self.root),
            since_ns=since_ns,
            check_stat=self._settings.check_stat,
            may_change_directory=False,
            excluded=self._excluded,
            complete=self._known.complete,
            mounts=mounts_of(self.root),
        )

    def _scan(self, known: dict[bytes, Directory]) -> ScanResult:
        since_ns = time.time_ns()
        workers = min(processors(), _MOST_WORKERS)
        return scan(self._roots, known, lambda: self._reader(since_ns), workers=workers, limits=self._limits)

    def _named(self, dirty: Collection[bytes]) -> dict[bytes, set[bytes]]:
        """Return the directories to look at, known or new in one that is, and the names in each that were given."""
        found: dict[bytes, set[bytes]] = {}
        children: dict[bytes, frozenset[bytes]] = {}
        for path in dirty:
            if path in self._directories or path in self._roots:
                found.setdefault(path, set())
                continue
            parent, _, name = path.rpartition(SLASH)
            if parent not in children:
                listed = self._directories.get(parent)
                children[parent] = frozenset(listed.children.split(SLASH)) if listed is not None else frozenset()
            if name in children[parent]:
                found.setdefault(path, set())
            elif parent in self._directories:
                found.setdefault(parent, set()).add(name)
        return found

    # --- taking in

    def _complete(self) -> None:
        """Fill in the facts that are still in the cache."""
        complete = self._known.complete
        self._directories = {path: complete(directory) for path, directory in self._directories.items()}
        self._known = cache.EMPTY

    def _make_state(self) -> IncrementalDatabase:
        self._complete()
        return self._state_of(list(self._directories.values()))

    def _state_of(self, directories: list[Directory]) -> IncrementalDatabase:
        # Not needed before the first edit: a start with a good cache takes 25 ms less without.
        from assetdb.state.assembly import assemble, gather  # noqa: PLC0415 - see above
        from assetdb.state.incremental import IncrementalDatabase  # noqa: PLC0415 - the same

        gathered = gather(directories)
        return IncrementalDatabase(directories, gathered, assemble(gathered, self._sanitize), self._sanitize)

    def _take_in(
        self, found: dict[bytes, Directory], files_read: int, directories_read: int, *, anew: bool = False
    ) -> Update:
        """Go on from what was found, all of it made ``anew`` or what differs; whatever fails, all is as it was.

        Else the next update would take what was found for known, and the files for made from it.
        """
        before = self._known, self._directories, self._problems, self._data, self._index, self._opened
        flags = self._saved, self._cache_saved
        try:
            changes, old_found, new_found = self._taken_in(found, anew=anew)
        except BaseException:
            self._known, self._directories, self._problems, self._data, self._index, self._opened = before
            self._saved, self._cache_saved = flags
            self._state = None  # it may be half-way
            raise
        if before[-1] is not None and before[-1].database is not self.opened.database:
            before[-1].database.retire()
        added, gone = sorted(new_found - old_found), sorted(old_found - new_found)
        return Update(changes, tuple(added), tuple(gone), files_read, directories_read)

    def _taken_in(
        self, found: dict[bytes, Directory], *, anew: bool
    ) -> tuple[tuple[Change, ...], set[Diagnostic], set[Diagnostic]]:
        """Return what became of assets, and the diagnostics that may have gone and come."""
        complete = self._known.complete
        replaced = [(old and complete(old), new and complete(new)) for old, new in _replaced(self._directories, found)]
        pairs = [(old, new) for old, new in replaced if old is None or new is None or facts(old) != facts(new)]
        self._cache_saved = self._cache_saved and not replaced and not anew
        self._directories = found
        self._through_links = through_links(found)
        old_problems, old_opened = self._problems, self._opened
        if not pairs and not anew and old_opened is not None:
            if replaced:  # an object of a scene is called otherwise: no fact of the database, but an answer
                self._forget(replaced, old_opened.database)
            return (), set(), set()
        touched = self._remake(pairs)
        self._saved = False
        if anew:
            self._alone = None
            self._open(self._database(), None)
        else:
            self._forget(replaced, self._database())
        changes = _changes(old_opened, self.opened, touched) if old_opened is not None else ()
        old_found = {*old_problems, *diagnostics_of(old for old, _ in pairs if old is not None)}
        new_found = {*self._problems, *diagnostics_of(new for _, new in pairs if new is not None)}
        return changes, old_found, new_found

    def _remake(self, pairs: list[tuple[Directory | None, Directory | None]]) -> set[bytes] | None:
        """Make the bytes of database and index; return the GUIDs of the entries that differ, None for all."""
        state, self._state = self._state, None  # should this fail, the next update makes it anew
        touched = state.update(pairs) if state is not None else None
        self._state = state or self._make_state()
        self._take_state(self._state)
        return touched

    def _take_state(self, state: IncrementalDatabase) -> None:
        self._problems = state.problems
        self._data = state.data
        self._index = state.index()

    # --- answering

    def _database(self) -> Database:
        return open_bytes(self._output.database, self._data, self._index)

    def _forget(self, replaced: list[tuple[Directory | None, Directory | None]], database: Database) -> None:
        """Answer from a database, and from what was read of the files of all directories but those replaced."""
        changed: set[str] = set()
        for pair in replaced:
            for directory in pair:
                if directory is not None:
                    packed = directory.guids.hex()
                    changed.update(packed[start : start + 32] for start in range(0, len(packed), 32))
            if self._alone is not None and any(directory and directory.listing_diagnostics for directory in pair):
                changed.update(self._alone)
                self._alone = None
        self._open(database, changed)

    def _open(self, database: Database, changed: Collection[str] | None) -> None:
        old = self._opened.resolver if self._opened is not None else None
        if old is None:
            resolver = Resolver(
                self.root,
                database,
                elsewhere=self._elsewhere,
                packages=self._find_package,
                most_objects=_MOST_OBJECTS,
            )
        else:
            resolver = old.renewed(database, changed)
        self._opened = Snapshot(self.root, self._output.database, database, resolver)

    def _find_package(self, guid: str) -> Location | None:
        return self._opened.packages.locate(guid) if self._opened is not None else None

    def _elsewhere(self) -> tuple[dict[str, Location], bool]:
        """Return metas that stand alone, and whether packages are not on this machine."""
        from assetdb.packages.search import find_orphan_metas, read_orphan_metas  # noqa: PLC0415 - before all else

        alone = self._alone
        if alone is None:
            metas = [d.path for d in diagnostics_of(self._directories.values()) if d.code in _STAND_ALONE]
            if self._settings.exclude or any("\ufffd" in path for path in metas):
                alone = find_orphan_metas(self.root)
            else:
                alone = read_orphan_metas(self.root, metas)
            self._alone = alone
        return alone, self._packages.missing


def _replaced(
    before: Mapping[bytes, Directory], after: Mapping[bytes, Directory]
) -> list[tuple[Directory | None, Directory | None]]:
    """Return the directories that are not the same objects, as they were and as they are."""
    pairs: list[tuple[Directory | None, Directory | None]] = [
        (directory, None) for path, directory in before.items() if path not in after
    ]
    for path, directory in after.items():
        old = before.get(path)
        if old is not directory:
            pairs.append((old, directory))
    return pairs


def _changes(before: Snapshot, after: Snapshot, touched: set[bytes] | None) -> tuple[Change, ...]:
    """Return what became of the entries with these GUIDs, None for all."""
    if touched is None:
        old_entries = {asset.guid: asset for asset in before.database}
        new_entries = {asset.guid: asset for asset in after.database}
        guids = {guid for guid, _ in old_entries.items() ^ new_entries.items()}
    else:
        guids = {guid.hex() for guid in touched}
    found = []
    for guid in sorted(guids):
        old = before.database.by_guid(guid)
        new = after.database.by_guid(guid)
        asset = new or old
        if asset is None:
            continue
        kind = CHANGED
        if old is None:
            kind = ADDED
        elif new is None:
            kind = REMOVED
        elif old.name != new.name:
            kind = RENAMED
        elif old.path != new.path:
            kind = MOVED
        database = after.database if new is not None else before.database
        found.append(
            Change(
                kind,
                asset.guid,
                asset.name,
                asset.path,
                _type_of(asset, database),
                old.name if old else "",
                old.path if old else "",
            )
        )
    return tuple(found)


def _type_of(asset: Asset, database: Database) -> str:
    script = database.by_guid(asset.script) if asset.script else None
    return script.name if script is not None else class_name(asset.class_id) or str(asset.class_id)
