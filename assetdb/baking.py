"""From facts to files: one road for a first bake, for one that changes nothing, and for one after an edit."""

from __future__ import annotations

import errno
import gc
import marshal  # between a process and its own child only: what that sends is our own
import os
import sys
import time
from array import array

from assetdb.diagnostics import Diagnostic, decode, encode
from assetdb.errors import BakeError, ProjectError
from assetdb.packages.database import refresh
from assetdb.project import CONFIGURATION_NAME, asset_roots, find_project, mounts_of
from assetdb.scan import cache
from assetdb.scan.directory import FACTS, Directory, diagnostics_of
from assetdb.scan.limits import Limits
from assetdb.scan.reader import DirectoryReader
from assetdb.scan.seen import ABSENT
from assetdb.scan.submodules import without_submodules
from assetdb.scan.workers import scan
from assetdb.settings.configuration import excluder
from assetdb.settings.effective import Settings, read_settings, refuse_another_project, same_facts
from assetdb.store.output import Output, read_bytes
from assetdb.system.identity import UNTRUSTED, Identities
from formats.processes import can_fork, processors
from formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Final, Self

    from assetdb.scan.workers import ScanResult
    from assetdb.state.assembly import Assembled, Gathered
    from assetdb.store.graph import Edges

_LOCK_TIMEOUT: Final = 120.0
_MANY_UNTRUSTED: Final = 1000  # files to read again before it pays to write the cache for nothing else
_MOST_WORKERS: Final = 8
_MOST_GIVEN_WORKERS: Final = 64  # more only wait for each other, and a slip of the finger forks without end
MANY_ASSETS: Final = 10_000  # from here on the graph takes longer than a process


class Timing(NamedTuple):
    """Seconds that each part of a bake took."""

    walk: float
    read: float
    names: float
    write: float


class BakeResult(NamedTuple):
    """What a bake did.

    Attributes:
        project: absolute path.
        database: absolute path of the ``asset-db.bin``.
        asset_count: how many entries it has.
        files_read: how many metas and assets had to be opened.
        written: whether the database was replaced (with ``check``: would have been).
        unchanged: whether nothing at all had changed, so that nothing was written.
        diagnostics: everything found, in a stable order.
        timing: where the time went.
        difference: with ``check``, the lines that a replacement would change.
    """

    project: str
    database: str
    asset_count: int
    files_read: int
    written: bool
    unchanged: bool
    diagnostics: tuple[Diagnostic, ...]
    timing: Timing
    difference: tuple[str, ...] = ()


class _Options(NamedTuple):
    keep_going: bool
    check: bool
    workers: int | None
    may_change_directory: bool
    sanitize: Callable[[str], str | None] | None
    on_warning: Callable[[Diagnostic], None] | None
    on_progress: Callable[[int, int], None] | None
    many_assets: int = MANY_ASSETS
    question: bool = False


def look(
    project: str,
    out_dir: str | None = None,
    *,
    may_change_directory: bool = False,
    on_progress: Callable[[int, int], None] | None = None,
    on_wait: Callable[[str], None] | None = None,
) -> BakeResult:
    """Bring a project's database up to date for a question: what two assets share a GUID is no reason to have none.

    Names are made as the last bake was told on its command line. Where the files cannot be written they may still be
    right.

    Args:
        project: the project's root.
        out_dir: where its files are, as :func:`bake` has it.
        may_change_directory: likewise.
        on_progress: likewise.
        on_wait: likewise.

    Raises:
        ProjectError: the files are not right, and cannot be written; or as :func:`bake`.
        AssetdbError: as :func:`bake`.
        OSError: likewise.
    """
    options = _Options(True, False, None, may_change_directory, None, None, on_progress, question=True)  # noqa: FBT003

    def read() -> Settings:
        return read_settings(project, out_dir)

    collecting = gc.isenabled()
    gc.disable()  # as the bake of a process of its own: nothing goes in circles
    try:
        return _run(project, read, options, on_wait)
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise
        result = _run(project, read, options._replace(check=True), on_wait)
        if result.written:
            raise ProjectError(
                f"{result.database} is not of the project as it is, and cannot be written: {error.strerror}"
                " (--no-refresh answers from it)"
            ) from error
        return result
    finally:
        if collecting:
            gc.enable()


