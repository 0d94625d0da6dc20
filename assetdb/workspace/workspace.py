"""The workspace: the one way from a project's tree to its files.

``tree -> scan -> DirectoryFacts -> ProjectState -> files``. A bake refreshes once and saves; a daemon keeps the
workspace and refreshes what events name. Nothing here prints, waits or starts a thread. One thread at a time refreshes
or saves; another may write the cache meanwhile, and any thread may read the state, which is replaced, never changed.
"""

from __future__ import annotations

import os
import time

from assetdb.packages.database import refresh
from assetdb.packages.listing import NO_PACKAGES, are_same
from assetdb.scan.directory import DirectoryFacts, all_diagnostics, diagnosed, diagnostics_of, facts_of
from assetdb.scan.known import cache
from assetdb.settings.effective import refuse_another_project, same_facts
from assetdb.store.files import DATABASE_NAME, INDEX_NAME
from assetdb.workspace.memory import (
    MANY_ASSETS,
    CacheRecord,
    Held,
    Listing,
    Options,
    Rules,
    as_saved,
    cache_here,
    completed,
    import_next,
    read_rules,
)
from assetdb.workspace.updates import (
    Update,
    completed_pairs,
    diagnostics_changed,
    have_other_facts,
    much_changed,
    relinked_index,
    update_of,
    with_facts,
)
from assetdb.workspace.updates import replaced as replaced_directories

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from assetdb.diagnostics import Diagnostic
    from assetdb.packages.listing import PackageList
    from assetdb.scan.known.packed import PackedDirectories
    from assetdb.scan.workers import ScanResult
    from assetdb.settings.effective import Settings
    from assetdb.state.live_state import LiveState
    from assetdb.state.project_state import ProjectState
    from assetdb.store.background import Background
    from assetdb.store.cache_record import UnfinishedCache
    from assetdb.store.database import Database
    from assetdb.store.output import Output
    from assetdb.workspace.updates import Pair

    Sanitize = Callable[[str], str | None]
    Mark = tuple["Held", bool]

OUTPUT_FILES = frozenset(os.fsencode(name) for name in (DATABASE_NAME, INDEX_NAME))
"""The files of the output folder that other programs use."""

__all__ = ["MANY_ASSETS", "OUTPUT_FILES", "DirectoryFacts", "Listing", "Options", "Update", "Workspace"]


