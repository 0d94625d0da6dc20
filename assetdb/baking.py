"""From facts to files: one road for a first bake, for one that changes nothing, and for one after an edit."""

from __future__ import annotations

import os
import time
from array import array
from bisect import bisect_right
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb import names
from assetdb.configuration import excluder, read_configuration
from assetdb.diagnostics import FATAL, Diagnostic, decode, encode
from assetdb.errors import BakeError, ProjectError
from assetdb.project import ASSET_ROOTS, find_project
from assetdb.scan import cache
from assetdb.scan.asset import utf8
from assetdb.scan.directory import FACTS, SEPARATOR, SLASH, UNTRUSTED, Directory, reference_columns
from assetdb.scan.reader import DirectoryReader
from assetdb.scan.workers import scan
from assetdb.store import database, index
from assetdb.store.files import LOCK_NAME, locked, remove_leftovers
from assetdb.version import VERSION
from formats.atomic import replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from assetdb.scan.workers import ScanResult

OUT_DIR: Final = os.path.join("Library", "assetdb")
_LOCK_TIMEOUT: Final = 120.0
_MANY_UNTRUSTED: Final = 1000  # files to read again before it pays to write the cache for nothing else
_MOST_WORKERS: Final = 8


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
    strict_names: bool
    check: bool
    workers: int | None
    may_change_directory: bool
    sanitize: Callable[[str], str | None] | None
    on_warning: Callable[[Diagnostic], None] | None
    on_progress: Callable[[int, int], None] | None