def bake(
    project: str | os.PathLike[str] | None = None,
    out_dir: str | os.PathLike[str] | None = None,
    *,
    keep_going: bool = False,
    strict_names: bool = False,
    scrub_characters: str = "",
    follow_links: bool = False,
    check: bool = False,
    workers: int | None = None,
    may_change_directory: bool = False,
    sanitize: Callable[[str], str | None] | None = None,
    on_warning: Callable[[Diagnostic], None] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    on_wait: Callable[[str], None] | None = None,
    many_assets: int = MANY_ASSETS,
) -> BakeResult:
    """Bring a project's database up to date and say what was done. Nothing is printed.

    Args:
        project: the project's root; by default the working directory or the nearest parent that is one.
        out_dir: where the files go, by default what ``assetdb.toml`` says, else ``Library/assetdb``.
        keep_going: bake the rest when GUIDs are there twice, instead of failing.
        strict_names: fail where directories cannot tell the claimants of a name apart.
        scrub_characters: replaced by ``_`` in every name.
        follow_links: follow links that lead out of the project, too.
        check: write nothing, and say what would change.
        workers: how many processes may read at once; by default one a processor, at most 8.
        may_change_directory: whether the bake may ``chdir`` while it runs (5 % faster; back at the end).
        sanitize: is given every name before the rule is applied and returns another, or None to keep it.
        on_warning: is given every diagnostic.
        on_progress: is given the assets done and the assets known of so far, now and then.
        on_wait: is told who holds the lock, where it has been waited for for a second.
        many_assets: from how many assets on the graph is made in a process of its own, where there may be two.

    Raises:
        ProjectError: there is no project, the output folder cannot be made or is another project's, or its lock file
            is a link or no file.
        ConfigurationError: ``assetdb.toml`` is wrong.
        BakeError: the database would be ambiguous (and ``keep_going`` is off), or ``strict_names`` forbids a name.
        LockedError: another bake of the same files does not end.
        OSError: the files cannot be written; the last good ones stay.
    """
    options = _Options(keep_going, check, workers, may_change_directory, sanitize, on_warning, on_progress, many_assets)
    root = find_project(os.fspath(project) if project is not None else None)
    return _run(
        root,
        lambda: read_settings(
            root, out_dir, scrub_characters=scrub_characters, strict_names=strict_names, follow_links=follow_links
        ),
        options,
        on_wait,
    )


def _run(
    root: str, read: Callable[[], Settings], options: _Options, on_wait: Callable[[str], None] | None
) -> BakeResult:
    since_ns = time.time_ns()
    try:
        configured = os.stat(os.path.join(root, CONFIGURATION_NAME))
    except OSError:
        configured = None
    settings = read()  # behind the look at its file: a change in between is a change
    compared = Identities(since_ns, settings.check_stat)
    configuration = compared.of(configured) if configured is not None else ABSENT
    output = Output(settings.folder, settings.check_stat)
    job = _Bake(settings, output, options, configuration)
    if options.check:
        return job.run(time.time_ns())
    output.make_folder()
    with output.locked(_LOCK_TIMEOUT, on_wait) as lock:
        output.remove_leftovers()
        if lock.problem:
            job.notices.append(
                Diagnostic(
                    "no-file-locks",
                    lock.path,
                    0,
                    f"the system cannot lock it ({lock.problem}): a file beside it keeps bakes apart",
                )
            )
        return job.with_packages(job.run(time.time_ns()))


class Made(NamedTuple):
    """What a first bake of a project would write, made in memory.

    Attributes:
        database: its bytes.
        database_index: likewise.
        directories: what they were made from, by path.
        asset_count: how many entries there are.
    """

    database: bytes
    database_index: bytes
    directories: dict[bytes, Directory]
    asset_count: int


def make(settings: Settings, *, workers: int | None = None, may_change_directory: bool = False) -> Made:
    """Make database and index from the tree alone, whatever was known of it, and write nothing."""
    options = _Options(True, True, workers, may_change_directory, None, None, None)  # noqa: FBT003 - as named above
    return _Bake(settings, Output(settings.folder, settings.check_stat), options, ABSENT).make()


