"""Removal of folders, however deep, and with read-only folders inside."""

from __future__ import annotations

import os
import shutil
import stat
from typing import TYPE_CHECKING

from assetdb.checks.mending.writing.safe_files import FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.checks.mending.writing.safe_files import NameInFolder


def remove_tree(place: NameInFolder) -> None:
    """Remove a folder and its files, and links, but not their targets.

    Deep folders are first moved to the top, so that neither the stack nor the open files grow with the depth
    (``shutil.rmtree`` fails beyond a thousand folders).

    Raises:
        OSError: something in it cannot be removed.
    """
    if place.directory is None:
        shutil.rmtree(place.name, onerror=_again)
        return
    top = _opened(place.name, place.directory)
    try:
        while names := os.listdir(top):
            for name in names:
                _remove_entry(name, top)
    finally:
        os.close(top)
    os.rmdir(place.name, dir_fd=place.directory)


def _remove_entry(name: str, top: int) -> None:
    """Remove a file or folder, after moving its subfolders to the top."""
    if not _is_folder(name, top):
        os.unlink(name, dir_fd=top)
        return
    inner = _opened(name, top)
    try:
        for below in os.listdir(inner):
            if _is_folder(below, inner):
                os.close(_opened(below, inner))  # a read-only folder cannot be moved either
                os.rename(below, f".{os.urandom(8).hex()}", src_dir_fd=inner, dst_dir_fd=top)
            else:
                os.unlink(below, dir_fd=inner)
    finally:
        os.close(inner)
    os.rmdir(name, dir_fd=top)


def _is_folder(name: str, directory: int) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode)


def _opened(name: str, directory: int) -> int:
    """Open a folder, and let its owner change it."""
    descriptor = os.open(name, FOLDER, dir_fd=directory)
    mode = stat.S_IMODE(os.fstat(descriptor).st_mode)
    if mode & stat.S_IRWXU != stat.S_IRWXU:
        try:
            os.chmod(descriptor, mode | stat.S_IRWXU)  # not fchmod, which Windows has only since 3.13
        except OSError:
            os.close(descriptor)
            raise
    return descriptor


def _again(function: Callable[[str], object], path: str, _: object) -> None:
    """Remove a read-only file on Windows."""
    os.chmod(path, stat.S_IRWXU)
    function(path)
