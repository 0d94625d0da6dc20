"""A project whose facts stay in memory: after an edit only what the edit touches is read and made again.

The files and answers are those of :func:`assetdb.baking.bake` with ``keep_going``, byte for byte.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.assembly import assemble
from assetdb.configuration import excluder
from assetdb.database import Database
from assetdb.diagnostics import Diagnostic, encode
from assetdb.errors import LockedError
from assetdb.opening import Opened
from assetdb.output import Output
from assetdb.project import ASSET_ROOTS
from assetdb.scan import cache
from assetdb.scan.directory import SLASH, Directory, diagnostics_of
from assetdb.scan.reader import DirectoryReader
from assetdb.scan.workers import ScanResult, processors, reachable, scan
from assetdb.settings import read_settings, same_facts
from assetdb.store import index
from assetdb.unity.classes import class_name

if TYPE_CHECKING:
    from collections.abc import Collection

    from assetdb.store.database import Asset

_ROOTS: Final = tuple(os.fsencode(name) for name in ASSET_ROOTS)
_MOST_WORKERS: Final = 8

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
        opened: answers as of the last update, which replaces it.
        diagnostics: everything found, in a stable order.
    """

    opened: Opened

    def __init__(self, project: str | None = None, out_dir: str | None = None) -> None:
        """Find the project and read its settings; :meth:`start` reads the rest.

        Raises:
            ProjectError: there is no project.
            ConfigurationError: ``assetdb.toml`` is wrong.
        """
        self._out_dir = os.path.abspath(out_dir) if out_dir else None
        self._settings = read_settings(project, self._out_dir)
        self.root = self._settings.root
        self.folder = self._settings.folder
        self._take_settings()
        self._directories: dict[bytes, Directory] = {}
        self._facts = cache.EMPTY.facts
        self._data = b""
        self._index = b""
        self._entries: dict[bytes, bytes] = {}
        self._problems: list[Diagnostic] = []
        self._count = 0
        self._written = (0, 0, 0, 0)
        self._saved = False
        self._cache_saved = False

    def start(self) -> Update:
        """Read what changed since the cache was written, all where there is none.

        Raises:
            ProjectError: the output folder cannot be made.
            OSError: the files cannot be read.
        """
        self._output.make_folder()
        try:
            return self._start(self._output.read_cache())
        except cache.DamagedCacheError:
            return self._start(cache.EMPTY)

    def prepare(self) -> None:
        """Make what updates go on from, if that has not been done: 0.7 s of unitystation's 63,000 assets."""

    def update(self, dirty: Collection[bytes]) -> Update:
        """Look at directories again, and at what is new below them.

        Args:
            dirty: relative to the project, with ``/``; what is no directory of the project is left out.
        """
        reader = self._reader(time.time_ns())
        found = dict(self._directories)
        stack = [path for path in dirty if self._belongs(path)]
        seen = set()
        reshaped = False
        while stack:
            path = stack.pop()
            if path in seen:
                continue
            seen.add(path)
            old = self._directories.get(path)
            directory = reader.read(path, old)
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
        if reshaped:
            found = reachable(_ROOTS, found)
        return self._take_in(found, reader.files_read, len(seen))

    def reconcile(self) -> Update:
        """Look at everything again, the settings too.

        Raises:
            ConfigurationError: ``assetdb.toml`` is wrong; everything is as it was.
        """
        settings = read_settings(self.root, self._out_dir)
        if settings != self._settings:
            self._settings = settings
            self._take_settings()
            return self._start(cache.EMPTY)
        found = self._scan(self._directories)
        return self._take_in(found.directories, found.files_read, len(found.directories))

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
            with self._output.locked(0.0):
                self._output.remove_leftovers()
                if not files_right:
                    self._output.write([self._data], [self._index])
                    self._written = self._output.identities()
                    self._saved = True
                if cache:
                    directories = [self._facts.complete(directory) for directory in self._directories.values()]
                    self._output.write_cache(self._settings.packed(), self._count, encode(self._problems), directories)
                    self._cache_saved = True
        except LockedError:
            return False
        return True

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything found, in a stable order."""
        return tuple(sorted([*self._problems, *diagnostics_of(self._directories.values())]))

    def close(self) -> None:
        """Give the memory back; questions after this fail."""
        self.opened.close()

    # --- settings

    def _take_settings(self) -> None:
        self._output = Output(self._settings.folder)
        self.folder = self._settings.folder
        self._excluded = excluder(self._settings.exclude)
        self._sanitize = self._settings.sanitizer()

    # --- reading

    def _start(self, known: cache.Cache) -> Update:
        if not same_facts(known.settings, self._settings.packed()):
            known = cache.EMPTY
        self._facts = known.facts
        found = self._scan(known.directories)
        return self._take_in(found.directories, found.files_read, len(found.directories))

    def _reader(self, since_ns: int) -> DirectoryReader:
        return DirectoryReader(
            os.fsencode(self.root),
            since_ns=since_ns,
            may_change_directory=False,
            excluded=self._excluded,
            complete=self._facts.complete,
        )

    def _scan(self, known: dict[bytes, Directory]) -> ScanResult:
        since_ns = time.time_ns()
        return scan(_ROOTS, known, lambda: self._reader(since_ns), workers=min(processors(), _MOST_WORKERS))

    def _belongs(self, path: bytes) -> bool:
        """Whether a directory is known, or may be one of the project that is not known yet."""
        if path in self._directories or path in _ROOTS:
            return True
        parent, _, name = path.rpartition(SLASH)
        listed = self._directories.get(parent)
        return listed is not None and name in listed.children.split(SLASH)

    # --- taking in

    def _take_in(self, found: dict[bytes, Directory], files_read: int, directories_read: int) -> Update:
        before = self._directories
        old_entries, old_data, old_index = self._entries, self._data, self._index
        old_problems = self.diagnostics
        complete = self._facts.complete
        self._directories = {path: complete(directory) for path, directory in found.items()}
        assembled = assemble(list(self._directories.values()), self._sanitize)
        encoded = assembled.encoded
        self._problems = assembled.problems
        self._count = len(encoded.guids)
        self._data = b"".join(encoded.parts)
        self._index = b"".join(
            index.encode(
                index.digest_of([self._data]),
                len(self._data),
                *(encoded.guids, encoded.offsets, assembled.folders, assembled.links),
            )
        )
        self._entries = dict(zip(encoded.guids, encoded.parts[1:], strict=True))
        self._cache_saved = self._cache_saved and before == self._directories
        if (old_data, old_index) != (self._data, self._index) or not hasattr(self, "opened"):
            self._saved = False
            old = getattr(self, "opened", None)
            self.opened = Opened(
                self.root, self._output.database, Database(self._output.database, (self._data, self._index))
            )
            changes = _changes(old, self.opened, old_entries, self._entries) if old is not None else ()
        else:
            changes = ()
        new_problems = self.diagnostics
        added, removed = set(new_problems) - set(old_problems), set(old_problems) - set(new_problems)
        return Update(changes, tuple(sorted(added)), tuple(sorted(removed)), files_read, directories_read)


def _changes(
    before: Opened, after: Opened, old_entries: dict[bytes, bytes], new_entries: dict[bytes, bytes]
) -> tuple[Change, ...]:
    touched = sorted(
        {guid for guid, entry in new_entries.items() if old_entries.get(guid) != entry}
        | {guid for guid in old_entries if guid not in new_entries}
    )
    found = []
    for guid in touched:
        old = before.database.by_guid(guid.hex())
        new = after.database.by_guid(guid.hex())
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
