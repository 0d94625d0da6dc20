"""The state that a workspace holds between two refreshes."""

from __future__ import annotations

import os
import time
from importlib import import_module

from assetdb.diagnostics import decode, encode
from assetdb.errors import DatabaseError
from assetdb.scan.known import cache, file_identities
from assetdb.scan.walking.tree import TreeReader
from assetdb.settings.effective import same_facts_elsewhere, same_root, with_root_of
from assetdb.settings.project import CONFIGURATION_NAME
from assetdb.settings.user import has_shared_folder
from assetdb.store.output import Output, read_bytes
from assetdb.system.identity import Identities
from assetdb_formats.processes import can_fork, processors
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import Final

    from assetdb.diagnostics import Diagnostic
    from assetdb.scan.directory import DirectoryFacts
    from assetdb.scan.known.packed import PackedDirectories
    from assetdb.scan.workers import ScanResult
    from assetdb.settings.effective import Settings
    from assetdb.store import cache_record
    from assetdb.store.cache_record import Edit, UnfinishedCache
    from assetdb.store.database import Database
    from assetdb.store.shared_facts import SharedFacts
    from assetdb.workspace.updates import Pair

    Sanitize = Callable[[str], str | None]

_MOST_WORKERS: Final = 8
_MOST_GIVEN_WORKERS: Final = 64  # more would wait for each other, and a typo must not fork without limit
MANY_ASSETS: Final = 5_000
"""Number of assets from which a background process pays: 5 % of the cold bakes of FPSSample (5,648) and
unity-explorer."""

MOST_CHANGED: Final = 1 / 32
"""The share of changed assets from which rebuilding is faster."""

MOST_FOLLOWED: Final = 1.0
"""The share for a kept workspace, which has facts and contents in memory. Of 60,000 assets, 24,000 moved ones or 20,000
texts take as long either way (2.5 and 1.8 s; a text counts once, a moved asset four times); moving all takes 3.7 s
rebuilt and 5.8 updated."""

_SHARED: Final = 50
"""Share of files to parse (one in this many) from which the cache is worth sharing."""

_SMALL: Final = 8000  # assets that are built or updated in 50 ms

NEXT: Final = ("assetdb.packages.database",)
"""Modules needed after every scan, imported while another process scans as well: 8 ms of a first bake, 6 of a daemon's
start."""

NEXT_KEPT: Final = ("assetdb.scan.walking.links", "assetdb.store.database", "assetdb.store.schema")
"""Modules that a kept workspace needs after a scan."""

NEXT_FIRST: Final = (
    "assetdb.packages.external",
    "assetdb.state.project_state",
    "assetdb.store.cache_record",
)
"""Modules needed after a scan if nothing was known, so that everything is built."""


class Options(NamedTuple):
    """Options of a workspace.

    Attributes:
        keep: whether further refreshes follow: then their data is kept in memory.
        read_only: whether nothing will be saved.
        use_cache: whether to use the cache of an earlier bake.
        as_before: whether to use the naming options of the last bake.
        early_cache: whether to write the cache as soon as one more file can be trusted, and not only if it pays.
        workers: how many processes may read at once; None: one a processor, at most 8.
        may_change_directory: whether the process may ``chdir``.
        many_assets: number of assets from which the graph, the cache and the identities are made in another process, if
            there may be two.
        most_changed: share of changed assets up to which the files are updated instead of rebuilt; None: as long as
            that is faster.
    """

    keep: bool = False
    read_only: bool = False
    use_cache: bool = True
    as_before: bool = False
    early_cache: bool = False
    workers: int | None = None
    may_change_directory: bool = False
    many_assets: int = MANY_ASSETS
    most_changed: float | None = None

    @property
    def is_once(self) -> bool:
        """Whether files are written and then nothing is kept."""
        return not (self.keep or self.read_only)

    @property
    def most_followed(self) -> float:
        """The share of changed assets from which rebuilding is quicker."""
        if self.most_changed is not None:
            return self.most_changed
        return MOST_FOLLOWED if self.keep else MOST_CHANGED

    def are_too_many(self, changed: int, asset_count: int) -> bool:
        """Whether rebuilding is quicker than following so many changes."""
        return changed > self.most_followed * (_SMALL + asset_count)

    def linked(self, directories: Mapping[bytes, DirectoryFacts]) -> set[bytes]:
        """Return directories without events, none unless the workspace is kept."""
        if not self.keep:
            return set()
        from assetdb.scan.walking.links import through_links  # noqa: PLC0415 - see above

        return through_links(directories)

    @property
    def processes(self) -> int:
        """How many processes may work at once."""
        given = self.workers
        return min(given, _MOST_GIVEN_WORKERS) if given is not None else min(processors(), _MOST_WORKERS)


