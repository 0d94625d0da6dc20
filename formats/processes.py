"""How many processes may share some work here, and whether they may be forked."""

from __future__ import annotations

import os
import sys


def can_fork() -> bool:
    """Whether this process may fork: POSIX, and no thread that could hold a lock."""
    threading = sys.modules.get("threading")
    return hasattr(os, "fork") and sys.platform != "win32" and (threading is None or threading.active_count() == 1)


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
