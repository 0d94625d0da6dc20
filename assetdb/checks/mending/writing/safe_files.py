"""Safe access to project files for writing: never through a link."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from assetdb.errors import MendingError
from assetdb.settings.project import ASSET_ROOTS, asset_file
from assetdb.system.exclusive_rename import rename_exclusively
from assetdb_formats.atomic import remove_file, replace_file, temporary_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_BY_DESCRIPTOR: Final = os.open in os.supports_dir_fd and os.rename in os.supports_dir_fd  # not on Windows
FOLDER: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
"""Flags for opening a folder: no link is followed."""
_FILE: Final = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_WRITABLE: Final = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_ROOTS: Final = (*ASSET_ROOTS, "ProjectSettings")
_NEVER: Final = (".git", ".hg", ".svn")
NO_NAMES: Final = frozenset({errno.ENAMETOOLONG, errno.EILSEQ})
"""Errors of a name that no file on the disk can have."""


def parts_of(root: str, path: str) -> list[str]:
    """Return the names from a project's root to a path in it.

    Raises:
        MendingError: it is not among the project's assets or settings.
    """
    parts = path.split("/")
    if parts[0] not in _ROOTS or any(part in ("", ".", "..") or "\0" in part or os.sep in part for part in parts):
        raise MendingError(f"{path}: is not a path in {', '.join(_ROOTS)}")
    inside = asset_file(root, path)[len(root) :].lstrip(os.sep).split(os.sep) if parts[0] in ASSET_ROOTS else parts
    inside = [name for part in inside for name in part.split("/")]
    if any(part.lower() in _NEVER for part in inside):
        raise MendingError(f"{path}: belongs to the version control")
    return inside


class NameInFolder(NamedTuple):
    """A name in an open folder, on Windows a full path."""

    directory: int | None
    name: str
    path: str

    def status(self) -> os.stat_result | None:
        """Return the system's record of the file (or link itself), or None."""
        try:
            return os.stat(self.name, dir_fd=self.directory, follow_symlinks=False)
        except FileNotFoundError:
            return None
        except OSError as error:  # an undo asks for the file whose name was the failure
            if error.errno in NO_NAMES:
                return None
            raise

    def read(self) -> bytes | None:
        """Return the bytes of the file, or None if there is none.

        Raises:
            MendingError: it is a link or not a file.
        """
        status = self.status()
        if status is None:
            return None
        if not stat.S_ISREG(status.st_mode):
            raise MendingError(f"{self.path}: is {'a link' if stat.S_ISLNK(status.st_mode) else 'no file'}")
        with self.open() as file:
            return file.read()

    def open(self) -> BinaryIO:
        """Open the file to be read; a link is not followed."""
        return open(os.open(self.name, _FILE, dir_fd=self.directory), "rb")

    def put(self, data: bytes | None, mode: int | None) -> None:
        """Write the file's bytes, or (None) remove it.

        ``mode`` are the permissions of a new one.

        Raises:
            MendingError: as :meth:`write`.
            OSError: it cannot be written or removed; the error names the path in the project.
        """
        try:
            if data is None:
                self.unlink()
            else:
                self.write(data, mode)
        except OSError as error:
            error.filename = self.path
            raise

    def write(self, data: bytes, mode: int | None = None) -> None:
        """Replace the file, keeping its permissions, or make it with ``mode``.

        Raises:
            MendingError: it is read-only, or has appeared meanwhile.
            OSError: it cannot be written; it is unchanged.
        """
        status = self.status()
        if status is None:
            try:
                replace_file(self.name, [data], directory=self.directory, mode=mode, rename=rename_exclusively)
            except FileExistsError as error:
                raise _taken(self.path) from error
            return
        if not status.st_mode & _WRITABLE:
            raise MendingError(f"{self.path}: is read-only; check it out of version control, or make it writable")
        replace_file(self.name, [data], directory=self.directory, mode=stat.S_IMODE(status.st_mode))

    def unlink(self) -> None:
        """Remove the file, a read-only one as well."""
        remove_file(self.name, directory=self.directory)

    def rename(self, target: NameInFolder) -> None:
        """Rename the file or folder to ``target``.

        Raises:
            MendingError: the target exists.
            OSError: it cannot be renamed.
        """
        try:
            rename_exclusively(self.name, target.name, src_dir_fd=self.directory, dst_dir_fd=target.directory)
        except FileExistsError as error:
            raise _taken(target.path) from error

    def temporary(self, process: int) -> NameInFolder:
        """Return the place of the half-written file of a killed process."""
        return self._replace(name=temporary_of(self.name, process))


@contextmanager
def reached(root: str, path: str) -> Iterator[NameInFolder]:
    """Hold the folder of a path open, reached name by name.

    Raises:
        MendingError: a link is on the way, or the path is not in the project.
        OSError: a folder on the way does not exist, or cannot be entered.
    """
    *folders, name = parts_of(root, path)
    if not _BY_DESCRIPTOR:
        here = root
        for folder in folders:
            here = os.path.join(here, folder)
            status = os.lstat(here)
            if stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", False):
                raise _linked(path, here)
        yield NameInFolder(None, os.path.join(here, name), path)
        return
    descriptor = os.open(root, FOLDER & ~getattr(os, "O_NOFOLLOW", 0))
    try:
        for number, folder in enumerate(folders):
            try:
                inner = os.open(folder, FOLDER, dir_fd=descriptor)
            except OSError as error:
                status = os.stat(folder, dir_fd=descriptor, follow_symlinks=False)
                if stat.S_ISLNK(status.st_mode):
                    raise _linked(path, os.path.join(root, *folders[: number + 1])) from error
                raise
            os.close(descriptor)
            descriptor = inner
        yield NameInFolder(descriptor, name, path)
    finally:
        os.close(descriptor)


def _taken(path: str) -> MendingError:
    return MendingError(f"{path}: already exists")


def _linked(path: str, link: str) -> MendingError:
    return MendingError(f"{path}: is reached through a link ({link}), which is not followed to write")