class _Bake:
    """One bake from start to end."""

    def __init__(self, settings: Settings, output: Output, options: _Options, configuration: int) -> None:
        self._root = settings.root
        self._output = output
        self._configuration = configuration
        self._options = options
        self._excluded = excluder(settings.exclude)
        self._check_stat = settings.check_stat
        self.notices: list[Diagnostic] = []  # of this run alone, not of the project
        self._take(settings)

    def _take(self, settings: Settings) -> None:
        """Take what names are made by."""
        self._all_settings = settings
        self._settings = settings.packed()
        self._strict_names = settings.strict_names
        self._limits = Limits(outside=settings.follow_links)
        self._sanitize = settings.sanitizer(self._options.sanitize)

    def run(self, since_ns: int) -> BakeResult:
        """Scan, and write what changed; with a cache that turns out to be damaged, as if there were none."""
        try:
            return self._run(self._load_cache(), since_ns)
        except cache.DamagedCacheError:
            return self._run(cache.EMPTY, since_ns)

    def make(self) -> Made:
        """Make all anew, in memory."""
        from assetdb.state.assembly import assemble, gather  # noqa: PLC0415 - a bake that changes nothing does without
        from assetdb.store import index  # noqa: PLC0415 - the same

        directories = self._scan(cache.EMPTY, time.time_ns()).directories
        gathered = gather(list(directories.values()))
        encoded = assemble(gathered, self._sanitize).encoded
        data = b"".join(encoded.parts)
        offsets, folders = encoded.offsets, gathered.folders
        parts = index.encode(
            *(index.digest_of([data]), len(data), encoded.guids, offsets, folders),
            *(gathered.edges(), gathered.supplement(self._sanitize)),
        )
        return Made(data, b"".join(parts), directories, len(encoded.guids))

    def with_packages(self, result: BakeResult) -> BakeResult:
        """Bring the files of packages outside the project up to date, and say what is to be said of them."""
        found = refresh(self._root, self._output.folder, workers=self._workers(), check_stat=self._check_stat)
        problems = found.problems
        if not problems:
            return result
        if self._options.on_warning is not None:
            for problem in problems:
                self._options.on_warning(problem)
        return result._replace(diagnostics=tuple(sorted([*result.diagnostics, *problems])))

    def _run(self, known: cache.Cache, since_ns: int) -> BakeResult:
        started = time.perf_counter()
        found = self._scan(known, since_ns)
        scanned = time.perf_counter()
        intact = self._same_names(known) and known.files == self._output.identities()
        if intact and not changed_facts(known, found.directories):
            problems = decode(known.problems)
            self._refuse([*problems, *diagnostics_of(found.directories.values())], found.directories, known)
            self._write_identities(known, found)
            return self._result(known.asset_count, found, problems, started, scanned, scanned, unchanged=True)
        directories = [known.complete(directory) for directory in found.directories.values()]
        from assetdb.state.assembly import assemble, gather  # noqa: PLC0415 - a bake that changes nothing does without

        gathered = gather(directories)
        with _GraphAside(gathered, self._workers(), self._options.many_assets) as graph_aside:
            assembled = assemble(gathered, self._sanitize)
            problems = assembled.problems
            self._refuse([*problems, *diagnostics_of(directories)], found.directories, known)
            self._refuse_shared_names(assembled)
            named = time.perf_counter()
            written, difference = self._write(assembled, gathered, graph_aside, directories)
        return self._result(
            len(assembled.encoded.guids),
            found,
            problems,
            started,
            scanned,
            named,
            written=written,
            difference=difference,
        )

    # --- what is known, what changed

    def _load_cache(self) -> cache.Cache:
        loaded = self._output.read_cache()
        if not self._options.check and loaded.files == self._output.identities():
            refuse_another_project(self._all_settings, loaded.settings)
        if self._options.question:
            self._take(self._all_settings.named_as(loaded.settings))
        return loaded if same_facts(loaded.settings, self._settings) else cache.EMPTY

    def _same_names(self, known: cache.Cache) -> bool:
        """Whether the settings agree and names are rewritten by them alone: a callback may change its mind."""
        return known.settings == self._settings and self._options.sanitize is None

    def _workers(self) -> int:
        given = self._options.workers
        return min(given, _MOST_GIVEN_WORKERS) if given is not None else min(processors(), _MOST_WORKERS)

    def _scan(self, known: cache.Cache, since_ns: int) -> ScanResult:
        options = self._options
        root = os.fsencode(self._root)
        here = os.getcwd() if options.may_change_directory else None
        try:
            return scan(
                [os.fsencode(name) for name in asset_roots(self._root)],
                known.directories,
                lambda: DirectoryReader(
                    root,
                    since_ns=since_ns,
                    check_stat=self._check_stat,
                    may_change_directory=options.may_change_directory,
                    excluded=self._excluded,
                    complete=known.complete,
                    mounts=mounts_of(self._root),
                ),
                workers=self._workers(),
                on_progress=options.on_progress,
                limits=self._limits,
            )
        finally:
            if here is not None:
                os.chdir(here)

    # --- problems

    def _refuse(self, problems: list[Diagnostic], found: Mapping[bytes, Directory], known: cache.Cache) -> None:
        fatal = [problem for problem in problems if problem.fatal]
        if fatal and not self._options.keep_going:
            from assetdb.resolve.duplicates import referrers  # noqa: PLC0415 - only where a bake fails

            raise BakeError(
                f"{len(fatal)} problem{'s' if len(fatal) > 1 else ''} would make the database ambiguous"
                " (--keep-going bakes the rest)",
                sorted(problems),
                self._root,
                lambda guid: referrers(map(known.complete, found.values()), bytes.fromhex(guid)),
            )

    def _refuse_shared_names(self, assembled: Assembled) -> None:
        """With ``strict_names``, fail where only the file name can tell claimants apart."""
        if not self._strict_names or self._options.question or not assembled.inseparable:
            return
        from assetdb.state.assembly import others  # noqa: PLC0415 - only where a bake fails

        problems = [
            Diagnostic("shared-name", path, 0, f"shares the name {name!r} with {others(paths, path)}")
            for name, paths in assembled.inseparable
            for path in paths
        ]
        raise BakeError(f"{len(assembled.inseparable)} names that folders cannot tell apart", sorted(problems))

    # --- writing

    def _write(
        self,
        assembled: Assembled,
        gathered: Gathered,
        graph_aside: _GraphAside,
        directories: Sequence[Directory],
    ) -> tuple[bool, tuple[str, ...]]:
        """Write the files that changed: the database first, then what is derived from it, the cache last."""
        from assetdb.store import index  # noqa: PLC0415 - a bake that changes nothing does without

        encoded = assembled.encoded
        new = b"".join(encoded.parts)
        old = read_bytes(self._output.database) if self._options.check else b""
        if self._options.check and (new != old or not self._options.question):
            return new != old, _difference(old, new) if new != old else ()
        digest = index.digest_of([new])
        supplement = gathered.supplement(self._sanitize)
        parts = index.encode(
            *(digest, len(new), encoded.guids, encoded.offsets, gathered.folders),
            *(graph_aside.edges(), supplement),
        )
        if self._options.check:  # who refers to whom is asked for, too
            return read_bytes(self._output.index) != b"".join(parts), ()
        changed = self._output.write([new], parts)
        self._output.write_cache(self._settings, len(encoded.guids), encode(assembled.problems), directories)
        folders = sorted({guid for guid, _ in gathered.folders})
        self._output.write_seen(self._configuration, encoded.guids, folders, directories)
        return changed, ()

    def _write_identities(self, known: cache.Cache, found: ScanResult) -> None:
        """Write the cache when identities changed and nothing else, so that the next bake need not read again.

        Behind a question, as soon as one more file can be trusted: the next about it then looks at nothing else.
        """
        if self._options.check:
            return
        again = settled = 0
        for path, directory in found.directories.items():
            old = known.directories[path]
            if old is not directory:
                untrusted = array("q", old.identities).count(UNTRUSTED)
                touched = old.identity not in (UNTRUSTED, directory.identity) or _identities_differ(old, directory)
                again += _MANY_UNTRUSTED + 1 if touched else untrusted
                settled += untrusted - array("q", directory.identities).count(UNTRUSTED)
                settled += old.identity == UNTRUSTED != directory.identity
        fresh = again > _MANY_UNTRUSTED or (settled > 0 and self._options.question)
        if not fresh and self._output.has_seen(self._configuration):
            return
        directories = [known.complete(directory) for directory in found.directories.values()]
        if fresh:
            self._output.write_cache(self._settings, known.asset_count, known.problems, directories)
        guids = _distinct([directory.guids for directory in directories])
        folders = _distinct([directory.folder_guids for directory in directories])
        self._output.write_seen(self._configuration, guids, folders, directories)

    def _result(
        self,
        asset_count: int,
        found: ScanResult,
        problems: list[Diagnostic],
        started: float,
        scanned: float,
        named: float,
        *,
        written: bool = False,
        unchanged: bool = False,
        difference: tuple[str, ...] = (),
    ) -> BakeResult:
        every = [*problems, *diagnostics_of(found.directories.values()), *self.notices]
        diagnostics = tuple(sorted(without_submodules(self._root, every)))
        if self._options.on_warning is not None:
            for diagnostic in diagnostics:
                self._options.on_warning(diagnostic)
        walk = min(found.walk_seconds, scanned - started)
        timing = Timing(walk, scanned - started - walk, named - scanned, time.perf_counter() - named)
        return BakeResult(
            self._root,
            self._output.database,
            asset_count,
            found.files_read,
            written,
            unchanged,
            diagnostics,
            timing,
            difference,
        )


