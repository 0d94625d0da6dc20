"""The scan of a folder: list, stat, read changes.

This is the rim of the part: it opens files. A package's header is read, not its objects; what did not change since the
database at hand (modification time and size) is not opened.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from itertools import islice
from marshal import dumps, loads
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.files import words_of
from assetdb_formats.processes import can_fork
from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.files.package_file import FileSource, read_header
from assetdb_formats.unreal.scanning.database import AssetDatabase, ScannedPackage, build
from assetdb_formats.unreal.scanning.mounts import EXTENSIONS, ContentRoot, content_root, learned_mount
from assetdb_formats.unreal.scanning.records import NAMES_ITSELF, UNREADABLE, PackageRecord, damaged_record, make_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    if sys.platform == "win32":
        from multiprocessing.connection import PipeConnection as Connection
    else:
        from multiprocessing.connection import Connection

    from assetdb_formats.unreal.versions import PackageVersion

_SKIPPED: Final = frozenset({"Binaries", "DerivedDataCache", "Intermediate"})
_SKIPPED_BESIDE_CONTENT: Final = _SKIPPED | {"Saved"}  # it holds cooked copies and autosaves of the same packages
_BATCH: Final = 64  # packages that a worker is handed at once
_FOLDERS: Final = 8  # folders that are listed before the workers are looked after again
WORTH_TWO: Final = 600  # packages: below, starting a second process costs more than it does
_AHEAD: Final = 1 << 15  # bytes of paths that a worker may be sent while it works: any pipe or socket holds them


class FoundFile(NamedTuple):
    """A package's path in the scanned folder, and its stamp."""

    path: str
    modified: int
    size: int


class Scan(NamedTuple):
    """The result of a scan.

    ``changed`` counts packages that were read, ``removed`` those that are gone. ``problems`` are sentences about files
    that were read; ``unreadable`` are (path, why) of files and folders that were not.
    """

    database: AssetDatabase
    changed: int
    removed: int
    problems: list[str]
    unreadable: list[tuple[str, str]]


def list_packages(folder: str) -> tuple[list[FoundFile], list[tuple[str, str]]]:
    """List the packages under ``folder``, unordered.

    Symbolic links to folders are not followed.

    Returns:
        The files, and (path, why) of every folder and file that could not be looked at.
    """
    unreadable: list[tuple[str, str]] = []
    return [file for files in _walk(folder, unreadable) for file in files], unreadable


def _walk(folder: str, unreadable: list[tuple[str, str]]) -> Iterator[list[FoundFile]]:
    """Yield packages folder by folder, noting unreadable ones."""
    waiting = [("", folder)]
    while waiting:
        prefix, path = waiting.pop()
        try:
            with os.scandir(path) as entries:
                children = list(entries)
        except OSError as error:
            unreadable.append((path, words_of(error)))
            continue
        skipped = _SKIPPED_BESIDE_CONTENT if any(child.name == "Content" for child in children) else _SKIPPED
        found: list[FoundFile] = []
        for child in children:
            name = child.name
            if name.lower().endswith(EXTENSIONS):
                try:
                    status = child.stat()
                except OSError as error:  # removed, or a link to nothing
                    unreadable.append((child.path, words_of(error)))
                    continue
                found.append(FoundFile(prefix + name, status.st_mtime_ns, status.st_size))
            elif not name.startswith(".") and name not in skipped and child.is_dir(follow_symlinks=False):
                waiting.append((f"{prefix}{name}/", child.path))
        yield found


def record_of_file(path: str, assume: PackageVersion | None) -> PackageRecord:
    """Make the record of the package at ``path``, readable or not."""
    try:
        data, whole = read_header(path)
    except OSError as error:
        return PackageRecord("", "", UNREADABLE, [], [], "", words_of(error))
    except UnrealError as error:
        return damaged_record(error)
    return make_record(data, assume, whole=whole)


def check_file(path: str, assume: PackageVersion | None) -> str:
    """Return the damage in any table of a package, "" for none."""
    try:
        data, whole = read_header(path)
        return make_record(data, assume, whole=whole, source=FileSource(path)).error
    except UnrealError as error:
        return str(error)


