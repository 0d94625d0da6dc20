"""Garbage collection of a daemon, when nobody waits.

Left to itself Python looks through all objects whenever a quarter has come to them: 0.4 s for 60,000 assets, in the
middle of somebody's question. Nearly everything here ends with its last reference; what goes in circles is little.
"""

from __future__ import annotations

import gc
import time

from assetdb.system.free_memory import WORTH_IT, give_back, share_one_arena

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

_EVERY: Final = 10.0  # seconds
_AT_LATEST: Final = 60.0
_LONG: Final = 0.02  # seconds, after which what is left is set aside, to be looked at no more


class GarbageCollection:
    """Collects garbage in place of Python."""

    def __init__(self) -> None:
        self._last = 0.0
        self._was_enabled = gc.isenabled()
        gc.disable()
        share_one_arena()

    def freeze(self) -> None:
        """Take all that there is now for what stays."""
        gc.freeze()

    def collect_if_due(self, *, busy: bool) -> None:
        """Collect what there is, if that has not been done for a while; while something is done for somebody, later."""
        began = time.monotonic()
        if began - self._last < (_AT_LATEST if busy else _EVERY):
            return
        gc.collect()
        self._last = time.monotonic()
        if self._last - began > _LONG:
            gc.freeze()
        give_back(WORTH_IT)

    def close(self) -> None:
        """Leave it to Python again."""
        if self._was_enabled:
            gc.unfreeze()
            gc.enable()
