"""Files of a project, read whole; what cannot be read, or is no regular file, is absent."""

from __future__ import annotations

import errno
import os
import stat

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import BinaryIO, Final

_LARGEST_FILE: Final = 1 << 30
_FLAGS: Final = (
    os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
)  # a pipe that nobody writes to is not waited for


def _regular(path: str, _: int) -> int:
    descriptor = os.open(path, _FLAGS)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "is no regular file", path)
    return descriptor


def open_regular(path: str) -> BinaryIO:
    """Open a file to read bytes; what is none (a pipe, a device) neither waits nor goes on without end.

    Raises:
        OSError: it cannot be opened, or is no regular file.
    """
    return open(path, "rb", opener=_regular)


def read_file(path: str) -> bytes | None:
    """Return the first GiB of a file, or None where there is none that may be read."""
    try:
        with open_regular(path) as file:
            return file.read(_LARGEST_FILE)
    except OSError:
        return None
