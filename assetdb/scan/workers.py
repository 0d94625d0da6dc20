"""Worker processes that share the directories of a scan.

Each process has a stack of directories and offers the oldest, which have the most below them, through a socket that all
processes read. Forked after the first hundred files, two processes take 0.6 of the time of one; threads of Python take
as long as one, and spawned processes 2.2 times as long. If a process cannot fork (Windows, or a program with threads),
it does all the work. The native module reads new directories in threads of its own, and leaves to the processes what it
has to ask Python about.
"""

from __future__ import annotations

import errno
import marshal  # between a process and its own children only: what they send is our own
import os
import sys
from operator import is_

from assetdb.errors import ScanError
from assetdb.scan.directory import SLASH, DirectoryFacts
from assetdb.scan.walking.limits import NOT_OUTSIDE, Limits
from assetdb.system.failures import scan_error
from assetdb.version import native_module
from assetdb_formats.processes import can_fork

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from typing import Final

    from assetdb.scan.native import NativeReader
    from assetdb.scan.reader import DirectoryReader

FORK_AFTER: Final = 100  # files; below that, a process (3 ms) costs more than it saves; Mirror: 57 ms, with 1000 97
KNOWN_PER_READ: Final = 50  # known files that take as long to examine as reading one; two processes then cost 10 ms
_BATCH_SIZE: Final = 25_000  # size of a batch of known directories: bytes of paths, and
_ASSET_WEIGHT: Final = 100  # this much for each asset in them
_PIECE_SIZE: Final = 4_000  # assets per message to the parent: 1 MB
_SEPARATOR: Final = b"\0"


class ScanResult:
    """The result of a scan.

    Attributes:
        directories: every directory of the project by path; an unchanged one is the object that was known.
        files_read: how many metas and assets were opened.
        directories_read: how many directories were examined.
        walk_seconds: how long this process listed and compared.
        is_as_known: whether nothing changed: each directory is the known object.
    """

    def __init__(
        self,
        directories: dict[bytes, DirectoryFacts],
        reader: DirectoryReader,
        directories_read: int,
        *,
        is_as_known: bool = False,
    ) -> None:
        self.directories = directories
        self.files_read = reader.files_read
        self.directories_read = directories_read
        self.walk_seconds = reader.walk_seconds
        self.is_as_known = is_as_known


def scan(
    roots: Iterable[bytes],
    known: Mapping[bytes, DirectoryFacts],
    reader: DirectoryReader,
    *,
    workers: int,
    on_progress: Callable[[int, int], None] | None = None,
    limits: Limits = NOT_OUTSIDE,
    fork_after: int = FORK_AFTER,
    known_per_read: int = KNOWN_PER_READ,
    meanwhile: Callable[[], None] | None = None,
) -> ScanResult:
    """Read every directory below ``roots``, reusing known ones.

    Args:
        roots: directories to begin with, relative to the project; missing ones are skipped.
        known: what an earlier scan found, by path; empty for a first one.
        reader: of the project.
        workers: how many processes may work at once.
        on_progress: called periodically with the assets done and the assets found so far.
        limits: of links that lead out of the project.
        fork_after: number of assets to read from which another process pays off.
        known_per_read: how many known assets count as one to read.
        meanwhile: called once other processes have work, to import modules for the next step while they read.

    Raises:
        ScanError: the project cannot be read now.
    """
    worker = ScanWorker(known, reader, on_progress)
    if known or native_module() is None:
        worker.begin(roots)
    else:
        worker.begin_natively(roots, workers, meanwhile)
    if workers > 1 and can_fork():
        while worker.stack and worker.assets_read + worker.assets_known // known_per_read < fork_after:
            worker.step()
        if worker.stack:
            worker.share(workers - 1, meanwhile)
    while worker.stack:
        worker.step()
    if worker.failure is not None:
        raise ScanError(*worker.failure)
    if _is_as_known(roots, worker.done, known):
        return ScanResult(dict(known), reader, len(known), is_as_known=True)
    directories = _followed(roots, reachable(roots, worker.done), worker.done, known, reader, limits)
    return ScanResult(directories, reader, len(directories))


