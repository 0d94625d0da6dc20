"""A mirror of a project at a revision: links and written differences.

Nothing is written outside the mirror, whatever a tree contains: names are checked, and only new files are written.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
from typing import TYPE_CHECKING, Final

from assetdb.errors import HistoryError
from assetdb.history.git.entries import FILE, LINK, SUBMODULE
from assetdb.history.git.objects import how_to_fetch, read_blobs
from assetdb.history.git.repository import Repository
from assetdb.history.git.stamp import IN_ANY_CASE
from assetdb.history.lfs import LARGEST_POINTER, is_content, stored
from assetdb.settings.project import ASSET_ROOTS, MARKERS, META, asset_roots, is_part
from assetdb.system.failures import excuse
from assetdb.system.mirrors import announce, forget, is_at_or_below
from assetdb.system.reading import OPEN_FLAGS, open_regular
from assetdb.system.shared_opening import open_shared
from assetdb.unity.kinds import LFS_POINTER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from assetdb.history.git.entries import Entry
    from assetdb.history.git.process import Blob

    Node = dict[bytes, "Node | Entry | None"]

_PACKAGE: Final = b"package.json"
_LARGEST_LINK: Final = 4096
_MOST_BYTES: Final = 1 << 35
_MOST_COPIED = 1 << 32
_LEAST_COPIED: Final = 4096  # of a small file on a disk
_NO_LINKS: Final = frozenset((errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS))
"""Errors of a disk without links: exFAT, FAT, some shares."""
_DEEPEST: Final = 512
_STEP: Final = 1 << 20
_GIT: Final = b".git"
_LARGEST_BESIDE: Final = 1 << 20
"""Size limit of copied files beside a project's folders, such as settings of assetdb: none of them is an asset."""
_READ: Final = frozenset(map(os.fsencode, (*ASSET_ROOTS, *MARKERS)))
_ADVICE: Final = (
    "keep the project on a local disk and set TMP to a folder on one that has junctions (NTFS)"
    if os.name == "nt"
    else "set TMPDIR to a folder on a disk that has symbolic links"
)


