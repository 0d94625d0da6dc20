"""Opening files for reading, which others may meanwhile rename or remove.

Windows refuses both while a file is open, unless whoever opened it agreed (``FILE_SHARE_DELETE``), which Python's
``open`` does not. Git and Unity would fail with "cannot unlink" at a file that is being scanned.
"""

from __future__ import annotations

import errno
import os
import sys

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

AWAY: Final = 0x44_0000
"""FILE_ATTRIBUTE_RECALL_ON_DATA_ACCESS and FILE_ATTRIBUTE_RECALL_ON_OPEN: of placeholders of OneDrive and the like."""


def system_error(path: str, code: int) -> OSError:
    """Return the error for a code of Windows, in English."""
    from assetdb_formats.files import words_of  # noqa: PLC0415 - only where something is wrong

    error = OSError(errno.EACCES, "", path, code)  # Windows' Python derives errno and class from the code
    error.strerror = words_of(error)
    return error


def refuse_recall(path: str, attributes: int) -> None:
    """Refuse a file that only a download would provide.

    Raises:
        OSError: it is one; a scan that read them would fetch the whole project.
    """
    if attributes & AWAY:
        from assetdb_formats.files import IS_AWAY  # noqa: PLC0415 - only where something is wrong

        raise OSError(errno.EACCES, IS_AWAY, path)


def obstacle(path: bytes | str) -> str:
    """Return why a permitted file cannot be opened, or ``""``."""
    try:
        os.close(open_shared(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)))
    except OSError as error:
        from assetdb_formats.files import IS_AWAY, IS_HELD  # noqa: PLC0415 - only where something is wrong

        return error.strerror if error.strerror in (IS_HELD, IS_AWAY) else ""
    return ""


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

    def open_shared(path: bytes | str, flags: int) -> int:
        """Open a file for reading; others may rename or remove it.

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
            if kernel.GetFileInformationByHandleEx(handle, _ATTRIBUTES, ctypes.byref(found), ctypes.sizeof(found)):
                refuse_recall(text, found[0])
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

    def open_shared(path: bytes | str, flags: int) -> int:
        """Open a file for reading, which never hinders others here."""
        return os.open(path, flags)