def rescan(
    roots: Iterable[bytes],
    known: Mapping[bytes, DirectoryFacts],
    reader: DirectoryReader,
    dirty: Collection[bytes],
    limits: Limits = NOT_OUTSIDE,
) -> ScanResult:
    """Read dirty directories and new ones below, in this process.

    Args:
        roots: as :func:`scan` has them.
        known: found by the last scan.
        reader: of the project.
        dirty: directories, or files to read in any case, relative to the project; paths in no directory of it are
            ignored. In a directory that is not given itself, only the given files may have changed.
        limits: of links that lead out of the project.

    Raises:
        ScanError: they cannot be read now.
    """
    done = dict(known)
    named = _named(roots, known, dirty)
    listed = frozenset(dirty)
    stack = list(named)
    seen = set()
    reshaped = any(directory.links for directory in known.values())
    while stack:
        path = stack.pop()
        if path in seen:
            continue
        seen.add(path)
        old = known.get(path)
        directory = reader.read(path, old, named.get(path), only_named=path not in listed)
        if directory is old:
            continue
        if directory is None:
            done.pop(path, None)
            reshaped = True
            continue
        done[path] = directory
        if old is None or old.children != directory.children or directory.links:
            reshaped = True
            stack += [child for child in directory.subdirectories() if child not in known]
    found = done
    if reshaped:
        found = _followed(roots, reachable(roots, done), done, known, reader, limits)
    return ScanResult(found, reader, len(seen))


def _named(
    roots: Iterable[bytes], known: Mapping[bytes, DirectoryFacts], dirty: Collection[bytes]
) -> dict[bytes, set[bytes]]:
    """Return the directories to examine, and names given in each."""
    found: dict[bytes, set[bytes]] = {}
    children: dict[bytes, frozenset[bytes]] = {}
    tops = frozenset(roots)
    for path in dirty:
        if path in known or path in tops:
            found.setdefault(path, set())
            continue
        parent, _, name = path.rpartition(SLASH)
        if parent not in children:
            listed = known.get(parent)
            children[parent] = frozenset(listed.children.split(SLASH)) if listed is not None else frozenset()
        if name in children[parent]:
            found.setdefault(path, set())
        elif parent in known:
            found.setdefault(parent, set()).add(name)
    return found


def _followed(
    roots: Iterable[bytes],
    found: dict[bytes, DirectoryFacts],
    done: Mapping[bytes, DirectoryFacts],
    known: Mapping[bytes, DirectoryFacts],
    reader: DirectoryReader,
    limits: Limits,
) -> dict[bytes, DirectoryFacts]:
    """Return the ``found`` directories with those behind links."""
    if not any(directory.links for directory in found.values()):
        return found
    from assetdb.scan.walking.links import LinkWalk  # noqa: PLC0415 - few projects have links

    def read(path: bytes) -> DirectoryFacts | None:
        return done[path] if path in done else reader.read(path, known.get(path))

    return LinkWalk(found, reader, roots, read, limits).run()


def _is_as_known(
    roots: Iterable[bytes], done: Mapping[bytes, DirectoryFacts], known: Mapping[bytes, DirectoryFacts]
) -> bool:
    """Whether a scan found the known directories unchanged, and without links.

    Links depend on the whole project. Otherwise the reachable directories are the same: walking them again is 1 ms of
    the 60 of unity-explorer's bake.
    """
    tops = tuple(roots)
    below = tuple([top + SLASH for top in tops])
    return (
        len(done) == len(known)
        and all(map(is_, map(known.get, done), done.values()))
        and all(path.startswith(below) or path in tops for path in known)
        and not any(directory.links for directory in known.values())
    )


def reachable(roots: Iterable[bytes], done: Mapping[bytes, DirectoryFacts]) -> dict[bytes, DirectoryFacts]:
    """Return directories reachable from the roots, in stable order."""
    found: dict[bytes, DirectoryFacts] = {}
    stack = sorted(roots, reverse=True)
    while stack:
        directory = done.get(stack.pop())
        if directory is not None:
            found[directory.path] = directory
            if directory.children:
                stack += [directory.path + SLASH + name for name in reversed(directory.children.split(SLASH))]
    return found