class Mirror:
    """A folder that shows another side of a project.

    Attributes:
        root: absolute.
        folders: real folders, because something in them differs, relative to the project.
        absent: files that the repository lacks, relative to the project.
        outside: links that lead out of the project, which are left out, relative to it; without links also those to
            folders.
        is_copied: whether the disk made no links, so that folders are copied without git's and Unity's own.
    """

    def __init__(
        self,
        repository: Repository,
        root: str,
        entries: Mapping[bytes, Entry | None],
        links: Iterable[bytes] = (),
        *,
        stand_ins: bool = False,
        is_project: bool = True,
        most_bytes: int = 0,
    ) -> None:
        """Create the folder ``root`` in one that exists.

        Args:
            repository: of the project.
            root: of the mirror.
            entries: of the other side, by path; None if absent.
            links: links to folders of the project: their targets are in the mirror, too.
            stand_ins: whether the disk's file replaces a Git LFS pointer without local content, a pointer on disk
                replaces the repository's content, and links out of the project are followed: then neither side has
                findings that the other lacks.
            is_project: whether folders without which it is no project are made where the side lacks them.
            most_bytes: of written files, beyond which the folder counts as full; 0: as many as fit.

        Raises:
            HistoryError: git lacks a part of it, or has something that cannot be written, such as two names that the
                disk takes for one, or what would be copied for want of links is too large.
            OSError: the folder cannot be written, or is full.
        """
        self.root = root
        self.folders: list[bytes] = []
        self.absent: list[bytes] = []
        self.outside: list[bytes] = []
        self.is_copied = not _makes_links(os.fsencode(repository.root), os.fsencode(root) + b".link")
        self._copies: list[tuple[bytes, bytes]] = []
        self._copied_bytes = 0
        self._repository = repository
        self._stand_ins = stand_ins
        self._tree = os.fsencode(repository.root)
        self._top = os.fsencode(root)
        self._blobs: list[tuple[bytes, Entry]] = []
        self._bytes = 0
        self._most_bytes = most_bytes
        nodes = _nodes(entries)
        for link in links:
            _open_folder(nodes, _above(link))
        try:
            self._fill(nodes, is_project=is_project)
        except FileExistsError as error:
            place = os.fsencode(error.filename2 or error.filename)
            path = os.fsdecode(place[len(self._top) + 1 :]).replace(os.sep, "/")
            # Windows and macOS; git checks out one of two names there, and says that they collided.
            raise HistoryError(f"a revision has {path} in two spellings, which this disk takes for one file") from error
        announce(root, repository.root, self.absent)

    def remove(self) -> None:
        """Remove the mirror, but not the targets of its links."""
        forget(self.root)
        _remove(self.root)

    # --- folders and links

    def _fill(self, nodes: Node, *, is_project: bool) -> None:
        self._make(b"", nodes)
        self._write()
        self._copy()
        if is_project:
            self._complete()
            self._copy()

    def _make(self, top: bytes, nodes: Node) -> None:
        stack = [(top, nodes)]
        made = []
        while stack:
            path, inside = stack.pop()
            os.mkdir(os.path.join(self._top, path) if path else self._top, 0o700)
            made.append(path)
            given = set(map(_folded, inside))
            listed = [row for row in self._listed(path) if _folded(row[0]) not in given]
            source = os.path.realpath(os.path.join(self._tree, path)) if listed else b""
            for name, is_folder, is_link in listed:
                place, below = os.path.join(source, name), _joined(path, name)
                if self.is_copied and not self._is_read(place, below, is_folder=is_folder):
                    continue
                if is_link and os.name != "nt":
                    self._write_link(below, os.readlink(place))
                elif not self.is_copied or not is_folder:
                    self._link_to(place, below, is_folder=is_folder)
                elif is_link or is_at_or_below(source, os.path.realpath(place)):  # a junction around itself never ends
                    self.outside.append(below)
                else:
                    stack.append((below, {}))
            for name, node in inside.items():
                below = _joined(path, name)
                if isinstance(node, dict):
                    stack.append((below, node))
                elif node is not None and node.kind == SUBMODULE:
                    if os.path.isdir(os.path.join(self._tree, below)):
                        if self.is_copied:
                            stack.append((below, {}))
                        else:
                            self._link(below, is_folder=True)
                elif node is not None:
                    self._blobs.append((below, node))
        filled = {_above(path) for path, _ in (*self._blobs, *self._copies)}
        for path in reversed(made):  # git has no empty folders
            if path and path not in filled and not os.listdir(os.path.join(self._top, path)):
                os.rmdir(os.path.join(self._top, path))
            else:
                filled.add(_above(path))
        self.folders = [path for path in made if path]

    def _is_read(self, place: bytes, path: bytes, *, is_folder: bool) -> bool:
        """Whether a question may read a file or folder."""
        top, _, below = path.partition(b"/")
        if path.rpartition(b"/")[2].lower() == _GIT:  # a submodule has a file that leads elsewhere from the mirror
            return False
        if asset_roots(self._repository.root) != ASSET_ROOTS:
            return True
        return top in _READ if is_folder or below else os.lstat(place).st_size <= _LARGEST_BESIDE

    def _complete(self) -> None:
        """Make a side without the project an empty one."""
        if is_part(self._repository.root):
            if not is_part(os.fsdecode(self._top)):  # without a meta it would be no such folder
                with open(os.path.join(self._top, os.fsencode(META)), "xb"):
                    pass
            return
        if asset_roots(self._repository.root) != ASSET_ROOTS:  # a package: this has its name
            if not os.path.lexists(os.path.join(self._top, _PACKAGE)):
                self._link(_PACKAGE, is_folder=False)
            return
        for name in map(os.fsencode, MARKERS):
            if not os.path.lexists(os.path.join(self._top, name)):
                os.mkdir(os.path.join(self._top, name))

    def _listed(self, path: bytes) -> Iterator[tuple[bytes, bool, bool]]:
        """Yield a folder's names, and whether each is folder and link."""
        place = os.path.join(self._tree, path)
        if os.path.islink(place) and path:
            return
        try:
            with os.scandir(place) as entries:
                yield from [(entry.name, entry.is_dir(), entry.is_symlink()) for entry in entries]
        except OSError as error:
            excuse(path, error)

    def _link(self, path: bytes, *, is_folder: bool) -> None:
        """Link a path to the same path on the disk, as ``_link_to``."""
        folder, name = os.path.split(os.path.join(self._tree, path))
        self._link_to(os.path.join(os.path.realpath(folder), name), path, is_folder=is_folder)

    def _link_to(self, source: bytes, path: bytes, *, is_folder: bool = False) -> None:
        """Link a path, or note a file that is to be copied.

        Raises:
            HistoryError: too much would be copied.
        """
        if not self.is_copied and (is_folder or os.name != "nt"):  # links to files need a privilege there
            _make_link(source, os.path.join(self._top, path))
            return
        if not os.path.isfile(source):
            return
        self._copies.append((path, source))
        self._copied_bytes += max(os.stat(source).st_size, _LEAST_COPIED)
        if 0 < self._most_bytes < self._copied_bytes:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if self._copied_bytes > _MOST_COPIED and self.is_copied:
            raise HistoryError(
                f"a revision is shown by links, {os.path.dirname(self.root)} can have none to this project,"
                f" and more than {_MOST_COPIED:,} bytes would be copied: {_ADVICE}"
            )

    def _copy(self) -> None:
        """Copy files that could not be linked, without their modes.

        A read-only file cannot be removed on Windows.
        """
        for path, source in self._copies:
            descriptor = open_regular(os.fsdecode(source))
            with open(descriptor, "rb") as own, open(os.path.join(self._top, path), "xb") as copy:
                shutil.copyfileobj(own, copy, _STEP)
                status = os.fstat(descriptor)
            os.utime(os.path.join(self._top, path), ns=(status.st_atime_ns, status.st_mtime_ns))
        self._copies.clear()

    # --- files

    def _write(self) -> None:
        by_home: dict[str, list[tuple[bytes, Entry]]] = {}
        for path, entry in self._blobs:
            by_home.setdefault(entry.submodule, []).append((path, entry))
        for home, rows in by_home.items():
            inner = Repository(home, fetch=self._repository.fetches) if home else self._repository
            self._write_from(inner, rows)

    def _write_from(self, repository: Repository, rows: list[tuple[bytes, Entry]]) -> None:
        for (path, entry), blob in zip(rows, read_blobs(repository, [entry.oid for _, entry in rows]), strict=True):
            if blob is None:
                self._leave_out(path, entry)
                continue
            self._bytes += blob.size
            if 0 < self._most_bytes < self._bytes:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            if self._bytes > _MOST_BYTES:
                raise HistoryError(f"the two sides differ in more than {_MOST_BYTES:,} bytes: name a nearer revision")
            if entry.kind == LINK and blob.size <= _LARGEST_LINK:
                self._write_link(path, b"".join(blob.pieces()))
            elif entry.kind == FILE:
                self._write_file(path, blob, repository.folder)

    def _leave_out(self, path: bytes, entry: Entry) -> None:
        """Write an unreadable file in place of one that git lacks.

        Raises:
            HistoryError: the system does not support such files.
        """
        if os.name == "nt" or self.is_copied:
            advice = how_to_fetch(is_tried=self._repository.fetches)
            raise HistoryError(f"the repository has not all files of this revision ({entry.oid}): {advice}")
        os.symlink(os.path.basename(path), os.path.join(self._top, path))
        self.absent.append(path)

    def _write_link(self, path: bytes, target: bytes) -> None:
        """Write a link with its target moved into the mirror.

        What lies outside is not of the revision, and neither is git's own folder: such a link is a file that is not
        there. Where the disk's files stand in, both sides have it.
        """
        if b"\0" in target or not target:
            return
        real = os.path.normpath(os.path.join(self._tree, _above(path), target))
        inside = real.startswith(self._tree + os.fsencode(os.sep))
        is_of_git = inside and b".git" in real[len(self._tree) :].lower().split(os.fsencode(os.sep))
        if (not inside or is_of_git) and not self._stand_ins:
            self.outside.append(path)
            return
        place = os.path.join(self._top, path)
        if not is_symlinked(self._top + real[len(self._tree) :] if inside else real, place):
            with open(place, "xb") as file:  # as git does on such a disk
                file.write(target)

    def _write_file(self, path: bytes, blob: Blob, git_folder: str) -> None:
        head = b"".join(blob.pieces()) if blob.size <= LARGEST_POINTER else b""
        own = os.path.join(self._tree, path)
        is_pointer = head.startswith(LFS_POINTER)
        content = stored(git_folder, head) if is_pointer else ""
        if content:
            self._link_to(os.fsencode(content), path)
        elif self._is_content(own, head) if is_pointer else self._stand_ins and _is_pointer(own):
            self._link(path, is_folder=False)
        else:
            target = os.path.join(self._top, path)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
            with open(os.open(target, flags, 0o600), "wb") as file:
                file.write(head)
                file.writelines(blob.pieces())

    def _is_content(self, own: bytes, pointer: bytes) -> bool:
        """Whether a file of the disk may replace a pointer."""
        if not os.path.isfile(own) or os.path.islink(own):
            return False
        return self._stand_ins or is_content(own, pointer)


