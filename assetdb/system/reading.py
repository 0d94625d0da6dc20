"""Bounded reading of regular files, without waiting."""

from __future__ import annotations

import errno
import os
import stat

from assetdb.errors import FileError
from assetdb.system.shared_opening import open_shared

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final, TypeVar, TypeVarTuple

    _Given = TypeVarTuple("_Given")
    _Made = TypeVar("_Made")

_SYSTEM: Final = ("/dev/", "/proc/", "/sys/")
_ORDINARY: Final = "/dev/shm/"  # noqa: S108 - nothing is written there
"""A file system for arbitrary files."""
_MOST_LINKS: Final = 40  # the limit of Linux
OF_ONE_PROCESS: Final = ("/dev/", "/proc/")
"""Prefixes of paths that are different files in another process: a client's ``/dev/stdin`` is not its daemon's."""
LARGEST_ASSET: Final = 512 << 20
"""Size limit of an asset's text, which is read into memory as a whole: scenes of 30 MB are common, of 300 MB known."""
_LARGEST_FILE: Final = 1 << 30
_READ_STEP: Final = 1 << 20
OPEN_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)  # a pipe without a writer opens at once
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)
_NOT_THROUGH_LINKS: Final = getattr(os, "O_NOFOLLOW", 0)


def open_regular(path: str) -> int:
    """Open a regular file for reading and return its descriptor.

    Raises:
        FileError: it is a directory, a pipe or a device, or a link into ``/proc``, ``/sys`` or ``/dev``.
        OSError: it cannot be opened.
        ValueError: the path holds a NUL.
    """
    try:
        descriptor = open_shared(path, OPEN_FLAGS | _NOT_THROUGH_LINKS)
    except OSError as error:
        if error.errno == errno.EACCES and os.path.isdir(path):  # as Windows says of each folder
            raise _not_regular(path) from None
        if not _NOT_THROUGH_LINKS or not os.path.islink(path):
            raise
        if leads_into_system(path):
            raise FileError(f"{path}: is a link into {' or '.join(_SYSTEM)}, not to a regular file") from None
        descriptor = open_shared(path, OPEN_FLAGS)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise _not_regular(path)


def _not_regular(path: str) -> FileError:
    return FileError(f"{path}: is not a regular file")


def is_of_system(path: str) -> bool:
    """Whether a path lies in ``/proc``, ``/sys`` or ``/dev``."""
    return f"{path}/".startswith(_SYSTEM) and not f"{path}/".startswith(_ORDINARY)


def leads_into_system(link: bytes | str) -> bool:
    """Whether a link leads into such a folder from outside.

    Git stores links: one to ``/proc/self/mem`` is a regular file of no size that cannot be read, and opening
    ``/dev/watchdog`` starts it.
    """
    place = os.path.abspath(os.fsdecode(link))
    if is_of_system(os.path.dirname(place)):
        return False
    try:
        for _ in range(_MOST_LINKS):  # one by one: links in /proc report other targets
            if not os.path.islink(place):
                break
            place = os.path.normpath(os.path.join(os.path.dirname(place), os.readlink(place)))
            if is_of_system(place):
                return True
    except OSError:  # gone meanwhile
        return False
    return is_of_system(os.path.realpath(os.fsdecode(link)))


def read_small(path: str, most: int) -> bytes:
    """Return the bytes of a regular file of bounded size.

    This is for files that are small or wrong, such as settings: whoever reads them says which size is absurd.

    >>> read_small("fixtures/unity_project/ProjectSettings/ProjectVersion.txt", 1 << 20)[:15]
    b'm_EditorVersion'
    >>> read_small("fixtures/unity_project/ProjectSettings/ProjectVersion.txt", 4)
    Traceback (most recent call last):
    assetdb.errors.FileError: .../ProjectVersion.txt: is larger than 4 bytes, the limit for such a file

    Raises:
        FileError: it is not a regular file, or larger.
        OSError: it cannot be read.
        ValueError: the path holds a NUL.
    """
    data = _read(path, most + 1)
    if len(data) > most:
        raise FileError(f"{path}: is larger than {most:,} bytes, the limit for such a file")
    return data


def read_file(path: str) -> bytes | None:
    """Return the first GiB of a file, None if it is unreadable.

    Files vanish, lack permissions or are pipes: that is a fact about the tree, and None. An error that has nothing to
    do with the file, such as too many open ones, is no such fact, and raised.

    >>> head = read_file("fixtures/unity_project/Assets/Prefabs/Base.prefab")
    >>> head and head[:9], read_file("fixtures/unity_project/Assets/Gone.prefab")
    (b'%YAML 1.1', None)

    Raises:
        ScanError: it cannot be read now.
    """
    return attempt(_read, path, _LARGEST_FILE)


def read_head(path: str, most: int) -> bytes | None:
    """Return the first bytes of a file, None if it is unreadable.

    Raises:
        ScanError: it cannot be read now.
    """
    return attempt(_head, path, most)


def _head(path: str, most: int) -> bytes:
    with open(open_regular(path), "rb") as file:
        return file.read(most)


def attempt(read: Callable[[str, *_Given], _Made], path: str, *given: *_Given) -> _Made | None:
    """Return ``read(path, ...)``, None if the file is unreadable.

    An error of its content is retried, see :func:`assetdb.system.failures.is_worth_retrying`.

    Raises:
        ScanError: it cannot be read now.
    """
    while True:
        try:
            return read(path, *given)
        except OSError as error:
            from assetdb.system.failures import excuse_content, is_worth_retrying  # noqa: PLC0415 - only where something is wrong

            if not is_worth_retrying(path, error):
                excuse_content(path, error)
                return None
        except (FileError, ValueError):
            return None


def _read(path: str, most: int) -> bytes:
    """Return the first bytes of a regular file, ``most`` at most.

    Requests its actual size: requesting a GiB makes the system map that much, 40 us a file.
    """
    descriptor = open_regular(path)
    try:
        expected = os.fstat(descriptor).st_size
        data = os.read(descriptor, min(expected + 1, most))
        if len(data) == expected:
            return data
        parts = [data]  # it grows, is read in pieces, or is generated (/proc has no sizes)
        left = most - len(data)
        while data and left > 0:
            data = os.read(descriptor, min(left, _READ_STEP))
            parts.append(data)
            left -= len(data)
        return b"".join(parts)
    finally:
        os.close(descriptor)