def scan(
    folder: str,
    known: AssetDatabase | None = None,
    *,
    assume: PackageVersion | None = None,
    workers: int = 2,
    progress: Callable[[int, int], None] | None = None,
    worth_two: int = WORTH_TWO,
) -> Scan:
    """Scan ``folder`` (absolute) into a database.

    Args:
        folder: a project, a Content folder, or any folder of packages.
        known: the database of the last scan; packages whose time and size are the same are taken from it.
        assume: the version of unversioned packages; without, each gets the one that its tables close with.
        workers: processes; more than one is used only where there is enough to read.
        progress: called with (packages read, packages to read).
        worth_two: how many packages there are to be to read before there is a second process.
    """
    if sys.platform != "win32" and not can_fork():
        workers = 1  # a program with threads
    unreadable: list[tuple[str, str]] = []
    listing = _walk(folder, unreadable)
    if known is None:
        files: list[FoundFile] = []
        records = _read_all(folder, files, listing, assume, workers, progress, worth_two)
        database, conflicts = build(_name(folder, files, records))
        return Scan(database, len(files), 0, conflicts, unreadable + _unread(folder, files, records))
    files = [file for found in listing for file in found]
    if _unchanged(known, files) and _named_alike(folder, known):
        return Scan(known, 0, 0, [], unreadable)
    columns = known.columns
    rows = {file: number for number, file in enumerate(columns.files)}
    changed = []
    kept = []
    for file in files:
        row = rows.pop(file.path, None)
        same = row is not None and columns.modified[row] == file.modified and columns.sizes[row] == file.size
        if row is not None and same and not columns.flags[row] & UNREADABLE:  # permissions change no time
            kept.append((file, row))
        else:
            changed.append(file)
    records = _read_all(folder, changed, iter(()), assume, workers, progress, worth_two)
    changed += [file for file, _ in kept]
    records += [known.record(row) for _, row in kept]
    database, conflicts = build(_name(folder, changed, records))
    unreadable += _unread(folder, changed, records)
    return Scan(database, len(files) - len(kept), len(rows), conflicts, unreadable)


def scan_several(
    folders: Sequence[str],
    *,
    assume: PackageVersion | None = None,
    workers: int = 2,
    progress: Callable[[int, int], None] | None = None,
) -> Scan:
    """Scan several folders (absolute) into one database.

    The arguments are as for :func:`scan`, the paths absolute. Of a package in two folders the first by path counts; a
    file of a folder within another counts once.
    """
    if sys.platform != "win32" and not can_fork():
        workers = 1
    unreadable: list[tuple[str, str]] = []
    named: dict[str, ScannedPackage] = {}
    for folder in sorted(folders, key=len):  # a folder may lie in another, which tells more of its packages' names
        files: list[FoundFile] = []
        records = _read_all(folder, files, _walk(folder, unreadable), assume, workers, progress, WORTH_TWO)
        unreadable += _unread(folder, files, records)
        top = folder.replace(os.sep, "/")
        for each in _name(folder, files, records):
            file = f"{top}/{each.file}"
            named.setdefault(file, each._replace(file=file))
    database, conflicts = build(named.values())
    return Scan(database, len(named), 0, conflicts, unreadable)


def _unread(folder: str, files: Sequence[FoundFile], records: Sequence[PackageRecord]) -> list[tuple[str, str]]:
    """Return (path, why) of unreadable packages."""
    pairs = zip(files, records, strict=True)
    return [
        (os.path.join(folder, *file.path.split("/")), record.error)
        for file, record in pairs
        if record.flags & UNREADABLE
    ]


def _unchanged(known: AssetDatabase, files: list[FoundFile]) -> bool:
    """Whether the listing equals the database's files, times and sizes."""
    columns = known.columns
    if len(files) != len(columns.files) or any(flags & UNREADABLE for flags in columns.flags):
        return False
    stated = {file: (columns.modified[number], columns.sizes[number]) for number, file in enumerate(columns.files)}
    return all(stated.get(path) == (modified, size) for path, modified, size in files)


class _Place(NamedTuple):
    """A directory's content root, its mount, and the names in between."""

    root: str
    mount: str
    inside: str


