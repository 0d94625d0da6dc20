"""Bundle files: opened, indexed, and found in a project.

The only module of the package that opens files.
"""

from __future__ import annotations

import mmap
import os
from typing import TYPE_CHECKING, BinaryIO, Final

from assetdb_formats.atomic import replace_file
from assetdb_formats.casset.encoding.bundle3 import MAGIC
from assetdb_formats.casset.encoding.index import START_SIZE, index_of, read_index
from assetdb_formats.casset.encoding.read import read_bundle
from assetdb_formats.casset.encoding.write import encode_pieces
from assetdb_formats.casset.errors import CassetError
from assetdb_formats.casset.identity import SUFFIX
from assetdb_formats.casset.project import Entry, Project
from assetdb_formats.files import open_file, words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from assetdb_formats.casset.model import Bundle, BundleIndex, Data
    from assetdb_formats.inputs import Input
    from assetdb_formats.processes import Progress

ROOTS: Final = ("Game", "Engine", "Editor")
"""The folders of a project that the engine's registry walks, and the first parts of logical paths."""
_LARGEST_MEMBER: Final = 1 << 30  # bytes of a bundle in an archive, which is in memory whole
_MAPPED_SIZE: Final = 1 << 20  # bytes; a smaller file is read, a larger one is mapped and its blobs stay on the disk


def open_bundle(source: str | os.PathLike[str] | bytes | BinaryIO) -> Bundle:
    """Read a bundle from a path, bytes or a stream.

    A stream is read to its end and stays open. Raises CassetError, or OSError where the file cannot be opened.
    """
    if isinstance(source, str | os.PathLike):
        return load(os.fspath(source))
    return read_bundle(source if isinstance(source, bytes) else source.read())


def load_input(file: Input) -> Bundle:
    """Read a bundle in a folder or an archive."""
    if file.path is not None:
        return load(file.path)
    try:
        return read_bundle(file.read(largest=_LARGEST_MEMBER))
    except CassetError as error:
        raise error.at(file.name) from None


def load(path: str) -> Bundle:
    """Read the bundle in a file.

    Blobs of a file over 1 MiB are views of a memory map of it: the file must not be cut short while they are used.
    """
    with open_file(path) as file:
        data: Data
        size = os.fstat(file.fileno()).st_size
        try:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size > _MAPPED_SIZE else file.read(size)
        except OSError as error:
            raise OSError(error.errno, error.strerror, path) from None
    try:
        return read_bundle(data)
    except CassetError as error:
        raise error.at(path) from None


def save(bundle: Bundle, path: str) -> None:
    """Write a bundle to a file, whole or not at all.

    On Windows no view of a mapped file of that name may be in use.
    """
    replace_file(path, encode_pieces(bundle))


def load_index(path: str) -> BundleIndex:
    """Read the index of a bundle file, skipping blobs."""
    with open_file(path, buffering=0) as file:
        start = file.read(START_SIZE)
        size = len(start) if len(start) < START_SIZE else os.fstat(file.fileno()).st_size
        # A word that is not 0 here is the version of format 2.0, or a checksum: only the whole file shows which.
        if start[:12] == MAGIC + bytes(4):
            try:
                return read_index(start, size, _reader(file))
            except CassetError as error:
                raise error.at(path) from None
    return index_of(load(path))


def _reader(file: BinaryIO) -> Callable[[int, int], bytes]:
    def read(offset: int, size: int) -> bytes:
        file.seek(offset)
        return file.read(size)

    return read


def roots_of(folder: str, engine: str = "") -> list[tuple[str, str]]:
    """Return the (logical path, folder) pairs of a project.

    ``/Game`` is in the project, ``/Engine`` and ``/Editor`` there or in the folder where the engine is installed. A
    folder without any of them is taken as it is: its logical paths start at ``/``.
    """
    roots = []
    for name in ROOTS:
        for parent in (folder, engine):
            if parent and os.path.isdir(os.path.join(parent, name)):
                roots.append((f"/{name}", os.path.join(parent, name)))
                break
    return roots or [("", folder)]


def project_of(file: str) -> str:
    """Return the project folder of a file.

    That is the nearest folder above it with a ``.cproject`` file, else the one that holds the ``Game``, ``Engine`` or
    ``Editor`` folder it is in, else the file's own folder.
    """
    own = os.path.dirname(os.path.abspath(file))
    folder, holder = own, ""
    while True:
        try:
            if any(name.endswith(".cproject") for name in os.listdir(folder)):
                return folder
        except OSError:  # a folder above that may not be listed holds no project of this user
            break
        parent, name = os.path.split(folder)
        if name in ROOTS:
            holder = parent
        if parent == folder:
            break
        folder = parent
    return holder or own


def scan(folder: str | Sequence[str], engine: str = "", progress: Progress = None) -> Project:
    """Read the index of every bundle of a project.

    The engine's registry does so at every start. Of several folders, and of bundles named themselves, one project is
    made, in which a file counts once, under its path in a folder. Unreadable files are in ``Project.unreadable``.
    ``progress`` is called with (files done, files).
    """
    files: list[tuple[str, str]] = []
    named: list[tuple[str, str]] = []
    candidates: set[str] = set()
    roots: list[tuple[str, str]] = []
    unreadable: list[CassetError] = []
    for place in [folder] if isinstance(folder, str) else folder:
        if os.path.isdir(place):
            roots += roots_of(place, engine)
        else:
            named.append((os.path.splitext(os.path.basename(place))[0], place))
    for prefix, root in dict.fromkeys(roots):
        is_engine = prefix in ("/Engine", "/Editor")
        for logical, path in _walk(prefix, root, unreadable):
            stem, suffix = os.path.splitext(logical)
            if suffix.lower() == SUFFIX:
                files.append((stem, path))
            elif is_engine and logical.startswith(f"{prefix}/Assets/"):
                candidates.add(stem)
    once: dict[str, tuple[str, str]] = {}
    for logical, path in (*files, *named):
        once.setdefault(os.path.abspath(path), (logical, path))
    entries = []
    for number, (logical, path) in enumerate(once.values()):
        try:
            entries.append(Entry(logical, path, load_index(path)))
        except CassetError as error:
            unreadable.append(error)
        except OSError as error:  # gone since it was listed, or not ours to read
            unreadable.append(_unreadable(path, error))
        if progress is not None:
            progress(number + 1, len(once))
    return Project(entries, unreadable, candidates)


def load_entry(entry: Entry) -> Bundle:
    """Read an entry's bundle; one that cannot be opened is a CassetError."""
    try:
        return load(entry.file)
    except OSError as error:
        raise _unreadable(entry.file, error) from None


def _unreadable(path: str, error: OSError) -> CassetError:
    return CassetError(f"cannot be opened: {words_of(error)}", path=path)


def _walk(prefix: str, root: str, unreadable: list[CassetError]) -> Iterator[tuple[str, str]]:
    """Yield (logical path with suffix, path) of every file, sorted.

    A folder below that cannot be listed goes into ``unreadable``. Raises OSError for the root itself.
    """
    stack = [(prefix, root)]
    while stack:
        logical, folder = stack.pop()
        folders = []
        try:
            with os.scandir(folder) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError as error:
            if folder == root:
                raise
            unreadable.append(_unreadable(folder, error))
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                folders.append((f"{logical}/{entry.name}", entry.path))
            elif entry.is_file():
                yield f"{logical}/{entry.name}", entry.path
        stack += reversed(folders)
