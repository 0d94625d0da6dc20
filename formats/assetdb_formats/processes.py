"""Work of this process: workers, forking, garbage collection, progress."""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from typing import TypeAlias, TypeVar

    _Item = TypeVar("_Item")

    Progress: TypeAlias = Callable[[int, int], None] | None
    """Called with the number of items done and of all, or None."""


def can_fork() -> bool:
    """Whether this process may fork: POSIX, and no other threads."""
    threading = sys.modules.get("threading")
    return hasattr(os, "fork") and sys.platform != "win32" and (threading is None or threading.active_count() == 1)


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Uncollected:
    """A context without garbage collection; the earlier state returns with its end.

    Where nothing goes in circles, looking for circles is all that it does: 2 % of a first bake, and a third of the time
    where a million references are held. It is switched on again afterwards, because circles of
    other code in the process hold files open until they are collected.

    All that was made meanwhile is young to it, so the first object made afterwards has it look at everything: 16 ms at
    the end of unitystation's first bake, 5 ms of FPSSample's. A process that ends with its answer spares that.

    Attributes:
        process_ends: whether this process ends with its answer: then what there is afterwards is never looked at.
    """

    __slots__ = ("_is_last", "_was_enabled")
    process_ends = False

    def __init__(self, *, wanted: bool = True, is_last: bool = False) -> None:
        """Prepare.

        Args:
            wanted: else nothing changes.
            is_last: whether only the answer follows, where the process ends with that.
        """
        self._was_enabled = wanted and gc.isenabled()
        self._is_last = is_last

    def __enter__(self) -> None:
        """Switch it off."""
        if self._was_enabled:
            gc.disable()

    def __exit__(self, *_: object) -> None:
        """Switch it on again, if it was."""
        if self._was_enabled:
            if self._is_last and self.process_ends:
                gc.freeze()
            gc.enable()


def tracked(items: Collection[_Item], progress: Progress) -> Iterator[_Item]:
    """Yield items, reporting before each how many are done."""
    for number, item in enumerate(items):
        if progress is not None:
            progress(number, len(items))
        yield item
