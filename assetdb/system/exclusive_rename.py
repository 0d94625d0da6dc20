"""Renaming without replacing, by a system call or by a link."""

from __future__ import annotations

import ctypes
import errno
import os
import stat
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_CURRENT: Final = -100 if sys.platform == "linux" else -2  # AT_FDCWD
_LINUX_NO_REPLACE: Final = 1  # RENAME_NOREPLACE of renameat2, Linux 3.15 and glibc 2.28
_DARWIN_EXCLUSIVE: Final = 4  # RENAME_EXCL of renameatx_np, macOS 10.12
# Old kernels, and file systems that know no flags (NFS, some of FUSE and of overlays).
_NOT_HERE: Final = frozenset({errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP})
_NO_LINKS: Final = _NOT_HERE | {errno.EPERM, errno.EMLINK, errno.EACCES}  # FAT, exFAT, protected_hardlinks


def rename_exclusively(
    source: str, target: str, *, src_dir_fd: int | None = None, dst_dir_fd: int | None = None
) -> None:
    """Rename a file or folder without replacing one.

    The parameters are as of ``os.rename``.

    If the system or file system cannot do it in one step, a file gets a second link first: a process killed between the
    two steps leaves both names. A folder can then replace an empty folder, and nothing else.

    Raises:
        FileExistsError: ``target`` exists.
        OSError: it cannot be renamed.
    """
    if sys.platform == "win32":
        os.rename(source, target)  # which does not replace there
    elif not _by_system(source, target, src_dir_fd, dst_dir_fd):
        _by_link(source, target, src_dir_fd, dst_dir_fd)


def _by_system(source: str, target: str, src_dir_fd: int | None, dst_dir_fd: int | None) -> bool:
    """Rename by a call of the system; return False without one."""
    call, flag = _call()
    if call is None:
        return False
    folders = [_CURRENT if descriptor is None else descriptor for descriptor in (src_dir_fd, dst_dir_fd)]
    if call(folders[0], os.fsencode(source), folders[1], os.fsencode(target), flag) == 0:
        return True
    number = ctypes.get_errno()
    if number in _NOT_HERE:
        return False
    raise OSError(number, os.strerror(number), source, None, target)


def _call() -> tuple[Callable[[int, bytes, int, bytes, int], int] | None, int]:
    """Return the C library's function that renames without replacing, and its flag."""
    name, flag = ("renameatx_np", _DARWIN_EXCLUSIVE) if sys.platform == "darwin" else ("renameat2", _LINUX_NO_REPLACE)
    try:
        function = getattr(ctypes.CDLL(None, use_errno=True), name)
    except (AttributeError, OSError):
        return None, flag
    function.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    function.restype = ctypes.c_int
    return function, flag


def _by_link(source: str, target: str, src_dir_fd: int | None, dst_dir_fd: int | None) -> None:
    is_folder = stat.S_ISDIR(os.stat(source, dir_fd=src_dir_fd, follow_symlinks=False).st_mode)
    if not is_folder:
        try:
            os.link(source, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd, follow_symlinks=False)
        except FileExistsError:
            raise
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
        else:
            os.unlink(source, dir_fd=src_dir_fd)
            return
    try:
        os.stat(target, dir_fd=dst_dir_fd, follow_symlinks=False)
    except FileNotFoundError:
        os.rename(source, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)
    else:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), source, None, target)
