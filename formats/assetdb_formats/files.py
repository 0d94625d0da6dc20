"""Safe opening of foreign files: regular files, bounded sizes.

Opening a FIFO without a writer blocks, ``/dev/zero`` has no end, and a sparse file of 5 GB takes 5 GB of memory
to read: what a file is and how large comes before its bytes.
"""

from __future__ import annotations

import errno
import os
import stat

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import BinaryIO, Final

_READING: Final = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a FIFO opens at once, to be refused; regular files do not know it
    | getattr(os, "O_NOCTTY", 0)
)
_KINDS: Final = {
    stat.S_IFIFO: "is a pipe, not a file",
    stat.S_IFSOCK: "is a socket, not a file",
    stat.S_IFCHR: "is a device, not a file",
    stat.S_IFBLK: "is a device, not a file",
}


class NotRegularFileError(OSError):
    """Error of a pipe, device or socket; nothing was read."""


class FileTooLargeError(OSError):
    """Error of a file too large to hold; nothing was read."""


def open_descriptor(path: str) -> int:
    """Open a regular file for reading and return its descriptor.

    Cheaper than :func:`open_file`, for scans of many files.

    Raises:
        NotRegularFileError: it is a folder, pipe or device.
        OSError: whatever else opening a file raises; ``filename`` is set.
    """
    descriptor = os.open(path, _READING)
    try:
        _refuse_others(path, os.fstat(descriptor).st_mode)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def open_file(path: str, *, buffering: int = -1) -> BinaryIO:
    """Open a regular file for reading, as ``open(path, "rb")`` does.

    A pipe or a device is not even opened.

    Raises:
        NotRegularFileError: it is a folder, pipe or device.
        OSError: whatever else opening a file raises; ``filename`` is set.
    """
    _refuse_others(path, os.stat(path).st_mode)  # opening a pipe would let its writer go on
    file: BinaryIO = open(path, "rb", buffering, opener=lambda name, _: open_descriptor(name))  # noqa: SIM115 - the caller's
    return file


def read_file(path: str, *, largest: int) -> bytes:
    """Return all bytes of a regular file of at most ``largest`` bytes.

    Raises:
        NotRegularFileError: it is a folder, pipe or device.
        FileTooLargeError: it is larger.
        OSError: whatever else opening and reading a file raises; ``filename`` is set.
    """
    with open_file(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > largest:
            raise FileTooLargeError(errno.EFBIG, f"has {size:,} bytes; at most {largest:,} are read of it", path)
        try:
            return file.read(size)
        except OSError as error:  # which knows no path here
            raise OSError(error.errno, error.strerror, path) from None


def _refuse_others(path: str, mode: int) -> None:
    if stat.S_ISREG(mode):
        return
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    raise NotRegularFileError(errno.EINVAL, _KINDS.get(stat.S_IFMT(mode), "is not a file"), path)