def bake(
    project: str | os.PathLike[str] | None = None,
    out_dir: str | os.PathLike[str] | None = None,
    *,
    keep_going: bool = False,
    strict_names: bool = False,
    scrub_characters: str = "",
    check: bool = False,
    workers: int | None = None,
    may_change_directory: bool = False,
    sanitize: Callable[[str], str | None] | None = None,
    on_warning: Callable[[Diagnostic], None] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> BakeResult:
    """Bring a project's database up to date and say what was done. Nothing is printed.

    Args:
        project: the project's root; by default the working directory or the nearest parent that is one.
        out_dir: where the files go, by default what ``assetdb.toml`` says, else ``Library/assetdb``.
        keep_going: bake the rest when GUIDs are there twice, instead of failing.
        strict_names: fail where directories cannot tell the claimants of a name apart.
        scrub_characters: replaced by ``_`` in every name.
        check: write nothing, and say what would change.
        workers: how many processes may read at once; by default one a processor, at most 8.
        may_change_directory: whether the bake may ``chdir`` while it runs (5 % faster; back at the end).
        sanitize: is given every name before the rule is applied and returns another, or None to keep it.
        on_warning: is given every diagnostic.
        on_progress: is given the assets done and the assets known of so far, now and then.

    Raises:
        ProjectError: there is no project, or the output folder cannot be made.
        ConfigurationError: ``assetdb.toml`` is wrong.
        BakeError: the database would be ambiguous (and ``keep_going`` is off), or ``strict_names`` forbids a name.
        LockedError: another bake of the same files does not end.
        OSError: the files cannot be written; the last good ones stay.
    """
    root = find_project(os.fspath(project) if project is not None else None)
    configuration = read_configuration(root)
    folder = os.path.abspath(out_dir) if out_dir else os.path.join(root, configuration.out_dir or OUT_DIR)
    scrub = scrub_characters or configuration.scrub_characters
    settings = "\0".join((VERSION, root, scrub, str(keep_going), str(strict_names), *configuration.exclude))
    options = _Options(
        keep_going, strict_names, check, workers, may_change_directory, sanitize, on_warning, on_progress
    )
    job = _Bake(root, folder, os.fsencode(settings), _sanitizer(scrub, sanitize), configuration.exclude, options)
    if options.check:
        return job.run(time.time_ns())
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise ProjectError(f"{folder} cannot be made: {error.strerror}") from error
    with locked(os.path.join(folder, LOCK_NAME), _LOCK_TIMEOUT):
        remove_leftovers(folder, (database.FILE_NAME, index.FILE_NAME, cache.FILE_NAME))
        return job.run(time.time_ns())


def _sanitizer(scrub: str, own: Callable[[str], str | None] | None) -> Callable[[str], str | None] | None:
    if not scrub:
        return own
    table = {ord(character): "_" for character in scrub}

    def rewrite(name: str) -> str | None:
        scrubbed = name.translate(table)
        final = (own(scrubbed) if own is not None else None) or scrubbed
        return final if final != name else None

    return rewrite


class _Assets(NamedTuple):
    """All assets of a project as parallel columns, and the directories that they lie in."""

    guids: list[bytes]
    keys: list[bytes]
    bodies: list[bytes]
    sub_counts: list[int]
    sub_keys: list[bytes]
    links: list[tuple[bytes, bytes]]
    path_of: Callable[[int], bytes]


class _Bake:
    """One bake from start to end."""

    def __init__(
        self,
        root: str,
        folder: str,
        settings: bytes,
        sanitize: Callable[[str], str | None] | None,
        exclude: tuple[str, ...],
        options: _Options,
    ) -> None:
        self._root = root
        self._folder = folder
        self._settings = settings
        self._sanitize = sanitize
        self._excluded = excluder(exclude)
        self._options = options
        self._database = os.path.join(folder, database.FILE_NAME)

    def run(self, since_ns: int) -> BakeResult:
        """Scan, and write what changed; with a cache that turns out to be damaged, as if there were none."""
        try:
            return self._run(self._load_cache(), since_ns)
        except cache.DamagedCacheError:
            return self._run(cache.EMPTY, since_ns)

    def _run(self, known: cache.Cache, since_ns: int) -> BakeResult:
        started = time.perf_counter()
        found = self._scan(known, since_ns)
        scanned = time.perf_counter()
        changed = self._changed(known, found)
        intact = self._same_names(known) and known.files == self._identities()
        if intact and not any(changed):
            problems = decode(known.problems)
            self._write_times(known, found)
            return self._result(known.asset_count, found, problems, started, scanned, scanned, unchanged=True)
        directories = _with_facts(known, found)
        assets, problems = _gather(directories)
        file_problems = _file_diagnostics(directories)
        self._refuse([*problems, *file_problems])
        assets, rewritten = self._sanitized(assets)
        decided = names.resolve(assets.keys, assets.sub_counts, assets.sub_keys, assets.path_of)
        problems += rewritten
        problems += self._shared_names(decided, assets)
        bodies = _renamed(assets, decided)
        types = [key[: key.index(b":")] for key in assets.keys]
        encoded = database.encode(assets.guids, types, bodies)
        folders = [pair for directory in directories for pair in _folders(directory)]
        named = time.perf_counter()
        links_of = dict(zip(assets.guids, assets.links, strict=True))
        links = [links_of[guid] for guid in encoded.guids]
        written, difference = self._write(encoded, folders, links, problems, directories)
        return self._result(
            len(assets.guids), found, problems, started, scanned, named, written=written, difference=difference
        )

    # --- what is known, what changed

    def _load_cache(self) -> cache.Cache:
        try:
            with open(os.path.join(self._folder, cache.FILE_NAME), "rb") as file:
                loaded = cache.decode(file.read())
        except OSError:
            return cache.EMPTY
        return loaded if _scan_settings(loaded.settings) == _scan_settings(self._settings) else cache.EMPTY

    def _same_names(self, known: cache.Cache) -> bool:
        """Whether the settings agree and names are rewritten by them alone: a callback may change its mind."""
        return known.settings == self._settings and self._options.sanitize is None

    def _scan(self, known: cache.Cache, since_ns: int) -> ScanResult:
        options = self._options
        workers = options.workers if options.workers is not None else min(_processors(), _MOST_WORKERS)
        root = os.fsencode(self._root)
        here = os.getcwd() if options.may_change_directory else None
        try:
            return scan(
                [os.fsencode(name) for name in ASSET_ROOTS],
                known.directories,
                lambda: DirectoryReader(
                    root,
                    since_ns=since_ns,
                    may_change_directory=options.may_change_directory,
                    excluded=self._excluded,
                    complete=known.facts.complete,
                ),
                workers=workers,
                on_progress=options.on_progress,
            )
        finally:
            if here is not None:
                os.chdir(here)

    @staticmethod
    def _changed(known: cache.Cache, found: ScanResult) -> list[bytes]:
        """Return the directories whose facts, not only their times, are new or gone."""
        changed = [path for path in known.directories if path not in found.directories]
        for path, directory in found.directories.items():
            old = known.directories.get(path)
            if old is not directory and (old is None or _facts(directory) != _facts(known.facts.complete(old))):
                changed.append(path)
        return changed

    def _identities(self) -> tuple[int, int, int, int]:
        """Return size and time of the database and of its index."""
        return (*_identity(self._database), *_identity(os.path.join(self._folder, index.FILE_NAME)))

    # --- problems

    def _refuse(self, problems: list[Diagnostic]) -> None:
        fatal = [problem for problem in problems if problem.code in FATAL]
        if fatal and not self._options.keep_going:
            raise BakeError(
                f"{len(fatal)} problem{'s' if len(fatal) > 1 else ''} would make the database ambiguous"
                " (--keep-going bakes the rest)",
                sorted(problems),
            )

    def _shared_names(self, decided: names.Names, assets: _Assets) -> list[Diagnostic]:
        """Say which names only the file name could tell apart; with ``strict_names`` that is an error."""
        if not self._options.strict_names or not decided.inseparable:
            return []
        problems = []
        for key, positions in decided.inseparable:
            paths = sorted(assets.path_of(position).decode() for position in positions)
            name = key.partition(b":")[2].decode()
            problems += [
                Diagnostic("shared-name", path, 0, f"shares the name {name!r} with {_others(paths, path)}")
                for path in paths
            ]
        raise BakeError(f"{len(decided.inseparable)} names that folders cannot tell apart", sorted(problems))

    def _sanitized(self, assets: _Assets) -> tuple[_Assets, list[Diagnostic]]:
        """Rewrite names before the rule is applied, with a warning for each."""
        sanitize = self._sanitize
        if sanitize is None:
            return assets, []
        problems: list[Diagnostic] = []
        keys = list(assets.keys)
        bodies = list(assets.bodies)
        sub_keys = list(assets.sub_keys)
        start = 0
        for position, count in enumerate(assets.sub_counts):
            path = assets.path_of(position).decode()
            entry = database.body_names(bodies[position])
            new_names = []
            for old in entry:
                new = sanitize(old.decode())
                if new is not None:
                    problems.append(Diagnostic("sanitized-name", path, 0, f"{old.decode()!r} becomes {new!r}"))
                new_names.append(old if new is None else new.encode("utf-8", "replace"))
            if new_names != entry:
                bodies[position] = database.body_with_names(bodies[position], new_names)
                keys[position] = keys[position].partition(b":")[0] + b":" + new_names[0]
                classes = [key.partition(b":")[0] for key in sub_keys[start : start + count]]
                sub_keys[start : start + count] = [
                    kind + b":" + name for kind, name in zip(classes, new_names[1 : 1 + count], strict=True)
                ]
            start += count
        return assets._replace(keys=keys, bodies=bodies, sub_keys=sub_keys), problems

    # --- writing

    def _write(
        self,
        encoded: database.Encoded,
        folders: list[tuple[bytes, bytes]],
        links: list[tuple[bytes, bytes]],
        problems: list[Diagnostic],
        directories: Sequence[Directory],
    ) -> tuple[bool, tuple[str, ...]]:
        """Write the files that changed: the database first, then what is derived from it, the cache last."""
        new = b"".join(encoded.parts)
        try:
            with open(self._database, "rb") as file:
                old = file.read()
        except OSError:
            old = b""
        changed = new != old
        if self._options.check:
            return changed, _difference(old, new) if changed else ()
        digest = index.digest_of([new])
        if changed:
            replace_file(self._database, [new])
        parts = index.encode(digest, len(new), encoded.guids, encoded.offsets, folders, links)
        index_path = os.path.join(self._folder, index.FILE_NAME)
        if changed or not _holds(index_path, parts):
            replace_file(index_path, parts)
        self._write_cache(len(encoded.guids), encode(problems), directories)
        return changed, ()

    def _write_times(self, known: cache.Cache, found: ScanResult) -> None:
        """Write the cache when times changed and nothing else, so that the next bake need not read again."""
        if self._options.check:
            return
        again = 0
        for path, directory in found.directories.items():
            old = known.directories[path]
            if old is not directory:
                untrusted = array("q", old.stats)[::2].count(UNTRUSTED)
                touched = old.mtime_ns not in (UNTRUSTED, directory.mtime_ns) or _times_differ(old, directory)
                again += _MANY_UNTRUSTED + 1 if touched else untrusted
        if again > _MANY_UNTRUSTED:
            self._write_cache(known.asset_count, known.problems, _with_facts(known, found))

    def _write_cache(self, asset_count: int, problems: bytes, directories: Sequence[Directory]) -> None:
        parts = cache.encode(self._settings, self._identities(), asset_count, problems, directories)
        replace_file(os.path.join(self._folder, cache.FILE_NAME), parts)

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
        diagnostics = tuple(sorted([*problems, *_file_diagnostics(found.directories.values())]))
        if self._options.on_warning is not None:
            for diagnostic in diagnostics:
                self._options.on_warning(diagnostic)
        walk = min(found.walk_seconds, scanned - started)
        timing = Timing(walk, scanned - started - walk, named - scanned, time.perf_counter() - named)
        return BakeResult(
            self._root,
            self._database,
            asset_count,
            found.files_read,
            written,
            unchanged,
            diagnostics,
            timing,
            difference,
        )


def _with_facts(known: cache.Cache, found: ScanResult) -> list[Directory]:
    """Return all directories with their facts: those of the cache filled in, those read again as they are."""
    complete = known.facts.complete
    from_cache = known.directories.get
    return [
        complete(directory) if from_cache(path) is directory else directory
        for path, directory in found.directories.items()
    ]


def _gather(directories: Sequence[Directory]) -> tuple[_Assets, list[Diagnostic]]:
    """Lay the assets of all directories side by side; of assets that share a GUID, keep the first by path."""
    with_assets = [directory for directory in directories if directory.guids]
    packed = b"".join([directory.guids for directory in with_assets])
    guids = [packed[start : start + 16] for start in range(0, len(packed), 16)]
    keys = SEPARATOR.join([directory.keys for directory in with_assets]).split(SEPARATOR) if guids else []
    sizes = array("I", b"".join([directory.body_sizes for directory in with_assets]))
    packed = b"".join([directory.bodies for directory in with_assets])
    ends = list(accumulate(sizes, initial=0))
    bodies = [packed[start:end] for start, end in pairwise(ends)]
    sub_counts = list(array("I", b"".join([directory.sub_counts for directory in with_assets])))
    sub_keys = SEPARATOR.join([directory.sub_keys for directory in with_assets if directory.sub_keys]).split(SEPARATOR)
    sub_keys = sub_keys if any(sub_counts) else []
    links = [pair for directory in with_assets for pair in reference_columns(directory)]
    path_of = _PathFinder(with_assets)
    assets = _Assets(guids, keys, bodies, sub_counts, sub_keys, links, path_of)
    folder_guids = {guid: path for directory in directories for guid, path in _folders(directory)}
    folder_count = sum(len(directory.folder_guids) // 16 for directory in directories)
    distinct = set(guids)
    if len(distinct) == len(guids) and len(folder_guids) == folder_count and distinct.isdisjoint(folder_guids):
        return assets, []
    return _without_duplicates(assets, directories)


def _without_duplicates(assets: _Assets, directories: Sequence[Directory]) -> tuple[_Assets, list[Diagnostic]]:
    claims: dict[bytes, list[tuple[bytes, int]]] = {}
    for position, guid in enumerate(assets.guids):
        claims.setdefault(guid, []).append((assets.path_of(position), position))
    for directory in directories:
        for guid, path in _folders(directory):
            claims.setdefault(guid, []).append((path, -1))
    problems = []
    dropped: set[int] = set()
    for guid, holders in claims.items():
        if len(holders) > 1:
            holders.sort()
            paths = [path.decode() for path, _ in holders]
            problems += [
                Diagnostic("duplicate-guid", path, 0, f"has the GUID {guid.hex()} of {_others(paths, path)}")
                for path in paths
            ]
            with_entry = [position for _, position in holders if position >= 0]
            dropped.update(with_entry[1:])
    kept = [position for position in range(len(assets.guids)) if position not in dropped]
    starts = list(accumulate(assets.sub_counts, initial=0))
    path_of = assets.path_of
    return (
        _Assets(
            [assets.guids[position] for position in kept],
            [assets.keys[position] for position in kept],
            [assets.bodies[position] for position in kept],
            [assets.sub_counts[position] for position in kept],
            list(chain.from_iterable(assets.sub_keys[starts[p] : starts[p + 1]] for p in kept)),
            [assets.links[position] for position in kept],
            lambda position: path_of(kept[position]),
        ),
        problems,
    )


class _PathFinder:
    """Finds the path of the asset at a position among all; only claimants of contested names are asked for."""

    def __init__(self, directories: Sequence[Directory]) -> None:
        self._directories = directories
        self._starts = list(accumulate((len(directory.guids) // 16 for directory in directories), initial=0))
        self._names: dict[int, list[bytes]] = {}

    def __call__(self, position: int) -> bytes:
        row = bisect_right(self._starts, position) - 1
        directory = self._directories[row]
        listed = self._names.get(row)
        if listed is None:
            listed = self._names[row] = directory.files.split(SLASH)
        return utf8(directory.path) + SLASH + utf8(listed[(position - self._starts[row]) * 2])


def _folders(directory: Directory) -> list[tuple[bytes, bytes]]:
    """Return GUID (16 bytes) and path of each folder whose meta lies in a directory."""
    if not directory.folders:
        return []
    prefix = utf8(directory.path) + SLASH
    guids = directory.folder_guids
    return [
        (guids[number * 16 : number * 16 + 16], prefix + utf8(name))
        for number, name in enumerate(directory.folders.split(SLASH))
    ]


def _renamed(assets: _Assets, decided: names.Names) -> list[bytes]:
    """Return the bodies with the names that were decided."""
    bodies = list(assets.bodies)
    for position, new_names in decided.renamed.items():
        own = assets.keys[position]
        rows = new_names if len(new_names) > (own in new_names) or assets.sub_counts[position] else {}
        bodies[position] = database.renamed_body(bodies[position], new_names.get(own), rows)
    return bodies


def _file_diagnostics(directories: Iterable[Directory]) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    for directory in directories:
        if directory.listing_diagnostics:
            found += decode(directory.listing_diagnostics)
        if directory.file_diagnostics:
            found += decode(directory.file_diagnostics)
    return found


def _facts(directory: Directory) -> tuple[object, ...]:
    """Return all of a directory but its times."""
    return directory.children, directory.files, directory[FACTS]


def _others(paths: list[str], own: str) -> str:
    return " and ".join(path for path in paths if path != own) or own


def _times_differ(old: Directory, new: Directory) -> bool:
    """Whether a time that was trusted changed."""
    return any(
        before not in (UNTRUSTED, after)
        for before, after in zip(array("q", old.stats)[::2], array("q", new.stats)[::2], strict=True)
    )


def _identity(path: str) -> tuple[int, int]:
    """Return size and time of a file, (0, 0) where it is not there."""
    try:
        status = os.stat(path)
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns


def _holds(path: str, parts: Sequence[bytes]) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read() == b"".join(parts)
    except OSError:
        return False


def _scan_settings(settings: bytes) -> list[bytes]:
    """Return the part of the settings that the facts depend on: version, project, excluded patterns."""
    parts = settings.split(b"\0")
    return parts[:2] + parts[5:]


def _difference(old: bytes, new: bytes) -> tuple[str, ...]:
    """Return the lines of the readable form that differ, ``-`` old and ``+`` new."""
    from assetdb.store.dump import difference  # noqa: PLC0415 - only where a check fails

    return difference(old, new)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
