"""Safe opening of foreign files; words of system errors.

Opening a FIFO without a writer blocks, ``/dev/zero`` has no end, and a sparse file of 5 GB takes 5 GB of memory
to read: what a file is and how large comes before its bytes.

Windows words its errors in the language of its user, without what helps: that another program holds a file, that a
server has gone. Python maps its codes to few numbers of POSIX: a server that does not answer is "No such file or
directory", a connection that was lost "Invalid argument".
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

IS_HELD: Final = "another program has it open"
IS_AWAY: Final = "its content is in a cloud and not on this disk; make it available offline"
NO_ANSWER: Final = "the server or the disk that it is on does not answer"
_HELD: Final = frozenset({32, 33})  # ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION
_SILENT: Final = frozenset(
    {
        21,  # ERROR_NOT_READY: a drive without a disk
        *(51, 53, 54, 55, 59, 64, 67, 71),  # ERROR_REM_NOT_LIST to ERROR_REQ_NOT_ACCEP: a share
        121,  # ERROR_SEM_TIMEOUT
        *(1117, 1167),  # ERROR_IO_DEVICE, ERROR_DEVICE_NOT_CONNECTED: a disk that was pulled out
        *(1222, 1231, 1232, 1236),  # ERROR_NO_NETWORK, ERROR_NETWORK_UNREACHABLE, ERROR_HOST_UNREACHABLE, aborted
    }
)
_WORDS: Final = {
    123: "Windows allows no such name",  # ERROR_INVALID_NAME
    161: "Windows allows no such name",  # ERROR_BAD_PATHNAME
    206: "the path is too long for Windows, unless LongPathsEnabled is set",  # ERROR_FILENAME_EXCED_RANGE
    225: "an antivirus program refuses it",  # ERROR_VIRUS_INFECTED
    362: IS_AWAY,  # ERROR_CLOUD_FILE_PROVIDER_NOT_RUNNING
    1392: "the disk is damaged there",  # ERROR_FILE_CORRUPT
    1920: "the system cannot open it",  # ERROR_CANT_ACCESS_FILE
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


def words_of(error: Exception) -> str:
    """Return the words of an error; the system's words in English.

    Messages are searched for and compared, so they are the same on every machine: Windows says in the user's language
    why a file cannot be opened. The path is not among the words; a message puts it before them.

    >>> words_of(FileNotFoundError(2, "No such file or directory", "Assets/Gone.prefab")), words_of(ValueError("odd"))
    ('No such file or directory', 'odd')
    """
    if not isinstance(error, OSError):
        return str(error)
    code = getattr(error, "winerror", None)
    if code is None:
        return error.strerror or str(error)
    if code in _HELD:
        return IS_HELD
    if code in _SILENT:
        return NO_ANSWER
    return _WORDS.get(code) or (os.strerror(error.errno) if error.errno else f"Windows' error {code}")


def is_of_a_moment(error: OSError) -> bool:
    """Whether Windows says that a server or disk does not answer."""
    return getattr(error, "winerror", None) in _SILENT
