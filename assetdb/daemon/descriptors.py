"""Limits on file descriptors, and on clients by them.

macOS's default is 256 for a process: 243 idle clients would leave none for opening a folder.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

# The selector, the spare one to turn clients away with, the pipe that ends the observer's thread (two), the table of
# mounts; a client; for files, the most that an update has open: folder, file, its replacement; and a folder and a file
# each for a question and a search of packages.
_TO_ANSWER: Final = 13
_RESERVE: Final = 64  # for the scan and its processes, the log, files that are written
_SHARE: Final = 3  # a third if there are very few


def require_descriptors() -> None:
    """Check that descriptors are left to answer with.

    Raises:
        OSError: there are none; raised before the daemon is announced.
    """
    opened: list[int] = []
    try:
        while len(opened) < _TO_ANSWER:
            opened.append(os.open(os.devnull, os.O_RDONLY))
    finally:
        for descriptor in opened:
            os.close(descriptor)


def clients_allowed(most: int) -> int:
    """Return how many clients, up to ``most``, the descriptors allow."""
    limit = _limit()
    if limit is None:
        return most
    return max(1, min(most, limit - _open() - min(_RESERVE, limit // _SHARE)))


def _limit() -> int | None:
    """Return the limit of descriptors, None without one."""
    if sys.platform == "win32":
        return None
    else:  # noqa: RET505 - the type checker reads one branch for each platform
        import resource  # noqa: PLC0415 - absent on Windows

        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        return limit if limit >= 0 and limit != resource.RLIM_INFINITY else None


def _open() -> int:
    """Return how many descriptors are open."""
    try:
        return len(os.listdir("/dev/fd"))
    except OSError:
        return 16
