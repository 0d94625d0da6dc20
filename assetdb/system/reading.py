"""Files opened without waiting and read only so far: a pipe or a device may stand where a file should be."""

from __future__ import annotations

import os

from assetdb.errors import FileError

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

OF_ONE_PROCESS: Final = ("/dev/", "/proc/")
"""Paths that begin so mean another file in another process: a client's ``/dev/stdin`` is none of its daemon's."""
_LARGEST_FILE: Final = 1 << 30
_READ_STEP: Final = 1 << 20
_OPEN_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)  # a pipe without a writer opens at once
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)
_KIND: Final = 0o170000  # of a file, in its mode
_REGULAR: Final = 0o100000


def open_regular(path: str) -> int:
    """Open a regular file for reading and return its descriptor.

    Raises:
        FileError: it is a directory, a pipe or a device.
        OSError: it cannot be opened.
        ValueError: the path holds a NUL.
    """
    descriptor = os.open(path, _OPEN_FLAGS)
    if os.fstat(descriptor).st_mode & _KIND == _REGULAR:
        return descriptor
    os.close(descriptor)
    raise FileError(f"{path}: is not a regular file")


def read_small(path: str, most: int) -> bytes:
    """Return the bytes of a regular file that has ``most`` of them or fewer: settings, status files, manifests.

    Raises:
        FileError: it is no regular file, or has more.
        OSError: it cannot be read.
        ValueError: the path holds a NUL.
    """
    data = _read(path, most + 1)
    if len(data) > most:
        raise FileError(f"{path}: is larger than {most:,} bytes, the most that is read of such a file")
    return data


def read_file(path: str) -> bytes | None:
    """Return the first GiB of a file of a project, or None where there is none that may be read.

    Raises:
        ScanError: whether there is one cannot be told just now.
    """
    try:
        return _read(path, _LARGEST_FILE)
    except OSError as error:
        from assetdb.system.failures import excuse  # noqa: PLC0415 - only where something is wrong

        excuse(path, error)
        return None
    except (FileError, ValueError):
        return None


def _read(path: str, most: int) -> bytes:
    """Return the first bytes of a regular file, ``most`` at most.

    As many are asked for as it has: whoever asks for a GiB has the system map that much first, 40 us a file.
    """
    descriptor = open_regular(path)
    try:
        expected = os.fstat(descriptor).st_size
        data = os.read(descriptor, min(expected + 1, most))
        if len(data) == expected:
            return data
        parts = [data]  # it grows, the system gives it in pieces, or makes it as it is read (/proc has no sizes)
        left = most - len(data)
        while data and left > 0:
            data = os.read(descriptor, min(left, _READ_STEP))
            parts.append(data)
            left -= len(data)
        return b"".join(parts)
    finally:
        os.close(descriptor)
