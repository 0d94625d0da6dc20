"""Bindings of the inotify(7) calls, flags and limits.

Called through ctypes, not through ``watchdog.observers.inotify_c``: importing that takes 33 ms of a start that has
0.5 s in all, ctypes 3, and its reader makes an object and takes a lock for each event (80,000 of them for a checkout
of 10,000 files), adds watches by a walk of its own, and follows moved folders by rewriting paths.
"""

from __future__ import annotations

import ctypes
import errno
import os
import select
import sys

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

IN_MODIFY: Final = 0x2
IN_ATTRIB: Final = 0x4
IN_CLOSE_WRITE: Final = 0x8
IN_MOVED_FROM: Final = 0x40
IN_MOVED_TO: Final = 0x80
IN_CREATE: Final = 0x100
IN_DELETE: Final = 0x200
IN_DELETE_SELF: Final = 0x400
IN_MOVE_SELF: Final = 0x800
IN_UNMOUNT: Final = 0x2000
IN_Q_OVERFLOW: Final = 0x4000
IN_IGNORED: Final = 0x8000
IN_ONLYDIR: Final = 0x0100_0000
IN_DONT_FOLLOW: Final = 0x0200_0000
IN_MASK_ADD: Final = 0x2000_0000
IN_ISDIR: Final = 0x4000_0000

NAMES: Final = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
"""Events that change the names in a directory, or its own."""
ALL: Final = NAMES | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB
"""Events that can change the input of a bake."""

_NEW: Final = 0o2000000 | 0o4000  # close on exec, do not block
_LIMITS: Final = {errno.ENOSPC: "max_user_watches", errno.EMFILE: "max_user_instances"}
_SETTINGS: Final = "/proc/sys/fs/inotify"


class LimitError(OSError):
    """The kernel's limit of watches or instances; the message names it."""


_LIBRARY: Final[list[ctypes.CDLL]] = []  # once it is loaded


def _libc() -> ctypes.CDLL:
    if _LIBRARY:
        return _LIBRARY[0]
    library = ctypes.CDLL(None, use_errno=True)
    library.inotify_add_watch.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_uint32)
    library.inotify_rm_watch.argtypes = (ctypes.c_int, ctypes.c_int)
    library.inotify_init1.argtypes = (ctypes.c_int,)
    _LIBRARY.append(library)
    return library


def available() -> bool:
    """Whether the system has inotify."""
    return sys.platform == "linux" and hasattr(_libc(), "inotify_init1")


def open_instance() -> int:
    """Return the descriptor of a new instance, not blocking.

    Raises:
        LimitError: this user has no more instances.
        OSError: anything else.
    """
    descriptor: int = _libc().inotify_init1(_NEW)
    if descriptor < 0:
        raise error_of(ctypes.get_errno(), "")
    return descriptor


def add_watch(instance: int, path: bytes, mask: int) -> int:
    """Watch ``path``; return the watch's number.

    Raises:
        LimitError: this user has no more watches.
        OSError: the path does not exist, is not a directory, or may not be read.
    """
    number: int = _libc().inotify_add_watch(instance, path, mask)
    if number < 0:
        raise error_of(ctypes.get_errno(), os.fsdecode(path))
    return number


def remove_watch(instance: int, number: int) -> None:
    """Remove a watch; a missing one is no error."""
    _libc().inotify_rm_watch(instance, number)


def error_of(code: int, path: str) -> OSError:
    """Return the error for a code of ``errno``."""
    setting = _LIMITS.get(code)
    if setting is None:
        return OSError(code, os.strerror(code), path)
    return LimitError(
        code,
        f"the limit fs.inotify.{setting} = {limit(setting) or 'unknown'} is too small"
        f" (sysctl fs.inotify.{setting}=524288 raises it)",
    )


def limit(setting: str) -> int:
    """Return a setting of inotify, 0 if unknown."""
    try:
        with open(os.path.join(_SETTINGS, setting), "rb") as file:
            return int(file.read())
    except (OSError, ValueError):
        return 0


if sys.platform != "win32":

    def has_events(instance: int) -> bool:
        """Whether an instance has events to read, or is closed."""
        poll = select.poll()
        poll.register(instance, select.POLLIN)
        return bool(poll.poll(0))

    def poller(descriptors: list[int], mounts: int) -> Callable[[], set[int]]:
        """Return a function that waits for readable descriptors or new mounts.

        Args:
            descriptors: to be read.
            mounts: an open ``/proc/self/mountinfo``, or -1; the kernel reports a change as an error there.
        """
        poll = select.poll()
        for descriptor in descriptors:
            poll.register(descriptor, select.POLLIN)
        if mounts >= 0:
            poll.register(mounts, select.POLLPRI)
        return lambda: {descriptor for descriptor, _ in poll.poll()}

else:

    def has_events(instance: int) -> bool:
        """Whether an instance has events to read, or is closed."""
        raise OSError(errno.ENOSYS, "no inotify", str(instance))

    def poller(descriptors: list[int], mounts: int) -> Callable[[], set[int]]:
        """Return a function that waits for readable descriptors or new mounts."""
        raise OSError(errno.ENOSYS, "no inotify", f"{descriptors} {mounts}")
