"""Creating a file that this user alone may open.

Windows gives a new file the access list of its folder. The list of a profile is the user's, but ``%LOCALAPPDATA%`` may
lead elsewhere, and a folder may have been shared.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

if sys.platform == "win32":
    import ctypes
    import errno
    import msvcrt
    from ctypes import wintypes

    from assetdb_formats.files import INVALID, kernel, system_error

    _TOKEN_QUERY: Final = 8
    _TOKEN_USER: Final = 1
    _MOST_TOKEN_USER: Final = 1024  # bytes of TOKEN_USER: a pointer, attributes, and a SID of at most 68 bytes
    _SDDL_REVISION: Final = 1
    _READ_AND_WRITE: Final = 0xC000_0000  # GENERIC_READ, GENERIC_WRITE
    _CREATE_NEW: Final = 1
    _NORMAL: Final = 0x80  # FILE_ATTRIBUTE_NORMAL

    class _SecurityAttributes(ctypes.Structure):
        _fields_ = (("length", wintypes.DWORD), ("descriptor", wintypes.LPVOID), ("inherits", wintypes.BOOL))

    _security: Final = ctypes.WinDLL("advapi32", use_last_error=True)
    kernel.GetCurrentProcess.restype = wintypes.HANDLE
    kernel.LocalFree.argtypes = (wintypes.LPVOID,)
    _security.OpenProcessToken.argtypes = (wintypes.HANDLE, wintypes.DWORD, wintypes.LPVOID)
    _security.GetTokenInformation.argtypes = (
        *(wintypes.HANDLE, ctypes.c_int, wintypes.LPVOID),
        *(wintypes.DWORD, wintypes.LPVOID),
    )
    _security.ConvertSidToStringSidW.argtypes = (wintypes.LPVOID, wintypes.LPVOID)
    _security.ConvertStringSecurityDescriptorToSecurityDescriptorW.argtypes = (
        *(wintypes.LPCWSTR, wintypes.DWORD),
        *(wintypes.LPVOID, wintypes.LPVOID),
    )

    def create_private(path: str) -> int:
        """Create a file for this user and the system; return its descriptor.

        Raises:
            OSError: it is there already, or cannot be created.
        """
        # Named by its number, not as the owner: what an elevated process creates belongs to all administrators.
        access_list = f"D:P(A;;FA;;;{_own_sid(path)})(A;;FA;;;SY)"
        descriptor = wintypes.LPVOID()
        if not _security.ConvertStringSecurityDescriptorToSecurityDescriptorW(
            access_list, _SDDL_REVISION, ctypes.byref(descriptor), None
        ):
            raise system_error(path, ctypes.get_last_error())
        try:
            attributes = _SecurityAttributes(ctypes.sizeof(_SecurityAttributes), descriptor, False)  # noqa: FBT003 - a field
            handle = kernel.CreateFileW(path, _READ_AND_WRITE, 0, ctypes.byref(attributes), _CREATE_NEW, _NORMAL, None)
            code = ctypes.get_last_error()
        finally:
            kernel.LocalFree(descriptor)
        if handle == INVALID:
            raise system_error(path, code)
        try:
            return msvcrt.open_osfhandle(handle, os.O_RDWR)
        except OSError as error:
            kernel.CloseHandle(handle)
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE), path) from error

    def _own_sid(path: str) -> str:
        """Return the number of this process's user (S-1-5-21-...)."""
        token = wintypes.HANDLE()
        if not _security.OpenProcessToken(kernel.GetCurrentProcess(), _TOKEN_QUERY, ctypes.byref(token)):
            raise system_error(path, ctypes.get_last_error())
        try:
            found = (wintypes.LPVOID * (_MOST_TOKEN_USER // ctypes.sizeof(wintypes.LPVOID)))()
            size = wintypes.DWORD()
            if not _security.GetTokenInformation(token, _TOKEN_USER, found, ctypes.sizeof(found), ctypes.byref(size)):
                raise system_error(path, ctypes.get_last_error())
        finally:
            kernel.CloseHandle(token)
        text = wintypes.LPWSTR()
        if not _security.ConvertSidToStringSidW(found[0], ctypes.byref(text)):
            raise system_error(path, ctypes.get_last_error())
        try:
            return str(text.value)
        finally:
            kernel.LocalFree(ctypes.cast(text, wintypes.LPVOID))

else:

    def create_private(path: str) -> int:
        """Create a file for this user alone; return its descriptor.

        Raises:
            OSError: it is there already, or cannot be created.
        """
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