def _nodes(entries: Mapping[bytes, Entry | None]) -> Node:
    """Return paths as a tree of names.

    Raises:
        HistoryError: a name is invalid, or a file is also a folder.
    """
    top: Node = {}
    for path, entry in sorted(entries.items(), key=lambda row: row[1] is None):  # existing entries before removed ones
        names = path.split(b"/")
        if len(names) > _DEEPEST or not all(map(_is_name, names)):
            if entry is None:
                continue
            raise HistoryError(f"git has a file of the name {path[:200]!r}, which is not valid: run git fsck")
        here: Node | Entry | None = top
        for name in names[:-1]:
            here = here.setdefault(name, {}) if isinstance(here, dict) else None
        if isinstance(here, dict) and (entry is None or names[-1] not in here):
            here.setdefault(names[-1], entry)
        elif entry is not None:
            raise HistoryError(f"git has {path[:200]!r} in a folder that is also a file: run git fsck")
    return top


def _open_folder(nodes: Node, path: bytes) -> None:
    """Make a real folder in the mirror, if the side has it."""
    here: Node | Entry | None = nodes
    for name in path.split(b"/") if path else ():
        here = here.setdefault(name, {}) if isinstance(here, dict) else None


def _is_name(name: bytes) -> bool:
    if name in (b"", b".", b"..") or name.lower() == b".git" or b"\0" in name:
        return False
    return os.name != "nt" or not any(character in name for character in (b"\\", b":"))


