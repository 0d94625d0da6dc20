"""The limit of clients: as many as there may be so that descriptors are left for the files of the project.

256 for a process are macOS's default: 243 clients that say nothing would leave none to look at a folder with.
"""

from __future__ import annotations

import os
import sys
from typing import Final

_RESERVE: Final = 64  # for the scan and its processes, the log, files that are written
_SHARE: Final = 3  # of very few, a third is kept


def clients_allowed(most: int) -> int:
    """Return how many clients this process may have, ``most`` of them at most."""
    limit = _limit()
    if limit is None:
        return most
    return max(1, min(most, limit - _open() - min(_RESERVE, limit // _SHARE)))


def _limit() -> int | None:
    """Return how many descriptors this process may have, None where there is no such limit."""
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
