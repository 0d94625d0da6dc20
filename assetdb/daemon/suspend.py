"""Detection of suspends and of clock changes.

File times are unreliable then, and events may be lost.
"""

from __future__ import annotations

import sys
import time

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

_STEP: Final = 1.0  # seconds; less is the slow adjustment that NTP makes
_SLEW: Final = 0.001  # of the time that went by: the most that it makes is 500 ppm
_SLEEP: Final = 0.1


class Reading(NamedTuple):
    """Three clocks at one moment, in seconds.

    Attributes:
        monotonic: stops while the machine is suspended.
        boot: does not.
        wall: the time of day, which can be set.
    """

    monotonic: float
    boot: float
    wall: float


if sys.platform == "linux":

    def read_clocks() -> Reading:
        """Read the clocks."""
        return Reading(time.monotonic(), time.clock_gettime(time.CLOCK_BOOTTIME), time.time())

else:

    def read_clocks() -> Reading:
        """Read the clocks; only the wall's goes on in a suspend."""
        monotonic = time.monotonic()
        return Reading(monotonic, monotonic, time.time())


def clock_jump(before: Reading, after: Reading) -> str:
    """Return an anomaly between two readings, or ``""``."""
    passed = after.monotonic - before.monotonic
    if after.boot - before.boot - passed > _SLEEP:
        return "the machine was suspended"
    if abs(after.wall - before.wall - passed) > _STEP + _SLEW * passed:
        return "the clock was set"
    return ""


class ClockMonitor:
    """Compares the clocks each time it is asked."""

    def __init__(self, read: Callable[[], Reading] = read_clocks) -> None:
        self._read = read
        self._last = read()

    def jump(self) -> str:
        """Return an anomaly since the last call, or ``""``."""
        before, self._last = self._last, self._read()
        return clock_jump(before, self._last)