class _Places:
    """The places of directories; each content root is looked at once."""

    def __init__(self, folder: str) -> None:
        self._top = folder.replace(os.sep, "/")  # a package's name has no other separator
        self._known: dict[str, _Place] = {}
        self._roots: dict[str, ContentRoot] = {}

    def of(self, directory: str) -> _Place:
        """Return the place of a directory of the folder."""
        place = self._known.get(directory)
        if place is None:
            whole = f"{self._top}/{directory}" if directory else self._top
            above, content, _ = f"{whole}/".rpartition("/Content/")
            nearest = f"{above}/Content" if content else ""
            found = self._roots.get(nearest)
            if found is None:  # no Content folder anywhere: the scanned folder is the root
                found = content_root(nearest) if nearest else ContentRoot(self._top, "/Game")
                self._roots[nearest] = found
            inside = whole[len(found.folder) + 1 :]
            place = self._known[directory] = _Place(*found, f"{inside}/" if inside else "")
        return place


def _named_alike(folder: str, known: AssetDatabase) -> bool:
    """Whether packages still have the names of their places.

    A .uplugin that got another name changes the names of all packages of its plugin, and none of their files.
    """
    columns, places = known.columns, _Places(folder)
    others: set[str] = set()  # content roots with packages of another mount
    firsts = {file.rpartition("/")[0]: number for number, file in enumerate(columns.files)}
    for directory, number in firsts.items():
        root, mount, inside = places.of(directory)
        leaf = columns.files[number].rpartition("/")[2].rpartition(".")[0]
        name = columns.names[number]
        if name != f"{mount}/{inside}{leaf}":
            if not name.endswith(f"/{inside}{leaf}"):
                return False
            others.add(root)
    if not others:
        return True
    flagged = zip(columns.files, columns.flags, strict=True)
    learned = {places.of(file.rpartition("/")[0]).root for file, flags in flagged if flags & NAMES_ITSELF}
    return learned.issuperset(others)  # their mounts are from the packages' own names


def _name(folder: str, files: Sequence[FoundFile], records: Sequence[PackageRecord]) -> list[ScannedPackage]:
    """Name packages by path, under mounts that their own names imply."""
    places = _Places(folder)
    learned: dict[str, dict[str, int]] = {}
    located = []
    for file, record in zip(files, records, strict=True):
        directory, _, leaf = file.path.rpartition("/")
        root, mount, inside = places.of(directory)
        relative = inside + leaf.rpartition(".")[0]
        if record.own_name:
            own_mount = learned_mount(record.own_name, relative)
            if own_mount:
                votes = learned.setdefault(root, {})
                votes[own_mount] = votes.get(own_mount, 0) + 1
                record = record._replace(flags=record.flags | NAMES_ITSELF)  # noqa: PLW2901 - the same, placed
        located.append((file, record, root, mount, relative))
    best = {root: max((count, mount) for mount, count in votes.items())[1] for root, votes in learned.items()}
    return [
        ScannedPackage(f"{best.get(root, mount)}/{relative}", *file, record)
        for file, record, root, mount, relative in located
    ]


def _read_all(
    folder: str,
    files: list[FoundFile],
    listing: Iterator[list[FoundFile]],
    assume: PackageVersion | None,
    workers: int,
    progress: Callable[[int, int], None] | None,
    worth_two: int,
) -> list[PackageRecord]:
    """Read records in the order of ``files``, extended by ``listing``."""
    for found in listing:
        files += found
        if workers > 1 and len(files) >= worth_two:
            break
    if workers < 2 or len(files) < worth_two:
        records = []
        pairs: dict[tuple[str, int], tuple[str, int]] = {}
        for number, file in enumerate(files):
            records.append(_shared(record_of_file(f"{folder}/{file.path}", assume), pairs))
            if progress is not None and number % _BATCH == 0:
                progress(number, len(files))
        if progress is not None:
            progress(len(files), len(files))
        return records
    return _read_with_workers(folder, files, listing, assume, workers, progress)


def _shared(record: PackageRecord, pairs: dict[tuple[str, int], tuple[str, int]]) -> PackageRecord:
    """Share equal dependency lists between records.

    For 100,000 packages they take 20 MB shared, 200 MB otherwise. Records are changed in place: a new record for each
    is a third of the work of this process besides reading.
    """
    found = record.dependencies
    found[:] = map(pairs.setdefault, found, found)
    return record


