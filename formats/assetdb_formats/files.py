"""Safe opening of foreign files; words of system errors.

Opening a FIFO without a writer blocks, ``/dev/zero`` has no end, and a sparse file of 5 GB takes 5 GB of memory
to read: what a file is and how large comes before its bytes.

Windows lets nobody rename or remove an open file, unless whoever opened it agreed (``FILE_SHARE_DELETE``), which
Python's ``open`` does not: while a bundle was read, Unity could not build it anew.

Windows words its errors in the language of its user, without what helps: that another program holds a file, that a
server has gone. Python maps its codes to few numbers of POSIX: a server that does not answer is "No such file or
directory", a connection that was lost "Invalid argument".
"""

from __future__ import annotations

import errno
import os
import stat
import sys

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
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
    descriptor = open_shared(path, _READING)
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


def relative_path(path: str, folder: str, paths: ModuleType = os.path) -> str:
    """Return a path from a folder on, itself on another drive."""
    try:
        relative: str = paths.relpath(path, folder)
    except ValueError:  # from C: no relative path leads to D:
        return path
    return relative


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


if sys.platform == "win32":
    import ctypes
    import msvcrt
    from ctypes import wintypes

    _READ: Final = 0x8000_0000  # GENERIC_READ
    _SHARE_ALL: Final = 7  # FILE_SHARE_READ, FILE_SHARE_WRITE, FILE_SHARE_DELETE
    _OPEN_EXISTING: Final = 3
    _NORMAL: Final = 0x80  # FILE_ATTRIBUTE_NORMAL
    _NO_CONSOLE: Final = 6  # ERROR_INVALID_HANDLE, of con.png where a process has none: an editor's, a daemon's

    kernel: Final = ctypes.WinDLL("kernel32", use_last_error=True)
    """Functions of Windows on files, with their types; what else a module calls, it declares."""
    INVALID: Final = wintypes.HANDLE(-1).value
    """What ``kernel.CreateFileW`` returns where it fails."""
    kernel.CreateFileW.restype = wintypes.HANDLE
    kernel.CreateFileW.argtypes = (
        *(wintypes.LPCWSTR, wintypes.DWORD, wintypes.DWORD, wintypes.LPVOID),
        *(wintypes.DWORD, wintypes.DWORD, wintypes.HANDLE),
    )
    kernel.CloseHandle.argtypes = (wintypes.HANDLE,)
    kernel.GetFileInformationByHandleEx.argtypes = (*(wintypes.HANDLE, ctypes.c_int, wintypes.LPVOID, wintypes.DWORD),)
    _ATTRIBUTES: Final = 9  # FileAttributeTagInfo: attributes, and the tag of a reparse point

    def system_error(path: str, code: int) -> OSError:
        """Return the error for a code of Windows, in English."""
        error = OSError(errno.EACCES, "", path, code)  # Python derives errno and class from the code
        error.strerror = words_of(error)
        return error

    def open_shared(path: bytes | str, flags: int, admit: Callable[[str, int], None] | None = None) -> int:
        """Open a file for reading; others may rename or remove it.

        Args:
            path: of the file.
            flags: as ``os.open`` takes them.
            admit: called with path and attributes before anything is read; may raise OSError.

        Raises:
            OSError: it cannot be opened, or is a device.
            ValueError: the path holds a NUL.
        """
        text = os.fsdecode(path)
        if "\0" in text:
            raise ValueError("embedded null character")
        handle = kernel.CreateFileW(text, _READ, _SHARE_ALL, None, _OPEN_EXISTING, _NORMAL, None)
        if handle == INVALID:
            code = ctypes.get_last_error()
            raise _is_device(text) if code == _NO_CONSOLE else system_error(text, code)
        try:
            found = (wintypes.DWORD * 2)()
            size = ctypes.sizeof(found)
            if admit and kernel.GetFileInformationByHandleEx(handle, _ATTRIBUTES, ctypes.byref(found), size):
                admit(text, found[0])
        except OSError:
            kernel.CloseHandle(handle)
            raise
        try:
            return msvcrt.open_osfhandle(handle, flags)
        except OSError as error:  # con.png is the console
            kernel.CloseHandle(handle)
            raise _is_device(text) from error

    def _is_device(path: str) -> OSError:
        return OSError(errno.ENXIO, os.strerror(errno.ENXIO), path)

else:

    def open_shared(path: str, flags: int) -> int:
        """Open a file for reading, which never hinders others here."""
        return os.open(path, flags)