class Listing(NamedTuple):
    """The directories of a scan, for derived answers.

    Attributes:
        directories: all of the project, maybe without their facts.
        complete: fills these in; raises DamagedCacheError.
        is_whole: whether nothing is left out of them by settings.
        held: all that the last refresh of its workspace found, for :meth:`Workspace.take`.
    """

    directories: Mapping[bytes, DirectoryFacts]
    complete: Callable[[DirectoryFacts], DirectoryFacts]
    is_whole: bool
    held: Held | None = None


class Rules:
    """The settings, ready to use; ``configuration`` identifies their file."""

    __slots__ = ("configuration", "output", "sanitize", "settings", "tree")

    def __init__(self, settings: Settings, configuration: int, sanitize: Sanitize | None, options: Options) -> None:
        """Take the settings.

        Raises:
            ConfigurationError: a pattern is invalid.
        """
        self.settings = settings
        self.configuration = configuration
        self.tree = TreeReader(settings, may_change_directory=options.may_change_directory)
        self.sanitize = settings.sanitizer(sanitize)
        self.output = Output(settings.folder, settings.check_stat, settings.root)

    def opened(self, contents: tuple[bytes, bytes]) -> Database:
        """Return the database that has these contents.

        Raises:
            DatabaseError: they are damaged.
        """
        from assetdb.store.database import open_bytes  # noqa: PLC0415 - a bake does without

        return open_bytes(self.output.database, *contents)


class Held(NamedTuple):
    """The state that a refresh replaces as a whole.

    Attributes:
        rules: from the settings.
        known: the cache that may still contain the facts of ``directories``.
        directories: all of the project, by path.
        linked: those without events, behind links.
        problems: of the project as a whole.
        asset_count: how many entries the database has.
        contents: the bytes of database and index; None if not needed yet.
        database: opened from these, in a kept workspace.
        is_sound: whether the contents were made here or checked, and not only read.
        files: identities of the files that have the contents, None where none have.
        is_loaded: whether there was a refresh.
        new_index: the bytes of a new index for the database of ``known``, if no more is new.
    """

    rules: Rules
    known: cache.Cache
    directories: dict[bytes, DirectoryFacts] | PackedDirectories
    linked: set[bytes]
    problems: list[Diagnostic]
    asset_count: int = 0
    contents: tuple[bytes, bytes] | None = None
    database: Database | None = None
    is_sound: bool = False
    files: tuple[int, int, int, int] | None = None
    is_loaded: bool = True
    new_index: bytes | None = None

    def listing(self) -> Listing:
        """Return the directories, with facts read on demand."""
        return Listing(self.directories, self.known.complete, not self.rules.settings.exclude)

    def complete_directories(self) -> list[DirectoryFacts]:
        """Return the directories with their facts."""
        self.known.facts.load()
        return list(map(self.known.complete, self.directories.values()))

    def rescan(self, dirty: Collection[bytes]) -> ScanResult:
        """Scan some directories."""
        return self.rules.tree.rescan(self.directories, self.known, dirty)

    def sound_contents(self) -> tuple[bytes, bytes] | None:
        """Return the contents, made here or checked against the files; else None."""
        if self.is_sound:
            return self.contents
        found = self.rules.output.read_sound(self.files) if self.files is not None else None
        return found if self.contents in (None, found) else None


def read_rules(root: str, read: Callable[[], Settings], sanitize: Sanitize | None, options: Options) -> Rules:
    """Read the settings after their file's identity, to detect changes between.

    Raises:
        ConfigurationError: ``assetdb.toml`` is wrong.
    """
    since_ns = time.time_ns()
    try:
        configured = os.stat(os.path.join(root, CONFIGURATION_NAME))
    except OSError:  # absent or unreadable, which the next line reports
        configured = None
    settings = read()
    compared = Identities(since_ns, settings.check_stat)
    configuration = compared.of(configured) if configured is not None else file_identities.ABSENT
    return Rules(settings, configuration, sanitize, options)