def _read_with_workers(
    folder: str,
    files: list[FoundFile],
    listing: Iterator[list[FoundFile]],
    assume: PackageVersion | None,
    workers: int,
    progress: Callable[[int, int], None] | None,
) -> list[PackageRecord]:
    """Distribute files in batches to this process and free workers.

    First this one lists the rest of the folders, while the others read files that have been listed: of the 0.7 s of
    processor time that 10,000 packages take, 0.04 are for listing, and no process waits for them.
    """
    pairs: dict[tuple[str, int], tuple[str, int]] = {}
    results: dict[int, list[PackageRecord]] = {}  # by batch
    following = 0
    listed = False
    helpers: list[_Helper] = []
    # Two batches are on their way to each helper, so that it never waits for this process to look up from its own.
    pending: list[deque[int]] = [deque() for _ in range(workers - 1)]

    def batch(place: int) -> list[str]:
        return [file.path for file in files[place * _BATCH : (place + 1) * _BATCH]]

    def read_here(place: int) -> None:
        results[place] = [_shared(record_of_file(f"{folder}/{path}", assume), pairs) for path in batch(place)]

    try:
        for _ in range(workers - 1):
            helper = _start_helper(folder, assume)
            if helper is None:
                break
            helpers.append(helper)
        while not listed or len(results) * _BATCH < len(files):
            if not listed:
                several = list(islice(listing, _FOLDERS))
                listed = not several
                for found in several:
                    files += found
            ready = -(-len(files) // _BATCH) if listed else len(files) // _BATCH
            for helper, waiting in zip(helpers, pending, strict=False):
                pipe = helper.pipe
                while waiting and ((listed and following >= ready) or pipe.poll(0)):
                    place = waiting.popleft()
                    try:
                        rows = loads(pipe.recv_bytes())  # noqa: S302 - written by our own child
                        results[place] = [_shared(PackageRecord(*row), pairs) for row in rows]
                    except (EOFError, OSError):  # it was killed, perhaps amid its answer: its batch is read here
                        read_here(place)
                while len(waiting) < 2 and following < ready:
                    message = dumps(batch(following))
                    if waiting and len(message) > _AHEAD:
                        break  # it may be writing an answer, and would not read: each would wait for the other
                    try:
                        pipe.send_bytes(message)
                    except OSError:
                        break
                    waiting.append(following)
                    following += 1
            if listed and following < ready:
                read_here(following)
                following += 1
            if listed and progress is not None:
                progress(min(len(results) * _BATCH, len(files)), len(files))
    finally:
        for helper in helpers:
            helper.end()
            helper.pipe.close()
    return [record for place in range(len(results)) for record in results[place]]


class _Helper(NamedTuple):
    """Another process that reads, and how to end it."""

    pipe: Connection
    end: Callable[[], None]


def _start_helper(folder: str, assume: PackageVersion | None) -> _Helper | None:
    """Start a worker; None without a process or descriptor.

    Forking costs 2 ms, spawning 80.
    """
    from multiprocessing import get_context  # noqa: PLC0415 - small folders need none

    context = get_context("spawn")
    try:
        ours, theirs = context.Pipe()
    except OSError:
        return None
    if sys.platform == "win32":
        process = context.Process(target=_work, args=(theirs, folder, assume), daemon=True)
        process.start()
        theirs.close()

        def end() -> None:
            process.terminate()
            process.join()

        return _Helper(ours, end)
    else:  # noqa: RET505 - the type checker reads one branch for each platform
        from assetdb_formats.forking import ForkedProcess  # noqa: PLC0415 - a module that Windows cannot import

        def work() -> bytes:
            _work(theirs, folder, assume)
            return b""

        child = ForkedProcess.start(work, (theirs.fileno(),))
        theirs.close()
        if child is None:
            ours.close()
            return None
        return _Helper(ours, child.close)


def _work(pipe: Connection, folder: str, assume: PackageVersion | None) -> None:
    """Read batches of files until the other end closes."""
    while True:
        try:
            message = pipe.recv_bytes()
        except EOFError:
            return
        paths = loads(message)  # noqa: S302 - written by our own parent
        pipe.send_bytes(dumps([tuple(record_of_file(f"{folder}/{path}", assume)) for path in paths]))