class Workspace:
    """One project: its facts, and the database and index made from them.

    >>> from assetdb.settings.effective import read_settings
    >>> settings = read_settings("Orchard")
    >>> workspace = Workspace(settings.root, lambda: settings, Options(keep=True))
    >>> before = workspace.refresh()
    >>> os.replace("Orchard/Assets/Mat.mat", "Orchard/Assets/Bark.mat")
    >>> os.replace("Orchard/Assets/Mat.mat.meta", "Orchard/Assets/Bark.mat.meta")
    >>> [(change.kind, change.old_path, change.path) for change in workspace.refresh([b"Assets"]).changes]
    [('renamed', 'Assets/Mat.mat', 'Assets/Bark.mat')]

    Attributes:
        root: the project, absolute.
        packages: the packages outside the project, as of the last :meth:`read_packages`.
        record: of how much of the cache is written, and why the rest is not.
    """

    def __init__(
        self,
        root: str,
        read: Callable[[], Settings],
        options: Options = Options(),  # noqa: B008 - a tuple
        *,
        sanitize: Sanitize | None = None,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Read the settings; the first :meth:`refresh` reads the rest.

        Args:
            root: the project, absolute.
            read: reads its settings, at each full scan.
            options: how to read.
            sanitize: called with every name before the rule is applied; returns a new one, or None to keep it.
            on_progress: called periodically with the assets done and found so far.

        Raises:
            ConfigurationError: ``assetdb.toml`` is wrong.
        """
        self.root = root
        self._read_settings = read
        self._options = options
        self._own_sanitize = sanitize
        self._on_progress = on_progress
        self._held = Held(self._read_rules(), cache.EMPTY, {}, set(), [], is_loaded=False)
        self._loaded: cache.Cache | None = None  # by :meth:`directories`, for the first refresh
        self._state: LiveState | ProjectState | None = None  # in a kept workspace, a live one
        self._background: Background | None = None
        self.record = CacheRecord()
        self._followed: tuple[cache.Cache, list[Pair]] | None = None  # the cache before an edit, and what it changed
        self._is_cache_wanted = True
        self.packages: PackageList = NO_PACKAGES

    # --- state

    @property
    def folder(self) -> str:
        """Where its files are, absolute."""
        return self._held.rules.settings.folder

    @property
    def settings(self) -> Settings:
        """The settings of names and exclusions."""
        return self._held.rules.settings

    @property
    def output(self) -> Output:
        """The files."""
        return self._held.rules.output

    @property
    def problems(self) -> list[Diagnostic]:
        """Diagnostics of the project and its directories, in no order."""
        return [*self._held.problems, *diagnostics_of(diagnosed(self._held.directories))]

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Everything found, in a stable order."""
        return self.diagnostics_later()()

    def diagnostics_later(self) -> Callable[[], list[Diagnostic]]:
        """Return a function that returns current diagnostics, unaffected by later refreshes."""
        directories, others = self._held.directories, [*self._held.problems, *self.packages.problems]
        return lambda: all_diagnostics(self.root, directories, others)

    @property
    def asset_count(self) -> int:
        """How many entries the database has."""
        return self._held.asset_count

    @property
    def database(self) -> Database:
        """The database as of the last refresh."""
        if self._held.database is None:
            raise RuntimeError("not refreshed yet, or not kept")
        return self._held.database

    @property
    def is_prepared(self) -> bool:
        """Whether the next refresh continues from a state in memory."""
        return self._state is not None

    def shared_names(self) -> list[list[Diagnostic]]:
        """Return diagnostics of names that folders cannot separate, if facts changed."""
        return self._state.shared_names() if self._state is not None else []

    def directories(self) -> Mapping[bytes, DirectoryFacts]:
        """Return directories by path, before a refresh as cached."""
        if self._held.is_loaded:
            return self._held.directories
        if self._loaded is None:
            self._loaded = self.output.read_cache()
        return self._loaded.directories if same_facts(self._loaded.settings, self.settings.packed()) else {}

    def listing(self) -> Listing:
        """Return the directories of the last refresh, facts unread."""
        listing = self._held.listing()
        if self._options.keep:  # another refresh may follow
            return listing
        return listing._replace(held=self._held)

    def complete_directories(self) -> Iterable[DirectoryFacts]:
        """Return the directories with their facts."""
        return self._held.complete_directories()

    def through_links(self) -> set[bytes]:
        """Return directories behind links, which cause no events."""
        return self._held.linked

    def contents(self) -> tuple[bytes, bytes]:
        """Return the bytes of database and index."""
        if self._held.contents is None:
            state = self._state or self._build(
                self._held.rules, {item.path: item for item in self.complete_directories()}
            )
            self._held = self._held._replace(contents=(state.database, state.index()))
        assert self._held.contents is not None  # noqa: S101 - for the type checker
        return self._held.contents

    # --- refreshing

    def refresh(self, dirty: Collection[bytes] | None = None) -> Update:
        """Scan the tree again, completely or in part.

        The settings are read with a full scan. After a failure, everything is unchanged.

        Args:
            dirty: directories, or files to read in any case, relative to the project; paths in no directory of it are
                ignored. None: everything.

        Raises:
            ProjectError: the output folder is another project's.
            ConfigurationError: ``assetdb.toml`` is wrong.
            ScanError: the project cannot be read now.
            OSError: the files cannot be read.
        """
        if not self._held.is_loaded:
            return self._load()
        held, rules = self._held, self._held.rules
        if dirty is not None:
            found = held.rescan(dirty)
            self.record.parsed += found.files_read
            return self._apply(rules, held.known, found)
        new_rules = self._read_rules()
        if new_rules.settings != rules.settings:
            return self._begin(new_rules, cache.EMPTY)
        return self._apply(new_rules, held.known, self._scan(new_rules, held.known, held.directories))

    def take(self, listing: Listing) -> bool:
        """Take over the last refresh of another workspace of the project.

        Returns False if more refreshes followed, or its cache was replaced since.
        """
        if listing.held is None:
            return False
        try:
            listing.held.known.facts.hold()
        except cache.DamagedCacheError:
            return False
        self._held = listing.held
        return True

    def mark(self) -> Mark:
        """Return the present state, for :meth:`restore`."""
        return self._held, self.record.is_written

    def restore(self, mark: Mark) -> None:
        """Undo a refresh."""
        self._held, self.record.is_written = mark
        self._state = None

    def _load(self) -> Update:
        """Start from the cache."""
        rules = self._held.rules
        loaded, self._loaded = self._loaded, None
        if not self._options.use_cache:
            loaded = cache.EMPTY
        elif loaded is None:
            loaded = rules.output.read_cache()
        if not self._options.read_only and loaded.files == rules.output.identities():
            refuse_another_project(rules.settings, loaded.settings)
        if self._options.as_before:
            settings = rules.settings.named_as(loaded.settings)
            rules = Rules(settings, rules.configuration, self._own_sanitize, self._options)
        known = cache_here(loaded, rules)
        if known is cache.EMPTY and self._options.use_cache:
            known = self.record.read_shared(rules)
        try:
            update = self._begin(rules, known)
        except cache.DamagedCacheError:
            return self._begin(rules, cache.EMPTY)
        if known is not loaded:
            self.record.outdate()
        return update

    def _begin(self, rules: Rules, known: cache.Cache) -> Update:
        """Scan everything, using a cache."""
        started = time.perf_counter()
        found = self._scan(rules, known, known.directories)
        seconds = time.perf_counter() - started
        update = self._follow_files(rules, known, found) or self._apply(rules, known, found, anew=True)
        return update._replace(scan_seconds=seconds)

    def _follow_files(self, rules: Rules, known: cache.Cache, found: ScanResult) -> Update | None:
        """Continue from the files, if the cache belongs to them."""
        # A callback may return different names each time.
        same_names = known.settings == rules.settings.packed() and self._own_sanitize is None
        if not same_names or not known.files[0] or known.files != rules.output.identities():
            return None
        pairs, index = completed_pairs(known, found), None
        if have_other_facts(pairs):
            if self._options.is_once and not rules.settings.strict_names:  # which are asked of all facts
                index = relinked_index(rules.output, known, pairs)
            if index is None:
                return Update().of_scan(found) if self._catch_up(rules, known, found, pairs) else None
        held = as_saved(rules, known, found.directories, self._options)
        if held is None:
            return None
        if index is not None:
            self.record.outdate()
            self._followed = known, pairs
            held = held._replace(new_index=index, files=None) if index else held
        else:
            self.record.go_on(known, found, rules, early=self._options.early_cache)
            is_edit = self._options.is_once and self.record.pays and self.record.take_edit(held, known, pairs)
            if self._options.is_once and self.record.seen_pays and not is_edit:
                complete = {directory.path: directory for directory in held.complete_directories()}
                held = held._replace(directories=complete)
        self._held, self._state = held, None
        return Update(unchanged=index is None).of_scan(found)

    def _catch_up(self, rules: Rules, known: cache.Cache, found: ScanResult, changed: list[Pair]) -> bool:
        """Update the files with scan results; False if rebuilding is better."""
        if self._options.are_too_many(much_changed(found.files_read, changed), known.asset_count):
            return False
        before = Held(rules, known, known.directories, set(), [], files=known.files)
        facts, directories = with_facts(known, known.directories, found.directories)
        state = self._live(before, facts)
        if state is None:
            return False
        state.update(changed)
        linked = self._options.linked(directories)
        self._held = self._with_contents(Held(rules, cache.EMPTY, directories, linked, []), state)
        self._state = state
        self._followed = None if self._options.keep else (known, changed)
        return True

    def _apply(self, rules: Rules, known: cache.Cache, found: ScanResult, *, anew: bool = False) -> Update:
        """Update the state with scan results, or build a new one."""
        before, self._followed = self._held, None  # an edit that is not saved yet is not all that changed
        keep = self._options.keep
        complete = known.complete
        replaced: list[Pair] = []
        if keep or not anew:
            pairs = replaced_directories(before.directories, found.directories)
            old_complete = before.known.complete
            replaced = [(old and old_complete(old), new and complete(new)) for old, new in pairs]
        changed = [(old, new) for old, new in replaced if not (old and new) or facts_of(old) != facts_of(new)]
        linked = self._options.linked(found.directories)
        if not (changed or anew):
            self._held = before._replace(rules=rules, directories=found.directories, linked=linked)
            same = not replaced and rules.configuration == before.rules.configuration
            self.record.stay(same=same)
            return update_of(replaced).of_scan(found)
        new = Held(rules, known, found.directories, linked, [])
        follow = keep and not anew
        much = follow and self._options.are_too_many(much_changed(found.files_read, changed), before.asset_count)
        self._held, self._state, update = self._made(new, changed, update_of(replaced), follow=follow, much=much)
        self.record.outdate()
        return update.of_scan(found)

    def _made(
        self, new: Held, changed: Sequence[Pair], update: Update, *, follow: bool, much: bool
    ) -> tuple[Held, LiveState | ProjectState | None, Update]:
        """Return the new contents, the next state, and the update."""
        before = self._held
        state, self._state = self._state, None  # if this fails, the next refresh rebuilds it
        is_prepared = state is not None
        live = state if follow and not much else None
        state = None  # much of it may have changed: free its memory
        if follow and not is_prepared:
            facts, directories = with_facts(new.known, before.directories, new.directories)
            new = new._replace(known=cache.EMPTY, directories=directories)
            live = self._live(before, facts) if not much else None
            if live is None and before.database is not None and before.sound_contents() is None:
                # The changes cannot be determined from damaged files.
                before = self._with_contents(before, self._build(before.rules, facts))
        touched = None
        if live is not None:
            touched = live.update(changed)  # type: ignore[union-attr]  # of a workspace that is kept
            made: LiveState | ProjectState = live
        else:
            assert isinstance(new.directories, dict)  # noqa: S101 - for the type checker: a scan found them
            new = new._replace(directories=completed(new.directories, new.known, self._options), known=cache.EMPTY)
            made = self._build(new.rules, new.directories)
        if not self._options.keep:
            return new._replace(problems=made.problems, asset_count=made.asset_count), made, update
        new = self._with_contents(new, made)
        from assetdb.workspace.changes import changes_between  # noqa: PLC0415 - a bake does without

        added, removed = diagnostics_changed(before.problems, new.problems, changed)
        update = update._replace(diagnostics_added=added, diagnostics_removed=removed)
        if before.database is not None and new.database is not None:
            update = update._replace(changes=changes_between(before.database, new.database, touched))
        return new, live, update

    def prepare(self) -> None:
        """Make the state for refreshes: 0.1 s for unitystation's 63,000 assets."""
        if self._state is not None:
            return
        held = self._held
        found = {path: held.known.complete(directory) for path, directory in held.directories.items()}
        self._held = held = held._replace(directories=found, known=cache.EMPTY)
        self._state = self._live(held, found)

    def _live(self, held: Held, facts: Mapping[bytes, DirectoryFacts]) -> LiveState | None:
        """Return the state for refreshes, None without sound contents."""
        contents = held.sound_contents()
        if contents is None:
            return None
        from assetdb.state.live_state import LiveState  # noqa: PLC0415 - a daemon does without until the first edit

        return LiveState(facts.values(), contents, held.rules.sanitize)

    def _with_contents(self, held: Held, state: LiveState | ProjectState) -> Held:
        contents = state.database, state.index()
        database = held.rules.opened(contents) if self._options.keep else None
        held = held._replace(problems=state.problems, asset_count=state.asset_count, is_sound=True)
        return held._replace(contents=contents, database=database)

    def mirrored(self, root: str, folder: str, dirty: Collection[bytes]) -> Workspace:
        """Return the workspace of a mirror, refreshed and never saved.

        It starts from this state: only differing files are read. Settings are the current ones of the project. See
        :mod:`assetdb.system.mirrors`.

        Args:
            root: the mirror, absolute.
            folder: where its files would be, absolute.
            dirty: the directories that differ, relative to the project; new ones below them are found.

        Raises:
            ScanError: the mirror cannot be read now.
            OSError: the files cannot be read.
        """
        settings = self.settings._replace(root=root, folder=folder)
        options = self._options._replace(keep=True, read_only=True, may_change_directory=False)
        made = Workspace(root, lambda: settings, options)
        contents = self._held.sound_contents() if self._own_sanitize is None else None
        database = made._held.rules.opened(contents) if contents is not None else None
        made._held = self._held._replace(
            rules=made._held.rules, contents=contents, database=database, is_sound=contents is not None, files=None
        )
        made.refresh({*dirty, *made._options.linked(self._held.directories)})
        if made._held.database is None:
            made._held = made._held._replace(database=made._held.rules.opened(made.contents()))
        made.packages = self.packages
        return made

    # --- saving

    @property
    def is_saved(self) -> bool:
        """Whether database and index are as of the last refresh."""
        return self._held.files is not None and self._held.files == self.output.identities()

    def save(self, *, cache: bool | None = None) -> bool:
        """Write database and index, and with ``cache`` the cache.

        The caller holds the lock. By default the cache is written if that pays. If it cannot be written,
        :attr:`record` has the reason, and there is none. Returns whether the database changed.

        Raises:
            OSError: the files cannot be written; the last good ones are kept.
        """
        background = self._background
        self.output.remove_leftovers(but_cache=background is not None and background.may_have_cache)
        changed = False
        if not self.is_saved:
            held, files = self._held, None
            if held.new_index:
                files = self.output.write_index(held.new_index, held.known.files)
            else:
                changed = self.output.write(*[[part] for part in self.contents()])
            self._held = self._held._replace(files=files or self.output.identities())
        whole = self.record.pays if cache is None else cache and not self.record.is_written
        if whole and background is not None and background.finish_cache():
            self.record.pays = whole = False
        followed, self._followed = self._followed, None
        if whole and followed is not None and self.is_saved:
            self.record.take_edit(self._held, *followed)
        try:
            if whole and self.record.write_edit(self.output):
                whole = False
            if whole or (cache is None and self.record.seen_pays):
                begun = self.begin_cache(whole=whole)
                if begun is not None:
                    self.finish_cache(begun)
        except OSError:
            pass  # database and index exist: a failure here does not matter
        self.record.share(self._held.rules, self.asset_count)
        return changed

    def difference(self, *, of_index: bool) -> tuple[bool, tuple[str, ...]]:
        """Return whether :meth:`save` would change files, and the changed lines."""
        data = self._state.database if self._state is not None else self.contents()[0]
        return self.output.difference(data, (lambda: self.contents()[1]) if of_index else None)

    def begin_cache(self, *, whole: bool = True) -> UnfinishedCache | None:
        """Write the cache to a temporary file.

        Without ``whole`` only the identities of the files of each row. None if the files are not saved, or have changed
        by then.

        Raises:
            OSError: it cannot be written.
        """
        held = self._held
        self._is_cache_wanted = True
        if not self.is_saved or self._held is not held:
            return None
        rows = self._background.seen_rows if self._background is not None else None
        return self.record.begin(
            held, rows, whole=whole, is_wanted=lambda: self._is_cache_wanted and self._held is held
        )

    def finish_cache(self, begun: UnfinishedCache) -> bool:
        """Put the cache in place; the caller holds the lock.

        Returns False if the project or its files have changed, or it is gone.

        Raises:
            OSError: it cannot be put in place.
        """
        is_done = self.record.finish(begun, is_wanted=begun.made_from is self._held)
        self.record.share(self._held.rules, self.asset_count)
        return is_done

    def leave_cache(self) -> None:
        """Stop another thread from writing the cache."""
        self._is_cache_wanted = False

    def close(self) -> None:
        """End helper processes and free memory."""
        self._end_background()
        if self._held.database is not None:
            self._held.database.close()

    # --- packages

    def read_packages(self) -> bool:
        """Update outside packages' files, holding the lock; return whether they changed.

        Raises:
            ScanError: the packages cannot be read now.
            OSError: the files cannot be read or written.
        """
        before = self.packages
        settings = self.settings
        self.packages = refresh(
            settings.root,
            settings.folder,
            workers=self._options.processes,
            check_stat=settings.check_stat,
            own=self._held.database if self._options.keep else None,
        )
        return self.packages.content != before.content

    def has_same_packages(self) -> bool:
        """Whether the project's list of packages is unchanged.

        Raises:
            ScanError: it cannot be determined now.
        """
        return are_same(self.root, self.packages.stamps)

    # --- steps

    def _read_rules(self) -> Rules:
        return read_rules(self.root, self._read_settings, self._own_sanitize, self._options)

    def _scan(self, rules: Rules, known: cache.Cache, directories: Mapping[bytes, DirectoryFacts]) -> ScanResult:
        found = rules.tree.scan(
            directories,
            known,
            workers=self._options.processes,
            on_progress=self._on_progress,
            meanwhile=lambda: import_next(keep=self._options.keep, first=not directories),
        )
        self.record.parsed += found.files_read
        return found

    def _build(self, rules: Rules, directories: dict[bytes, DirectoryFacts] | PackedDirectories) -> ProjectState:
        # Not needed by a bake that changes nothing, nor by a daemon until the first edit: 25 ms.
        from assetdb.state.project_state import ProjectState  # noqa: PLC0415 - see above

        self._end_background()
        if isinstance(directories, dict):
            return ProjectState(directories.values(), rules.sanitize)
        from assetdb.store.background import Background  # noqa: PLC0415 - only a large project's first bake has it

        read_only = self._options.read_only
        self._background = Background(rules.output, rules.settings.packed(), directories, read_only=read_only)
        return ProjectState(directories, rules.sanitize, self._background)

    def _end_background(self) -> None:
        if self._background is not None:
            self._background.close()
            self._background = None