class _GraphAside:
    """The encoded graph, made in a process of its own while names are decided here.

    That is 0.1 of the 1.2 s that unitystation takes; a small project's graph takes less time than a process.
    """

    def __init__(self, gathered: Gathered, workers: int, many_assets: int) -> None:
        self._gathered = gathered
        self._result: Callable[[], bytes | None] | None = None
        self._close: Callable[[], None] | None = None
        if sys.platform != "win32" and len(gathered.order) >= many_assets and workers > 1 and can_fork():
            from formats.forking import ForkedProcess  # noqa: PLC0415 - only where processes can fork

            child = ForkedProcess.start(lambda: marshal.dumps(tuple(gathered.edges())))
            if child is not None:
                self._result, self._close = child.result, child.close

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._close is not None:
            self._close()

    def edges(self) -> Edges:
        made = self._result() if self._result is not None else None
        if made is None:
            return self._gathered.edges()
        from assetdb.store.graph import Edges  # noqa: PLC0415 - a bake that changes nothing does without

        return Edges(*marshal.loads(made))  # noqa: S302 - from our own child


def changed_facts(known: cache.Cache, found: Mapping[bytes, Directory]) -> bool:
    """Whether the facts of a directory, not only its files' identities, are new or gone."""
    if any(path not in found for path in known.directories):
        return True
    for path, directory in found.items():
        old = known.directories.get(path)
        if old is not directory and (old is None or facts(directory) != facts(known.complete(old))):
            return True
    return False


def _distinct(packed: Sequence[bytes]) -> list[bytes]:
    """Return the distinct GUIDs (16 bytes each) in order."""
    whole = b"".join(packed)
    return sorted({whole[start : start + 16] for start in range(0, len(whole), 16)})


def facts(directory: Directory) -> tuple[object, ...]:
    """Return all of a directory but the identities."""
    return directory.children, directory.links, directory.files, directory[FACTS]


def _identities_differ(old: Directory, new: Directory) -> bool:
    """Whether a file that was trusted is another, or was touched."""
    return any(
        before not in (UNTRUSTED, after)
        for before, after in zip(array("q", old.identities), array("q", new.identities), strict=True)
    )


def _difference(old: bytes, new: bytes) -> tuple[str, ...]:
    """Return the lines of the readable form that differ, ``-`` old and ``+`` new."""
    from assetdb.store.dump import difference  # noqa: PLC0415 - only where a check fails

    return difference(old, new)
