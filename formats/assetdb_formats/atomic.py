"""Atomic replacement of files.

The one place where :mod:`assetdb_formats` writes to a disk.
"""

from __future__ import annotations

import errno
import os
import stat
import time

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Final

# ERROR_ACCESS_DENIED and ERROR_SHARING_VIOLATION of Windows: somebody has the file open.
_HELD: Final = (5, 32)
_PATIENCE: Final = 2.0  # seconds for which virus scanners, indexers and backups hold a file at most
_FIRST_PAUSE: Final = 0.005
_LONGEST_PAUSE: Final = 0.1


def replace_file(
    path: str,
    pieces: Iterable[bytes | memoryview],
    *,
    directory: int | None = None,
    mode: int | None = None,
    rename: Callable[..., None] | None = None,
) -> int:
    """Write pieces to a file that replaces another atomically; return its size.

    The pieces go to a temporary file beside ``path``, which then takes its place. Sizes are in bytes.

    >>> replace_file("notes.txt", [b"first", b" line"])
    10
    >>> replace_file("notes.txt", (line for line in (b"other", b" line", b"s")))
    11
    >>> with open("notes.txt", "rb") as file:
    ...     file.read()
    b'other lines'

    Whatever fails, ``path`` is as it was and no temporary file is left; errors name ``path``. A symbolic link at
    ``path`` is replaced, not followed, and a device is an error: root's ``-o /dev/null`` would end the device.
    ``directory`` (not on Windows) is a descriptor of the folder that ``path`` is relative to: a folder moved or
    replaced by a link meanwhile does not lead the file elsewhere. ``mode`` are the permissions that the file gets, and
    has from its first moment at ``path``. ``rename`` takes the place of :func:`put_in_place`, where another file must
    not be replaced.
    """
    _refuse_device(path, directory)
    temporary = temporary_of(path, os.getpid())
    directories = {} if directory is None else {"src_dir_fd": directory, "dst_dir_fd": directory}

    def opener(opened: str, flags: int) -> int:
        return os.open(opened, flags, 0o666, dir_fd=directory)

    try:
        file = open(temporary, "xb", opener=opener)  # noqa: SIM115 - what is there already is not ours to remove
    except OSError as error:
        raise _named(error, temporary, path) from None
    try:
        with file:
            file.writelines(pieces)
            size = file.tell()
        if mode is not None:
            os.chmod(temporary, mode, dir_fd=directory)
        (rename or put_in_place)(temporary, path, **directories)
    except BaseException as error:
        try:  # noqa: SIM105 - contextlib takes time that a bake does not have
            os.unlink(temporary, dir_fd=directory)
        except FileNotFoundError:
            pass
        if isinstance(error, OSError):
            raise _named(error, temporary, path) from None
        raise
    return size


def _refuse_device(path: str, directory: int | None) -> None:
    """Raise OSError for a device at a path."""
    try:
        mode = os.stat(path, dir_fd=directory, follow_symlinks=False).st_mode
    except OSError:  # opening the temporary file tells what is wrong with the path
        return
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise OSError(errno.EINVAL, "is a device, which no file replaces", path)


def put_in_place(source: str, target: str, **places: int) -> None:
    """Rename a file over another, as ``os.replace`` does.

    Windows refuses that while a process has the target open. If the process agreed to renaming (``FILE_SHARE_DELETE``),
    the target is moved aside first; else this waits a moment for the process to close it.

    Raises:
        OSError: it cannot be replaced; both files are as they were.
    """
    pause = _FIRST_PAUSE
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            os.replace(source, target, **places)
        except OSError as error:
            if getattr(error, "winerror", 0) not in _HELD or not os.path.isfile(target):
                raise
            if _exchanged(source, target):
                return
            if time.monotonic() >= until:
                raise
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        else:
            return


def _exchanged(source: str, target: str) -> bool:
    """Move an open file aside, another into its place.

    Returns whether both moves worked. A mapped file cannot be removed before it is unmapped, and is left to
    :func:`remove_leftovers`.
    """
    aside = temporary_of(target, f"{os.getpid()}.{time.monotonic_ns()}")
    try:
        os.rename(target, aside)
    except OSError:
        return False
    try:
        os.rename(source, target)
    except OSError:
        os.rename(aside, target)
        return False
    try:  # noqa: SIM105 - contextlib takes time that a bake does not have
        remove_file(aside)
    except OSError:
        pass
    return True


def remove_file(path: str, *, directory: int | None = None) -> None:
    """Remove a file, on Windows also a read-only one.

    Raises:
        OSError: it cannot be removed.
    """
    try:
        os.unlink(path, dir_fd=directory)
    except OSError as error:
        if getattr(error, "winerror", 0) not in _HELD:
            raise
        os.chmod(path, stat.S_IWRITE)  # Perforce's files are read-only until they are checked out
        os.unlink(path)


def temporary_of(path: str, process: int | str) -> str:
    """Return the path of the temporary file that a process writes first."""
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{process}.{name[:40]}.temporary")


def remove_leftovers(folder: str, names: Iterable[str], keep: str = "") -> None:
    """Remove temporary files of killed processes, except ``keep``.

    Only the holder of the lock that their writers need may call it.
    """
    endings = tuple(f".{name}.temporary" for name in names)
    try:
        left = [name for name in os.listdir(folder) if name.endswith(endings) and name != keep]
    except OSError:
        return
    for name in left:
        try:  # noqa: SIM105 - contextlib takes time that a bake does not have
            os.unlink(os.path.join(folder, name))
        except OSError:
            pass


def rewrite_file(path: str, pieces: Iterable[bytes | memoryview]) -> int:
    """Replace a file as :func:`replace_file` does, keeping its permissions; return its size."""
    mode = None
    try:  # noqa: SIM105 - contextlib takes time that a bake does not have
        mode = os.stat(path).st_mode & 0o7777
    except FileNotFoundError:
        pass
    return replace_file(path, pieces, mode=mode)


def _named(error: OSError, temporary: str, path: str) -> OSError:
    """Name the target in an error that names the temporary file."""
    if error.filename is None or error.filename == temporary:  # a full disk names no file
        if error.filename2 is None:  # set at all, the message would end with "-> None"
            error.filename = path
        else:
            return OSError(error.errno, error.strerror, path, getattr(error, "winerror", None))
    return error