def _is_pointer(place: bytes) -> bool:
    """Whether a file is the pointer of Git LFS."""
    try:
        status = os.lstat(place)
        if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST_POINTER:
            return False
        with open(open_shared(place, OPEN_FLAGS), "rb") as file:
            return file.read(LARGEST_POINTER).startswith(LFS_POINTER)
    except OSError as error:
        excuse(place, error)
        return False


def _folded(name: bytes) -> bytes:
    """Return a name as the disk finds it.

    Where that is in any case, git keeps the spelling under which a file was added when it is renamed by case alone.
    """
    return os.fsencode(os.fsdecode(name).lower()) if IN_ANY_CASE else name


def _joined(path: bytes, name: bytes) -> bytes:
    return path + b"/" + name if path else name


def _above(path: bytes) -> bytes:
    return path.rpartition(b"/")[0]


def _makes_links(tree: bytes, probe: bytes) -> bool:
    """Whether links to a folder can be made and lead there.

    exFAT and FAT have none, and a junction to a share is made, but leads nowhere.
    """
    try:
        _make_link(tree, probe)
        return os.path.isdir(os.path.join(probe, b""))
    except OSError as error:
        if os.name != "nt" and error.errno not in _NO_LINKS:
            raise
        return False
    finally:
        if os.path.lexists(probe):
            (os.rmdir if os.name == "nt" else os.unlink)(probe)


def _make_link(source: bytes, target: bytes) -> None:
    """Make a link, on Windows a junction to a folder."""
    if sys.platform == "win32":
        from _winapi import CreateJunction  # noqa: PLC0415 - Windows alone has it

        CreateJunction(os.fsdecode(source), os.fsdecode(target))
    else:
        os.symlink(source, target)


def is_symlinked(source: bytes, target: bytes) -> bool:
    """Make a symbolic link, if the disk and the user may."""
    try:
        os.symlink(source, target)
    except OSError as error:
        if os.name != "nt" and error.errno not in _NO_LINKS:
            raise
        return False
    return os.path.islink(target)  # Wine says nothing


def _remove(root: str) -> None:
    """Remove a folder of links: links to folders are unlinked, never entered.

    ``shutil.rmtree`` keeps a descriptor open for each level, of which there may be hundreds, and before Python 3.13 it
    recurses.
    """
    stack = [root]
    folders = []
    while stack:
        here = stack.pop()
        folders.append(here)
        with os.scandir(here) as entries:
            listed = list(entries)
        for entry in listed:
            if entry.is_dir(follow_symlinks=False) and not _is_junction(entry.path):
                stack.append(entry.path)
            elif _is_junction(entry.path):
                os.rmdir(entry.path)
            else:
                os.unlink(entry.path)
    for folder in reversed(folders):
        os.rmdir(folder)


def _is_junction(path: str) -> bool:
    attributes = getattr(os.lstat(path), "st_file_attributes", 0) if os.name == "nt" else 0
    return bool(attributes & getattr(stat, "FILE_ATTRIBUTE_REPARSE_POINT", 0x400))