def cache_here(loaded: cache.Cache, rules: Rules, *, is_own: bool = True) -> cache.Cache:
    """Return the part of a cache that holds here.

    A CI machine clones the project and restores the output folder: all identities differ, but the facts are still
    valid. The same applies to a shared cache from another output folder.
    """
    settings = rules.settings.packed()
    if not same_facts_elsewhere(loaded.settings, settings):
        return cache.EMPTY
    if not (is_own and same_root(loaded.settings, settings)):
        loaded = loaded.moved(with_root_of(loaded.settings, settings))
    files = rules.output.moved(loaded.files)
    return loaded if files == loaded.files else loaded._replace(files=files, prefix=b"")


def as_saved(
    rules: Rules, known: cache.Cache, directories: dict[bytes, DirectoryFacts], options: Options
) -> Held | None:
    """Return the state of the files of a cache, None if damaged.

    Raises:
        DamagedCacheError: the facts of the cache are damaged.
    """
    contents = database = None
    if options.keep:
        known.facts.hold()
        contents = rules.output.read_contents(known.files)
        try:
            database = rules.opened(contents) if contents is not None else None
        except DatabaseError:  # they are made again
            return None
        if database is None:
            return None
    linked, problems = options.linked(directories), decode(known.problems)
    return Held(rules, known, directories, linked, problems, known.asset_count, contents, database, files=known.files)


def completed(
    directories: dict[bytes, DirectoryFacts], known: cache.Cache, options: Options
) -> dict[bytes, DirectoryFacts] | PackedDirectories:
    """Return directories with their facts, packed if a background process pays."""
    count = sum([directory.pair_count for directory in directories.values()])
    known.facts.load()
    if options.keep or options.processes == 1 or count < options.many_assets or not can_fork():
        return {path: known.complete(directory) for path, directory in directories.items()}
    from assetdb.scan.known.packed import PackedDirectories  # noqa: PLC0415 - only a large project's first bake has it

    return PackedDirectories(directories, known.complete)


def import_next(*, keep: bool, first: bool) -> None:
    """Import modules needed after a scan; ``first``: nothing was known before."""
    for name in (*NEXT, *(NEXT_KEPT if keep else ()), *(NEXT_FIRST if first else ())):
        import_module(name)


