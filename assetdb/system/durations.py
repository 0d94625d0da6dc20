"""Durations for people."""

from __future__ import annotations

from typing import Final

_UNITS: Final = ((120, 1, "s"), (7200, 60, "min"), (172_800, 3600, "h"))
_DAY: Final = 86_400


def duration(seconds: float) -> str:
    """Return a duration for people, such as ``5 min``."""
    whole = int(seconds)
    for until, size, unit in _UNITS:
        if whole < until:
            return f"{whole // size} {unit}"
    return f"{whole // _DAY:,} days"
