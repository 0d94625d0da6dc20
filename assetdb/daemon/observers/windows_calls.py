"""Bindings of ReadDirectoryChangesW, called through ctypes.

Not through watchdog, whose reader collects events until there was none for a second: a question after an edit would be
answered from before it, and an import of minutes would be unseen for minutes. Nor does it report a buffer that
overflowed, at which changes are lost.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final, Protocol
else:
    Protocol = object  # typing takes 4 ms of a start

BUFFER: Final = 1 << 20
"""Bytes that the system keeps for a folder between two reads: 10,000 changes of names of 40 letters."""
_OF_SERVERS: Final = 64_000  # a folder on a server takes no more


class Feed(Protocol):
    """The changes in one folder."""

    @property
    def has_changes(self) -> bool:
        """Whether there are changes that nobody has dealt with.

        Any thread may ask. The reader deals with what :meth:`read` returned until it calls that again.
        """

    def read(self) -> bytes | None:
        """Wait for changes; None after :meth:`stop`.

        Returns records as the system gives them (see :mod:`assetdb.daemon.observers.windows_events`), none where it
        had more than its buffer holds.

        Raises:
            OSError: the folder is gone, or its server.
        """

    def stop(self) -> None:
        """End :meth:`read`, from another thread."""

    def close(self) -> None:
        """Free the folder, after the last :meth:`read`."""


if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    from assetdb_formats.files import INVALID, kernel

    _LIST: Final = 0x1  # FILE_LIST_DIRECTORY
    _SHARE_ALL: Final = 0x7  # the folder can be renamed and removed
    _OPEN_EXISTING: Final = 3
    _FOLDER_LATER: Final = 0x4200_0000  # FILE_FLAG_BACKUP_SEMANTICS, as folders need; FILE_FLAG_OVERLAPPED
    # Names of files and of folders, attributes, size, last write, creation, security.
    _CHANGES: Final = 0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x40 | 0x100
    _YES: Final = 1
    _NO: Final = 0
    _FOREVER: Final = 0xFFFF_FFFF
    _INVALID_PARAMETER: Final = 87
    _OVERFLOW: Final = 1022  # ERROR_NOTIFY_ENUM_DIR

    class _Overlapped(ctypes.Structure):
        _fields_ = (
            ("internal", ctypes.c_void_p),
            ("internal_high", ctypes.c_void_p),
            ("offset", wintypes.DWORD),
            ("offset_high", wintypes.DWORD),
            ("event", wintypes.HANDLE),
        )

    kernel.CreateEventW.restype = wintypes.HANDLE
    kernel.CreateEventW.argtypes = (wintypes.LPVOID, wintypes.BOOL, wintypes.BOOL, wintypes.LPCWSTR)
    kernel.ReadDirectoryChangesW.argtypes = (
        *(wintypes.HANDLE, wintypes.LPVOID, wintypes.DWORD, wintypes.BOOL, wintypes.DWORD),
        *(wintypes.LPVOID, ctypes.POINTER(_Overlapped), wintypes.LPVOID),
    )
    kernel.GetOverlappedResult.argtypes = (
        *(wintypes.HANDLE, ctypes.POINTER(_Overlapped), ctypes.POINTER(wintypes.DWORD), wintypes.BOOL),
    )
    kernel.WaitForMultipleObjects.argtypes = (
        *(wintypes.DWORD, ctypes.POINTER(wintypes.HANDLE), wintypes.BOOL, wintypes.DWORD),
    )
    kernel.WaitForSingleObject.argtypes = (wintypes.HANDLE, wintypes.DWORD)
    kernel.CancelIoEx.argtypes = (wintypes.HANDLE, ctypes.POINTER(_Overlapped))
    kernel.SetEvent.argtypes = (wintypes.HANDLE,)

    class _Folder:
        """A watched folder; the system collects its changes."""

        def __init__(self, path: str, *, recursive: bool) -> None:
            self._path = path
            self._recursive = recursive
            handle = kernel.CreateFileW(path, _LIST, _SHARE_ALL, None, _OPEN_EXISTING, _FOLDER_LATER, None)
            if handle == INVALID:
                raise self._error(ctypes.get_last_error())
            self._handle = handle
            self._changed = kernel.CreateEventW(None, _YES, _NO, None)
            self._stopped = kernel.CreateEventW(None, _YES, _NO, None)
            self._size = BUFFER
            self._buffer = ctypes.create_string_buffer(BUFFER)
            self._overlapped = _Overlapped(event=self._changed)
            self._asked = False
            self._is_in_hand = False
            try:
                self._ask()
            except OSError:
                self.close()
                raise

        def _error(self, code: int) -> OSError:
            return OSError(0, ctypes.FormatError(code).strip(), self._path, code)

        def _ask(self) -> None:
            """Ask for the next changes."""
            while not kernel.ReadDirectoryChangesW(
                self._handle,
                self._buffer,
                self._size,
                self._recursive,
                _CHANGES,
                None,
                ctypes.byref(self._overlapped),
                None,
            ):
                code = ctypes.get_last_error()
                if code == _INVALID_PARAMETER and self._size > _OF_SERVERS:
                    self._size = _OF_SERVERS
                elif code != _OVERFLOW:
                    raise self._error(code)
            self._asked = True

        @property
        def has_changes(self) -> bool:
            return bool(kernel.WaitForSingleObject(self._changed, 0) == 0) or self._is_in_hand

        def read(self) -> bytes | None:
            self._is_in_hand = False
            events = (wintypes.HANDLE * 2)(self._stopped, self._changed)
            if kernel.WaitForMultipleObjects(2, events, _NO, _FOREVER) == 0:
                return None
            self._is_in_hand = True  # before the system asks for more, and takes the event back
            size = wintypes.DWORD()
            self._asked = False
            if not kernel.GetOverlappedResult(self._handle, ctypes.byref(self._overlapped), ctypes.byref(size), _NO):
                code = ctypes.get_last_error()
                if code != _OVERFLOW:
                    raise self._error(code)
            found = ctypes.string_at(self._buffer, size.value)
            self._ask()
            return found

        def stop(self) -> None:
            kernel.SetEvent(self._stopped)

        def close(self) -> None:
            if self._asked:
                kernel.CancelIoEx(self._handle, ctypes.byref(self._overlapped))
                size = wintypes.DWORD()  # the system writes to the buffer until it has ended
                kernel.GetOverlappedResult(self._handle, ctypes.byref(self._overlapped), ctypes.byref(size), _YES)
            for handle in (self._handle, self._changed, self._stopped):
                kernel.CloseHandle(handle)

    def open_feed(path: str, *, recursive: bool) -> Feed:
        """Watch a folder, ``recursive``: with all below it.

        Raises:
            OSError: it is not there, or its file system reports no changes.
        """
        return _Folder(path, recursive=recursive)

else:

    def open_feed(path: str, *, recursive: bool) -> Feed:
        """Watch a folder, ``recursive``: with all below it."""
        raise OSError(f"{path}: no ReadDirectoryChangesW ({recursive=})")