class CacheRecord:
    """The state of the written cache of a workspace.

    Attributes:
        is_written: whether it is.
        pays: whether writing the cache is worthwhile.
        seen_pays: whether writing the identities of the files of each row is worthwhile.
        problem: why the last write failed.
        parsed: how many files were parsed and not shared yet.
    """

    __slots__ = ("_edit", "_shared", "is_written", "parsed", "pays", "problem", "seen_pays")

    def __init__(self) -> None:
        self.problem: OSError | None = None
        self.parsed = 0
        self._shared: SharedFacts | None = None
        self._edit: Edit | None = None
        self.outdate()

    def read_shared(self, rules: Rules) -> cache.Cache:
        """Return the newest shared cache that holds here.

        Raises:
            ConfigurationError: the user's settings are wrong.
            ScanError: whether the project is a package cannot be determined now.
        """
        if not has_shared_folder():
            return cache.EMPTY
        from assetdb.store.shared_facts import shared_facts  # noqa: PLC0415 - most users share nothing

        self._shared = shared_facts(rules.settings.root)
        if self._shared is None:
            return cache.EMPTY

        def take(path: str) -> cache.Cache | None:
            found = cache_here(cache.read(path), rules, is_own=False)
            return found if found is not cache.EMPTY else None

        return self._shared.newest(cache.FILE_NAME, take) or cache.EMPTY

    def share(self, rules: Rules, asset_count: int) -> None:
        """Publish a written cache, if much was parsed or none is published."""
        if not (self.is_written and asset_count and has_shared_folder()):
            return
        from assetdb.store.shared_facts import shared_facts  # noqa: PLC0415 - most users share nothing

        self._shared = self._shared or shared_facts(rules.settings.root)
        shared = self._shared
        if shared is not None and (self._has_news(asset_count) or (shared.is_empty and not shared.problems)):
            shared.publish(rules.output.cache)
        self.parsed = 0

    def _has_news(self, asset_count: int) -> bool:
        return self.parsed * _SHARED > asset_count

    @property
    def shared_problems(self) -> list[tuple[str, str]]:
        """Problems with shared facts: a path and a message each."""
        return self._shared.problems if self._shared is not None else []

    def outdate(self) -> None:
        """Record that the cache is outdated."""
        self.is_written = False
        self.pays = self.seen_pays = True
        self._edit = None

    def go_on(self, known: cache.Cache, found: ScanResult, rules: Rules, *, early: bool) -> None:
        """Record that a scan confirmed the cache."""
        again, settled = (0, 0) if found.is_as_known else known.files_to_reread(found.directories)
        self.pays = again > cache.MANY or (early and settled > 0)
        self.seen_pays = self.pays or not rules.output.has_seen(rules.configuration)
        same = found.is_as_known or all(known.directories[path] is item for path, item in found.directories.items())
        self.is_written = same and not self.seen_pays

    def stay(self, *, same: bool) -> None:
        """Record that no facts have changed; ``same``: nor anything else."""
        self.is_written = self.is_written and same
        self.pays = self.seen_pays = not self.is_written

    def take_edit(self, held: Held, known: cache.Cache, pairs: Collection[Pair]) -> bool:
        """Prepare to write a few directories instead of all.

        Returns False if that is not possible.

        Raises:
            DamagedCacheError: the facts of ``known``, the cache before it, are damaged.
        """
        if self._has_news(held.asset_count) and has_shared_folder():  # it will be shared, whole
            return False
        from assetdb.store import cache_record  # noqa: PLC0415 - a no-op does without

        self._edit = cache_record.edit(_saved(held), held.rules.output, known, pairs)
        return self._edit is not None

    def write_edit(self, output: Output) -> bool:
        """Write the edit of :meth:`take_edit`.

        False if there is none, or if it cannot be written (a log of another user, say): then all is to be written.
        """
        made, self._edit = self._edit, None
        if made is None:
            return False
        from assetdb.store import cache_record  # noqa: PLC0415 - a no-op does without

        try:
            cache_record.write_edit(made, output)
        except OSError:
            return False
        self.pays = self.seen_pays = False
        self.is_written = True
        self.problem = None
        return True

    def begin(
        self, held: Held, rows: file_identities.Rows | None, *, whole: bool, is_wanted: Callable[[], bool]
    ) -> UnfinishedCache | None:
        """Write it to a temporary file; see :func:`assetdb.store.cache_record.begin`.

        None if it is not wanted, or the cache before it is damaged: the next bake finds that too, and reads everything.
        """
        from assetdb.store import cache_record  # noqa: PLC0415 - a no-op does without

        output = held.rules.output
        saved = _saved(held)
        directories: PackedDirectories | list[DirectoryFacts]
        try:
            directories = held.directories if not isinstance(held.directories, dict) else held.complete_directories()
        except cache.DamagedCacheError:
            return None
        try:
            written = cache_record.begin(saved, output, directories, rows, whole=whole, is_wanted=is_wanted)
        except OSError as error:
            self._give_up(output, error)
            raise
        return cache_record.UnfinishedCache(whole, held, output, saved.files) if written else None

    def finish(self, begun: UnfinishedCache, *, is_wanted: bool) -> bool:
        """Put it in its place; see :func:`assetdb.store.cache_record.finish`."""
        from assetdb.store import cache_record  # noqa: PLC0415 - a no-op does without

        try:
            if not cache_record.finish(begun, is_wanted=is_wanted):
                return False
        except OSError as error:
            self._give_up(begun.output, error)
            raise
        self.pays = self.pays and not begun.has_cache
        self.seen_pays = False
        self.is_written = not self.pays
        self.problem = None
        return True

    def _give_up(self, output: Output, error: OSError) -> None:
        """Continue without an unwritable cache; an outdated one only takes space."""
        self.problem = error
        output.drop_cache()
        output.remove_cache()


def _saved(held: Held) -> cache_record.Saved:
    """Return the inputs of a record besides directories."""
    from assetdb.store import cache_record  # noqa: PLC0415 - a no-op does without

    output, settings = held.rules.output, held.rules.settings
    return cache_record.Saved(
        output.identities(),
        held.contents[1] if held.contents is not None else held.new_index or read_bytes(output.index),
        held.asset_count,
        encode(held.problems),
        settings.packed(),
        settings.check_stat,
        held.rules.configuration,
    )