class ScanWorker:
    """One process's part of a scan, with its results."""

    def __init__(
        self,
        known: Mapping[bytes, DirectoryFacts],
        reader: DirectoryReader,
        on_progress: Callable[[int, int], None] | None,
    ) -> None:
        self.known = known
        self.reader = reader
        self.stack: list[bytes] = []  # directories, or batches of them
        self.done: dict[bytes, DirectoryFacts] = {}
        self.failure: tuple[str, str, int] | None = None  # a ScanError's; the first is enough
        self.assets_done = 0
        self.assets_read = 0  # in new and changed directories
        self.processes = 1
        self._files_before = 0
        self._on_progress = on_progress
        self._meanwhile: Callable[[], None] | None = None
        self._native: NativeReader | None = None
        self._roots: tuple[bytes, ...] = ()
        self.assets_known = sum(directory.pair_count for directory in known.values())

    def begin(self, roots: Iterable[bytes]) -> None:
        """Push the roots and batches of the known directories."""
        self._roots = tuple(roots)
        batch: list[bytes] = []
        size = 0
        for path, directory in self.known.items():
            batch.append(path)
            size += len(path) + directory.pair_count * _ASSET_WEIGHT
            if size > _BATCH_SIZE:
                self.stack.append(_SEPARATOR.join(batch))
                batch, size = [], 0
        if batch:
            self.stack.append(_SEPARATOR.join(batch))
        self.stack += [root for root in self._roots if root not in self.known]

    def step(self) -> None:
        """Read the batch on top of the stack, and push its subdirectories.

        After a failure nothing more is read, but the stack is emptied, so that all processes end normally.
        """
        if self._meanwhile is not None:
            self._meanwhile()
            self._meanwhile = None
        for path in self.stack.pop().split(_SEPARATOR):
            if self.failure is not None:
                return
            old = self.known.get(path)
            directory = self._read(path, old)
            if directory is None:
                continue
            self.done[path] = directory
            self.assets_done += directory.pair_count * self.processes
            if directory is not old:
                self.assets_read += directory.pair_count
            if directory.children and directory is not old:
                self.stack += [child for child in directory.subdirectories() if child not in self.known]
        if self._on_progress is not None:
            self._on_progress(self.assets_done, max(self.assets_known, self.assets_done))

    def begin_natively(self, roots: Iterable[bytes], threads: int, meanwhile: Callable[[], None] | None) -> None:
        """Read with threads of the native module; push the directories they leave.

        This process then reads with the module itself, directory by directory.
        """
        from assetdb.scan.native import native_reader, native_walk, read_all  # noqa: PLC0415 - only where the module is there

        walk = native_walk(self.reader, threads) if threads > 1 else None
        if walk is None:
            self.begin(roots)
        else:
            self._roots = tuple(roots)
            add, read = self._add, self._read
            self.stack += read_all(walk, self._roots, self.reader, read, add, meanwhile, may_leave=can_fork())
        if self.stack:
            self._native = native_reader(self.reader)

    def _add(self, directory: DirectoryFacts) -> bool:
        """Take a new directory; return whether nothing failed so far."""
        self.done[directory.path] = directory
        self.assets_done += directory.pair_count
        if self._on_progress is not None:
            self._on_progress(self.assets_done, self.assets_done)
        return self.failure is None

    def _read(self, path: bytes, known: DirectoryFacts | None) -> DirectoryFacts | None:
        """Read a directory; None if it is gone, or after a failure."""
        try:
            if known is None and self._native is not None:
                known, is_whole = self._native.read(path)
                if is_whole:
                    return known
            return self.reader.read(path, known)
        except ScanError as error:
            self.failure = (str(error), error.path, error.errno)
        except MemoryError:
            lacking = scan_error(path, OSError(errno.ENOMEM, os.strerror(errno.ENOMEM)))
            self.failure = (str(lacking), lacking.path, lacking.errno)
        return None

    def share(self, helpers: int, meanwhile: Callable[[], None] | None = None) -> None:
        """Empty the stack with forked processes; call ``meanwhile`` once they work."""
        if sys.platform != "win32":
            from assetdb.scan.processes import work_together  # noqa: PLC0415 - only where processes can fork

            self.processes = helpers + 1
            self._meanwhile = meanwhile
            # The directories of a killed process are read again here.
            if not work_together(self, helpers, self._merge) and self.failure is None:
                self.begin(self._roots)
                self.stack += _missing(self.done)

    def _merge(self, pieces: Iterable[bytes]) -> bool:
        found: dict[bytes, DirectoryFacts] = {}
        read = 0
        try:
            for piece in pieces:
                files_read, failure, unchanged, changed = marshal.loads(piece)  # noqa: S302 - from our own child
                for path in unchanged:
                    found[path] = self.known[path]
                for values in changed:
                    found[values[0]] = DirectoryFacts(*values)
                read += files_read
        except (EOFError, ValueError, TypeError):
            return False
        self.done.update(found)
        self.reader.files_read += read
        self.failure = self.failure or failure
        return True

    def start_afresh(self) -> None:
        """Clear stack and results, which the parent keeps."""
        self.stack = []
        self.done = {}
        self._on_progress = self._meanwhile = None
        self._files_before = self.reader.files_read

    def packed(self) -> Iterator[bytes]:
        """Return results since then in pieces, each released when taken."""
        unchanged: list[bytes] = []
        changed: list[tuple[object, ...]] = []
        size = 0
        while self.done:
            path, directory = self.done.popitem()
            if directory is self.known.get(path):
                unchanged.append(path)
                continue
            changed.append(tuple(directory))
            size += directory.pair_count
            if size > _PIECE_SIZE:
                yield marshal.dumps((0, None, [], changed))
                changed, size = [], 0
        yield marshal.dumps((self.reader.files_read - self._files_before, self.failure, unchanged, changed))


def _missing(done: Mapping[bytes, DirectoryFacts]) -> list[bytes]:
    return [path for directory in done.values() for path in directory.subdirectories() if path not in done]
