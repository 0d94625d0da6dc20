"""Extraction of untrusted names into a folder; none leaves it."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sys
from typing import TYPE_CHECKING, Final

from assetdb_formats.atomic import replace_file
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# What Windows cannot store or takes for something else; refused everywhere: an extraction is the same on every system.
_FORBIDDEN: Final = re.compile(r'[\x00-\x1f<>:"|?*\\\x7f]')
_DEVICES: Final = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)
_LONGEST: Final = 255


class UnsafeNameError(FormatError):
    """Error of a name that cannot be stored below the folder."""


def relative_name(path: str) -> str:
    """Return a container's path as a path below the target folder.

    Mount points begin with ``../../../``, which is removed.

    Raises:
        UnsafeNameError: it is absolute, has ``..`` inside, or a part that a file system cannot store.
    """
    if path.startswith("/"):
        raise UnsafeNameError(f"{path!r} is an absolute path")
    parts = path.split("/")
    while parts and parts[0] == "..":
        del parts[0]
    if not parts:
        raise UnsafeNameError(f"{path!r} names no file")
    for part in parts:
        if part in ("", ".", ".."):
            raise UnsafeNameError(f"{path!r} has {part!r} inside")
        if _FORBIDDEN.search(part) or _DEVICES.fullmatch(part) or part[-1] in ". ":
            raise UnsafeNameError(f"{path!r} has a part that is not a portable file name")
        if not part.isprintable():  # half of a surrogate pair among them, which no file name can have
            raise UnsafeNameError(f"{path!r} has characters that cannot be shown")
        if len(part.encode()) > _LONGEST:
            raise UnsafeNameError(f"{path!r} has a part that is too long for a file name")
    return "/".join(parts)


class TargetFolder:
    """A folder to extract files into; links below it are refused."""

    def __init__(self, path: str) -> None:
        """Make the folder if need be."""
        os.makedirs(path, exist_ok=True)
        self._root = os.path.realpath(path)
        self._spellings: dict[str, str] = {}

    def write(self, name: str, pieces: Iterable[bytes]) -> int:
        """Write a file below the folder, whole or not at all.

        Its size is returned.

        Raises:
            UnsafeNameError: see `relative_name`; or the name differs from an earlier one only in case; or a link, or
                a file where a folder should be, was there before: nothing is made below it.
        """
        relative = relative_name(name)
        spelling = folded = ""
        for part in relative.split("/"):  # folders too: `Maps/a` and `maps/b` are one folder elsewhere
            spelling = f"{spelling}/{part}"
            folded = f"{folded}/{part.casefold()}"
            if self._spellings.setdefault(folded, spelling) != spelling:
                raise UnsafeNameError(f"{relative!r} differs from {self._spellings[folded][1:]!r} only in case")
        *folders, leaf = relative.split("/")
        try:
            if sys.platform == "win32":
                return replace_file(os.path.join(checked_folder(self._root, folders), leaf), pieces)
            else:  # noqa: RET505 - mypy reads the branches of a platform so
                with opened_folder(self._root, folders) as directory:
                    return replace_file(leaf, pieces, directory=directory)
        except _NoFolderError as error:
            raise UnsafeNameError(f"{relative!r} lies behind {error}, a link or a file in {self._root}") from None
        except (IsADirectoryError, PermissionError):  # the latter on Windows
            if not os.path.isdir(os.path.join(self._root, *folders, leaf)):
                raise
            raise UnsafeNameError(f"{relative!r} is a folder in {self._root}") from None

    def remove(self, name: str) -> None:
        """Remove a file that was written."""
        *folders, leaf = relative_name(name).split("/")
        if sys.platform == "win32":
            os.unlink(os.path.join(checked_folder(self._root, folders), leaf))
        else:
            with opened_folder(self._root, folders) as directory:
                os.unlink(leaf, dir_fd=directory)


class _NoFolderError(Exception):
    """Error of a file or link in place of a folder."""


if sys.platform != "win32":

    @contextlib.contextmanager
    def opened_folder(root: str, folders: list[str]) -> Iterator[int]:
        """Make nested folders and yield a descriptor of the innermost.

        Each folder is opened through the descriptor of the folder above it, and no link is followed: a folder that a
        link replaces meanwhile does not lead out of the target either.

        Raises:
            _NoFolderError: one of them is a link or a file.
        """
        flags = os.O_RDONLY | os.O_DIRECTORY
        directory = os.open(root, flags)
        try:
            for number, folder in enumerate(folders, 1):
                with contextlib.suppress(FileExistsError):
                    os.mkdir(folder, dir_fd=directory)
                try:
                    inner = os.open(folder, flags | os.O_NOFOLLOW, dir_fd=directory)
                except OSError as error:
                    if error.errno in (errno.ELOOP, errno.ENOTDIR):  # systems differ in which
                        raise _NoFolderError("/".join(folders[:number])) from None
                    raise
                os.close(directory)
                directory = inner
            yield directory
        finally:
            os.close(directory)


def checked_folder(root: str, folders: list[str]) -> str:
    """Make nested folders and return the path of the innermost (Windows).

    Each folder is checked before anything is made in it. A link that takes its place after the check is not noticed.

    Raises:
        _NoFolderError: one of them is a link, a junction or a file.
    """
    path = root
    for number, folder in enumerate(folders, 1):
        path = os.path.join(path, folder)
        with contextlib.suppress(FileExistsError):
            os.mkdir(path)
        if not os.path.isdir(path) or os.path.normcase(os.path.realpath(path)) != os.path.normcase(path):
            raise _NoFolderError("/".join(folders[:number]))
    return path
